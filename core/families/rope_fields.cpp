// How a configuration says which columns positions turn, and by which angles.
#include "core/families/rope_fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/families/config_reader.hpp"

namespace headcount {
namespace {

struct ScalingName {
    std::string_view name;
    RopeScaling scaling;
};
constexpr std::array scaling_names =
    std::to_array<ScalingName>({{"default", RopeScaling::none},
                                {"linear", RopeScaling::linear},
                                {"dynamic", RopeScaling::dynamic},
                                {"llama3", RopeScaling::llama3},
                                {"yarn", RopeScaling::yarn},
                                {"longrope", RopeScaling::longrope},
                                {"proportional", RopeScaling::proportional},
                                // Positions in a picture besides: in a text alone the three are one.
                                {"mrope", RopeScaling::none},
                                {"su", RopeScaling::longrope}});  // Phi-3's first files

// 0.1 · m · ln(factor) + 1 (Peng et al. 2023): how much sharper attention gets over a longer context.
double sharpening(double factor, double m) { return factor <= 1 ? 1 : 0.1 * m * std::log(factor) + 1; }

class Reader {
  public:
    explicit Reader(const RopeFields& fields) : fields_(fields), top_(fields.config), inside_(find()) {}

    Result<Rope> read() {
        Rope rope;
        rope.scaling = scaling();
        rope.base = base();
        rope.original_context = original_context(rope.scaling);
        if (rope.scaling != RopeScaling::none) read_factors(rope);
        if (error_) return *error_;
        if (top_.error()) return *top_.error();
        return rope;
    }

  private:
    // The object that speaks of these layers.
    const nlohmann::json* find() {
        const nlohmann::json* parameters = top_.object({"rope_parameters"});
        path_ = "rope_parameters";
        if (parameters && parameters->contains("full_attention") && !parameters->contains("rope_type")) {
            const std::string kind(fields_.layer_kind.empty() ? "full_attention" : fields_.layer_kind);
            path_ += "." + kind;
            const auto nested = parameters->find(kind);
            return nested != parameters->end() && nested->is_object() ? &*nested : nullptr;
        }
        if (parameters || !fields_.scaled) return parameters;
        path_ = "rope_scaling";
        return top_.object({"rope_scaling"});
    }

    const nlohmann::json* field(std::string_view name) const {
        if (!inside_) return nullptr;
        const auto found = inside_->find(name);
        return found == inside_->end() || found->is_null() ? nullptr : &*found;
    }

    void reject(std::string_view name, std::string what, std::string fix) {
        if (!error_) error_ = Error{std::move(what), path_ + "." + std::string(name), std::move(fix)};
    }

    std::optional<double> optional(std::string_view name) {
        const nlohmann::json* value = field(name);
        if (!value) return std::nullopt;
        if (value->is_number() && value->get<double>() > 0 && std::isfinite(value->get<double>()))
            return value->get<double>();
        reject(name, as_written(*value) + " is not a number above 0", "give a number such as 8.0");
        return std::nullopt;
    }
    double number(std::string_view name, double otherwise) { return optional(name).value_or(otherwise); }

    double needed(std::string_view name) {
        if (!field(name)) reject(name, "the scaling of rotary positions has no such number", "add it, such as 8.0");
        return number(name, 1);
    }

    RopeScaling scaling() {
        const char* const key = field("rope_type") ? "rope_type" : "type";
        const nlohmann::json* name = field(key);
        if (!name) return RopeScaling::none;
        for (const ScalingName& each : scaling_names)
            if (*name == each.name) return each.scaling;
        reject(key, as_written(*name) + " is a scaling of rotary positions that is not known here",
               "use one of default, linear, dynamic, llama3, yarn, longrope, proportional");
        return RopeScaling::none;
    }

    double base() {
        const double base = field("rope_theta") ? number("rope_theta", fields_.base_otherwise)
                                                : top_.real({fields_.base_field}, fields_.base_otherwise);
        if (!(base > 1) || !std::isfinite(base)) {
            const Error error{"rotary positions need a base above 1", std::string(fields_.base_field),
                              "give a number such as 10000.0"};
            if (!error_) error_ = error;
        }
        return base;
    }

    // transformers: the field at the top counts before the one inside.
    double original_context(RopeScaling scaling) {
        const auto context = static_cast<double>(fields_.arch.context);
        if (scaling == RopeScaling::dynamic) return context;
        const double inside = number("original_max_position_embeddings", context);
        const std::optional<std::int64_t> top = top_.optional_number({"original_max_position_embeddings"});
        return top ? static_cast<double>(*top) : inside;
    }

    void read_factors(Rope& rope) {
        const bool inferred = rope.scaling == RopeScaling::yarn || rope.scaling == RopeScaling::longrope;
        rope.factor = inferred ? number("factor", static_cast<double>(fields_.arch.context) / rope.original_context)
                      : rope.scaling == RopeScaling::proportional ? number("factor", 1)
                                                                  : needed("factor");
        if (rope.scaling == RopeScaling::llama3) {
            rope.low_factor = needed("low_freq_factor");
            rope.high_factor = needed("high_freq_factor");
        }
        if (rope.scaling == RopeScaling::proportional) read_share(rope);
        if (rope.scaling == RopeScaling::yarn) read_yarn(rope);
        if (rope.scaling == RopeScaling::longrope) read_longrope(rope);
    }

    void read_share(Rope& rope) {
        constexpr std::string_view name = "partial_rotary_factor";
        rope.share = number(name, 1);
        if (rope.share > 1) reject(name, "more than all columns cannot be turned", "give at most 1");
        if (fields_.arch.layer.attention.rotary_dim)
            reject("rope_type", "a type that turns a part of each head by the angles of that part turns none so",
                   "use default");
    }

    void read_yarn(Rope& rope) {
        rope.beta_fast = number("beta_fast", 32);
        rope.beta_slow = number("beta_slow", 1);
        if (const nlohmann::json* truncate = field("truncate")) {
            if (truncate->is_boolean())
                rope.truncate = truncate->get<bool>();
            else
                reject("truncate", as_written(*truncate) + " is neither true nor false", "give true or false");
        }
        const double usual = says_mscale() ? sharpening(rope.factor, number("mscale", 1)) /
                                                 sharpening(rope.factor, number("mscale_all_dim", 1))
                                           : sharpening(rope.factor, 1);
        rope.attention_factor = number("attention_factor", usual);
    }

    // 0 says no more than an absent field.
    bool says_mscale() const {
        const auto says = [&](std::string_view name) { return field(name) && *field(name) != 0; };
        return says("mscale") && says("mscale_all_dim");
    }

    void read_longrope(Rope& rope) {
        const double root = 1 + std::log(std::max(rope.factor, 1.0)) / std::log(std::max(rope.original_context, 2.0));
        rope.attention_factor = number("attention_factor", std::sqrt(root));
        rope.short_divisors = divisors("short_factor");
        rope.long_divisors = divisors("long_factor");
    }

    // One number a pair of turned columns.
    std::vector<double> divisors(std::string_view name) {
        const std::int64_t head_dim = bindings(fields_.arch, Input{})[Symbol::head_dim].value_or(0);
        const std::int64_t pairs = fields_.arch.layer.attention.rotary_dim.value_or(head_dim) / 2;
        std::vector<double> numbers;
        const nlohmann::json* list = field(name);
        if (list && list->is_array() && static_cast<std::int64_t>(list->size()) == pairs)
            for (const nlohmann::json& each : *list)
                if (each.is_number() && each.get<double>() > 0) numbers.push_back(each.get<double>());
        if (static_cast<std::int64_t>(numbers.size()) != pairs || !list)
            reject(name, "there must be one number above 0 for each pair of turned columns",
                   "give a list of " + grouped(pairs));
        return numbers;
    }

    const RopeFields& fields_;
    ConfigReader top_;
    std::string path_;
    const nlohmann::json* inside_;
    std::optional<Error> error_;
};

// The part that, times the head's size and rounded down, is the number of columns again.
double part_of(std::int64_t columns, std::int64_t head_dim) {
    const auto size = static_cast<double>(head_dim);
    const double part = static_cast<double>(columns) / size;
    return static_cast<std::int64_t>(size * part) < columns ? std::nextafter(part, 2) : part;
}

}  // namespace

Result<Rope> read_rope(const RopeFields& fields) { return Reader(fields).read(); }

std::optional<double> read_score_sharpening(const nlohmann::json& config) {
    for (const char* where : {"rope_parameters", "rope_scaling"}) {
        const auto inside = config.find(where);
        if (inside == config.end() || !inside->is_object()) continue;
        const auto m = inside->find("mscale_all_dim"), factor = inside->find("factor");
        const bool both = m != inside->end() && m->is_number() && factor != inside->end() && factor->is_number();
        if (!both || m->get<double>() == 0) return std::nullopt;
        const double once = sharpening(factor->get<double>(), m->get<double>());
        return once * once;
    }
    return std::nullopt;
}

std::optional<QueryTemperature> read_query_temperature(const nlohmann::json& config) {
    for (const char* where : {"rope_parameters", "rope_scaling"}) {
        const auto inside = config.find(where);
        if (inside == config.end() || !inside->is_object()) continue;
        const auto scale = inside->find("llama_4_scaling_beta");
        const auto context = inside->find("original_max_position_embeddings");
        const bool both = scale != inside->end() && scale->is_number() && context != inside->end() &&
                          context->is_number() && context->get<double>() > 0;
        if (!both) return std::nullopt;
        return QueryTemperature{scale->get<double>(), context->get<double>(), 0, true};
    }
    return std::nullopt;
}

void write_rotary_part(nlohmann::ordered_json& config, const Architecture& arch, const std::string& field) {
    constexpr std::string_view field_inside = "partial_rotary_factor";
    const std::int64_t head_dim = bindings(arch, Input{})[Symbol::head_dim].value_or(1);
    const std::optional<std::int64_t> columns = arch.layer.attention.rotary_dim;
    const double part = columns ? part_of(*columns, head_dim) : 1.0;
    const std::string* text = arch.carried.find("rope_parameters");
    auto inside = text ? nlohmann::ordered_json(parsed_again(*text)) : nlohmann::ordered_json();
    if (!inside.is_object() || !inside.contains(field_inside)) {
        config[field] = part;
        return;
    }
    inside[field_inside] = part;
    config["rope_parameters"] = std::move(inside);
}

}  // namespace headcount
