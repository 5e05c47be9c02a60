// Where the parts of a mixture of experts go in a layer, and at which scales they have room.
#include "app/canvas/arrange/mixture_plan.hpp"

#include <algorithm>
#include <array>

namespace headcount::mixture {
namespace {

constexpr float header = 42, low_header = 26;  // of the deck: words above the squares of all experts, or beside those
constexpr float low_box = 176;                 // of which the squares stand beside the words

// Those that are tried first have room for more words.
constexpr std::array<Form, 4> wide_forms{{{true, true}, {true, false}, {false, true}, {false, false}}},
    narrow_forms{{{false, true}, {false, false}, {true, true}, {true, false}}};
const std::array<Form, 4>& forms_of(const Measures& the) {
    return the.expert.up.columns > the.expert.up.rows ? wide_forms : narrow_forms;
}

Extent extent_of(const Sketch& sketch, const Measures& the, const ExpertMeasures& group, float scale, bool stacked,
                 bool words) {
    const bool beside = group.gated && !stacked;
    Extent at{};
    at.bias = group.bias.columns > 0 ? sketch.px(2) + sketch.thick(group.bias.rows, scale) : 0;
    at.up_width = at.hidden = sketch.thick(group.up.columns, scale);
    at.up_height = sketch.thick(group.up.rows, scale) + at.bias;
    at.down_width = sketch.thick(group.down.columns, scale);
    at.down_height = sketch.thick(group.down.rows, scale) + at.bias;
    // A name below a narrow matrix is wider than that.
    if (words && beside) at.up_width = std::max(at.up_width, the.up_words);
    if (words) at.down_width = std::max(at.down_width, the.down_words);
    // Between the first two stands the name of the upper one, where it does not stand in it.
    const bool inside = at.up_height - at.bias >= sketch.px(name_inside) && at.up_width >= the.up_words + sketch.px(8);
    at.gap = sketch.px(words && stacked && !inside ? named_gap : pair_gap);
    at.width = (beside ? 2 * at.up_width + sketch.px(inner) : at.up_width) + sketch.px(mark_room) + at.hidden +
               sketch.px(inner) + at.down_width;
    at.height = std::max(group.gated && stacked ? 2 * at.up_height + at.gap : at.up_height, at.down_height);
    return at;
}

}  // namespace

bool is_low(const Sketch& sketch, const Plan& plan) {
    return plan.feed_forward.height() < sketch.px(low_box);
}
float header_of(const Sketch& sketch, const Plan& plan) {
    return sketch.px(is_low(sketch, plan) ? low_header : header);
}
float above_router(const Sketch& sketch, const Plan& plan) {
    return sketch.px(is_low(sketch, plan) ? 3 : 20);
}

At measured(const Sketch& sketch, const Measures& the, const Plan& plan, float scale, Form form, bool words) {
    const auto px = [&](float design) { return sketch.px(design); };
    At at{};
    at.one = extent_of(sketch, the, the.expert, scale, form.stacked, words);
    if (the.has_shared()) at.others = extent_of(sketch, the, the.shared, scale, form.stacked, words);
    at.gate_width = the.shared_weight.columns > 0 ? sketch.thick(the.shared_weight.columns, scale) + px(inner) : 0;
    at.router_width = sketch.thick(the.router.columns, scale);
    at.split = card_split(sketch, plan, feed_forward_block, scale);
    at.router = at.split + plan.arrow;
    const float router_words = words ? std::max(the.router_words, at.router_width) : at.router_width;
    at.deck = at.router + router_words + plan.arrow;
    const float card = at.one.width + px(2 * inset), deck = std::max(card, words ? px(190) : 0) + px(deck_behind);
    const float others = at.others.width > 0 ? at.others.width + at.gate_width + px(2 * inset) : 0;
    const float foot = words ? px(words_below) : px(4);
    const float deck_height = header_of(sketch, plan) + at.one.height + foot,
                others_height = px(shared_header) + at.others.height + foot;
    const bool two_rows = others > 0 && form.shared_below, two_columns = others > 0 && !form.shared_below;
    at.height =
        two_rows ? deck_height + px(inset) + others_height : std::max(deck_height, others > 0 ? others_height : 0);
    at.end = at.deck + (two_columns ? deck + plan.arrow + others : std::max(deck, others));
    // The router stands left of the deck, below its words.
    at.height = std::max(at.height, above_router(sketch, plan) + sketch.thick(the.router.rows, scale) + px(26) + foot);
    return at;
}

bool fits(const Sketch& sketch, const Measures& the, const Plan& plan, float scale, Form form, bool words) {
    const At at = measured(sketch, the, plan, scale, form, words);
    return at.end + sketch.px(room::padding + 24) <= plan.feed_forward.max.x &&
           at.height + sketch.px(deck_behind + 8) <= plan.feed_forward.height();
}

Form form_at(const Sketch& sketch, const Measures& the, const Plan& plan, float scale) {
    for (bool words : {true, false})
        for (const Form& form : forms_of(the))
            if (fits(sketch, the, plan, scale, form, words)) return form;
    return forms_of(the).back();
}

Measures::Measures(const Sketch& sketch)
    : router(sketch.sides(mixture::router, true)),
      shared_weight(sketch.sides(mixture::shared_weight, true)),
      router_words(sketch.width_of(sketch.shape_text(mixture::router), TextRole::number)),
      up_words(sketch.width_of("W_gate", TextRole::name)),
      down_words(sketch.width_of("W_down", TextRole::name)) {
    const auto measured = [&](const Group& group) {
        return ExpertMeasures{.up = sketch.sides(group.id("up.weight"), true),
                              .down = sketch.sides(group.id("down.weight"), true),
                              .bias = sketch.sides(group.id("up.bias"), true),
                              .gated = sketch.has(group.id("gate.weight"))};
    };
    expert = measured(mixture::expert);
    shared = measured(mixture::shared);
}

}  // namespace headcount::mixture

namespace headcount {

LargestScales mixture_scales(const Sketch& sketch, const Plan& plan) {
    const mixture::Measures the(sketch);
    const std::array<mixture::Form, 4>& forms = mixture::forms_of(the);
    const auto largest = [&](float least, float most, bool words) {
        return largest_fitting(least, most, [&](float scale) {
            return std::any_of(forms.begin(), forms.end(), [&](const mixture::Form& form) {
                return mixture::fits(sketch, the, plan, scale, form, words);
            });
        });
    };
    const float most = largest_scale({one_row(sketch)}), least = most * 1e-8F;
    const float shapes = largest(least, most, false), with_words = largest(least, shapes, true);
    constexpr float enough = 0.6F;  // names are worth smaller matrices, but not tiny ones
    return {shapes, std::max(with_words, enough * shapes)};
}

}  // namespace headcount
