// The whole program as one frame of ImGui windows: the top bar, the view that it shows, what lies over it (the help
// sheet, the file dialog, the ask bar, a notice, a question), and the keys. No window of the system and no OpenGL, so
// tests and benchmarks draw it as it is.
#pragma once

#include <string_view>

#include "app/parts/views.hpp"
#include "app/views/views.hpp"

namespace headcount {

// After the panels: `asked` is what they want already, so that a table's own Ctrl+C is not followed by a second one.
// While a text field has the keyboard or a menu is open, keys belong to it, but for those of actions that are
// `always` there. `most`: the scale that the window has room for; a larger one is not asked for, but a notice says why.
Intents pressed_shortcuts(const Views& views, const Session& session, const Intents& asked, float most = most_scale);

// Dims the view, takes pointer and Tab away from it, and shows the sheet in the middle. A press beside it closes it.
Intents draw_manual_sheet(const Ui& ui, const Session& session, const Views& views);

// The same for the file dialog; only its own buttons and keys close it.
Intents draw_file_sheet(const Ui& ui, const Session& session);

// The same for the ask bar, at the upper end. A press beside it closes it; `most`: see Action::does.
Intents draw_ask_sheet(const Ui& ui, const Session& session, const Views& views, float most);

// The same for the link to what is on the screen. A press beside it closes it.
Intents draw_share_sheet(const Ui& ui, const Session& session);

// Over the tables of Explore, and marks where the things to try are; the view below goes on.
Intents draw_welcome_card(const Ui& ui, const Session& session);

// Asks at the lower end of `area` whether the document's file is to be read again. Returns its height there.
float draw_file_question(const Ui& ui, const Session& session, const Area& area, Intents& intents);

// Says there how far what moves has been written, with a button that ends it. Returns its height likewise.
float draw_film_progress(const Ui& ui, const FilmProgress& film, const Area& area, Intents& intents);

// At the lower end of `area`, over everything; it takes no input. Numbers in one that is of the model may be hidden
// ones.
void draw_notice(const Ui& ui, const Notice& whole, const Area& area);

class PanelCache;

// Between ImGui::NewFrame and ImGui::Render. Opens a window for every panel, fills them, and adds what the keys ask
// for. Records each window as `panel.<name>`.
// `painter` draws the canvas when the frame is shown. With a cache, panels that would look as in the frame before are
// not drawn again. `most`: see pressed_shortcuts.
Intents draw_frame(const Ui& ui, const Session& session, PanelCache* cache = nullptr, float most = most_scale,
                   const ScenePainter& painter = {}, const Views& views = shipped_views());

}  // namespace headcount
