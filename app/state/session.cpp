// The one place where the document changes.
#include "app/state/session.hpp"

#include <algorithm>

#include "app/state/change_document.hpp"
#include "app/state/edits.hpp"
#include "app/state/overloaded.hpp"
#include "app/state/session_files.hpp"
#include "app/state/shortcuts.hpp"
#include "app/state/side_model.hpp"

namespace headcount {
namespace {

// What is selected of a head is, in another head's place, that head's.
void arrive_at(Session& session, const Place& place) {
    View& view = session.view;
    view.here = place;
    auto* const tensor = std::get_if<TensorSubject>(&view.selection);
    const ModelGraph& graph = session.derived.shown.graph;
    const Block* const block = graph.find_block(place.id);
    const Tensor* const there = graph.find(place.id);
    if (!tensor || !tensor->copies.head || (!block && !there)) return;
    const auto index = block ? static_cast<BlockIndex>(block - graph.blocks.data()) : there->block;
    if (in_head(graph, index)) tensor->copies.head = place.copy;
}

// Of the diagram beside a lesson, where one is on the screen.
std::optional<View> side_view(const Session& session) {
    const Session& shown = on_screen(session);
    return &shown == &session ? std::nullopt : std::optional(shown.view);
}

// What a tour asks to be shown.
void show_toured(Session& session, std::optional<Document> document) {
    if (document) show_whole(session, std::move(*document));
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

// The Explore view, and back to where that was asked for; but a tour goes on in Explore.
void present(Session& session, bool presenting) {
    View& view = session.view;
    if (presenting == view.show.presenting) return;
    if (presenting) {
        view.show.from = view.workspace;
        show_workspace(view, Workspace::explore);
        view.help = false;
    } else if (!session.run) {
        view.workspace = view.show.from;
    }
    view.show.presenting = presenting;
}

void ask_beside(Session& session, const Input& input) {
    Session* const side = beside(session, session.view.workspace);
    if (!side) return;
    Document document = side->document;
    document.input = input;
    set_document(*side, std::move(document));
}

// With the user's own input, not with that of a tour's step.
void open_preset(Session& session, std::string_view id) {
    const Preset* const preset = find_preset(session.presets, id);
    if (!preset) return;
    Document document = document_of(*preset);
    document.input = kept_document(session).input;
    show_opened(session, std::move(document));
    session.notes.clear();
    if (!preset->note.empty()) session.notes.push_back(preset->note);
}

void work_at_desk(Session& session, const DeskIntent& what) {
    const std::string problem = change_desk(session.desk, what, session.presets, session.document.architecture);
    if (!problem.empty()) session.view.notice = problem;
}

void at_claims(Session& session, const ClaimsIntent& what) {
    if (std::holds_alternative<OpenClaimModel>(what))
        explore_claim(session);
    else
        change_claims(session, what);
}

bool takes_run(const Intent& intent) {
    const auto* const at = std::get_if<AtRun>(&intent);
    return at && std::holds_alternative<TakeRun>(at->what);
}

bool touches_desk(const Intent& intent) {
    return std::holds_alternative<AtDesk>(intent) || std::holds_alternative<OpenFile>(intent);
}

void apply_one(Session& session, const Intent& intent, Effects& effects) {
    std::visit(Overloaded{
                   [&](const Replace& asked) { replace_document(session, asked); },
                   [&](const AskBeside& ask) { ask_beside(session, ask.input); },
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
                       effects.cut = write.cut;
                   },
                   [&](const Select& select) { on_screen(session).view.selection = select.subject; },
                   [&](const Hover& hover) { on_screen(session).view.hover = hover.subject; },
                   [&](const Hide& hide) {
                       std::vector<Subject>& hidden = session.view.hidden;
                       const auto same = [&](const Subject& each) { return alike(each, hide.subject); };
                       if (std::erase_if(hidden, same) == 0) hidden.push_back(hide.subject);
                   },
                   [&](const ShowHidden&) { session.view.hidden.clear(); },
                   [&](const ShowTab& show) { session.view.bottom_tab = show.tab; },
                   [&](const ShowBreakdown& show) { session.view.breakdown = show.chart; },
                   [&](const ShowWorkspace& show) { show_workspace(session.view, show.workspace); },
                   [&](const GoTo& go) {
                       View& view = on_screen(session).view;
                       view.asked_for = go.place;
                       ++view.askings;
                   },
                   [&](const Arrive& arrive) { arrive_at(on_screen(session), arrive.place); },
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
                   [&](const Present& asked) { present(session, asked.presenting); },
                   [&](const AtDesk& at) { work_at_desk(session, at.what); },
                   [&](const AtClaims& at) { at_claims(session, at.what); },
                   [&](const AtWhatIf& at) { change_what_if(session.view.what_if, at.what); },
                   [&](const AtCosts& at) { change_costs(session, at.what); },
                   [&](const AtRun& at) { change_run(session, at.what); },
                   [&](const AtCompare& at) { change_compare(session, at.what); },
                   [&](const Undo&) { undo_edit(session, effects); },
                   [&](const Redo&) { redo_edit(session, effects); },
               },
               intent);
}

}  // namespace

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
    const CountedModel& model = *question->model;
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

void drop_lost_selection(Session& session) {
    const auto* tensor = std::get_if<TensorSubject>(&session.view.selection);
    if (!tensor || session.derived.shown.graph.find(tensor->id)) return;
    const Session* const other = session.view.workspace == Workspace::compare ? other_side(session) : nullptr;
    if (!other || !other->derived.shown.graph.find(tensor->id)) session.view.selection = {};
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
               std::holds_alternative<FileChanged>(intent) || takes_run(intent);
    };
    if (!std::all_of(intents.begin(), intents.end(), only_points)) session.view.notice.clear();
    const bool at_desk = std::any_of(intents.begin(), intents.end(), touches_desk);
    const DeskState desk = at_desk ? session.desk.kept : DeskState{};
    const std::shared_ptr<const Sheet> sheet = session.desk.sheet;  // may be read again from an edited file
    for (const Intent& intent : intents) apply_one(session, intent, effects);
    sit_at_desk(session);
    look_at_claims(session);
    look_at_both(session);
    look_at_what_if(session);
    look_at_costs(session);
    compare_weights(session);
    look_at_run(session);
    follow_words(session);
    drop_lost_selection(session);
    if (Session& shown = on_screen(session); &shown != &session) drop_lost_selection(shown);
    look_alike_beside(session);
    effects.document_changed = session.document != document;
    effects.view_changed = session.view != view || side_view(session) != side ||
                           (at_desk && session.desk.kept != desk) || session.desk.sheet != sheet;
    return effects;
}

}  // namespace headcount
