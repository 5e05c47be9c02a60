// Lines of runs that can be pointed at; see the header.
#include "app/ui/formula_line.hpp"

#include <cmath>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {
namespace {

struct Line {
    const Ui& ui;
    std::string_view name;
    const Font& font;
    ImU32 colour;
    float height;
};

void draw_run(const Line& line, const TextRun& run, int index, ImVec2 position, float width,
              FormulaLineResult& result) {
    const Ui& ui = line.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float centre = position.y + line.height / 2;
    const ImVec2 min(position.x, position.y), max(position.x + width, position.y + line.height);
    bool lit = run.lit;
    if (run.id >= 0) {
        ui.recorder.record(line.name, std::to_string(run.id), min, max);
        ImGui::PushID(index);
        const Press press = press_area(ui, "run", min, max, size::radius_matrix);
        ImGui::PopID();
        if (press.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (press.hovered || press.focused) result.hovered = run.id;
        if (press.pressed) result.clicked = run.id;
        lit = lit || press.hovered;
    }
    if (lit)
        list.AddRectFilled(ImVec2(min.x - ui.px(3), min.y + ui.px(1)), ImVec2(max.x + ui.px(3), max.y - ui.px(1)),
                           with_alpha(ui.theme.selection, 0.1F), ui.px(size::radius_field));
    const ImU32 ink = run.colour ? run.colour : line.colour;
    const ImVec2 top(position.x, text_top(line.font, centre));
    put_symbol(list, line.font, top, ink, run.text);
    if (run.underline) {
        const float y = std::round(centre + cap_height(line.font) / 2 + ui.px(4));
        list.AddRectFilled(ImVec2(min.x, y), ImVec2(max.x, y + 1), ui.theme.text_mid);
    }
}

// From `start` on, wrapping at `right`; returns the height.
float draw_runs(const Line& line, std::span<const TextRun> runs, ImVec2 start, float right, FormulaLineResult& result) {
    ImVec2 position = start;
    for (int i = 0; i < static_cast<int>(runs.size()); ++i) {
        const TextRun& run = runs[static_cast<std::size_t>(i)];
        const float width = symbol_width(line.font, run.text);
        if (position.x + width > right + 1 && position.x > start.x)
            position = ImVec2(start.x, position.y + line.height);
        draw_run(line, run, i, position, width, result);
        position.x += width;
    }
    return position.y + line.height - start.y;
}

// At the cursor, so many pixels from the left.
FormulaLineResult draw_indented(const Line& line, std::span<const TextRun> runs, float indent) {
    FormulaLineResult result;
    const IdScope scope(line.name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    const float height = draw_runs(line, runs, ImVec2(start.x + indent, start.y), start.x + width, result);
    line.ui.recorder.record(line.name, start, ImVec2(start.x + width, start.y + height));
    place(start, ImVec2(width, height));
    return result;
}

}  // namespace

FormulaLineResult formula_line(const Ui& ui, std::string_view name, std::span<const TextRun> runs, const Font& font,
                               ImU32 colour) {
    return draw_indented({ui, name, font, colour, std::round(font.em * 1.6F)}, runs, 0);
}

FormulaLineResult formula_row(const Ui& ui, std::string_view name, std::string_view caption_text,
                              std::span<const TextRun> runs, const Font& font, ImU32 colour) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float column = ui.px(62), line_height = std::round(ui.px(size::table_row + 0.5F));
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.caption, start, ImVec2(start.x + column, start.y + line_height),
                 ui.theme.text_low, caption_text);
    return draw_indented({ui, name, font, colour, line_height}, runs, column);
}

}  // namespace headcount
