// The enlarged card of a head's page: every product stands at the corner of its two factors, so that the sides they
// share are seen to be equal: Q left of S, the keys above it; A below S, V above what A and V make.
#include <algorithm>

#include "app/canvas/arrange/head_plan.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::string_view block = "layer.attention.head";
constexpr std::string_view queries = "layer.attention.head.queries", keys = "layer.attention.head.keys",
                           values = "layer.attention.head.values", scores = "layer.attention.head.scores",
                           weights = "layer.attention.head.weights", head_output = "layer.attention.head.output",
                           sinks = "layer.attention.sinks.weight";

constexpr double longest_share = 16;  // a side of more than so many times d_h is cut
constexpr float large_card_padding = 14, card_title = 34, gap = 10, middle = 46;  // middle: between S and A
constexpr float inside_gap = 8, above_gap = 4;
constexpr float beside_weights = 4;  // A's words keep their size where the page is seen smaller, and their card's edge
                                     // comes nearer: they stand close

// A matrix's words, line by line, and how much room they take.
struct Words {
    std::vector<Label> lines;
    float width = 0, height = 0;
};

class Card {
  public:
    Card(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers)
        : sketch_(sketch), plan_(plan), numbers_(numbers) {
        const auto shape = [&](std::string_view id) -> const Shape& { return sketch.find(id)->shape; };
        const Expr seen = shape(keys)[0];
        of_queries_ = words("Q", queries, shape(queries));
        of_keys_ = words("K^T", keys, {shape(keys)[1], seen}, true);
        of_values_ = words("V", values, shape(values), true);
        of_output_ = words("O = A · V", head_output, shape(head_output));
        square_ = shape_in_numbers({shape(queries)[0], seen}, sketch.input().model.bindings);
        if (numbers.mask.sees_all())
            softmax_ = {"softmax per row:", "each sees all"};
        else if (numbers.mask.kind == Mask::Kind::around)
            softmax_[0] = "only those around,";
        else if (static_cast<double>(numbers.mask.size) < numbers.seen && numbers.mask.size > 0)
            softmax_[0] = "only the window,";
        else if (numbers.tokens <= 1)
            softmax_ = {"softmax:", "one token sees all"};
        if (sketch.has(sinks)) sums_ = {"with its sink", "a row sums to one"};
        const std::optional<double> scale = sketch.input().model.graph.own_score_factor();
        product_ = scale == 1.0 ? "Q · K^T"
                   : scale      ? "Q · K^T · " + factor_text(*scale)
                                : "Q · K^T / √" + std::to_string(sketch.input().model.graph.score_terms() *
                                                                 static_cast<std::int64_t>(numbers.head_dim));
        area_ = {{plan.card.min.x + px(large_card_padding), plan.card.min.y + px(card_title)},
                 {plan.card.max.x - px(large_card_padding), plan.card.max.y - px(large_card_padding)}};
    }

    // At this scale, whatever would fit.
    bool fits(const Ruler& ruler) const { return fits(need(ruler)); }

    float draw() {
        choose_scale();
        sketch_.scene.layer_scale = ruler_.scale;
        draw_header();
        place();
        draw_scores();
        draw_weights();
        return draw_output();
    }

  private:
    // What the card needs at a scale.
    struct Need {
        bool queries_in = false, keys_in = false, values_in = false, output_in = false;  // words inside their matrices
        bool names_in = false;                                                           // of S and A
        bool keys_above = false;                                  // else on their left, where they are not inside
        float head_dim = 0, value_dim = 0, tokens = 0, seen = 0;  // sides
        float left = 0, right = 0;                                // columns beside the scores
        float above = 0, upper = 0, lower = 0;                    // rows: above the scores; both halves
        float width = 0, height = 0;
    };

    float px(float design) const { return sketch_.px(design); }

    Words words(std::string_view name, std::string_view id, const Shape& shape, bool cached = false) const {
        Words made;
        auto line = [&](std::string text, TextRole role, Tone tone) {
            made.width = std::max(made.width, sketch_.width_of(text, role));
            made.lines.push_back({.role = role, .tone = tone, .text = std::move(text), .id = std::string(id)});
        };
        line(std::string(name), TextRole::name, Tone::high);
        line(shape_in_numbers(shape, sketch_.input().model.bindings), TextRole::number, Tone::mid);
        if (cached && numbers_.cached > 0) line(grouped(numbers_.cached) + " cached", TextRole::caption, Tone::cached);
        made.height = sketch_.label_height(static_cast<int>(made.lines.size()));
        return made;
    }

    void write(const Words& words, Point top, Anchor anchor = Anchor::left) {
        float y = top.y;
        for (const Label& line : words.lines) {
            sketch_.label({top.x, y}, line.text, line.role, line.tone, anchor, line.id);
            y += line.role == TextRole::name ? sketch_.name_line() : sketch_.number_line();
        }
    }

    void write_in(const Rect& matrix, const Words& words) {
        write(words, {matrix.min.x + px(inside_gap + 2), matrix.min.y + px(inside_gap - 2)});
    }
    // S or A: in its matrix where names have room there, else at `beside`.
    void name_square(std::string_view name, std::string_view id, const Rect& square, Point beside) {
        const Point at = at_.names_in ? Point{square.max.x - px(6), square.min.y + px(4)} : beside;
        sketch_.name(at, name, id, Anchor::right);
    }

    bool fits(const Need& need) const { return need.width <= area_.width() && need.height <= area_.height(); }
    bool inside(const Words& words, float width, float height) const {
        return width >= words.width + px(2 * inside_gap) && height >= words.height + px(inside_gap);
    }
    float outside(const Words& words, bool is_inside) const { return is_inside ? 0 : words.height + px(above_gap); }

    Need need(const Ruler& ruler) const;
    void choose_scale();
    void draw_header();
    void place();
    void draw_scores();
    void draw_weights();
    float draw_output();

    Sketch& sketch_;
    const HeadPlan& plan_;
    const HeadNumbers& numbers_;
    Words of_queries_, of_keys_, of_values_, of_output_;
    std::string square_, product_;
    std::array<std::string_view, 2> softmax_{"mask the future,", "softmax per row"};  // a lone token has no future
    std::array<std::string_view, 2> sums_{"every row", "sums to one"};
    Rect area_;
    Ruler ruler_;
    Need at_{};
    Rect scores_, weights_, values_;
};

Card::Need Card::need(const Ruler& ruler) const {
    const float dim = ruler(numbers_.head_dim), value_dim = ruler(numbers_.value_dim);
    const float tokens = ruler(numbers_.tokens), seen = ruler(numbers_.seen);
    Need need{.head_dim = dim, .value_dim = value_dim, .tokens = tokens, .seen = seen};
    need.queries_in = inside(of_queries_, dim, tokens);
    need.keys_in = inside(of_keys_, seen, dim);
    need.keys_above = !need.keys_in && of_keys_.width <= seen;
    need.values_in = inside(of_values_, value_dim, seen);
    need.output_in = inside(of_output_, value_dim, tokens);
    need.names_in = numbers_.cached == 0 && std::min(tokens, seen) >= px(46);
    auto width = [&](std::string_view text, TextRole role) { return sketch_.width_of(text, role); };
    const float half = seen / 2, size = width(square_, TextRole::number);
    const float name = need.names_in ? 0 : width("S", TextRole::name) + px(8);
    const float sums = std::max({size, width(sums_[0], TextRole::caption), width(sums_[1], TextRole::caption)});
    const float left_of_arrow = std::max(name + size, width(product_, TextRole::name)) + px(8);
    const float right_of_arrow =
        std::max(width(softmax_[0], TextRole::caption), width(softmax_[1], TextRole::caption)) + px(8);
    const bool keys_beside = !need.keys_in && !need.keys_above;
    need.left = std::max({dim, need.queries_in ? 0 : of_queries_.width, keys_beside ? of_keys_.width : 0, sums,
                          left_of_arrow - px(gap) - half});
    // The way out leaves from the middle of the output, and its words stand beside that.
    need.right =
        std::max({value_dim, need.values_in ? 0 : of_values_.width,
                  need.output_in ? 0 : value_dim / 2 + px(8) + of_output_.width, right_of_arrow - px(gap) - half});
    need.above = std::max(dim + px(gap) + outside(of_keys_, !need.keys_above),
                          outside(of_queries_, need.queries_in) + outside(of_keys_, !keys_beside));
    need.upper = std::max(need.above + tokens, seen + outside(of_values_, need.values_in));
    const float beside = (need.names_in ? 0 : sketch_.name_line()) + 3 * sketch_.number_line();
    need.lower = std::max({tokens + outside(of_output_, need.output_in), beside});
    need.width = need.left + seen + need.right + px(2 * gap);
    need.height = need.upper + px(middle) + need.lower;
    return need;
}

// The largest scale at which matrices and words fit. Words move inside as matrices grow, so the room that is needed
// does not grow steadily, and every scale is tried from above.
void Card::choose_scale() {
    if (plan_.outer.log_sides) {
        ruler_ = plan_.outer;
        at_ = need(ruler_);
        return;
    }
    const double longest = longest_share * std::max(numbers_.head_dim, numbers_.value_dim);
    float scale =
        area_.width() / static_cast<float>(numbers_.head_dim + numbers_.value_dim + std::min(numbers_.seen, longest));
    const double most = sketch_.input().most_card_scale;
    if (most > 0) scale = std::min(scale, static_cast<float>(most));
    const float least = px(least_side) / static_cast<float>(longest);
    for (;; scale *= 0.97F) {
        ruler_ = {scale, px(least_side), longest};
        at_ = need(ruler_);
        if (fits(at_) || scale < least) return;
    }
}

void Card::draw_header() {
    const Rect& card = plan_.card;
    sketch_.frame(block, card, FrameKind::card, Component::attention, numbers_.heads);
    const std::string name = numbers_.heads == 1 ? "The only head" : "Head {i} of " + std::to_string(numbers_.heads);
    const float y = card.min.y + px(9), x = area_.min.x + sketch_.width_of(name, TextRole::title) + px(12);
    sketch_.title({area_.min.x, y}, name, block);
    const std::string scale = drawn_at(ruler_.scale, plan_.outer.scale);
    note_enlarged(sketch_.scene, "head", scale);
    const bool cut = !ruler_.log_sides && std::max(numbers_.tokens, numbers_.seen) > ruler_.longest;
    const std::string all = cut ? scale + (scale.empty() ? "" : ", ") + "long sides cut" : scale;
    const std::string said = fitting(sketch_, {all, scale}, TextRole::caption, area_.max.x - x);
    if (!said.empty()) sketch_.caption({area_.max.x, y + px(1)}, said, block, Anchor::right);
}

void Card::place() {
    const float spare = (area_.width() - at_.width) / 2, tall = (area_.height() - at_.height) / 2;
    const float x = area_.min.x + std::max(0.0F, spare) + at_.left + px(gap);
    const float upper = area_.min.y + std::max(0.0F, tall) + at_.upper, lower = upper + px(middle);
    scores_ = {{x, upper - at_.tokens}, {x + at_.seen, upper}};
    weights_ = {{x, lower}, {x + at_.seen, lower + at_.tokens}};
    const float right = scores_.max.x + px(gap);
    values_ = {{right, upper - at_.seen}, {right + at_.value_dim, upper}};
}

// S with its factors: Q on its left, the keys above.
void Card::draw_scores() {
    const double dim = numbers_.head_dim;
    const Rect left = draw_piece(sketch_, queries, {scores_.min.x - px(gap) - at_.head_dim, scores_.min.y},
                                 {.sides = {numbers_.tokens, dim}}, ruler_);
    const Rect above = draw_piece(sketch_, keys, {scores_.min.x, scores_.min.y - px(gap) - at_.head_dim},
                                  {.sides = {dim, numbers_.seen}, .transposed = true}, ruler_);
    draw_piece(sketch_, scores, scores_.min, seen_by_head(sketch_, numbers_), ruler_);

    const float side = scores_.min.x - px(gap);  // words of Q and of the keys end here where they are not inside
    if (at_.queries_in)
        write_in(left, of_queries_);
    else if (of_queries_.width <= left.width())
        write(of_queries_, {left.min.x, left.min.y - outside(of_queries_, false)});
    else
        write(of_queries_, {side, left.min.y - outside(of_queries_, false)}, Anchor::right);
    if (at_.keys_in)
        write(of_keys_, {above.min.x + px(inside_gap), above.min.y + px(inside_gap - 2)});
    else if (at_.keys_above)
        write(of_keys_, {above.min.x, above.min.y - outside(of_keys_, false)});
    else {
        const float room = left.min.y - outside(of_queries_, at_.queries_in) - of_keys_.height - px(above_gap);
        write(of_keys_, {side, std::min(room, above.min.y)}, Anchor::right);
    }

    const float x = scores_.centre().x - px(8), y = scores_.max.y + px(5);
    const float size = sketch_.width_of(square_, TextRole::number);
    sketch_.number({x, y + px(1)}, square_, scores, Anchor::right);
    name_square("S", scores, scores_, {x - size - px(8), y});
    sketch_.label({x, y + sketch_.name_line()}, product_, TextRole::name, Tone::low, Anchor::right, scores);
}

void Card::draw_weights() {
    draw_piece(sketch_, weights, weights_.min, seen_by_head(sketch_, numbers_), ruler_);
    const float arrow = scores_.centre().x;
    float y = scores_.max.y + px(5);
    sketch_.wire({{arrow, scores_.max.y}, {arrow, weights_.min.y - px(1)}}, weights);
    for (const std::string_view words : softmax_) {
        y += px(1);
        sketch_.label({arrow + px(8), y}, words, TextRole::caption, Tone::mid, Anchor::left, weights);
        y += sketch_.number_line();
    }
    keep_together(sketch_, 2);

    float line = weights_.min.y;
    const float x = weights_.min.x - px(beside_weights);
    name_square("A", weights, weights_, {x, line});
    if (!at_.names_in) line += sketch_.name_line();
    sketch_.number({x, line}, square_, weights, Anchor::right);
    line += sketch_.number_line();
    for (const std::string_view words : sums_) {
        sketch_.caption({x, line}, words, weights, Anchor::right);
        line += sketch_.number_line();
    }
    keep_together(sketch_, 2);
}

// O with its factors: A on its left, V above.
float Card::draw_output() {
    const double dim = numbers_.value_dim;
    draw_piece(sketch_, values, values_.min, {.sides = {numbers_.seen, dim}}, ruler_);
    if (at_.values_in)
        write_in(values_, of_values_);
    else
        write(of_values_, {values_.min.x, values_.min.y - outside(of_values_, false)});

    const Rect made =
        draw_piece(sketch_, head_output, {values_.min.x, weights_.min.y}, {.sides = {numbers_.tokens, dim}}, ruler_);
    const float leaves = made.centre().x;
    sketch_.line({{leaves, made.max.y}, {leaves, plan_.card.max.y}}, head_output);
    if (at_.output_in)
        write_in(made, of_output_);
    else
        write(of_output_, {leaves + px(8), made.max.y + px(above_gap)});
    return leaves;
}

}  // namespace

bool card_fits(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers) {
    return Card(sketch, plan, numbers).fits(plan.outer);
}

float lay_out_head_card(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers) {
    return Card(sketch, plan, numbers).draw();
}

}  // namespace headcount
