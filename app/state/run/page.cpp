// Keeps the worker at what the view asks for, and takes over what it hands out.
#include "app/state/run/page.hpp"

#include "app/state/run/looker.hpp"
#include "app/state/run/runner.hpp"
#include "app/state/session.hpp"

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
    const std::int64_t given_back = page.told ? page.told->bytes_held : 0;
    page.model = std::make_shared<const RunModel>(run_model(std::move(basis), given_back));
    // The diagram and the total are of what runs, where that is another model than the user's own.
    const Architecture& arch = page.model->architecture();
    if (page.model->of.source == RunSource::shipped && arch.family)
        show_model(page.shipped, arch, Input{.tokens = 16});
    else
        page.shipped.reset();
}

// What was run is shown together with what may follow it, so that both are of the same numbers. While tokens come
// faster than these are found, some are passed over.
void take_news(RunPage& page) {
    if (!page.runner) return;
    page.told = page.runner->latest();
    if (!page.told || !page.told->values) {
        page.looker->forget();
        page.next.reset();
        page.lens.reset();
        page.shown = page.told;
        return;
    }
    page.lens = page.looker->lens();  // first, so that it is of no later numbers
    page.next = page.looker->next();
    if (!page.next) return;
    page.shown = same_numbers(*page.told, *page.next->of) ? page.told : page.next->of;
    if (page.shown->playing == page.told->playing && page.shown->rested == page.told->rested) return;
    auto now = std::make_shared<RunSnapshot>(*page.shown);
    now->playing = page.told->playing;  // Play says at once what it will do
    now->rested = page.told->rested;
    page.shown = std::move(now);
}

// Whoever goes step by step sees the layer that the step has come to; whoever has pinned a cell, that cell's.
void take_news_and_follow(Session& session) {
    const std::shared_ptr<const RunSnapshot> before = session.running.shown;
    take_news(session.running);
    const std::shared_ptr<const RunSnapshot>& now = session.running.shown;
    RunPlace& place = session.view.run;
    if (!before || !now || now->playing || now->whole() || !place.trail.empty()) return;
    if (now->layers_shown > 0 && !same_numbers(*before, *now)) place.layer = now->layers_shown - 1;
}

// Of what was run, as it is sampled and looked at now.
void ask_for_next(const Session& session) {
    const RunPage& page = session.running;
    if (!page.told || !page.told->values) return;
    const RunPlace& place = session.view.run;
    page.looker->ask({page.told, place.sampling, position_in(*page.told, place.position), place.tab});
}

}  // namespace

bool has_news(const RunPage& page) {
    return page.runner &&
           (page.runner->latest() != page.told || page.looker->next() != page.next || page.looker->lens() != page.lens);
}

void look_at_run(Session& session) {
    RunPage& page = session.running;
    choose_model(session);
    if (!page.runner) page.runner = std::make_shared<Runner>(page.wake);
    if (!page.looker) page.looker = std::make_shared<RunLooker>(page.wake);
    page.runner->order(order_of(session));
    ask_for_next(session);
}

void rest_run(Session& session) {
    if (session.running.runner) session.running.runner->rest();
}

void run_opened_weights(Session& session) {
    const KnownFile* const file = session.file();
    if (!file || !file->checkpoint) return;
    RunPlace& place = session.view.run;
    place.source = RunSource::file;
    place.position.reset();
    place.trail.clear();
}

void change_run(Session& session, const RunIntent& intent) {
    if (const auto* set = std::get_if<SetRun>(&intent)) session.view.run = set->place;
    Runner* const runner = session.running.runner.get();
    if (!runner) return;
    if (const auto* play = std::get_if<PlayRun>(&intent)) runner->play(play->playing);
    if (std::holds_alternative<StepRun>(intent)) runner->step();
    if (std::holds_alternative<RestartRun>(intent)) runner->restart();
    if (std::holds_alternative<FreeRun>(intent)) runner->free();
    if (std::holds_alternative<TakeRun>(intent)) take_news_and_follow(session);
}

void finish_run(Session& session) {
    if (session.running.runner) session.running.runner->wait_until_calm();
    take_news_and_follow(session);
    look_at_run(session);
    if (session.running.looker) session.running.looker->wait_until_calm();
    take_news_and_follow(session);
}

}  // namespace headcount
