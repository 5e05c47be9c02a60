// The other heads of a layer, below a head's projections: all alike, or those that share its keys and values.
#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "app/canvas/arrange/head_plan.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float squares_from = 22, below_squares = 8, for_count = 30;  // design pixels

// A number and what it counts, on one line where there is room, else on two, else not at all; returns the next line.
float count_line(Sketch& sketch, Point at, std::int64_t count, const std::string& words, const Rect& zone) {
    const std::string number = grouped(count);
    const float beside = sketch.width_of(number, TextRole::number) + sketch.px(6);
    const bool one = beside + sketch.width_of(words, TextRole::caption) <= zone.width();
    if (at.y + (one ? 1.0F : 2.0F) * sketch.number_line() > zone.max.y) return at.y;
    sketch.number(at, number);
    sketch.caption(one ? Point{at.x + beside, at.y} : Point{at.x, at.y + sketch.number_line()}, words);
    keep_together(sketch, 2);
    return at.y + (one ? 1.0F : 2.0F) * sketch.number_line();
}

// Parameters of the projections that belong to one of `copies` heads.
std::optional<std::int64_t> parameters_each(const Sketch& sketch, std::span<const std::string_view> ids,
                                            Symbol copies) {
    std::vector<Expr> terms;
    for (std::string_view id : ids)
        if (const Tensor* tensor = sketch.find(id)) terms.push_back(element_count(tensor->shape));
    return value_of(sketch, sum_of(terms) / Expr(copies));
}

constexpr std::array<std::string_view, 4> of_queries{"layer.attention.query.weight", "layer.attention.query.bias",
                                                     "layer.attention.latent_up.weight",
                                                     "layer.attention.output.weight"};
constexpr std::array<std::string_view, 4> of_pairs{"layer.attention.key.weight", "layer.attention.key.bias",
                                                   "layer.attention.value.weight", "layer.attention.value.bias"};

void lay_out_alike(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers) {
    constexpr std::string_view all = "layer.attention.joined";
    const Rect& zone = plan.heads;
    sketch.name(zone.min, "Heads", all);
    const float beside = sketch.width_of("Heads", TextRole::name) + sketch.px(8);
    const std::string same =
        fitting(sketch, {"all have the same shapes", "all alike"}, TextRole::caption, zone.width() - beside);
    if (!same.empty() && numbers.heads > 1) sketch.caption({zone.min.x + beside, zone.min.y + sketch.px(1)}, same, all);
    const float high = zone.height() - sketch.px(squares_from + below_squares + for_count);
    Slab& squares =
        lay_out_units(sketch, {.shown = all, .count = numbers.heads, .columns = columns_of_grid(numbers.heads)},
                      zone.min, {zone.width(), high});
    const float down = zone.min.y + sketch.px(squares_from) - squares.rect.min.y;
    squares.rect = {{zone.min.x, squares.rect.min.y + down}, {squares.rect.max.x, squares.rect.max.y + down}};
    const std::optional<std::int64_t> own = parameters_each(sketch, of_queries, Symbol::heads),
                                      pair = parameters_each(sketch, of_pairs, Symbol::kv_heads);
    if (own && pair)
        count_line(sketch, {zone.min.x, squares.rect.max.y + sketch.px(below_squares)}, *own + *pair,
                   "parameters per head", zone);
}

// Which query heads share this head's keys and values: a pair of squares, and lines to the heads.
void lay_out_fan(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers) {
    constexpr std::string_view keys = "layer.attention.head.keys", values = "layer.attention.head.values",
                               queries = "layer.attention.queries";
    constexpr std::int64_t most_drawn = 16;
    const Rect& zone = plan.heads;
    const std::string served = std::to_string(numbers.group()), all = std::to_string(numbers.heads);
    const bool one = numbers.kv_heads == 1;
    sketch.name(zone.min, one ? "One K/V pair" : "K/V pair {kv}", keys);
    const std::string words =
        one ? fitting(sketch, {"all " + all + " query heads share it", "shared by " + all + " heads"},
                      TextRole::caption, zone.width())
            : fitting(sketch, {"serves " + served + " of " + all + " query heads", "serves " + served + " of " + all},
                      TextRole::caption, zone.width());
    sketch.caption({zone.min.x, zone.min.y + sketch.name_line()}, words, keys);

    const std::int64_t drawn = std::min(numbers.group(), most_drawn);
    const std::string more = drawn < numbers.group() ? "... " + served : "";
    const float for_more = more.empty() ? 0 : sketch.width_of(more, TextRole::number) + sketch.px(6);
    const float cell = std::min(sketch.px(17), (zone.width() - for_more) / static_cast<float>(drawn));
    const float width = cell * static_cast<float>(drawn), square = sketch.px(11);
    const float y = zone.min.y + sketch.px(38), row = y + square + sketch.px(18);
    const float centre = zone.min.x + std::max(width / 2, square + sketch.px(2));
    sketch.squares(keys, {centre - square - sketch.px(2), y}, square, 1, 1, 1).look = SlabLook::cached;
    sketch.squares(values, {centre + sketch.px(2), y}, square, 1, 1, 1).look = SlabLook::cached;
    const float left = centre - width / 2, branch = y + square + sketch.px(8);
    for (std::int64_t i = 0; i < drawn; ++i) {
        const float x = left + (static_cast<float>(i) + 0.5F) * cell;
        sketch.line({{centre, y + square}, {centre, branch}, {x, branch}, {x, row}}, keys);
    }
    const float small = std::min(cell, sketch.px(13));
    sketch.scene.slabs.push_back({.id = std::string(queries),
                                  .rect = {{left, row}, {left + width, row + small}},
                                  .part = Part::query,
                                  .thickened = true,
                                  .grid_columns = static_cast<int>(drawn),
                                  .grid_cells = drawn});
    if (!more.empty()) sketch.number({left + width + sketch.px(6), row - sketch.px(1)}, more, queries);
    const std::optional<std::int64_t> own = parameters_each(sketch, of_queries, Symbol::heads),
                                      shared = parameters_each(sketch, of_pairs, Symbol::kv_heads);
    float line = row + small + sketch.px(8);
    for (const auto& [count, per] : {std::pair{own, "per query head"}, std::pair{shared, "per K/V pair"}})
        if (count) line = count_line(sketch, {zone.min.x, line}, *count, per, zone);
}

}  // namespace

void lay_out_siblings(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers) {
    if (numbers.group() > 1)
        lay_out_fan(sketch, plan, numbers);
    else
        lay_out_alike(sketch, plan, numbers);
}

}  // namespace headcount
