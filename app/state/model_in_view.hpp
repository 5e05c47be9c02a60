// Which model the view shows: the user's own, or one beside it that a lesson speaks of.
#pragma once

#include "app/state/session.hpp"

namespace headcount {

// Of two that are compared A is it.
Shown& model_in_view(Session& session);
const Shown& model_in_view(const Session& session);

// Whether that is another than the user's own.
bool shows_another(const Session& session);

}  // namespace headcount
