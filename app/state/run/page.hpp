// What the Run view shows: the worker that runs the model, and what it has handed over. No part of the document.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/state/run/place.hpp"
#include "app/state/shown.hpp"

namespace headcount {

class Runner;        // app/state/run/runner.hpp
struct RunSnapshot;  // app/state/run/snapshot.hpp
struct RunModel;     // app/state/run/model.hpp
struct RunNext;      // app/state/run/next.hpp
struct RunLens;      // app/state/run/lens.hpp
class RunLooker;     // app/state/run/looker.hpp
struct Session;

struct RunPage {
    std::optional<Shown> shipped;              // the model that runs, where that is not the user's own
    std::shared_ptr<Runner> runner;            // null before somebody looks
    std::shared_ptr<RunLooker> looker;         // null as long
    std::function<void()> wake;                // both call it when they have news, from their threads; may be null
    std::shared_ptr<const RunModel> model;     // what would run, what it costs, or why it cannot; null before a look
    std::shared_ptr<const RunSnapshot> told;   // the runner's latest that was taken; null before its first
    std::shared_ptr<const RunSnapshot> shown;  // the latest for which it is known what may come next
    std::shared_ptr<const RunNext> next;       // what may follow the position that is looked at; of `shown`'s numbers
    std::shared_ptr<const RunLens> lens;       // what each layer would have said, where a tab shows it
};

// Whether something came in that is not taken over. It is with TakeRun, which the shell asks for between two frames,
// and nowhere else: a frame's report is of what that frame drew.
bool has_news(const RunPage& page);

// In the Run view: what runs follows the view's place and the document. Does nothing where it does already.
void look_at_run(Session& session);
// Out of it nothing is computed.
void rest_run(Session& session);

// Where what was just opened has weights, these are what runs.
void run_opened_weights(Session& session);

void change_run(Session& session, const RunIntent& intent);

// Waits until the worker has nothing left to do but what it was told to show slowly, and takes its news: for pictures
// and tests.
void finish_run(Session& session);

}  // namespace headcount
