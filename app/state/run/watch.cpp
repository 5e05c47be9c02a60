// Reads the order of the operations off the graph, as a pass runs them, and goes through what each makes cell by cell.
#include "app/state/run/watch.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "app/state/run/snapshot.hpp"

namespace headcount {
namespace {

constexpr double stays = 1.25;  // so far beyond its end a step is seen

double seconds_of_step(RunSpeed speed) {
    constexpr std::array<double, run_speed_keys.size()> all{3, 1.5, 0.4, 0.1};
    return all[static_cast<std::size_t>(speed)];
}

}  // namespace

std::vector<WatchStep> watch_steps(const RunValues& values) {
    const ModelGraph& graph = values.model().graph;
    std::vector<WatchStep> steps;
    const auto add = [&](std::size_t node, std::int64_t layer) {
        if (values.activation(graph.nodes[node].output, layer)) steps.push_back({node, layer});
    };
    std::set<bool> stacks;  // whether an encoder's layers are there, and a decoder's
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const std::optional<std::size_t> group = graph.layer_of(graph.nodes[i].block);
        if (!group) add(i, 0);
        if (!group || !stacks.insert(graph.layers[*group].group.kind.encoder).second) continue;
        const bool encoder = graph.layers[*group].group.kind.encoder;
        const LayerKinds kinds(values.model().architecture, encoder);
        for (std::int64_t layer = 0; layer < values.layers(encoder); ++layer) {
            const LayerKind kind = kinds[layer];
            for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
                const std::optional<std::size_t> own = graph.layer_of(graph.nodes[node].block);
                if (own && graph.layers[*own].group.kind == kind) add(node, layer);
            }
        }
    }
    return steps;
}

std::size_t first_step_of(const RunValues& values, const std::vector<WatchStep>& steps, std::int64_t layer) {
    const ModelGraph& graph = values.model().graph;
    const auto found = std::ranges::find_if(steps, [&](const WatchStep& step) {
        const std::optional<std::size_t> group = graph.layer_of(graph.nodes[step.node].block);
        return group && !graph.layers[*group].group.kind.encoder && step.layer == layer;
    });
    return found == steps.end() ? 0 : static_cast<std::size_t>(found - steps.begin());
}

Watched::Watched(const RunValues& values, const RunWatch& watch, std::int64_t position)
    : values_(values),
      position_(position),
      done_(std::clamp(watch.done, 0.0, 1.0)),
      steps_(watch_steps(values)),
      now_(steps_.empty() ? 0 : std::min(watch.step, steps_.size() - 1)) {}

// The token's row; of what has none for each token, all of them. A pair that is masked is no number.
Watched::Sweep Watched::sweep(TensorIndex tensor, std::int64_t layer) const {
    const ModelGraph& graph = values_.model().graph;
    const MatrixView view = values_.activation(tensor, layer);
    if (!has_row_for_each_token(graph.tensors[tensor])) return {0, view.rows, view.columns};
    const std::int64_t row = row_of_token(values_, view, position_);
    const bool looks = hides_later(graph, tensor);
    return {row, row + 1, looks ? std::min(view.columns, position_ + 1) : view.columns};
}

CellsDone Watched::done(TensorIndex tensor, std::int64_t layer) const {
    const ModelGraph& graph = values_.model().graph;
    const auto makes = [&](const WatchStep& step) {
        return graph.nodes[step.node].output == tensor && step.layer == layer;
    };
    const auto found = std::ranges::find_if(steps_, makes);
    const auto at = static_cast<std::size_t>(found - steps_.begin());
    if (found == steps_.end() || at < now_) return {};
    const Sweep all = sweep(tensor, layer);
    const double share = at == now_ ? done_ : 0;
    return {all.first, all.end, static_cast<std::int64_t>(share * static_cast<double>(all.columns))};
}

std::optional<CellAt> Watched::cell(std::int64_t head) const {
    if (!step()) return std::nullopt;
    const ModelGraph& graph = values_.model().graph;
    const Node& node = graph.nodes[step()->node];
    const Sweep all = sweep(node.output, step()->layer);
    const auto along = static_cast<std::int64_t>(done_ * static_cast<double>(all.columns));
    if (all.columns <= 0 || all.end <= all.first || all.first < 0) return std::nullopt;
    const std::int64_t copy = graph.is(node.block, BlockKind::head) ? head : 0;
    return CellAt{node.output, step()->layer, copy, all.first, std::min(along, all.columns - 1)};
}

RunWatch later(RunWatch watch, std::size_t steps, double seconds, RunSpeed speed, bool still) {
    if (!watch.playing || steps == 0) return watch;
    if (still) watch.done = std::max(watch.done, 1.0);
    watch.done += seconds / seconds_of_step(speed) * (still ? stays - 1 : 1);
    if (watch.done < (watch.once ? 1 : stays)) return watch;
    const bool ends = watch.once || watch.step + 1 >= steps;
    if (ends) return {.step = watch.step, .done = 1, .playing = false, .once = false};
    return {.step = watch.step + 1, .done = 0, .playing = true, .once = false};
}

}  // namespace headcount
