// What lies over or above every view: the top bar, the dialog for files, the menu of tours. Each fills the window that
// the shell has opened for it, reads constants, and returns what should change. The shell's window leaves 16 px left
// and right in the top bar.
#pragma once

#include <string>
#include <vector>

#include "app/parts/views.hpp"

namespace headcount {

Intents draw_top_bar(const Ui& ui, const Session& session, const Views& views);
Intents draw_file_dialog(const Ui& ui, const Session& session);  // a file to open or to save, over everything

// How many steps each tour has for the model that is loaded: made when the menu is opened, for each model and input
// once. kept<StepTexts>(ui, "topbar.tours").
struct StepTexts {
    Architecture of;
    Input input;
    std::vector<Tour> tours;
    std::vector<std::string> texts;
};

// The tours as a menu, which an icon of the top bar and Ctrl+T open.
void draw_tour_menu(const Ui& ui, const Session& session, ImVec2 top_left, Intents& intents);

}  // namespace headcount
