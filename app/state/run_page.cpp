// Keeps the worker at what the view asks for, and takes over what it hands out.
#include "app/state/run_page.hpp"

#include "app/state/run_next.hpp"
#include "app/state/runner.hpp"
#include "app/state/session.hpp"
#include "app/state/side_model.hpp"

namespace headcount {
namespace {

RunOrder order_of(const Session& session) {
    const RunPlace& place = session.view.run;
    return {session.running.model, place.prompt, place.ids, place.sampling, place.speed};
}

// Made anew only where something else would run.
void choose_model(Session& session) {
    RunPage& page = session.running;
    RunBasis basis = run_basis(session);
    if (page.model && page.model->asked == basis) return;
    // Not in the middle of a drag: loading begins with every change.
    if (page.model && session.dragging) return;
    page.model = std::make_shared<const RunModel>(run_model(std::move(basis)));
    // The diagram and the total are of what runs, where that is another model than the user's own.
    const Architecture& arch = page.model->architecture();
    if (page.model->of.source == RunSource::shipped && arch.family)
        show_beside(session, Workspace::run, arch, Input{.tokens = 16});
    else
        show_nothing_beside(session, Workspace::run);
}

void take_news(RunPage& page) {
    if (page.runner) page.shown = page.runner->latest();
}

// Of what is shown, as it is sampled and looked at now.
void look_at_next(Session& session) {
    RunPage& page = session.running;
    const RunPlace& place = session.view.run;
    if (!page.shown || !page.shown->values) {
        page.next.reset();
        return;
    }
    const std::int64_t position = position_in(*page.shown, place.position);
    if (page.next && page.next->of == page.shown && page.next->sampling == place.sampling &&
        page.next->position == position)
        return;
    page.next = std::make_shared<const RunNext>(run_next(page.shown, place.sampling, place.position));
}

}  // namespace

void look_at_run(Session& session) {
    RunPage& page = session.running;
    if (session.view.workspace != Workspace::run) {
        if (page.runner && page.runner->playing()) page.runner->play(false);
        return;
    }
    choose_model(session);
    if (!page.runner) page.runner = std::make_shared<Runner>(page.wake);
    page.runner->order(order_of(session));
    take_news(page);
    look_at_next(session);
}

void change_run(Session& session, const RunIntent& intent) {
    if (const auto* set = std::get_if<SetRun>(&intent)) session.view.run = set->place;
    Runner* const runner = session.running.runner.get();
    if (!runner) return;
    if (const auto* play = std::get_if<PlayRun>(&intent)) runner->play(play->playing);
    if (std::holds_alternative<StepRun>(intent)) runner->step();
    if (std::holds_alternative<RestartRun>(intent)) runner->restart();
    if (std::holds_alternative<FreeRun>(intent)) runner->free();
}

void finish_run(Session& session) {
    if (session.running.runner) session.running.runner->wait_until_calm();
    look_at_run(session);
}

}  // namespace headcount
