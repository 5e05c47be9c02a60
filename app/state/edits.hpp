// Edits of the document, undo and redo. Only `apply` and what it calls edit.
#pragma once

#include "app/state/session.hpp"

namespace headcount {

// In the middle of an edit: undo gets no entry.
void set_document(Session& session, Document document);

// As one edit of its own.
void show_whole(Session& session, Document document);

// The same of a model that was opened: a tour that runs follows it.
void show_opened(Session& session, Document document);

// The weights beside what is shown. Not in the middle of a drag, and of a large mixture, whose 70,000 tensors take a
// tenth of a second, not before somebody looks.
void compare_weights(Session& session);

void replace_document(Session& session, const Replace& asked);
// No slider is held any more: what was dragged is one edit of its own, or a part of its run.
void settle_edit(Session& session, unsigned run);
// Undo, or redo.
void step_history(Session& session, bool back, Effects& effects);

}  // namespace headcount
