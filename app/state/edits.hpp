// Edits of the document, undo and redo. Only `apply` edits.
#pragma once

#include "app/state/session.hpp"

namespace headcount {

void replace_document(Session& session, const Replace& asked);
// No slider is held any more: what was dragged is one edit of its own, or a part of its run.
void settle_edit(Session& session, unsigned run);
void undo_edit(Session& session, Effects& effects);
void redo_edit(Session& session, Effects& effects);

}  // namespace headcount
