// What was found already, as the model computes it: boxes that fill in as answers are right.
#include <algorithm>
#include <cmath>

#include "app/parts/words.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/views/worksheet/view.hpp"

namespace headcount {
namespace {

struct Grid {
    ImVec2 start;
    float box_width, box_height, gap_x, step_y;

    ImVec2 min_of(const FlowBox& box) const {
        return {std::round(start.x + static_cast<float>(box.column) * (box_width + gap_x)),
                std::round(start.y + box.row * step_y)};
    }
};

Grid grid_of(const Ui& ui, const Flow& flow, ImVec2 start, ImVec2 room) {
    Grid grid{};
    grid.start = start;
    const auto columns = static_cast<float>(flow.columns), rows = static_cast<float>(flow.rows);
    grid.gap_x = std::min(ui.px(44), room.x / columns * 0.16F);
    grid.box_width = std::min(ui.px(132), (room.x - grid.gap_x * (columns - 1)) / columns);
    grid.gap_x = columns > 1 ? std::min(ui.px(90), (room.x - grid.box_width * columns) / (columns - 1)) : 0;
    grid.box_height = std::round(std::min(ui.px(46), room.y / rows - ui.px(6)));
    grid.step_y = rows > 1 ? std::min(ui.px(60), (room.y - grid.box_height) / (rows - 1)) : 0;
    return grid;
}

void draw_link(const Ui& ui, const Grid& grid, const FlowBox& from, const FlowBox& to, bool lit) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 ink = lit ? ui.theme.lit_edge : ui.theme.edge;
    const ImVec2 a = grid.min_of(from) + ImVec2(grid.box_width, grid.box_height / 2);
    const ImVec2 b = grid.min_of(to) + ImVec2(0, grid.box_height / 2);
    const float turn = std::round(b.x - grid.gap_x / 2), tip = b.x - ui.px(6);
    list.PathLineTo(a);
    if (a.y != b.y) {
        list.PathLineTo(ImVec2(turn, a.y));
        list.PathLineTo(ImVec2(turn, b.y));
    }
    list.PathLineTo(ImVec2(tip, b.y));
    list.PathStroke(ink, 0, ui.px(size::edge));
    list.AddTriangleFilled(ImVec2(tip, b.y - ui.px(3.5F)), b, ImVec2(tip, b.y + ui.px(3.5F)), ink);
}

void draw_flow_box(SheetView& view, const Grid& grid, const FlowBox& box, bool in_sight) {
    const Ui& ui = view.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Blank& blank = view.question.blanks[box.blank];
    const ImVec2 min = grid.min_of(box), max = min + ImVec2(grid.box_width, grid.box_height);
    const AnsweredBlank& answered = view.of(blank);
    const bool right = answered.right();
    const bool begun = right || in_sight || std::ranges::any_of(answered.fields, [](const SheetField& field) {
                           return field.mark == Mark::right;
                       });
    list.AddRectFilled(min, max, ui.theme.panel, ui.px(size::radius_matrix));
    if (begun)
        list.AddRect(min, max, right ? ui.theme.text_mid : ui.theme.strong_line, ui.px(size::radius_matrix));
    else
        draw_dashed_rect(list, min, max, ui.theme.strong_line, ui.px(4), 1);
    const Swatch swatch = swatch_of(ui.theme, *box.tensor);
    list.AddRectFilled(min, ImVec2(min.x + ui.px(size::tab + 1), max.y), swatch.colour);
    if (in_sight)
        list.AddRect(min - ImVec2(ui.px(4), ui.px(4)), max + ImVec2(ui.px(4), ui.px(4)), ui.theme.selection,
                     ui.px(size::radius_field), 0, ui.px(size::ring));
    const float x = min.x + ui.px(grid.box_width < ui.px(90) ? 7.0F : 13.0F), half = grid.box_height / 2;
    const std::string_view symbol = box.tensor->symbol.empty() ? std::string_view(box.label) : box.tensor->symbol;
    const float first = text_top(ui.fonts.body_bold, min.y + half - grid.box_height * 0.2F);
    draw_symbol(list, ui.fonts.body_bold, ImVec2(x, first), begun ? ui.theme.text_high : ui.theme.text_low, symbol);
    std::string shape = known_shape(view, *box.tensor);
    const float room = max.x - x - 1;
    // A cross that is close to its sides is read better than half a number.
    if (text_width(ui.fonts.mono_caption, shape) > room) std::erase(shape, ' ');
    const Font& font = text_width(ui.fonts.mono, shape) > room ? ui.fonts.mono_caption : ui.fonts.mono;
    draw_text(list, font, ImVec2(x, text_top(font, min.y + half + grid.box_height * 0.22F)),
              right ? ui.theme.text_high : ui.theme.text_mid, shape, room);
    if (right)
        draw_icon(list, Icon::check, ImVec2(max.x - ui.px(13), min.y + half - grid.box_height * 0.2F), ui.px(13),
                  ui.theme.right);
    const std::string name = "worksheet.flow." + blank.id;
    ui.recorder.record(name, min, max);
    const IdScope scope(name);
    if (!press_area(ui, "box", min, max, size::radius_matrix, false).pressed) return;
    view.memory.blank = blank.id;
    if (shows_diagram(view.desk)) view.intents.push_back(Select{TensorSubject{box.tensor->id}});
}

}  // namespace

Intents draw_worksheet_flow(const Ui& ui, const Desk& desk) {
    const SheetQuestion* const question = desk.question();
    if (!question) return {};
    SheetView view{ui, desk, *question, sheet_memory(ui), {}};
    const Flow& flow = desk.flow();
    if (flow.boxes.empty()) return {};
    section_title(ui, "So far", "fills in as you answer");
    gap(ui, 10);
    const ImVec2 start = ImGui::GetCursorScreenPos(), inset(ui.px(5), ui.px(5));
    const Grid grid = grid_of(ui, flow, start + inset, ImGui::GetContentRegionAvail() - inset - inset);
    const Blank& blank = blank_in_sight(view);
    for (const auto& [from, to] : flow.links)
        draw_link(ui, grid, flow.boxes[from], flow.boxes[to],
                  view.of(question->blanks[flow.boxes[from].blank]).right());
    for (const FlowBox& box : flow.boxes) draw_flow_box(view, grid, box, &question->blanks[box.blank] == &blank);
    return std::move(view.intents);
}

}  // namespace headcount
