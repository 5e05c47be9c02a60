// What is on the screen as a link, and a link on the screen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/state/link.hpp"
#include "app/state/session.hpp"

namespace headcount {

// What the view on the screen shows. While a tour runs that is its step, of the document that it was started from.
Linked linked_of(const Session& session);

// As a link, with what of it no link can say.
Result<WrittenLink> link_of(const Session& session);

// Puts it on the screen, as one edit. What the link does not speak of stays as it is: other views, the theme where it
// says none. Returns a sentence each about what this program does not have: a tour, a worksheet, a claim.
std::vector<std::string> open_link(Session& session, const ReadLink& link);

// Selects and goes to what the link names, in the model that is in view now. Returns a sentence each about what that
// does not have.
std::vector<std::string> look_as_linked(Session& session, const Linked& state);

// Both; the notice says what could not be read.
void show_link(Session& session, const ReadLink& link);
// The same of its text.
void open_link_text(Session& session, std::string_view text);

}  // namespace headcount
