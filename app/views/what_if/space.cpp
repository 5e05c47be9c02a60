// Opens the windows of the What-if view and calls its panels.
#include <cmath>

#include "app/parts/views.hpp"
#include "app/views/what_if/panels.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

struct WhatIfLayout {
    Area tabs, settings, chart;
};

// To a class there is but the chart.
WhatIfLayout layout_of(const Ui& ui, bool alone) {
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, 0, 0, ui.chrome);
    const ImVec2 min = explore.architecture.min;
    const float bottom = explore.inspector.max.y, right = explore.top_bar.max.x;
    if (alone) return {.tabs = {}, .settings = {}, .chart = {min, {right, bottom}}};
    const float top = min.y + std::round(ui.px(size::tab_bar)), from = explore.canvas.min.x;
    return {{min, {right, top}},
            {{min.x, top + 1}, {explore.architecture.max.x, bottom}},
            {{from, top + 1}, {right, bottom}}};
}

}  // namespace

Intents draw_what_if_panel(const Ui& ui, const Session& session) {
    const WhatIfPlace& place = session.view.what_if;
    const WhatIfPage& page = session.what_if;
    switch (place.tab) {
        case WhatIfTab::sweep: return draw_sweep(ui, session, page, session.view.costs, session.view.show);
        case WhatIfTab::sensitivity: return draw_sensitivity(ui, session, page, session.view.show);
        case WhatIfTab::solve: return draw_solve(ui, session, place.solve, page);
        case WhatIfTab::front: return draw_front(ui, session, place.solve, page);
        case WhatIfTab::shelf:
            return draw_shelf(ui, session, place.shelf, session.presets, session.view.show,
                              pass_options(session.costs, session.view.costs, session.document.architecture).device);
    }
    return {};
}

Intents draw_what_if_settings_panel(const Ui& ui, const Session& session) {
    return draw_what_if_settings(ui,
                                 {session, session.view.what_if, session.what_if, session.costs, session.view.costs});
}

Area draw_what_if_space(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const WhatIfLayout layout = layout_of(ui, frame.session.view.show.presenting);
    const WhatIfTab tab = frame.session.view.what_if.tab;
    const Area &tabs = layout.tabs, &settings = layout.settings;
    if (!tabs.empty()) line_between(ui, {tabs.min.x, tabs.max.y}, {tabs.max.x, tabs.max.y + 1});
    draw_panel(frame, {"what_if_tabs", tabs, ui.theme.panel, ImVec2(size::panel_padding, 0), still_panel},
               [tab](const Ui& on, const Session&) { return draw_what_if_tabs(on, tab); });
    if (!settings.empty()) line_between(ui, {settings.max.x, settings.min.y}, {settings.max.x + 1, settings.max.y});
    draw_panel(frame, {"what_if_settings", settings, ui.theme.panel, padded}, draw_what_if_settings_panel);
    draw_panel(frame, {"what_if", layout.chart, ui.theme.panel, padded}, draw_what_if_panel);
    return layout.chart;
}

// From point to point of a sweep, from the model as it is on, from bar to bar of a sensitivity, or from the model on
// the shelf to its siblings.
std::optional<Intent> step_what_if(const Session& session, int by) {
    const WhatIfPage& page = session.what_if;
    const WhatIfTab tab = session.view.what_if.tab;
    std::vector<std::string> keys;
    std::size_t first = 0;
    if (tab == WhatIfTab::sweep && page.sweep) {
        keys = sweep_keys(*page.sweep);
        first = own_key(session, *page.sweep, keys);
    }
    if (tab == WhatIfTab::sensitivity && page.sensitivity) keys = sensitivity_keys(*page.sensitivity);
    if (tab == WhatIfTab::shelf && session.view.what_if.shelf.form == ShelfForm::chart)
        keys = shelf_keys(session.document, session.presets);
    return point_out(session.view, keys, by, first);
}

namespace {

// The shelf's models have inputs of their own, and in common how they are stored and where they run.
std::string what_if_made_for(const Session& session) {
    const Document& document = session.document;
    const WhatIfTab tab = session.view.what_if.tab;
    if (tab == WhatIfTab::shelf) {
        const PassOptions pass = pass_options(session.costs, session.view.costs, document.architecture);
        return formats_title(document.input.precision) + (pass.device ? ", on " + printable(pass.device->name) : "");
    }
    const bool sweeps = tab == WhatIfTab::sweep && session.what_if.sweep;
    return made_for(session, document, sweeps ? session.what_if.sweep->ranges : std::vector<ValueRange>());
}

}  // namespace

extern constexpr ViewKind what_if_kind{
    .key = what_if_view,
    .name = "What-if",
    .help = "Sweeps, which field matters, a model of a wanted size, and all presets on one chart.",
    .draw = draw_what_if_space,
    .step = step_what_if,
    .made_for = what_if_made_for};

}  // namespace headcount
