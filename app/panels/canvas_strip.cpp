// Below the canvas: every layer of the model to scale, so that 32 layers look like 32 times one layer.
#include <array>

#include "app/charts/strip.hpp"
#include "app/panels/canvas_view.hpp"
#include "app/panels/words.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// A sentence that takes the place of the strip's caption while the typed numbers are impossible.
std::string stale_sentence(const Session& session) {
    if (session.derived.current) return "";
    const Error* error = !session.derived.problems.empty() ? &session.derived.problems.front().error
                         : !session.derived.errors.empty() ? &session.derived.errors.front()
                                                           : nullptr;
    return error ? error->what + ": still showing the last possible model." : "";
}

// Embedding, each layer's parts, output head. The final norm would be thinner than a hair and has no part.
std::array<StripPart, components.size()> strip_parts(const Theme& theme, const Counted& shown) {
    std::array<double, components.size()> sizes{};
    for (const ParameterRow& row : shown.parameters.tensors) {
        const StoredTensor& stored = shown.graph.stored[row.stored];
        bool inside = in_layer(shown.graph, shown.graph.tensors[stored.parts.front()].block);
        if (stored.component != Component::norm || inside)
            sizes[static_cast<std::size_t>(stored.component)] += static_cast<double>(row.count);
    }
    auto layers = shown.bindings[Symbol::layers].value_or(1);
    auto part = [&](Component component, std::int64_t repeat, int group) {
        auto index = static_cast<std::size_t>(component);
        return StripPart{sizes[index],
                         component_colour(theme, component),
                         static_cast<int>(index),
                         repeat,
                         group,
                         component_key(component)};
    };
    return {part(Component::embedding, 1, -1), part(Component::attention, layers, 0),
            part(Component::feed_forward, layers, 0), part(Component::norm, layers, 0), part(Component::output, 1, -1)};
}

}  // namespace

StripWords strip_words(const Ui& ui, const Counted& shown, float width) {
    const std::int64_t layers = shown.bindings[Symbol::layers].value_or(1);
    StripWords words{"The whole model to scale: " + grouped(layers) + (layers == 1 ? " layer" : " layers"),
                     "one layer is " + percent(shown.parameters.per_layer, shown.parameters.total)};
    const float room = width - zoom_bar_width(ui) - 2 * ui.px(8);
    const float whole = text_width(ui.fonts.table, words.whole);
    if (whole + text_width(ui.fonts.table, words.each) > room) words.each.clear();
    if (whole > room) words.whole.clear();
    return words;
}

Intents draw_canvas_strip(const Ui& ui, const Session& session, ImVec2 min, float width) {
    const Counted& shown = session.derived.shown;
    const Theme& theme = ui.theme;
    const auto parts = strip_parts(theme, shown);
    Strip chart{.parts = parts, .selected = {}, .lit = {}, .height = 12};
    if (const auto* component = std::get_if<Component>(&session.view.hover))
        chart.lit = StripHit{static_cast<int>(*component), -1};

    float left = min.x + ui.px(16);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    std::string stale = stale_sentence(session);
    const auto [caption, each] = strip_words(ui, shown, width - ui.px(32));
    float right = min.x + width - ui.px(16);
    if (stale.empty()) {
        draw_text(list, ui.fonts.table, {left, min.y + ui.px(4)}, theme.text_mid, caption);
        draw_text(list, ui.fonts.table, {right - text_width(ui.fonts.table, each), min.y + ui.px(4)}, theme.text_low,
                  each);
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
    if (result.clicked) intents.push_back(Select{components[static_cast<std::size_t>(result.clicked->id)]});
    return intents;
}

}  // namespace headcount
