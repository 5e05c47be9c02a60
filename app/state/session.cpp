// The one place where the document changes.
#include "app/state/session.hpp"

#include <algorithm>
#include <cassert>

#include "app/state/shortcuts.hpp"
#include "core/files/open.hpp"

namespace headcount {
namespace {

constexpr std::size_t longest_history = 500;

template <class... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <class... Handlers>  // clang deduces this by itself only from version 17 on
Overloaded(Handlers...)->Overloaded<Handlers...>;

void set_document(Session& session, Document document) {
    if (document == session.document) return;
    session.document = std::move(document);
    session.derived = derive(session.document, &session.derived);
}

// A selection of something that the edited model no longer has is dropped, so that no panel shows a ghost.
void drop_lost_selection(Session& session) {
    const auto* tensor = std::get_if<TensorSubject>(&session.view.selection);
    if (tensor && !session.derived.shown.graph.find(tensor->id)) session.view.selection = {};
}

void show_opened(Session& session, Document document) {
    session.view.edited.reset();
    set_document(session, std::move(document));
    session.history.commit(session.document);
}

void apply_one(Session& session, const Intent& intent, Effects& effects) {
    std::visit(Overloaded{
                   [&](const Replace& replace) {
                       if (replace.edited) session.view.edited = replace.edited;
                       set_document(session, replace.document);
                       if (replace.settled) session.history.commit(session.document, replace.run);
                   },
                   [&](const Settle& settle) { session.history.commit(session.document, settle.run); },
                   [&](const OpenPreset& open) {
                       const Preset* preset = find_preset(session.presets, open.id);
                       if (!preset) return;
                       Document document = document_of(*preset);
                       document.input = session.document.input;
                       show_opened(session, std::move(document));
                   },
                   [&](const OpenFile& open) {
                       Result<Opened> opened = open_architecture(open.path, session.presets);
                       Result<Document> document = opened ? document_of(opened->architecture, session.document.input)
                                                          : Result<Document>(opened.error());
                       if (document)
                           show_opened(session, std::move(*document));
                       else
                           session.view.notice = "Could not be opened: " + sentence(document.error());
                   },
                   [&](const Select& select) { session.view.selection = select.subject; },
                   [&](const Hover& hover) { session.view.hover = hover.subject; },
                   [&](const ShowTab& show) { session.view.bottom_tab = show.tab; },
                   [&](const GoTo& go) {
                       session.view.asked_for = go.place;
                       ++session.view.askings;
                   },
                   [&](const Arrive& arrive) { session.view.here = arrive.place; },
                   [&](const Tilt& tilt) { session.view.tilted = tilt.tilted; },
                   [&](const DrawLogSides& draw) { session.view.log_sides = draw.log_sides; },
                   [&](const SetTheme& set) { session.view.theme = set.theme; },
                   [&](const ReduceMotion& motion) {
                       session.view.reduced_motion = motion.reduced;
                       session.view.notice = motion.reduced ? "Motion is reduced" : "Motion is as usual";
                       effects.notice_ends = true;
                   },
                   [&](const SetScale& set) { session.view.scale = std::clamp(set.scale, least_scale, most_scale); },
                   [&](const ShowHelp& show) { session.view.help = show.shown; },
                   [&](const Copy& copy) {
                       effects.clipboard = copy.text;
                       session.view.notice = "Copied " + copy.what;
                       effects.notice_ends = true;
                   },
                   [&](const Tell& tell) {
                       session.view.notice = tell.notice;
                       effects.notice_ends = true;
                   },
                   [&](const Undo&) {
                       session.history.commit(session.document);
                       if (session.history.can_undo()) set_document(session, session.history.undo());
                   },
                   [&](const Redo&) {
                       if (session.history.can_redo()) set_document(session, session.history.redo());
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
    session.view.hover = {};  // whoever is pointed at says so in every frame
    auto only_points = [](const Intent& intent) {
        return std::holds_alternative<Hover>(intent) || std::holds_alternative<Arrive>(intent);
    };
    if (!std::all_of(intents.begin(), intents.end(), only_points)) session.view.notice.clear();
    for (const Intent& intent : intents) apply_one(session, intent, effects);
    drop_lost_selection(session);
    effects.document_changed = session.document != document;
    effects.view_changed = session.view != view;
    return effects;
}

}  // namespace headcount
