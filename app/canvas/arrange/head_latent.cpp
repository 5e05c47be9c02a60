// How a head of latent attention comes by its queries, keys and values: what is kept of each token, times this head's
// slices of what widens it, beside the key that all heads share. Grouped attention has head.cpp for this.
#include <algorithm>

#include "app/canvas/arrange/head_plan.hpp"

namespace headcount {
namespace {

constexpr std::string_view query = "layer.attention.query.weight", all_queries = "layer.attention.queries",
                           kept = "layer.attention.latent_cache", key = "layer.attention.key_cache",
                           up = "layer.attention.latent_up.weight", made = "layer.attention.keys_values";

std::string sizes(double rows, double columns) {
    return std::to_string(static_cast<std::int64_t>(rows)) + " × " + std::to_string(static_cast<std::int64_t>(columns));
}

void words(Sketch& sketch, Point at, std::string_view id, const std::string& name, const std::string& size) {
    sketch.name(at, name, id);
    sketch.number({at.x, at.y + sketch.name_line()}, size, id);
}

struct Product {
    std::string input, weight, output;
    double rows, inner, columns;
    Rect from;
    float x;
};

// The slice above, what it makes of its input beside that.
Rect lay_out_product(Sketch& sketch, const HeadPlan& plan, const Product& product) {
    const float top = std::min(product.from.min.y, plan.input.min.y) - sketch.px(16) - plan.outer(product.inner);
    const Rect weight = draw_piece(sketch, product.weight, {product.x, top},
                                   columns_of_head(product.inner, product.columns), plan.outer);
    const float height = std::min(plan.tallest, plan.outer(product.rows));
    const Rect result = draw_piece(sketch, product.output, {product.x, plan.stream_y - height / 2},
                                   columns_of_head(product.rows, product.columns), plan.outer, plan.tallest);
    sketch.wire({{product.from.max.x, plan.stream_y}, {result.min.x - sketch.px(2), plan.stream_y}}, product.input);
    words(sketch, {weight.min.x, weight.min.y - sketch.px(35)}, product.weight,
          std::string(sketch.find(product.weight)->symbol) + (sketch.value(Symbol::heads) > 1 ? " slice" : ""),
          sizes(product.inner, product.columns));
    return result;
}

}  // namespace

void lay_out_latent_projections(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers) {
    const std::string input = queries_from(sketch);
    draw_piece(sketch, input, plan.input.min, {.sides = {numbers.tokens, numbers.from}}, plan.outer, plan.tallest);
    const Rect own = lay_out_product(sketch, plan,
                                     {input, std::string(query), std::string(all_queries), numbers.tokens, numbers.from,
                                      numbers.head_dim, plan.input, plan.slices[0]});
    draw_piece(sketch, kept, plan.kept.min, {.sides = {numbers.seen, numbers.bottleneck}}, plan.outer, plan.tallest);
    const Rect pair = lay_out_product(sketch, plan,
                                      {std::string(kept), std::string(up), std::string(made), numbers.seen,
                                       numbers.bottleneck, numbers.made, plan.kept, plan.slices[1]});
    const Rect shared = draw_piece(sketch, key, {plan.slices[2], pair.min.y}, {.sides = {numbers.seen, numbers.shared}},
                                   plan.outer, plan.tallest);

    // Queries pass above what is kept, to the card's upper part.
    const float end = plan.card.min.x - sketch.px(1), over = sketch.input().area.min.y + sketch.px(6);
    const float lane = plan.kept.min.x - sketch.px(10);
    sketch.wire({{own.max.x, plan.stream_y},
                 {lane, plan.stream_y},
                 {lane, over},
                 {plan.card.min.x - sketch.px(12), over},
                 {plan.card.min.x - sketch.px(12), plan.card.min.y + sketch.px(20)},
                 {end, plan.card.min.y + sketch.px(20)}},
                "layer.attention.head.queries");
    sketch.wire({{shared.max.x, plan.stream_y}, {end, plan.stream_y}}, "layer.attention.head.keys");
    for (const auto& [rect, id] : {std::pair{plan.kept, kept}, std::pair{shared, key}}) {
        const float x =
            std::min(std::max(rect.centre().x, plan.cache.min.x + sketch.px(8)), plan.cache.max.x - sketch.px(8));
        const float turn = plan.cache.min.y - sketch.px(8);
        if (x == rect.centre().x)
            sketch.wire({{x, rect.max.y}, {x, plan.cache.min.y - sketch.px(1)}}, id);
        else
            sketch.wire({{rect.centre().x, rect.max.y},
                         {rect.centre().x, turn},
                         {x, turn},
                         {x, plan.cache.min.y - sketch.px(1)}},
                        id);
    }

    const auto symbol = [&](std::string_view id) { return std::string(sketch.find(id)->symbol); };
    const float below = sketch.px(5);
    words(sketch, {plan.input.min.x, plan.input.max.y + below}, input, symbol(input),
          sizes(numbers.tokens, numbers.from));
    words(sketch, {own.min.x, own.max.y + below}, all_queries, "Q", sizes(numbers.tokens, numbers.head_dim));
    words(sketch, {plan.kept.centre().x + sketch.px(6), plan.kept.max.y + below}, kept, symbol(kept),
          sizes(numbers.seen, numbers.bottleneck));
    words(sketch, {pair.min.x, pair.max.y + below}, made, "K and V", sizes(numbers.seen, numbers.made));
    words(sketch, {shared.centre().x + sketch.px(6), shared.max.y + below}, key, "K_r",
          sizes(numbers.seen, numbers.shared));
    const Point corner = sketch.input().area.min;
    sketch.name(corner, symbol(input) + " · " + symbol(query) + " = Q");
    sketch.number({corner.x, corner.y + sketch.name_line()},
                  "(" + sizes(numbers.tokens, numbers.from) + ") · (" + sizes(numbers.from, numbers.head_dim) + ")");
    sketch.number({corner.x, corner.y + sketch.name_line() + sketch.number_line()},
                  "= " + sizes(numbers.tokens, numbers.head_dim));
    keep_together(sketch, 2);
}

}  // namespace headcount
