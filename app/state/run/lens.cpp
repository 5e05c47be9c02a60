// Applies the output head to the residual stream behind each layer.
#include "app/state/run/lens.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/runtime/lens.hpp"

namespace headcount {
namespace {

// Nothing where a logit is no number.
std::vector<Candidate> likeliest(std::span<const float> logits) {
    const auto wrong = [](float x) { return std::isnan(x) || x == INFINITY; };
    if (logits.empty() || std::any_of(logits.begin(), logits.end(), wrong)) return {};
    const auto most = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
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
