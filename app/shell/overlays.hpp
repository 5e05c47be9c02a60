// What lies over the view: the help sheet, the file dialog, the ask bar, the notice about what just happened, and the
// question about a file that has changed.
#pragma once

#include <string_view>

#include "app/parts/views.hpp"

namespace headcount {

// Dims the view, takes pointer and Tab away from it, and shows the sheet in the middle. A press beside it closes it.
Intents draw_manual_sheet(const Ui& ui, const Session& session, const Views& views);

// The same for the file dialog; only its own buttons and keys close it.
Intents draw_file_sheet(const Ui& ui, const Session& session);

// The same for the ask bar, at the upper end. A press beside it closes it; `most`: see Action::does.
Intents draw_ask_sheet(const Ui& ui, const Session& session, const Views& views, float most);

// Asks at the lower end of `area` whether the document's file is to be read again. Returns its height there.
float draw_file_question(const Ui& ui, const Session& session, const Area& area, Intents& intents);

// At the lower end of `area`, over everything; it takes no input.
void draw_notice(const Ui& ui, std::string_view notice, const Area& area);

}  // namespace headcount
