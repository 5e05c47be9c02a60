// Runs the model that ships, and adds its heads' attention up.
#include "core/experiment/heads.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/diagnose/trial.hpp"
#include "core/experiment/shipped.hpp"

namespace headcount {

Result<std::vector<HeadFound>> find_shipped_heads(std::string_view text) {
    const Result<Shipped>& shipped = shipped_model();
    if (!shipped) return shipped.error();
    const Result<std::vector<std::int32_t>> ids = shipped->tokenizer.encode(text);
    if (!ids) return ids.error();
    const Result<Run> run = run_kept(shipped->model, *ids, {});
    if (!run) return run.error();
    const ModelGraph& graph = shipped->model->graph;
    const auto weights = std::ranges::find(graph.nodes, Op::masked_softmax, &Node::op);
    const Architecture& arch = shipped->model->architecture;  // whose layers are all alike
    return find_heads({
        .ids = *ids,
        .is_stop =
            [&](std::int64_t at) {
                return is_full_stop(shipped->tokenizer.piece((*ids)[static_cast<std::size_t>(at)]));
            },
        .layers = arch.layers,
        .heads = [&](std::int64_t) { return arch.layer.attention.heads; },
        .attention = [&](std::int64_t layer,
                         std::int64_t head) { return run->activation(weights->output, layer, head); },
    });
}

std::string sentence_on(const HeadFound& head) {
    return "Layer " + std::to_string(head.layer) + ", head " + std::to_string(head.head) + " does so most: with " +
           share_text(head.share) + " of its attention. Spread evenly that would be " + share_text(head.even) + ".";
}

}  // namespace headcount
