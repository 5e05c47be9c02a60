// Where the model begins and ends: tokens, embedding and positions; final norm, output head, logits.
#include <algorithm>

#include "app/canvas/sketch.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// A few of the tokens, each beside the row of the table that it takes. Which row is the tokenizer's affair, so the
// chips carry positions, not words.
void lay_out_tokens(Sketch& sketch, const Plan& plan, Rect table, float top) {
    if (plan.tokens.width() <= 0) return;
    float x = plan.tokens.min.x, width = sketch.px(40), height = sketch.px(20), step = sketch.px(28);
    sketch.label({x, top - sketch.px(24)}, "Tokens", TextRole::name, Tone::high, Anchor::left, "tokens");
    auto tokens = static_cast<std::int64_t>(sketch.value(Symbol::tokens));
    auto first = static_cast<std::int64_t>(sketch.value(Symbol::cached));  // the position after those in the cache
    constexpr std::int64_t widest = 99'999;                                // in a chip
    auto position = [&](std::int64_t token) {
        if (first + tokens - 1 <= widest) return std::to_string(first + token);
        if (first == 0) return std::to_string(token);
        return token == 0 ? std::string("P") : "P+" + std::to_string(token);
    };
    std::int64_t shown = std::min<std::int64_t>(tokens, 4);
    for (std::int64_t i = 0; i < shown; ++i) {
        bool last = i == 3 && tokens > 4;
        float y = top + static_cast<float>(i) * step;
        Rect chip{{x, y}, {x + width, y + height}};
        sketch.scene.slabs.push_back(
            {.id = "tokens", .rect = chip, .part = Part::residual, .look = SlabLook::hollow, .base = {}});
        std::string name = i == 2 && tokens > 4 ? "…" : position(last ? tokens - 1 : i);
        if (last && first + tokens - 1 > widest) name = first > 0 ? "P+T-1" : "T-1";
        sketch.label({chip.centre().x, y + sketch.px(3)}, name, TextRole::number, Tone::mid, Anchor::centre, "tokens");
        float row = table.min.y + table.height() * (0.06F + 0.29F * static_cast<float>(i));
        float turn = table.min.x - sketch.px(7 + 5 * static_cast<float>(i));
        sketch.wire({{chip.max.x, chip.centre().y}, {turn, chip.centre().y}, {turn, row}, {table.min.x, row}}, "tokens",
                    false, false);
    }
    float below = top + static_cast<float>(shown) * step;
    sketch.label({x, below}, "T = " + std::to_string(tokens), TextRole::number, Tone::mid, Anchor::left, "tokens");
    sketch.label({x, below + sketch.number_line()}, "token ids", TextRole::caption, Tone::low, Anchor::left, "tokens");
}

// Tables hang from their first row, so the preset's outline does too.
Rect lay_out_table(Sketch& sketch, const Plan& plan, std::string_view id, float x, float top) {
    float height = sketch.thick(sketch.sides(id).rows, plan.scales.model);
    Rect table = sketch.slab(id, {x, top + height / 2}, plan.scales.model);
    if (std::optional<Rect>& base = sketch.scene.slabs.back().base) {
        float up = base->min.y - table.min.y;
        base->min.y -= up;
        base->max.y -= up;
    }
    return table;
}

}  // namespace

void lay_out_embedding(Sketch& sketch, const Plan& plan) {
    constexpr std::string_view id = "embedding.weight", positions = "positions.weight";
    float top = plan.embedding.min.y + sketch.px(26);
    Rect table = lay_out_table(sketch, plan, id, plan.embedding.min.x, top);
    sketch.label({table.min.x, top - sketch.px(24)}, "Embedding", TextRole::name, Tone::high, Anchor::left, id);
    // The words below stay clear of the residual stream's, also where the table is short.
    float words = std::max(table.max.y + sketch.px(4), top + sketch.px(table.height() < sketch.px(64) ? 62 : 0));
    sketch.label({table.min.x, words}, sketch.shape_text(id), TextRole::number, Tone::mid, Anchor::left, id);
    sketch.label({table.min.x, words + sketch.number_line()}, grouped(sketch.count(*sketch.find(id))), TextRole::number,
                 Tone::low, Anchor::left, id);
    lay_out_tokens(sketch, plan, table, top);
    if (sketch.has(positions)) {
        bool beside = table.height() > sketch.px(110);  // the table reaches below the stream's words
        Point corner{beside ? table.max.x + sketch.px(8) : table.min.x,
                     beside ? top + sketch.px(64) : words + sketch.px(40)};
        Rect rows = lay_out_table(sketch, plan, positions, corner.x, corner.y);
        sketch.label({rows.max.x + sketch.px(6), rows.min.y - sketch.px(2)}, "Positions", TextRole::name, Tone::high,
                     Anchor::left, positions);
        sketch.label({rows.max.x + sketch.px(6), rows.min.y + sketch.number_line()}, sketch.shape_text(positions),
                     TextRole::number, Tone::mid, Anchor::left, positions);
    }
    // The residual stream: out of the table, into the layer, and down.
    std::string_view stream = first_stream(sketch);
    float y = top + sketch.px(22);
    float slab_x = table.max.x + sketch.px(10);
    Rect slab = sketch.slab(stream, {slab_x, y}, plan.scales.model, sketch.px(28));
    float out = table.max.y > y ? y : table.centre().y, turn = table.max.x + sketch.px(5);
    sketch.wire({{table.max.x, out}, {turn, out}, {turn, y}, {slab.min.x, y}}, stream, true, false);
    sketch.wire({{slab.max.x, y}, {plan.stream_x, y}, {plan.stream_x, plan.layer.max.y + sketch.px(8)}}, stream, true,
                false);
    sketch.label({slab.min.x, slab.min.y - sketch.px(17)}, sketch.shape_text(stream), TextRole::number, Tone::mid,
                 Anchor::left, stream);
    sketch.label({slab.min.x, slab.max.y + sketch.px(4)}, "residual", TextRole::caption, Tone::low, Anchor::left,
                 stream);
    sketch.label({slab.min.x, slab.max.y + sketch.px(17)}, "stream", TextRole::caption, Tone::low, Anchor::left,
                 stream);
}

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
    if (words == HeadWords::below) at.y = head.max.y + sketch.px(3);
    Point shape{at.x + sketch.width_of(text.name, TextRole::name) + sketch.px(12), at.y + sketch.px(1)};
    if (two_lines) shape = {at.x, at.y + sketch.name_line()};
    sketch.label(at, text.name, TextRole::name, high, Anchor::left, id);
    sketch.label(shape, text.shape, TextRole::number, low, Anchor::left, id);
}

Rect lay_out_final_norm(Sketch& sketch, const Plan& plan, float y) {
    float scale = plan.scales.model, width = sketch.thick(sketch.drawn(sketch.value(Symbol::dim)), scale);
    float left = std::max(plan.stream_x - width / 2, plan.layer.min.x);
    Rect norm = sketch.norm_slab("final_norm", {left, y}, scale);
    float text_x = std::max(norm.max.x, plan.stream_x) + sketch.px(12);
    sketch.label({text_x, y - sketch.px(9)}, "Final norm", TextRole::name, Tone::high, Anchor::left, "final_norm");
    sketch.label({text_x + sketch.width_of("Final norm", TextRole::name) + sketch.px(8), y - sketch.px(8)},
                 norm_size(sketch, "final_norm"), TextRole::number, Tone::mid, Anchor::left, "final_norm");
    return norm;
}

}  // namespace

EndsWords ends_words(const Sketch& sketch, float scale, float room) {
    Sides table = sketch.sides("embedding.weight");
    float height = sketch.thick(table.columns, scale), width = sketch.thick(table.rows, scale);
    HeadText text = head_text(sketch);
    float name = sketch.width_of(text.name, TextRole::name), shape = sketch.width_of(text.shape, TextRole::number);
    float one_line = name + sketch.px(12) + shape;
    HeadWords head = height >= sketch.px(20) && width > one_line + sketch.px(20) ? HeadWords::inside
                     : height >= sketch.px(36) && width > std::max(name, shape) + sketch.px(20)
                         ? HeadWords::inside_two_lines
                     : width + one_line + sketch.px(12) < room ? HeadWords::beside
                                                               : HeadWords::below;
    float logits =
        sketch.width_of("Logits", TextRole::name) + sketch.width_of(sketch.shape_text("logits"), TextRole::number);
    return {head, width + logits + sketch.px(24) < room};
}

void lay_out_ends(Sketch& sketch, const Plan& plan) {
    float scale = plan.scales.model;
    float norm_y = plan.ends.min.y + sketch.px(16);
    float left = plan.stream_x - sketch.px(stream_inset);
    sketch.wire({{plan.stream_x, plan.layer.max.y}, {plan.stream_x, norm_y - sketch.px(4)}},
                "layer.feed_forward.stream", true, false);
    lay_out_final_norm(sketch, plan, norm_y);

    // The head, drawn as multiplied: d rows, V columns. A tied one is the embedding once more.
    bool tied = sketch.input().model.graph.tied_head.has_value();
    Sides table = sketch.sides("embedding.weight");
    float top = norm_y + sketch.px(22);
    float height = sketch.thick(table.columns, scale);
    Rect head{{left, top}, {left + sketch.thick(table.rows, scale), top + height}};
    std::string_view id = tied ? "embedding.weight" : "output_head.weight";
    sketch.wire({{plan.stream_x, norm_y + sketch.px(4)}, {plan.stream_x, top - sketch.px(1)}}, "final_norm", true);
    if (tied)
        sketch.scene.slabs.push_back({.id = std::string(id),
                                      .rect = head,
                                      .part = Part::token_embedding,
                                      .look = SlabLook::ghost,
                                      .base = {},
                                      .transposed = true});
    else
        head = sketch.slab(id, {left, top + height / 2}, scale);
    EndsWords words = ends_words(sketch, scale, plan.layer.max.x - left);
    lay_out_head_words(sketch, head, words.head, id);

    float below = words.head == HeadWords::below ? head.max.y + sketch.name_line() : head.max.y;
    float logits_y = below + sketch.px(20);
    float centre = words.head == HeadWords::below ? left + std::min(head.width(), sketch.px(24)) / 2 : head.centre().x;
    sketch.wire({{centre, below + sketch.px(1)}, {centre, logits_y - sketch.px(5)}}, "logits");
    Rect logits = sketch.slab("logits", {left, logits_y}, scale, sketch.px(10));
    Point at{logits.min.x, logits.max.y + sketch.px(3)};
    if (words.logits_beside) at = {logits.max.x + sketch.px(10), logits_y - sketch.px(9)};
    sketch.label(at, "Logits", TextRole::name, Tone::high, Anchor::left, "logits");
    sketch.label({at.x + sketch.width_of("Logits", TextRole::name) + sketch.px(8), at.y + sketch.px(1)},
                 sketch.shape_text("logits"), TextRole::number, Tone::mid, Anchor::left, "logits");
}

}  // namespace headcount
