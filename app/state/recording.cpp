// Catches steps, and makes a tour of them.
#include "app/state/recording.hpp"

#include <utility>

#include "app/state/session.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

RunLook run_of(const RunPlace& place) {
    RunLook look{.layer = place.layer, .head = place.head, .tensor = {}};
    if (place.prompt != first_prompt) look.prompt = place.prompt;
    look.token = place.position;
    if (!place.trail.empty()) {
        const RunCell& cell = place.trail.back();
        look.tensor = cell.tensor;
        look.layer = cell.layer;
        look.row = cell.row;
        look.column = cell.column;
    }
    if (place.shows != RunShows::diagram) look.shows = word_of(run_shows_keys, place.shows);
    for (const RunChange& each : place.experiments.changes)
        if (each.on && each.change.kind == Change::Kind::off) look.off.push_back(place_text(each.change.place));
    return look;
}

bool finds_head(const View& view) {
    return view.workspace == run_view && view.run.opens && view.run.shows == RunShows::words;
}

// Whether nothing but the head that is looked at has become another.
bool chose_head(const Caught& before, Caught now) {
    if (!before.run || !now.run) return false;
    now.run->layer = before.run->layer;
    now.run->head = before.run->head;
    return now == before;
}

bool only_moved(const Caught& before, Caught now) {
    now.at = before.at;
    now.copy = before.copy;
    return now == before;
}

bool toured(std::string_view view) { return contains(toured_views, view); }

// What a step can say of the window as it is.
Caught caught_of(const Session& session) {
    const View& view = session.view;
    Caught now{.architecture = session.document.architecture,
               .input = session.document.input,
               .preset = session.document.preset,
               .edited = title_of(session.document) != session.document.base.name,
               .at = session.look.here.id,
               .copy = session.look.here.copy,
               .select = subject_key(session.look.selection),
               .view = {},
               .with = {},
               .run = {},
               .train = {}};
    if (view.workspace == run_view) {
        if (can_be_step(view)) now.run = run_of(view.run);
    } else if (view.workspace == train_view) {
        if (can_be_step(view))
            now.train = LearnLook{.task = view.train.settings.task, .layer = view.train.layer, .head = view.train.head};
    } else if (view.workspace != explore_view && toured(view.workspace)) {
        now.view = view.workspace;
        now.at.clear();
        now.copy = 0;
        now.select.clear();
        if (view.workspace == compare_view && session.document.with) now.with = session.document.with->preset;
    }
    return now;
}

}  // namespace

bool can_be_step(const View& view) {
    if (view.workspace == run_view) return view.run.source == RunSource::shipped;
    if (view.workspace == train_view) return view.train.settings.task.kind != TaskKind::text;
    return toured(view.workspace);
}

Tour tour_of(const Recording& recording, std::span<const Preset> presets) {
    Tour tour;
    tour.id = recorded_tour;
    tour.title = recording.title.empty() ? "My tour" : recording.title;
    Caught before = recording.begun;
    const Preset* const preset = find_preset(presets, before.preset);
    if (preset) {
        tour.preset = before.preset;
        before.architecture = preset->architecture;  // the first step has what was changed before it
    }
    tour.input = before.input;
    before.at.clear();
    before.copy = 0;
    for (const RecordedStep& each : recording.steps) {
        TourStep step = step_between(before, each.caught, presets);
        for (const std::string* const title : {&each.moved_title, &each.title})
            if (!title->empty()) step.title = *title;
        for (const std::string* const caption : {&each.moved_caption, &each.caption})
            if (!caption->empty()) step.caption = *caption;
        step.ask = each.ask;
        step.answer = each.ask.empty() ? std::string() : each.answer;
        tour.steps.push_back(std::move(step));
        before = each.caught;
    }
    return tour;
}

Recording recording_of(const Session& session) {
    Recording recording;
    recording.begun = recording.seen = caught_of(session);
    recording.settles = finds_head(session.view);
    return recording;
}

std::optional<Document> play_recording(Session& session) {
    if (!session.recording || session.recording->steps.empty()) return std::nullopt;
    add_tour(session.tours, tour_of(*session.recording, session.presets));
    return start_tour(session, recorded_tour);
}

void skip_recording(Session& session) {
    if (!session.recording) return;
    session.recording->seen = caught_of(session);
    session.recording->returns = true;
}

bool follow_recording(Session& session) {
    const bool still = !session.run && !session.dragging && session.derived.current;
    if (!session.recording || !still || !can_be_step(session.view)) return false;
    Recording& recording = *session.recording;
    const Caught now = caught_of(session);
    const bool settles = std::exchange(recording.settles, finds_head(session.view));
    const bool returns =
        std::exchange(recording.returns, recording.returns && !(session.look.here == session.look.asked_for));
    if (recording.seen == now) return false;
    const Caught last = std::exchange(recording.seen, now);
    if (returns && only_moved(last, now)) return false;
    recording.returns = false;
    std::vector<RecordedStep>& steps = recording.steps;
    // The head that a run finds by itself is where the step before has led.
    Caught& led = steps.empty() ? recording.begun : steps.back().caught;
    if (settles && led == last && chose_head(last, now)) {
        led = now;
        return true;
    }
    const Caught& before = steps.size() < 2 ? recording.begun : steps[steps.size() - 2].caught;
    const auto touched = [](const RecordedStep& step) {
        return !step.title.empty() || !step.caption.empty() || !step.moved_title.empty();
    };
    const bool untouched = !steps.empty() && steps.back().caught == last && !touched(steps.back());
    const bool goes_on =
        untouched && ((only_looks(before, last) && looks_on(before, last, now)) || edits_the_same(before, last, now) ||
                      (types_on(before, last) && types_on(last, now)) || chooses_other(before, last, now));
    if (goes_on) {
        steps.back().caught = now;
    } else if (steps.size() < most_recorded) {
        steps.push_back({.title = {}, .caption = {}, .ask = {}, .answer = {}, .caught = now});
        recording.chosen = steps.size() - 1;
    }
    return true;
}

}  // namespace headcount
