// What is said below the diagram: the step of the tour that runs, or what is selected. Its window leaves 20 px left and
// right.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/parts/panel_frame.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// The tour that runs: which step, what it says, what it asks, and the way on. While the window presents it is larger,
// and without a tour it says what the selection is.
Intents draw_caption(const Ui& ui, const Session& session);

// The same below a view, with the line above it; `area` is empty where no tour runs.
void draw_caption_below(const PanelFrame& frame, const Area& area);

// How high that wants to be in so much width, in pixels: the same for every step, so that nothing jumps. Below a view
// none where no tour runs.
float caption_height(const Ui& ui, const Session& session, float width);
float caption_height_below(const PanelFrame& frame);

// That height as it was measured last, and of what: kept<CaptionHeight>(ui, "caption.height").
struct CaptionHeight {
    StepWords now;
    std::vector<StepWords> steps;
    std::string name;                                 // of the model
    std::pair<ImFont*, float> title = {}, body = {};  // faces and sizes
    float width = 0, height = 0;
    int times = 0;  // that all the words were laid out
};

// A title and a sentence about what is selected, or about the whole model.
struct Saying {
    std::string title, sentence;
};
Saying said_of_selection(const Session& session);

}  // namespace headcount
