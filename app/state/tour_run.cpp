// Starts, steps and ends tours.
#include "app/state/tour_run.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "app/state/run/goal.hpp"
#include "app/state/session.hpp"
#include "core/base/text.hpp"
#include "core/files/documents.hpp"

namespace headcount {
namespace {

bool answers(const WorkedStep& step) { return !step.answer.empty(); }

Document document_at(const Session& session, const WorkedStep& step) {
    Document document = session.run->before;
    if (const Preset* preset = step.preset.empty() ? nullptr : find_preset(session.presets, step.preset))
        document = document_of(*preset);
    document.with = session.run->before.with;
    if (const Preset* const with = step.with.empty() ? nullptr : find_preset(session.presets, step.with))
        document.with = Compared{with->architecture, with->architecture, with->id, ""};
    // What could not be shown before the tour is no part of it.
    if (step.preset.empty() && !validate(document.architecture).empty()) document.base = step.architecture;
    document.architecture = step.architecture;
    document.input = step.input;
    return document;
}

static_assert(run_pages == run_shows_keys);  // a step names the pages as they are saved

void show_run(RunPlace& place, const RunLook& look) {
    place.source = RunSource::shipped;
    place.prompt = look.prompt.empty() ? std::string(first_prompt) : look.prompt;
    place.shows = choice_called<RunShows>(run_pages, look.shows).value_or(RunShows::diagram);
    place.goes = true;
    place.opens = false;
    place.beside = look.experiment.has_value() || !look.off.empty();
    place.experiments = {};
    for (const std::string& off : look.off)
        if (Result<Change> change = parse_change(Change::Kind::off, off))
            place.experiments.changes.push_back({std::move(*change), true});
    place.layer = look.layer;
    place.head = look.head;
    place.position = look.token;
    place.trail.clear();
    if (!look.tensor.empty())
        place.trail.push_back({look.tensor, look.layer, look.tensor.find(".head.") == std::string::npos ? 0 : look.head,
                               look.row, look.column});
}

// With usual settings, so that everybody sees the same. What has learned the task already is not begun again.
void show_training(TrainPlace& place, const LearnLook& look) {
    const bool other = place.settings.task != look.task || place.source != TrainSource::small;
    if (other) place = {.source = TrainSource::small, .speed = place.speed};
    place.settings.task = look.task;
    place.layer = look.layer;
    place.head = look.head;
    place.cell.reset();
    if (look.learned) place.step = look.learned;
}

// In the Run or the Train view, where the step is there, and back from it.
void show_place(View& view, const WorkedStep& step, bool toured) {
    if (step.run) {
        view.workspace = run_view;
        show_run(view.run, *step.run);
    } else if (step.train) {
        view.workspace = train_view;
        show_training(view.train, *step.train);
    } else if (!step.view.empty()) {
        view.workspace = step.view;
    } else if (toured || view.workspace == run_view || view.workspace == train_view) {
        view.workspace = explore_view;
    }
}

// Looks where the step does, and returns its document.
Document enter_step(Session& session, std::size_t index, bool revealed) {
    TourRun& run = *session.run;
    View& view = session.view;
    const WorkedStep& step = run.tour.steps[index];
    const bool toured = is_toured(session);  // by the step before
    view.show.step = index;
    view.show.revealed = revealed;
    session.look.selection = subject_from_key(step.select);
    go_to(session.look, {step.at, step.copy, {}});
    show_place(view, step, toured);
    // What each part matters would answer which one is asked for.
    if (step.run) session.running.ranks = step.run->experiment ? std::optional(false) : std::nullopt;
    session.training.until = step.train ? step.train->learned : std::nullopt;
    run.words = {step.title, step.caption, step.ask, step.answer};
    run.words_of = step.architecture;
    run.words_input = step.input;
    return document_at(session, step);
}

// What the tour is about where it names no model: the document, or what is shown while that is impossible.
std::pair<Architecture, Input> own_model(const Session& session, const Document& document) {
    if (validate(document.architecture).empty() && validate(document.architecture, document.input).empty())
        return {document.architecture, document.input};
    const Counted& shown = session.derived.shown;
    return {shown.architecture, shown.input};
}

void end_tour(Session& session) {
    session.run.reset();
    session.training.until.reset();
    session.view.show.tour.clear();
    session.view.show.step = 0;
    session.view.show.revealed = false;
}

}  // namespace

const WorkedStep* current_step(const Session& session) {
    const std::size_t step = session.view.show.step;
    return session.run && step < session.run->tour.steps.size() ? &session.run->tour.steps[step] : nullptr;
}

bool is_toured(const Session& session) {
    const WorkedStep* const step = current_step(session);
    const std::string& view = session.view.workspace;
    return step && !step->view.empty() && step->view == view && view != explore_view;
}

const Document& kept_document(const Session& session) { return session.run ? session.run->before : session.document; }

const Subject& kept_selection(const Session& session) {
    return session.run ? session.run->selection_before : session.look.selection;
}

std::optional<Document> start_tour(Session& session, std::string_view id) {
    const auto found = std::ranges::find_if(session.tours, [&](const Tour& tour) { return tour.id == id; });
    if (found == session.tours.end()) return std::nullopt;
    View& view = session.view;
    const Document before = kept_document(session);
    const auto [architecture, input] = own_model(session, before);
    Result<WorkedTour> made = make_tour(*found, session.presets, architecture, input, title_of(before));
    if (!made) {
        view.notice = notice_of_program("The tour cannot start: " + sentence(made.error()));
        return std::nullopt;
    }
    const bool again = session.run.has_value();
    TourRun run{.source = *found,
                .tour = std::move(*made),
                .before = before,
                .selection_before = session.look.selection,
                .place_before = session.look.here,
                .run_before = view.run,
                .train_before = view.train,
                .words = {},
                .words_of = {},
                .words_input = {}};
    if (again) {
        run.run_before = session.run->run_before;
        run.train_before = session.run->train_before;
        run.selection_before = session.run->selection_before;
        run.place_before = session.run->place_before;
    }
    session.run = std::move(run);
    view.show.tour = found->id;
    view.workspace = explore_view;
    view.manual.reset();
    if (!session.run->tour.notes.empty()) view.notice = {session.run->tour.notes.front()};
    return enter_step(session, 0, false);
}

std::optional<Document> step_tour(Session& session, int by, bool whole) {
    if (!current_step(session)) return std::nullopt;
    const std::vector<WorkedStep>& steps = session.run->tour.steps;
    Show& show = session.view.show;
    std::size_t step = show.step;
    bool revealed = show.revealed;
    for (; by > 0; --by) {
        if (!whole && answers(steps[step]) && !revealed) {
            revealed = true;
        } else if (step + 1 < steps.size()) {
            ++step;
            revealed = false;
        }
    }
    for (; by < 0; ++by) {
        if (!whole && revealed) {
            revealed = false;
        } else if (step > 0) {
            --step;
            revealed = !whole && answers(steps[step]);
        }
    }
    if (step != show.step) return enter_step(session, step, revealed);
    show.revealed = revealed;
    return std::nullopt;
}

std::size_t presses_left(const Session& session) {
    if (!current_step(session)) return 0;
    const Show& show = session.view.show;
    const auto rest = std::span(session.run->tour.steps).subspan(show.step);
    const auto asked = std::ranges::count_if(rest, [](const WorkedStep& each) { return answers(each); });
    return rest.size() - 1 + static_cast<std::size_t>(asked) - (show.revealed && answers(rest.front()) ? 1 : 0);
}

Intent next_in_tour(const Session& session) {
    return current_step(session) && presses_left(session) == 0 ? Intent(LeaveTour{}) : Intent(StepTour{1});
}

std::optional<Document> leave_tour(Session& session) {
    if (!session.run) return std::nullopt;
    const WorkedStep* const step = current_step(session);
    if (step && (step->run || step->train || !step->view.empty())) session.view.workspace = explore_view;
    Document before = std::move(session.run->before);
    session.look.selection = session.run->selection_before;
    go_to(session.look, session.run->place_before);
    const auto any = [&](const auto& has) { return std::ranges::any_of(session.run->tour.steps, has); };
    if (any([](const WorkedStep& each) { return each.run.has_value(); }))
        session.view.run = std::move(session.run->run_before);
    if (any([](const WorkedStep& each) { return each.train.has_value(); }))
        session.view.train = std::move(session.run->train_before);
    end_tour(session);
    return before;
}

std::optional<Document> follow_opened(Session& session) {
    if (!session.run) return std::nullopt;
    TourRun& run = *session.run;
    run.before = session.document;
    const auto [architecture, input] = own_model(session, run.before);
    Result<WorkedTour> made =
        run.source.preset ? Error{} : make_tour(run.source, session.presets, architecture, input, title_of(run.before));
    if (!made) {
        end_tour(session);
        return std::nullopt;
    }
    const std::size_t place = run.tour.steps[session.view.show.step].index;
    run.tour = std::move(*made);
    const auto& steps = run.tour.steps;
    const auto next = std::ranges::find_if(steps, [&](const WorkedStep& s) { return s.index >= place; });
    const bool past_the_last = next == steps.end();
    return enter_step(session, static_cast<std::size_t>(past_the_last ? steps.size() - 1 : next - steps.begin()),
                      false);
}

void follow_experiment(Session& session) {
    const WorkedStep* const step = current_step(session);
    if (!step || !step->run || !step->run->experiment || session.view.show.revealed) return;
    if (!session.running.trial || !brings_about(*step->run->experiment, *session.running.trial)) return;
    session.view.show.revealed = true;
}

void follow_words(Session& session) {
    const WorkedStep* const step = current_step(session);
    if (!step) return;
    TourRun& run = *session.run;
    const Counted& shown = session.derived.shown;
    if (run.words_of == shown.architecture && run.words_input == shown.input) return;
    run.words_of = shown.architecture;
    run.words_input = shown.input;
    // Whatever the step itself changes, it tells of.
    const Document& titled = shown.architecture == step->architecture ? run.before : session.document;
    const std::string called = step->preset.empty() ? title_of(titled) : std::string();
    if (auto words = words_for(run.source.steps[step->index], shown.architecture, shown.input, session.presets, called))
        run.words = std::move(*words);
}

}  // namespace headcount
