// The JSON documents that scripts rely on, and one model's tables, one after the other.
#include "core/report/json.hpp"

#include <ostream>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/checkpoint_names.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::int64_t most_layers = 1'000'000;
constexpr std::int64_t most_tensors = 5'000'000;

using Json = nlohmann::ordered_json;

Json symbols_of(const Shape& shape) {
    Json symbols = Json::array();
    for (const Expr& dimension : shape.dimensions()) symbols.push_back(in_symbols(dimension));
    return symbols;
}

// What all copies of a row have in common, as JSON: the name with its {i} and {e}, and the members behind it.
struct RowText {
    std::string name, members;
};

RowText text_of(const ModelGraph& graph, const ParameterRow& row) {
    const StoredTensor& tensor = graph.stored[row.stored];
    const Json json{{"shape", row.shape},
                    {"symbols", symbols_of(tensor.shape)},
                    {"count", row.count},
                    {"component", component_key(tensor.component)}};
    const std::string members = json.dump();
    return {Json(tensor.name).dump(), "," + members.substr(1, members.size() - 2)};
}

}  // namespace

Json by_component(const std::array<std::int64_t, components.size()>& sums) {
    Json json = Json::object();
    for (std::size_t i = 0; i < components.size(); ++i)
        if (is_listed(components[i], sums[i])) json[std::string(component_key(components[i]))] = sums[i];
    return json;
}

Result<Json> count_json(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters,
                        bool verified) {
    if (arch.layers > most_layers)
        return Error{"a list of one number a layer for " + grouped(arch.layers) + " layers is longer than " +
                         grouped(most_layers),
                     "per_layer", "give fewer layers, or leave out --json"};
    Json json{{"name", arch.name},
              {"family", arch.family->name},
              {"type", arch.whole ? arch.whole->type->type : arch.family->type},
              {"parameters",
               {{"total", parameters.total},
                {"active", parameters.active},
                {"active_multiplied", parameters.active_multiplied},
                {"by_component", by_component(parameters.by_component)},
                {"layers", arch.layers},
                {"per_layer_each", parameters.per_layer},
                {"buffers", parameters.buffers},
                {"per_layer", counts_of_layers(arch, graph, parameters)}}},
              {"tied", graph.tied_head.has_value()},
              {"verified", verified}};
    if (parameters.shared_by_layers > 0) json["parameters"]["shared_by_layers"] = parameters.shared_by_layers;
    if (arch.encoder) {
        json["parameters"]["source_multiplied"] = parameters.source_multiplied;
        json["parameters"]["encoder_layers"] = arch.encoder->layers;
        json["parameters"]["per_encoder_layer"] = parameters.by_layer.front();
    }
    return json;
}

Json shapes_json(const ModelGraph& graph, std::span<const ActivationRow> rows, const Bindings& bindings,
                 bool verified) {
    Json list = Json::array();
    for (const ActivationRow& row : rows) {
        const Tensor& tensor = graph.tensors[row.tensor];
        const Block& block = graph.blocks[tensor.block];
        bool vector = tensor.shape.rank() == 1;
        list.push_back({{"id", tensor.id},
                        {"label", tensor.label},
                        {"block", block.id.empty() ? std::string(block.name) : block.id},
                        {"symbol", tensor.symbol},
                        {"rows", row.rows},
                        {"columns", row.columns},
                        {"rows_symbol", vector ? "1" : in_symbols(tensor.shape[0])},
                        {"columns_symbol", in_symbols(tensor.shape[vector ? 0 : 1])},
                        {"elements", row.elements},
                        {"bytes", row.bytes},
                        {"copies", row.copies},
                        {"meaning", filled_in(tensor.meaning, bindings)}});
        if (!verified) list.back()["verified"] = false;
    }
    return list;
}

Json presets_json(std::span<const PresetRow> presets) {
    Json list = Json::array();
    for (const PresetRow& preset : presets)
        list.push_back({{"id", preset.id},
                        {"name", preset.name},
                        {"family", preset.family},
                        {"year", preset.year ? Json(*preset.year) : Json()},
                        {"total", preset.total},
                        {"source", preset.source},
                        {"note", preset.note}});
    return list;
}

Json match_json(const Checkpoint& checkpoint, const CheckpointMatch& match) {
    Json types = Json::array(), rows = Json::array();
    for (const TypeTotal& type : match.types)
        types.push_back(
            {{"type", type.type}, {"tensors", type.tensors}, {"parameters", type.parameters}, {"bytes", type.bytes}});
    for (const MatchRow& row : match.rows)
        rows.push_back({{"name", row.name},
                        {"state", match_word(row.state)},
                        {"expected", row.expected},
                        {"found", row.found},
                        {"type", row.type},
                        {"file_name", row.file_name}});
    return {{"format", checkpoint.format}, {"parameters", match.parameters},   {"bytes", match.bytes},
            {"matched", match.matched},    {"differences", match.differences}, {"types", std::move(types)},
            {"rows", std::move(rows)}};
}

Result<std::int64_t> write_tensors_json(std::ostream& out, const Architecture& arch, const ModelGraph& graph,
                                        const Parameters& parameters, const ListedTensors& listed) {
    std::optional<std::int64_t> count = tensor_count(parameters, arch, graph, listed.layer);
    if (!count || *count > most_tensors)
        return Error{(count ? grouped(*count) : "more than 64 bits' worth of") + " tensors are more than the " +
                         grouped(most_tensors) + " that one JSON document may list",
                     "layers", "name one layer with --layer N"};
    const char* before = "[\n ";
    std::vector<RowText> texts(parameters.tensors.size());
    for_each_tensor(arch, graph, parameters, listed.layer, [&](const ParameterRow& row, const TensorPlace& place) {
        RowText& text = texts[static_cast<std::size_t>(&row - parameters.tensors.data())];
        if (text.name.empty()) text = text_of(graph, row);
        out << before << "{\"name\":" << name_at(text.name, place) << text.members;
        if (const auto stored = listed.formats ? listed.formats->of(row, place) : std::nullopt)
            out << ",\"format\":" << Json(stored->format).dump() << ",\"bytes\":" << stored->bytes;
        out << (listed.verified ? "}" : ",\"verified\":false}");
        before = ",\n ";
        return out.good();
    });
    out << (*count == 0 ? "[]\n" : "\n]\n");
    return *count;
}

nlohmann::ordered_json whole_json(std::int64_t amount, Metric metric) {
    return is_room(metric) && any_has_room(amount) ? nlohmann::ordered_json() : nlohmann::ordered_json(amount);
}

std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Result<Json> model_json(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters,
                        std::span<const ActivationRow> rows, const Bindings& bindings, bool verified) {
    Result<Json> json = count_json(arch, graph, parameters, verified);
    if (!json) return json;
    Json tensors = Json::array();
    for (const ParameterRow& row : parameters.tensors) {
        const StoredTensor& tensor = graph.stored[row.stored];
        tensors.push_back({{"name", tensor.name},
                           {"symbols", symbols_of(tensor.shape)},
                           {"shape", row.shape},
                           {"count", row.count},
                           {"copies", row.copies},
                           {"total", row.total},
                           {"component", component_key(tensor.component)}});
    }
    (*json)["tensors"] = std::move(tensors);
    (*json)["activations"] = shapes_json(graph, rows, bindings, verified);
    return json;
}

}  // namespace headcount
