// Files that the session opens and writes, and what it remembers of them.
#include "app/state/session_files.hpp"

#include "app/state/edits.hpp"
#include "app/state/in_view.hpp"
#include "app/state/open_link.hpp"
#include "core/base/write_file.hpp"
#include "core/diagnose/theirs.hpp"
#include "core/files/documents.hpp"
#include "core/files/json_kind.hpp"
#include "core/files/stored_formats.hpp"
#include "core/tours/tour.hpp"
#include "core/worksheet/worksheet.hpp"

namespace headcount {
namespace {

enum class Held { claims, worksheet, tour, activations, answers, model };
Held held_by(const std::filesystem::path& path) {
    for (const auto& [kind, held] : {std::pair(JsonKind::claims, Held::claims),
                                     {JsonKind::worksheet, Held::worksheet},
                                     {JsonKind::tour, Held::tour}})
        if (meant_as(path, kind)) return held;
    if (holds_activations(path)) return Held::activations;
    return worksheet_of_answers(path) ? Held::answers : Held::model;
}

// The last one first, each once.
void remember_file(View& view, const std::string& path) {
    std::erase(view.recent, path);
    view.recent.insert(view.recent.begin(), path);
    if (view.recent.size() > most_recent) view.recent.resize(most_recent);
    view.folder = std::filesystem::path(path).parent_path().string();
}

std::string about_others(const std::string& path, std::size_t others) {
    const std::string one = "Opened " + std::filesystem::path(path).filename().string() + ". ";
    if (others == 1) return one + "The other file that was dropped was not opened.";
    return one + "The " + std::to_string(others) + " others that were dropped were not opened.";
}

// What was read lies in a view of its own, to which the window turns; or the notice says why it was not read.
void turn_to(std::string_view workspace, View& view, const OpenFile& open, const std::string& problem) {
    if (!problem.empty()) {
        view.notice = notice_of_program(problem);
        return;
    }
    remember_file(view, absolute_path(open.path));
    view.task.reset();
    view.workspace = workspace;
    if (open.others > 0) view.notice = notice_of_program(about_others(open.path, open.others));
}

// Where the view shows another model than the one that was opened, and what that is would not be seen.
void turn_to_opened(Session& session) {
    View& view = session.view;
    const bool runs_another = view.workspace == run_view && view.run.source == RunSource::shipped;
    const bool unseen = view.workspace == run_view ? runs_another : shows_another(session);
    if (!unseen) return;
    const std::string why =
        runs_another ? " has no weights to run, and is shown here" : " was opened, and is shown here";
    view.workspace = explore_view;
    view.notice = notice_of_program(title_of(session.document) + why);
}

// A worksheet goes onto the desk, and the document stays.
void open_worksheet_file(Session& session, const OpenFile& open) {
    const SheetChoice left = session.desk.kept.as_left(absolute_path(open.path));
    const std::string problem =
        change_desk(session.desk, OpenSheet{left.worksheet, left.seed}, session.presets, session.document.architecture);
    turn_to(worksheet_view, session.view, open, problem);
}

// The class's table lies on the sheet that its answers name, or else on the one that is open.
void open_answers_folder(Session& session, const OpenFile& open) {
    const std::string path = absolute_path(open.path), worksheet = worksheet_of_answers(path).value_or("");
    const auto change = [&](const DeskIntent& what) {
        return change_desk(session.desk, what, session.presets, session.document.architecture);
    };
    std::string problem;
    if (!worksheet.empty()) {
        const SheetChoice left = session.desk.kept.as_left(worksheet);
        if (left != session.desk.kept.sheet || !session.desk.sheet)
            problem = change(OpenSheet{left.worksheet, left.seed});
    }
    if (problem.empty()) problem = change(OpenClass{path});
    turn_to(worksheet_view, session.view, open, problem);
}

// A tour starts, and stays in the list of them.
void open_tour_file(Session& session, const OpenFile& open) {
    View& view = session.view;
    const std::string path = absolute_path(open.path);
    Result<Tour> tour = read_tour(path);
    if (!tour) {
        view.notice = notice_of_program("Could not be opened: " + sentence(tour.error()));
        return;
    }
    const std::string id = tour->id;
    add_tour(session.tours, std::move(*tour));
    remember_file(view, path);
    std::erase(view.tour_files, path);
    view.tour_files.push_back(path);
    view.task.reset();
    if (open.others > 0) view.notice = notice_of_program(about_others(open.path, open.others));
    if (std::optional<Document> document = start_tour(session, id)) show_whole(session, std::move(*document));
}

// Somebody else's activations, to be compared with the model's.
void open_activations(Session& session, const OpenFile& open) {
    turn_to(run_view, session.view, open, run_against(session, absolute_path(open.path)));
}

}  // namespace

void keep_as_read(Session& session, const std::string& path) {
    session.view.file_changed = false;
    if (const auto known = session.files.find(path); known != session.files.end()) take_as_read(known->second);
}

bool holds_no_model(const std::filesystem::path& path) { return held_by(path) != Held::model; }

void open_file(Session& session, const OpenFile& open) {
    if (is_link(open.path)) return open_link_text(session, open.path);
    const Held held = held_by(open.path);
    // A file of claims becomes a further group in the Claims view.
    if (held == Held::claims)
        return turn_to(claims_view, session.view, open, open_claims(claims_look(session), open.path));
    if (held == Held::worksheet) return open_worksheet_file(session, open);
    if (held == Held::tour) return open_tour_file(session, open);
    if (held == Held::activations || open.against) return open_activations(session, open);
    if (held == Held::answers) return open_answers_folder(session, open);
    View& view = session.view;
    Result<Opened> opened = open_architecture(open.path, session.presets);
    const std::string path = absolute_path(open.path);
    const Document& before = kept_document(session);
    Input input = without_lent(session.running, before.input);
    if (opened) {
        session.running.lent.reset();
        // What the file leaves open is as it was chosen, and not as the model before is published.
        input = input_for_other(input, published_input(before.base, before.stored),
                                published_input(opened->architecture, opened->precision));
        input.precision = opened->precision.value_or(input.precision);
        if (opened->cache) input.cache = opened->cache;
        // Of a model with fewer positions as many tokens as it begins with.
        const Architecture& arch = opened->architecture;
        if (has_position_table(arch) && input.tokens + input.cached > arch.context) {
            input.tokens = first_input(arch).tokens;
            input.cached = 0;
        }
    }
    Result<Document> document = opened ? document_of(*opened, path, input) : Result<Document>(opened.error());
    if (!document) {
        view.notice = notice_of_program("Could not be opened: " + sentence(document.error()));
        keep_as_read(session, path);  // it is not offered again before it changes once more
        return;
    }
    if (!opened->preset) {
        session.files[path] = known_file(*opened);
        remember_file(view, path);
    }
    view.task.reset();
    view.file_changed = false;
    show_opened(session, std::move(*document));
    run_opened_weights(session);
    session.compared = false;
    session.notes = all_notes(session);
    if (session.document.architecture.vocab == 0) session.look.selection = Field::vocab;  // where it is asked for
    turn_to_opened(session);
    if (open.others > 0) view.notice = notice_of_program(about_others(path, open.others));
}

std::optional<Error> cannot_save(const Session& session, const std::filesystem::path& path) {
    const KnownFile* const known = session.file();
    if (!known || !known->checkpoint) return std::nullopt;
    return cannot_write(path, known->checkpoint->files);
}

void note_saved(Session& session, const std::string& what, const std::string& path, Effects& effects) {
    View& view = session.view;
    view.task.reset();
    view.folder = std::filesystem::path(path).parent_path().string();
    view.notice = notice_of_program("Saved " + what + " as " + path);
    effects.notice_ends = true;
    effects.written = path;
}

void write_file(Session& session, const WriteFile& write, Effects& effects) {
    View& view = session.view;
    std::optional<Error> error = cannot_save(session, write.path);
    if (!error)
        if (const auto written = write_text(write.path, write.text); !written) error = written.error();
    if (error) {
        view.notice = notice_of_program("Could not be saved: " + sentence(*error));
        return;
    }
    note_saved(session, write.what, write.path, effects);
    if (write.path.ends_with(".headcount")) remember_file(view, write.path);
    // Our own writing is no change that anybody has to be asked about.
    if (write.path == session.document.file) keep_as_read(session, write.path);
}

std::string know_file(Session& session) {
    const std::string& path = session.document.file;
    if (path.empty()) return "";
    session.files.erase(path);
    std::error_code ignored;
    std::string problem;
    if (!std::filesystem::exists(path, ignored))
        problem = path + " is no longer there: the model goes on without its file.";
    else if (const Result<Opened> opened = open_architecture(path, session.presets))
        session.files[path] = known_file(*opened);
    else
        problem = "The model goes on without its file: " + sentence(opened.error());
    session.compared = false;
    compare_weights(session);
    return problem;
}

}  // namespace headcount
