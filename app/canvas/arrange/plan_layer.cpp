// Chooses the scale of a layer: the largest at which both of its sub-blocks hold what they draw.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "app/canvas/arrange/layer_measures.hpp"
#include "app/canvas/arrange/plan_limits.hpp"

namespace headcount {

// What the scale of a layer depends on, measured once: sides in rows and columns, words in pixels (by lines of a
// label).
struct LayerMeasures {
    double dim, query, joined, wide, normed, sinks;
    bool gated, bias;
    std::array<float, 4> lane{}, made{}, up{}, hidden{};
    float output, two_lines;
    bool norms_behind;
};

namespace {

LayerMeasures measure(const Sketch& sketch) {
    auto columns = [&](std::string_view id) { return sketch.sides(id, true).columns; };
    auto rows = [&](std::string_view id) { return sketch.sides(id, true).rows; };
    LayerMeasures measures{
        .dim = columns("layer.attention.output.weight"),
        .query = std::max({columns("layer.attention.query.weight"), columns("layer.attention.key.weight"),
                           columns("layer.attention.value.weight")}),
        .joined = rows("layer.attention.output.weight"),
        .wide = columns("layer.feed_forward.up.weight"),
        .normed = std::max(rows("layer.attention.query_norm.weight"), rows("layer.attention.key_norm.weight")) +
                  std::max(rows("layer.attention.query_norm.bias"), rows("layer.attention.key_norm.bias")),
        .sinks = columns("layer.attention.sinks.weight"),
        .gated = sketch.has("layer.feed_forward.gate.weight"),
        .bias = sketch.has("layer.feed_forward.up.bias"),
        .output = output_labels(sketch),
        .two_lines = sketch.label_height(2),
        .norms_behind = sketch.has("layer.attention.output_norm") || sketch.has("layer.feed_forward.output_norm"),
    };
    for (int lines = 1; lines <= 3; ++lines) {
        auto index = static_cast<std::size_t>(lines);
        measures.lane[index] = sketch.px(8) + lane_labels(sketch, lines);
        measures.made[index] = lane_outputs(sketch, lines);
        measures.up[index] = up_labels(sketch, lines);
        measures.hidden[index] = hidden_labels(sketch, lines);
    }
    return measures;
}

float header_of(const Plan& plan, std::string_view block) {
    if (plan.shares_norm) return std::max(plan.attention_header, plan.feed_forward_header);
    return block == attention_block ? plan.attention_header : plan.feed_forward_header;
}

// Of one sub-block: with its words, and where these give way.
struct Largest {
    float shapes, with_words;
};

// Where a column is as wide as its matrix or as its words, both are limits.
Largest grouped_attention(const Sketch& sketch, const LayerMeasures& the, const Plan& plan) {
    using namespace room;
    const auto lines = static_cast<std::size_t>(plan.attention_lines);
    const float width = plan.attention.width() - sketch.px(2 * padding + 4 * gap + heads + 8) - 4 * plan.arrow;
    const float height = (plan.attention.height() - sketch.px(14)) / 3;
    const float shapes = largest_scale({{the.dim + 2 * the.query + the.joined + the.dim, width},
                                        {the.dim, height - sketch.px(the.bias ? 16 : 8)},
                                        {2 * the.normed, height - sketch.px(20)},
                                        {the.sinks, sketch.px(heads)},
                                        {the.joined, plan.attention.height() - sketch.px(76)}});
    const float above = width - the.lane[lines], made = the.made[lines];
    return {shapes,
            largest_scale({{the.dim + 2 * the.query + the.joined + the.dim, above},
                           {the.dim + 2 * the.query + the.joined, above - the.output},
                           {the.dim + the.query + the.joined, above - the.output - made},
                           {the.query + the.joined, above - the.output - made - header_of(plan, attention_block)}})};
}

Largest dense_feed_forward(const Sketch& sketch, const LayerMeasures& the, const Plan& plan, float limit) {
    using namespace room;
    const auto lines = static_cast<std::size_t>(plan.feed_forward_lines);
    const float width = plan.feed_forward.width() - sketch.px(2 * padding + 2 * gap + operation + 8) - 2 * plan.arrow;
    const float height = plan.feed_forward.height();
    const float shapes = largest_scale({{the.dim + 2 * the.wide + the.dim, width},
                                        {the.gated ? 2 * the.dim : the.dim, height - sketch.px(the.bias ? 44 : 28)},
                                        {the.wide, height - sketch.px(24)}});
    auto with_words = [&](float up) {
        const float below = width - up - the.hidden[lines];
        return largest_scale(
            {{the.dim + the.wide + the.dim, below}, {the.wide + the.dim, below - header_of(plan, feed_forward_block)}});
    };
    // Gate and up carry their words inside where they are large enough for them.
    const float scale = std::min({limit, shapes, with_words(0)});
    const bool large = static_cast<float>(the.dim) * scale >= the.two_lines;
    if (static_cast<float>(the.wide) * scale >= the.up[large ? 2 : 1] + sketch.px(16)) return {shapes, with_words(0)};
    return {shapes, with_words(the.up[lines] + sketch.px(8))};
}

// By trying: the largest scale at which a layout fits.
template <class Fits>
Largest tried(const Sketch& sketch, Fits fits) {
    const float most = largest_scale({one_row(sketch)}), least = most * 1e-8F;
    const float shapes = largest_fitting(least, most, [&](float scale) { return fits(scale, false); });
    const float with_words = largest_fitting(least, shapes, [&](float scale) { return fits(scale, true); });
    constexpr float enough = 0.85F;  // their words are short, and few are lost
    return {shapes, std::max(with_words, enough * shapes)};
}

// Norms behind the sub-blocks or on the stream stand in a row with what is added.
float norms_behind(const Sketch& sketch, const LayerMeasures& the, const Plan& plan) {
    const float width = plan.attention.width() - sketch.px(room::padding + 8);
    return largest_scale(
        {{the.norms_behind ? 2 * the.dim : the.dim, the.norms_behind ? width - sketch.px(room::normed_back) : width}});
}

}  // namespace

struct LayerScale::Measured {
    explicit Measured(const Sketch& sketch) : the(measure(sketch)) {
        if (is_latent(sketch)) latent.emplace(sketch);
        if (is_mixture(sketch)) mixture.emplace(sketch);
    }
    LayerMeasures the;
    std::optional<LatentMeasures> latent;
    std::optional<MixtureMeasures> mixture;
};

LayerScale::LayerScale(const Sketch& sketch) : sketch_(sketch), measured_(std::make_unique<const Measured>(sketch)) {}
LayerScale::~LayerScale() = default;

float LayerScale::in(const Plan& plan) const {
    const auto& [the, latent, mixture] = *measured_;
    const Largest attention = latent ? tried(sketch_,
                                             [&, &measures = *latent](float scale, bool words) {
                                                 return latent_fits(sketch_, measures, plan, scale, words);
                                             })
                                     : grouped_attention(sketch_, the, plan);
    constexpr Largest any{1e9F, 1e9F};
    const Largest feed_forward =
        plan.closed ? any
        : mixture   ? tried(sketch_,
                            [&, &measures = *mixture](float scale, bool words) {
                              return mixture_fits(sketch_, measures, plan, scale, words);
                          })
                    : dense_feed_forward(sketch_, the, plan, std::min(attention.shapes, attention.with_words));
    const float shapes = std::min(
        {largest_scale({one_row(sketch_)}), attention.shapes, feed_forward.shapes, norms_behind(sketch_, the, plan)});
    // Words give way before the picture does: below this they are dropped where they crowd.
    constexpr float least_share = 0.6F;
    return std::max(std::min({shapes, attention.with_words, feed_forward.with_words}), least_share * shapes);
}

}  // namespace headcount
