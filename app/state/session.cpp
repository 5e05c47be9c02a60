// The one place where the document changes.
#include "app/state/session.hpp"

#include <algorithm>
#include <cassert>

#include "app/state/overloaded.hpp"
#include "app/state/shortcuts.hpp"
#include "app/state/side_model.hpp"
#include "core/base/json_file.hpp"
#include "core/files/open.hpp"
#include "core/lesson/worksheet_files.hpp"

namespace headcount {
namespace {

constexpr std::size_t longest_history = 500;

void set_document(Session& session, Document document) {
    if (document == session.document) return;
    const bool other_file = document.file != session.document.file;
    session.document = std::move(document);
    // What cannot be shown leaves the last picture; but not that of another file, which would pass for this one's.
    const bool possible = !other_file || validate(session.document.architecture).empty();
    session.derived = derive(session.document, possible ? &session.derived : nullptr);
    session.compared = false;
    if (other_file) session.view.file_changed = false;
}

// The weights beside what is shown. Not in the middle of a drag, and of a large mixture, whose 70,000 tensors take a
// tenth of a second, not before somebody looks.
void compare_weights(Session& session) {
    if (session.compared || session.dragging) return;
    session.compared = true;
    const KnownFile* const file = session.file();
    const Counted& shown = session.derived.shown;
    Weights& weights = session.derived.weights;
    if (!file || !file->checkpoint) {
        weights = {};
        return;
    }
    const bool same_file = weights.checkpoint == file->checkpoint;
    if (same_file && weights.of == shown.architecture) return;
    constexpr std::size_t many = 10'000;
    if (same_file && file->checkpoint->tensors.size() > many && session.view.bottom_tab != BottomTab::weights) {
        session.compared = false;
        return;
    }
    weights = {file->checkpoint, nullptr, "", shown.architecture};
    Result<CheckpointMatch> match =
        match_checkpoint(*file->checkpoint, shown.architecture, shown.graph, shown.parameters);
    if (match)
        weights.match = std::make_shared<const CheckpointMatch>(std::move(*match));
    else
        weights.failure = sentence(match.error());
}

// Of the diagram beside a lesson, where one is on the screen.
std::optional<View> side_view(const Session& session) {
    const Session& shown = on_screen(session);
    return &shown == &session ? std::nullopt : std::optional(shown.view);
}

// A selection of something that the edited model no longer has is dropped, so that no panel shows a ghost.
void drop_lost_selection(Session& session) {
    const auto* tensor = std::get_if<TensorSubject>(&session.view.selection);
    if (tensor && !session.derived.shown.graph.find(tensor->id)) session.view.selection = {};
}

void show_whole(Session& session, Document document) {
    session.dragging = false;
    session.view.edited.reset();
    set_document(session, std::move(document));
    session.history.commit(session.document);
}

void show_opened(Session& session, Document document) {
    show_whole(session, std::move(document));
    if (std::optional<Document> next = follow_opened(session)) show_whole(session, std::move(*next));
}

// What a tour asks to be shown.
void show_toured(Session& session, std::optional<Document> document) {
    if (document) show_whole(session, std::move(*document));
}

// The notes are on one base, and go when an undo leaves it.
void drop_lost_notes(Session& session, const Architecture& base) {
    if (session.document.base != base) session.notes.clear();
}

void keep_as_read(Session& session, const std::string& path) {
    session.view.file_changed = false;
    if (const auto known = session.files.find(path); known != session.files.end()) take_as_read(known->second);
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

// A worksheet goes onto the desk, and the document stays.
void open_worksheet_file(Session& session, const OpenFile& open) {
    View& view = session.view;
    const std::string problem =
        change_desk(session.desk, OpenSheet{open.path, {}}, session.presets, session.document.architecture);
    if (!problem.empty()) {
        view.notice = problem;
        return;
    }
    remember_file(view, absolute_path(open.path));
    view.task.reset();
    view.workspace = Workspace::worksheet;
    if (open.others > 0) view.notice = about_others(open.path, open.others);
}

// A file of claims becomes a further group in the Claims view.
void open_claims_file(Session& session, const OpenFile& open) {
    View& view = session.view;
    const std::string problem = open_claims(session, open.path);
    if (!problem.empty()) {
        view.notice = problem;
        return;
    }
    remember_file(view, absolute_path(open.path));
    view.task.reset();
    view.workspace = Workspace::claims;
    if (open.others > 0) view.notice = about_others(open.path, open.others);
}

// The claim's model as the document, at the place that the claim is about.
void explore_claim(Session& session) {
    std::optional<Document> document = document_of_claim(session);
    if (!document) return;
    const Session& side = on_screen(session);
    const Subject selection = side.view.selection;
    const Place place = side.view.asked_for;
    session.view.workspace = Workspace::explore;
    show_opened(session, std::move(*document));
    session.notes = all_notes(session);
    session.view.selection = selection;
    session.view.asked_for = place;
    ++session.view.askings;
}

void open_file(Session& session, const OpenFile& open) {
    if (is_claims_file(open.path)) return open_claims_file(session, open);
    if (is_worksheet_file(open.path)) return open_worksheet_file(session, open);
    View& view = session.view;
    Result<Opened> opened = open_architecture(open.path, session.presets);
    const std::string path = absolute_path(open.path);
    Result<Document> document =
        opened ? document_of(*opened, path, session.document.input) : Result<Document>(opened.error());
    if (!document) {
        view.notice = "Could not be opened: " + sentence(document.error());
        keep_as_read(session, path);  // it is not offered again before it changes once more
        return;
    }
    if (!opened->preset) {
        session.files[path] = known_file(path, *opened);
        remember_file(view, path);
    }
    view.task.reset();
    view.file_changed = false;
    show_opened(session, std::move(*document));
    session.compared = false;
    session.notes = all_notes(session);
    if (session.document.architecture.vocab == 0) view.selection = Field::vocab;  // where it is asked for
    if (open.others > 0) view.notice = about_others(path, open.others);
}

bool touches_desk(const Intent& intent) {
    return std::holds_alternative<AtDesk>(intent) || std::holds_alternative<OpenFile>(intent);
}

void write_file(Session& session, const WriteFile& write, Effects& effects) {
    View& view = session.view;
    const auto written = write_text(write.path, write.text);
    if (!written) {
        view.notice = "Could not be saved: " + sentence(written.error());
        return;
    }
    view.task.reset();
    view.folder = std::filesystem::path(write.path).parent_path().string();
    if (write.path.ends_with(".headcount")) remember_file(view, write.path);
    view.notice = "Saved " + write.what + " as " + write.path;
    effects.notice_ends = true;
    // Our own writing is no change that anybody has to be asked about.
    if (write.path == session.document.file) keep_as_read(session, write.path);
}

void apply_one(Session& session, const Intent& intent, Effects& effects) {
    std::visit(Overloaded{
                   [&](const Replace& replace) {
                       if (replace.edited) session.view.edited = replace.edited;
                       session.dragging = !replace.settled;
                       set_document(session, replace.document);
                       if (replace.settled) session.history.commit(session.document, replace.run);
                   },
                   [&](const AskBeside& ask) {
                       if (Session* const side = beside(session, session.view.workspace)) {
                           Document document = side->document;
                           document.input = ask.input;
                           set_document(*side, std::move(document));
                       }
                   },
                   [&](const Settle& settle) {
                       session.dragging = false;
                       session.history.commit(session.document, settle.run);
                   },
                   [&](const OpenPreset& open) {
                       const Preset* preset = find_preset(session.presets, open.id);
                       if (!preset) return;
                       Document document = document_of(*preset);
                       document.input = session.document.input;
                       show_opened(session, std::move(document));
                       session.notes.clear();
                       if (!preset->note.empty()) session.notes.push_back(preset->note);
                   },
                   [&](const OpenFile& open) { open_file(session, open); },
                   [&](const Reload&) {
                       if (!session.document.file.empty()) open_file(session, {session.document.file});
                   },
                   [&](const KeepAsRead&) { keep_as_read(session, session.document.file); },
                   [&](const FileChanged&) { session.view.file_changed = true; },
                   [&](const AskForFile& ask) { session.view.task = ask.task; },
                   [&](const WriteFile& write) { write_file(session, write, effects); },
                   [&](const WritePicture& write) {
                       session.view.task.reset();
                       session.view.folder = std::filesystem::path(write.path).parent_path().string();
                       effects.picture = write.path;
                   },
                   [&](const Select& select) { on_screen(session).view.selection = select.subject; },
                   [&](const Hover& hover) { on_screen(session).view.hover = hover.subject; },
                   [&](const Hide& hide) {
                       std::vector<Subject>& hidden = session.view.hidden;
                       if (std::erase(hidden, hide.subject) == 0) hidden.push_back(hide.subject);
                   },
                   [&](const ShowHidden&) { session.view.hidden.clear(); },
                   [&](const ShowTab& show) { session.view.bottom_tab = show.tab; },
                   [&](const ShowWorkspace& show) { session.view.workspace = show.workspace; },
                   [&](const GoTo& go) {
                       View& view = on_screen(session).view;
                       view.asked_for = go.place;
                       ++view.askings;
                   },
                   [&](const Arrive& arrive) { on_screen(session).view.here = arrive.place; },
                   [&](const Tilt& tilt) { on_screen(session).view.tilted = tilt.tilted; },
                   [&](const DrawLogSides& draw) { on_screen(session).view.log_sides = draw.log_sides; },
                   [&](const SetTheme& set) { session.view.theme = set.theme; },
                   [&](const ReduceMotion& motion) {
                       session.view.reduced_motion = motion.reduced;
                       session.view.notice = motion.reduced ? "Motion is reduced" : "Motion is as usual";
                       effects.notice_ends = true;
                   },
                   [&](const SetScale& set) { session.view.scale = std::clamp(set.scale, least_scale, most_scale); },
                   [&](const ShowHelp& show) { session.view.help = show.shown; },
                   [&](const Ask& bar) { session.view.asking = bar.asking; },
                   [&](const Copy& copy) {
                       effects.clipboard = copy.text;
                       session.view.notice = "Copied " + copy.what;
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
                   [&](const LeaveTour&) { show_toured(session, leave_tour(session)); },
                   [&](const Present& present) {
                       session.view.show.presenting = present.presenting;
                       if (!present.presenting) return;
                       session.view.workspace = Workspace::explore;
                       session.view.help = false;
                   },
                   [&](const AtDesk& at) {
                       const std::string problem =
                           change_desk(session.desk, at.what, session.presets, session.document.architecture);
                       if (!problem.empty()) session.view.notice = problem;
                   },
                   [&](const AtClaims& at) {
                       if (std::holds_alternative<OpenClaimModel>(at.what))
                           explore_claim(session);
                       else
                           change_claims(session, at.what);
                   },
                   [&](const Undo&) {
                       session.dragging = false;
                       const Architecture base = session.document.base;
                       session.history.commit(session.document);
                       if (session.history.can_undo()) set_document(session, session.history.undo());
                       drop_lost_notes(session, base);
                   },
                   [&](const Redo&) {
                       session.dragging = false;
                       const Architecture base = session.document.base;
                       if (session.history.can_redo()) set_document(session, session.history.redo());
                       drop_lost_notes(session, base);
                   },
               },
               intent);
}

}  // namespace

void History::commit(const Document& document, unsigned run) {
    if (!entries_.empty() && entries_[at_] == document) return;
    const bool joins = run != 0 && run == run_;  // then the newest entry is the last, and not the first
    run_ = run;
    if (joins) {
        --at_;
        if (entries_[at_] == document) run_ = 0;
    }
    if (!entries_.empty()) entries_.resize(at_ + 1, document);
    if (joins && run_ == 0) return;
    entries_.push_back(document);
    if (entries_.size() > longest_history) entries_.erase(entries_.begin());
    at_ = entries_.size() - 1;
}

const Document& History::undo() {
    assert(can_undo());
    run_ = 0;
    return entries_[--at_];
}

const Document& History::redo() {
    assert(can_redo());
    run_ = 0;
    return entries_[++at_];
}

const KnownFile* Session::file() const {
    const auto found = files.find(document.file);
    return document.file.empty() || found == files.end() ? nullptr : &found->second;
}

void sit_at_desk(Session& session) {
    if (session.view.workspace != Workspace::worksheet) return;
    Desk& desk = session.desk;
    open_desk(desk, session.presets, session.document.architecture);
    const SheetQuestion* const question = desk.question();
    if (!question) return show_nothing_beside(session, Workspace::worksheet);
    const LessonModel& model = *question->model;
    if (show_beside(session, Workspace::worksheet, model.architecture, model.input)) return;
    const std::string lit = desk.lit();
    if (lit == desk.lighted && question->id == desk.lighted_for) return;
    desk.lighted = lit;
    desk.lighted_for = question->id;
    light_beside(session, Workspace::worksheet, lit);
}

std::vector<std::string> all_notes(const Session& session) {
    if (const KnownFile* file = session.file()) return file->notes;
    const Preset* const preset = find_preset(session.presets, session.document.preset);
    return preset && !preset->note.empty() ? std::vector{preset->note} : std::vector<std::string>{};
}

Result<Document> document_of(const Opened& opened, const std::string& path, const Input& input) {
    constexpr std::int64_t usual_vocab = 32000;  // Llama 1's and 2's, whose params.json leaves it open
    Architecture base = opened.architecture;
    if (base.vocab == 0) base.vocab = usual_vocab;
    Result<Document> document = document_of(base, input);
    if (!document) return document;
    document->architecture = opened.architecture;
    if (opened.preset)
        document->preset = opened.preset->id;
    else
        document->file = path;
    return document;
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
        session.files[path] = known_file(path, *opened);
    else
        problem = "The model goes on without its file: " + sentence(opened.error());
    session.compared = false;
    compare_weights(session);
    return problem;
}

Result<Document> document_of(const Architecture& opened, const Input& input) {
    Document document{opened, opened, "", input};
    Result<Counted> counted = count(opened, Input{.tokens = 1});
    if (!counted) return counted.error();
    return document;
}

Document document_of(const Preset& preset) {
    return {preset.architecture, preset.architecture, preset.id, Input{}};
}

std::string title_of(const Document& document) {
    constexpr std::string_view remark = ", edited";
    const std::string& name = document.base.name;
    if (document.architecture == document.base || name.ends_with(remark)) return name;
    if (document.architecture.vocab == 0) {  // the file left it open: nobody has edited that
        Document filled = document;
        filled.architecture.vocab = document.base.vocab;
        return title_of(filled);
    }
    return name + std::string(remark);
}

Session start_session(std::vector<Preset> presets, Document document) {
    Session session;
    session.presets = std::move(presets);
    session.document = std::move(document);
    session.derived = derive(session.document, nullptr);
    session.history.commit(session.document);
    return session;
}

Effects apply(Session& session, std::span<const Intent> intents) {
    Effects effects;
    Document document = session.document;
    View view = session.view;
    const std::optional<View> side = side_view(session);
    session.view.hover = {};  // whoever is pointed at says so in every frame
    on_screen(session).view.hover = {};
    auto only_points = [](const Intent& intent) {
        return std::holds_alternative<Hover>(intent) || std::holds_alternative<Arrive>(intent) ||
               std::holds_alternative<FileChanged>(intent);
    };
    if (!std::all_of(intents.begin(), intents.end(), only_points)) session.view.notice.clear();
    const bool at_desk = std::any_of(intents.begin(), intents.end(), touches_desk);
    const DeskState desk = at_desk ? session.desk.kept : DeskState{};
    for (const Intent& intent : intents) apply_one(session, intent, effects);
    sit_at_desk(session);
    look_at_claims(session);
    compare_weights(session);
    follow_words(session);
    drop_lost_selection(session);
    if (Session& shown = on_screen(session); &shown != &session) drop_lost_selection(shown);
    look_alike_beside(session);
    effects.document_changed = session.document != document;
    effects.view_changed = session.view != view || side_view(session) != side || (at_desk && session.desk.kept != desk);
    return effects;
}

}  // namespace headcount
