// What lies below a head's projections: what the cache keeps of it, and the other heads that are like it.
#include <algorithm>

#include "app/canvas/head_plan.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::string_view key_cache = "layer.attention.key_cache", value_cache = "layer.attention.value_cache",
                           latent_cache = "layer.attention.latent_cache";
constexpr float cache_padding = 12, row_most = 20, header = 31, between = 10, before_table = 14, above_words = 5,
                foot = 8;

std::string whole(double number) {
    return std::to_string(static_cast<std::int64_t>(number));
}

struct CacheRow {
    std::string words, bytes;
};

// How many bytes that many numbers take; nothing where they are more than can be counted.
std::optional<std::int64_t> bytes_of(const Sketch& sketch, const Expr& numbers) {
    std::optional<std::int64_t> count = value_of(sketch, numbers);
    if (!count) return std::nullopt;
    const double bytes = static_cast<double>(*count) * sketch.input().bytes_per_number;
    constexpr double most = 9e18;
    return bytes < most ? std::optional(static_cast<std::int64_t>(bytes)) : std::nullopt;
}

// How many numbers the layers keep of `context` tokens, or, without that, of those that there are now.
Expr kept_numbers(const Sketch& sketch, const BlockIndex* layer, bool full) {
    const ModelGraph& graph = sketch.input().model.graph;
    std::vector<Expr> terms;
    for (const LayerBlock& kind : graph.layers) {
        if (layer && kind.block != *layer) continue;
        const Expr context(Symbol::context);
        const Expr rows = kind.group.kind.windowed ? min(context, Symbol::window) : context;
        for (const Tensor& tensor : graph.tensors) {
            if (tensor.role != Role::cache || !graph.inside(tensor.block, kind.block)) continue;
            const Expr one = full ? rows * tensor.shape[1] : element_count(tensor.shape);
            terms.push_back(layer ? one : graph.blocks[kind.block].repeat * one);
        }
    }
    return sum_of(terms);
}

std::vector<CacheRow> cache_rows(const Sketch& sketch, const HeadNumbers& numbers) {
    const BlockIndex own = sketch.layer().block;
    const Expr layer = kept_numbers(sketch, &own, false);
    const bool shared = numbers.group() > 1;
    const std::string layers = whole(sketch.value(Symbol::layers)), all = std::to_string(numbers.kv_heads);
    std::vector<CacheRow> rows;
    auto add = [&](std::string words, const Expr& count) {
        if (std::optional<std::int64_t> bytes = bytes_of(sketch, count))
            rows.push_back({std::move(words), bytes_text(*bytes)});
    };
    if (!numbers.latent) add(shared ? "this pair" : "this head", layer / Expr(Symbol::kv_heads));
    if (numbers.latent)
        add("all " + all + " heads", layer);
    else if (numbers.kv_heads > 1)
        add(all + (shared ? " pairs" : " heads"), layer);
    add(layers == "1" ? "1 layer" : layers + " layers", kept_numbers(sketch, nullptr, false));
    add(std::string(info(Symbol::context).text) + " = " + whole(sketch.value(Symbol::context)),
        kept_numbers(sketch, nullptr, true));
    return rows;
}

// The two that are kept: keys and values of this head, or the bottleneck and the key that all heads share.
struct Kept {
    std::string_view id, name;
    double columns;
    Piece piece;
};
std::array<Kept, 2> kept_of(const HeadNumbers& numbers) {
    const auto slice = [&](double columns) { return columns_of_head(numbers.kept, columns); };
    const auto all = [&](double columns) { return Piece{.sides = {numbers.kept, columns}}; };
    if (!numbers.latent)
        return {{{key_cache, "K", numbers.head_dim, slice(numbers.head_dim)},
                 {value_cache, "V", numbers.head_dim, slice(numbers.head_dim)}}};
    return {{{latent_cache, "C_n", numbers.bottleneck, all(numbers.bottleneck)},
             {key_cache, "K_r", numbers.shared, all(numbers.shared)}}};
}

// How wide the words and the bytes of all rows are.
struct TableWidth {
    float words = 0, bytes = 0;
};
TableWidth width_of(const Sketch& sketch, const std::vector<CacheRow>& rows) {
    TableWidth width;
    for (const CacheRow& row : rows) {
        width.words = std::max(width.words, sketch.width_of(row.words, TextRole::caption));
        width.bytes = std::max(width.bytes, sketch.width_of(row.bytes, TextRole::number));
    }
    return width;
}

// The heads as small squares, all alike.
void lay_out_grid(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers, std::string_view id, float most) {
    const Rect& zone = plan.heads;
    const float top = zone.min.y + sketch.px(22);
    constexpr float largest = 13, smallest = 4, even_from = 10;
    float cell = sketch.px(largest);
    std::int64_t columns = 1, rows = 1;
    auto fits = [&](bool evenly) {
        const auto across = std::max<std::int64_t>(1, static_cast<std::int64_t>(zone.width() / cell));
        rows = (numbers.heads + across - 1) / across;
        columns = (numbers.heads + rows - 1) / rows;
        return static_cast<float>(rows) * cell <= most && (!evenly || rows * columns == numbers.heads);
    };
    // Rows of equal length where a slightly smaller square makes them so.
    while (cell > sketch.px(even_from) && !fits(true)) cell -= sketch.px(1);
    if (!fits(true)) cell = sketch.px(largest);
    while (cell > sketch.px(smallest) && !fits(false)) cell -= sketch.px(1);
    rows = std::clamp<std::int64_t>(static_cast<std::int64_t>(most / cell), 1, rows);
    const Tensor* tensor = sketch.find(id);
    sketch.scene.slabs.push_back(
        {.id = std::string(id),
         .rect = {{zone.min.x, top},
                  {zone.min.x + cell * static_cast<float>(columns), top + cell * static_cast<float>(rows)}},
         .part = tensor->part,
         .look = SlabLook::activation,
         .base = {},
         .thickened = true,
         .grid_columns = static_cast<int>(columns),
         .grid_cells = std::min(numbers.heads, rows * columns)});
    sketch.scene.thickened = true;
}

// A number and what it counts, on one line where there is room, else on two, else not at all; returns the next line.
float count_line(Sketch& sketch, Point at, std::int64_t count, const std::string& words, const Rect& zone) {
    const std::string number = grouped(count);
    const float beside = sketch.width_of(number, TextRole::number) + sketch.px(6);
    const bool one = beside + sketch.width_of(words, TextRole::caption) <= zone.width();
    if (at.y + (one ? 1.0F : 2.0F) * sketch.number_line() > zone.max.y) return at.y;
    sketch.label(at, number, TextRole::number, Tone::mid);
    sketch.label(one ? Point{at.x + beside, at.y} : Point{at.x, at.y + sketch.number_line()}, words, TextRole::caption,
                 Tone::low);
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
    sketch.label(zone.min, "Heads", TextRole::name, Tone::high, Anchor::left, all);
    const float beside = sketch.width_of("Heads", TextRole::name) + sketch.px(8);
    const std::string same =
        fitting(sketch, {"all have the same shapes", "all alike"}, TextRole::caption, zone.width() - beside);
    if (!same.empty() && numbers.heads > 1)
        sketch.label({zone.min.x + beside, zone.min.y + sketch.px(1)}, same, TextRole::caption, Tone::low, Anchor::left,
                     all);
    lay_out_grid(sketch, plan, numbers, all, zone.height() - sketch.px(22 + 8 + 30));
    const std::optional<std::int64_t> own = parameters_each(sketch, of_queries, Symbol::heads),
                                      pair = parameters_each(sketch, of_pairs, Symbol::kv_heads);
    if (own && pair)
        count_line(sketch, {zone.min.x, sketch.scene.slabs.back().rect.max.y + sketch.px(8)}, *own + *pair,
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
    sketch.label(zone.min, one ? "One K/V pair" : "K/V pair {kv}", TextRole::name, Tone::high, Anchor::left, keys);
    const std::string words =
        one ? fitting(sketch, {"all " + all + " query heads share it", "shared by " + all + " heads"},
                      TextRole::caption, zone.width())
            : fitting(sketch, {"serves " + served + " of " + all + " query heads", "serves " + served + " of " + all},
                      TextRole::caption, zone.width());
    sketch.label({zone.min.x, zone.min.y + sketch.name_line()}, words, TextRole::caption, Tone::low, Anchor::left,
                 keys);

    const std::int64_t drawn = std::min(numbers.group(), most_drawn);
    const std::string more = drawn < numbers.group() ? "... " + served : "";
    const float for_more = more.empty() ? 0 : sketch.width_of(more, TextRole::number) + sketch.px(6);
    const float cell = std::min(sketch.px(17), (zone.width() - for_more) / static_cast<float>(drawn));
    const float width = cell * static_cast<float>(drawn), square = sketch.px(11);
    const float y = zone.min.y + sketch.px(38), row = y + square + sketch.px(18);
    const float centre = zone.min.x + std::max(width / 2, square + sketch.px(2));
    auto pair = [&](std::string_view id, float x, Part part) {
        sketch.scene.slabs.push_back({.id = std::string(id),
                                      .rect = {{x, y}, {x + square, y + square}},
                                      .part = part,
                                      .look = SlabLook::cached,
                                      .base = {},
                                      .thickened = true,
                                      .grid_columns = 1,
                                      .grid_cells = 1});
    };
    pair(keys, centre - square - sketch.px(2), Part::key);
    pair(values, centre + sketch.px(2), Part::value);
    const float left = centre - width / 2, branch = y + square + sketch.px(8);
    for (std::int64_t i = 0; i < drawn; ++i) {
        const float x = left + (static_cast<float>(i) + 0.5F) * cell;
        sketch.wire({{centre, y + square}, {centre, branch}, {x, branch}, {x, row}}, keys, false, false);
    }
    const float small = std::min(cell, sketch.px(13));
    sketch.scene.slabs.push_back({.id = std::string(queries),
                                  .rect = {{left, row}, {left + width, row + small}},
                                  .part = Part::query,
                                  .look = SlabLook::activation,
                                  .base = {},
                                  .thickened = true,
                                  .grid_columns = static_cast<int>(drawn),
                                  .grid_cells = drawn});
    sketch.scene.thickened = true;
    if (!more.empty())
        sketch.label({left + width + sketch.px(6), row - sketch.px(1)}, more, TextRole::number, Tone::mid, Anchor::left,
                     queries);
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

Point cache_extent(const Sketch& sketch, const HeadNumbers& numbers, const Ruler& ruler) {
    const TableWidth table = width_of(sketch, cache_rows(sketch, numbers));
    const auto kept = kept_of(numbers);
    const float words = table.words + table.bytes + sketch.px(between + before_table + between + 2 * cache_padding);
    const float lines = sketch.px(header + above_words + foot) + sketch.name_line() + 2 * sketch.number_line();
    return {ruler(kept[0].columns) + ruler(kept[1].columns) + words, ruler(numbers.kept) + lines};
}

void lay_out_cache(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers) {
    const Rect& box = plan.cache;
    auto px = [&](float design) { return sketch.px(design); };
    sketch.frame(key_cache, box, FrameKind::cache, Component::attention);
    const float left = box.min.x + px(cache_padding), right = box.max.x - px(cache_padding), head = box.min.y + px(8);
    sketch.label({left, head}, "KV cache", TextRole::title, Tone::high, Anchor::left, key_cache);

    const std::vector<CacheRow> rows = cache_rows(sketch, numbers);
    const TableWidth width = width_of(sketch, rows);
    // What one token adds stands below all; K and V take the height between their names and that.
    const float top = box.min.y + px(header), below = box.max.y - px(foot) - 2 * sketch.number_line();
    const float table = width.words + px(between) + width.bytes, count = static_cast<float>(rows.size());
    const float pitch = std::min(std::max((below - top) / count, sketch.number_line()), px(row_most));
    float y = top + std::max(0.0F, (below - top - pitch * count) / 2);
    for (const CacheRow& row : rows) {
        sketch.label({right - table, y}, row.words, TextRole::caption, Tone::low);
        sketch.label({right, y}, row.bytes, TextRole::number, Tone::high, Anchor::right);
        keep_together(sketch, 2);
        y += pitch;
    }

    const float from = top + sketch.name_line();
    const float across = (right - table - px(before_table) - left - px(between)) / 2,
                tall = below - px(above_words) - from;
    constexpr double longest_share = 4;  // a cache longer than so many times its width is cut
    const std::array<Kept, 2> kept = kept_of(numbers);
    const double wide = kept[0].columns + kept[1].columns, widest = std::max(kept[0].columns, kept[1].columns);
    const double longest = longest_share * widest, rows_kept = std::min(numbers.kept, longest);
    Ruler ruler = plan.outer;
    if (!ruler.log_sides) {
        ruler.longest = longest;
        ruler.scale = std::min({2 * across / static_cast<float>(wide), tall / static_cast<float>(rows_kept),
                                px(110) / static_cast<float>(widest)});
    }
    const float first_wide = std::max(ruler(kept[0].columns), sketch.width_of(kept[0].name, TextRole::name));
    const std::array<float, 2> x{left, left + first_wide + px(between)};
    for (std::size_t i = 0; i < kept.size(); ++i) {
        draw_piece(sketch, kept[i].id, {x[i], from}, kept[i].piece, ruler, tall);
        sketch.label({x[i], top - px(2)}, std::string(kept[i].name), TextRole::name, Tone::high, Anchor::left,
                     kept[i].id);
    }
    const std::string row = "+1 row of " + whole(numbers.latent ? wide : numbers.head_dim);
    sketch.label({left, below}, row, TextRole::number, Tone::cached, Anchor::left, kept[0].id);
    sketch.label({left, below + sketch.number_line()}, "per new token", TextRole::caption, Tone::low, Anchor::left,
                 kept[0].id);

    const std::string drawn = drawn_at(ruler.scale, plan.outer.scale);
    note_enlarged(sketch.scene, "cache", drawn);
    const float room = right - left - sketch.width_of("KV cache", TextRole::title) - px(12);
    const std::string what =
        numbers.window > 0 ? "of the last " + grouped(numbers.window) + " tokens" : "kept for the next token";
    const std::string said =
        drawn.empty()
            ? fitting(sketch, {what}, TextRole::caption, room)
            : fitting(sketch, {what + ", " + drawn, numbers.window > 0 ? what : drawn, drawn}, TextRole::caption, room);
    if (!said.empty())
        sketch.label({right, head + px(1)}, said, TextRole::caption, Tone::low, Anchor::right, key_cache);
}

}  // namespace headcount
