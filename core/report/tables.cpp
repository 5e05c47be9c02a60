// The program's tables: which columns each has, and what stands in them.
#include "core/report/tables.hpp"

#include <algorithm>

#include "core/arch/fields.hpp"
#include "core/arch/matters.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// "sliding (22)" of one kind of several; nothing outside of layers.
std::string layers_text(const ModelGraph& graph, std::optional<std::size_t> layer) {
    if (!layer) return "";
    const LayerGroup& group = graph.layers[*layer].group;
    return group.label + " (" + grouped(group.count) + ")";
}

// Of "Title of the paper, arXiv:1234; Hugging Face owner/name, in another form" the last piece that leads there: an
// address, or else the last of all.
std::string short_source(std::string_view source) {
    std::string_view last;
    bool leads = false;
    while (!source.empty()) {
        std::string_view piece = source.substr(0, source.find_first_of(";,"));
        source.remove_prefix(std::min(piece.size() + 1, source.size()));
        piece.remove_prefix(std::min(piece.find_first_not_of(' '), piece.size()));
        const bool address =
            piece.find('/') != std::string_view::npos || piece.find("arXiv:") != std::string_view::npos;
        if (address || !leads) last = piece;
        leads = leads || address;
    }
    return std::string(last);
}

}  // namespace

std::string sizes_text(std::span<const std::int64_t> sizes) {
    if (sizes.empty()) return "scalar";
    return listed(
        sizes, [](std::int64_t size) { return std::to_string(size); }, " × ");
}

Table parameters_table(const ModelGraph& graph, const Parameters& parameters) {
    Table table{{{"component"}, figures("parameters"), figures("share"), {"formula"}}, {}};
    for (Component component : components) {
        std::int64_t count = parameters.of(component);
        if (count == 0) continue;
        table.rows.push_back({std::string(component_name(component)), count, percent(count, parameters.total),
                              in_symbols(component_formula(graph, component))});
    }
    table.rows.push_back({"Total", parameters.total, percent(parameters.total, parameters.total), ""});
    return table;
}

Table tensors_table(const ModelGraph& graph, const Parameters& parameters) {
    Table table{{{"tensor"},
                 {"in symbols"},
                 {"shape"},
                 figures("parameters"),
                 figures("copies"),
                 figures("together"),
                 figures("share"),
                 {"component"}},
                {}};
    const bool differ = graph.layers.size() > 1;
    if (differ) table.columns.push_back({"layers"});
    for (const ParameterRow& row : parameters.tensors) {
        const StoredTensor& tensor = graph.stored[row.stored];
        table.rows.push_back({tensor.name, shape_in_symbols(tensor.shape), sizes_text(row.shape), row.count, row.copies,
                              row.total, percent(row.total, parameters.total),
                              std::string(component_name(tensor.component))});
        if (!differ) continue;
        table.rows.back().push_back(layers_text(graph, tensor.layer));
    }
    return table;
}

std::vector<Column> single_tensor_columns() {
    return {{"tensor"}, {"in symbols"}, {"shape"}, figures("parameters"), {"component"}};
}

std::vector<ReportCell> single_tensor_row(const ModelGraph& graph, const ParameterRow& row, const TensorPlace& place) {
    const StoredTensor& tensor = graph.stored[row.stored];
    return {name_at(tensor.name, place), shape_in_symbols(tensor.shape), sizes_text(row.shape), row.count,
            std::string(component_name(tensor.component))};
}

Table activations_table(const ModelGraph& graph, std::span<const ActivationRow> rows, const Bindings& bindings) {
    Table table{{{"activation"},
                 {"symbol"},
                 {"in symbols"},
                 {"shape"},
                 figures("elements"),
                 figures("bytes"),
                 figures("copies"),
                 figures("bytes of all"),
                 {"meaning"}},
                {}};
    const bool differ = graph.layers.size() > 1;
    if (differ) table.columns.push_back({"layers"});
    for (const ActivationRow& row : rows) {
        const Tensor& tensor = graph.tensors[row.tensor];
        table.rows.push_back({std::string(tensor.label), std::string(tensor.symbol), shape_in_symbols(tensor.shape),
                              std::to_string(row.rows) + " × " + std::to_string(row.columns), row.elements, row.bytes,
                              row.copies, row.bytes * row.copies, filled_in(tensor.meaning, bindings)});
        if (differ) table.rows.back().push_back(layers_text(graph, graph.layer_of(tensor.block)));
    }
    return table;
}

Table match_table(const CheckpointMatch& match) {
    Table table{{{"tensor"}, {"state"}, {"computed"}, {"in the file"}, {"type"}, {"name in the file"}}, {}};
    for (const MatchRow& row : match.rows)
        table.rows.push_back({row.name, std::string(match_word(row.state)), sizes_text(row.expected),
                              sizes_text(row.found), std::string(row.type),
                              row.file_name == row.name ? "" : row.file_name});
    return table;
}

Table types_table(const CheckpointMatch& match) {
    Table table{{{"type"}, figures("tensors"), figures("parameters"), figures("bytes"), figures("share of bytes")}, {}};
    for (const TypeTotal& type : match.types)
        table.rows.push_back(
            {std::string(type.type), type.tensors, type.parameters, type.bytes, percent(type.bytes, match.bytes)});
    return table;
}

Table architecture_table(const Architecture& arch) {
    Table table{{{"field"}, {"name in files"}, figures("value")}, {}};
    for (const FieldInfo& field : fields()) {
        if (!matters(arch, field.field)) continue;
        std::optional<std::string> text = field_text(arch, field.field);
        std::optional<std::int64_t> effective = field_number(arch, field.field);
        if (text == "auto" && effective) text = std::to_string(*effective) + " (auto)";
        if (text) table.rows.push_back({std::string(field.label), std::string(field.key), *text});
    }
    return table;
}

Table presets_table(std::span<const PresetRow> presets) {
    Table table{{{"id"}, {"name"}, {"family"}, figures("year"), figures("parameters"), {"source"}}, {}};
    for (const PresetRow& preset : presets)
        table.rows.push_back({preset.id, preset.name, preset.family, preset.year ? std::to_string(*preset.year) : "",
                              preset.total, short_source(preset.source)});
    return table;
}

}  // namespace headcount
