// The canvas: the whole model to scale, with its header, and the overview strip below.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/charts/strip.hpp"
#include "app/panels/panels.hpp"
#include "app/panels/scene_view.hpp"
#include "app/panels/words.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/swatch.hpp"
#include "app/ui/tooltip.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float header_height = 40, strip_height = 46;

// A round number of rows or columns whose bar is between 30 and 75 design pixels long.
std::int64_t bar_length(float scale, float unit) {
    constexpr double most = 9e18;  // a number of 64 bits, however small the scale is
    double longest = std::min(most, static_cast<double>(75 * unit) / static_cast<double>(scale));
    double decade = std::pow(10.0, std::floor(std::log10(longest)));
    for (double step : {5.0, 2.0, 1.0})
        if (step * decade <= longest) return std::max<std::int64_t>(1, static_cast<std::int64_t>(step * decade));
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(decade));
}

// From right to left: scale bar, what outlined means, what filled means. Returns where free space ends.
float draw_legend(const Ui& ui, ImDrawList& list, const Scene& scene, float right, float centre) {
    const Font& mono = ui.fonts.mono_caption;
    const Font& words = ui.fonts.table;
    std::int64_t length = bar_length(scene.model_scale, ui.scale);
    std::string number = std::to_string(length);
    float x = right - text_width(mono, number);
    draw_text(list, mono, {x, text_top(mono, centre)}, ui.theme.text_mid, number);
    float bar = static_cast<float>(length) * scene.model_scale;
    x -= ui.px(8) + bar;
    list.AddLine({x, centre}, {x + bar, centre}, ui.theme.text_mid, ui.px(1));
    for (float end : {x, x + bar})
        list.AddLine({end, centre - ui.px(4)}, {end, centre + ui.px(4)}, ui.theme.text_mid, ui.px(1));
    ui.recorder.record("canvas", "scale_bar", {x, centre - ui.px(6)}, {right, centre + ui.px(6)});
    auto mark = [&](SwatchLook look, std::string_view word) {
        x -= ui.px(20) + text_width(words, word);
        draw_text(list, words, {x, text_top(words, centre)}, ui.theme.text_mid, word);
        x -= ui.px(16);
        draw_swatch(ui, list, {x, centre}, {look, look == SwatchLook::parameter ? ui.theme.text_mid : 0}, 10);
    };
    mark(SwatchLook::activation, "activations");
    mark(SwatchLook::parameter, "parameters");
    return x - ui.px(16);
}

std::string header_remark(const Session& session, const Scene& scene) {
    std::string text;
    if (!changed_fields(session.document).empty()) text = "dashed = " + session.document.base.name;
    if (scene.thickened) text += (text.empty() ? "" : " · ") + std::string("thin sides drawn at 6 px");
    if (scene.cut) text += (text.empty() ? "" : " · ") + std::string("broken ones are taller than fits");
    return text;
}

void draw_header(const Ui& ui, const Session& session, const Scene& scene, ImVec2 min, float width) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float centre = min.y + ui.px(header_height / 2), left = min.x + ui.px(16);
    float free = draw_legend(ui, list, scene, min.x + width - ui.px(16), centre);
    draw_text(list, ui.fonts.body_bold, {left, text_top(ui.fonts.body_bold, centre)}, ui.theme.text_high, "Model");
    left += text_width(ui.fonts.body_bold, "Model") + ui.px(14);
    std::string remark = header_remark(session, scene);
    draw_text(list, ui.fonts.table, {left, text_top(ui.fonts.table, centre)}, ui.theme.text_low, remark,
              std::max(free - left, 1.0F));
}

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

Intents draw_strip(const Ui& ui, const Session& session, ImVec2 min, float width) {
    const Counted& shown = session.derived.shown;
    const Theme& theme = ui.theme;
    const auto parts = strip_parts(theme, shown);
    Strip chart{.parts = parts, .selected = {}, .lit = {}, .height = 12};
    if (const auto* component = std::get_if<Component>(&session.view.hover))
        chart.lit = StripHit{static_cast<int>(*component), -1};

    float left = min.x + ui.px(16);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    std::string stale = stale_sentence(session);
    auto layers = shown.bindings[Symbol::layers].value_or(1);
    std::string caption = "The whole model to scale: " + grouped(layers) + (layers == 1 ? " layer" : " layers");
    std::string each = "one layer is " + percent(shown.parameters.per_layer, shown.parameters.total);
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

// A slab's id names a tensor; where its operation has no tensor of this name (a norm's label), what it makes.
Subject subject_of(const ModelGraph& graph, std::string_view id) {
    Subject subject = subject_from_key(id);
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    if (tensor && !graph.find(tensor->id)) return {};
    return subject;
}

void draw_slab_tooltip(const Ui& ui, const Session& session, std::string_view id) {
    const Counted& shown = session.derived.shown;
    const Tensor* tensor = shown.graph.find(id);
    if (!tensor) return;
    std::string value = grouped(elements_of(tensor->shape, shown.bindings));
    std::string derivation = shape_in_symbols(tensor->shape) + " = " + shape_in_numbers(tensor->shape, shown.bindings);
    std::string remark = as_sentence(tensor->meaning, shown.bindings);
    if (shown.graph.tied_head && &shown.graph.tensors[*shown.graph.tied_head] == tensor)
        remark += " It is also the output head, and counted once.";
    show_tooltip(ui, {.title = tensor->label, .value = value, .derivation = derivation, .remark = remark});
}

// Left and right step along the matrices in the order of the data flow, while the canvas has the keyboard.
std::optional<Subject> stepped(const Session& session, const Scene& scene) {
    int step = compat::key_pressed(ImGuiKey_RightArrow) ? 1 : compat::key_pressed(ImGuiKey_LeftArrow) ? -1 : 0;
    if (step == 0 || scene.slabs.empty()) return std::nullopt;
    std::vector<std::string_view> ids;
    for (const Slab& slab : scene.slabs)
        if (session.derived.shown.graph.find(slab.id) && std::find(ids.begin(), ids.end(), slab.id) == ids.end())
            ids.push_back(slab.id);
    auto found = std::find(ids.begin(), ids.end(), subject_key(session.view.selection));
    auto count = static_cast<int>(ids.size());
    int index = found == ids.end() ? (step > 0 ? 0 : count - 1)
                                   : (static_cast<int>(found - ids.begin()) + step + count) % count;
    return TensorSubject{std::string(ids[static_cast<std::size_t>(index)])};
}

Intents react(const Ui& ui, const Session& session, const Scene& scene, ImVec2 min, ImVec2 max) {
    Intents intents;
    Press press = press_area(ui, "canvas", min, max, ui.px(size::radius_button));
    if (press.focused)
        if (std::optional<Subject> next = stepped(session, scene)) intents.push_back(Select{*next});
    if (!press.hovered) return intents;
    ImVec2 pointer = ImGui::GetIO().MousePos;
    std::optional<ThingId> thing = pick(scene, {pointer.x, pointer.y});
    Subject subject = thing ? subject_of(session.derived.shown.graph, *thing) : Subject{};
    if (press.pressed) intents.push_back(Select{subject});
    if (nothing(subject)) return intents;
    intents.push_back(Hover{subject});
    draw_slab_tooltip(ui, session, *thing);
    return intents;
}

// A scene and all that it was laid out from. A frame in which only the pointer moves has the last one's.
struct KeptScene {
    Architecture architecture, base;
    Input input;
    Rect area;
    float unit = 0;
    Scene scene;

    bool holds(const Derived& derived, Rect now, float now_unit) const {
        return unit == now_unit && area == now && input == derived.shown.input && base == derived.base.architecture &&
               architecture == derived.shown.architecture;
    }
};

const Scene& scene_of(const Ui& ui, const Derived& derived, Rect area) {
    auto& last = kept<KeptScene>(ui, "canvas.scene");
    if (last.holds(derived, area, ui.scale)) return last.scene;
    const Counted& shown = derived.shown;
    const Counted& base = derived.base;
    LayoutInput input{.model = {shown.graph, shown.bindings},
                      .base = {base.graph, base.bindings},
                      .area = area,
                      .unit = ui.scale,
                      .text_width = [&](std::string_view text, TextRole role) {
                          const Font& font = font_of(ui.fonts, role);
                          return role == TextRole::name ? symbol_width(font, text) : text_width(font, text);
                      }};
    last = {shown.architecture, base.architecture, shown.input, area, ui.scale, layout_model(input)};
    return last.scene;
}

}  // namespace

Intents draw_canvas(const Ui& ui, const Session& session) {
    ImVec2 min = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    Rect area{{min.x + ui.px(16), min.y + ui.px(header_height)},
              {min.x + extent.x - ui.px(16), min.y + extent.y - ui.px(strip_height + 8)}};
    const Scene& scene = scene_of(ui, session.derived, area);
    Intents intents = react(ui, session, scene, {area.min.x, area.min.y}, {area.max.x, area.max.y});
    draw_scene(ui, list, scene, {session.view.selection, session.view.hover, session.derived.shown.graph});
    draw_header(ui, session, scene, min, extent.x);
    Intents from_strip = draw_strip(ui, session, {min.x, min.y + extent.y - ui.px(strip_height)}, extent.x);
    intents.insert(intents.end(), from_strip.begin(), from_strip.end());
    return intents;
}

}  // namespace headcount
