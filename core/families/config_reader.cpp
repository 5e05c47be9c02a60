// Reads the fields of a config.json with their defaults, keeping the first thing that is wrong.
#include "core/families/config_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/families/layer_lists.hpp"

namespace headcount {

std::string as_written(const nlohmann::json& value) {
    constexpr std::size_t longest = 40;
    if (value.is_structured()) return value.is_array() ? "an array" : "an object";
    if (!value.is_string()) return value.dump();
    // Cut before it is escaped: a text may be as long as a file. A letter that the cut halves is left out.
    const auto& whole = value.get_ref<const std::string&>();
    std::string_view rest = std::string_view(whole).substr(0, longest);
    std::string text = "\"";
    while (!rest.empty()) {
        const Utf8Letter letter = first_letter(rest);
        rest.remove_prefix(letter.bytes.size());
        const nlohmann::json alone = std::string(letter.bytes);  // what steers a terminal by its number
        const std::string quoted = alone.dump(-1, ' ', !letter.plain, nlohmann::json::error_handler_t::ignore);
        text.append(quoted, 1, quoted.size() - 2);
    }
    text += '"';
    if (whole.size() <= longest && text.size() <= longest) return text;
    return std::string(whole_letters(text, longest - 4)) + "...\"";
}

namespace {

// Beyond 2^53 a number with a point may have been rounded when it was read.
constexpr double largest_exact = 9007199254740992;

bool too_large(const nlohmann::json& value) {
    if (value.is_number_float()) return std::abs(value.get<double>()) > largest_exact;
    return value.is_number_unsigned() &&
           value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

// The names that configurations give to activation functions (transformers, activations.py). The first name of each
// function is the one that is written.
constexpr std::array<std::pair<std::string_view, Activation>, 13> names_of_activations{{
    {"silu", Activation::silu},
    {"swish", Activation::silu},
    {"gelu", Activation::gelu},
    {"gelu_new", Activation::gelu_tanh},
    {"gelu_pytorch_tanh", Activation::gelu_tanh},
    {"gelu_fast", Activation::gelu_tanh},
    {"gelu_python", Activation::gelu},
    {"quick_gelu", Activation::quick_gelu},
    {"relu", Activation::relu},
    {"relu2", Activation::relu2},
    {"tanh", Activation::tanh},
    {"xielu", Activation::xielu},
    {"linear", Activation::linear},
}};

}  // namespace

std::optional<std::int64_t> whole_number(const nlohmann::json& value) {
    if (too_large(value)) return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float() || std::trunc(value.get<double>()) != value.get<double>()) return std::nullopt;
    return static_cast<std::int64_t>(value.get<double>());
}

const nlohmann::json* said(const nlohmann::json& config, std::string_view key) {
    const auto found = config.find(key);
    return found == config.end() || found->is_null() ? nullptr : &*found;
}

nlohmann::json object_said(const nlohmann::json& config, std::string_view key) {
    const nlohmann::json* object = said(config, key);
    return object && object->is_object() ? *object : nlohmann::json::object();
}

std::string class_said(const nlohmann::json& config) {
    const nlohmann::json* names = said(config, "architectures");
    if (!names || !names->is_array() || names->empty()) return "";
    const nlohmann::json& first = names->front();
    return first.is_string() ? first.get<std::string>() : first.dump();
}

std::string_view type_said(const nlohmann::json& config) {
    const nlohmann::json* type = said(config, "model_type");
    return type && type->is_string() ? type->get_ref<const std::string&>() : std::string_view();
}

const nlohmann::json* ConfigReader::find(Names names) {
    const nlohmann::json* value = nullptr;
    for (std::string_view name : names) {
        if (name.empty()) continue;
        known_.emplace(name);
        if (value) continue;
        value = said(config_, name);
        if (value) name_ = name;
    }
    return value;
}

void ConfigReader::reject_kind(const nlohmann::json& value, const std::function<bool(const nlohmann::json&)>& does,
                               std::string_view is_not, std::string fix) {
    nlohmann::json bare;
    if (value.is_string()) bare = parsed_again(value.get_ref<const std::string&>());
    if (!bare.is_null() && does(bare))
        return reject(as_written(value) + " is a text, since it stands in quotes",
                      "write " + bare.dump() + " without them");
    reject(as_written(value) + std::string(is_not), std::move(fix));
}

const nlohmann::json* ConfigReader::find_of(Names names, bool (nlohmann::json::*kind)() const, const char* wrong,
                                            const char* fix) {
    const nlohmann::json* value = find(names);
    if (!value || (value->*kind)()) return value;
    reject_kind(
        *value, [kind](const nlohmann::json& bare) { return (bare.*kind)(); }, wrong, fix);
    return nullptr;
}

void ConfigReader::reject(std::string_view name, std::string what, std::string fix) {
    if (!error_) error_ = Error{std::move(what), std::string(name), std::move(fix)};
}

std::optional<std::int64_t> ConfigReader::optional_number(Names names, std::int64_t least) {
    const nlohmann::json* value = find(names);
    if (!value) return std::nullopt;
    const std::optional<std::int64_t> number = whole_number(*value);
    if (number && *number >= least && *number <= largest_) return number;
    const std::string range = "give " + numbers_from(least, largest_);
    const std::string shown = as_written(*value);
    if (number && *number > largest_) {
        reject(shown + " is so large that it is not known here", range);
    } else if (too_large(*value)) {
        reject(shown + (value->is_number_float() ? " is too large to be exact" : " is too large for 64 bits"), range);
    } else if (!number) {
        const auto does = [&](const nlohmann::json& bare) {
            const std::optional<std::int64_t> in_quotes = whole_number(bare);
            return in_quotes && *in_quotes >= least && *in_quotes <= largest_;
        };
        reject_kind(*value, does, " is not a whole number", range);
    } else {
        reject(shown + (*number < 0 ? " is negative" : " is too small"), range);
    }
    return std::nullopt;
}

std::int64_t ConfigReader::number(Names names, std::int64_t otherwise, std::int64_t least) {
    return optional_number(names, least).value_or(otherwise);
}

std::int64_t ConfigReader::number_of_all(Names names, std::int64_t otherwise, std::int64_t least) {
    const nlohmann::json* value = find(names);
    if (!value) return otherwise;
    if (!value->is_array()) return number(names, otherwise, least);
    const bool alike =
        !value->empty() && std::ranges::all_of(*value, [&](const auto& each) { return each == value->at(0); });
    const std::optional<std::int64_t> one = alike ? whole_number(value->at(0)) : std::nullopt;
    if (one && *one >= least && *one <= largest_) return *one;
    reject(as_written(*value) + " is not one size for all layers, and others are not known here",
           "give one number from " + grouped(least));
    return otherwise;
}

double ConfigReader::real(Names names, double otherwise) {
    const nlohmann::json* value = find(names);
    if (!value) return otherwise;
    const auto does = [](const nlohmann::json& each) { return each.is_number() && each.get<double>() >= 0; };
    if (does(*value)) return value->get<double>();
    reject_kind(*value, does, " is not a positive number", "give a number such as 1e-5");
    return otherwise;
}

std::optional<double> ConfigReader::positive(Names names, const char* fix) {
    const nlohmann::json* value = find(names);
    if (!value) return std::nullopt;
    const auto does = [](const nlohmann::json& each) {
        return each.is_number() && each.get<double>() > 0 && std::isfinite(each.get<double>());
    };
    if (does(*value)) return value->get<double>();
    reject_kind(*value, does, " is not a number above 0", fix);
    return std::nullopt;
}

bool ConfigReader::flag(Names names, bool otherwise) {
    const nlohmann::json* value =
        find_of(names, &nlohmann::json::is_boolean, " is neither true nor false", "give true or false");
    return value ? value->get<bool>() : otherwise;
}

std::string ConfigReader::text(Names names, std::string_view otherwise) {
    const nlohmann::json* value = find_of(names, &nlohmann::json::is_string, " is not text", "give a text in quotes");
    return value ? value->get<std::string>() : std::string(otherwise);
}

const nlohmann::json* ConfigReader::object(Names names) {
    return find_of(names, &nlohmann::json::is_object, " is not an object", "give fields by name in { }");
}

std::optional<std::int64_t> ConfigReader::rotary_dim(double otherwise, std::int64_t head_dim) {
    double factor = real({"partial_rotary_factor", "rotary_pct", "rope_pct"}, otherwise);
    // Inside rope_parameters the field stays as it is in an export: known, and carried all the same.
    const auto inside = config_.find("rope_parameters");
    if (inside != config_.end() && inside->is_object())
        if (auto found = inside->find("partial_rotary_factor"); found != inside->end() && found->is_number())
            factor = found->get<double>();
    if (!(factor > 0) || factor > 1) {
        reject("partial_rotary_factor", "a part of " + std::to_string(factor) + " cannot be turned",
               "give a part above 0 and at most 1");
        return std::nullopt;
    }
    if (factor == 1) return std::nullopt;
    return static_cast<std::int64_t>(static_cast<double>(head_dim) * factor);
}

const nlohmann::json* ConfigReader::list(Names names, std::int64_t layers) {
    const nlohmann::json* value =
        find_of(names, &nlohmann::json::is_array, " is not a list", "give one entry for each layer");
    if (!value) return nullptr;
    const auto entries = static_cast<std::int64_t>(value->size());
    if (entries == layers && entries <= LayerSet::longest) return value;
    if (entries > LayerSet::longest)
        reject(grouped(entries) + " entries are too many", "give at most " + grouped(LayerSet::longest));
    else
        reject(grouped(entries) + (entries == 1 ? " entry does not fit " : " entries do not fit ") + grouped(layers) +
                   (layers == 1 ? " layer" : " layers"),
               "give one entry for each layer");
    return nullptr;
}

std::optional<LayerSet> ConfigReader::layers_with(Names names, std::string_view word, std::int64_t layers,
                                                  std::string_view other) {
    const nlohmann::json* value = list(names, layers);
    if (!value) return std::nullopt;
    for (const nlohmann::json& entry : *value) {
        if (other.empty() || entry == word || entry == other) continue;
        reject(as_written(entry) + " is a kind of layer that is not known here",
               "use one of " + std::string(word) + ", " + std::string(other));
        return std::nullopt;
    }
    return layers_where(layers, [&](std::int64_t layer) { return (*value)[static_cast<std::size_t>(layer)] == word; });
}

std::optional<std::vector<std::string>> ConfigReader::layer_words(Names names, std::int64_t layers, Names known) {
    const nlohmann::json* value = list(names, layers);
    if (!value) return std::nullopt;
    std::vector<std::string> words;
    for (const nlohmann::json& entry : *value) {
        if (std::ranges::none_of(known, [&](std::string_view word) { return entry == word; })) {
            std::string all;
            for (const std::string_view word : known) all += (all.empty() ? "" : ", ") + std::string(word);
            reject(as_written(entry) + " is a kind of layer that is not known here", "use one of " + all);
            return std::nullopt;
        }
        words.push_back(entry.get<std::string>());
    }
    return words;
}

std::optional<LayerSet> ConfigReader::layers_flagged(Names names, std::int64_t layers) {
    const nlohmann::json* value = list(names, layers);
    if (!value) return std::nullopt;
    return layers_where(layers, [&](std::int64_t layer) {
        const nlohmann::json& entry = (*value)[static_cast<std::size_t>(layer)];
        return entry == 1 || entry == true;
    });
}

std::optional<LayerSet> ConfigReader::layers_listed(Names names, std::int64_t layers) {
    const nlohmann::json* value =
        find_of(names, &nlohmann::json::is_array, " is not a list", "list the indices of layers");
    if (!value) return std::nullopt;
    const std::int64_t most = std::min(layers, LayerSet::longest);
    std::set<std::int64_t> indices;
    for (const nlohmann::json& entry : *value) {
        const std::int64_t index = whole_number(entry).value_or(-1);
        if (index < 0 || index >= most) {
            reject(as_written(entry) + " is not the index of a layer",
                   "list whole numbers from 0 to " + grouped(most - 1));
            return std::nullopt;
        }
        indices.insert(index);
    }
    return layers_where(layers, [&](std::int64_t layer) { return indices.contains(layer); });
}

void ConfigReader::only_class(std::string_view name, std::string_view other) {
    if (const std::string said = class_said(config_); !said.empty() && said != name && said != other)
        refuse_class("is no form of it that is known here", name);
}

void ConfigReader::refuse_class(std::string_view what, std::string_view fix) {
    reject("architectures", quote(class_said(config_)) + " " + std::string(what), "give " + std::string(fix));
}

Result<Architecture> ConfigReader::finish(Architecture arch) const {
    if (error_) return *error_;
    std::vector<Carried::Field> fields;
    for (const auto& [key, value] : config_.items())
        if (key != "model_type" && key != "architectures" && !known_.contains(key))
            fields.emplace_back(key, value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    arch.carried = Carried(std::move(fields));
    return arch;
}

Activation read_activation(ConfigReader& reader, ConfigReader::Names names, std::string_view otherwise) {
    std::string name = reader.text(names, otherwise);
    std::string known;
    for (const auto& [candidate, activation] : names_of_activations) {
        if (candidate == name) return activation;
        known += (known.empty() ? "use one of " : ", ") + std::string(candidate);
    }
    reader.reject("unknown activation function " + as_written(name), known);
    return Activation::silu;
}

std::string_view activation_name(Activation activation, std::string_view usual) {
    for (const auto& [name, candidate] : names_of_activations)
        if (candidate == activation && name == usual) return name;
    for (const auto& [name, candidate] : names_of_activations)
        if (candidate == activation) return name;
    return "";
}

Latent read_latent(ConfigReader& reader, const Latent& otherwise) {
    Latent latent;
    latent.query_rank = reader.optional_number({"q_lora_rank"});
    if (!reader.config().contains("q_lora_rank")) latent.query_rank = otherwise.query_rank;
    latent.kv_rank = reader.number({"kv_lora_rank"}, otherwise.kv_rank);
    latent.rope_dim = reader.number({"qk_rope_head_dim"}, otherwise.rope_dim);
    latent.nope_dim = reader.number({"qk_nope_head_dim"}, otherwise.nope_dim);
    latent.value_dim = reader.number({"v_head_dim"}, otherwise.value_dim);
    return latent;
}

void write_latent(nlohmann::ordered_json& config, const Latent& latent) {
    config["q_lora_rank"] = latent.query_rank ? nlohmann::ordered_json(*latent.query_rank) : nullptr;
    config["kv_lora_rank"] = latent.kv_rank;
    config["qk_rope_head_dim"] = latent.rope_dim;
    config["qk_nope_head_dim"] = latent.nope_dim;
    config["v_head_dim"] = latent.value_dim;
}

}  // namespace headcount
