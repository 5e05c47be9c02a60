// From the session to a link, and back.
#include "app/state/open_link.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/state/edits.hpp"
#include "app/state/in_view.hpp"
#include "app/state/typed_place.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/json_kind.hpp"

namespace headcount {
namespace {

bool is_path(std::string_view name) { return name.find('/') != std::string_view::npos; }

bool shows_costs(const View& view) {
    const bool tables = view.bottom_tab == BottomTab::memory || view.bottom_tab == BottomTab::compute;
    return view.workspace == costs_view || view.workspace == what_if_view || view.workspace == compare_view ||
           (view.workspace == explore_view && tables);
}

// What learns and how, less what of it is looked at, and less a file, which stays whose it is.
void take_training(TrainPlace& train, const TrainPlace& from) {
    std::string own_file = std::move(train.text_file);
    train = from;
    train.text_file = std::move(own_file);
    train.layer = train.head = 0;
    train.step.reset();
    train.cell.reset();
}

// The address by which a link says a lesson's file, where it can.
std::string lesson_address(const Session& session, const std::filesystem::path& file) {
    if (!session.lessons || !file.is_absolute()) return "";
    const std::filesystem::path address = file.lexically_relative(*session.lessons);
    return address.empty() || *address.begin() == ".." ? "" : address.generic_string();
}

// Of the tour that runs.
std::string tour_address(const Session& session) {
    for (const std::string& file : session.view.tour_files)
        if (std::filesystem::path(file).stem() == session.view.show.tour) return lesson_address(session, file);
    return "";
}

// What the view that `from` has on the screen shows of it.
void take_shown(View& view, const View& from) {
    view.workspace = from.workspace;
    view.hidden = from.hidden;
    if (shows_costs(from)) view.costs = from.costs;
    if (from.workspace == explore_view) {
        view.bottom_tab = from.bottom_tab;
        view.breakdown = from.breakdown;
    }
    if (from.workspace == compare_view) view.compare = from.compare;
    if (from.workspace == what_if_view) view.what_if = from.what_if;
    if (from.workspace == train_view) take_training(view.train, from.train);
}

// What a run is asked, less what is looked at while it goes on.
RunPlace asked_run(const RunPlace& from) {
    RunPlace run = from;
    run.trail.clear();
    run.goes = false;
    std::erase_if(run.experiments.changes, [](const RunChange& each) { return !each.on; });
    if (run.opens) run.layer = run.head = 0;
    return run;
}

std::vector<std::string> not_in_link(const Session& session) {
    std::vector<std::string> lost;
    const View& view = session.view;
    const Document& document = kept_document(session);
    if (!document.file.empty())
        lost.push_back("The file " + std::filesystem::path(document.file).filename().string() +
                       " is not in the link, nor are its weights: it says the model by a preset and its changes.");
    if (view.workspace == run_view && view.run.source == RunSource::file)
        lost.emplace_back("Who opens the link has no weights to run: the view shows the model that ships.");
    if (view.workspace == run_view && !view.run.trail.empty())
        lost.emplace_back("The pinned number is not in the link.");
    if (view.workspace == train_view) {
        lost.emplace_back("What was learned is not in the link: who opens it begins with first weights.");
        if (view.train.settings.task.kind == TaskKind::text)
            lost.emplace_back("The text that is learned is a file, and not in the link.");
    }
    if (view.workspace == worksheet_view) {
        const std::string& sheet = session.desk.kept.sheet.worksheet;
        if (is_path(sheet) && lesson_address(session, sheet).empty())
            lost.emplace_back("The worksheet is a file, and not in the link.");
        if (!session.desk.progress().given.empty()) lost.emplace_back("Answers are not in the link.");
    }
    if (view.workspace == claims_view && is_path(view.claim.file))
        lost.emplace_back("The claim is from a file, and not in the link.");
    const std::vector<Tour> shipped = session.run ? all_tours().tours : std::vector<Tour>{};
    if (session.run && tour_address(session).empty() &&
        std::ranges::none_of(shipped, [&](const Tour& each) { return each == session.run->source; }))
        lost.emplace_back("The tour is a file: the link says its name, and not what is in it.");
    return lost;
}

void link_lesson(const Session& session, Linked& state) {
    const View& view = session.view;
    const SheetChoice& sheet = session.desk.kept.sheet;
    const bool file = is_path(sheet.worksheet);
    if (file) state.lesson = view.workspace == worksheet_view ? lesson_address(session, sheet.worksheet) : "";
    if (view.workspace == worksheet_view && (!file || !state.lesson.empty()))
        state.sheet = {file ? "" : sheet.worksheet, sheet.seed, session.desk.progress().question};
    if (view.workspace == claims_view && !is_path(view.claim.file)) state.view.claim.claim = view.claim.claim;
}

// Whoever made the link has no say in which files are opened here.
bool names_file(const std::string& worksheet) {
    const Result<std::filesystem::path> found = find_worksheet(worksheet);
    return is_path(worksheet) || (found && found->filename() != worksheet + ".json");
}

void open_linked_sheet(Session& session, const LinkedSheet& linked, std::vector<std::string>& lost) {
    const auto ask = [&](Intent intent) { headcount::apply(session, Intents{std::move(intent)}); };
    if (names_file(linked.worksheet)) {
        lost.push_back(sentence({quote(linked.worksheet) + " is a file", "link, sheet", "name a sheet that ships"}));
        return;
    }
    ask(AtDesk{OpenSheet{linked.worksheet, linked.seed}});
    if (!session.view.notice.text.empty()) lost.push_back(session.view.notice.text);
    const auto& sheet = session.desk.sheet;
    if (sheet && linked.question < sheet->questions.size()) ask(AtDesk{ShowQuestion{linked.question}});
}

// The file of the lesson that a link names. Errors: it is not here, or is none.
Result<std::filesystem::path> lesson_file(const Session& session, const std::string& address) {
    const std::string where = "link, lesson";
    if (!session.lessons)
        return Error{quote(address) + " lies beside the page of the link", where,
                     "open the link in a browser, or that file itself"};
    const std::filesystem::path path(address), file = (*session.lessons / path).lexically_normal();
    if (path.is_absolute() || lesson_address(session, file).empty())
        return Error{quote(address) + " is not below the page", where, "name one that is, such as lessons/heads.json"};
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return Error{quote(address) + " was not found beside the page", where, "ask whoever made the link where it is"};
    if (!meant_as(file, JsonKind::worksheet) && !meant_as(file, JsonKind::tour))
        return Error{quote(address) + " is no tour and no worksheet", where, "ask whoever made the link"};
    return file;
}

// From the first, where the tour that runs has so many.
void go_to_step(Session& session, std::size_t step) {
    const std::size_t steps = session.run ? session.run->tour.steps.size() : 0;
    if (step > 0 && step < steps) headcount::apply(session, Intents{StepTour{static_cast<int>(step), true}});
}

void open_linked_file(Session& session, const Linked& state, std::vector<std::string>& lost) {
    const auto ask = [&](Intent intent) { headcount::apply(session, Intents{std::move(intent)}); };
    const Result<std::filesystem::path> file = lesson_file(session, state.lesson);
    if (!file) return lost.push_back(sentence(file.error()));
    ask(OpenFile{file->string()});
    const std::string notice = std::exchange(session.view.notice, {}).text;
    if (!notice.empty()) return lost.push_back(notice);
    if (session.run) {
        go_to_step(session, state.view.show.step);
        return;
    }
    if (state.sheet.seed) ask(AtDesk{OpenSheet{file->string(), state.sheet.seed}});
    const auto& sheet = session.desk.sheet;
    if (sheet && state.sheet.question < sheet->questions.size()) ask(AtDesk{ShowQuestion{state.sheet.question}});
}

void open_lesson(Session& session, const Linked& state, std::vector<std::string>& lost) {
    const auto ask = [&](Intent intent) { headcount::apply(session, Intents{std::move(intent)}); };
    if (!state.lesson.empty()) return open_linked_file(session, state, lost);
    if (!state.sheet.worksheet.empty()) open_linked_sheet(session, state.sheet, lost);
    if (!state.view.claim.claim.empty()) {
        const Result<ClaimPlace> claim = named_claim(state.view.claim.claim, "link, claim");
        if (claim) ask(AtClaims{ChooseClaim{claim->file, claim->claim}});
        if (!claim) lost.push_back(sentence(claim.error()));
    }
    const Show& show = state.view.show;
    if (show.tour.empty()) return;
    const auto known = [&](const Tour& tour) { return tour.id == show.tour; };
    if (std::ranges::none_of(session.tours, known)) {
        std::vector<std::string_view> ids;
        for (const Tour& tour : session.tours) ids.push_back(tour.id);
        lost.push_back(sentence({"there is no tour " + quote(show.tour), "link, tour", did_you_mean(show.tour, ids)}));
        return;
    }
    ask(StartTour{show.tour});
    go_to_step(session, show.step);
}

}  // namespace

Linked linked_of(const Session& session) {
    const View& view = session.view;
    Linked state;
    state.document = kept_document(session);
    if (view.workspace != compare_view) state.document.with.reset();
    state.view.theme = view.theme;
    state.view.chrome = view.chrome;
    state.view.show.presenting = view.show.presenting;
    if (session.run) {
        state.lesson = tour_address(session);
        if (state.lesson.empty()) state.view.show.tour = view.show.tour;
        state.view.show.step = view.show.step;
        return state;
    }
    take_shown(state.view, view);
    if (view.workspace == run_view) state.view.run = asked_run(view.run);
    link_lesson(session, state);
    if (!shows_diagram(session)) return state;
    const Look& look = model_in_view(session).look;
    state.at = place_text(look.here);
    state.select = subject_key(look.selection);
    state.tilted = look.tilted;
    state.log_sides = look.log_sides;
    return state;
}

Result<WrittenLink> link_of(const Session& session) {
    Result<WrittenLink> link = write_link(linked_of(session), session.presets);
    if (!link) return link;
    std::vector<std::string> lost = not_in_link(session);
    link->lost.insert(link->lost.begin(), lost.begin(), lost.end());
    return link;
}

std::vector<std::string> open_link(Session& session, const ReadLink& link) {
    const auto ask = [&](Intent intent) { headcount::apply(session, Intents{std::move(intent)}); };
    const Linked& state = link.state;
    std::vector<std::string> lost;
    if (session.run) ask(LeaveTour{});
    show_whole(session, state.document);
    session.notes = all_notes(session);
    View& view = session.view;
    view.manual.reset();
    view.task.reset();
    view.welcome = {};
    if (link.themed) view.theme = state.view.theme;
    view.chrome = state.view.chrome;
    take_shown(view, state.view);
    if (view.workspace == run_view) ask(AtRun{SetRun{state.view.run}});
    ask(ShowWorkspace{view.workspace});
    open_lesson(session, state, lost);
    ask(Present{state.view.show.presenting});
    return lost;
}

std::vector<std::string> look_as_linked(Session& session, const Linked& state) {
    std::vector<std::string> lost;
    Shown& model = model_in_view(session);
    const Counted& shown = model.derived.shown;
    model.look.tilted = state.tilted;
    model.look.log_sides = state.log_sides;
    // The command line says where it was typed; here that is the link.
    const auto lose = [&](Error wrong, const char* where) {
        wrong.where = where;
        lost.push_back(sentence(wrong));
    };
    if (!state.select.empty()) {
        const Subject subject = subject_from_key(state.select);
        const std::optional<Error> wrong = check_selection(subject, state.select, shown.graph);
        if (wrong) lose(*wrong, "link, select");
        if (!wrong) model.look.selection = subject;
    }
    if (session.run || (state.at.empty() && model.look.here.id.empty())) return lost;
    const Result<Place> place = read_place(state.at.empty() ? "model" : state.at, shown);
    if (place) go_to(model.look, *place);
    if (!place) lose(place.error(), "link, at");
    return lost;
}

void show_link(Session& session, const ReadLink& link) {
    std::vector<std::string> lost = link.lost;
    for (std::string& each : open_link(session, link)) lost.push_back(std::move(each));
    for (std::string& each : look_as_linked(session, link.state)) lost.push_back(std::move(each));
    session.view.notice = notice_of_program(
        lost.empty() ? "" : "Not all of the link could be read: " + listed(lost, std::identity(), "; "));
}

void open_link_text(Session& session, std::string_view text) {
    const Result<ReadLink> link = read_link(text, session.presets);
    if (link)
        show_link(session, *link);
    else
        session.view.notice = notice_of_program("The link could not be opened: " + sentence(link.error()));
}

}  // namespace headcount
