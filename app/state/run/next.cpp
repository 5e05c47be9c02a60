// Finds the logits of a position and reshapes them as sampling would.
#include "app/state/run/next.hpp"

#include <algorithm>

#include "core/runtime/lens.hpp"

namespace headcount {
namespace {

// The logits of all tokens, where they are kept.
MatrixView kept_logits(const RunValues& values) {
    const std::vector<Tensor>& tensors = values.model().graph.tensors;
    for (std::size_t i = tensors.size(); i-- > 0;)
        if (tensors[i].part == Part::output_head && tensors[i].role == Role::activation)
            return values.activation(static_cast<TensorIndex>(i));
    return {};
}

Result<std::vector<float>> logits_behind(const RunSnapshot& run, std::int64_t position, std::int64_t layers) {
    const RunValues& values = *run.values;
    if (layers < values.layers()) return logits_of(values.model(), values.hidden(layers), position);
    if (position + 1 == static_cast<std::int64_t>(run.tokens.size())) return run.logits;
    const MatrixView all = kept_logits(values);
    if (!all || position >= all.rows)
        return Error{"the logits of earlier tokens are not kept", "", "look at the last token"};
    std::vector<float> logits(static_cast<std::size_t>(all.columns));
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = all.at(position, static_cast<std::int64_t>(i));
    return logits;
}

}  // namespace

Sampling sampling_of(const RunSampling& sampling) {
    return {sampling.greedy ? 0 : sampling.temperature, sampling.greedy ? 0 : sampling.top_k,
            sampling.greedy ? 1 : sampling.top_p, sampling.greedy ? 0 : sampling.min_p, sampling.seed};
}

std::int64_t position_in(const RunSnapshot& run, std::optional<std::int64_t> position) {
    const std::int64_t last = static_cast<std::int64_t>(run.tokens.size()) - 1;
    return std::clamp<std::int64_t>(position.value_or(last), 0, std::max<std::int64_t>(last, 0));
}

RunNext run_next(std::shared_ptr<const RunSnapshot> of, const RunSampling& sampling,
                 std::optional<std::int64_t> position) {
    RunNext next{.of = std::move(of), .sampling = sampling};
    const RunSnapshot& run = *next.of;
    if (!run.values || run.tokens.empty()) return next;
    next.position = position_in(run, position);
    const bool last = next.position + 1 == static_cast<std::int64_t>(run.tokens.size());
    next.layers = last ? std::min(run.layers_shown, run.values->layers()) : run.values->layers();
    const Result<std::vector<float>> logits = logits_behind(run, next.position, next.layers);
    if (!logits) {
        next.wrong = logits.error();
        return next;
    }
    Result<Distribution> all = distribution(*logits, sampling_of(sampling));
    if (!all) {
        next.wrong = all.error();
        return next;
    }
    next.distribution = std::move(*all);
    if (!last)
        next.pick = run.tokens[static_cast<std::size_t>(next.position) + 1].id;
    else if (run.whole() && !run.over)
        next.pick = draw(next.distribution, chance_at(sampling.seed, next.position + 1));
    return next;
}

}  // namespace headcount
