// The view on the screen: what it keeps, and which model it shows.
#pragma once

#include "app/state/session.hpp"

namespace headcount {

// The user's own model, or one beside it that a lesson speaks of. Of two that are compared A is it.
Shown& model_in_view(Session& session);
const Shown& model_in_view(const Session& session);

// Whether that is another than the user's own.
bool shows_another(const Session& session);

// Whether it is beside the model that it is compared with.
inline bool shows_both(const Session& session) {
    return session.view.workspace == compare_view && session.comparison.other;
}

// Whether the user's own model is shown, which can be edited there. Lessons speak of others.
bool shows_own_model(const View& view);

// Whether it is shown as a diagram.
bool shows_diagram(const Session& session);

// What the view on the screen shows is worked out, where that is another than before. `apply` ends with it; a start
// does so once.
void look_at_view(Session& session);

// What a view does for itself rests while another is on the screen.
void leave_view(Session& session, const std::string& view);

}  // namespace headcount
