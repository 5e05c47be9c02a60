// Lays the whole model out: the layer's card with its words; the parts are in files of their own.
#include "app/canvas/arrange/layout.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <span>

#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// "9.1": how much larger the layer is drawn than the model.
std::string times(float ratio) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, ratio < 10 ? "%.1f" : "%.0f", static_cast<double>(ratio));
    return buffer;
}

// Of those that are built alike the one that is looked at, or else the first.
std::size_t shown_of(const Sketch& sketch, const LayerLook& look) {
    const std::vector<LayerBlock>& layers = sketch.input().model.graph.layers;
    for (const std::size_t kind : look.kinds)
        if (layers[kind].block == sketch.layer().block) return kind;
    return look.kinds.front();
}

// What the kinds of layers are called, from the fullest wording to the shortest: each by its name, with how many layers
// there are; by its name alone, and that closer; so that only the one that is looked at has its name; by numbers alone.
enum class KindWords { both, names, close_names, one_name, numbers };

std::vector<std::string> kind_words(const Sketch& sketch, std::span<const LayerLook> looks, KindWords wording) {
    const ModelGraph& graph = sketch.input().model.graph;
    std::vector<std::string> words;
    for (const LayerLook& look : looks) {
        std::int64_t layers = 0;
        for (const std::size_t kind : look.kinds)
            layers += sketch.value(graph.blocks[graph.layers[kind].block].repeat, graph.layers[kind].group.count);
        const std::string &name = graph.layers[look.kinds.front()].group.look, number = std::to_string(layers);
        const bool own = graph.layers[shown_of(sketch, look)].block == sketch.layer().block;
        const bool both = wording == KindWords::both || (wording == KindWords::one_name && own);
        words.push_back(both ? name + " (" + number + ")" : wording < KindWords::one_name ? name : number);
    }
    return words;
}

// The kinds of layers, to be chosen from, from `right` to the left but not beyond `left`; returns where they begin.
// Where another stack's layer stands beside this one, that has its own there.
float lay_out_choices(Sketch& sketch, const Plan& plan, float left, float right, float y) {
    const ModelGraph& graph = sketch.input().model.graph;
    if (graph.layers.size() < 2) return right;
    std::vector<LayerLook> looks = looks_of(graph);
    if (plan.beside)
        std::erase_if(looks, [&](const LayerLook& look) {
            return graph.layers[shown_of(sketch, look)].block != sketch.layer().block;
        });
    const float apart = sketch.px(4);
    for (const KindWords wording :
         {KindWords::both, KindWords::names, KindWords::close_names, KindWords::one_name, KindWords::numbers}) {
        const float padding = sketch.px(wording == KindWords::close_names ? 8 : 16);
        const std::vector<std::string> words = kind_words(sketch, looks, wording);
        float wide = 0;
        for (const std::string& word : words) wide += sketch.width_of(word, TextRole::caption) + padding + apart;
        if (right - wide < left) continue;
        for (std::size_t i = words.size(); i-- > 0;) {
            const float width = sketch.width_of(words[i], TextRole::caption) + padding;
            const BlockIndex block = graph.layers[shown_of(sketch, looks[i])].block;
            const bool chosen = plan.looked_at && block == sketch.layer().block;
            sketch.scene.frames.push_back({.id = graph.blocks[block].id,
                                           .rect = {{right - width, y}, {right, y + sketch.px(19)}},
                                           .kind = FrameKind::choice,
                                           .component = Component::norm,
                                           .chosen = chosen});
            sketch.label({right - width / 2, y + sketch.px(2)}, words[i], TextRole::caption,
                         chosen ? Tone::high : Tone::mid, Anchor::centre);
            right -= width + apart;
        }
        return right - sketch.px(8);
    }
    return right;
}

// Of the layers that are built like these: how many there are, and with how many sets of weights that they share.
struct Alike {
    std::int64_t layers = 0, sets = 1;
    bool first = true, of_several = false;  // these are the first kind of them, and there are others
};
Alike alike_of(const ModelGraph& graph, const LayerBlock& shown) {
    for (const LayerLook& look : looks_of(graph)) {
        Alike alike{.layers = look.count, .of_several = look.kinds.size() > 1};
        bool own = false;
        for (const std::size_t kind : look.kinds) {
            const LayerBlock& layer = graph.layers[kind];
            if (layer.group.kind.shared) alike.sets = std::max(alike.sets, layer.group.kind.shared->set + 1);
            own = own || &layer == &shown;
        }
        alike.first = &graph.layers[look.kinds.front()] == &shown;
        if (own) return alike;
    }
    return {};
}

}  // namespace

void lay_out_layer(Sketch& sketch, const Plan& plan) {
    sketch.scene.model_scale = plan.scales.model;
    sketch.scene.layer_scale = plan.scales.layer;
    const LayerBlock& shown = sketch.layer();
    const NumberedGraph& model = sketch.input().model;
    const std::int64_t layers = sketch.value(model.graph.blocks[shown.block].repeat, shown.group.count);
    // The deck is of all layers, but for those of another stack.
    const bool stacked = model.graph.is(model.graph.stack_of(shown.block), BlockKind::stack);
    sketch.frame(main_layer, plan.layer, FrameKind::layer, Component::norm,
                 stacked ? layers : model.bindings[Symbol::layers].value_or(1));

    std::int64_t each = 0;
    for (Component component : components) each += sketch.component_in_layer(component);
    const Result<std::int64_t> all = evaluate(Expr(each) * layers, {});
    const float y = plan.layer.min.y + sketch.px(9);
    float x = plan.inner.min.x + sketch.px(room::padding);
    const std::optional<ValuesShown>& values = sketch.input().values;
    const std::string& block = model.graph.blocks[shown.block].id;
    const std::int64_t number = values ? values->layer_of(block, shown.group.first) : shown.group.first;
    const std::string title = "Layer " + std::to_string(number);
    sketch.title({x, y}, title, main_layer);
    x += sketch.width_of(title, TextRole::title) + sketch.px(10);
    const float right = lay_out_choices(sketch, plan, x, plan.inner.max.x, y - sketch.px(2));
    // That the layer has a scale of its own is said before how many parameters it has.
    std::string scale;
    if (plan.scales.layer > plan.scales.model)
        scale = "drawn " + times(plan.scales.layer / plan.scales.model) + "× larger";
    const float for_scale = scale.empty() ? 0 : sketch.width_of(scale, TextRole::caption) + sketch.px(16);
    const std::string once = grouped(each), times_layers = once + " × " + std::to_string(layers);
    std::vector<std::string> sums{times_layers + (all ? " = " + grouped(*all) : ""), times_layers};
    if (model.graph.tied_layers) sums = {once + ", shared by all layers", once + " for all"};
    if (const std::int64_t shared = model.graph.tied_layers ? 0 : sketch.shared_in_layer(); shared > 0)
        sums = {once + ", of which others share " + grouped(shared), once + ", shared", once};
    float space = right - x;
    for (const std::string& sum : sums) {
        const float width = sketch.width_of(sum, TextRole::number);
        if (width > space - for_scale) continue;
        // Beside the kinds where there are any, else in the card's corner.
        const bool kinds = sketch.input().model.graph.layers.size() > 1;
        sketch.number({right, y + sketch.px(1)}, sum, kinds ? std::string_view() : main_layer, Anchor::right);
        space -= width + sketch.px(16);
        break;
    }
    // From the fullest wording to the shortest: the first that fits.
    const Alike alike = alike_of(model.graph, shown);
    const std::int64_t many = alike.of_several ? alike.layers : layers;
    const std::string count = std::to_string(many), kind = shown.group.look.empty() ? "" : shown.group.look + " ";
    std::vector<std::string> wordings{"the only " + kind + "layer", ""};
    if (many > 1) {
        const bool first = number == shown.group.first && alike.first;
        const std::string which = (first ? "the first of " : "one of ") + count + " " + kind + "layers";
        wordings = {which + (kind.empty() ? " with identical shapes" : ""), "× " + count};
        if (alike.sets > 1)
            wordings.insert(wordings.begin(), which + ", weights " + std::to_string(shown.group.kind.shared->set + 1) +
                                                  " of " + std::to_string(alike.sets));
    }
    if (!scale.empty()) {
        for (std::string& wording : wordings) wording += wording.empty() ? scale : ", " + scale;
        wordings.push_back(scale);
    }
    for (const std::string& wording : wordings) {
        if (wording.empty() || sketch.width_of(wording, TextRole::caption) > space) continue;
        sketch.caption({x, y + sketch.px(1)}, wording, main_layer);
        break;
    }
}

LayoutInput other_side_of(const LayoutInput& input) {
    const Beside beside = input.beside.value_or(Beside{});
    return {.model = input.base,
            .base = input.model,
            .area = input.area,
            .unit = input.unit,
            .text_width = input.text_width,
            .bytes_per_number = input.bytes_per_number,
            .log_sides = input.log_sides,
            .layer = beside.layer,
            .beside = Beside{!beside.second, input.layer}};
}

void add_scene(Scene& scene, Scene other) {
    const auto append = [](auto& to, auto& from) { std::move(from.begin(), from.end(), std::back_inserter(to)); };
    append(scene.doors, other.doors);
    append(scene.frames, other.frames);
    append(scene.wires, other.wires);
    append(scene.slabs, other.slabs);
    append(scene.marks, other.marks);
    append(scene.labels, other.labels);
}

namespace {

// As `input`, with the kind of layers by the block that is drawn for it.
LayoutInput input_of_layer(const LayoutInput& input) {
    LayoutInput own = input;
    const ModelGraph& graph = input.model.graph;
    own.layer = graph.blocks[layer_shown(graph, input.layer).block].id;
    return own;
}

// Below the layer of a stack that others read: what it makes for them, and the end of the last stack.
void lay_out_ends_of_others(Sketch& sketch, Plan plan) {
    lay_out_stack_end(sketch, plan);
    LayoutInput last = sketch.input();
    last.layer = last.model.graph.blocks[last.model.graph.layers.back().block].id;
    plan.ends.min.y += sketch.px(stack_end);
    plan.layer.max.y = plan.ends.min.y + sketch.px(2);
    plan.others_end = true;
    Sketch end(last);
    lay_out_ends(end, plan);
    add_scene(sketch.scene, end.finished());
}

}  // namespace

LayerPencils::LayerPencils(const LayoutInput& input) : of_layer(input_of_layer(input)), own(of_layer) {
    for (const std::string& block : sub_blocks(own))
        if (CardParts parts = card_parts(own, block); !parts.items.empty()) cards.push_back({block, std::move(parts)});
}

bool LayerPencils::has_many() const { return cards.size() > (cross_block(own) ? 3 : 2); }

void lay_out_sub_blocks(LayerPencils& pencils, const Plan& plan) {
    Sketch& sketch = pencils.own;
    for (const auto& [block, parts] : pencils.cards)
        plan.of(block).closed ? lay_out_closed(sketch, plan, block) : lay_out_block_card(sketch, plan, block, parts);
    std::ranges::stable_sort(sketch.scene.doors, {}, [](const Door& door) { return door.rect.min.y; });
}

namespace {

Scene with_closed(const LayoutInput& input) {
    if (std::optional<Scene> stacks = layout_stacks(input)) return std::move(*stacks);
    LayerPencils pencils(input);
    Sketch& sketch = pencils.own;
    const Plan plan = plan_model(pencils, input.area);
    lay_out_layer(sketch, plan);
    lay_out_embedding(sketch, plan);
    lay_out_sub_blocks(pencils, plan);
    made_for_others(sketch) ? lay_out_ends_of_others(sketch, plan) : lay_out_ends(sketch, plan);
    sketch.drop_crowded_labels();
    return sketch.finished();
}

}  // namespace

namespace {

// The sub-blocks that are closed have lines enough for all that they hold, or one each where others need their room.
// `crowded` is the one that has too little all the same. One that is but tight has more where that helps.
std::optional<Scene> uncrowded(LayoutInput input, std::optional<std::string>& crowded) {
    for (const bool low : {false, true}) {
        if (low && input.closed.empty()) break;
        input.low_closed = low;
        Scene scene = with_closed(input);
        crowded = crowded_block(scene, input);
        const std::optional<std::string> tight = crowded ? crowded : tight_block(scene, input);
        if (!tight) return scene;
        for (const float times : {1.4F, 2.0F}) {
            input.roomier = {*tight, times};
            Scene roomier = with_closed(input);
            if (!crowded_block(roomier, input) && (crowded || !tight_block(roomier, input))) return roomier;
        }
        if (!crowded) return scene;
        input.roomier.reset();
    }
    return std::nullopt;
}

}  // namespace

// Where matrices have no room for their names, their sub-block gets more of what the others have; where that is not
// enough, rather a sub-block less, and where that was the last one, any that has room by itself.
Scene layout_model(const LayoutInput& input) {
    LayoutInput own = input;
    std::optional<std::string> crowded;
    for (;;) {
        if (std::optional<Scene> scene = uncrowded(own, crowded)) return std::move(*scene);
        own.closed.push_back(*crowded);
        const auto is_closed = [&](const Door& door) { return std::ranges::count(own.closed, door.block) > 0; };
        if (!std::ranges::all_of(with_closed(own).doors, is_closed)) continue;
        for (std::size_t i = 0; i + 1 < own.closed.size(); ++i) {
            LayoutInput other = own;
            other.closed.erase(other.closed.begin() + static_cast<std::ptrdiff_t>(i));
            if (std::optional<Scene> scene = uncrowded(other, crowded)) return std::move(*scene);
        }
    }
}

}  // namespace headcount
