// The pencil of the layout: turns tensors into slabs at a scale, and words into labels.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "app/canvas/arrange/layout.hpp"

namespace headcount {

struct Sides {
    double rows = 1, columns = 1;
};

class Sketch {
  public:
    explicit Sketch(const LayoutInput& input) : input_(input) {}

    // Null where the architecture has no such tensor. "layer." stands for the kind of layers that is shown.
    const Tensor* find(std::string_view id) const {
        return input_.layer == main_layer ? input_.model.graph.find(id) : input_.model.graph.find(shown(id));
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
    double drawn(double side) const { return drawn_side(side, input_.log_sides); }

    float px(float design) const { return design * input_.unit; }
    float thick(double side, float scale) const;  // a side in pixels, at least the least

    // A slab with the middle of its left side at `left`. Activations taller than `tallest` are cut.
    Rect slab(std::string_view id, Point left, float scale, float tallest = 0);
    // The same with its upper left corner there, and the base's with it: rows are added and taken away below.
    Rect hung(std::string_view id, Point corner, float scale);
    // A bias: a thin bar under its weight, as wide; nothing where there is none.
    void bias_below(std::string_view id, Rect weight, float scale);
    // A norm with what it trains; one without weights still is a step, and drawn as wide. `made` where its output has
    // another name.
    Rect norm_slab(std::string_view id, Point left, float scale, std::string_view made = {});
    // How wide and tall it is in pixels, its offset with it.
    Point norm_extent(std::string_view id, float scale, std::string_view made = {}) const;

    void label(Point at, std::string text, TextRole role, Tone tone, Anchor anchor = Anchor::left,
               std::string_view id = {});
    // A tensor's label of 1 to 3 lines: name and shape on one; name, shape; name, shape, count. `top` is of its first
    // line.
    void tensor_label(std::string_view id, Point top, int lines, Anchor anchor = Anchor::left);
    float label_width(std::string_view id, int lines) const;
    float label_height(int lines) const;
    // The same inside a slab where they fit, else at `beside`.
    void tensor_label_in(std::string_view id, Rect slab, Point beside, int lines);

    void wire(std::vector<Point> points, std::string_view tensor, bool stream = false, bool arrow = true);
    void mark(Point centre, MarkKind kind, std::string_view id);
    void door(std::string_view block, Rect rect);
    void grid_door(std::string_view block, Rect rect, std::int64_t columns, std::int64_t count);
    void frame(std::string_view id, Rect rect, FrameKind kind, Component component, std::int64_t copies = 1);

    float name_line() const { return px(17); }    // from a name to the line below it: subscripts hang low
    float number_line() const { return px(14); }  // from one number to the next
    float width_of(std::string_view text, TextRole role) const { return input_.text_width(text, role); }
    // "T = 100": below the tokens.
    std::string tokens_text() const {
        return "T = " + std::to_string(static_cast<std::int64_t>(value(Symbol::tokens)));
    }
    std::string name_text(const Tensor& tensor) const;   // "W_k -12.6 M": with the change against the base, if any
    std::string shape_text(const Tensor& tensor) const;  // "4096 × 11008"
    std::string shape_text(std::string_view id) const;
    std::int64_t count(const Tensor& tensor) const;
    float header_width(Component component) const;               // of a sub-block's name and count
    std::int64_t component_in_layer(Component component) const;  // parameters of one layer, norms not among them
    std::int64_t active_in_layer(Component component) const;     // those of them that a token passes
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
    const Words& words(const Tensor& tensor) const;
    Rect ink(const Label& label) const;
    bool is_crowded(const Label& label, const std::vector<Rect>& kept) const;
    std::optional<Label> beside_matrix(const Label& label, const std::vector<Rect>& kept) const;

    const LayoutInput& input_;
    mutable std::map<std::string, Measures, std::less<>> measures_;
    mutable std::map<const Tensor*, Words> words_;
};

inline constexpr std::string_view attention_block = "layer.attention", feed_forward_block = "layer.feed_forward";

// How many pixels a row or column is: one scale for both where that serves.
struct Scales {
    float model = 0, layer = 0;
};

// Where the parts go, all in pixels.
struct Plan {
    Rect tokens;                                           // empty where there is no room for them
    Rect embedding, layer, attention, feed_forward, ends;  // ends: final norm, output head, logits
    int attention_lines = 3, feed_forward_lines = 3;       // of a matrix's label
    float stream_x = 0;                                    // the residual stream's line inside the layer
    float arrow = 0;                                       // length of an arrow between two columns
    float return_gap = 0;                                  // room for a sub-block's way back to the stream
    bool shares_norm = false;                              // both sub-blocks read the output of one
    bool closed = false;                                   // the feed-forward is its name alone
    Scales scales;

    // Of the names and counts of both sub-blocks, in pixels, and how many columns their norms have as they are drawn.
    float attention_header = 0, feed_forward_header = 0;
    double dim = 0;

    const Rect& box(std::string_view block) const { return block == attention_block ? attention : feed_forward; }
    // Of a sub-block's way back, along the middle of the gap below it.
    float return_y(std::string_view block) const { return box(block).max.y + way_back; }
    float way_back = 0;
};
Plan plan_model(const Sketch& sketch, Rect area);

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

// How a sub-block is drawn: latent attention and mixtures have layouts of their own.
inline bool is_latent(const Sketch& sketch) {
    return sketch.has("layer.attention.latent_down.weight");
}
inline bool is_mixture(const Sketch& sketch) {
    return sketch.has("layer.feed_forward.router.weight");
}
bool in_turn(const Sketch& sketch);      // the feed-forward reads what attention has added to
bool shares_norm(const Sketch& sketch);  // both sub-blocks read the output of one norm
bool norm_after_sum(const Sketch& sketch);

// Columns of attention and of the feed-forward that are as wide as the words in them.
float lane_labels(const Sketch& sketch, int lines);    // beside W_q, W_k, W_v
float lane_outputs(const Sketch& sketch, int lines);   // at least, for Q, K and V
float output_labels(const Sketch& sketch);             // above and below W_o
float up_labels(const Sketch& sketch, int lines);      // beside W_gate and W_up, where they do not fit inside
float hidden_labels(const Sketch& sketch, int lines);  // above the hidden activation, and W_down's below it

// Where the words about the output head and the logits go, with `room` pixels from the head's left side on.
enum class HeadWords { inside, inside_two_lines, beside, below };
struct EndsWords {
    HeadWords head;
    bool logits_beside;
};
EndsWords ends_words(const Sketch& sketch, float scale, float room);
// How high what stands between the layer and the head is: the final norm, and the way to the embedding's width.
float ends_before_head(const Sketch& sketch, float scale);
inline constexpr float stream_inset = 22;  // the head begins this far left of the stream, in design pixels

// The layer's card with its title, and the kinds of layers to be chosen from.
void lay_out_layer(Sketch& sketch, const Plan& plan);
// The parts, each in its own file.
void lay_out_embedding(Sketch& sketch, const Plan& plan);
void lay_out_attention(Sketch& sketch, const Plan& plan);
void lay_out_latent(Sketch& sketch, const Plan& plan);
void lay_out_feed_forward(Sketch& sketch, const Plan& plan);
void lay_out_mixture(Sketch& sketch, const Plan& plan);
void lay_out_closed(Sketch& sketch, const Plan& plan);  // the feed-forward while attention is shown to a class
void lay_out_ends(Sketch& sketch, const Plan& plan);

// What attention's kinds share: one small square for each head around the middle of a column, above `bottom`; and from
// those on the joined heads and the output projection.
struct HeadsAt {
    float heads, joined, output;  // left edges
};
void lay_out_heads(Sketch& sketch, float left, float y, float bottom);
void lay_out_heads_joined(Sketch& sketch, const Plan& plan, const HeadsAt& at, float y, float height);

// A sub-block's frame with its name and how many parameters it has, and its door.
void lay_out_card(Sketch& sketch, const Plan& plan, std::string_view block);
// Where the input of the first matrices branches: right of the norm and of the card's name.
float card_split(const Sketch& sketch, const Plan& plan, std::string_view block);
float card_split(const Sketch& sketch, const Plan& plan, std::string_view block, float scale);
float card_norm_y(const Sketch& sketch, const Plan& plan, std::string_view block);

// A sub-block's input: from the stream through its norm to `until`.
void lay_out_norm(Sketch& sketch, const Plan& plan, std::string_view block, float y, float until);
// What a norm trains: "4096", "2 × 4096" with weight and bias, "no weights".
std::string norm_size(const Sketch& sketch, std::string_view norm);
// What flows into a sub-block, and what its first matrices read: the same, or the norm of it.
std::string_view stream_into(const Sketch& sketch, std::string_view block);
std::string block_input(const Sketch& sketch, std::string_view block);
// The tensor that enters the first layer, and the one that leaves the last.
std::string_view first_stream(const Sketch& sketch);
std::string_view last_stream(const Sketch& sketch);
// A sub-block's way back: from `from` down, left along the gap, through the output's slab into the add mark on the
// stream.
void lay_out_return(Sketch& sketch, const Plan& plan, std::string_view block, Point from);

// Fixed widths inside a sub-block, in design pixels; the scale is chosen so that matrices take the rest.
namespace room {
inline constexpr float padding = 16, gap = 10, heads = 68, operation = 46;
inline constexpr float normed_back = 120;  // from what a sub-block adds to the norm before it
}  // namespace room

}  // namespace headcount
