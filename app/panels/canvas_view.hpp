// The canvas's own state and the parts that it is made of, each in a file: what moves the camera, what is drawn, the
// header, the map. Only app/panels/canvas*.cpp include this.
#pragma once

#include <optional>

#include "app/canvas/compose.hpp"
#include "app/canvas/picking.hpp"
#include "app/panels/panels.hpp"

namespace headcount {

// What the canvas keeps from frame to frame: the pages as they were laid out, the camera, and what it was drawn as.
struct CanvasView {
    // The pages, and all that they were laid out from.
    struct Laid {
        Architecture architecture, base;
        Input input;
        Point extent;
        float unit = 0;
        bool log_sides = false;
        bool pages_behind = false;  // those that are not in sight while one sees the whole model

        bool operator==(const Laid&) const = default;
    };
    Laid laid;
    Atlas atlas;

    Camera camera;
    struct Motion {
        Camera from, to;
        double began = 0;  // seconds
    };
    std::optional<Motion> motion;
    int askings = 0;              // answered: see View::askings
    bool tilted = false;          // as the camera was told last
    std::optional<Point> held;    // where the pointer holds the picture
    bool dragged = false;         // it has moved since it was pressed
    std::optional<Hit> asked;     // what the open menu is about; its slab may be gone
    std::optional<double> token;  // the row under the pointer, as a share of all

    Rect area;  // of the screen, in this frame
    std::vector<SeenPage> seen;
    std::vector<Stop> way;
    Drawing drawing;
    ScenePainter painter;

    Lens lens() const { return {camera, area}; }
};

inline constexpr float canvas_header = 40, canvas_strip = 46, canvas_margin = 16;  // design pixels

// Lays the pages out anew where the model, the room or the words' size is another, and keeps the camera where it was.
void lay_out_canvas(const Ui& ui, const Session& session, CanvasView& canvas);

// Moves the camera: to where the view asks, by the wheel, by drags and keys. Returns what is asked for by them.
Intents steer_canvas(const Ui& ui, const Session& session, CanvasView& canvas);

// Fills `canvas.drawing` and shows it, with its labels.
void show_canvas(const Ui& ui, const Session& session, CanvasView& canvas);

// Begins to move the camera there; with reduced motion it is there at once.
void move_to(const Ui& ui, CanvasView& canvas, const Camera& camera);

// The way here, what filled and outlined mean, the bar of the scale. Returns the place that was chosen.
std::optional<Stop> draw_canvas_header(const Ui& ui, const Session& session, const CanvasView& canvas);

// The buttons in one corner and the map in another. Returns the camera that was asked for.
std::optional<Camera> draw_canvas_corners(const Ui& ui, const CanvasView& canvas);

// The overview of all layers, below; `min` is its upper left corner.
Intents draw_canvas_strip(const Ui& ui, const Session& session, ImVec2 min, float width);

// What is said beside the pointer, and the menu of the other button.
void explain_hit(const Ui& ui, const Session& session, const Hit& hit);
Intents draw_canvas_menu(const Ui& ui, const Session& session, CanvasView& canvas);

// "Head 3", "Attention", "W_q": what a place is called.
std::string name_of(const Session& session, const Stop& stop);

Palette palette_of(const Theme& theme);

}  // namespace headcount
