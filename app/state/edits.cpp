// Edits of the document with what follows from it, undo and redo.
#include "app/state/edits.hpp"

#include "app/state/run/page.hpp"
#include "core/arch/fields.hpp"

namespace headcount {
namespace {

// "d_ff 14336 → 11008", where the view has no place that shows it.
std::string unseen_change(const Session& session, const Architecture& before) {
    const std::string& shown = session.view.workspace;
    if (shown != costs_view && shown != what_if_view) return "";
    const Architecture& now = session.document.architecture;
    const std::vector<Field> changed = changed_fields(before, now);
    if (changed.empty()) return "";
    const Field first = changed.front();
    const std::string text =
        std::string(info(first).label) + " " + field_words(before, first) + " → " + field_words(now, first);
    return changed.size() == 1 ? text : text + ", and " + std::to_string(changed.size() - 1) + " more";
}

void say_unseen(Session& session, std::string_view done, const Architecture& before, Effects& effects) {
    const std::string change = unseen_change(session, before);
    if (change.empty()) return;
    session.view.notice = {std::string(done) + ": " + change};
    effects.notice_ends = true;
}

void begin_edit(Session& session) {
    if (session.edit && !session.edit->settled) return;
    session.edit = {++session.edits, false, session.view.workspace, session.derived.shown.architecture};
}

}  // namespace

void set_document(Session& session, Document document) {
    const bool other_file = document.file != session.document.file;
    if (!set_document(static_cast<Shown&>(session), std::move(document))) return;
    session.compared = false;
    if (other_file) session.view.file_changed = false;
}

void show_whole(Session& session, Document document) {
    session.dragging = false;
    session.edit.reset();
    session.look.edited.reset();
    set_document(session, std::move(document));
    session.commit();
}

void show_opened(Session& session, Document document) {
    document.with = kept_document(session).with;  // what it is compared with stays
    show_whole(session, std::move(document));
    if (std::optional<Document> next = follow_opened(session)) show_whole(session, std::move(*next));
}

void compare_weights(Session& session) {
    if (session.compared || session.dragging) return;
    session.compared = true;
    const KnownFile* const file = session.file();
    const Counted& shown = session.derived.shown;
    FileWeights& weights = session.derived.weights;
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

void settle_edit(Session& session, unsigned run) {
    session.dragging = false;
    session.commit(run);
    if (session.edit) session.edit->settled = true;
}

void replace_document(Session& session, const Replace& asked) {
    if (asked.edited) session.look.edited = asked.edited;
    begin_edit(session);
    session.dragging = !asked.settled;
    Document document = asked.document;
    // Where the Compare view is open the B that is shown stays, also where nobody has chosen it.
    if (session.view.workspace == compare_view && !document.with &&
        document.architecture != session.document.architecture)
        document.with = compared_with(session.document, session.presets);
    set_document(session, std::move(document));
    if (asked.settled) settle_edit(session, asked.run);
}

void step_history(Session& session, bool back, Effects& effects) {
    session.dragging = false;
    session.edit.reset();
    const Architecture base = session.document.base, before = session.document.architecture;
    const std::string file = session.document.file;
    History& history = session.history;
    if (back) session.commit();
    if (back ? history.can_undo() : history.can_redo()) {
        const Edited& edited = back ? history.undo() : history.redo();
        session.view.run.experiments = edited.experiments;
        set_document(session, edited.document);
    }
    // The weights that ran go and come with their file.
    if (session.document.file != file && session.document.file.empty()) leave_opened_weights(session);
    if (session.document.file != file) run_opened_weights(session);
    if (session.document.base != base) session.notes.clear();  // they are on one base
    say_unseen(session, back ? "Undone" : "Redone", before, effects);
}

}  // namespace headcount
