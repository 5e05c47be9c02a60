// Below the canvas: every layer of the model to scale, so that 32 layers look like 32 times one layer.
#include "app/charts/strip.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "app/diagram/view.hpp"
#include "app/parts/words.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// A sentence that takes the place of the strip's caption while the typed numbers are impossible.
std::string stale_sentence(const DiagramOf& diagram) {
    if (diagram.shown.derived.current) return "";
    const Error* error = !diagram.shown.derived.problems.empty() ? &diagram.shown.derived.problems.front().error
                         : !diagram.shown.derived.errors.empty() ? &diagram.shown.derived.errors.front()
                                                                 : nullptr;
    return error ? error->what + ": still showing the last possible model." : "";
}

// How many parameters of each component a layer of each kind has, and shares with others, where the kind is the first
// that reads them; outside of layers all.
using Sizes = std::array<double, components.size()>;
struct StripSizes {
    Sizes outside{};
    std::vector<Sizes> layers, shared;  // as in ModelGraph::layers
};
StripSizes strip_sizes(const Counted& shown) {
    StripSizes sizes;
    sizes.layers.resize(shown.graph.layers.size());
    sizes.shared.resize(shown.graph.layers.size());
    for (const ParameterRow& row : shown.parameters.tensors) {
        const StoredTensor& stored = shown.graph.stored[row.stored];
        const auto index = static_cast<std::size_t>(stored.component);
        const std::optional<std::size_t> sharing = shown.graph.first_sharing(stored);
        Sizes& of = stored.layer ? sizes.layers[*stored.layer] : sharing ? sizes.shared[*sharing] : sizes.outside;
        of[index] += static_cast<double>(row.count) * static_cast<double>(row.in_layer);
    }
    return sizes;
}

// Which kind the layers are of, one run after the other. A pattern of very many is shown kind by kind instead.
struct KindRun {
    std::size_t kind;
    std::int64_t count;
};
std::vector<KindRun> kind_runs(const Counted& shown) {
    constexpr std::int64_t most_layers = 512;
    const auto& layers = shown.graph.layers;
    const std::int64_t count = shown.bindings[Symbol::layers].value_or(1);
    std::vector<KindRun> runs;
    if (layers.size() == 1 || count > most_layers) {
        for (std::size_t i = 0; i < layers.size(); ++i) runs.push_back({i, layers[i].group.count});
        return runs;
    }
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (layers[i].group.kind.encoder) runs.push_back({i, layers[i].group.count});
    const LayerKinds kinds(shown.architecture);
    for (std::int64_t layer = 0; layer < count; ++layer) {
        const LayerKind kind = kinds[layer];
        const auto of = std::ranges::find_if(layers, [&](const LayerBlock& block) { return block.group.kind == kind; });
        const auto index = static_cast<std::size_t>(of - layers.begin());
        if (runs.empty() || runs.back().kind != index)
            runs.push_back({index, 1});
        else
            ++runs.back().count;
    }
    return runs;
}

bool has(const LayerLook& look, std::size_t kind) { return contains(look.kinds, kind); }

// None below the layers of the largest group; what is built otherwise has its own.
int mark_of(const ModelGraph& graph, std::size_t kind) {
    const auto main = static_cast<std::size_t>(&graph.main_layer() - graph.layers.data());
    int mark = 1;
    for (const LayerLook& look : looks_of(graph)) {
        const bool largest = has(look, main);
        if (has(look, kind)) return largest ? 0 : std::min(mark, strip_marks - 1);
        mark += largest ? 0 : 1;
    }
    return 0;
}

// The parts of the strip, and, as large, the kind and the first layer of each that stands for layers.
struct StripParts {
    std::vector<StripPart> parts;
    std::vector<KindRun> kinds;
};

// Tower and connector, embedding, what layers share, each layer's parts, output head. The final norm would be thinner
// than a hair and has no part.
StripParts strip_parts(const Theme& theme, const Counted& shown, std::string_view looked_at) {
    const StripSizes sizes = strip_sizes(shown);
    StripParts strip;
    const auto add = [&](Component component, double size, std::int64_t repeat, int group, bool first, KindRun of) {
        StripPart part{size,
                       component_colour(theme, component),
                       static_cast<int>(component),
                       repeat,
                       group,
                       first ? component_key(component) : std::string_view()};
        if (group >= 0 && shown.graph.layers.size() > 1) {
            part.mark = mark_of(shown.graph, of.kind);
            part.shown = shown.graph.blocks[shown.graph.layers[of.kind].block].id == looked_at;
        }
        strip.parts.push_back(part);
        strip.kinds.push_back(of);
    };
    for (const Component component : {Component::tower, Component::connector})
        if (const double size = sizes.outside[static_cast<std::size_t>(component)]; size > 0)
            add(component, size, 1, -1, true, {});
    add(Component::embedding, sizes.outside[0], 1, -1, true, {});
    int group = 0;
    const auto add_layers = [&](const Sizes& of, const KindRun& run) {
        for (const Component component :
             {Component::attention, Component::recurrence, Component::feed_forward, Component::norm})
            add(component, of[static_cast<std::size_t>(component)], run.count, group, group == 0, run);
        ++group;
    };
    for (std::size_t kind = 0; kind < sizes.shared.size(); ++kind)
        if (sizes.shared[kind] != Sizes{}) add_layers(sizes.shared[kind], {kind, 1});
    for (const KindRun& run : kind_runs(shown))
        if (sizes.shared[run.kind] == Sizes{} || sizes.layers[run.kind] != Sizes{})
            add_layers(sizes.layers[run.kind], run);
    add(Component::output, sizes.outside[static_cast<std::size_t>(Component::output)], 1, -1, true, {});
    return strip;
}

// "22 sliding": what a kind is called beside its mark.
std::string kind_words(const ModelGraph& graph, const LayerLook& look) {
    return grouped(look.count) + " " + graph.layers[look.kinds.front()].group.look;
}

constexpr float sign_width = 13, kinds_gap = 14, before_kinds = 16;  // design pixels

float sign_room(const Ui& ui, const Counted& shown, std::size_t kind) {
    return mark_of(shown.graph, kind) > 0 ? ui.px(sign_width) : 0;
}

// How much room the kinds take with their marks; nothing where all layers are alike.
float kinds_width(const Ui& ui, const Counted& shown) {
    const std::vector<LayerLook> looks = looks_of(shown.graph);
    float width = 0;
    for (std::size_t i = 0; i < looks.size() && looks.size() > 1; ++i)
        width += (i > 0 ? ui.px(kinds_gap) : 0) + sign_room(ui, shown, looks[i].kinds.front()) +
                 text_width(ui.fonts.table, kind_words(shown.graph, looks[i]));
    return width;
}

// "22 sliding, 4 full": the kinds with their marks.
void draw_kinds(const Ui& ui, const Counted& shown, ImVec2 at) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::vector<LayerLook> looks = looks_of(shown.graph);
    for (std::size_t i = 0; i < looks.size(); ++i) {
        const std::size_t kind = looks[i].kinds.front();
        const std::string words = kind_words(shown.graph, looks[i]);
        const float sign = sign_room(ui, shown, kind), width = sign + text_width(ui.fonts.table, words);
        draw_strip_mark(ui, list, mark_of(shown.graph, kind), {at.x + ui.px(4), at.y + ui.px(8)}, ui.px(8),
                        ui.theme.text_mid);
        draw_text(list, ui.fonts.table, {at.x + sign, at.y}, ui.theme.text_mid, words);
        ui.recorder.record("canvas.strip.kind", std::to_string(i), at, {at.x + width, at.y + ui.px(16)});
        at.x += width + ui.px(kinds_gap);
    }
}

// "6 + 6 layers": of each stack, as the data passes them.
std::string layers_text(const ModelGraph& graph) {
    std::vector<std::int64_t> counts;
    std::optional<BlockIndex> stack;
    for (const LayerBlock& layer : graph.layers) {
        if (stack != graph.stack_of(layer.block)) counts.push_back(0);
        stack = graph.stack_of(layer.block);
        counts.back() += layer.group.count;
    }
    std::string text;
    for (const std::int64_t count : counts) text += (text.empty() ? "" : " + ") + grouped(count);
    return text + (counts == std::vector<std::int64_t>{1} ? " layer" : " layers");
}

// Which layers "one layer" is of, where there are several stacks of them.
std::string of_stack(const ModelGraph& graph) {
    const LayerBlock& main = graph.main_layer();
    return graph.is(graph.stack_of(main.block), BlockKind::stack) ? main.group.label + " " : "";
}

}  // namespace

// The marks below the strip mean nothing without the kinds' names: other words give way to them.
StripWords strip_words(const Ui& ui, const Counted& shown, float width) {
    const std::string number = layers_text(shown.graph),
                      each = shown.graph.tied_layers ? "all layers share one set"
                                                     : "one " + of_stack(shown.graph) + "layer is " +
                                                           percent(shown.parameters.per_layer, shown.parameters.total);
    const float room = width - zoom_bar_width(ui) - 2 * ui.px(8), kinds = kinds_width(ui, shown);
    const std::string whole = "The whole model to scale: " + number;
    for (StripWords words :
         {StripWords{whole, each, true}, StripWords{number + " to scale", each, true}, StripWords{number, each, true},
          StripWords{number, "", true}, StripWords{"", "", true}, StripWords{whole, each}, StripWords{whole, ""}}) {
        if (words.kinds && kinds <= 0) continue;
        const float caption = text_width(ui.fonts.table, words.whole), apart = caption > 0 ? ui.px(before_kinds) : 0;
        words.left = caption + (words.kinds ? apart + kinds : 0);
        words.right = text_width(ui.fonts.table, words.each);
        if (words.left + words.right <= room) return words;
    }
    return {};
}

Intents draw_canvas_strip(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas, ImVec2 min, float width) {
    const Counted& shown = diagram.counted();
    const Theme& theme = ui.theme;
    const StripParts parts = strip_parts(theme, shown, canvas.layer);
    const bool kinds = shown.graph.layers.size() > 1;
    Strip chart{.parts = parts.parts, .selected = {}, .lit = {}, .height = 12, .marks = kinds ? 6.0F : 0.0F};
    if (const auto* component = std::get_if<Component>(&diagram.shown.look.hover))
        chart.lit = StripHit{static_cast<int>(*component), -1};

    float left = min.x + ui.px(16);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    std::string stale = stale_sentence(diagram);
    const StripWords words = canvas.ribbon ? StripWords{} : strip_words(ui, shown, width - ui.px(32));
    float right = min.x + width - ui.px(16);
    if (stale.empty() && canvas.ribbon) {
        // In the row of the buttons, which stand aside, so that it covers nothing.
        const float top = std::round(canvas.area.max.y + ui.px(zoom_bar_below));
        draw_edit_ribbon(ui, *canvas.ribbon, {left, top}, right - zoom_bar_width(ui) - ui.px(44),
                         std::round(ui.px(zoom_bar_height)));
    } else if (stale.empty()) {
        const float top = min.y + ui.px(4);
        draw_text(list, ui.fonts.table, {left, top}, theme.text_mid, words.whole);
        draw_text(list, ui.fonts.table, {right - words.right, top}, theme.text_low, words.each);
        const float caption = text_width(ui.fonts.table, words.whole);
        if (words.kinds) draw_kinds(ui, shown, {left + caption + (caption > 0 ? ui.px(before_kinds) : 0), top});
    } else {
        // Over the strip's caption, so that it covers nothing of the diagram that it speaks of.
        ImVec2 card{left, min.y - ui.px(6)}, end{right, min.y + ui.px(20)};
        draw_box(list, card, end, theme.wrong_fill, theme.wrong, ui.px(size::radius_button));
        draw_icon(list, Icon::warning, {card.x + ui.px(16), (card.y + end.y) / 2}, ui.px(14),
                  readable(theme, theme.wrong));
        draw_text(list, ui.fonts.table, {card.x + ui.px(30), text_top(ui.fonts.table, (card.y + end.y) / 2)},
                  theme.text_high, stale, end.x - card.x - ui.px(38));
        ui.recorder.record("canvas", "stale", card, end);
    }
    ImGui::SetCursorScreenPos({left, min.y + ui.px(24)});
    ImGui::PushItemWidth(width - ui.px(32));
    ImGui::BeginChild("strip", {width - ui.px(32), ui.px(18)}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
    StripResult result = strip(ui, "canvas.strip", chart);
    ImGui::EndChild();
    ImGui::PopItemWidth();
    Intents intents;
    if (result.hovered) intents.push_back(Hover{components[static_cast<std::size_t>(result.hovered->id)]});
    if (!result.clicked) return intents;
    intents.push_back(Select{components[static_cast<std::size_t>(result.clicked->id)]});
    // The layers that one clicks on are those that are looked at.
    if (parts.parts[result.part].group >= 0)
        canvas.layer = shown.graph.blocks[shown.graph.layers[parts.kinds[result.part].kind].block].id;
    return intents;
}

}  // namespace headcount
