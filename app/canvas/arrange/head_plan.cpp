// Divides a head's page among its parts and chooses the scale outside its cards; what the parts share.
#include "app/canvas/arrange/head_plan.hpp"

#include <cstdio>

namespace headcount {
namespace {

// Fixed heights and widths, in design pixels.
constexpr float card_deck = 14;      // the other heads, behind the card
constexpr float slices_header = 54;  // above the slices: two lines and the name
constexpr float meeting_gap = 16;    // between X and the first slice, at least
constexpr float stream_words = 44;   // below X
constexpr float cache_least = 126, cache_grows = 100, header_grows = 60;
constexpr float output_words = 18 + 6 + 5 + 17 + 15;  // around W_o's slice and Y
constexpr float way_out = 20;                         // from the card to them
constexpr float heads_least = 140;                    // beside the cache
constexpr float card_share = 0.36F;                   // of the width, at least
constexpr float between_products = 64, shared_gap = 8,
                products_words = 110;  // latent: between the two, and before the shared key
constexpr float kept_words = 78;       // below what is kept, before the way of the shared key

struct Trial {
    float dim, tall, head_dim, tokens, column, card_left;
    float shift;  // what each of three gaps was widened by
    bool fits;
};

// What the cache needs: to scale it chooses its own, and takes what there is.
Point cache_room(const Sketch& sketch, const HeadNumbers& numbers, const Ruler& ruler) {
    return ruler.log_sides ? cache_extent(sketch, numbers, ruler) : Point{0, sketch.px(cache_least)};
}

// Between X and the slices, across and down: a bias has room in it.
float meeting(const Sketch& sketch, const Ruler& ruler) {
    const bool bias = sketch.has("layer.attention.query.bias");  // latent attention has none there
    return std::max(sketch.px(meeting_gap), bias ? ruler(1) + sketch.px(7) : 0);
}

// What another stack made stands left of the slices that it meets.
float memory_column(const Sketch& sketch, const HeadNumbers& numbers, const Ruler& ruler) {
    return ruler(numbers.dim) + meeting(sketch, ruler);
}

// Whether the page has room for everything at that scale.
Trial try_scale(const Sketch& sketch, const HeadNumbers& numbers, const HeadPlan& plan, const Ruler& ruler) {
    const Rect& area = sketch.input().area;
    auto px = [&](float design) { return sketch.px(design); };
    Trial trial{};
    trial.dim = ruler(numbers.from);
    trial.tall = numbers.latent ? std::max(trial.dim, ruler(numbers.bottleneck)) : trial.dim;
    trial.head_dim = ruler(numbers.head_dim);
    trial.tokens =
        std::min(plan.tallest,
                 ruler(numbers.latent || numbers.crosses ? std::max(numbers.tokens, numbers.seen) : numbers.tokens));
    const Point cache = cache_room(sketch, numbers, ruler);
    const float least_column = std::clamp(0.066F * area.width(), px(40), px(76));
    trial.column = std::max(least_column, trial.head_dim + px(16));
    const float gap = meeting(sketch, ruler);
    trial.card_left = trial.dim + gap + 3 * trial.column + px(14);
    if (numbers.crosses) trial.card_left += memory_column(sketch, numbers, ruler);
    if (numbers.latent)
        trial.card_left = trial.dim + gap + trial.head_dim + px(between_products) + ruler(numbers.bottleneck) + gap +
                          std::max(ruler(numbers.made) + px(shared_gap) + ruler(numbers.shared), px(products_words)) +
                          px(24);
    trial.shift = 0;
    if (const float least = cache.x + px(heads_least + 14); trial.card_left < least) {
        trial.shift = (least - trial.card_left) / 3;
        trial.column += trial.shift;
        trial.card_left = least;
    }
    const float card = area.width() - px(card_deck) - trial.card_left;
    const float left = px(slices_header) + trial.tall + gap + trial.tokens + px(stream_words) + cache.y;
    const float below =
        px(way_out + output_words) + ruler(numbers.value_dim) + std::min(plan.tallest, ruler(numbers.tokens));
    const float widest = std::max(trial.head_dim, ruler(numbers.value_dim));
    trial.fits = card >= std::max(card_share * area.width(), widest + px(24) + ruler(numbers.dim)) &&
                 left <= area.height() && below <= 0.4F * area.height();
    return trial;
}

// Everything but the choice of the scale.
void place(const Sketch& sketch, const HeadNumbers& numbers, const Trial& at, HeadPlan& plan) {
    const Rect& area = sketch.input().area;
    auto px = [&](float design) { return sketch.px(design); };
    const Point least = cache_room(sketch, numbers, plan.outer);
    const float gap = meeting(sketch, plan.outer);
    // What is left over in height goes to the cache first, then above the slices and below the stream.
    const float used = px(slices_header) + at.tall + gap + at.tokens + px(stream_words) + least.y;
    const float slack = std::max(0.0F, area.height() - used);
    const float cache = least.y + std::min(0.5F * slack, px(cache_grows));
    plan.weights_top = area.min.y + px(slices_header) + std::min(0.3F * slack, px(header_grows));
    for (std::size_t i = 0; i < plan.slices.size(); ++i)
        plan.slices[i] = area.min.x + at.dim + gap + static_cast<float>(i) * at.column;
    plan.stream_y = plan.weights_top + at.tall + gap + at.tokens / 2;
    if (numbers.crosses)
        for (const std::size_t i : {1U, 2U}) plan.slices[i] += memory_column(sketch, numbers, plan.outer);
    const auto centred = [&](float left, float width, double rows) {
        const float half = std::min(plan.tallest, plan.outer(rows)) / 2;
        return Rect{{left, plan.stream_y - half}, {left + width, plan.stream_y + half}};
    };
    plan.input = centred(area.min.x, at.dim, numbers.tokens);
    if (numbers.crosses) plan.memory = centred(plan.slices[1] - gap - at.dim, at.dim, numbers.seen);
    if (numbers.latent) {
        const float kept = plan.slices[0] + at.head_dim + px(between_products) + at.shift;
        plan.kept = centred(kept, plan.outer(numbers.bottleneck), numbers.seen);
        plan.slices[1] = plan.kept.max.x + gap;
        plan.slices[2] = std::max(plan.slices[1] + plan.outer(numbers.made) + px(shared_gap),
                                  plan.kept.centre().x + px(kept_words) - plan.outer(numbers.shared) / 2);
    }

    const float below =
        px(output_words) + plan.outer(numbers.value_dim) + std::min(plan.tallest, plan.outer(numbers.tokens));
    const float right = area.max.x - px(card_deck), card_left = area.min.x + at.card_left;
    plan.output = {{card_left, area.max.y - below}, {area.max.x, area.max.y}};
    plan.card = {{card_left, area.min.y + px(card_deck)}, {right, plan.output.min.y - px(way_out)}};
    const float cache_right = card_left - px(14);
    const float cache_left =
        std::max(area.min.x + px(heads_least), cache_right - std::max({px(300), 0.3F * area.width(), least.x}));
    const float first_kept = numbers.latent ? plan.kept.min.x : plan.slices[1];
    const float reaches = std::max(area.min.x + px(heads_least), std::min(cache_left, first_kept - px(12)));
    plan.cache = {{numbers.latent ? reaches : std::min(cache_left, first_kept - px(12)), area.max.y - cache},
                  {cache_right, area.max.y}};
    const float heads_right = numbers.kept > 0 ? plan.cache.min.x - px(16) : plan.cache.max.x;
    plan.heads = {{area.min.x, plan.cache.min.y + px(12)}, {heads_right, area.max.y}};
}

// Which tokens each looks at, as the softmax says.
Mask mask_of_heads(const Sketch& sketch) {
    const ModelGraph& graph = sketch.input().model.graph;
    const TensorIndex weights =
        static_cast<TensorIndex>(sketch.find("layer.attention.head.weights") - graph.tensors.data());
    return graph.producer(weights)->rule<Mask>();
}

}  // namespace

HeadNumbers::HeadNumbers(const Sketch& sketch)
    : latent(has_latent_heads(sketch)),
      dim(sketch.value(Symbol::dim)),
      head_dim(sketch.numbers("layer.attention.head.queries").columns),
      value_dim(sketch.numbers("layer.attention.head.values").columns),
      tokens(sketch.numbers("layer.attention.head.queries").rows),
      seen(sketch.numbers("layer.attention.head.keys").rows),
      kept(sketch.numbers("layer.attention.key_cache").rows),
      made(latent ? sketch.value(Symbol::nope_dim) + sketch.value(Symbol::value_dim) : 0),
      bottleneck(latent ? sketch.value(Symbol::kv_rank) : 0),
      shared(latent ? sketch.value(Symbol::rope_dim) : 0),
      from(sketch.numbers("layer.attention.query.weight").rows),
      heads(std::max<std::int64_t>(1, sketch.whole(Symbol::heads))),
      kv_heads(latent ? heads : std::max<std::int64_t>(1, sketch.whole(Symbol::kv_heads))),
      mask(mask_of_heads(sketch)),
      cached(mask.sees_all() ? 0 : static_cast<std::int64_t>(seen - tokens)),
      crosses(!memory_of(sketch, attention_block).empty()) {}

HeadPlan plan_head(Sketch& sketch, const HeadNumbers& numbers) {
    const Rect& area = sketch.input().area;
    auto px = [&](float design) { return sketch.px(design); };
    const bool log_sides = sketch.input().log_sides;
    HeadPlan plan;
    plan.outer = {.least = px(least_side), .log_sides = log_sides};
    plan.tallest = log_sides ? area.height() : std::max(px(2 * least_side), 0.09F * area.height());
    double fits = 0, most = static_cast<double>(area.width()) /
                            sketch.drawn(std::max({numbers.dim, numbers.head_dim, numbers.from}));
    if (sketch.input().most_scale > 0) most = std::min(most, sketch.input().most_scale);
    for (int i = 0; i < (log_sides ? 12 : 24); ++i) {
        const double middle = (fits + most) / 2;
        plan.outer.scale = static_cast<float>(middle);
        const Trial trial = try_scale(sketch, numbers, plan, plan.outer);
        bool fit = trial.fits;
        if (fit && log_sides) {
            place(sketch, numbers, trial, plan);
            fit = card_fits(sketch, plan, numbers);
        }
        (fit ? fits : most) = middle;
    }
    plan.outer.scale = static_cast<float>(fits);
    place(sketch, numbers, try_scale(sketch, numbers, plan, plan.outer), plan);
    return plan;
}

Piece columns_of_head(double rows, double columns) {
    return {.sides = {rows, columns}, .column_step = static_cast<std::int64_t>(columns)};
}

Piece rows_of_head(double rows, double columns) {
    return {.sides = {rows, columns}, .row_step = static_cast<std::int64_t>(rows)};
}

Piece seen_by_head(const Sketch& sketch, const HeadNumbers& numbers) {
    const double all = sketch.value(Symbol::cached) + numbers.tokens;
    return {.sides = {numbers.tokens, numbers.seen},
            .mask = numbers.mask,
            .first_position = numbers.mask.sees_all() ? 0 : static_cast<std::int64_t>(all - numbers.seen)};
}

Rect draw_piece(Sketch& sketch, std::string_view id, Point corner, const Piece& piece, const Ruler& ruler,
                float tallest) {
    const Tensor* tensor = sketch.find(id);
    if (!tensor) return {corner, corner};
    const float width = ruler(piece.sides.columns), height = ruler(piece.sides.rows);
    Slab slab{.id = std::string(id), .rect = {}, .part = tensor->part, .look = sketch.look_of(*tensor)};
    slab.rect = {corner, {corner.x + width, corner.y + std::min(height, tallest)}};
    slab.rows = static_cast<std::int64_t>(piece.sides.rows);
    slab.columns = static_cast<std::int64_t>(piece.sides.columns);
    slab.row_step = piece.row_step;
    slab.column_step = piece.column_step;
    slab.mask = piece.mask;
    slab.first_position = piece.first_position;
    slab.transposed = piece.transposed;
    slab.thickened = ruler.unlimited(std::min(piece.sides.rows, piece.sides.columns)) < ruler.least;
    slab.cut = height > tallest || piece.sides.rows > ruler.longest;
    slab.cut_right = piece.sides.columns > ruler.longest;
    sketch.scene.slabs.push_back(slab);
    return slab.rect;
}

std::string drawn_at(float scale, float other) {
    if (scale <= 0 || other <= 0) return "";
    const double ratio = static_cast<double>(scale) / static_cast<double>(other);
    const double times = std::max(ratio, 1 / ratio);
    if (times < 1.05) return "";
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), times < 10 ? "drawn %.1f× %s" : "drawn %.0f× %s", times,
                  ratio > 1 ? "larger" : "smaller");
    return buffer.data();
}

void note_enlarged(Scene& scene, std::string_view what, const std::string& drawn) {
    constexpr std::string_view before = "drawn ", after = " larger";
    if (!drawn.starts_with(before) || !drawn.ends_with(after)) return;
    if (!scene.enlarged.empty()) scene.enlarged += ", ";
    scene.enlarged +=
        std::string(what) + " " + drawn.substr(before.size(), drawn.size() - before.size() - after.size());
}

std::string fitting(const Sketch& sketch, std::initializer_list<std::string> wordings, TextRole role, float width) {
    for (const std::string& wording : wordings)
        if (sketch.width_of(wording, role) <= width) return wording;
    return "";
}

void keep_together(Sketch& sketch, std::size_t count) {
    std::vector<Label>& labels = sketch.scene.labels;
    const std::size_t first = labels.size() - count;
    for (std::size_t i = first; i < labels.size(); ++i) labels[i].pair = static_cast<int>(first) + 1;
}

std::string attention_input(const Sketch& sketch) { return block_input(sketch, attention_block); }

std::string queries_from(const Sketch& sketch) {
    constexpr std::string_view bottleneck = "layer.attention.query_down_norm";
    return sketch.has(bottleneck) ? std::string(bottleneck) : attention_input(sketch);
}

std::optional<std::int64_t> value_of(const Sketch& sketch, const Expr& expr) {
    Result<std::int64_t> value = evaluate(expr, sketch.input().model.bindings);
    return value ? std::optional(*value) : std::nullopt;
}

}  // namespace headcount
