// Words on the canvas: where each may stand, which are wished for, and which find room.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "app/canvas/draw/page_view.hpp"

namespace headcount {

// A label before it is known whether there is room for it.
struct LabelWish {
    PlacedLabel label;
    int rank = 0;            // less: placed first
    bool over_slab = false;  // on what it names, and so on any matrix and as near as can be to other words
    Leaf page;
    const Label* of = nullptr;   // of the page's scene; null for the marks of sides and cells
    bool follows_shape = false;  // a count: nothing without the shape above it
    bool crossed = false;        // a line runs there: for who has no other place
    int way = 0;                 // which of the places at its matrix: a count stays with its shape
    bool numbered = false;       // a row's or a column's number, and no word of a token
    bool trained = false;        // the name of a matrix of parameters, or of a grid
    bool in_sight = false;       // ... for which any place will do that is in sight of it
};

// Of a matrix on the screen, which sides have a mark along them from near by: above it, and left of it.
struct MarkedSides {
    bool above = false, left = false;
};
MarkedSides marked_sides(const PageView& view, const Rect& screen);
inline constexpr float side_mark = 3;       // design pixels: how far outside of the matrix that is
inline constexpr float selection_ring = 3;  // the same of the ring around one that is selected
// On the screen, a matrix of the page with its marks.
Rect with_side_marks(const PageView& view, const Rect& matrix);

// Marks along the sides of matrices, numbers of rows and columns, names of cells, as far as there is room.
void mark_sides_and_cells(const PageView& view, const NumberedGraph& model, const Palette& palette, Drawing& drawing,
                          std::vector<LabelWish>& wishes);

// A page's own labels.
void wish_labels(const PageView& view, const Palette& palette, std::vector<LabelWish>& wishes);

// The part of a label that has ink: with what hangs lower, or the letters of its line alone.
Rect ink_of(const PlacedLabel& label);
Rect letters_of(const PlacedLabel& label);

// Ground behind those that the outline of another size, a token's lit row or, seen tilted, a line runs through.
void put_ground_behind_labels(const std::vector<PageView>& views, const Lens& lens, const Palette& palette,
                              Drawing& drawing);

// Where words of a card may stand, best first: near their place, inside of what they are inside of when it is flat; a
// layer's name also above it. Names have several, of which the first that is free is taken; others one, or none.
struct TiltedPlace {
    Point at;              // top left
    bool beside = false;   // outside of what the words are of
    bool crossed = false;  // by a line
    bool astray = false;   // nearer to another matrix than to what the words are of
    bool on_line = false;  // of what they name, which ends beside them
    int way = 0;           // which of those that all that is said of a matrix has in common
};

// Keeps those that overlap neither each other nor a foreign matrix, the most important ones first. The name of a matrix
// that finds no place at it stands in sight of it, with a line from one to the other.
void place_labels(const std::vector<LabelWish>& wishes, const std::vector<Obstacle>& slabs,
                  const std::vector<PageView>& views, const Palette& palette, Drawing& drawing);

// How far words are from a matrix, in pixels.
float away(const Rect& ink, const Rect& matrix);

// What is asked of a place where words may stand.
struct PlaceRules {
    std::function<bool(const PlacedLabel&)> may_stand;
    std::function<bool(const Rect& ink)> sees;  // from there over nothing else to the matrix
};
// Around a matrix where its name may stand that finds no place at it, in its card: the nearest from which the matrix is
// seen, rather where no line runs; where it is seen from none the nearest; nothing where it may stand nowhere.
std::optional<TiltedPlace> place_in_sight(const PageView& view, const Rect& matrix, const PlacedLabel& name,
                                          const PlaceRules& rules);
// From words to their matrix on the screen, in the plane; nothing where they stand next to each other.
std::optional<Line> lead_of(const PageView& view, const Rect& ink, const Rect& matrix, Rgba colour);
// Whether any of a straight line is in the rectangle.
bool passes(Point a, Point b, const Rect& rect);

inline constexpr float off_a_line = 2;   // design pixels: between words and a line
inline constexpr float touching = 0.5F;  // pixels that no one sees

// What words of a page keep clear of: its wires, the edges of its frames, its matrices. On the screen.
class ClearWords {
  public:
    explicit ClearWords(const PageView& view);

    // Whether a wire or the edge of a frame runs through the words, or they lie on a matrix, on an operation's sign or
    // on what is chosen from.
    bool crossed(std::string_view id, const Rect& ink) const;

    // Whether they lie on the swatch of a title, its own or another's.
    bool on_swatch(const Rect& ink) const;

    // How lines that belong together have to be moved, the least way first: to the left, right, up or down, and no
    // further than a few lines.
    std::vector<Point> ways_out(std::span<const Rect> inks) const;

  private:
    std::vector<Rect> lines_;
    std::vector<Rect> matrices_;  // and signs
    std::vector<Rect> choices_;   // whose own words are about nothing of the graph
    std::vector<Rect> swatches_;
    float gap_ = 0, furthest_ = 0;
};

// The wires of a page and the edges of its frames, as they are seen tilted.
class TiltedLines {
  public:
    explicit TiltedLines(const PageView& view);
    bool cross(const Rect& ink) const;
    // Whether words would cover what is chosen from, or an operation's sign.
    bool covers_kept(const Rect& ink) const;

  private:
    std::vector<std::pair<Point, Point>> lines_;
    std::vector<Rect> kept_;
};

// A matrix stands aslant: its name is put over the middle of its far edge, the rest below its near one.
struct Aslant {
    Point at;        // top left
    float down = 0;  // how far below the first line that stands there
};
class TiltedNames {
  public:
    // Where the next label of its matrix is put.
    Aslant next(const PageView& view, const Label& label, float width);

  private:
    std::optional<Rect> last_;
    int lines_ = 0;
};

// Whether the words are those of what is chosen from: they stand on it.
bool is_choices(const PageView& view, const Label& label);

// Best first.
std::vector<TiltedPlace> places_tilted(const PageView& view, const Label& label, const PlacedLabel& placed);
// The same of words that stand at a matrix, `down` below the first line there: a name of what is trained also at its
// ends, of what is made nearer above it, above the lines that go in and out and on the one that goes out, and both
// below it; all else also along its near edge and below those lines.
std::vector<TiltedPlace> places_aslant(const PageView& view, const Label& label, const PlacedLabel& placed, float down,
                                       bool trained);

}  // namespace headcount
