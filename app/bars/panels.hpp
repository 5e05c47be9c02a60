// What lies over or above every view: the top bar, the ask bar, the dialog for files. Each fills the window that the
// shell has opened for it, reads constants, and returns what should change. The shell's window leaves 16 px left and
// right in the top bar.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/parts/views.hpp"

namespace headcount {

Intents draw_top_bar(const Ui& ui, const Session& session, const Views& views);
Intents draw_file_dialog(const Ui& ui, const Session& session);  // a file to open or to save, over everything

// A question is typed, and its answer stands below it while one types. Asks about the model whose diagram is on the
// screen; finds what it can do among `actions`, too. Records ask.field, ask.answer, ask.row.<number> and ask.unknown.
Intents draw_ask_bar(const Ui& ui, const Session& session, std::span<const Action> actions, float most = most_scale);

// The link to what is on the screen, with its QR code as large as there is room, and what is not in it. Records
// share.qr, share.link, share.page, share.copy and share.close. `appears`: it was not there in the frame before.
Intents draw_share(const Ui& ui, const Session& session, bool appears);

// What is said at a first start: which model this is, four ways in, three things to try; where there is room, what else
// one can begin with. Records welcome.tour, welcome.worksheet, welcome.design, welcome.run, welcome.dismiss, and
// welcome.open and welcome.ask where they have room.
Intents draw_welcome(const Ui& ui, const Session& session, ImVec2 min, ImVec2 max);

// Marks the things to try that are still to be tried, where they have just been drawn, on a window that lies over the
// panels and takes no input. Records welcome.pin.field, welcome.pin.zoom and welcome.pin.number.
void draw_welcome_pins(const Ui& ui, const Session& session);

// While presenting, when there is no top bar: the list of tours that Ctrl+T and F2 open, at the top right of `below`.
// In a window of its own. Records topbar.tours.item.<key> while it is open.
Intents draw_presented_tours(const Ui& ui, const Session& session, const Area& below);

// How many steps each tour has for the model that is loaded: made when the menu is opened, for each model and input
// once. kept<StepTexts>(ui, "topbar.tours").
struct StepTexts {
    Architecture of;
    Input input;
    std::vector<Tour> tours;
    std::vector<std::string> texts;
};

// While what is done is recorded: the steps so far, at the right of `below`, with their words. In a window of its own.
Intents draw_recorder(const Ui& ui, const Session& session, const Area& below);

}  // namespace headcount
