// What the model would have said behind each of its layers, and how long the residual stream is there.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/state/run/snapshot.hpp"
#include "core/runtime/sampler.hpp"

namespace headcount {

// Behind so many layers: the likeliest, by the logits alone.
struct LensRow {
    std::int64_t layers = 0;
    std::vector<Candidate> first;  // id, logit and plain probability; no rule has cut one
};
inline constexpr std::size_t lens_candidates = 4;

// Of one position. Sampling plays no part in it.
struct RunLens {
    std::shared_ptr<const RunValues> of;
    std::int64_t position = 0;
    bool asked = false;           // for `rows`
    std::vector<LensRow> rows;    // none where it would take long, or the stream is not kept
    std::vector<double> lengths;  // of the residual stream: before layer 0, and behind each
};

// `says`: what the model would have said there, too, which runs its output head once a layer.
RunLens run_lens(const RunSnapshot& run, std::int64_t position, bool says);

}  // namespace headcount
