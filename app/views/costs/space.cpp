// Opens the windows of the Costs view and calls its panels; and what the report for tests has of it.
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/parts/views.hpp"
#include "app/views/costs/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

constexpr float memory_part = 0.45F;   // of what the settings leave
constexpr float least_memory = 220;    // design pixels: where it would be narrower, it stands above the arithmetic
constexpr float memory_above = 0.45F;  // then, of the height

struct CostsLayout {
    Area settings, memory, arithmetic;
};

// To a class there are but the charts.
CostsLayout costs_layout(const Ui& ui, bool alone) {
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, 0, 0, ui.chrome);
    const float top = explore.canvas.min.y, bottom = explore.inspector.max.y, right = explore.top_bar.max.x;
    const float from = alone ? explore.architecture.min.x : explore.canvas.min.x,
                middle = from + std::round((right - from) * memory_part);
    const Area settings{explore.architecture.min, {alone ? from : explore.architecture.max.x, bottom}};
    const float low = std::round(top + (bottom - top) * memory_above);
    if (middle - from < ui.px(least_memory))
        return {settings, {{from, top}, {right, low}}, {{from, low + 1}, {right, bottom}}};
    return {settings, {{from, top}, {middle, bottom}}, {{middle + 1, top}, {right, bottom}}};
}

}  // namespace

// Null where nobody has looked.
void report_costs(const Session& session, Json& report) {
    Json& json = report["costs"] = nullptr;
    const CostsPage& page = session.costs;
    if (!page.shown) return;
    const Costs& costs = *page.shown;
    const Memory& memory = costs.memory;
    json = {{"device", costs.device.id},
            {"training", costs.options.training.has_value()},
            {"phase", word_of(phase_nouns, costs.of.place.phase)},
            {"weights", memory.weights.bytes},
            {"kv_cache", memory.cache.bytes},
            {"kv_cache_per_token", memory.cache_per_token.bytes},
            {"states", memory.states.bytes},
            {"activations", memory.activations.bytes},
            {"gradients", memory.gradients.bytes},
            {"optimizer", memory.optimizer.bytes},
            {"total", memory.total},
            {"on_device", memory.device.total},
            {"flops", costs.run.work.flops.counted()},
            {"flops_causal", costs.run.work.flops.causal},
            {"flops_full", costs.run.work.flops.full},
            {"bytes_moved", costs.run.work.bytes},
            {"wrong", page.wrong ? Json(sentence(*page.wrong)) : Json(nullptr)}};
}

Area draw_costs_space(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const CostsLayout layout = costs_layout(ui, frame.session.view.show.presenting);
    for (const Area& area : {layout.settings, layout.memory})
        if (!area.empty()) line_between(ui, {area.max.x, area.min.y}, {area.max.x + 1, area.max.y});
    const Area& last = layout.arithmetic;
    line_between(ui, {last.min.x, last.min.y - 1}, {last.max.x, last.min.y});
    draw_panel(frame, {"costs_settings", layout.settings, ui.theme.panel, padded},
               [](const Ui& on, const Session& session) {
                   return draw_costs_settings(on, session, session.costs, session.view.costs);
               });
    draw_panel(frame, {"costs_memory", layout.memory, ui.theme.panel, padded},
               [](const Ui& on, const Session& session) {
                   return draw_costs_memory(on, session, session.costs, session.view.costs, session.view.show);
               });
    draw_panel(frame, {"costs_arithmetic", layout.arithmetic, ui.theme.panel, padded},
               [](const Ui& on, const Session& session) {
                   return draw_costs_arithmetic(on, session, session.costs, session.view.show);
               });
    return {layout.memory.min, layout.arithmetic.max};
}

// From one thing that takes memory to the next: it is lit in the bar, and its formula opens.
std::optional<Intent> step_costs(const Session& session, int by) {
    if (!session.costs.shown) return std::nullopt;
    std::vector<std::string> rows;
    for (const HeldRow& row : held_rows(*session.costs.shown, session.derived.shown.graph)) rows.emplace_back(row.key);
    return point_out(session.view, rows, by);
}

extern constexpr ViewKind costs_kind{
    .key = costs_view,
    .name = "Costs",
    .help = "Memory and arithmetic of the model on a device.",
    .draw = draw_costs_space,
    .step = step_costs,
    .report = report_costs,
    .made_for = [](const Session& session) { return made_for(session, session.document); }};

}  // namespace headcount
