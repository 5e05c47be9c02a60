// What may follow a token of a run: every candidate, as sampling reshapes it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

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

// The position that this means in a run of so many tokens; there is at least one.
std::int64_t position_in(const RunSnapshot& run, std::optional<std::int64_t> position);

}  // namespace headcount
