// The charts that show where the parameters are; what they share with the legends beside them.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "app/state/intent.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// Always this order, largest first in most models, so that a drag never makes slices change places.
inline constexpr std::array breakdown_order{Component::feed_forward, Component::attention, Component::recurrence,
                                            Component::embedding,    Component::output,    Component::norm,
                                            Component::tower,        Component::connector};
// Whether a model has it: it has parameters, or is the output head that is the embedding.
bool has_component(const Counted& model, Component component);
// Those that the charts and their legend list of a model.
std::vector<Component> listed_components(const Counted& model);

// What a subject singles out in the chart: a component, or one tensor of one.
struct BreakdownFocus {
    std::optional<Component> component = {};
    const Tensor* tensor = nullptr;
};

BreakdownFocus breakdown_focus(const ModelGraph& graph, const Subject& subject);

// The component that is spoken of in the middle of a large chart.
std::optional<Component> focused_part(const ModelGraph& graph, const Subject& subject);

void point_at_part(Intents& intents, const Subject& subject, bool clicked);

// Each fills the room from the cursor on: the donut a square, the others this height at the available width. Pointing
// and clicking become intents.
void draw_breakdown_donut(const Ui& ui, const Shown& model, float diameter, Intents& intents, bool large = false);
void draw_breakdown_treemap(const Ui& ui, const Shown& model, float height, Intents& intents);
void draw_breakdown_bars(const Ui& ui, const Shown& model, float row_height, Intents& intents);

}  // namespace headcount
