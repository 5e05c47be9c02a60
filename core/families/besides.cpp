// How a family lists what its models have besides.
#include "core/families/besides.hpp"

#include <tuple>

#include "core/base/text.hpp"
#include "core/families/layer_lists.hpp"

namespace headcount {
namespace {

// Of what is counted alone.
struct Words {
    std::string_view matrix, numbers, meaning;
};

Words words_of(Component component) {
    if (place == Component::tower)
        return {"Matrix of the tower", "Numbers of the tower",
                "counted as the file has it; what it makes of pictures or sound is not computed here"};
    if (place == Component::connector)
        return {"Matrix of the connector", "Numbers of the connector",
                "counted as the file has it; it leads from the tower to the text's width"};
    return {"Matrix of this type alone", "Numbers of this type alone",
            "counted as the file has it; what is made with it is not computed here"};
}

}  // namespace

Error too_many_layers(std::string field) {
    return {"so many layers are not known here", std::move(field), "give at most " + grouped(most_listed)};
}

Extra counted_alone(Component component, std::string name, std::vector<Expr> weight, bool bias, bool alone) {
    const Words words = words_of(component);
    std::vector<Expr> offsets;
    if (bias) offsets.push_back(weight.front());
    const bool matrix = weight.size() > 1;
    return {.place = component,
            .name = std::move(name),
            .label = matrix ? words.matrix : words.numbers,
            .symbol = matrix ? "W" : "w",
            .meaning = words.meaning,
            .weight = std::move(weight),
            .bias = std::move(offsets),
            .alone = alone};
}

std::vector<Extra> global_matrices(std::string_view before, Extra::Stacks stacks) {
    std::vector<Extra> all;
    for (const auto& [name, label, symbol] : {std::tuple{"query_global", "Global query projection", "W_qg"},
                                              std::tuple{"key_global", "Global key projection", "W_kg"},
                                              std::tuple{"value_global", "Global value projection", "W_vg"}})
        all.push_back({.component = Component::attention,
                       .name = std::string(before) + name,
                       .label = label,
                       .symbol = symbol,
                       .meaning = "For tokens that see all others: of a text without any it is read by nothing.",
                       .weight = {Symbol::dim, Symbol::dim},
                       .bias = {Symbol::dim},
                       .in_layers = true,
                       .stacks = stacks});
    return all;
}

Besides& Besides::in_layers(Component component, LayerSet layers) {
    component_ = component;
    in_layers_ = true;
    layers_ = std::move(layers);
    return *this;
}

Besides& Besides::in_model(Component component) {
    component_ = component;
    in_layers_ = false;
    layers_ = {};
    return *this;
}

Besides& Besides::add(std::string name, std::vector<Expr> shape) {
    return put(std::move(name), std::move(shape), false, true, false);
}

Besides& Besides::buffer(std::string name, std::vector<Expr> shape) {
    return put(std::move(name), std::move(shape), false, true, true);
}

Besides& Besides::linear(std::string name, const Expr& outputs, const Expr& inputs, bool bias) {
    put(std::move(name), {outputs, inputs}, bias, false, false);
    all_.back().linear = true;
    return *this;
}

Besides& Besides::table(std::string name, const Expr& rows, const Expr& columns) {
    return put(std::move(name), {rows, columns}, false, false, false);
}

Besides& Besides::norm(std::string name, const Expr& width, bool bias) {
    return put(std::move(name), {width}, bias, false, false);
}

Besides& Besides::put(std::string name, std::vector<Expr> weight, bool bias, bool alone, bool buffer) {
    Extra made = counted_alone(component_, std::move(name), std::move(weight), bias, alone);
    made.in_layers = in_layers_;
    made.layers = layers_;
    made.stacks = Extra::Stacks::decoder;
    made.buffer = buffer;
    all_.push_back(std::move(made));
    return *this;
}

Extra unread_table(const Expr& rows, const Expr& columns) {
    return {.component = Component::embedding,
            .name = "idle_embedding",
            .label = "Idle embedding",
            .symbol = "E_idle",
            .meaning = "stored for both stacks, and read by neither",
            .weight = {rows, columns},
            .part = Part::idle_embedding};
}

Extra unscored_rows(const Architecture& arch, const Expr& rows) {
    return {.component = Component::embedding,
            .name = "unscored_rows",
            .label = "Rows without scores",
            .symbol = "E_0",
            .meaning = "rows of tokens that are read and never written; no text has them",
            .weight = {rows, arch.embedding_dim ? Symbol::embedding_dim : Symbol::dim},
            .part = Part::unscored_rows};
}

std::int64_t carry_number(ConfigReader& reader, std::string_view field, std::int64_t otherwise, std::int64_t least) {
    const std::int64_t number = reader.number({field}, otherwise, least);
    reader.carry(field);
    if (number <= Besides::largest) return number;
    reader.reject(field, "so large a size is not known here", "give at most " + grouped(Besides::largest));
    return otherwise;
}

void carry_numbers(ConfigReader& reader, std::string_view fields) {
    while (!fields.empty()) {
        const std::size_t end = std::min(fields.find(' '), fields.size());
        carry_number(reader, fields.substr(0, end), 0, 0);
        fields.remove_prefix(std::min(end + 1, fields.size()));
    }
}

bool carry_flag(ConfigReader& reader, std::string_view field, bool otherwise) {
    const bool flag = reader.flag({field}, otherwise);
    reader.carry(field);
    return flag;
}

std::optional<std::vector<std::int64_t>> carry_list(ConfigReader& reader, std::string_view field, std::int64_t least) {
    const nlohmann::json* list = said(reader.config(), field);
    if (!list) return std::nullopt;
    const auto reject = [&](const nlohmann::json& value, const char* wrong) {
        reader.reject(field, as_written(value) + wrong,
                      "list whole numbers from " + grouped(least) + " to " + grouped(Besides::largest));
        return std::nullopt;
    };
    if (!list->is_array()) return reject(*list, " is not a list");
    std::vector<std::int64_t> numbers;
    for (const nlohmann::json& each : *list) {
        const std::optional<std::int64_t> number = whole_number(each);
        if (!number || *number < least || *number > Besides::largest) return reject(each, " is no size");
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<std::vector<std::int64_t>> carried_list(const Architecture& arch, std::string_view field) {
    const nlohmann::json* list = said(arch.carried.object(), field);
    if (!list || !list->is_array()) return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const nlohmann::json& each : *list)
        if (const std::optional<std::int64_t> number = whole_number(each))
            numbers.push_back(std::clamp<std::int64_t>(*number, 0, Besides::largest));
    return numbers;
}

std::optional<LayerSet> layers_called(const Architecture& arch, std::string_view list, std::string_view word) {
    const nlohmann::json* words = said(arch.carried.object(), list);
    if (!words || !words->is_array() || words->empty()) return std::nullopt;
    return layers_where(arch.layers, [&](std::int64_t layer) {
        const nlohmann::json& each = (*words)[static_cast<std::size_t>(layer) % words->size()];
        return each.is_string() && each.get_ref<const std::string&>() == word;
    });
}

}  // namespace headcount
