// The breakdown: a donut of components and tensors, and its legend with exact counts.
#include <algorithm>
#include <cmath>

#include "app/charts/donut.hpp"
#include "app/panels/panels.hpp"
#include "app/panels/show.hpp"
#include "app/panels/words.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Always this order, largest first in most models, so that a drag never makes slices change places.
constexpr std::array order{Component::feed_forward, Component::attention, Component::embedding, Component::output,
                           Component::norm};

// A narrow panel takes from the chart, so that the legend's words stay whole.
constexpr float widest_chart = 146, smallest_chart = 108, legend_width = 158, column_gap = 18;

float chart_width(const Ui& ui) {
    const float left = available_width() / ui.scale - column_gap - legend_width;
    return std::clamp(left, smallest_chart, widest_chart);
}

struct Slices {
    std::array<DonutSlice, order.size()> components;
    std::vector<DonutSlice> tensors;  // ids are indices of the graph's tensors
};

Slices slices_of(const Theme& theme, const Counted& shown) {
    Slices slices;
    slices.tensors.reserve(shown.graph.stored.size() + 4);
    const auto total = static_cast<double>(std::max<std::int64_t>(1, shown.parameters.total));
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Component component = order[i];
        slices.components[i] = {static_cast<double>(shown.parameters.of(component)) / total,
                                component_colour(theme, component), static_cast<int>(component), -1,
                                component_key(component)};
        for (const Tensor& tensor : shown.graph.tensors) {
            if (tensor.role != Role::parameter || tensor.component != component) continue;
            const TensorCount count = count_of(shown.graph, tensor, shown.bindings);
            slices.tensors.push_back({static_cast<double>(count.all) / total, part_colour(theme, tensor.part),
                                      index_of(shown.graph, tensor), static_cast<int>(i), tensor.id});
        }
    }
    return slices;
}

// What a subject singles out in the chart: a component, or one tensor of one.
struct Focus {
    std::optional<Component> component;
    const Tensor* tensor = nullptr;
};

Focus focus_of(const ModelGraph& graph, const Subject& subject) {
    Focus focus;
    if (const auto* component = std::get_if<Component>(&subject)) focus.component = *component;
    const Tensor* tensor = tensor_of(graph, subject);
    if (tensor && tensor->role == Role::parameter) focus.tensor = tensor;
    return focus;
}

// The component that is spoken of in the middle of a large chart.
std::optional<Component> focused_part(const ModelGraph& graph, const Subject& subject) {
    if (const auto* component = std::get_if<Component>(&subject)) return *component;
    const Tensor* const tensor = tensor_of(graph, subject);
    return tensor && tensor->role != Role::input ? std::optional(tensor->component) : std::nullopt;
}

void point_at(Intents& intents, const Subject& subject, bool clicked) {
    intents.push_back(Hover{subject});
    if (clicked) intents.push_back(Select{subject});
}

// Left of the panel, over the empty canvas, so that the legend stays readable.
ImVec2 tooltip_end(const Ui& ui) {
    return {ImGui::GetWindowPos().x - ui.px(12), ImGui::GetIO().MousePos.y};
}

void show_slice(const Ui& ui, const Counted& shown, const DonutResult& result) {
    const std::int64_t total = shown.parameters.total;
    if (result.hovered_tensor) {
        const Tensor& tensor = shown.graph.tensors[static_cast<std::size_t>(*result.hovered_tensor)];
        const std::int64_t one = elements_of(tensor.shape, shown.bindings);
        const std::int64_t copies = value_of(shown.graph.copies(tensor.block), shown.bindings);
        const std::string count = grouped(one * copies);
        const std::string derivation =
            copies == 1 ? percent(one * copies, total)
                        : std::to_string(copies) + " × " + grouped(one) + " = " + percent(one * copies, total);
        show_tooltip(ui, {tensor.label, count, derivation, {}, tooltip_end(ui)});
    } else if (result.hovered_component) {
        const auto component = static_cast<Component>(*result.hovered_component);
        const std::string count = grouped(shown.parameters.of(component));
        const std::string share = percent(shown.parameters.of(component), total);
        show_tooltip(ui, {component_name(component), count, share, {}, tooltip_end(ui)});
    }
}

void draw_chart(const Ui& ui, const Session& session, float diameter, Intents& intents, bool large = false) {
    const Counted& shown = session.derived.shown;
    const Slices slices = slices_of(ui.theme, shown);
    const Focus selected = focus_of(shown.graph, session.view.selection);
    const Focus hovered = focus_of(shown.graph, session.view.hover);
    const std::string total = short_count(shown.parameters.total);

    Donut chart;
    chart.components = slices.components;
    chart.tensors = slices.tensors;
    if (selected.component) chart.focused_component = static_cast<int>(*selected.component);
    if (selected.tensor) chart.selected_tensor = index_of(shown.graph, *selected.tensor);
    if (hovered.component) chart.lit_component = static_cast<int>(*hovered.component);
    if (hovered.tensor) chart.lit_tensor = index_of(shown.graph, *hovered.tensor);
    chart.value = total;
    if (diameter > 120) chart.unit = "parameters";  // the title says it, too
    std::string share, part;
    if (const auto focus = large ? focused_part(shown.graph, session.view.selection) : std::nullopt) {
        chart.focused_component = static_cast<int>(*focus);
        share = percent(shown.parameters.of(*focus), shown.parameters.total);
        part = component_name(*focus);
        chart.value = share;
        chart.unit = part;
    }
    chart.diameter = diameter;
    const DonutResult result = donut(ui, "breakdown", chart);

    if (result.hovered_component)
        point_at(intents, static_cast<Component>(*result.hovered_component), result.clicked_component.has_value());
    if (result.hovered_tensor) {
        const Tensor& tensor = shown.graph.tensors[static_cast<std::size_t>(*result.hovered_tensor)];
        point_at(intents, TensorSubject{tensor.id}, result.clicked_tensor.has_value());
    }
    show_slice(ui, shown, result);
}

void draw_legend(const Ui& ui, const Session& session, Intents& intents) {
    const Counted& shown = session.derived.shown;
    const Focus selected = focus_of(shown.graph, session.view.selection);
    for (const Component component : order) {
        const std::int64_t count = shown.parameters.of(component);
        const bool tied = component == Component::output && shown.graph.tied_head && count == 0;
        const std::string share = percent(count, shown.parameters.total);
        const std::string exact = tied ? "is the embedding" : grouped(count);
        std::array<char, 48> name{};
        const std::string_view key = component_key(component);
        std::snprintf(name.data(), name.size(), "breakdown.legend.%.*s", static_cast<int>(key.size()), key.data());
        LegendRow row{component_name(component), share, exact, component_colour(ui.theme, component)};
        row.selected = selected.component == component;
        row.lit = lights(session.view.hover, shown.graph, component);
        row.faded = (selected.component && !row.selected) || count == 0;
        const LegendResult result = legend_row(ui, name.data(), row);
        if (result.hovered) point_at(intents, component, false);
        if (result.clicked) intents.push_back(Select{component});
    }
}

}  // namespace

Intents draw_breakdown(const Ui& ui, const Session& session) {
    Intents intents;
    section_title(ui, "Where the parameters are", active_text(session.derived.shown.parameters));
    gap(ui, 4);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = chart_width(ui);
    const float height = std::round(ui.px(size::legend_row)) * static_cast<float>(order.size());
    ImGui::SetCursorScreenPos(ImVec2(start.x, start.y + std::round((height - ui.px(width)) / 2)));
    draw_chart(ui, session, width, intents);
    // A group keeps the legend's rows at the chart's right.
    ImGui::SetCursorScreenPos(ImVec2(start.x + ui.px(width + column_gap), start.y));
    ImGui::BeginGroup();
    draw_legend(ui, session, intents);
    ImGui::EndGroup();
    return intents;
}

namespace {

constexpr float large_row = 26, large_gap = 14, largest_chart = 236, least_large_chart = 96;

// Of the column of shares: "0.0006 %" is wider than most. And whether names and counts fit beside it in every row.
struct LargeRows {
    float shares = 0;
    bool with_counts = true;
};
LargeRows large_rows(const Ui& ui, const Parameters& parameters, float width) {
    LargeRows rows;
    for (const Component component : order)
        rows.shares =
            std::max(rows.shares, text_width(ui.fonts.mono_body, percent(parameters.of(component), parameters.total)));
    for (const Component component : order) {
        const float name = text_width(ui.fonts.body_bold, component_name(component));
        const float count = text_width(ui.fonts.mono, grouped(parameters.of(component)));
        rows.with_counts = rows.with_counts && ui.px(20 + 4 + 8) + name + count + rows.shares <= width;
    }
    return rows;
}

// "Feed-forward   4,328,521,728   64.2 %" on one line.
void draw_large_row(const Ui& ui, const Session& session, Component component, const LargeRows& rows,
                    Intents& intents) {
    const Counted& shown = session.derived.shown;
    const std::int64_t count = shown.parameters.of(component);
    const std::string share = percent(count, shown.parameters.total), exact = grouped(count);
    const std::string_view key = component_key(component);
    const IdScope scope(key);
    const ImVec2 start = ImGui::GetCursorScreenPos(), extent(available_width(), std::round(ui.px(large_row)));
    const ImVec2 end = start + extent;
    ui.recorder.record("breakdown.row", key, start, end);
    const Press press = press_area(ui, "row", start, end, size::radius_button);
    if (press.hovered) intents.push_back(Hover{component});
    if (press.pressed) intents.push_back(Select{component});
    const bool selected = focused_part(shown.graph, session.view.selection) == component;
    const bool lit = lights(session.view.hover, shown.graph, component);
    if (selected || lit) tint_row(ui, start, end, selected ? selected_tint(ui.theme) : hover_tint(ui.theme));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_swatch(ui, list, ImVec2(start.x, start.y + extent.y / 2),
                {SwatchLook::parameter, component_colour(ui.theme, component)});
    const Font& words = selected ? ui.fonts.body_bold : ui.fonts.body;
    const ImVec2 left(start.x + ui.px(20), start.y);
    draw_text_in(list, words, left, end, ui.theme.text_high, component_name(component));
    draw_text_in(list, ui.fonts.mono_body, start, end, ui.theme.text_high, share, Align::right);
    if (rows.with_counts)
        draw_text_in(list, ui.fonts.mono, start, ImVec2(end.x - rows.shares - ui.px(8), end.y), ui.theme.text_mid,
                     exact, Align::right);
    place(start, extent);
}

}  // namespace

Intents draw_large_breakdown(const Ui& ui, const Session& session) {
    Intents intents;
    const float bottom = ImGui::GetCursorScreenPos().y + ImGui::GetContentRegionAvail().y;
    const float rows = std::round(ui.px(large_row)) * static_cast<float>(order.size());
    text_line(ui, ui.fonts.title, ui.theme.text_high, "Where the parameters are");
    gap(ui, large_gap);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width() / ui.scale, room = (bottom - start.y - rows) / ui.scale - 2 * large_gap;
    const float diameter = std::min({width - 8, room, largest_chart});
    if (diameter >= least_large_chart) {
        const float spare = std::max(room - diameter - 8, 0.0F) / 2;  // what is left over goes above and below
        ImGui::SetCursorScreenPos(ImVec2(start.x + std::round(ui.px((width - diameter - 8) / 2)),
                                         start.y + std::round(ui.px(std::min(spare, 24.0F)))));
        draw_chart(ui, session, diameter, intents, true);
        ImGui::SetCursorScreenPos(ImVec2(start.x, ImGui::GetCursorScreenPos().y));
        gap(ui, large_gap + std::min(spare, 24.0F));
    }
    const LargeRows shape = large_rows(ui, session.derived.shown.parameters, available_width());
    for (const Component component : order) draw_large_row(ui, session, component, shape, intents);
    return intents;
}

}  // namespace headcount
