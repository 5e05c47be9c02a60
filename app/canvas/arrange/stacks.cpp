// Lays both stacks of a model out beside each other: one embedding on the left, the layer of each with its tokens above
// it, and the way from what the first makes to the layers of the second, which read it.
#include <algorithm>

#include "app/canvas/arrange/place.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

constexpr float bus_below_name = 30, chip_width = 34, chip_height = 17;  // design pixels

LayoutInput looking_at(const LayoutInput& input, const LayerBlock& layer) {
    LayoutInput own = input;
    own.layer = input.model.graph.blocks[layer.block].id;
    return own;
}

class StacksLayout {
  public:
    StacksLayout(StackPencils& pencils, const StackPlans& plans)
        : first_(pencils.first.own), second_(pencils.second.own), pencils_(pencils), plans_(plans) {}

    Scene lay_out() {
        lay_out_layer(first_, plans_.first);
        const Rect table = lay_out_tables(first_, plans_.first, 112);
        lay_out_stream(first_, plans_.first, table, entry_y(first_, plans_.first));
        lay_out_tokens(first_, plans_.first, "Source");
        lay_out_sub_blocks(pencils_.first, plans_.first);
        lay_out_layer(second_, plans_.second);
        lay_out_stream_over(table);
        lay_out_tokens(second_, plans_.second, "Target");
        lay_out_sub_blocks(pencils_.second, plans_.second);
        lay_out_memory();
        lay_out_ends(second_, plans_.second);
        add_scene(first_.scene, second_.finished());
        first_.drop_crowded_labels();
        return first_.finished();
    }

  private:
    // In the row of the layer's title.
    static float entry_y(const Sketch& sketch, const Plan& plan) { return plan.layer.min.y + sketch.px(20); }

    // From the table that both have, or up from the second's own below it.
    std::vector<Point> from_table(const Rect& table, float bus, float until) const {
        const std::vector<std::string> own = other_tables(first_);
        const auto slab =
            std::ranges::find_if(first_.scene.slabs, [&](const Slab& each) { return contains(own, each.id); });
        if (slab == first_.scene.slabs.end()) return {{table.max.x, bus}, {until, bus}};
        const float out = slab->rect.min.y + second_.px(3), left = slab->rect.min.x - second_.px(6);
        return {{slab->rect.min.x, out}, {left, out}, {left, bus}, {until, bus}};
    }

    // From the table over the first stack's deck into the second's layer.
    void lay_out_stream_over(const Rect& table) {
        const Plan& plan = plans_.second;
        const auto px = [&](float design) { return second_.px(design); };
        const std::string stream(first_stream(second_));
        const float bus = plans_.first.embedding.min.y + px(bus_below_name), x = plan.layer.min.x - px(14),
                    y = entry_y(second_, plan);
        const Rect slab = second_.slab(stream, {plans_.first.layer.max.x - px(90), bus}, plan.scales.model, px(10));
        second_.wire(from_table(table, bus, slab.min.x), stream, true, false);
        second_.wire(
            {{slab.max.x, bus}, {x, bus}, {x, y}, {plan.stream_x, y}, {plan.stream_x, plan.layer.max.y + px(8)}},
            stream, true, false);
        second_.number({slab.min.x, slab.min.y - px(17)}, second_.shape_text(stream), stream);
    }

    // Above its layer a stack's tokens, or their first and last, and how many there are.
    void lay_out_tokens(Sketch& sketch, const Plan& plan, std::string_view name) {
        const auto px = [&](float design) { return sketch.px(design); };
        float x = plan.layer.min.x;
        const float y = plans_.first.embedding.min.y + px(2);
        sketch.name({x, y}, name, "tokens");
        x += sketch.width_of(name, TextRole::name) + px(10);
        const std::vector<TokenChip> chips = token_chips(sketch, px(chip_width - 2 * chip_padding));
        float width = px(chip_width);
        for (const TokenChip& chip : chips)
            width = std::max(width, sketch.width_of(chip.name, TextRole::number) + px(2 * chip_padding));
        for (const auto& [position, token] : chips) {
            const Rect chip{{x, y}, {x + width, y + px(chip_height)}};
            sketch.scene.slabs.push_back(
                {.id = "tokens", .rect = chip, .part = Part::residual, .look = SlabLook::hollow, .token = token});
            sketch.number({chip.centre().x, y + px(2)}, position, "tokens", Anchor::centre);
            x = chip.max.x + px(4);
        }
        sketch.number({x + px(6), y + px(2)}, sketch.tokens_text(), "tokens");
    }

    // From the end of the first stack up to where the second one's layer reads it.
    void lay_out_memory() {
        const Plan& plan = plans_.second;
        const auto [end, more] = lay_out_stack_end(first_, plans_.first);
        const std::string& made = made_for_others(first_)->id;
        const float to = memory_y(second_, plan, *cross_block(second_));
        const bool kept = !makes_memory_anew(second_);
        first_.line({end, {plan.memory_x, end.y}, {plan.memory_x, to}}, made);
        first_.scene.wires.back().faint = kept;
        const LayerBlock& layers = second_.layer();
        const std::int64_t count = second_.value(second_.input().model.graph.blocks[layers.block].repeat, 1);
        const std::string words = "for all " + std::to_string(count) + " " + layers.group.label + " layers";
        if (count > 1 && more.x + first_.width_of(words, TextRole::caption) < plan.memory_x - first_.px(10))
            first_.caption(more, words, made);
    }

    Sketch &first_, &second_;
    StackPencils& pencils_;
    const StackPlans& plans_;
};

}  // namespace

std::optional<Scene> layout_stacks(const LayoutInput& input) {
    const ModelGraph& graph = input.model.graph;
    const bool two = graph.layers.size() == 2 &&
                     graph.stack_of(graph.layers.front().block) != graph.stack_of(graph.layers.back().block);
    if (!two || has_band(input)) return std::nullopt;
    StackPencils pencils{LayerPencils(looking_at(input, graph.layers.front())),
                         LayerPencils(looking_at(input, graph.layers.back()))};
    if (!cross_block(pencils.second.own) || !made_for_others(pencils.first.own)) return std::nullopt;
    std::optional<StackPlans> plans = plan_stacks(pencils, input.area);
    if (!plans) return std::nullopt;
    const BlockIndex chosen = layer_shown(graph, input.layer).block;
    plans->first.beside = plans->second.beside = true;
    plans->first.looked_at = graph.layers.front().block == chosen;
    plans->second.looked_at = graph.layers.back().block == chosen;
    return StacksLayout(pencils, *plans).lay_out();
}

}  // namespace headcount
