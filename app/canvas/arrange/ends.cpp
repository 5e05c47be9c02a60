// Where the model ends: final norm, what stands before the output head, the head, logits; or a pooler, or nothing.
#include <algorithm>

#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

struct HeadText {
    std::string name, shape;
};

HeadText head_text(const Sketch& sketch) {
    if (sketch.input().model.graph.tied_head) return {"Output head = embedding, transposed", "tied, counted once"};
    const Tensor& head = *sketch.find("output_head.weight");
    return {"Output head", sketch.shape_text(head) + "    " + grouped(sketch.count(head))};
}

void lay_out_head_words(Sketch& sketch, Rect head, HeadWords words, std::string_view id) {
    HeadText text = head_text(sketch);
    bool tied = sketch.input().model.graph.tied_head.has_value();
    bool inside = words == HeadWords::inside || words == HeadWords::inside_two_lines;
    bool two_lines = words == HeadWords::inside_two_lines;
    Tone high = inside && !tied ? Tone::on_slab : Tone::high, low = inside && !tied ? Tone::on_slab_low : Tone::mid;
    Point at{head.min.x + (inside ? sketch.px(10) : 0), head.centre().y - sketch.px(two_lines ? 17 : 8)};
    if (words == HeadWords::beside) at.x = head.max.x + sketch.px(10);
    if (words == HeadWords::below) at.y = sketch.scene.slabs.back().rect.max.y + sketch.px(3);
    Point shape{at.x + sketch.width_of(text.name, TextRole::name) + sketch.px(12), at.y + sketch.px(1)};
    if (two_lines) shape = {at.x, at.y + sketch.name_line()};
    sketch.label(at, text.name, TextRole::name, high, Anchor::left, id);
    if (tied) sketch.scene.labels.back().brief = "Output head";
    if (tied)
        sketch.label(shape, text.shape, TextRole::number, low, Anchor::left, id);
    else
        sketch.detail(shape, text.shape, id, Anchor::left, low);
}

// The table that is the head once more, whichever stack has it; of no head the shown stack's.
std::string_view base_of_head(const Sketch& sketch) {
    const ModelGraph& graph = sketch.input().model.graph;
    return graph.tied_head ? std::string_view(graph.tensors[*graph.tied_head].id) : "embedding.weight";
}

constexpr float pooled_row = 30;  // design pixels

// On the stream, its words beside it; returns where these begin.
float lay_out_norm_row(Sketch& sketch, const Plan& plan, std::string_view id, std::string_view name, float y) {
    const float scale = plan.scales.model, width = sketch.norm_extent(id, scale).x;
    const float left = std::max(plan.stream_x - width / 2, plan.layer.min.x);
    const Rect norm = sketch.norm_slab(id, {left, y}, scale);
    const float text_x = std::max(norm.max.x, plan.stream_x) + sketch.px(12);
    sketch.name_and_size({text_x, y - sketch.px(9)}, name, norm_size(sketch, id), std::string(id));
    return text_x;
}

void lay_out_final_norm(Sketch& sketch, const Plan& plan, float y) {
    float text_x = lay_out_norm_row(sketch, plan, "final_norm", "Final norm", y);
    if (!plan.others_end) return;
    const std::string size = norm_size(sketch, "final_norm");
    const ModelGraph& graph = sketch.input().model.graph;
    text_x += sketch.width_of("Final norm", TextRole::name) + sketch.width_of(size, TextRole::number) + sketch.px(20);
    sketch.caption({text_x, y - sketch.px(8)}, "of the " + graph.blocks[graph.stack_of(sketch.layer().block)].name,
                   "final_norm");
}

}  // namespace

namespace {

constexpr std::string_view transform = "head_transform.weight", pooler = "pooler.weight", logits = "logits";

// One that is stored alone makes nothing.
bool pools(const Sketch& sketch) { return sketch.has(pooler) && sketch.has("pooled"); }

// Of a matrix, an activation function and a norm in a row.
float row_height(const Sketch& sketch, std::string_view weight, float scale) {
    const float matrix = sketch.thick(sketch.sides(weight, true).rows, scale) + sketch.px(2 + least_side);
    return std::max(matrix, sketch.px(20)) + sketch.px(14);
}

}  // namespace

namespace {

// What brings copies of the stream back into one.
std::vector<std::string> copy_ways(const Sketch& sketch) {
    std::vector<std::string> ids;
    for (const Tensor& tensor : sketch.input().model.graph.tensors)
        if (tensor.role == Role::parameter && tensor.part == Part::copy_output) ids.push_back(tensor.id);
    return ids;
}

// Of a row of them on the stream, with what is below it.
float copies_height(const Sketch& sketch, float scale) {
    const std::vector<std::string> ids = copy_ways(sketch);
    if (ids.empty()) return 0;
    return std::max(sketch.thick(sketch.sides(ids.front(), true).rows, scale), sketch.px(20)) + sketch.px(10);
}

// Returns where the stream goes on below it.
float lay_out_copies(Sketch& sketch, const Plan& plan, float begin) {
    const std::vector<std::string> ids = copy_ways(sketch);
    const float y = begin + copies_height(sketch, plan.scales.model) / 2;
    const float wide = sketch.thick(sketch.sides(ids.front()).columns, plan.scales.model);
    Point at{std::max(plan.layer.min.x, plan.stream_x - wide / 2), y};
    const std::size_t first = sketch.scene.slabs.size();
    const float foot = sketch.slab(ids.front(), at, plan.scales.model).max.y, gap = sketch.px(3);
    for (std::size_t i = 1; i < ids.size(); ++i) {
        at.x += wide + gap;
        sketch.slab(ids[i], at, plan.scales.model);
    }
    sketch.named_together(first, ids.front());
    const std::string size = std::to_string(ids.size()) + " × " + sketch.shape_text(ids.front());
    const float words = std::max(at.x + wide, plan.stream_x) + sketch.px(10);
    sketch.name_and_size({words, y - sketch.px(9)}, "Copies into one", size, ids.front());
    return foot;
}

}  // namespace

Sides head_sides(const Sketch& sketch, bool or_base) {
    const ModelGraph& graph = sketch.input().model.graph;
    if (!graph.tied_head && sketch.has("output_head.weight")) return sketch.sides("output_head.weight", or_base);
    const Sides table = sketch.sides(base_of_head(sketch), or_base);
    return {table.columns, table.rows};
}

EndsWords ends_words(const Sketch& sketch, float scale, float room) {
    const Sides head = head_sides(sketch);
    float height = sketch.thick(head.rows, scale), width = sketch.thick(head.columns, scale);
    HeadText text = head_text(sketch);
    float name = sketch.width_of(text.name, TextRole::name), shape = sketch.width_of(text.shape, TextRole::number);
    float one_line = name + sketch.px(12) + shape;
    HeadWords placed = height >= sketch.px(20) && width > one_line + sketch.px(20) ? HeadWords::inside
                       : height >= sketch.px(36) && width > std::max(name, shape) + sketch.px(20)
                           ? HeadWords::inside_two_lines
                       : width + one_line + sketch.px(12) < room ? HeadWords::beside
                                                                 : HeadWords::below;
    float logits =
        sketch.width_of("Logits", TextRole::name) + sketch.width_of(sketch.shape_text("logits"), TextRole::number);
    return {placed, width + logits + sketch.px(24) < room};
}

float ends_before_head(const Sketch& sketch, float scale) {
    const float norm = sketch.px((sketch.has("final_norm") ? 38 : 16) + (sketch.has("pooled_norm") ? pooled_row : 0));
    const float transforming = sketch.has(transform) ? row_height(sketch, transform, scale) : 0;
    const Sides narrowing = sketch.sides("output_projection.weight");
    return copies_height(sketch, scale) + norm + transforming +
           (narrowing.rows > 0 ? sketch.thick(narrowing.rows, scale) + sketch.px(22) : 0);
}

StackEnd lay_out_stack_end(Sketch& sketch, const Plan& plan) {
    const Tensor& made = *made_for_others(sketch);
    const float y = plan.layer.max.y + sketch.px(24);
    float x = plan.stream_x;
    if (sketch.has("final_norm")) {
        sketch.wire({{x, plan.layer.max.y}, {x, y - sketch.px(4)}}, last_stream(sketch), true, false);
        lay_out_final_norm(sketch, plan, y);
        x = std::max(x + sketch.thick(sketch.drawn(sketch.value(Symbol::dim)), plan.scales.model) / 2, x) +
            sketch.px(12 + 8 + 8) + sketch.width_of("Final norm", TextRole::name) +
            sketch.width_of(norm_size(sketch, "final_norm"), TextRole::number);
    } else {
        sketch.wire({{x, plan.layer.max.y}, {x, y}}, last_stream(sketch), true, false);
    }
    const Rect slab = sketch.slab(made.id, {x + sketch.px(26), y}, plan.scales.model, sketch.px(28));
    sketch.line({{x, y}, {slab.min.x, y}}, made.id);
    const std::string name = "Memory " + std::string(made.symbol), size = sketch.shape_text(made);
    if (plan.title_row > 0) {
        const Point below{slab.min.x, slab.max.y + sketch.px(3)};
        sketch.name_and_size(below, name, size, made.id);
        return {{slab.max.x, y}, {below.x, below.y + sketch.name_line()}};
    }
    sketch.name_and_size({slab.max.x + sketch.px(8), y - sketch.px(9)}, name, size, made.id);
    const float end = slab.max.x + sketch.px(8 + 8 + 8) + sketch.width_of(name, TextRole::name) +
                      sketch.width_of(size, TextRole::number);
    return {{end, y}, {end + sketch.px(10), y + sketch.px(4)}};
}

float ends_height(const Sketch& sketch, float scale, float room) {
    const float before = ends_before_head(sketch, scale) + (made_for_others(sketch) ? sketch.px(stack_end) : 0) +
                         idle_height(sketch, scale);
    if (pools(sketch)) return before + row_height(sketch, pooler, scale);
    if (!sketch.has(logits)) return before + sketch.px(26);
    const EndsWords words = ends_words(sketch, scale, room);
    return before + sketch.thick(head_sides(sketch, true).rows, scale) +
           (sketch.has("output_head.bias") ? sketch.px(2 + least_side) : 0) +
           sketch.px(words.head == HeadWords::below ? 18 : 0) + sketch.px(20) + sketch.px(words.logits_beside ? 8 : 24);
}

namespace {

// Where the row goes on, and what flows there.
struct RowEnd {
    Point from;
    std::string flows;
};

// A matrix below the stream with its words beside it, and its activation function; `made` is what that makes.
RowEnd lay_out_row(Sketch& sketch, const Plan& plan, std::string_view of, std::string_view name, std::string_view made,
                   float y) {
    const std::string weight = std::string(of) + ".weight";
    const float wide = sketch.thick(sketch.sides(weight).columns, plan.scales.model);
    const float left = std::max(plan.layer.min.x, plan.stream_x - wide / 2);
    const Rect rect = sketch.weight(of, {left, y}, plan.scales.model);
    const float words = std::max(rect.max.x, plan.stream_x) + sketch.px(10);
    const std::string size = sketch.shape_text(weight);
    sketch.name_and_size({words, y - sketch.px(9)}, name, size, weight);
    const float from =
        words + sketch.width_of(name, TextRole::name) + sketch.width_of(size, TextRole::number) + sketch.px(8 + 8);
    const Point mark{from + sketch.px(26), y};
    sketch.wire({{from, y}, {mark.x - sketch.px(8), y}}, made);
    sketch.scene.wires.back().tilted_start = Point{rect.max.x, y};
    sketch.mark(mark, MarkKind::apply, made);
    return {{mark.x + sketch.px(8), y}, std::string(made)};
}

// Before the head of a masked language model: a matrix, an activation function, a norm.
RowEnd lay_out_transform(Sketch& sketch, const Plan& plan, float y) {
    constexpr std::string_view norm = "head_norm";
    const RowEnd row = lay_out_row(sketch, plan, "head_transform", "Transform", "head_hidden", y);
    const float left = row.from.x + sketch.px(18);
    sketch.wire({row.from, {left - sketch.px(2), y}}, row.flows);
    const Rect bar = sketch.norm_slab(norm, {left, y}, plan.scales.model);
    sketch.name_and_size({bar.max.x + sketch.px(8), y - sketch.px(9)}, "Norm", norm_size(sketch, norm), norm);
    const float foot = sketch.has("head_norm.bias") ? sketch.scene.slabs.back().rect.max.y : bar.max.y;
    return {{bar.centre().x, std::max(foot, bar.max.y)}, std::string(norm)};
}

void lay_out_pooler(Sketch& sketch, const Plan& plan, float y) {
    constexpr std::string_view pooled = "pooled";
    const RowEnd row = lay_out_row(sketch, plan, "pooler", "Pooler", pooled, y);
    const Rect bar = sketch.slab(pooled, {row.from.x + sketch.px(14), y}, plan.scales.model, sketch.px(10));
    sketch.line({row.from, {bar.min.x, y}}, pooled);
    sketch.name_and_size({bar.max.x + sketch.px(8), y - sketch.px(9)}, "Pooled", sketch.shape_text(pooled), pooled);
}

// From the residual stream's width to the embedding's, above the head; returns where its output leaves.
float lay_out_narrowing(Sketch& sketch, const Plan& plan, float left, float top) {
    constexpr std::string_view id = "output_projection.weight";
    const float height = sketch.thick(sketch.sides(id).rows, plan.scales.model);
    const Rect rect = sketch.slab(id, {left, top + height / 2}, plan.scales.model);
    const float x = std::max(rect.max.x, plan.stream_x) + sketch.px(12), y = rect.centre().y - sketch.px(9);
    sketch.name_and_size({x, y}, "Projection", sketch.shape_text(id), id);
    return rect.max.y;
}

// The head, drawn as multiplied: d rows, V columns. A tied one is the embedding once more, with its numbers where there
// are some.
Rect lay_out_head(Sketch& sketch, std::string_view id, float scale, Point corner) {
    const Sides sides = head_sides(sketch);
    const float height = sketch.thick(sides.rows, scale);
    Rect head{corner, {corner.x + sketch.thick(sides.columns, scale), corner.y + height}};
    const bool numbers = sketch.input().values.has_value();
    if (sketch.input().model.graph.tied_head)
        sketch.scene.slabs.push_back({.id = std::string(id),
                                      .rect = head,
                                      .part = Part::token_embedding,
                                      .look = SlabLook::ghost,
                                      .rows = numbers ? std::llround(sides.rows) : 0,
                                      .columns = numbers ? std::llround(sides.columns) : 0,
                                      .transposed = true});
    else
        head = sketch.slab(id, {corner.x, corner.y + height / 2}, scale);
    sketch.bias_below("output_head.bias", head, scale);
    return head;
}

void lay_out_logits(Sketch& sketch, const Rect& head, const EndsWords& words, float scale) {
    const float foot =
        head.max.y + (sketch.has("output_head.bias") ? sketch.px(2) + sketch.thick(sketch.drawn(1), scale) : 0);
    float below = words.head == HeadWords::below ? foot + sketch.name_line() : foot;
    float logits_y = below + sketch.px(20);
    float centre =
        words.head == HeadWords::below ? head.min.x + std::min(head.width(), sketch.px(24)) / 2 : head.centre().x;
    sketch.wire({{centre, below + sketch.px(1)}, {centre, logits_y - sketch.px(5)}}, "logits");
    const Rect rect = sketch.slab(logits, {head.min.x, logits_y}, scale, sketch.px(10));
    Point at{rect.min.x, rect.max.y + sketch.px(3)};
    if (words.logits_beside) at = {rect.max.x + sketch.px(10), logits_y - sketch.px(9)};
    sketch.name_and_size(at, "Logits", sketch.shape_text("logits"), "logits");
}

}  // namespace

void lay_out_ends(Sketch& sketch, const Plan& plan) {
    float scale = plan.scales.model;
    float left = plan.stream_x - sketch.px(stream_inset), x = plan.stream_x;
    float begin = plan.ends.min.y, from = plan.layer.max.y;
    std::string flows(last_stream(sketch));
    const float top = begin + ends_before_head(sketch, scale);
    if (const float high = copies_height(sketch, scale); high > 0) {
        const float half = sketch.thick(sketch.sides(copy_ways(sketch).front()).rows, scale) / 2;
        sketch.wire({{plan.stream_x, from}, {plan.stream_x, begin + high / 2 - half - sketch.px(1)}}, flows, true);
        from = lay_out_copies(sketch, plan, begin);
        flows = "joined";
        begin += high;
    }
    if (sketch.has("final_norm")) {
        const float norm_y = begin + sketch.px(16);
        sketch.wire({{plan.stream_x, from}, {plan.stream_x, norm_y - sketch.px(4)}}, flows, true, false);
        lay_out_final_norm(sketch, plan, norm_y);
        from = norm_y + sketch.px(4);
        flows = "final_norm";
    }
    const auto row_at = [&](std::string_view weight, float y) {
        const float height = sketch.thick(sketch.sides(weight).rows, scale);
        const float middle = y + std::max(height, sketch.px(20)) / 2;
        sketch.wire({{x, from}, {x, middle - height / 2 - sketch.px(1)}}, flows, true);
        return middle;
    };
    if (sketch.has("pooled_norm")) {
        const float y = top - sketch.px(pooled_row - 16);
        sketch.wire({{x, from}, {x, y - sketch.px(4)}}, flows, true, false);
        lay_out_norm_row(sketch, plan, "pooled_norm", "Pooled norm", y);
        from = y + sketch.px(4);
        flows = "pooled_norm";
    }
    lay_out_idle(sketch, plan, {left, plan.ends.max.y - idle_height(sketch, scale)});
    if (pools(sketch)) return lay_out_pooler(sketch, plan, row_at(pooler, top));
    if (!sketch.has(logits)) return sketch.wire({{x, from}, {x, top + sketch.px(16)}}, flows, true);
    if (sketch.has(transform)) {
        const float y = begin + sketch.px(sketch.has("final_norm") ? 38 : 16);
        const RowEnd end = lay_out_transform(sketch, plan, row_at(transform, y));
        from = end.from.y;
        flows = end.flows;
        x = end.from.x;
    }
    if (sketch.has("output_projection.weight")) {
        const float height = sketch.thick(sketch.sides("output_projection.weight").rows, scale);
        const float above = top - sketch.px(22) - height;
        sketch.wire({{x, from}, {x, above - sketch.px(1)}}, flows, true);
        from = lay_out_narrowing(sketch, plan, left, above);
        flows = "narrowed";
        x = plan.stream_x;
    }

    const std::string_view id = sketch.input().model.graph.tied_head ? base_of_head(sketch) : "output_head.weight";
    sketch.wire({{x, from}, {x, top - sketch.px(1)}}, flows, true);
    const Rect head = lay_out_head(sketch, id, scale, {left, top});
    const EndsWords words = ends_words(sketch, scale, plan.layer.max.x - left);
    lay_out_head_words(sketch, head, words.head, id);
    lay_out_logits(sketch, head, words, scale);
}

}  // namespace headcount
