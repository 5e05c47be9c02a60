// The pencil of the layout: turns tensors into slabs at a scale, and words into labels.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

#include "app/canvas/arrange/layout.hpp"

namespace headcount {

struct Sides {
    double rows = 1, columns = 1;
};

// As a component of the model is called where it can be selected.
inline std::string component_id(Component component) { return "component." + std::string(component_key(component)); }

class Sketch {
  public:
    explicit Sketch(const LayoutInput& input);

    // Null where the architecture has no such tensor. "layer." stands for the kind of layers that is shown, a name
    // outside of layers also for what the stack of those has of it: "final_norm".
    const Tensor* find(std::string_view id) const {
        return renames_ ? input_.model.graph.find(shown(id)) : input_.model.graph.find(id);
    }
    bool has(std::string_view id) const { return find(id) != nullptr; }
    const Block* find_block(std::string_view id) const { return input_.model.graph.find_block(shown(id)); }
    std::string shown(std::string_view id) const;
    const LayerBlock& layer() const { return layer_shown(input_.model.graph, input_.layer); }

    // Rows and columns as drawn, to scale or by their logarithm; vectors are one row. With `or_base`, the larger of the
    // model's and the base's, so that the dashed outline fits too. 0 x 0 for what is not there.
    Sides sides(std::string_view id, bool or_base = false) const;
    Sides numbers(std::string_view id) const;  // how many rows and columns there are
    double value(Symbol symbol) const;
    std::int64_t whole(Symbol symbol) const { return static_cast<std::int64_t>(value(symbol)); }
    // Of a formula; `otherwise` where it has no value.
    std::int64_t value(const Expr& expr, std::int64_t otherwise) const;
    double drawn(double side) const { return drawn_side(side, input_.log_sides); }

    float px(float design) const { return design * input_.unit; }
    float thick(double side, float scale) const;  // a side in pixels, at least the least

    // A slab with the middle of its left side at `left`. One taller than `tallest` is cut, if there is such.
    Rect slab(std::string_view id, Point left, float scale, float tallest = 0);
    // What was drawn last has its cells elsewhere: outlined alone.
    void outline_last() {
        Slab& last = scene.slabs.back();
        last.look = SlabLook::ghost;
        last.rows = last.columns = 0;
    }
    // The same with its upper left corner there, and the base's with it: rows are added and taken away below.
    Rect hung(std::string_view id, Point corner, float scale, float tallest = 0);
    // A bias: a thin bar under its weight, as wide; empty where there is none.
    Rect bias_below(std::string_view id, Rect weight, float scale);
    // Both, of what they are named after.
    Rect weight(std::string_view of, Point left, float scale);
    // A norm with what it trains; one without weights still is a step, and drawn as wide. `made` where its output has
    // another name.
    Rect norm_slab(std::string_view id, Point left, float scale, std::string_view made = {});
    // How wide and tall it is in pixels, its offset with it.
    Point norm_extent(std::string_view id, float scale, std::string_view made = {}) const;

    // What is alike as small squares from `corner` on, to no scale: `cells` of them in so many columns and rows.
    // Of squares that stand for heads: which scores the mask leaves each.
    void show_mask(Slab& heads) const;
    Slab& squares(std::string_view id, Point corner, float cell, std::int64_t columns, std::int64_t rows,
                  std::int64_t cells);

    void label(Point at, std::string_view text, TextRole role, Tone tone, Anchor anchor = Anchor::left,
               std::string_view id = {});
    // The same as it mostly is: what a thing is called, large or small, its size, what else is said of it.
    void title(Point at, std::string_view text, std::string_view id = {}, Anchor anchor = Anchor::left) {
        label(at, text, TextRole::title, Tone::high, anchor, id);
    }
    void name(Point at, std::string_view text, std::string_view id = {}, Anchor anchor = Anchor::left) {
        label(at, text, TextRole::name, Tone::high, anchor, id);
    }
    void number(Point at, std::string_view text, std::string_view id = {}, Anchor anchor = Anchor::left) {
        label(at, text, TextRole::number, Tone::mid, anchor, id);
    }
    void caption(Point at, std::string_view text, std::string_view id = {}, Anchor anchor = Anchor::left) {
        label(at, text, TextRole::caption, Tone::low, anchor, id);
    }
    // A number that says less: how many numbers the thing has.
    void detail(Point at, std::string_view text, std::string_view id, Anchor anchor = Anchor::left,
                Tone tone = Tone::low) {
        label(at, text, TextRole::number, tone, anchor, id);
        scene.labels.back().counts = find(id) != nullptr;
    }
    // A name, and `apart` design pixels right of it a size, a pixel lower.
    void name_and_size(Point at, std::string_view name, std::string_view size, std::string_view id, float apart = 8);
    // How far down in a card, in pixels: of a low one at its upper edge, since a norm stands below.
    float title_down(const Rect& card) const;
    // A sub-block's name and number of parameters, in the corner of its frame or page.
    void block_title(std::string_view block, const Rect& rect, bool counted = true);
    // The same in one line.
    void block_title_in_row(std::string_view block, const Rect& rect);
    // Above and below a norm, or beside it: that it is one, and what it trains.
    void norm_words(const Rect& bar, std::string_view norm);
    // The same right of it; returns where a line goes on behind them.
    float norm_words_beside(const Rect& bar, std::string_view norm);
    // A tensor's label of 1 to 3 lines: name and shape on one; name, shape; name, shape, count. `top` is of its first
    // line.
    void tensor_label(std::string_view id, Point top, int lines, Anchor anchor = Anchor::left);
    float label_width(std::string_view id, int lines) const;
    float label_height(int lines) const;
    // The same inside a slab where they fit, else at `beside`.
    void tensor_label_in(std::string_view id, Rect slab, Point beside, int lines);

    void wire(std::vector<Point> points, std::string_view tensor, bool stream = false, bool arrow = true);
    void line(std::vector<Point> points, std::string_view tensor) { wire(std::move(points), tensor, false, false); }
    void mark(Point centre, MarkKind kind, std::string_view id);
    void door(std::string_view block, Rect rect);
    void frame(std::string_view id, Rect rect, FrameKind kind, Component component, std::int64_t copies = 1);

    // What has been drawn since there were so many slabs stands under the name of this one.
    void named_together(std::size_t from, std::string_view id) {
        for (std::size_t i = from; i < scene.slabs.size(); ++i) scene.slabs[i].named_by = id;
    }

    float name_line() const { return px(17); }    // from a name to the line below it: subscripts hang low
    float number_line() const { return px(14); }  // from one number to the next
    float width_of(std::string_view text, TextRole role) const { return input_.text_width(text, role); }
    // "T = 100": below the tokens. Of what is read as numbers the formula is longer than there is room.
    std::string tokens_text() const {
        const Shape& shape = find("tokens")->shape;
        return (shape.rank() > 1 ? "" : shape_in_symbols(shape) + " = ") + shape_text("tokens");
    }
    // Filled, on paper, or outlined as cached: where later tokens come.
    SlabLook look_of(const Tensor& tensor) const;
    std::string name_text(const Tensor& tensor) const;   // "W_k -12.6 M": with the change against the base, if any
    std::string shape_text(const Tensor& tensor) const;  // "4096 × 11008"
    std::string shape_text(std::string_view id) const;
    std::int64_t count(const Tensor& tensor) const;
    std::string name_of_block(std::string_view block) const;  // "Attention"
    // Whether there is room between a sub-block's count and its norm for how many of those a token passes.
    bool says_active() const { return input_.area.height() > px(520); }
    float header_width(std::string_view block) const;  // of a sub-block's name and count
    // Parameters of one layer's sub-block, norms not among them, and those of them that a token passes.
    std::int64_t parameters_in(std::string_view block) const;
    std::int64_t active_in(std::string_view block) const;
    std::int64_t component_in_layer(Component component) const;
    // Those of one layer that others have, too.
    std::int64_t shared_in_layer() const;
    const LayoutInput& input() const { return input_; }

    // Leaves out labels that would lie over another or outside the area; names stay before shapes, shapes before
    // counts, and a name without room stands at another side of its matrix where there is some.
    void drop_crowded_labels();

    // The scene, in which everything has the id that it has in the graph.
    Scene finished();

    Scene scene;

  private:
    // Worked out once for each tensor: while the layout looks for room it asks many times over.
    struct Measures {
        Sides own, base;  // rows and columns; 0 x 0 for what is not there
    };
    struct Words {
        std::string name, shape, count;
        float symbol_width = 0, name_width = 0, shape_width = 0, count_width = 0;
    };
    const Measures& measures(std::string_view id) const;
    std::string shared_by(const std::string& id) const;
    const Words& words(const Tensor& tensor) const;
    Rect ink(const Label& label) const;
    void name_matrices();
    bool is_crowded(const Label& label, const std::vector<Rect>& kept) const;
    std::optional<Label> beside_matrix(const Label& label, const std::vector<Rect>& kept) const;

    const LayoutInput& input_;
    std::string stack_;     // of the layers that are shown: "decoder"; empty where there is but one
    bool renames_ = false;  // layouts write other names than the graph has
    mutable std::map<std::string, Measures, std::less<>> measures_;
    mutable std::map<const Tensor*, Words> words_;
};

// What limits a scale: `sides` rows or columns have to fit into `room` pixels.
struct Limit {
    double sides;
    float room;
};
inline float largest_scale(std::initializer_list<Limit> limits) {
    double scale = 1e9;
    for (const Limit& limit : limits)
        if (limit.sides > 0) scale = std::min(scale, static_cast<double>(std::max(limit.room, 1.0F)) / limit.sides);
    return static_cast<float>(scale);
}
// However small the model: biases and norms are one row, and room is kept for bars of the least thickness.
inline Limit one_row(const Sketch& sketch) { return {sketch.drawn(1), sketch.px(least_side)}; }

// The largest scale at which it fits, between `least` and `most`; `least` where none does.
template <class Fits>
float largest_fitting(float least, float most, Fits fits) {
    if (fits(most)) return most;
    for (int i = 0; i < 24 && most > least * 1.001F; ++i) {
        const float middle = std::sqrt(least * most);
        (fits(middle) ? least : most) = middle;
    }
    return least;
}

// Fixed widths inside a sub-block, in design pixels; the scale is chosen so that matrices take the rest.
namespace room {
inline constexpr float padding = 16, gap = 10, heads = 68, least_heads = 40;
inline constexpr float title = 7, title_in_row = 5;  // how far below the upper edge of a card, and in a row of its own
inline constexpr float normed_back = 120;            // from what a sub-block adds to the norm before it
}  // namespace room

}  // namespace headcount
