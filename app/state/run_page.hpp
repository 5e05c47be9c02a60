// What the Run view shows: the worker that runs the model, and what it has handed over. No part of the document.
#pragma once

#include <functional>
#include <memory>

#include "app/state/run_place.hpp"

namespace headcount {

class Runner;        // app/state/runner.hpp
struct RunSnapshot;  // app/state/run_snapshot.hpp
struct RunModel;     // app/state/run_model.hpp
struct RunNext;      // app/state/run_next.hpp
struct Session;

struct RunPage {
    std::shared_ptr<Runner> runner;            // null before somebody looks
    std::function<void()> wake;                // the worker calls it when it has news, from its own thread; may be null
    std::shared_ptr<const RunModel> model;     // what would run, what it costs, or why it cannot; null before a look
    std::shared_ptr<const RunSnapshot> shown;  // the worker's latest; null before its first
    std::shared_ptr<const RunNext> next;       // what may follow the position that is looked at
};

// While the Run view is open: what runs follows the view's place and the document. Does nothing where it does already.
void look_at_run(Session& session);

void change_run(Session& session, const RunIntent& intent);

// Waits until the worker has nothing left to do but what it was told to show slowly, and takes its news: for pictures
// and tests.
void finish_run(Session& session);

}  // namespace headcount
