// Opens a panel's window, fills it and closes it.
#include "app/parts/panel_frame.hpp"

#include <cmath>
#include <iterator>

#include "app/charts/chart.hpp"
#include "app/parts/panel_cache.hpp"
#include "app/state/session.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/imgui_drawing.hpp"
#include "app/ui/layout.hpp"
#include "core/analysis/made_for.hpp"
#include "core/files/documents.hpp"

namespace headcount {
namespace {

constexpr ImGuiWindowFlags window_flags =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavFocus;

}  // namespace

void append(Intents& all, Intents more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

namespace {

// What the charts and tables of this view are of, where they are of models with an input.
std::string made_for(const Session& session) {
    const View& view = session.view;
    const auto of = [&](const Document& document, std::span<const ValueRange> varied = {}) {
        return made_for(title_of(document), document.architecture, document.input,
                        pass_options(session.costs, view.costs, document.architecture), varied);
    };
    if (view.workspace == explore_view || view.workspace == costs_view) return of(session.document);
    if (view.workspace == compare_view)
        return of(session.document) + (session.comparison.other ? "; " + of(session.comparison.other->document) : "");
    if (view.workspace != what_if_view || view.what_if.tab == WhatIfTab::shelf) return "";
    const bool sweeps = view.what_if.tab == WhatIfTab::sweep && session.what_if.sweep;
    return of(session.document, sweeps ? session.what_if.sweep->ranges : std::vector<ValueRange>());
}

}  // namespace

void draw_panel(const PanelFrame& frame, const PanelPlace& place, const DrawPanel& draw) {
    const Ui& ui = frame.ui;
    if (place.area.empty()) return;
    if (frame.cache && frame.cache->keep(ui, place.name, place.area)) return;
    PanelCache::Watch watch(frame.cache, ui, place.name, place.area);
    const ImVec2 padding(std::round(ui.px(place.padding.x)), std::round(ui.px(place.padding.y)));
    ImGui::SetNextWindowPos(place.area.min);
    ImGui::SetNextWindowSize(place.area.max - place.area.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, place.fill);
    ImGui::Begin(place.name, nullptr, window_flags | place.flags);
    // At once, so that what opens inside does not inherit them.
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    watch.window_is_open();
    compat::refine_edges(*ImGui::GetWindowDrawList(), ImGui::GetIO().DisplayFramebufferScale.x);
    ui.recorder.record("panel", place.name, place.area.min, place.area.max);
    // A scrollbar stands in the padding, so that nothing moves when one comes.
    const float bar = compat::scrollbar_width();
    compat::narrow_content(-bar);
    ImGui::PushClipRect(place.area.min, ImVec2(place.area.max.x - bar, place.area.max.y), bar == 0);
    figures_are_of(ui) = [&session = frame.session] { return made_for(session); };
    append(frame.intents, draw(ui, frame.session));
    figures_are_of(ui) = nullptr;
    ImGui::PopClipRect();
    if (place.height_id) remember_height(ui, place.height_id, ImGui::GetCursorPosY() + padding.y);
    ImGui::End();
}

}  // namespace headcount
