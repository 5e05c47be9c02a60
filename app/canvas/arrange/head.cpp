// Lays out one head of attention: its input, its slices of the projections and what they make, and what it adds to the
// output. The card with scores and weights, the cache and the other heads are in files of their own.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/canvas/arrange/head_plan.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

struct HeadLane {
    std::string_view weight, bias, output, short_name;
};
constexpr std::array<HeadLane, 3> head_lanes{
    {{"layer.attention.query.weight", "layer.attention.query.bias", "layer.attention.queries", "Q"},
     {"layer.attention.key.weight", "layer.attention.key.bias", "layer.attention.keys", "K"},
     {"layer.attention.value.weight", "layer.attention.value.bias", "layer.attention.values", "V"}}};

std::string shape_of(const Sketch& sketch, const Shape& shape) {
    return shape_in_numbers(shape, sketch.input().model.bindings);
}

std::string count_text(const Sketch& sketch, const Shape& shape) {
    std::optional<std::int64_t> count = value_of(sketch, element_count(shape));
    return count ? grouped(*count) : "";
}

// X, and what one head makes of it.
const Shape& shape_of_input(const Sketch& sketch) { return sketch.find(attention_input(sketch))->shape; }
const Shape& shape_of_queries(const Sketch& sketch) { return sketch.find("layer.attention.head.queries")->shape; }

// What is multiplied with what, in the corner that the arcs leave free; returns where its longest line ends.
float lay_out_formula(Sketch& sketch, const HeadPlan& plan) {
    const Point corner = sketch.input().area.min;
    const Shape &input = shape_of_input(sketch), &output = shape_of_queries(sketch);
    const Shape weight{Symbol::dim, Symbol::head_dim};
    sketch.name(corner, "X · W_q = Q");
    std::string product = "(" + shape_of(sketch, input) + ") · (" + shape_of(sketch, weight) + ")";
    std::string result = "= " + shape_of(sketch, output);
    const float y = corner.y + sketch.name_line();
    const float words = std::max(sketch.width_of("slices for head {i}, each", TextRole::caption),
                                 sketch.width_of(shape_of(sketch, weight), TextRole::number));
    if (sketch.width_of(product + " " + result, TextRole::number) + words + sketch.px(34) <
        plan.card.min.x - corner.x) {
        sketch.number({corner.x, y}, product + " " + result);
        return corner.x + sketch.width_of(product + " " + result, TextRole::number);
    }
    sketch.number({corner.x, y}, product);
    sketch.number({corner.x, y + sketch.number_line()}, result);
    keep_together(sketch, 2);
    return corner.x + sketch.width_of(product, TextRole::number);
}

// Quarter circles from columns of X to the rows of W_q that they meet.
class Arcs {
  public:
    Arcs(Sketch& sketch, const HeadPlan& plan) : sketch_(sketch), plan_(plan) {
        gap_ = plan.slices[0] - plan.input.max.x;
        centre_ = {plan.slices[0] - sketch.px(2), plan.input.min.y - sketch.px(2)};
    }

    void draw(const HeadNumbers& numbers) {
        const float large = gap_ + plan_.input.width() - sketch_.px(2);
        // All words where there is room, nearer to the outermost arc too; not there on the least page, which is seen
        // smaller yet while its words keep their size.
        constexpr float near = 0.7F, far = 0.85F, least_page = 480;
        const bool roomy = sketch_.input().area.height() > sketch_.px(least_page);
        float meeting = near, below = words(large * near, numbers, 4);
        if (below <= 0 && roomy) below = words(large * (meeting = far), numbers, 4);
        if (below <= 0) below = words(large * (meeting = near), numbers, 2);
        if (below <= 0) below = words(large * (meeting = far), numbers, 2);
        for (float share : {0.0F, 1.0F / 3, 2.0F / 3}) arc(large * (1 - share * (1 - meeting)), "");
        arc(large * meeting, head_lanes[0].output);
        for (float share : {0.55F, 0.35F})
            if (below * share > gap_) arc(below * share, "");
    }

  private:
    void arc(float radius, std::string_view tensor) {
        constexpr int steps = 24;
        Wire wire{.points = {}, .tensor = std::string(tensor), .arrow = false, .faint = true};
        for (int i = 0; i <= steps; ++i) {
            const float angle = std::numbers::pi_v<float> / 2 * static_cast<float>(i) / steps;
            wire.points.push_back({centre_.x - radius * std::cos(angle), centre_.y - radius * std::sin(angle)});
        }
        sketch_.scene.wires.push_back(std::move(wire));
    }

    // Inside the arc of that radius, that many lines; returns how far above X the last one ends, 0 where they do not
    // fit.
    float words(float radius, const HeadNumbers& numbers, std::size_t count) {
        const std::string products = grouped(static_cast<std::int64_t>(numbers.dim));
        struct Line {
            std::string text;
            TextRole role;  // the second names a matrix, so it is set as one: with its subscript
            Tone tone;
        };
        const std::array<Line, 4> lines{{{"column k of X", TextRole::name, Tone::mid},
                                         {"meets row k of W_q", TextRole::name, Tone::mid},
                                         {products + " products, one sum", TextRole::caption, Tone::low},
                                         {"for each cell of Q", TextRole::caption, Tone::low}}};
        const float inset = sketch_.px(14), line = sketch_.px(15);
        float width = 0;
        for (std::size_t i = 0; i < count; ++i) width = std::max(width, sketch_.width_of(lines[i].text, lines[i].role));
        const float height = line * static_cast<float>(count) + sketch_.px(count > 2 ? 4 : 0);
        const float reach = radius - sketch_.px(6), across = inset + width;
        if (reach <= across) return 0;
        const float top = std::sqrt(reach * reach - across * across) - sketch_.px(4);
        const float room = std::min(top, 0.75F * radius);  // not squeezed against the arc where there is more
        if (room - height < sketch_.px(10)) return 0;
        const float x = centre_.x - inset - width / 2;
        for (std::size_t i = 0; i < count; ++i) {
            const float y = centre_.y - room + line * static_cast<float>(i) + sketch_.px(i > 1 ? 4 : 0);
            // Of no matrix: beside one they would say what its shape is.
            sketch_.label({x, y}, lines[i].text, lines[i].role, lines[i].tone, Anchor::centre, "");
            if (i % 2 == 1) keep_together(sketch_, 2);  // two lines are one sentence
        }
        return room - height - sketch_.px(4);
    }

    Sketch& sketch_;
    const HeadPlan& plan_;
    float gap_;
    Point centre_;
};

void lay_out_lane(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers, std::size_t index) {
    const HeadLane& lane = head_lanes[index];
    const float x = plan.slices[index], y = plan.stream_y;
    const Rect weight = draw_piece(sketch, lane.weight, {x, plan.weights_top},
                                   columns_of_head(numbers.dim, numbers.head_dim), plan.outer);
    if (sketch.has(lane.bias))
        draw_piece(sketch, lane.bias, {x, weight.max.y + sketch.px(3)}, columns_of_head(1, numbers.head_dim),
                   plan.outer);
    const Tensor& tensor = *sketch.find(lane.weight);
    sketch.name({x, weight.min.y - sketch.px(19)}, tensor.symbol, lane.weight);

    const bool of_memory = numbers.crosses && index > 0;
    const double rows = of_memory ? numbers.seen : numbers.tokens;
    const float height = std::min(plan.tallest, plan.outer(rows));
    const Rect made = draw_piece(sketch, lane.output, {x, y - height / 2}, columns_of_head(rows, numbers.head_dim),
                                 plan.outer, plan.tallest);
    const float from = of_memory ? plan.memory.max.x : plan.input.max.x;
    sketch.wire({{from, y}, {made.min.x - sketch.px(2), y}},
                of_memory ? std::string(memory_of(sketch, attention_block)) : attention_input(sketch));
    sketch.scene.wires.back().faint = of_memory && !makes_memory_anew(sketch);
    const std::array<std::string_view, 3> into{"layer.attention.head.queries", "layer.attention.head.keys",
                                               "layer.attention.head.values"};
    sketch.wire({{made.max.x, y}, {plan.card.min.x - sketch.px(1), y}}, into[index]);

    const float below = made.max.y + sketch.px(6);
    if (index == 0) {
        sketch.name({made.max.x, below}, lane.short_name, lane.output, Anchor::right);
        sketch.number({made.max.x, below + sketch.name_line()}, shape_of(sketch, shape_of_queries(sketch)), lane.output,
                      Anchor::right);
        return;
    }
    // A window keeps the last of what it has seen.
    const bool windowed = sketch.has("layer.attention.keys_seen");
    const std::string_view kept = index == 1 ? (windowed ? "layer.attention.keys_seen" : "layer.attention.key_cache")
                                  : windowed ? "layer.attention.values_seen"
                                             : "layer.attention.value_cache";
    const float middle = made.centre().x;
    if (sketch.has(kept)) sketch.wire({{middle, made.max.y}, {middle, plan.cache.min.y - sketch.px(1)}}, kept);
    sketch.name({middle + sketch.px(8), below}, lane.short_name, lane.output);
}

// What another stack made, left of the slices of W_k and W_v.
void lay_out_memory(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers) {
    const std::string memory(memory_of(sketch, attention_block));
    const Rect& rect = plan.memory;
    draw_piece(sketch, memory, rect.min, {.sides = {numbers.seen, numbers.dim}}, plan.outer, plan.tallest);
    const float below = rect.max.y + sketch.px(6);
    const std::string_view name = sketch.find(memory)->symbol;
    sketch.name({rect.min.x, below}, name, memory);
    sketch.number({rect.min.x + sketch.px(18), below + sketch.px(1)}, sketch.shape_text(memory), memory);
    sketch.caption({rect.min.x, below + sketch.name_line()}, "the encoder's output", memory);
}

}  // namespace

void lay_out_projections(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers) {
    const std::string input = attention_input(sketch);
    draw_piece(sketch, input, plan.input.min, {.sides = {numbers.tokens, numbers.dim}}, plan.outer, plan.tallest);
    const float formula = lay_out_formula(sketch, plan);
    Arcs(sketch, plan).draw(numbers);
    for (std::size_t i = 0; i < head_lanes.size(); ++i) lay_out_lane(sketch, plan, numbers, i);
    if (numbers.crosses) lay_out_memory(sketch, plan, numbers);

    const Shape slice{Symbol::dim, Symbol::head_dim};
    const float right = plan.card.min.x - sketch.px(14), top = sketch.input().area.min.y;
    const std::string words = numbers.heads == 1 ? "weights, each" : "slices for head {i}, each";
    // Of all three, so not tied to one of them: seen smaller, they end at the card too.
    sketch.caption({right, top + sketch.px(1)}, words, "", Anchor::right);
    const std::string count = "= " + count_text(sketch, slice);
    const std::string size = fitting(sketch, {shape_of(sketch, slice) + " " + count, count}, TextRole::number,
                                     right - formula - sketch.px(10));
    sketch.number({right, top + sketch.px(16)}, size, "", Anchor::right);
    if (!size.empty()) keep_together(sketch, 2);

    const float below = plan.input.max.y + sketch.px(6);
    sketch.name({plan.input.min.x, below}, "X", input);
    sketch.number({plan.input.min.x + sketch.px(18), below + sketch.px(1)}, shape_of(sketch, shape_of_input(sketch)),
                  input);
    const float until = plan.slices[0] - plan.input.min.x -
                        sketch.width_of(shape_of(sketch, shape_of_queries(sketch)), TextRole::number);
    const std::string all = std::to_string(numbers.heads);
    const std::string same =
        numbers.heads == 1
            ? ""
            : fitting(sketch, {"the same input goes to all " + all + " heads", "goes to all " + all + " heads"},
                      TextRole::caption, until - sketch.px(8));
    if (!same.empty()) sketch.caption({plan.input.min.x, below + sketch.name_line()}, same, input);
}

void lay_out_head_output(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers, float leaves) {
    constexpr std::string_view weight_id = "layer.attention.output.weight", joined = "layer.attention.joined",
                               output = "layer.attention.output";
    const Expr& columns = sketch.find("layer.attention.head.values")->shape[1];
    const Shape slice{columns, Symbol::dim};
    const float height = std::min(plan.tallest, plan.outer(numbers.tokens));
    const float left = plan.output.min.x, right = left + plan.outer(numbers.value_dim) + sketch.px(20);
    const float label = plan.output.min.y;
    const Rect weight = draw_piece(sketch, weight_id, {right, label + sketch.px(18)},
                                   rows_of_head(numbers.value_dim, numbers.dim), plan.outer);
    const float top = weight.max.y + sketch.px(6);
    const Rect mixed = draw_piece(sketch, joined, {left, top}, columns_of_head(numbers.tokens, numbers.value_dim),
                                  plan.outer, plan.tallest);
    const Rect made =
        draw_piece(sketch, output, {right, top}, {.sides = {numbers.tokens, numbers.dim}}, plan.outer, plan.tallest);
    const float turn = plan.card.max.y + sketch.px(10);
    sketch.wire(
        {{leaves, plan.card.max.y}, {leaves, turn}, {mixed.centre().x, turn}, {mixed.centre().x, top - sketch.px(2)}},
        "layer.attention.head.output");
    sketch.wire({{mixed.max.x, top + height / 2}, {made.min.x - sketch.px(2), top + height / 2}}, joined);

    const std::string name = std::string(sketch.find(weight_id)->symbol) + (numbers.heads == 1 ? "" : " slice");
    sketch.name_and_size({right, label}, name, shape_of(sketch, slice) + " = " + count_text(sketch, slice), weight_id);
    const float below = made.max.y + sketch.px(5);
    sketch.name({mixed.min.x, below}, "O", joined);
    sketch.name({right, below}, "Y", output);
    const float shape_x = right + sketch.px(18);
    const std::string shape = sketch.shape_text(output);
    sketch.number({shape_x, below + sketch.px(1)}, shape, output);
    const std::string others = std::to_string(numbers.heads - 1);
    const std::string sum = numbers.heads == 1   ? "the attention output"
                            : numbers.heads == 2 ? "+ the other head = attention output"
                                                 : "+ " + others + " other heads = attention output";
    const float beside = shape_x + sketch.width_of(shape, TextRole::number) + sketch.px(10);
    const bool fits = beside + sketch.width_of(sum, TextRole::caption) <= plan.output.max.x;
    sketch.caption(fits ? Point{beside, below + sketch.px(1)} : Point{right, below + sketch.name_line()}, sum, output);
}

namespace {

// The page's ground ends at an edge that words and matrices stay clear of.
LayoutInput inside_edge(const LayoutInput& input) {
    constexpr float across = 12, down = 8;
    LayoutInput inner = input;
    inner.area.min.x += across * input.unit;
    inner.area.max.x -= across * input.unit;
    inner.area.min.y += down * input.unit;
    inner.area.max.y -= down * input.unit;
    return inner;
}

// Where one label of several that belong together found no room, the others say nothing.
void drop_crowded_labels(Sketch& sketch) {
    const std::vector<Label> wished = sketch.scene.labels;
    sketch.drop_crowded_labels();
    const std::vector<Label> kept = sketch.scene.labels;
    std::erase_if(sketch.scene.labels, [&](const Label& label) {
        const auto together = [&](const Label& other) { return other.pair == label.pair; };
        return label.pair > 0 && std::ranges::count_if(kept, together) < std::ranges::count_if(wished, together);
    });
}

}  // namespace

Scene layout_head(const LayoutInput& page) {
    const LayoutInput input = inside_edge(page);
    Sketch sketch(input);
    const HeadNumbers numbers(sketch);
    const HeadPlan plan = plan_head(sketch, numbers);
    sketch.scene.model_scale = plan.outer.scale;
    sketch.scene.layer_scale = plan.outer.scale;
    const float leaves = lay_out_head_card(sketch, plan, numbers);
    numbers.latent ? lay_out_latent_projections(sketch, plan, numbers) : lay_out_projections(sketch, plan, numbers);
    if (numbers.kept > 0) lay_out_cache(sketch, plan, numbers);
    lay_out_siblings(sketch, plan, numbers);
    // Of heads in pairs none leads to rows of the output projection alone.
    if (!sketch.input().model.graph.first(Op::subtract)) lay_out_head_output(sketch, plan, numbers, leaves);
    drop_crowded_labels(sketch);
    return sketch.finished();
}

}  // namespace headcount
