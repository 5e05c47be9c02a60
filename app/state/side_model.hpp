// The diagram beside a lesson: a second, small session of the model that the lesson speaks of. The user's own document
// stays as it is.
#pragma once

#include <optional>
#include <string_view>

#include "app/state/session.hpp"

namespace headcount {

// Shows this model beside the lesson of a workspace. Where it is there already, nothing changes; of another one the
// diagram is seen as it was. Errors: it is impossible, or a number does not fit; then what was there stays.
std::optional<Error> show_beside(Session& session, Workspace workspace, const Architecture& model, const Input& input);
void show_nothing_beside(Session& session, Workspace workspace);

void put_beside(Session& session, Workspace workspace, Session side);

// Null where there is none.
Session* beside(Session& session, Workspace workspace);
const Session* beside(const Session& session, Workspace workspace);

// Whose diagram is on the screen: the model beside a lesson, or the user's own. Of two that are compared A is it.
Session& on_screen(Session& session);
const Session& on_screen(const Session& session);

// Whose diagram the view shows, of two that are compared A's; null where it shows none, and what to say then.
const Session* diagram_of(const Session& session);
Error no_diagram(const Session& session);

// Goes to a block of the model beside, or lights a tensor and goes to the block that it is in; "" is the whole model,
// with nothing lit. What the model does not have leaves the diagram as it is.
void light_beside(Session& session, Workspace workspace, std::string_view at);

// Theme, size and motion are the user's, beside a lesson too.
void look_alike_beside(Session& session);

// What the diagram beside asks for: another input there is no edit of the user's document.
Intents asked_beside(Intents intents);

}  // namespace headcount
