// Another document in the session, with what follows from it. Only `apply` and what it calls change documents.
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

}  // namespace headcount
