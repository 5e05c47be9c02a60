// What a run keeps of its tokens: handed out as matrices, and forgotten again.
#include <algorithm>

#include "core/runtime/interpreter.hpp"

namespace headcount {

void Interpreter::keep_first(std::int64_t tokens) {
    const std::int64_t before = static_cast<std::int64_t>(ids_.size());
    if (tokens >= before) return;
    ids_.resize(static_cast<std::size_t>(std::max<std::int64_t>(tokens, 0)));
    logits_ = {};
    // Scores against keys that are no longer there: a block's rows reach no further than to its last token.
    const std::int64_t first = std::max<std::int64_t>(0, tokens - block_rows + 1);
    const ModelGraph& graph = model_->graph;
    for (const Node& node : graph.nodes) {
        const PlaceOf& place = plan_.places[node.output];
        if (node.op != Op::scores || place.memory != PlaceIn::kept) continue;
        for (std::size_t layer = 0; layer < group_of_.size(); ++layer) {
            if (group_of_[layer] != graph.layer_of(node.block)) continue;
            for (std::int64_t copy = 0; copy < place.copies; ++copy) {
                float* from =
                    memory(place.memory) + place.offset + ordinal_[layer] * place.layer_step + copy * place.copy_step;
                for (std::int64_t row = first; row < tokens; ++row)
                    std::fill(from + row * place.row_step + tokens,
                              from + row * place.row_step + std::min(row + block_rows, before), 0.0f);
            }
        }
    }
}

MatrixView Interpreter::view(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const ModelGraph& graph = model_->graph;
    const std::optional<std::size_t> group = graph.layer_of(graph.tensors[tensor].block);
    const auto tokens = static_cast<std::int64_t>(ids_.size());
    if (layer < 0 || copy < 0) return {};
    if (group &&
        (layer >= static_cast<std::int64_t>(group_of_.size()) || group_of_[static_cast<std::size_t>(layer)] != *group))
        return {};
    const bool expert = plan_.kept_experts[tensor].memory != PlaceIn::none;
    const PlaceOf& place = expert ? plan_.kept_experts[tensor] : plan_.places[tensor];
    if (!place.of_all_tokens() || copy >= place.copies) return {};
    const Node* made = graph.producer(tensor);
    MatrixView view{.data = memory(place.memory) + place.offset + copy / place.copies_share * place.copy_step,
                    .rows = tokens,
                    .columns = place.columns,
                    .row_step = place.row_step,
                    .column_step = place.column_step};
    if (group) view.data += ordinal_[static_cast<std::size_t>(layer)] * place.layer_step;
    if (made && (made->op == Op::scores || made->op == Op::masked_softmax)) view.columns = tokens;
    if (made && made->op == Op::keep_window) {
        view.rows = std::min(tokens, model_->architecture.layer.attention.window->size);
        view.data += (tokens - view.rows) * view.row_step;
    }
    return view;
}

MatrixView Interpreter::hidden(std::int64_t layer) const {
    if (layer == 0) return view(before_.back().nodes.back()->output, 0, 0);
    if (layer < 0 || layer > static_cast<std::int64_t>(group_of_.size())) return {};
    const std::size_t group = group_of_[static_cast<std::size_t>(layer - 1)];
    return view(layers_[group].back().nodes.back()->output, layer - 1, 0);
}

std::span<const std::int32_t> Interpreter::experts(std::int64_t layer) const {
    if (layer < 0 || layer >= static_cast<std::int64_t>(experts_.size())) return {};
    const std::vector<std::int32_t>& all = experts_[static_cast<std::size_t>(layer)];
    if (all.empty()) return {};
    return std::span(all).first(ids_.size() *
                                static_cast<std::size_t>(model_->architecture.layer.mixture->experts_per_token));
}

}  // namespace headcount
