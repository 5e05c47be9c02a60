// The manual over everything: a list of its pages, and one of them. The first has the keys and the symbols.
#pragma once

#include <string>

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

}  // namespace headcount
