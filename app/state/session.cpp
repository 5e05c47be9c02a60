// The one place where the document changes.
#include "app/state/session.hpp"

#include <algorithm>

#include "app/state/edits.hpp"
#include "app/state/in_view.hpp"
#include "app/state/open_link.hpp"
#include "app/state/overloaded.hpp"
#include "app/state/session_files.hpp"
#include "core/files/stored_formats.hpp"

namespace headcount {
namespace {

// Of the model beside a lesson, where one is in view.
std::optional<Look> look_beside(const Session& session) {
    return shows_another(session) ? std::optional(model_in_view(session).look) : std::nullopt;
}

// What a tour asks to be shown.
void show_toured(Session& session, std::optional<Document> document) {
    if (document) show_whole(session, std::move(*document));
}

// The claim's model as the document, at the place that the claim is about.
void explore_claim(Session& session) {
    std::optional<Document> document = document_of_claim(claims_look(session));
    if (!document) return;
    const Look look = model_in_view(session).look;
    session.view.workspace = explore_view;
    show_opened(session, std::move(*document));
    session.notes = all_notes(session);
    session.look.selection = look.selection;
    go_to(session.look, look.asked_for);
}

// Whatever is on the screen.
void present(Session& session, bool presenting) {
    View& view = session.view;
    if (presenting && !view.show.presenting) view.manual.reset();
    if (!presenting) view.show.aids = {};
    view.show.presenting = presenting;
}

// In a window of their own, where there can be one.
void show_notes(View& view, bool open) { view.show.notes = open && !view.one_window; }

// An edit, where it is the user's own model.
void set_input(Session& session, const Input& input) {
    Shown& model = model_in_view(session);
    Document document = model.document;
    document.input = input;
    if (shows_another(session))
        set_document(model, std::move(document));
    else
        replace_document(session, {std::move(document), std::nullopt});
}

// With the user's own input, not with that of a tour's step.
void open_preset(Session& session, std::string_view id) {
    const Preset* const preset = find_preset(session.presets, id);
    if (!preset) return;
    Document document = document_of(*preset);
    const Document& before = kept_document(session);
    document.input = input_for_other(without_lent(session.running, before.input),
                                     published_input(before.base, before.stored), document.input);
    session.running.lent.reset();
    show_opened(session, std::move(document));
    leave_opened_weights(session);
    session.notes.clear();
    if (!preset->note.empty()) session.notes.push_back(preset->note);
}

void work_at_desk(Session& session, const DeskIntent& what) {
    const std::string problem = change_desk(session.desk, what, session.presets, session.document.architecture);
    if (!problem.empty()) session.view.notice = notice_of_program(problem);
    if (problem.empty() && std::holds_alternative<OpenClass>(what)) session.view.task.reset();
}

void at_claims(Session& session, const ClaimsIntent& what) {
    if (std::holds_alternative<OpenClaimModel>(what))
        explore_claim(session);
    else
        change_claims(claims_look(session), what);
}

// A and B are one document, also where a tour runs, which gives the document back.
void compare(Session& session, const CompareIntent& what) {
    ComparedEdit edit = change_compare(session.comparison, session.view.compare, session, session.presets, what);
    if (!edit.notice.text.empty()) session.view.notice = edit.notice;
    if (!edit.document) return;
    session.dragging = !edit.settled;
    if (session.run) session.run->before.with = edit.document->with;
    set_document(session, std::move(*edit.document));
    if (edit.settled) session.commit(edit.run);
    if (std::holds_alternative<SwapSides>(what)) session.notes = all_notes(session);
    if (std::holds_alternative<CompareWithFile>(what)) session.view.task.reset();
}

void at_run(Session& session, const RunIntent& what) {
    const Experiments before = session.view.run.experiments;
    change_run(session.running, session.view.run, what);
    const auto* const set = std::get_if<SetRun>(&what);
    if (set && session.view.run.experiments != before) session.commit(set->run);
}

// What was saved is opened, where that was asked for, with a question that it can answer as the prompt.
void at_train(Session& session, const TrainIntent& what, Effects& effects) {
    View& view = session.view;
    if (const auto* save = std::get_if<SaveTraining>(&what))
        if (const auto error = cannot_save(session, std::filesystem::path(save->folder) / "model.safetensors")) {
            view.notice = notice_of_program("Could not be saved: " + sentence(*error));
            return;
        }
    if (std::holds_alternative<ReadText>(what)) view.task.reset();
    if (const std::optional<Error> error = change_training(session.training, view.train, what))
        view.notice = notice_of_program("Could not be opened: " + sentence(*error));
    const std::optional<TrainSaved> saved = take_saved(session.training);
    if (!saved) return;
    if (saved->error) {
        view.notice = notice_of_program("Could not be saved: " + sentence(*saved->error));
    } else if (saved->files.opens) {
        open_file(session, {saved->files.folder});
        if (session.document.file != absolute_path(saved->files.folder)) return;  // the notice says why
        view.run.prompt = saved->prompt;
        view.workspace = run_view;
    } else {
        note_saved(session, "the trained model", saved->files.folder, effects);
    }
}

// What cannot be in a link is said where it is shown.
void share(Session& session, const Share& asked, Effects& effects) {
    View& view = session.view;
    if (asked.page) view.page = *asked.page;
    view.sharing = asked.open;
    if (!asked.open) return;
    if (const Result<WrittenLink> link = link_of(session)) effects.clipboard = view.page + link->text;
}

void show_welcome(View& view, bool open) {
    view.welcome = {.open = open};
    if (!open) return;
    view.workspace = explore_view;
    view.show.presenting = false;
    view.manual.reset();
}

// Which of the things to try were done just now.
void note_tried(Session& session, std::span<const Intent> intents) {
    Welcome& welcome = session.view.welcome;
    if (!welcome.open || session.view.workspace != explore_view) return;
    const auto edits = [](const Intent& intent) {
        const auto* const replace = std::get_if<Replace>(&intent);
        return replace && replace->edited;
    };
    welcome.tried[Welcome::field] |= std::ranges::any_of(intents, edits);
    welcome.tried[Welcome::zoom] |= !session.look.here.id.empty();
    welcome.tried[Welcome::number] |= std::holds_alternative<TotalSubject>(session.look.selection);
}

// A worker has news: nobody asked for anything.
bool takes_news(const Intent& intent) {
    const auto* const run = std::get_if<AtRun>(&intent);
    const auto* const training = std::get_if<AtTrain>(&intent);
    return (run && std::holds_alternative<TakeRun>(run->what)) ||
           (training && std::holds_alternative<TakeTraining>(training->what));
}

// Both runs side by side; what was switched off there already stays where the prompt is the same.
void begin_experiment(Session& session, const Experiment& experiment) {
    const RunPlace& now = session.view.run;
    const bool goes_on = now.source == RunSource::shipped && now.prompt == experiment.prompt;
    SetRun set = goes_on ? SetRun{now} : from_source(now, RunSource::shipped);
    set.place.prompt = experiment.prompt;
    set.place.position.reset();
    set.place.beside = true;
    at_run(session, set);
    session.running.ranks = false;  // which would answer what is asked
    session.view.workspace = run_view;
    session.view.notice = {"Switch parts off until “" + experiment.from + "” becomes “" + experiment.to +
                           "”. Then the worksheet takes what is off."};
}

// The parts that are switched off in Run as the answer.
void take_experiment(Session& session, const std::string& blank) {
    std::string parts;
    for (const RunChange& each : session.view.run.experiments.changes)
        if (each.on && each.change.kind == Change::Kind::off)
            parts += (parts.empty() ? "" : ", ") + place_text(each.change.place);
    if (parts.empty()) {
        session.view.notice = {"No part is switched off in Run yet"};
        return;
    }
    work_at_desk(session, GiveAnswer{blank, parts});
    if (!session.desk.kept.at_end) work_at_desk(session, CheckFields{{blank}});
}

bool touches_desk(const Intent& intent) {
    return std::holds_alternative<AtDesk>(intent) || std::holds_alternative<TakeExperiment>(intent) ||
           std::holds_alternative<OpenFile>(intent);
}

bool records(const Intent& intent) {
    return std::holds_alternative<Record>(intent) || std::holds_alternative<SetRecording>(intent);
}

void apply_one(Session& session, const Intent& intent, Effects& effects) {
    std::visit(Overloaded{
                   [&](const Replace& asked) { replace_document(session, asked); },
                   [&](const SetInput& set) { set_input(session, set.input); },
                   [&](const Settle& asked) { settle_edit(session, asked.run); },
                   [&](const OpenPreset& open) { open_preset(session, open.id); },
                   [&](const OpenFile& open) { open_file(session, open); },
                   [&](const Reload&) {
                       if (!session.document.file.empty()) open_file(session, {session.document.file});
                   },
                   [&](const KeepAsRead&) { keep_as_read(session, session.document.file); },
                   [&](const FileChanged&) { session.view.file_changed = true; },
                   [&](const AskForFile& ask) {
                       session.view.task = ask.task;
                       session.view.chart = ask.chart;
                   },
                   [&](const WriteFile& write) { write_file(session, write, effects); },
                   [&](const WritePicture& write) {
                       session.view.task.reset();
                       session.view.folder = std::filesystem::path(write.path).parent_path().string();
                       effects.picture = write.path;
                       effects.slide = write.slide;
                   },
                   [&](const StopFilm&) { session.view.film.reset(); },
                   [&](const Select& select) { model_in_view(session).look.selection = select.subject; },
                   [&](const Hover& hover) { model_in_view(session).look.hover = hover.subject; },
                   [&](const Hide& hide) {
                       std::vector<Subject>& hidden = session.view.hidden;
                       const auto same = [&](const Subject& each) { return alike(each, hide.subject); };
                       if (std::erase_if(hidden, same) == 0) hidden.push_back(hide.subject);
                   },
                   [&](const ShowHidden&) { session.view.hidden.clear(); },
                   [&](const ShowTab& show) { session.view.bottom_tab = show.tab; },
                   [&](const ShowBreakdown& show) { session.view.breakdown = show.chart; },
                   [&](const ShowWorkspace& show) { session.view.workspace = show.workspace; },
                   [&](const GoTo& go) { go_to(model_in_view(session).look, go.place); },
                   [&](const GoIn&) { ++model_in_view(session).look.inwards; },
                   [&](const Arrive& arrive) { arrive_at(model_in_view(session), arrive.place); },
                   [&](const Tilt& tilt) { model_in_view(session).look.tilted = tilt.tilted; },
                   [&](const DrawLogSides& draw) { model_in_view(session).look.log_sides = draw.log_sides; },
                   [&](const SetTheme& set) { session.view.theme = set.theme; },
                   [&](const ReduceMotion& motion) {
                       session.view.reduced_motion = motion.reduced;
                       session.view.notice = {motion.reduced ? "Motion is reduced" : "Motion is as usual"};
                       effects.notice_ends = true;
                   },
                   [&](const SetScale& set) { set_scale(session.view, set); },
                   [&](const ShowManual& show) { session.view.manual = show.place; },
                   [&](const Ask& bar) {
                       session.view.asking = bar.asking;
                       if (bar.asking)
                           look_at_devices(session.costs, session.view.costs);  // what is asked is counted as in Costs
                   },
                   [&](const Share& asked) { share(session, asked, effects); },
                   [&](const ShowWelcome& show) { show_welcome(session.view, show.open); },
                   [&](const Copy& copy) {
                       effects.clipboard = copy.text;
                       session.view.notice = {"Copied " + copy.what};
                       effects.notice_ends = true;
                   },
                   [&](const Tell& tell) {
                       session.view.notice = tell.notice;
                       effects.notice_ends = true;
                   },
                   [&](const DismissNotes&) { session.notes.clear(); },
                   [&](const ShowNotes&) { session.notes = all_notes(session); },
                   [&](const StartTour& start) { show_toured(session, start_tour(session, start.id)); },
                   [&](const StepTour& step) { show_toured(session, step_tour(session, step.by, step.whole)); },
                   [&](const LeaveTour&) {
                       show_toured(session, leave_tour(session));
                       skip_recording(session);
                   },
                   [&](const Present& asked) { present(session, asked.presenting); },
                   [&](const PointOut& point) { session.view.show.pointed = point.what; },
                   [&](const ShowNotesWindow& show) { show_notes(session.view, show.open); },
                   [&](const Record& record) {
                       if (record.on) show_toured(session, leave_tour(session));
                       session.recording = record.on ? std::optional(recording_of(session)) : std::nullopt;
                   },
                   [&](const SetRecording& set) {
                       if (session.recording) session.recording = set.recording;
                   },
                   [&](const PlayRecording&) { show_toured(session, play_recording(session)); },
                   [&](const SetAids& set) {
                       if (session.view.show.presenting) session.view.show.aids = set.aids;
                   },
                   [&](const AtDesk& at) { work_at_desk(session, at.what); },
                   [&](const TryExperiment& asked) { begin_experiment(session, asked.experiment); },
                   [&](const TakeExperiment& asked) { take_experiment(session, asked.blank); },
                   [&](const AtClaims& at) { at_claims(session, at.what); },
                   [&](const AtWhatIf& at) { change_what_if(session.view.what_if, at.what); },
                   [&](const AtCosts& at) {
                       if (const auto wrong = change_costs(session.costs, session.view.costs, at.what))
                           session.view.notice = {sentence(*wrong)};
                   },
                   [&](const AtRun& at) { at_run(session, at.what); },
                   [&](const AtTrain& at) { at_train(session, at.what, effects); },
                   [&](const AtCompare& at) { compare(session, at.what); },
                   [&](const Undo&) { step_history(session, true, effects); },
                   [&](const Redo&) { step_history(session, false, effects); },
               },
               intent);
}

}  // namespace

const KnownFile* Session::file() const {
    const auto found = files.find(document.file);
    return document.file.empty() || found == files.end() ? nullptr : &found->second;
}

void sit_at_desk(Session& session) {
    Desk& desk = session.desk;
    open_desk(desk, session.presets, session.document.architecture);
    const SheetQuestion* const question = desk.question();
    if (!question) return desk.model.reset();
    if (show_model(desk.model, question->model->architecture, question->model->input)) return;
    const std::string lit = desk.lit();
    if (lit == desk.lighted && question->id == desk.lighted_for) return;
    desk.lighted = lit;
    desk.lighted_for = question->id;
    light(*desk.model, lit);
}

ClaimsLook claims_look(Session& session) {
    View& view = session.view;
    return {.page = session.claims,
            .place = view.claim,
            .files = view.claims_files,
            .notice = view.notice,
            .presets = session.presets};
}

std::vector<std::string> all_notes(const Session& session) {
    if (const KnownFile* file = session.file()) return file->notes;
    const Preset* const preset = find_preset(session.presets, session.document.preset);
    return preset && !preset->note.empty() ? std::vector{preset->note} : std::vector<std::string>{};
}

Session start_session(std::vector<Preset> presets, Document document) {
    Session session;
    session.presets = std::move(presets);
    static_cast<Shown&>(session) = newly_shown(std::move(document));
    session.commit();
    return session;
}

Effects apply(Session& session, std::span<const Intent> intents) {
    Effects effects;
    Document document = session.document;
    View view = session.view;
    const Look look = session.look;
    const std::optional<Look> beside = look_beside(session);
    session.look.hover = {};  // whoever is pointed at says so in every frame
    model_in_view(session).look.hover = {};
    auto only_points = [](const Intent& intent) {
        return std::holds_alternative<Hover>(intent) || std::holds_alternative<Arrive>(intent) ||
               std::holds_alternative<FileChanged>(intent) || takes_news(intent);
    };
    if (!std::ranges::all_of(intents, only_points)) session.view.notice = {};
    const bool at_desk = std::ranges::any_of(intents, touches_desk);
    const DeskState desk = at_desk ? session.desk.kept : DeskState{};
    const OpenedClass pupils = session.desk.pupils;
    const std::shared_ptr<const Sheet> sheet = session.desk.sheet;  // may be read again from an edited file
    for (const Intent& intent : intents) apply_one(session, intent, effects);
    note_tried(session, intents);
    compare_weights(session);
    if (session.view.workspace != view.workspace) leave_view(session, view.workspace);
    // What was drawn is about what was shown.
    if (session.view.workspace != view.workspace || session.view.show.step != view.show.step)
        session.view.show.aids.strokes.clear();
    // A class sees its table without names, until somebody asks for them.
    const bool shows = session.view.show.presenting;
    if (shows && (!view.show.presenting || session.desk.pupils.answers != pupils.answers))
        session.desk.pupils.look.names_hidden = true;
    look_at_view(session);
    follow_words(session);
    follow_experiment(session);
    const bool recorded = follow_recording(session) || std::ranges::any_of(intents, records);
    const std::optional<Shown>& compared = session.comparison.other;
    drop_lost_selection(session, session.view.workspace == compare_view && compared ? &*compared : nullptr);
    if (shows_another(session)) drop_lost_selection(model_in_view(session));
    effects.document_changed = session.document != document;
    effects.view_changed = session.view != view || session.look != look || look_beside(session) != beside ||
                           (at_desk && session.desk.kept != desk) || session.desk.sheet != sheet ||
                           session.desk.pupils != pupils || recorded;
    return effects;
}

}  // namespace headcount
