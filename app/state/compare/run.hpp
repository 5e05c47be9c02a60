// The run of B in a comparison: what its weights make of the text that A's have read.
#pragma once

#include <functional>
#include <memory>

#include "app/state/run/place.hpp"
#include "app/state/shown.hpp"

namespace headcount {

class Runner;        // app/state/run/runner.hpp
struct RunSnapshot;  // app/state/run/snapshot.hpp
struct RunModel;     // app/state/run/model.hpp
struct RunNext;      // app/state/run/next.hpp

// Empty where either side has no weights that run unasked.
struct OtherRun {
    std::shared_ptr<Runner> runner;           // null before one was needed
    std::shared_ptr<const RunModel> model;    // B's
    std::shared_ptr<const RunSnapshot> told;  // the runner's latest of it that was taken; null before that
    std::shared_ptr<const RunNext> next;      // what follows the token that is looked at there; null: as long
};

// Keeps it at what A's run, null before there is one, has read. `source`: where B's weights are. `wake` is called from
// a thread when there is news; it may be empty. What is too large to run unasked stays empty.
void look_at_other_run(OtherRun& run, const Shown& b, RunSource source, const RunPlace& place, const RunSnapshot* own,
                       const std::function<void()>& wake);
void leave_other_run(OtherRun& run);

bool has_news(const OtherRun& run);
void take_news(OtherRun& run);

}  // namespace headcount
