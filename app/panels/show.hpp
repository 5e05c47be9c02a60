// The panels that are seen when a model is shown to a class. Each fills its window, as those of panels.hpp do; the
// shell's windows leave 20 px left and right in the bar and in the caption, 20 px around the breakdown.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// The tour that runs: which step, what it says, what it asks, and the way on. While the window presents it is larger,
// and without a tour it says what the selection is.
Intents draw_caption(const Ui& ui, const Session& session);

// How high that wants to be in so much width, in pixels: the same for every step, so that nothing jumps.
float caption_height(const Ui& ui, const Session& session, float width);

// That height as it was measured last, and of what: kept<CaptionHeight>(ui, "caption.height").
struct CaptionHeight {
    StepWords now;
    std::vector<StepWords> steps;
    std::string name;                                 // of the model
    std::pair<ImFont*, float> title = {}, body = {};  // faces and sizes
    float width = 0, height = 0;
    int times = 0;  // that all the words were laid out
};

// Which model, its total, and the way back.
Intents draw_presenter_bar(const Ui& ui, const Session& session);

// The breakdown alone in its column: the donut as large as there is room for, and below it a table.
Intents draw_large_breakdown(const Ui& ui, const Session& session);

// A title and a sentence about what is selected, or about the whole model.
struct Saying {
    std::string title, sentence;
};
Saying said_of_selection(const Session& session);

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
