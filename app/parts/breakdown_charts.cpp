// The donut, the treemap and the bars of the breakdown.
#include "app/parts/breakdown_charts.hpp"

#include "app/charts/bars.hpp"
#include "app/charts/donut.hpp"
#include "app/charts/treemap.hpp"
#include "app/parts/chart_menu.hpp"
#include "app/parts/words.hpp"
#include "app/ui/tooltip.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::string_view chart_title = "Where the parameters are";

struct Slices {
    std::vector<DonutSlice> components;  // ids are components
    std::vector<DonutSlice> tensors;     // ids are indices of the graph's tensors
};

Slices slices_of(const Theme& theme, const Counted& shown) {
    Slices slices;
    slices.tensors.reserve(shown.graph.stored.size() + 4);
    const auto total = static_cast<double>(std::max<std::int64_t>(1, shown.parameters.total));
    for (const Component component : listed_components(shown)) {
        const int place = static_cast<int>(slices.components.size());
        slices.components.push_back({static_cast<double>(shown.parameters.of(component)) / total,
                                     component_colour(theme, component), static_cast<int>(component), -1,
                                     component_key(component)});
        for (const Tensor& tensor : shown.graph.tensors) {
            if (tensor.role != Role::parameter || tensor.component != component) continue;
            const TensorCount count = count_of(shown.graph, tensor, shown.bindings);
            slices.tensors.push_back({static_cast<double>(count.all) / total, part_colour(theme, tensor.part),
                                      index_of(shown.graph, tensor), place, tensor.id});
        }
    }
    return slices;
}

// What is said of a tensor: how many, and how that comes about.
ChartNote note_of(const Counted& shown, const Tensor& tensor) {
    const std::int64_t one = elements_of(tensor.shape, shown.bindings);
    const std::int64_t copies = value_of(shown.graph.copies(tensor.block), shown.bindings);
    const std::string share = percent(one * copies, shown.parameters.total);
    return {grouped(one * copies),
            std::string(tensor.label),
            copies == 1 ? share : std::to_string(copies) + " × " + grouped(one) + " = " + share,
            {},
            {tensor.id}};
}

ChartNote note_of(const Counted& shown, Component component) {
    const std::int64_t count = shown.parameters.of(component);
    return {grouped(count),
            std::string(component_name(component)),
            percent(count, shown.parameters.total),
            {},
            {subject_key(component)}};
}

void show_slice(const Ui& ui, const Counted& shown, const DonutResult& result) {
    ChartNote note;
    if (result.hovered_tensor)
        note = note_of(shown, shown.graph.tensors[static_cast<std::size_t>(*result.hovered_tensor)]);
    else if (result.hovered_component)
        note = note_of(shown, static_cast<Component>(*result.hovered_component));
    else
        return;
    const About about(note.about);
    // Left of the panel, over the empty canvas, so that the legend stays readable.
    const ImVec2 end(ImGui::GetWindowPos().x - ui.px(12), ImGui::GetIO().MousePos.y);
    show_tooltip(ui, {note.title, note.value, note.derivation, {}, end});
}

}  // namespace

bool has_component(const Counted& model, Component component) {
    return model.parameters.of(component) != 0 || (component == Component::output && model.graph.tied_head);
}

std::vector<Component> listed_components(const Counted& model) {
    std::vector<Component> listed(breakdown_order.begin(), breakdown_order.end());
    std::erase_if(listed, [&](Component component) { return !has_component(model, component); });
    return listed;
}

void point_at_part(Intents& intents, const Subject& subject, bool clicked) {
    intents.push_back(Hover{subject});
    if (clicked) intents.push_back(Select{subject});
}

BreakdownFocus breakdown_focus(const ModelGraph& graph, const Subject& subject) {
    BreakdownFocus focus;
    if (const auto* component = std::get_if<Component>(&subject)) focus.component = *component;
    const Tensor* tensor = tensor_of(graph, subject);
    if (tensor && tensor->role == Role::parameter) focus.tensor = tensor;
    return focus;
}

std::optional<Component> focused_part(const ModelGraph& graph, const Subject& subject) {
    const BreakdownFocus focus = breakdown_focus(graph, subject);
    // An activation has no share of the parameters.
    return focus.tensor ? std::optional(focus.tensor->component) : focus.component;
}

void draw_breakdown_donut(const Ui& ui, const Shown& model, float diameter, Intents& intents, bool large) {
    const Counted& shown = model.derived.shown;
    const Slices slices = slices_of(ui.theme, shown);
    const BreakdownFocus selected = breakdown_focus(shown.graph, model.look.selection);
    const BreakdownFocus hovered = breakdown_focus(shown.graph, model.look.hover);
    const std::string total = short_total_text(model.derived);

    Donut chart;
    chart.components = slices.components;
    chart.tensors = slices.tensors;
    if (selected.component) chart.focused_component = static_cast<int>(*selected.component);
    if (selected.tensor) chart.selected_tensor = index_of(shown.graph, *selected.tensor);
    if (hovered.component) chart.lit_component = static_cast<int>(*hovered.component);
    if (hovered.tensor) chart.lit_tensor = index_of(shown.graph, *hovered.tensor);
    chart.value = total;
    if (diameter > 120) chart.unit = "parameters";  // the title says it, too
    std::string share, part, about(total_key);
    if (const auto focus = large ? focused_part(shown.graph, model.look.selection) : std::nullopt) {
        chart.focused_component = static_cast<int>(*focus);
        share = percent(shown.parameters.of(*focus), shown.parameters.total);
        part = component_name(*focus);
        chart.value = share;
        chart.unit = part;
        about = subject_key(*focus);
    }
    chart.about = about;
    chart.diameter = diameter;
    chart.title = chart_title;
    const DonutResult result = donut(ui, "breakdown", chart);

    if (result.hovered_component)
        point_at_part(intents, static_cast<Component>(*result.hovered_component), result.clicked_component.has_value());
    if (result.hovered_tensor) {
        const Tensor& tensor = shown.graph.tensors[static_cast<std::size_t>(*result.hovered_tensor)];
        point_at_part(intents, TensorSubject{tensor.id}, result.clicked_tensor.has_value());
    }
    show_slice(ui, shown, result);
    add_chart_intents(intents, {{}, {}, result.asked});
}

void draw_breakdown_treemap(const Ui& ui, const Shown& model, float height, Intents& intents) {
    const Counted& shown = model.derived.shown;
    const BreakdownFocus selected = breakdown_focus(shown.graph, model.look.selection);
    std::vector<Tile> tiles;
    std::vector<const Tensor*> tensors;
    for (std::size_t i = 0; i < breakdown_order.size(); ++i)
        for (const Tensor& tensor : shown.graph.tensors) {
            if (tensor.role != Role::parameter || tensor.component != breakdown_order[i]) continue;
            Tile& tile = tiles.emplace_back();
            const TensorCount count = count_of(shown.graph, tensor, shown.bindings);
            tile.value = static_cast<double>(count.all);
            tile.colour = part_colour(ui.theme, tensor.part);
            tile.group = static_cast<int>(i);
            tile.label = tensor.label;
            tile.symbol = tensor.symbol;
            tile.text = grouped(count.all);
            tile.note = note_of(shown, tensor);
            tile.name = tensor.id;
            tile.selected = selected.tensor == &tensor || selected.component == tensor.component;
            tile.faded = selected.component && *selected.component != tensor.component;
            tile.lit = lights(model.look.hover, tensor);
            tensors.push_back(&tensor);
        }
    Treemap chart;
    chart.title = chart_title;
    chart.tiles = tiles;
    chart.height = height;
    const ChartResult result = treemap(ui, "breakdown.treemap", chart);
    if (result.hovered)
        point_at_part(intents, TensorSubject{tensors[static_cast<std::size_t>(*result.hovered)]->id},
                      result.clicked.has_value());
    add_chart_intents(intents, result);
}

void draw_breakdown_bars(const Ui& ui, const Shown& model, float row_height, Intents& intents) {
    const Counted& shown = model.derived.shown;
    const BreakdownFocus selected = breakdown_focus(shown.graph, model.look.selection);
    const std::vector<Component> listed = listed_components(shown);
    std::vector<Bar> bars;
    for (const Component component : listed) {
        Bar& bar = bars.emplace_back();
        const std::int64_t count = shown.parameters.of(component);
        bar.label = component_name(component);
        bar.value = static_cast<double>(count);
        bar.text = grouped(count);
        bar.colour = component_colour(ui.theme, component);
        bar.note = note_of(shown, component);
        bar.name = component_key(component);
        bar.selected = selected.component == component;
        bar.lit = lights(model.look.hover, shown.graph, component);
        bar.faded = (selected.component && !bar.selected) || count == 0;
    }
    BarChart chart;
    chart.title = chart_title;
    chart.bars = bars;
    chart.row_height = row_height;
    chart.value_title = "parameters";
    const ChartResult result = bar_chart(ui, "breakdown.bars", chart);
    if (result.hovered)
        point_at_part(intents, listed[static_cast<std::size_t>(*result.hovered)], result.clicked.has_value());
    add_chart_intents(intents, result);
}

}  // namespace headcount
