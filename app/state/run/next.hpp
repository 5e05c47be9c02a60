// What may follow a token of a run: every candidate, as sampling reshapes it; what the model would have said behind
// each of its layers, and how long the residual stream is there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/state/run/snapshot.hpp"
#include "core/runtime/sampler.hpp"

namespace headcount {

Sampling sampling_of(const RunSampling& sampling);

struct RunNext {
    std::shared_ptr<const RunSnapshot> of;
    RunSampling sampling;
    std::int64_t position = 0;         // of the token that these follow
    std::int64_t layers = 0;           // behind how many layers; all: what the model says
    Distribution distribution;         // empty where `wrong`
    std::optional<std::int32_t> pick;  // the one that is drawn; of an earlier position the one that stands there
    std::optional<Error> wrong;
};

// Of the position that is looked at; nothing: the last.
RunNext run_next(std::shared_ptr<const RunSnapshot> of, const RunSampling& sampling,
                 std::optional<std::int64_t> position);

// The scores behind a token that is there, one for each of the vocabulary. Errors: the model has none, they are not
// kept, or one is no number.
Result<std::vector<float>> logits_at(const RunSnapshot& run, std::int64_t position);

// The position that this means in a run of so many tokens; there is at least one.
std::int64_t position_in(const RunSnapshot& run, std::optional<std::int64_t> position);

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
