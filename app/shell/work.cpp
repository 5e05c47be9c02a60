// A run, a training, or numbers of two files, as far as a picture shows them.
#include "app/shell/work.hpp"

#include <algorithm>

#include "app/state/compare/numbers.hpp"
#include "app/state/in_view.hpp"
#include "app/state/run/page.hpp"
#include "app/state/run/runner.hpp"
#include "app/state/tour_run.hpp"
#include "app/state/train/page.hpp"
#include "app/state/train/runner.hpp"

namespace headcount {
namespace {

void run_for_picture(Session& session) {
    constexpr int tokens = 5;
    finish_run(session);
    if (!session.running.runner) return;
    session.view.run.speed = RunSpeed::most;
    look_at_run(session);
    for (int i = 0; i < tokens; ++i) session.running.runner->step();
    finish_run(session);
    session.view.run.speed = RunSpeed::one;
    look_at_run(session);
}

constexpr int steps_for_picture = 240;  // of a training

// Whether a step of a tour has it learned so far already.
bool says_how_far(const Session& session) {
    const WorkedStep* const step = current_step(session);
    return step && step->train && step->train->learned;
}

}  // namespace

void work_for_picture(Session& session) {
    if (session.view.workspace == run_view) run_for_picture(session);
    if (session.view.workspace == train_view) learn(session, says_how_far(session) ? 0 : steps_for_picture);
    const bool compares = session.view.workspace == compare_view;
    if ((compares || session.view.workspace == explore_view) && runs_unasked(session)) finish_run(session);
    if (!compares) return;
    look_at_view(session);
    const ComparePage& page = session.comparison;
    if (page.finder) page.finder->wait_until_calm();
    if (page.run.runner) page.run.runner->wait_until_calm();
    headcount::apply(session, Intents{AtCompare{TakeNumbers{}}});
    look_at_view(session);
}

void learn(Session& session, int steps) {
    finish_training(session);
    for (int i = 0; i < steps; ++i) session.training.runner->step();
    finish_training(session);
}

// A tour begins before anything was learned; what its later steps speak of was.
int begin_work_for_step(Session& session) {
    if (session.view.workspace == run_view) finish_run(session);
    if (session.view.workspace != train_view || !current_step(session)) return 0;
    finish_training(session);
    if (session.view.show.step == 0 || says_how_far(session)) return 0;
    const TrainSnapshot* const run = session.training.shown.get();
    return std::max(0, steps_for_picture - (run ? static_cast<int>(run->history.size()) : 0));
}

void work_for_step(Session& session) {
    if (const int steps = begin_work_for_step(session); steps > 0) learn(session, steps);
}

}  // namespace headcount
