// Opens the windows of the Worksheet view and calls its panels.
#include "app/views/worksheet/space.hpp"

#include "app/parts/heights.hpp"
#include "app/parts/hidden_answers.hpp"
#include "app/state/in_view.hpp"
#include "app/ui/veil.hpp"
#include "app/views/worksheet/layout.hpp"
#include "app/views/worksheet/view.hpp"

namespace headcount {
namespace {

constexpr ImGuiID card_height = 3;
constexpr float card_guess = 76;
const ImVec2 padded(size::panel_padding + 4, size::panel_padding + 4), wide(28, 24);
constexpr float above_flow = 14;

void draw_lines(const Ui& ui, const WorksheetLayout& at) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const auto line = [&](float left, float top, float right, float bottom) {
        list.AddRectFilled(ImVec2(left, top), ImVec2(right, bottom), ui.theme.line);
    };
    line(0, at.header.max.y, at.header.max.x, at.list.min.y);
    line(at.list.max.x, at.list.min.y, at.question.min.x, at.list.max.y);
    line(at.question.max.x, at.list.min.y, at.card.min.x, at.list.max.y);
    if (at.diagram.height() > 0) line(at.card.min.x, at.card.max.y, at.card.max.x, at.diagram.min.y);
    if (at.flow.height() > 0) line(at.flow.min.x, at.flow.min.y - 1, at.flow.max.x, at.flow.min.y);
}

DrawPanel at_desk(Intents (*draw)(const Ui&, const Desk&)) {
    return [draw](const Ui& ui, const Session& session) { return draw(ui, session.desk); };
}

}  // namespace

Area draw_worksheet_space(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const Desk& desk = frame.session.desk;
    const bool diagram = shows_diagram(desk), flow = shows_flow(desk);
    const float card = known_height(ui, card_height, ui.px(card_guess));
    const WorksheetLayout at = worksheet_layout(ImGui::GetIO().DisplaySize, ui.scale, card, diagram, flow);
    draw_lines(ui, at);
    // Here stands what is given, and what was typed.
    const auto own = [&](const PanelPlace& place, const DrawPanel& draw) {
        const VeilLift lift(unfound_key);
        draw_panel(frame, place, draw);
    };
    own({"worksheet_header", at.header, ui.theme.panel, {}, still_panel}, at_desk(draw_worksheet_header));
    own({"worksheet_list", at.list, ui.theme.panel, padded}, at_desk(draw_worksheet_list));
    own({"worksheet_question", at.question, ui.theme.panel, wide}, at_desk(draw_worksheet_question));
    own({"worksheet_card", at.card, ui.theme.canvas, wide, 0, diagram ? card_height : 0},
        [](const Ui& on, const Session& session) {
            return draw_worksheet_card(on, session.desk, model_in_view(session));
        });
    if (diagram)
        draw_panel(frame, {"worksheet_diagram", at.diagram, ui.theme.canvas, {}, still_panel},
                   [&](const Ui& on, const Session& session) {
                       return draw_worksheet_diagram(on, session.desk, session.view, frame.painter);
                   });
    if (flow)
        own({"worksheet_flow", at.flow, ui.theme.canvas, ImVec2(wide.x, above_flow), still_panel},
            at_desk(draw_worksheet_flow));
    return at.question;
}

}  // namespace headcount
