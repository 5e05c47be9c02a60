// Edits of the document, undo and redo.
#include "app/state/edits.hpp"

#include "app/state/change_document.hpp"
#include "app/state/compare/page.hpp"
#include "core/arch/changes.hpp"

namespace headcount {
namespace {

// The notes are on one base, and go when an undo leaves it.
void drop_lost_notes(Session& session, const Architecture& base) {
    if (session.document.base != base) session.notes.clear();
}

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
    session.view.notice = std::string(done) + ": " + change;
    effects.notice_ends = true;
}

void begin_edit(Session& session) {
    if (session.edit && !session.edit->settled) return;
    session.edit = {++session.edits, false, session.view.workspace, session.derived.shown.architecture};
}

}  // namespace

void settle_edit(Session& session, unsigned run) {
    session.dragging = false;
    session.history.commit(session.document, run);
    if (session.edit) session.edit->settled = true;
}

void replace_document(Session& session, const Replace& asked) {
    if (asked.edited) session.look.edited = asked.edited;
    begin_edit(session);
    session.dragging = !asked.settled;
    set_document(session, beside_what_is_shown(session, asked.document));
    if (asked.settled) settle_edit(session, asked.run);
}

void undo_edit(Session& session, Effects& effects) {
    session.dragging = false;
    session.edit.reset();
    const Architecture base = session.document.base, before = session.document.architecture;
    session.history.commit(session.document);
    if (session.history.can_undo()) set_document(session, session.history.undo());
    drop_lost_notes(session, base);
    say_unseen(session, "Undone", before, effects);
}

void redo_edit(Session& session, Effects& effects) {
    session.dragging = false;
    session.edit.reset();
    const Architecture base = session.document.base, before = session.document.architecture;
    if (session.history.can_redo()) set_document(session, session.history.redo());
    drop_lost_notes(session, base);
    say_unseen(session, "Redone", before, effects);
}

}  // namespace headcount
