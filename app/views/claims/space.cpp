// Opens the windows of the Claims view and calls its panels; and what the report for tests has of it.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/diagram/panels.hpp"
#include "app/parts/views.hpp"
#include "app/views/claims/panels.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

constexpr float claim_padding = 24;
constexpr float claim_part = 0.44F, most_claim = 860;  // of what the list leaves; design pixels
constexpr float least_claim = 240;                     // with less, the diagram gives way to its words

struct ClaimsLayout {
    Area list, claim, canvas;
};

// To a class there is but the claim, beside what it is of.
ClaimsLayout claims_layout(const Ui& ui, bool alone) {
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, 0, 0, ui.chrome);
    const float top = explore.canvas.min.y, bottom = explore.inspector.max.y, right = explore.top_bar.max.x;
    const float from = alone ? explore.architecture.min.x : explore.canvas.min.x;
    const float claim = std::round(std::min((right - from) * claim_part, ui.px(most_claim)));
    const Area list{explore.architecture.min, {alone ? from : explore.architecture.max.x, bottom}};
    if (claim < ui.px(least_claim)) return {list, {{from, top}, {right, bottom}}, {}};
    return {list, {{from, top}, {from + claim, bottom}}, {{from + claim + 1, top}, {right, bottom}}};
}

}  // namespace

// Null outside of the Claims view.
void report_claims(const Session& session, Json& report) {
    Json& json = report["claim"] = nullptr;
    const FoundClaim found = find_claim(session.claims, session.view.claim);
    if (session.view.workspace != claims_view || !found) return;
    const std::optional<std::size_t> step = session.view.claim.step;
    json = {{"file", found.group->key},
            {"id", found.claim->id},
            {"verdict", verdict_key(found.checked->verdict)},
            {"recorded", verdict_key(found.claim->recorded)},
            {"computed", found.checked->computed.text},
            {"step", step ? Json(*step) : Json(nullptr)}};
}

Area draw_claims_space(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const ClaimsLayout layout = claims_layout(ui, frame.session.view.show.presenting);
    for (const Area& area : {layout.list, layout.claim})
        if (!area.empty()) line_between(ui, {area.max.x, area.min.y}, {area.max.x + 1, area.max.y});
    const ImVec2 wide(claim_padding, claim_padding);
    draw_panel(
        frame, {"claims", layout.list, ui.theme.panel, padded, still_panel},
        [](const Ui& on, const Session& session) { return draw_claims_list(on, session.claims, session.view.claim); });
    draw_panel(frame, {"claim", layout.claim, ui.theme.panel, wide}, [](const Ui& on, const Session& session) {
        return draw_claim(on, session.claims, session.view.claim, session.view.show.presenting);
    });
    if (layout.canvas.empty()) return layout.claim;
    if (!frame.session.claims.model) return layout.canvas;
    draw_panel(frame, {"canvas", layout.canvas, ui.theme.canvas, {}, still_panel},
               [&](const Ui& on, const Session& session) {
                   return draw_canvas(on, DiagramOf(*session.claims.model, session.view), frame.painter);
               });
    return layout.canvas;
}

// From step to step of the claim that is chosen.
std::optional<Intent> step_claim(const Session& session, int by) {
    const FoundClaim found = find_claim(session.claims, session.view.claim);
    if (!found) return std::nullopt;
    const auto next = session.view.claim.step ? static_cast<std::int64_t>(*session.view.claim.step) + by
                                              : static_cast<std::int64_t>(by > 0 ? 0 : -1);
    if (next < 0 || next >= std::ssize(found.checked->steps)) return std::nullopt;
    return AtClaims{ChooseStep{static_cast<std::size_t>(next)}};
}

extern constexpr ViewKind claims_kind{.key = claims_view,
                                      .name = "Claims",
                                      .help = "Published statements, checked.",
                                      .draw = draw_claims_space,
                                      .step = step_claim,
                                      .report = report_claims};

}  // namespace headcount
