// Where cells of a figure lie, and which page a cell is on.
#include <algorithm>

#include "app/parts/words.hpp"
#include "app/views/run/figures.hpp"

namespace headcount {

std::optional<CellAt> RunFigure::cell_under(ImVec2 of_page) const {
    if (of_page.x < min.x || of_page.y < min.y || of_page.x >= max.x || of_page.y >= max.y) return std::nullopt;
    const auto index_at = [](float from, float to, float where, std::int64_t count) {
        const auto index = static_cast<std::int64_t>((where - from) / (to - from) * static_cast<float>(count));
        return std::clamp<std::int64_t>(index, 0, count - 1);
    };
    const std::int64_t x = index_at(min.x, max.x, of_page.x, across()), y = index_at(min.y, max.y, of_page.y, down());
    return CellAt{tensor, layer, copy, first_row + (transposed ? x : y), first_column + (transposed ? y : x)};
}

bool RunFigure::shows(const CellAt& cell) const {
    return cell.tensor == tensor && cell.layer == layer && cell.copy == copy;
}

std::pair<ImVec2, ImVec2> RunFigure::area_of(std::int64_t row, std::int64_t column, std::int64_t last_row,
                                             std::int64_t last_column) const {
    const auto edge = [](float from, float to, std::int64_t index, std::int64_t count) {
        const float share = static_cast<float>(std::clamp<std::int64_t>(index, 0, count)) / static_cast<float>(count);
        return from + share * (to - from);
    };
    std::int64_t x = column - first_column, y = row - first_row, end_x = last_column - first_column + 1,
                 end_y = last_row - first_row + 1;
    if (transposed) {
        std::swap(x, y);
        std::swap(end_x, end_y);
    }
    return {{edge(min.x, max.x, x, across()), edge(min.y, max.y, y, down())},
            {edge(min.x, max.x, end_x, across()), edge(min.y, max.y, end_y, down())}};
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

RunSight sight_of(const RunValues& values, const CellAt& cell, RunSight now) {
    const ModelGraph& graph = values.model().graph;
    const Tensor& tensor = graph.tensors[cell.tensor];
    if (!graph.layer_of(tensor.block)) {
        now.part = RunPart::ends;
        return now;
    }
    for (const RunPart part : {RunPart::mixer, RunPart::cross, RunPart::feed_forward})
        if (graph.within(tensor.block, block_of(part))) now.part = part;
    now.encoder = graph.layers[*graph.layer_of(tensor.block)].group.kind.encoder;
    now.layer = cell.layer;
    if (const std::optional<std::int64_t> token = token_of(values, cell)) now.position = *token;
    if (const std::optional<std::int64_t> head = head_of(values, cell, now.head)) now.head = *head;
    if (!graph.is(tensor.block, BlockKind::expert)) return now;
    if (token_of(values, cell)) {
        now.which = cell.copy;
        return now;
    }
    // An expert's weight: where the token has it among its own, else where the first one has it.
    const std::span<const std::int32_t> all = values.experts(cell.layer);
    const std::int64_t each = values.experts_per_token(cell.layer);
    std::optional<std::int64_t> found;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(all.size()); ++i)
        if (all[static_cast<std::size_t>(i)] == cell.copy && (!found || i / each == now.position)) found = i;
    if (found) now.position = *found / each, now.which = *found % each;
    return now;
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
    const auto add = [&](TensorIndex tensor, const MatrixView& each, const MatrixView& beside) {
        if (each && beside && each.columns > 0 && beside.columns % each.columns == 0)
            all.push_back({tensor, each.columns, beside.columns / each.columns});
    };
    for (const Node& node : graph.nodes) {
        if (node.op == Op::join_heads)
            add(node.output, values.activation(node.inputs[0], layer, 0), values.activation(node.output, layer, 0));
        // Of latent attention keys and values of a head stand beside each other.
        if (node.op != Op::take_head || node.inputs.size() > 1) continue;
        TensorIndex from = node.inputs[0];
        if (graph.tensors[from].part == Part::latent_up) continue;
        const MatrixView own = values.activation(node.output, layer, 0);
        for (const Node* made = graph.producer(from); made; made = graph.producer(from)) {
            add(from, own, values.activation(from, layer, 0));
            if (made->op != Op::rotate && made->op != Op::append_cache && made->op != Op::norm) break;
            from = made->inputs[0];
        }
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

bool hides_later(const ModelGraph& graph, TensorIndex tensor) {
    const Node* const made = graph.producer(tensor);
    if (!made || (made->op != Op::scores && made->op != Op::masked_softmax)) return false;
    return !graph.first(Op::masked_softmax, made->block)->rule<Mask>().sees_later();
}

RunNumbers numbers_of(const RunValues& values) {
    return {&values.model(),
            values.ids(),
            [&values](TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
                return values.activation(tensor, layer, copy);
            },
            [&values](std::int64_t layer) { return values.experts(layer); },
            {},
            values.source()};
}

}  // namespace headcount
