// Finds a cell's token and head, and goes between cells of a run and those of the diagram.
#include "app/views/run/cells.hpp"

#include <algorithm>

#include "app/canvas/arrange/layout.hpp"
#include "app/parts/words.hpp"

namespace headcount {
namespace {

// Whether each token has its own of what experts make: the copy of a cell is one of the token's, and not an expert.
bool is_routed(const ModelGraph& graph, const Tensor& tensor) {
    return graph.is(tensor.block, BlockKind::expert) && is_computed(tensor.role);
}

}  // namespace

std::int64_t layer_of(const ValuesShown& shown, const ModelGraph& graph, const Tensor& tensor) {
    const std::optional<std::size_t> group = graph.layer_of(tensor.block);
    return group ? shown.layer_of(graph.blocks[graph.layers[*group].block].id, 0) : 0;
}

std::optional<CellAt> cell_of(const RunValues& values, const ValuesShown& shown, const Hit& hit) {
    const ModelGraph& graph = values.model().graph;
    const Tensor* const tensor = graph.find(hit.id);
    if (!tensor || tensor->role == Role::input || !hit.cell) return std::nullopt;
    CellAt cell{index_of(graph, *tensor), layer_of(shown, graph, *tensor), 0, hit.cell->row, hit.cell->column};
    if (graph.is(tensor->block, BlockKind::head) || graph.is(tensor->block, BlockKind::expert))
        cell.copy = hit.leaf.copy;
    if (!is_routed(graph, *tensor)) return cell;
    const std::optional<std::int64_t> which = values.which(cell);
    if (!which) return std::nullopt;
    cell.copy = *which;
    return cell;
}

std::optional<FramedCells> framed(const RunValues& values, const ValuesShown& shown, const Reach& cells,
                                  FramedCells::Why why) {
    const ModelGraph& graph = values.model().graph;
    const CellAt& least = cells.least;
    const Tensor& tensor = graph.tensors[least.tensor];
    if (graph.layer_of(tensor.block) && least.layer != layer_of(shown, graph, tensor)) return std::nullopt;
    FramedCells made{.why = why,
                     .id = tensor.id,
                     .copy = {},
                     .least = {least.row, least.column},
                     .most = {cells.most.row, cells.most.column}};
    if (graph.is(tensor.block, BlockKind::head) || graph.is(tensor.block, BlockKind::expert)) made.copy = least.copy;
    if (is_routed(graph, tensor)) {
        const std::optional<std::int32_t> expert = values.expert(least);
        if (!expert) return std::nullopt;
        made.copy = *expert;
    }
    return made;
}

std::vector<Reach> reaches(const Explanation& said) {
    std::vector<Reach> read;
    const auto reach = [&](const Operand& operand) {
        if (!operand.cell) return;
        const CellAt& cell = *operand.cell;
        for (auto& [least, most] : read)
            if (least.tensor == cell.tensor && least.layer == cell.layer && least.copy == cell.copy) {
                least.row = std::min(least.row, cell.row);
                least.column = std::min(least.column, cell.column);
                most.row = std::max(most.row, cell.row);
                most.column = std::max(most.column, cell.column);
                return;
            }
        read.push_back({cell, cell});
    };
    for (const Term& term : said.terms)
        for (const Operand& factor : term.factors) reach(factor);
    for (const AfterSum& step : said.after)
        for (const Operand& operand : step.operands) reach(operand);
    return read;
}

std::optional<std::int64_t> head_of(const RunValues& values, const CellAt& cell, std::int64_t now) {
    const ModelGraph& graph = values.model().graph;
    if (graph.is(graph.tensors[cell.tensor].block, BlockKind::head)) return cell.copy;
    for (const HeadColumns& each : head_columns(values, cell.layer)) {
        if (each.tensor != cell.tensor) continue;
        // Several heads share a key and a value.
        const std::int64_t sharing = std::max<std::int64_t>(1, values.heads_of(cell.layer) / each.count);
        const std::int64_t first = cell.column / each.width * sharing;
        return now >= first && now < first + sharing ? now : first;
    }
    return std::nullopt;
}

std::optional<std::int64_t> token_of(const RunValues& values, const CellAt& cell) {
    if (!has_row_for_each_token(values.model().graph.tensors[cell.tensor])) return std::nullopt;
    const MatrixView view = values.activation(cell.tensor, cell.layer, cell.copy);
    const std::int64_t token = cell.row - (view ? row_of_token(values, view, 0) : 0);
    return cell.row >= 0 && token < values.tokens() ? std::optional(token) : std::nullopt;
}

std::vector<HeadColumns> head_columns(const RunValues& values, std::int64_t layer) {
    const ModelGraph& graph = values.model().graph;
    std::vector<HeadColumns> all;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const auto tensor = static_cast<TensorIndex>(i);
        const std::optional<TensorIndex> one = graph.one_head_of(tensor);
        if (!one) continue;
        const MatrixView each = values.activation(*one, layer, 0), beside = values.activation(tensor, layer, 0);
        if (each && beside && each.columns > 0 && beside.columns % each.columns == 0)
            all.push_back({tensor, each.columns, beside.columns / each.columns});
    }
    return all;
}

std::optional<CellAt> cell_of(const ModelGraph& graph, const RunCell& cell) {
    const Tensor* const tensor = graph.find(cell.tensor);
    if (!tensor) return std::nullopt;
    const std::int64_t layer = graph.layer_of(tensor->block) ? cell.layer : 0;
    return CellAt{static_cast<TensorIndex>(tensor - graph.tensors.data()), layer, cell.copy, cell.row, cell.column};
}

RunCell cell_of(const ModelGraph& graph, const CellAt& cell) {
    return {graph.tensors[cell.tensor].id, cell.layer, cell.copy, cell.row, cell.column};
}

RunNumbers numbers_of(const RunValues& values) {
    return {&values.model(),
            values.ids(),
            [&values](TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
                return values.activation(tensor, layer, copy);
            },
            [&values](std::int64_t layer, bool encoder) { return values.experts(layer, encoder); },
            {},
            values.source()};
}

}  // namespace headcount
