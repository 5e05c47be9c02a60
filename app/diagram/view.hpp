// The canvas's own state and the parts that it is made of, each in a file: what moves the camera, what is drawn, the
// header, the map.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/canvas/arrange/picking.hpp"
#include "app/canvas/draw/compose.hpp"
#include "app/diagram/edit_ribbon.hpp"
#include "app/diagram/panels.hpp"

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
        bool pages_behind = false;               // those that are not in sight while one sees the whole model
        std::string layer = {};                  // the kind of layers that is drawn
        std::optional<std::int64_t> band = {};   // the head whose columns attention shows
        std::optional<ValuesShown> values = {};  // of the run whose numbers stand in the cells

        bool operator==(const Laid&) const = default;
    };
    Laid laid;
    Atlas atlas;
    int layouts = 0;  // so many atlases there were

    std::string layer{main_layer};  // the block of the kind of layers that is looked at
    Subject selected;               // as it was when that was last looked for
    std::int64_t head = 3;          // that one was at last, or any: attention shows its columns to a class

    Camera camera;
    struct Motion {
        Camera from, to;
        double began = 0;  // seconds
    };
    std::optional<Motion> motion;
    int askings = 0;             // answered: see Look::askings
    std::optional<int> inwards;  // likewise Look::inwards; nothing before it is drawn
    bool goes_in(const Look& look) const { return inwards.value_or(look.inwards) != look.inwards; }
    bool strays = false;        // whoever watches the computation has gone elsewhere
    bool tilted = false;        // as the camera was told last
    std::optional<Point> held;  // where the pointer holds the picture
    int button = 0;             // by which of the mouse's buttons
    bool dragged = false;       // it has moved since it was pressed
    bool entered = false;       // this press went in, and selects nothing when it ends
    bool explains = true;       // the pointer has moved since the picture has
    struct Corners {
        std::array<Press, 6> zoom;  // of the bar's buttons, from left to right
        Press map;
    } corners;                     // what the pointer and the keys do there, in this frame
    std::optional<Hit> asked;      // what the open menu is about; its slab may be gone
    std::optional<Hit> offered;    // what the view's own entry of it was chosen for, in this frame
    std::optional<Leaf> pointed;   // the head whose square is under the pointer
    std::optional<double> token;   // the row under the pointer, as a share of all
    std::optional<Subject> hover;  // what it is on in this frame, which the session hears of after it
    std::optional<Hit> explained;  // what is spoken of beside the pointer, in this frame
    bool pressed = false;          // the picture was, in this frame
    std::optional<Rect> map;       // where the map of the whole model stands; nothing: it has no place

    const EditRibbon* ribbon = nullptr;  // what the last edit has changed, in this frame
    bool escape_taken = false;           // Esc ended that, or is for text in a field
    // Of one of two models beside each other (app/views/compare/diagram.cpp).
    std::string_view name = "canvas";  // that its parts are recorded by
    bool has_strip = true;             // the buttons stand between the strip's words
    bool is_saved = true;              // it is what the file dialog saves as the diagram
    const Counted* other = nullptr;    // the other model, in this frame
    bool fades = false;                // what is the same in both recedes:
    std::vector<std::string> alike;    // by id, sorted

    Rect area;  // of the screen, in this frame
    std::vector<SeenPage> seen;
    std::vector<Stop> way;
    Drawing drawing;
    std::optional<Rect> next_words;  // of the screen: the first of those that it says, where it says some
    // Which one it was, which is not kept: its memory may be given back.
    template <class T>
    struct Seen {
        std::weak_ptr<const T> it;

        bool operator==(const Seen& other) const { return !it.owner_before(other.it) && !other.it.owner_before(it); }
    };
    // What the numbers in the cells were read from.
    struct Numbers {
        Seen<RunSnapshot> run;
        std::int64_t layer = 0;
        bool shared = false;  // one scale for all
        int layouts = 0;

        bool operator==(const Numbers&) const = default;
    };
    Numbers numbers_of;
    NumberLimits limits;  // of these
    // What the drawing was composed from, beside a presenter's spotlight.
    struct Composed {
        int layouts = 0;
        float unit = 0;
        Camera camera;
        Rect area;
        Subject selection, hover;
        std::optional<Leaf> pointed;
        std::optional<Looks::InCell> cell;
        std::optional<double> token;
        Numbers numbers;
        std::vector<FramedCells> framed;
        std::optional<RunWatch> watch;
        std::map<std::string, float, std::less<>> heat;
        Seen<RunNext> next;
        std::optional<Rect> map;

        bool operator==(const Composed&) const = default;
    };
    std::optional<Composed> composed;  // nothing: it has to be composed anew
    std::optional<Theme> theme;        // of the palette
    Palette palette;
    ScenePainter painter;

    Lens lens() const { return {camera, area}; }
    // Where the camera is going, or is.
    const Camera& destination() const { return motion ? motion->to : camera; }
};

// Each view of the program has a canvas of its own.
CanvasView& canvas_of(const Ui& ui, const DiagramOf& diagram);

inline constexpr float canvas_header = 40, canvas_strip = 46, canvas_margin = 16;  // design pixels

// Design pixels: in less room than this nothing of a diagram can be told apart.
inline constexpr float least_canvas_width = 280, least_canvas_height = 160;
inline bool has_room(const Ui& ui, float width, float height) {
    return width >= ui.px(least_canvas_width) && height >= ui.px(least_canvas_height);
}
// Says that in the diagram's place, in the middle of the window.
void say_no_room(const Ui& ui);

// Lays the pages out anew where the model, the room or the words' size is another, and keeps the camera where it was.
void lay_out_canvas(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas);

// The kind of layers of the place that is asked for, or of what is selected now, is the one that is looked at.
void follow_layer(const DiagramOf& diagram, CanvasView& canvas);
// The head whose columns of Q, K and V attention shows: while it is presented, seen from above.
std::optional<std::int64_t> band_shown(const DiagramOf& diagram, CanvasView& canvas);
// What a model's pages are laid out from; `canvas` says where and for which kind of layers.
LayoutInput layout_input(const Ui& ui, bool log_sides, const Counted& shown, const Counted& base,
                         const CanvasView& canvas);
// Whether the camera is, or will be in this frame, anywhere but over the whole model.
bool comes_near(const DiagramOf& diagram, const CanvasView& canvas);
// New pages in place of the old ones, and the camera at what it was at.
void take_pages(const Ui& ui, CanvasView& canvas, Atlas atlas, CanvasView::Laid now);

// The block of the layers that an id is in; empty for what is outside of them.
std::string layer_with(const ModelGraph& graph, std::string_view id);

// Moves the camera: to where the view asks, by the wheel, by drags and keys. Returns what is asked for by them.
Intents steer_canvas(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas);

// What the pointer does to the camera. Up and down zooms, with or without Ctrl (as a touchpad says it for a pinch);
// sideways pans.
Point pointer();
void turn_wheel(const Ui& ui, CanvasView& canvas);
// The left button and the middle one pan, the right one orbits where the picture is tilted.
void drag(const Ui& ui, CanvasView& canvas, const Press& press);
// The camera that shows the whole model, as tilted as the one that the picture goes to.
Camera home_of(const Ui& ui, const CanvasView& canvas);
// The picture is never lost: something of it stays in the middle, and it is never a mere dot.
void stay_near(CanvasView& canvas);
Camera kept_near(const Atlas& atlas, Camera camera);

// What a token of the run is called; empty where no run has words for this diagram's rows.
std::function<std::string(std::int64_t position)> words_of_run(const DiagramOf& diagram);

// Fills `canvas.drawing` with what the camera sees; where all is as it was, it stays.
void compose_canvas(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas);

// Shows it, with its labels.
void show_canvas(const Ui& ui, CanvasView& canvas);
// No more than that, into any list; the canvas is looked at again when that is drawn.
void draw_picture(const Ui& ui, CanvasView& canvas, ImDrawList& list);

// Begins to move the camera there; with reduced motion it is there at once.
void move_to(const Ui& ui, CanvasView& canvas, const Camera& camera);

// The way here, what filled and outlined mean, the bar of the scale. Returns the place that was chosen.
std::optional<Stop> draw_canvas_header(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas);

// Parts of it, for a row that is arranged otherwise: the way, between two places, and the bar of the scale, which ends
// at `right`; that returns where it begins.
std::optional<Stop> draw_way(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas, float& x, float free,
                             float centre);
float draw_scale_bar(const Ui& ui, const CanvasView& canvas, bool log_sides, float right, float centre);

// The buttons and the map, in two steps: the pointer is theirs before it is the picture's, and they are
// drawn over it. Returns the camera that was asked for; what else was asked for is added to the intents.
std::optional<Camera> press_canvas_corners(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas,
                                           Intents& intents);
void draw_canvas_corners(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas);

// The overview of all layers, below; `min` is its upper left corner.
Intents draw_canvas_strip(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas, ImVec2 min, float width);

// The words at its two ends, between which the buttons stand; empty where they would have no room. `width` is that of
// the strip.
inline constexpr float zoom_bar_height = 22, zoom_bar_below = 6;  // design pixels; how far below the canvas
struct StripWords {
    std::string whole, each;
    bool kinds = false;         // the kinds of layers are named behind the first
    float left = 0, right = 0;  // how much room the ends take
};
StripWords strip_words(const Ui& ui, const Counted& shown, float width);
float zoom_bar_width(const Ui& ui);

// Into the drawing, once that is composed: what follows the token that is looked at, beside the logits; nothing where
// that is not known, or these are not seen, or leave no room.
void add_next_words(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas);

// What is said beside the pointer, off what is lit with it, once that is composed; and the menu of the other button.
void explain_hit(const Ui& ui, const DiagramOf& diagram, const CanvasView& canvas);
Intents draw_canvas_menu(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas);

// What this canvas, which has been drawn, shows by itself: see still_diagram in panels.hpp.
Still still_of(const Ui& ui, const DiagramOf& diagram, CanvasView canvas, bool crop = false);

// "Head 3", "Attention", "W_q": what a place is called.
std::string name_of(const DiagramOf& diagram, const Stop& stop);

// Whether the pointer can be on one cell and no other: its smaller side has so many design pixels.
inline constexpr double surely_apart = 3;
bool tells_cells_apart(const Ui& ui, const CanvasView& canvas, const Hit& hit, double least = surely_apart);

// The stop that a place of the view is, on the pages that are laid out.
std::optional<Stop> stop_at(const Atlas& atlas, const Place& place);

Palette palette_of(const Theme& theme);
const Palette& palette_of(const Ui& ui, CanvasView& canvas);  // kept for as long as the theme is the same
Palette palette_outside(const Theme& theme);                  // of what is outside of the spotlight
Palette palette_heated(const Theme& theme, float share);      // of parts that are coloured by how far apart they are

const Font& font_of(const Fonts& fonts, TextRole role);

// What a number of the diagram is about (app/ui/veil.hpp); empty for a name.
std::string key_of(const PlacedLabel& label);

}  // namespace headcount
