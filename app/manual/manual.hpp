// The manual over everything: a list of its pages, and one of them. The first has the keys and the symbols.
#pragma once

#include "app/parts/views.hpp"

namespace headcount {

// Fills the sheet that the shell has opened for it. Records help.close, help.search, help.pages.PLACE, help.page.
Intents draw_manual(const Ui& ui, const Session& session, const Views& views);

// What keys and the pointer do, and what the symbols stand for. Records help.keys.
void draw_keys_page(const Ui& ui, const Session& session, const Views& views);

// The place of a view's page.
std::string place_of(const ViewKind& view);

}  // namespace headcount
