// How a wrapper lists what its files hold beside their text part.
#include "core/families/senses.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/families/besides.hpp"

namespace headcount {

Section Section::each(std::string_view name, std::int64_t count) const {
    return {*all_, place_, below(name) + ".{n}", count};
}

std::string Section::below(std::string_view name) const {
    if (path_.empty()) return std::string(name);
    return name.empty() ? path_ : path_ + "." + std::string(name);
}

void Section::add(std::string_view name, std::vector<Expr> shape) const { put(name, std::move(shape), false, true); }

void Section::buffer(std::string_view name, std::vector<Expr> shape) const {
    put(name, std::move(shape), false, true, true);
}

void Section::linear(std::string_view name, const Expr& outputs, const Expr& inputs, bool bias) const {
    put(name, {outputs, inputs}, bias, false);
    if (copies_ != 0) all_->back().linear = true;
}

void Section::table(std::string_view name, const Expr& rows, const Expr& columns) const {
    put(name, {rows, columns}, false, false);
}

void Section::norm(std::string_view name, const Expr& width, bool bias) const { put(name, {width}, bias, false); }

void Section::convolution(std::string_view name, std::vector<Expr> shape, bool bias) const {
    put(name, std::move(shape), bias, false);
}

void Section::linears(std::initializer_list<std::string_view> names, const Expr& outputs, const Expr& inputs,
                      bool bias) const {
    for (const std::string_view name : names) linear(name, outputs, inputs, bias);
}

void Section::norms(std::initializer_list<std::string_view> names, const Expr& width, bool bias) const {
    for (const std::string_view name : names) norm(name, width, bias);
}

void Section::put(std::string_view name, std::vector<Expr> weight, bool bias, bool alone, bool buffer) const {
    if (copies_ == 0) return;
    Extra made = counted_alone(place_, below(name), std::move(weight), bias, alone);
    made.buffer = buffer;
    made.copies = copies_;
    all_->push_back(std::move(made));
}

const nlohmann::json* SensesReader::object(std::string_view part) {
    const nlohmann::json* found = said(json, part);
    if (!found || found->is_object()) return found;
    if (!error_)
        error_ = Error{"an object was expected, not " + std::string(found->type_name()), std::string(part),
                       "put the fields there in { }, or leave it out"};
    return nullptr;
}

nlohmann::json SensesReader::part(std::string_view name) {
    const nlohmann::json* own = object(name);
    return own ? *own : nlohmann::json::object();
}

void SensesReader::keep(const ConfigReader& read, std::string_view name) {
    if (read.error() && !error_) error_ = within(std::string(name), *read.error());
}

std::int64_t SensesReader::list_fields(std::string_view name, const nlohmann::json& own, Tower tower,
                                       const Section& section) {
    tower_part_ = name;
    ConfigReader reader(own, largest_size);
    const std::int64_t columns = tower(reader, section);
    keep(reader, name);
    return columns;
}

std::int64_t SensesReader::list(std::string_view name, Tower tower, const Section& section) {
    return list_fields(name, part(name), tower, section);
}

std::int64_t SensesReader::list(std::string_view name, std::string_view type, std::string_view otherwise,
                                const Section& section) {
    const nlohmann::json own = object(name) ? part(name) : nlohmann::json::parse(otherwise);
    const std::string_view named = type_said(own);
    const Tower tower = find_tower(named.empty() ? type : named);
    known_ = known_ && tower;
    return tower ? list_fields(name, own, tower, section) : 1;
}

std::int64_t SensesReader::feature_layers(std::int64_t otherwise) {
    constexpr std::string_view field = "vision_feature_layer";
    const nlohmann::json* layers = said(json, field);
    if (!layers) return otherwise;
    if (layers->is_number_integer()) return 1;
    const std::int64_t count = listed_indices(fields, field).value_or(otherwise);
    if (count == 0) fields.reject(field, "no layer is listed", "list the indices of layers, or leave it out");
    return count;
}

Result<Senses> SensesReader::take() {
    if (error_) return *error_;
    if (fields.error()) return *fields.error();
    if (!known_) return Senses{};
    constexpr std::int64_t largest = Besides::largest;
    for (const Extra& each : all_) {
        const auto wrong = [&](const Expr& side) {
            const Result<std::int64_t> size = evaluate(side, Bindings{});
            return size && (*size > largest || *size < 1);
        };
        if (std::ranges::any_of(each.weight, wrong))
            return Error{"a size that " + each.name + " follows from is not known here",
                         each.place == Component::tower ? tower_part_ : "the file",
                         "give fields of which sizes from 1 to " + grouped(largest) + " follow"};
    }
    return Senses(std::move(all_));
}

Result<std::vector<Extra>> one_by_one(const std::vector<Extra>& listed) {
    constexpr std::string_view number = "{n}";
    std::vector<Extra> all;
    for (const Extra& each : listed) {
        if (each.copies > most_listed) return too_many_layers();
        const std::size_t at = each.name.find(number);
        for (std::int64_t copy = 0; copy < each.copies; ++copy) {
            all.push_back(each);
            all.back().copies = 1;
            if (at != std::string::npos) all.back().name.replace(at, number.size(), std::to_string(copy));
        }
    }
    return all;
}

std::optional<std::int64_t> listed_indices(ConfigReader& fields, std::string_view field) {
    const nlohmann::json& json = fields.config();
    const nlohmann::json* value = said(json, field);
    if (!value) return std::nullopt;
    const bool indices = value->is_array() && std::ranges::all_of(*value, [](const nlohmann::json& each) {
                             return each.is_number_integer();
                         });
    if (!indices) {
        fields.reject(field, as_written(*value) + " lists no layers", "list whole numbers, the indices of layers");
        return std::nullopt;
    }
    const auto count = static_cast<std::int64_t>(value->size());
    if (count <= largest_size) return count;
    fields.reject(field, grouped(count) + " entries are too many", "give at most " + grouped(largest_size));
    return std::nullopt;
}

std::pair<std::int64_t, std::int64_t> sides_of(ConfigReader& fields, std::string_view field, std::int64_t otherwise) {
    const nlohmann::json& json = fields.config();
    const nlohmann::json* value = said(json, field);
    if (!value || !value->is_array()) {
        const std::int64_t side = fields.number({field}, otherwise);
        return {side, side};
    }
    const bool sizes = value->size() == 2 && std::ranges::all_of(*value, [](const nlohmann::json& side) {
                           return side.is_number_integer() && side >= 1 && side <= largest_size;
                       });
    if (sizes) return {(*value)[0].get<std::int64_t>(), (*value)[1].get<std::int64_t>()};
    fields.reject(field, as_written(*value) + " is no pair of sizes",
                  "give two whole numbers from 1 to " + grouped(largest_size) + ", or one");
    return {1, 1};
}

std::int64_t patches_along(ConfigReader& fields, std::int64_t image, std::int64_t patch) {
    if (image < patch)
        fields.reject("patch_size", "a patch of " + grouped(patch) + " does not fit into an image of " + grouped(image),
                      "give patches of at most image_size");
    return image / patch;
}

std::int64_t check_heads(ConfigReader& fields, std::int64_t width, std::int64_t otherwise) {
    const ConfigReader::Names names{"num_heads", "num_attention_heads", "encoder_attention_heads"};
    const std::int64_t heads = fields.number(names, otherwise);
    if (width % heads == 0) return heads;
    const auto* name = std::ranges::find_if(names, [&](std::string_view each) { return said(fields.config(), each); });
    fields.reject(name == names.end() ? "num_attention_heads" : *name,
                  grouped(heads) + " does not divide width " + grouped(width),
                  "give heads that divide the tower's width");
    return heads;
}

}  // namespace headcount
