// The manual over everything: a list of its pages, and one of them. The first has the keys and the symbols.
#pragma once

#include <optional>
#include <string>

#include "app/manual/pages.hpp"
#include "app/parts/views.hpp"

namespace headcount {

// Fills the sheet that the shell has opened for it with the page of the place that is open; where there is none, with
// the keys. Records help.close, help.search and help.pages.ADDRESS or, where the list has no room, help.menu; and
// help.page.
Intents draw_manual(const Ui& ui, const View& view, const Counted& shown, const Views& views);

// What keys and the pointer do, and what the symbols stand for. Records help.keys.
void draw_keys_page(const Ui& ui, const Counted& shown, const Views& views);

// All that is written there, for who searches.
std::string words_of_keys(const Views& views);

// The address of a view's page.
std::string place_of(const ViewKind& view);

// A page at the cursor, as wide as there is room, and no wider than one reads well. Brings the heading of this anchor
// to the top where `arrives`. Returns the link that was pressed. Records help.text and help.link.ADDRESS.
std::optional<std::string> draw_manual_text(const Ui& ui, const ManualPage& page, std::string_view anchor,
                                            bool arrives);

}  // namespace headcount
