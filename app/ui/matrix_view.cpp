// A matrix to scale with its dimension lines; see the header.
#include "app/ui/matrix_view.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {
namespace {

constexpr float line_offset = 8, tick = 3;
constexpr float name_line = 18, rest_line = 14, beside_name = 6, after_caption = 10;

// A dimension line with ticks at its ends and its text: left of the matrix, or below it.
void draw_rows_line(const Ui& ui, ImDrawList& list, const MatrixGeometry& at, const MatrixFigure& view, ImU32 colour) {
    const float x = std::round(at.min.x - ui.px(line_offset)) + 0.5F, half = ui.px(tick);
    list.AddLine(ImVec2(x, at.min.y), ImVec2(x, at.max.y), colour, 1);
    for (const float y : {at.min.y, at.max.y - 1})
        list.AddLine(ImVec2(x - half, y + 0.5F), ImVec2(x + half, y + 0.5F), colour, 1);
    const float centre = (at.min.y + at.max.y) / 2;
    draw_text_in(list, ui.fonts.mono, ImVec2(x - ui.px(120), centre - 8), ImVec2(x - ui.px(8), centre + 8),
                 view.rows_lit && view.rows_colour ? view.rows_colour : ui.theme.text_high, std::to_string(view.rows),
                 Align::right, true);
}

void draw_columns_line(const Ui& ui, ImDrawList& list, const MatrixGeometry& at, const MatrixFigure& view,
                       ImU32 colour) {
    const float y = std::round(at.max.y + ui.px(line_offset)) - 0.5F, half = ui.px(tick);
    list.AddLine(ImVec2(at.min.x, y), ImVec2(at.max.x, y), colour, 1);
    for (const float x : {at.min.x, at.max.x - 1})
        list.AddLine(ImVec2(x + 0.5F, y - half), ImVec2(x + 0.5F, y + half), colour, 1);
    const std::string text = std::to_string(view.columns);
    const float centre = (at.min.x + at.max.x) / 2, width = symbol_width(ui.fonts.mono, text);
    draw_text_in(list, ui.fonts.mono, ImVec2(std::round(centre - width / 2), y + ui.px(2)),
                 ImVec2(centre + width, y + ui.px(20)),
                 view.columns_lit && view.columns_colour ? view.columns_colour : ui.theme.text_high, text, Align::left,
                 true);
}

bool label_inside(const Ui& ui, const MatrixGeometry& at, const MatrixFigure& view) {
    const float width = symbol_width(ui.fonts.body_bold, view.label);
    return at.max.x - at.min.x > width + ui.px(16) && at.max.y - at.min.y > ui.px(24);
}

void draw_label(const Ui& ui, ImDrawList& list, const MatrixGeometry& at, const MatrixFigure& view) {
    const Font& font = ui.fonts.body_bold;
    if (label_inside(ui, at, view)) {
        const ImU32 ink = view.swatch.look == SwatchLook::parameter ? text_on(view.swatch.colour) : ui.theme.text_high;
        draw_symbol(list, font, ImVec2(at.min.x + ui.px(10), at.min.y + ui.px(6)), ink, view.label);
        return;
    }
    const float right = std::max(at.max.x, at.preset_max.x) + ui.px(10);
    draw_symbol(list, font, ImVec2(right, text_top(font, at.min.y + ui.px(8))), ui.theme.text_high, view.label);
}

void draw_preset(const Ui& ui, ImDrawList& list, const MatrixGeometry& at, const MatrixFigure& view) {
    if (at.preset_max.x <= at.preset_min.x) return;
    draw_dashed_rect(list, at.preset_min, at.preset_max, ui.theme.text_low, ui.px(4), 1);
    // Between the matrix and its outline, on several lines where it must; nowhere else.
    const Font& font = ui.fonts.mono_caption;
    const float room = at.preset_max.x - at.max.x - 2 * ui.px(6);
    const ImVec2 words = wrapped_extent(font, view.preset_text, room);
    if (room < ui.px(36) || words.x > room + 1 || words.y > at.preset_max.y - at.preset_min.y) return;
    const float y = std::round((at.preset_min.y + at.preset_max.y - words.y) / 2);
    draw_wrapped(list, font, ImVec2(std::round(at.max.x + ui.px(6) + (room - words.x) / 2), y), ui.theme.text_low,
                 view.preset_text, room);
}

// A dimension line's reach, so that it can be pointed at.
bool press_line(const Ui& ui, std::string_view name, const char* part, ImVec2 min, ImVec2 max, bool& clicked) {
    ui.recorder.record(name, part, min, max);
    const Press press = press_area(ui, part, min, max, size::radius_matrix);
    clicked = press.pressed;
    return press.hovered;
}

}  // namespace

MatrixGeometry fit_matrix(const MatrixFigure& view, ImVec2 box_min, ImVec2 box_max, float smallest) {
    const auto rows = static_cast<double>(view.rows), columns = static_cast<double>(view.columns),
               preset_rows = static_cast<double>(view.preset_rows.value_or(view.rows)),
               preset_columns = static_cast<double>(view.preset_columns.value_or(view.columns));
    const double scale =
        std::min((static_cast<double>(box_max.x) - static_cast<double>(box_min.x)) / std::max(columns, preset_columns),
                 (static_cast<double>(box_max.y) - static_cast<double>(box_min.y)) / std::max(rows, preset_rows));
    MatrixGeometry at;
    const auto side = [&](double extent) {
        const auto drawn = static_cast<float>(extent * scale);
        at.thickened = at.thickened || drawn < smallest;
        return std::round(std::max(smallest, drawn));
    };
    const ImVec2 corner(std::round(box_min.x), std::round(box_min.y));
    at.min = at.preset_min = at.preset_max = corner;
    at.max = ImVec2(corner.x + side(columns), corner.y + side(rows));
    if (preset_rows != rows || preset_columns != columns)
        at.preset_max = ImVec2(corner.x + side(preset_columns), corner.y + side(preset_rows));
    return at;
}

ImVec2 matrix_caption_extent(const Ui& ui, const MatrixCaption& caption) {
    const float name = symbol_width(ui.fonts.body_bold, caption.name);
    const float rest = text_width(ui.fonts.mono_caption, caption.rest);
    const float wide = caption.below ? std::max(name, rest) : name + ui.px(beside_name) + rest;
    return ImVec2(wide + ui.px(after_caption), ui.px(caption.below ? name_line + rest_line : name_line));
}

void draw_matrix_caption(const Ui& ui, ImVec2 min, const MatrixCaption& caption) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float name = draw_symbol(list, ui.fonts.body_bold, min, ui.theme.text_high, caption.name);
    const ImVec2 rest = caption.below ? ImVec2(0, ui.px(name_line)) : ImVec2(name + ui.px(beside_name), ui.px(2));
    draw_text(list, ui.fonts.mono_caption, min + rest, ui.theme.text_mid, caption.rest);
}

MatrixResult matrix_view(const Ui& ui, std::string_view name, const MatrixFigure& view) {
    MatrixResult result;
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(view.height)));
    const float left = std::max(ui.px(46), symbol_width(ui.fonts.mono, std::to_string(view.rows)) + ui.px(18));
    const float below = ui.px(line_offset + 20);
    const ImVec2 box(start.x + left, start.y);
    const ImVec2 box_end(std::max(box.x + 1, start.x + extent.x - ui.px(16)),
                         std::max(box.y + 1, start.y + extent.y - below));
    MatrixGeometry at = fit_matrix(view, box, box_end, ui.px(size::smallest_matrix));
    if (!label_inside(ui, at, view)) {  // beside it, where there is room for it
        const float right = std::max(box.x + 1, box_end.x - symbol_width(ui.fonts.body_bold, view.label));
        at = fit_matrix(view, box, ImVec2(right, box_end.y), ui.px(size::smallest_matrix));
    }
    ui.recorder.record(name, at.min, at.max);
    result.thickened = at.thickened;

    result.rows_hovered =
        press_line(ui, name, "rows", ImVec2(start.x, at.min.y), ImVec2(at.min.x - 1, at.max.y), result.rows_clicked);
    result.columns_hovered = press_line(ui, name, "columns", ImVec2(at.min.x, at.max.y + 1),
                                        ImVec2(at.max.x, at.max.y + below), result.columns_clicked);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_preset(ui, list, at, view);
    draw_matrix(ui, list, at.min, at.max, view.swatch, ui.px(size::tab));
    const auto line_colour = [&](bool lit, ImU32 colour) {
        if (!lit) return ui.theme.edge;
        return colour ? colour : ui.theme.text_high;
    };
    draw_rows_line(ui, list, at, view, line_colour(view.rows_lit || result.rows_hovered, view.rows_colour));
    draw_columns_line(ui, list, at, view, line_colour(view.columns_lit || result.columns_hovered, view.columns_colour));
    draw_label(ui, list, at, view);
    result.hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at.min, at.max);
    place(start, ImVec2(extent.x, std::max(1.0F, at.max.y - start.y + below)));
    return result;
}

}  // namespace headcount
