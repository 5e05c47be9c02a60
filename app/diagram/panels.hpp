// The diagram: the model as a picture that one goes into, on the screen and as an SVG document. Its window leaves
// nothing around it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/canvas/draw/compose.hpp"
#include "app/canvas/drawing.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

struct CanvasView;  // app/diagram/view.hpp
struct RunNext;     // app/state/run/next.hpp

// A model as it is shown, what the window says besides, and what is known of it.
struct DiagramOf {
    const Shown& shown;
    const View& view;
    std::shared_ptr<const RunSnapshot> run = nullptr;  // whose numbers stand in the cells, where it is of this model
    std::shared_ptr<const RunNext> next = nullptr;     // what follows there; null: that is not known
    const WorkedStep* step = nullptr;                  // of a tour, which says what is lit
    struct Edits {
        const LastEdit* last;  // null: there was none
        bool dragging;         // a slider is held
        bool show;             // what it has changed is said once it has settled
    };
    std::optional<Edits> edits = {};   // of the user's own model
    std::optional<double> token = {};  // that is pointed at elsewhere, as a share of all
    std::vector<FramedCells> framed = {};
    // Of a tensor by its id which numbers are made by now; empty, or giving something empty: all.
    std::function<std::function<bool(std::int64_t row, std::int64_t column)>(std::string_view id)> made = {};
    // Of tensors by their ids how strongly they are coloured, 0 to 1, in place of their parts' colours; empty: not so.
    std::map<std::string, float, std::less<>> heat = {};
    std::optional<RunWatch> watch = {};  // how far that is: with it the picture is another
    // Says what one cell is in place of the words beside the pointer; returns whether it has. Empty: it says nothing.
    std::function<bool(const Hit& cell)> explain = {};
    // What the menu of a thing offers besides, in words; empty, or giving none: nothing. Taken: CanvasView::offered.
    std::function<std::string_view(const Hit& thing)> offer = {};
    // What was looked at outside of the diagram, as a place of it and where that stood: one goes on from there.
    std::optional<std::pair<Place, Rect>> seen_before = {};
    bool escape_taken = false;  // Esc is for something else
    float covered = 0;          // pixels at the left, where something may lie over what one is led to
    float taken = 0;            // pixels at the right that are for something else
    bool strip_taken = false;   // what is below the diagram is for something else

    DiagramOf(const Shown& shown, const View& view, std::shared_ptr<const RunSnapshot> run = nullptr)
        : shown(shown), view(view), run(std::move(run)) {}
    // The user's own model.
    DiagramOf(const Session& session);

    const Counted& counted() const { return shown.derived.shown; }
};

// The one that the view shows: of a lesson's model or the user's own, of two that are compared A's. Errors: it shows
// none.
Result<DiagramOf> diagram_in_view(const Session& session);
Error no_diagram(const View& view);

// The model, and the overview strip. Without a painter it has words alone.
Intents draw_canvas(const Ui& ui, const DiagramOf& diagram, const ScenePainter& painter = {});

// The diagram by itself, without what belongs to the pointer: to be written, or drawn into a list of its own.
struct Still {
    std::shared_ptr<CanvasView> canvas;
    ImVec2 extent;  // of the picture, in pixels
};

// What the canvas shows. `crop`: no more than the place that one is at, and some room around it, where it is seen from
// straight above. Errors: it has not been drawn.
Result<Still> still_diagram(const Ui& ui, const DiagramOf& diagram, bool crop = false);
// The same for a canvas of this size at the place that the view asks for. It needs no frame, only fonts. Errors: it is
// too small.
Result<Still> still_diagram(const Ui& ui, const DiagramOf& diagram, ImVec2 extent, bool crop = false);

// Into a list whose upper left corner is at (0, 0). The painter is called, and `still` looked at, when that is drawn.
void draw_still(const Ui& ui, const Still& still, ImDrawList& list, const ScenePainter& painter);

// As an SVG document, seen from straight above, on a ground or none.
std::string svg_of(const Ui& ui, const DiagramOf& diagram, Still still, bool ground = true);

// Both in one step.
Result<std::string> canvas_svg(const Ui& ui, const DiagramOf& diagram, bool crop = false);
Result<std::string> canvas_svg(const Ui& ui, const DiagramOf& diagram, ImVec2 extent);

// The greatest magnitude of each tensor, by its id and copy, as far as it was looked for.
using NumberLimits = std::map<std::pair<std::string, std::int64_t>, float>;

// The numbers in the canvas's cells: those of the last run, where that is of the model that is shown.
// Of a kind of layers they are those of the layer that the Run view looks at where that is one of them, else of their
// first. Empty where no run is of this model. Holds on to the run; `limits`, which
// outlive it, are filled and read.
NumberSource numbers_of_run(const DiagramOf& diagram, NumberLimits* limits = nullptr);

// How the diagram is laid out for these numbers; nothing where there are none.
std::optional<ValuesShown> values_of_run(const DiagramOf& diagram);

// How many tokens the last run of the model that is shown has read, and whether the picture is of as many: only then
// has what has a row for each token numbers and words.
struct RunTokens {
    std::int64_t count = 0;
    bool drawn = false;
};
std::optional<RunTokens> tokens_of_run(const DiagramOf& diagram);

// What the last run of the model that is shown has read or drawn at a position: "“time”"; empty where there is none.
std::string token_of_run(const DiagramOf& diagram, std::int64_t position);

}  // namespace headcount
