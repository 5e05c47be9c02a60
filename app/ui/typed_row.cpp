// The row that is typed into: a label, a field, and buttons that step where it counts.
#include "app/ui/typed_row.hpp"

#include <cmath>

#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {
namespace {

constexpr float stepper_width = 88, stepper_height = 24;

int draw_step(const Ui& ui, std::string_view name, const char* part, ImVec2 min, float side, int direction,
              bool possible) {
    const ImVec2 max(min.x + side, min.y + side);
    ui.recorder.record(name, part, min, max);
    const Press press = press_area(ui, part, min, max, size::radius_field, possible);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (press.hovered && possible) list.AddRectFilled(min, max, ui.theme.hover, ui.px(size::radius_field));
    draw_icon(list, direction < 0 ? Icon::minus : Icon::plus, ImVec2(min.x + side / 2, min.y + side / 2), ui.px(12),
              possible ? ui.theme.text_mid : ui.theme.strong_line);
    return press.pressed && possible ? direction : 0;
}

void draw_stepper_box(const Ui& ui, ImVec2 min, ImVec2 max, const TypedRow& row, bool wrong) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, row.changed ? ui.theme.hover : ui.theme.field, ui.px(size::radius_button));
    list.AddRect(min, max, wrong ? ui.theme.wrong : ui.theme.line, ui.px(size::radius_button));
}

}  // namespace

float typed_field_width(const Ui& ui, const TypedRow& row) {
    if (row.stepper) return std::round(ui.px(stepper_width));
    const float words = text_width(ui.fonts.body, row.label) + symbol_width(ui.fonts.mono, row.symbol) + ui.px(24);
    return field_width(ui, row.text, available_width() - words - marks_width(ui, row.may_reset, row.effect));
}

TypedRowResult typed_row(const Ui& ui, std::string_view name, const TypedRow& row) {
    TypedRowResult result;
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(size::choice_row)));
    const ImVec2 end = start + extent;
    ui.recorder.record(name, start, end);
    result.hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(start, end);
    if (row.lit) tint_row(ui, start, end, hover_tint(ui.theme));
    const float centre = start.y + extent.y / 2,
                behind = row_label(ui, start.x, centre, row.label, row.symbol) + ui.px(8);
    if (row.changed)
        ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(behind, centre), ui.px(2), ui.theme.text_mid, 12);

    const ImVec2 box(typed_field_width(ui, row), std::round(ui.px(row.stepper ? stepper_height : size::field_height)));
    const ImVec2 min(end.x - box.x, std::round(centre - box.y / 2)), max = min + box;
    const RowMarks marks = row_marks(ui, name, row.may_reset, row.effect, min.x, centre);
    result.reset = marks.reset;
    const float side = row.stepper ? box.y : 0;
    const bool wrong = row.error.has_value();
    if (row.stepper) {
        draw_stepper_box(ui, min, max, row, wrong);
        result.step += draw_step(ui, name, "less", min, side, -1, row.may_step_down);
    }
    const ImVec2 field_min(min.x + side, min.y), field_max(max.x - side, max.y);
    ui.recorder.record(name, "field", field_min, field_max);
    const NumberFieldResult field = number_field(ui, "field", field_min, field_max - field_min,
                                                 {.wrong = wrong,
                                                  .changed = row.changed,
                                                  .lit = row.lit,
                                                  .bare = row.stepper,
                                                  .centred = row.stepper,
                                                  .text = row.text,
                                                  .row = name});
    result.typed = field.typed;
    if (row.stepper) result.step += draw_step(ui, name, "more", ImVec2(max.x - side, min.y), side, 1, true);
    place(start, extent);
    if (ImGui::IsItemHovered() && ImGui::GetIO().MousePos.x < marks.left && !row.tooltip.empty())
        show_tooltip(ui, {row.label, {}, {}, row.tooltip});
    if (row.error) {
        if (message_card(ui, name, row.error->sentence, row.error->fix)) {
            if (!field.rejected.empty()) forget_rejected(ui, "field");
            result.fix = true;
        }
        gap(ui, 8);
    }
    return result;
}

}  // namespace headcount
