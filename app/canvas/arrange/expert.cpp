// One feed-forward of a mixture: its matrices from the input to what it adds.
#include <algorithm>

#include "app/canvas/arrange/mixture_plan.hpp"

namespace headcount::mixture {
namespace {

// The name in the matrix where there is room, else above it.
void matrix_words(Sketch& sketch, const std::string& id, const Rect& slab, const Matrices& group) {
    const auto px = [&](float design) { return sketch.px(design); };
    const Tensor& of = *sketch.find(id);
    const float name = sketch.width_of(of.symbol, TextRole::name);
    const bool inside = slab.width() >= sketch.label_width(id, 2) + px(10) && slab.height() >= sketch.label_height(2);
    const bool only_name = slab.width() >= name + px(8) && slab.height() >= px(name_inside);
    if (inside || only_name) {
        const float height = inside ? sketch.label_height(2) : px(16);
        const Point at{slab.min.x + px(inside ? 6 : 4), slab.centre().y - height / 2};
        sketch.label(at, sketch.name_text(of), TextRole::name, Tone::on_slab, Anchor::left, id);
        if (inside)
            sketch.label({at.x, at.y + sketch.name_line()}, sketch.shape_text(of), TextRole::number, Tone::on_slab_low,
                         Anchor::left, id);
        return;
    }
    // Where the deck ends with its matrices, below that: not through its edge.
    float y = slab.max.y + px(2);
    if (y + px(17) > group.card_foot && slab.max.y + px(10) > group.card_foot) y = std::max(y, group.card_foot + px(2));
    if (y + px(16) > group.until) y = slab.min.y - px(18);
    sketch.name({slab.min.x, y}, sketch.name_text(of), id);
}

// The first matrices, and the mark at which what they make comes together.
struct Meeting {
    Rect first, second;
    Point mark;
    bool gated, beside;
};
void lead_to_mark(Sketch& sketch, const Matrices& at, const Meeting& to) {
    const Group& group = at.group;
    const auto px = [&](float design) { return sketch.px(design); };
    if (to.beside) {
        const float over = at.corner.y - px(4);
        sketch.wire({{to.first.centre().x, to.first.min.y},
                     {to.first.centre().x, over},
                     {to.mark.x, over},
                     {to.mark.x, to.mark.y - px(8)}},
                    group.id("gate"));
        sketch.wire({{to.second.max.x, to.mark.y}, {to.mark.x - px(8), to.mark.y}}, group.id("up"));
    } else if (to.gated) {
        sketch.wire(
            {{to.first.max.x, to.first.centre().y}, {to.mark.x, to.first.centre().y}, {to.mark.x, to.mark.y - px(8)}},
            group.id("gate"));
        sketch.wire({{to.second.max.x, to.second.centre().y},
                     {to.mark.x, to.second.centre().y},
                     {to.mark.x, to.mark.y + px(8)}},
                    group.id("up"));
    } else {
        sketch.wire({{to.first.max.x, to.mark.y}, {to.mark.x - px(8), to.mark.y}}, group.id("up"));
    }
    sketch.mark(to.mark, to.gated ? MarkKind::multiply : MarkKind::apply, group.id("hidden"));
}

}  // namespace

Point lay_out_matrices(Sketch& sketch, const Plan& plan, const Matrices& at, std::string_view input) {
    const Group& group = at.group;
    const Extent& of = at.extent;
    const float scale = plan.scales.layer;
    const auto px = [&](float design) { return sketch.px(design); };
    const bool gated = sketch.has(group.id("gate.weight")), beside = gated && !at.stacked;
    const std::string up = group.id("up.weight"), hidden = group.id("hidden"), down = group.id("down.weight");
    const float matrix = of.up_height - of.bias;
    float x = at.corner.x;
    const auto place = [&](std::string_view name, Point left_top) {
        const std::string id = group.id(std::string(name) + ".weight");
        const float half = sketch.thick(sketch.sides(id).rows, scale) / 2;
        const Rect slab = sketch.weight(group.id(name), {left_top.x, left_top.y + half}, scale);
        matrix_words(sketch, id, slab, at);
        return slab;
    };
    const float end = at.corner.x - px(2), norm_y = card_norm_y(sketch, plan, feed_forward_block);
    if (at.from == at.split)
        sketch.wire({{at.from, norm_y}, {at.from, at.input_y}, {end, at.input_y}}, input);
    else
        sketch.wire({{at.from, at.input_y}, {end, at.input_y}}, input);
    Rect first = gated ? place("gate", at.corner) : place("up", at.corner);
    Rect second = first;
    float y = at.corner.y + of.height / 2;
    if (beside) {
        x += of.up_width + px(inner);
        second = place("up", {x, at.corner.y});
        y = at.corner.y + matrix / 2;
    } else if (gated) {
        second = place("up", {x, at.corner.y + of.up_height + of.gap});
        y = at.corner.y + of.up_height + of.gap / 2;
        const float low = second.centre().y;
        sketch.wire({{at.corner.x - px(inset / 2), at.input_y}, {at.corner.x - px(inset / 2), low}, {end, low}}, input);
    } else {
        y = first.centre().y;
    }
    const float apply = (beside ? second.max.x : x + of.up_width) + px(mark_room / 2);
    lead_to_mark(sketch, at, {first, second, {apply, y}, gated, beside});
    x = apply + px(mark_room / 2);
    const float tallest = px(2 * least_side);
    const Rect made = sketch.slab(hidden, {x, y}, scale, tallest);
    sketch.line({{apply + px(8), y}, {made.min.x, y}}, hidden);
    x += of.hidden + px(inner);
    const float height = sketch.thick(sketch.sides(down).rows, scale);
    const float lowest = at.corner.y + of.height - (of.down_height - height) - height / 2;
    const Rect last = place("down", {x, std::min(std::max(y, at.corner.y + height / 2), lowest) - height / 2});
    sketch.wire({{made.max.x, y}, {last.min.x - px(2), y}}, hidden);
    return {last.max.x, std::min(std::max(y, last.min.y), last.max.y)};
}

}  // namespace headcount::mixture
