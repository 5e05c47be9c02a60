// Opens the windows of the Claims view and calls its panels.
#include "app/views/claims/space.hpp"

#include <algorithm>
#include <cmath>

#include "app/diagram/panels.hpp"
#include "app/views/claims/panels.hpp"

namespace headcount {
namespace {

constexpr float claim_padding = 24;
constexpr float claim_part = 0.44F, most_claim = 860;  // of what the list leaves; design pixels
constexpr float least_claim = 240;                     // with less, the diagram gives way to its words

struct ClaimsLayout {
    Area list, claim, canvas;
};

ClaimsLayout claims_layout(const Ui& ui) {
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, 0);
    const float top = explore.canvas.min.y, bottom = explore.inspector.max.y, right = explore.top_bar.max.x;
    const float from = explore.canvas.min.x;
    const float claim = std::round(std::min((right - from) * claim_part, ui.px(most_claim)));
    const Area list{explore.architecture.min, {explore.architecture.max.x, bottom}};
    if (claim < ui.px(least_claim)) return {list, {{from, top}, {right, bottom}}, {}};
    return {list, {{from, top}, {from + claim, bottom}}, {{from + claim + 1, top}, {right, bottom}}};
}

}  // namespace

Area draw_claims_space(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const ClaimsLayout layout = claims_layout(ui);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (const Area& area : {layout.list, layout.claim})
        list.AddRectFilled(ImVec2(area.max.x, area.min.y), ImVec2(area.max.x + 1, area.max.y), ui.theme.line);
    const ImVec2 padded(size::panel_padding, size::panel_padding), wide(claim_padding, claim_padding);
    draw_panel(
        frame, {"claims", layout.list, ui.theme.panel, padded, still_panel},
        [](const Ui& on, const Session& session) { return draw_claims_list(on, session.claims, session.view.claim); });
    draw_panel(frame, {"claim", layout.claim, ui.theme.panel, wide},
               [](const Ui& on, const Session& session) { return draw_claim(on, session.claims, session.view.claim); });
    if (layout.canvas.empty()) return layout.claim;
    if (!frame.session.claims.model) return layout.canvas;
    draw_panel(frame, {"canvas", layout.canvas, ui.theme.canvas, {}, still_panel},
               [&](const Ui& on, const Session& session) {
                   return draw_canvas(on, DiagramOf(*session.claims.model, session.view), frame.painter);
               });
    return layout.canvas;
}

}  // namespace headcount
