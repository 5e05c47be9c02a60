// A mixture of experts in one layer: norm, router, one expert on the deck of all, the shared experts, and back to the
// stream.
#include <algorithm>
#include <array>

#include "app/canvas/layer_measures.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::string_view router = "layer.feed_forward.router.weight", router_bias = "layer.feed_forward.router.bias",
                           output = "layer.feed_forward.output",
                           shared_weight = "layer.feed_forward.shared.weight.weight";
constexpr float header = 42, low_header = 26;  // of the deck: words above the squares of all experts, or beside those
constexpr float low_box = 176;                 // of which the squares stand beside the words
constexpr float shared_header = 20, inset = 8, inner = 12, below = 17, mark = 30;
constexpr float deck_behind = 10;  // what is seen of the cards behind the first
constexpr float pair_gap = 5;      // between gate and up

// One feed-forward of the mixture: the expert that stands for all, or the shared ones side by side.
struct Group {
    std::string_view prefix;
    std::string id(std::string_view rest) const { return std::string(prefix) + std::string(rest); }
};
constexpr Group expert{"layer.feed_forward.expert."}, shared{"layer.feed_forward.shared."};

bool is_low(const Sketch& sketch, const Plan& plan) {
    return plan.feed_forward.height() < sketch.px(low_box);
}
float header_of(const Sketch& sketch, const Plan& plan) {
    return sketch.px(is_low(sketch, plan) ? low_header : header);
}
// How far below the deck's upper edge the router begins: its name is above it, or beside.
float above_router(const Sketch& sketch, const Plan& plan) {
    return sketch.px(is_low(sketch, plan) ? 3 : 20);
}

// How gate and up stand, and where the shared experts are: whatever is larger.
struct Form {
    bool stacked, shared_below;
};
// Those that are tried first have room for more words.
constexpr std::array<Form, 4> wide_forms{{{true, true}, {true, false}, {false, true}, {false, false}}},
    narrow_forms{{{false, true}, {false, false}, {true, true}, {true, false}}};
const std::array<Form, 4>& forms_of(const MixtureMeasures& the) {
    return the.expert.up.columns > the.expert.up.rows ? wide_forms : narrow_forms;
}

// How wide and tall its matrices are, in pixels.
struct Extent {
    float up_width, up_height, bias, hidden, down_width, down_height, width, height;
};

Extent extent_of(const Sketch& sketch, const MixtureMeasures& the, const ExpertMeasures& group, float scale,
                 bool stacked, bool words) {
    const bool beside = group.gated && !stacked;
    Extent at{};
    at.bias = group.bias.columns > 0 ? sketch.px(2) + sketch.thick(group.bias.rows, scale) : 0;
    at.up_width = at.hidden = sketch.thick(group.up.columns, scale);
    at.up_height = sketch.thick(group.up.rows, scale) + at.bias;
    at.down_width = sketch.thick(group.down.columns, scale);
    at.down_height = sketch.thick(group.down.rows, scale) + at.bias;
    // A name below a narrow matrix is wider than that.
    if (words && beside) at.up_width = std::max(at.up_width, the.up_words);
    if (words) at.down_width = std::max(at.down_width, the.down_words);
    at.width = (beside ? 2 * at.up_width + sketch.px(inner) : at.up_width) + sketch.px(mark) + at.hidden +
               sketch.px(inner) + at.down_width;
    at.height =
        std::max(group.gated && stacked ? 2 * at.up_height + sketch.px(pair_gap) : at.up_height, at.down_height);
    return at;
}

struct At {
    float split, router, deck, end;  // left edges, and where the last group ends
    Extent one, others;
    float router_width, gate_width;
    float height;  // of all
};

At measured(const Sketch& sketch, const MixtureMeasures& the, const Plan& plan, float scale, Form form, bool words) {
    const auto px = [&](float design) { return sketch.px(design); };
    At at{};
    at.one = extent_of(sketch, the, the.expert, scale, form.stacked, words);
    if (the.has_shared()) at.others = extent_of(sketch, the, the.shared, scale, form.stacked, words);
    at.gate_width = the.shared_weight.columns > 0 ? sketch.thick(the.shared_weight.columns, scale) + px(inner) : 0;
    at.router_width = sketch.thick(the.router.columns, scale);
    at.split = card_split(sketch, plan, feed_forward_block, scale);
    at.router = at.split + plan.arrow;
    const float router_words = words ? std::max(the.router_words, at.router_width) : at.router_width;
    at.deck = at.router + router_words + plan.arrow;
    const float card = at.one.width + px(2 * inset), deck = std::max(card, words ? px(190) : 0) + px(deck_behind);
    const float others = at.others.width > 0 ? at.others.width + at.gate_width + px(2 * inset) : 0;
    const float foot = words ? px(below) : px(4);
    const float deck_height = header_of(sketch, plan) + at.one.height + foot,
                others_height = px(shared_header) + at.others.height + foot;
    const bool two_rows = others > 0 && form.shared_below, two_columns = others > 0 && !form.shared_below;
    at.height =
        two_rows ? deck_height + px(inset) + others_height : std::max(deck_height, others > 0 ? others_height : 0);
    at.end = at.deck + (two_columns ? deck + plan.arrow + others : std::max(deck, others));
    // The router stands left of the deck, below its words.
    at.height = std::max(at.height, above_router(sketch, plan) + sketch.thick(the.router.rows, scale) + px(26) + foot);
    return at;
}

bool fits(const Sketch& sketch, const MixtureMeasures& the, const Plan& plan, float scale, Form form, bool words) {
    const At at = measured(sketch, the, plan, scale, form, words);
    return at.end + sketch.px(room::padding + 24) <= plan.feed_forward.max.x &&
           at.height + sketch.px(deck_behind + 8) <= plan.feed_forward.height();
}

Form form_at(const Sketch& sketch, const MixtureMeasures& the, const Plan& plan, float scale) {
    for (bool words : {true, false})
        for (const Form& form : forms_of(the))
            if (fits(sketch, the, plan, scale, form, words)) return form;
    return forms_of(the).back();
}

class MixtureLayout {
  public:
    MixtureLayout(Sketch& sketch, const Plan& plan)
        : sketch_(sketch), measures_(sketch), plan_(plan), box_(plan.feed_forward), scale_(plan.scales.layer) {}

    void lay_out();

  private:
    float px(float design) const { return sketch_.px(design); }
    const Tensor& tensor(const std::string& id) const { return *sketch_.find(id); }
    void lay_out_router(float top, float norm_y);
    Point lay_out_deck(Rect card);
    Point lay_out_shared(Rect rect);
    Point lay_out_matrices(const Group& group, const Extent& at, Point corner, float input_y, float from);
    void matrix_words(const std::string& id, const Rect& slab);

    Sketch& sketch_;
    MixtureMeasures measures_;
    const Plan& plan_;
    const Rect& box_;
    float scale_;
    Form form_{};
    At at_{};
    std::string input_;
};

// The name in the matrix where there is room, else above it.
void MixtureLayout::matrix_words(const std::string& id, const Rect& slab) {
    const Tensor& of = tensor(id);
    const float name = sketch_.width_of(of.symbol, TextRole::name);
    const bool inside = slab.width() >= sketch_.label_width(id, 2) + px(10) && slab.height() >= sketch_.label_height(2);
    const bool only_name = slab.width() >= name + px(8) && slab.height() >= px(18);
    if (inside || only_name) {
        const float height = inside ? sketch_.label_height(2) : px(16);
        const Point at{slab.min.x + px(inside ? 6 : 4), slab.centre().y - height / 2};
        sketch_.label(at, sketch_.name_text(of), TextRole::name, Tone::on_slab, Anchor::left, id);
        if (inside)
            sketch_.label({at.x, at.y + sketch_.name_line()}, sketch_.shape_text(of), TextRole::number,
                          Tone::on_slab_low, Anchor::left, id);
        return;
    }
    sketch_.label({slab.min.x, slab.max.y + px(2)}, sketch_.name_text(of), TextRole::name, Tone::high, Anchor::left,
                  id);
}

void MixtureLayout::lay_out_router(float top, float norm_y) {
    const float height = sketch_.thick(sketch_.sides(router).rows, scale_),
                y = top + above_router(sketch_, plan_) + height / 2;
    const bool low = is_low(sketch_, plan_);
    const Rect weight = sketch_.slab(router, {at_.router, y}, scale_);
    sketch_.bias_below(router_bias, weight, scale_);
    sketch_.wire({{at_.split, norm_y}, {at_.split, y}, {at_.router - px(2), y}}, input_);
    const float under = weight.max.y + px(sketch_.has(router_bias) ? 24 : 16);
    sketch_.label(low ? Point{weight.max.x + px(4), weight.max.y - px(13)} : Point{weight.min.x, weight.min.y - px(19)},
                  std::string(tensor(std::string(router)).symbol), TextRole::name, Tone::high, Anchor::left, router);
    sketch_.label({weight.min.x, under}, sketch_.shape_text(router), TextRole::number, Tone::mid, Anchor::left, router);
    // Its scores decide which experts are lit.
    const float squares = top + px(low ? 13 : 29);
    const float out = std::min(std::max(squares, weight.min.y + px(2)), weight.max.y - px(2));
    if (std::abs(out - squares) < px(4))
        sketch_.wire({{weight.max.x, squares}, {at_.deck + (low ? 0 : px(inset - 2)), squares}},
                     "layer.feed_forward.routing");
    else
        sketch_.wire({{weight.max.x, out},
                      {weight.max.x + px(5), out},
                      {weight.max.x + px(5), squares},
                      {at_.deck + (low ? 0 : px(inset - 2)), squares}},
                     "layer.feed_forward.routing");
}

Point MixtureLayout::lay_out_deck(Rect card) {
    const auto experts = static_cast<std::int64_t>(sketch_.value(Symbol::experts)),
               used = static_cast<std::int64_t>(sketch_.value(Symbol::experts_per_token));
    const std::string block = "layer.feed_forward.expert", routing = "layer.feed_forward.routing";
    sketch_.frame(block, card, FrameKind::card, Component::feed_forward, experts);
    const std::string all = grouped(experts), some = grouped(used);
    float room = card.width() - px(2 * inset), left = card.min.x + px(inset);
    const bool low = is_low(sketch_, plan_);
    constexpr float least_squares = 40;
    for (const std::string& words :
         {"One of " + all + " experts, " + some + " a token", all + " experts, " + some + " a token", "× " + all}) {
        const float width = sketch_.width_of(words, TextRole::name) + (low ? px(8 + least_squares) : 0);
        if (width > room) continue;
        sketch_.label({left, card.min.y + px(4)}, words, TextRole::name, Tone::high, Anchor::left, block);
        if (low) left += width - px(least_squares);
        if (low) room -= width - px(least_squares);
        break;
    }
    // All experts as squares, in at most two rows; those that one token is sent to are lit.
    constexpr float largest = 9, smallest = 3, height = 16;
    float cell = px(largest);
    const auto across = [&] { return std::max<std::int64_t>(1, static_cast<std::int64_t>(room / cell)); };
    const auto down = [&] { return std::max<std::int64_t>(1, static_cast<std::int64_t>(px(height) / cell)); };
    while (cell > px(smallest) && across() * down() < experts) cell -= px(0.5F);
    const std::int64_t lines = std::min(down(), (experts + across() - 1) / across());
    const std::int64_t columns = std::min(across(), (experts + lines - 1) / lines);
    const std::int64_t shown = std::min(experts, columns * lines);
    const float y = card.min.y + (low ? px(13) - cell * static_cast<float>(lines) / 2 : px(23));
    sketch_.scene.slabs.push_back(
        {.id = routing,
         .rect = {{left, y}, {left + cell * static_cast<float>(columns), y + cell * static_cast<float>(lines)}},
         .part = Part::router,
         .look = SlabLook::activation,
         .base = {},
         .thickened = true,
         .grid_columns = static_cast<int>(columns),
         .grid_cells = shown,
         .grid_lit = std::min(used, shown)});
    sketch_.scene.thickened = true;
    const float body = card.min.y + header_of(sketch_, plan_);
    // Its input passes below the router, which ends higher, into the first matrix.
    return lay_out_matrices(expert, at_.one, {card.min.x + px(inset), body}, body + at_.one.up_height - px(9),
                            at_.split);
}

Point MixtureLayout::lay_out_shared(Rect rect) {
    const auto count = static_cast<std::int64_t>(sketch_.value(Symbol::shared_experts));
    const std::string up = shared.id("up.weight");
    const std::string words = count == 1 ? "Shared expert" : grouped(count) + " shared experts";
    const float room = rect.width() - px(inset);
    if (sketch_.width_of(words + ", every token", TextRole::name) <= room)
        sketch_.label({rect.min.x + px(inset), rect.min.y + px(1)}, words + ", every token", TextRole::name, Tone::high,
                      Anchor::left, "layer.feed_forward.shared");
    else
        sketch_.label({rect.min.x + px(inset), rect.min.y + px(1)}, words, TextRole::name, Tone::high, Anchor::left,
                      "layer.feed_forward.shared");
    Point corner{rect.min.x + px(inset), rect.min.y + px(shared_header)};
    const float y = corner.y + at_.others.up_height - px(9);
    if (at_.gate_width > 0) {
        const float height = sketch_.thick(sketch_.sides(shared_weight).rows, scale_);
        sketch_.slab(shared_weight, {corner.x, corner.y + height / 2}, scale_);
        corner.x += at_.gate_width;
    }
    const bool beside = !form_.shared_below;
    const float from = beside ? rect.min.x - px(4) : at_.split;
    if (beside) {
        // Below the deck and up again.
        const float under = box_.max.y - px(7);
        const std::vector<Point> way{
            {at_.split, card_norm_y(sketch_, plan_, feed_forward_block)}, {at_.split, under}, {from, under}, {from, y}};
        sketch_.wire(way, input_, false, false);
    }
    return lay_out_matrices(shared, at_.others, corner, y, from);
}

// Gate and up from `from`, the hidden activation, down; returns where the output leaves.
Point MixtureLayout::lay_out_matrices(const Group& group, const Extent& at, Point corner, float input_y, float from) {
    const bool gated = sketch_.has(group.id("gate.weight")), beside = gated && !form_.stacked;
    const std::string up = group.id("up.weight"), hidden = group.id("hidden"), down = group.id("down.weight");
    const float matrix = at.up_height - at.bias;
    float x = corner.x;
    const auto place = [&](std::string_view name, Point left_top) {
        const std::string id = group.id(std::string(name) + ".weight");
        const Rect slab =
            sketch_.slab(id, {left_top.x, left_top.y + sketch_.thick(sketch_.sides(id).rows, scale_) / 2}, scale_);
        sketch_.bias_below(group.id(std::string(name) + ".bias"), slab, scale_);
        matrix_words(id, slab);
        return slab;
    };
    const float end = corner.x - px(2), norm_y = card_norm_y(sketch_, plan_, feed_forward_block);
    if (from == at_.split)
        sketch_.wire({{from, norm_y}, {from, input_y}, {end, input_y}}, input_);
    else
        sketch_.wire({{from, input_y}, {end, input_y}}, input_);
    Rect first = gated ? place("gate", corner) : place("up", corner);
    Rect second = first;
    float y = corner.y + at.height / 2;
    if (beside) {
        x += at.up_width + px(inner);
        second = place("up", {x, corner.y});
        y = corner.y + matrix / 2;
    } else if (gated) {
        second = place("up", {x, corner.y + at.up_height + px(pair_gap)});
        y = corner.y + at.up_height + px(pair_gap / 2);
        const float low = second.centre().y;
        sketch_.wire({{corner.x - px(inset / 2), input_y}, {corner.x - px(inset / 2), low}, {end, low}}, input_);
    } else {
        y = first.centre().y;
    }
    const float apply = (beside ? second.max.x : x + at.up_width) + px(mark / 2);
    if (beside) {
        const float over = corner.y - px(5);
        sketch_.wire({{first.centre().x, first.min.y}, {first.centre().x, over}, {apply, over}, {apply, y - px(8)}},
                     group.id("gate"));
        sketch_.wire({{second.max.x, y}, {apply - px(8), y}}, group.id("up"));
    } else if (gated) {
        sketch_.wire({{first.max.x, first.centre().y}, {apply, first.centre().y}, {apply, y - px(8)}},
                     group.id("gate"));
        sketch_.wire({{second.max.x, second.centre().y}, {apply, second.centre().y}, {apply, y + px(8)}},
                     group.id("up"));
    } else {
        sketch_.wire({{first.max.x, y}, {apply - px(8), y}}, group.id("up"));
    }
    sketch_.mark({apply, y}, gated ? MarkKind::multiply : MarkKind::apply, hidden);
    x = apply + px(mark / 2);
    const float tallest = px(2 * least_side);
    const Rect made = sketch_.slab(hidden, {x, y}, scale_, tallest);
    sketch_.wire({{apply + px(8), y}, {made.min.x, y}}, hidden, false, false);
    x += at.hidden + px(inner);
    const float height = sketch_.thick(sketch_.sides(down).rows, scale_);
    const float lowest = corner.y + at.height - (at.down_height - height) - height / 2;
    const Rect last = place("down", {x, std::min(std::max(y, corner.y + height / 2), lowest) - height / 2});
    sketch_.wire({{made.max.x, y}, {last.min.x - px(2), y}}, hidden);
    return {last.max.x, std::min(std::max(y, last.min.y), last.max.y)};
}

void MixtureLayout::lay_out() {
    form_ = form_at(sketch_, measures_, plan_, scale_);
    const bool words = fits(sketch_, measures_, plan_, scale_, form_, true);
    at_ = measured(sketch_, measures_, plan_, scale_, form_, words);
    input_ = block_input(sketch_, feed_forward_block);
    lay_out_card(sketch_, plan_, feed_forward_block);
    const float norm_y = card_norm_y(sketch_, plan_, feed_forward_block);
    lay_out_norm(sketch_, plan_, feed_forward_block, norm_y, at_.split);

    const float foot = words ? px(below) : px(4);
    const float slack = std::max(0.0F, box_.max.x - px(room::padding + 24) - at_.end);
    at_.router += slack * 0.2F;
    at_.deck += slack * 0.35F;
    const float spare = std::max(0.0F, box_.height() - px(deck_behind + 8) - at_.height);
    const float top = box_.min.y + px(deck_behind) + spare * 0.4F;
    lay_out_router(top, norm_y);
    const Rect card{{at_.deck, top},
                    {at_.deck + std::max(at_.one.width + px(2 * inset), words ? px(190) : 0),
                     top + header_of(sketch_, plan_) + at_.one.height + foot}};
    Point out = lay_out_deck(card);
    const float sum_x = box_.max.x - px(room::padding + 8);
    const std::string weighed = expert.id("output");
    if (!measures_.has_shared()) {
        const Point from{out};
        sketch_.wire({from, {sum_x - px(8), from.y}}, weighed);
        sketch_.mark({sum_x, from.y}, MarkKind::add, output);
        return lay_out_return(sketch_, plan_, feed_forward_block, {sum_x + px(8), from.y});
    }
    const Rect other = form_.shared_below
                           ? Rect{{at_.deck, card.max.y + px(inset)},
                                  {at_.deck + at_.others.width + at_.gate_width + px(2 * inset), box_.max.y - px(4)}}
                           : Rect{{card.max.x + px(deck_behind) + plan_.arrow + slack * 0.3F,
                                   top + header_of(sketch_, plan_) - px(shared_header)},
                                  {sum_x - px(16), box_.max.y - px(4)}};
    const Point second = lay_out_shared(other);
    if (form_.shared_below) {
        const float y = (out.y + second.y) / 2;
        sketch_.wire({out, {sum_x, out.y}, {sum_x, y - px(8)}}, weighed);
        sketch_.wire({second, {sum_x, second.y}, {sum_x, y + px(8)}}, shared.id("output"));
        sketch_.mark({sum_x, y}, MarkKind::add, output);
        return lay_out_return(sketch_, plan_, feed_forward_block, {sum_x + px(8), y});
    }
    // Over the shared experts to the sum.
    const float over = top - px(4);
    sketch_.wire({out,
                  {card.max.x + px(deck_behind + 4), out.y},
                  {card.max.x + px(deck_behind + 4), over},
                  {sum_x, over},
                  {sum_x, second.y - px(8)}},
                 weighed);
    sketch_.wire({second, {sum_x - px(8), second.y}}, shared.id("output"));
    sketch_.mark({sum_x, second.y}, MarkKind::add, output);
    lay_out_return(sketch_, plan_, feed_forward_block, {sum_x + px(8), second.y});
}

}  // namespace

MixtureMeasures::MixtureMeasures(const Sketch& sketch)
    : router(sketch.sides(headcount::router, true)),
      shared_weight(sketch.sides(headcount::shared_weight, true)),
      router_words(sketch.width_of(sketch.shape_text(headcount::router), TextRole::number)),
      up_words(sketch.width_of("W_gate", TextRole::name)),
      down_words(sketch.width_of("W_down", TextRole::name)) {
    const auto measured = [&](const Group& group) {
        return ExpertMeasures{.up = sketch.sides(group.id("up.weight"), true),
                              .down = sketch.sides(group.id("down.weight"), true),
                              .bias = sketch.sides(group.id("up.bias"), true),
                              .gated = sketch.has(group.id("gate.weight"))};
    };
    expert = measured(headcount::expert);
    shared = measured(headcount::shared);
}

bool mixture_fits(const Sketch& sketch, const MixtureMeasures& the, const Plan& plan, float scale, bool words) {
    const std::array<Form, 4>& forms = forms_of(the);
    return std::any_of(forms.begin(), forms.end(),
                       [&](const Form& form) { return fits(sketch, the, plan, scale, form, words); });
}

void lay_out_mixture(Sketch& sketch, const Plan& plan) {
    MixtureLayout(sketch, plan).lay_out();
}

}  // namespace headcount
