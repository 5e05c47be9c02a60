// What may follow a token of a run: every candidate, as sampling reshapes it; and what the model would have said after
// each of its layers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/run_snapshot.hpp"
#include "core/runtime/sampler.hpp"

namespace headcount {

Sampling sampling_of(const RunSampling& sampling);

// Behind so many layers: the likeliest, by the logits alone.
struct LensRow {
    std::int64_t layers = 0;
    std::vector<Candidate> first;
};
inline constexpr std::size_t lens_candidates = 4;

struct RunNext {
    std::shared_ptr<const RunSnapshot> of;
    RunSampling sampling;
    std::int64_t position = 0;         // of the token that these follow
    std::int64_t layers = 0;           // behind how many layers; all: what the model says
    Distribution distribution;         // empty where `wrong`
    std::optional<std::int32_t> pick;  // the one that is drawn; of an earlier position the one that stands there
    std::optional<Error> wrong;
    std::vector<LensRow> lens;    // none where it would take long
    std::vector<double> lengths;  // of the residual stream at that position: before layer 0, and behind each
};

// Of the position that is looked at; nothing: the last.
RunNext run_next(std::shared_ptr<const RunSnapshot> of, const RunSampling& sampling,
                 std::optional<std::int64_t> position);

// The position that this means in a run of so many tokens; there is at least one.
std::int64_t position_in(const RunSnapshot& run, std::optional<std::int64_t> position);

}  // namespace headcount
