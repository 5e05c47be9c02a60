// Finds the logits of a position and reshapes them as sampling would; applies the output head to the residual stream
// behind each layer.
#include "app/state/run/next.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

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

bool are_numbers(std::span<const float> logits) {
    return !logits.empty() && std::ranges::none_of(logits, [](float x) { return std::isnan(x) || x == INFINITY; });
}

Error no_scores() { return {"this model has no scores for tokens", "", "look at its diagram"}; }

// Nothing where a logit is no number.
std::vector<Candidate> likeliest(std::span<const float> logits) {
    if (!are_numbers(logits)) return {};
    const auto most = static_cast<double>(*std::ranges::max_element(logits));
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - most);
    std::vector<std::int32_t> ids(logits.size());
    std::iota(ids.begin(), ids.end(), 0);
    const auto logit_of = [&](std::int32_t id) { return logits[static_cast<std::size_t>(id)]; };
    const std::size_t count = std::min(ids.size(), lens_candidates);
    std::partial_sort(
        ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(),
        [&](std::int32_t a, std::int32_t b) { return logit_of(a) != logit_of(b) ? logit_of(a) > logit_of(b) : a < b; });
    std::vector<Candidate> first;
    for (std::size_t i = 0; i < count; ++i) {
        const float logit = logit_of(ids[i]);
        first.push_back({.id = ids[i], .logit = logit, .plain = std::exp(static_cast<double>(logit) - most) / sum});
    }
    return first;
}

}  // namespace

Sampling sampling_of(const RunSampling& sampling) {
    if (sampling.greedy) return {.temperature = 0, .top_k = 0, .top_p = 1, .min_p = 0, .seed = sampling.seed};
    return {.temperature = sampling.temperature,
            .top_k = sampling.top_k,
            .top_p = sampling.top_p,
            .min_p = sampling.min_p,
            .seed = sampling.seed};
}

std::int64_t position_in(const RunSnapshot& run, std::optional<std::int64_t> position) {
    const std::int64_t last = static_cast<std::int64_t>(run.tokens.size()) - 1;
    return std::clamp<std::int64_t>(position.value_or(run.hidden.value_or(last)), 0, std::max<std::int64_t>(last, 0));
}

Result<std::vector<float>> logits_at(const RunSnapshot& run, std::int64_t position) {
    if (!has_head(run.values->model().architecture)) return no_scores();
    Result<std::vector<float>> logits = logits_behind(run, position, run.values->layers());
    if (logits && !are_numbers(*logits)) return Error{"a score is no number", "", "take a smaller factor"};
    return logits;
}

RunNext run_next(std::shared_ptr<const RunSnapshot> of, const RunSampling& sampling,
                 std::optional<std::int64_t> position) {
    RunNext next{.of = std::move(of), .sampling = sampling};
    const RunSnapshot& run = *next.of;
    if (!run.values || run.tokens.empty()) return next;
    next.position = position_in(run, position);
    const bool last = next.position + 1 == static_cast<std::int64_t>(run.tokens.size());
    next.layers = last ? std::min(run.layers_shown, run.values->layers()) : run.values->layers();
    const Architecture& arch = run.values->model().architecture;
    if (!has_head(arch)) {
        next.wrong = no_scores();
        return next;
    }
    const Result<std::vector<float>> logits = logits_behind(run, next.position, next.layers);
    // Where nothing is drawn, nothing is reshaped.
    const Sampling rules = generates(arch) ? sampling_of(sampling) : Sampling{.temperature = 1, .top_k = 0, .top_p = 1};
    Result<Distribution> all = logits ? distribution(*logits, rules) : logits.error();
    if (!all) {
        next.wrong = all.error();
        return next;
    }
    next.distribution = std::move(*all);
    if (!generates(arch)) return next;
    if (!last)
        next.pick = run.tokens[static_cast<std::size_t>(next.position) + 1].id;
    else if (run.whole() && !run.over)
        next.pick = draw(next.distribution, chance_at(sampling.seed, next.position + 1));
    return next;
}

RunLens run_lens(const RunSnapshot& run, std::int64_t position, bool says) {
    RunLens lens{.of = run.values, .position = position, .asked = says};
    if (!run.values) return lens;
    const RunValues& values = *run.values;
    for (std::int64_t layers = 0; layers <= values.layers(); ++layers) {
        const MatrixView stream = values.hidden(layers);
        if (!stream || position >= stream.rows) return lens;
        lens.lengths.push_back(length_of(stream, position));
        if (!says || !run.of->light()) continue;
        const Result<std::vector<float>> logits = logits_of(values.model(), stream, position);
        if (!logits) continue;
        if (std::vector<Candidate> first = likeliest(*logits); !first.empty())
            lens.rows.push_back({layers, std::move(first)});
    }
    return lens;
}

}  // namespace headcount
