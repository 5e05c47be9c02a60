// What the cache keeps of a head, below its projections.
#include <algorithm>

#include "app/canvas/arrange/head_plan.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::string_view key_cache = "layer.attention.key_cache", value_cache = "layer.attention.value_cache",
                           latent_cache = "layer.attention.latent_cache";
constexpr float cache_padding = 12, row_most = 20, cache_header = 36, between_columns = 10, before_table = 14,
                above_words = 5, cache_foot = 8;

std::string whole(double number) { return std::to_string(static_cast<std::int64_t>(number)); }

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

// How many numbers this attention keeps in all layers of `context` tokens, or, without that, of those that there are
// now.
Expr kept_numbers(const Sketch& sketch, const BlockIndex* layer, bool full) {
    const ModelGraph& graph = sketch.input().model.graph;
    const BlockKind own = sketch.find_block(attention_block)->kind;
    std::vector<Expr> terms;
    for (const LayerBlock& kind : graph.layers) {
        if (layer && kind.block != *layer) continue;
        const Expr context(Symbol::context);
        const Expr rows = kind.group.kind.windowed ? min(context, Symbol::window) : context;
        for (const Tensor& tensor : graph.tensors) {
            const bool counts = graph.inside(tensor.block, kind.block) && graph.within(tensor.block, own);
            if (tensor.role != Role::cache || !counts) continue;
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
    if (!numbers.crosses)
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

}  // namespace

Point cache_extent(const Sketch& sketch, const HeadNumbers& numbers, const Ruler& ruler) {
    const TableWidth table = width_of(sketch, cache_rows(sketch, numbers));
    const auto kept = kept_of(numbers);
    const float words =
        table.words + table.bytes + sketch.px(between_columns + before_table + between_columns + 2 * cache_padding);
    const float lines =
        sketch.px(cache_header + above_words + cache_foot) + sketch.name_line() + 2 * sketch.number_line();
    return {ruler(kept[0].columns) + ruler(kept[1].columns) + words, ruler(numbers.kept) + lines};
}

void lay_out_cache(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers) {
    const Rect& box = plan.cache;
    auto px = [&](float design) { return sketch.px(design); };
    sketch.frame(key_cache, box, FrameKind::cache, Component::attention);
    const float left = box.min.x + px(cache_padding), right = box.max.x - px(cache_padding), head = box.min.y + px(8);
    sketch.title({left, head}, "KV cache", key_cache);

    const std::vector<CacheRow> rows = cache_rows(sketch, numbers);
    const TableWidth width = width_of(sketch, rows);
    // What one token adds stands below all; K and V take the height between their names and that.
    const float top = box.min.y + px(cache_header), below = box.max.y - px(cache_foot) - 2 * sketch.number_line();
    const float table = width.words + px(between_columns) + width.bytes, count = static_cast<float>(rows.size());
    const float pitch = std::min(std::max((below - top) / count, sketch.number_line()), px(row_most));
    float y = top + std::max(0.0F, (below - top - pitch * count) / 2);
    for (const CacheRow& row : rows) {
        sketch.caption({right - table, y}, row.words);
        sketch.label({right, y}, row.bytes, TextRole::number, Tone::high, Anchor::right);
        keep_together(sketch, 2);
        y += pitch;
    }

    const float from = top + sketch.name_line();
    const float across = (right - table - px(before_table) - left - px(between_columns)) / 2,
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
    const std::array<float, 2> x{left, left + first_wide + px(between_columns)};
    for (std::size_t i = 0; i < kept.size(); ++i) {
        draw_piece(sketch, kept[i].id, {x[i], from}, kept[i].piece, ruler, tall);
        sketch.name({x[i], top - px(2)}, kept[i].name, kept[i].id);
    }
    const std::string row =
        numbers.crosses ? "no new row" : "a row of " + whole(numbers.latent ? wide : numbers.head_dim);
    sketch.label({left, below}, row, TextRole::number, Tone::cached, Anchor::left, kept[0].id);
    sketch.caption({left, below + sketch.number_line()}, numbers.crosses ? "for later tokens" : "per new token",
                   kept[0].id);

    const std::string drawn = drawn_at(ruler.scale, plan.outer.scale);
    note_enlarged(sketch.scene, "cache", drawn);
    const float room = right - left - sketch.width_of("KV cache", TextRole::title) - px(12);
    const std::string what = numbers.crosses         ? "made once"
                             : numbers.mask.size > 0 ? "of the last " + grouped(numbers.mask.size) + " tokens"
                                                     : "kept for the next token";
    const std::string said = drawn.empty()
                                 ? fitting(sketch, {what}, TextRole::caption, room)
                                 : fitting(sketch, {what + ", " + drawn, numbers.mask.size > 0 ? what : drawn, drawn},
                                           TextRole::caption, room);
    if (!said.empty()) sketch.caption({right, head + px(1)}, said, key_cache, Anchor::right);
}

}  // namespace headcount
