// Heading, link and lines of the Costs view; see the header.
#include "app/views/costs/parts.hpp"

#include <cmath>

#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/notice_card.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {

void draw_costs_title(const Ui& ui, const CostsPage& page, std::string_view title, const std::string& remark) {
    section_title(ui, title, remark);
    gap(ui, 6);
    if (!page.wrong) return;
    const std::string words = page.shown ? "What is asked for is not possible: still showing what was, of " +
                                               page.shown->of.architecture.name + "."
                                         : sentence_of(*page.wrong);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    paragraph(ui, ui.fonts.table, readable(ui.theme, ui.theme.wrong), words);
    ui.recorder.record("costs.not_possible", start, ImVec2(start.x + available_width(), ImGui::GetCursorScreenPos().y));
    gap(ui, 6);
}

void explore_link(const Ui& ui, const Shown& model, std::string_view name, const std::string& words,
                  std::string_view tensor, Intents& intents) {
    if (chip_button(ui, name, words)) show_in_explore(model, tensor, intents);
}

bool draw_costs_line(const Ui& ui, const CostsLine& line, float column, bool heading) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(size::table_row)));
    const ImVec2 end = start + extent;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool hovered = !heading && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(start, end);
    if (hovered) tint_row(ui, start, end, hover_tint(ui.theme));
    const float width = std::round(ui.px(column));
    float right = end.x;
    for (std::size_t i = line.cells.size(); i-- > 0; right -= width) {
        const bool chosen = line.chosen == static_cast<int>(i);
        const ImU32 ink = chosen ? ui.theme.text_high : heading ? ui.theme.text_low : ui.theme.text_mid;
        const Font& font = heading ? ui.fonts.caption : chosen ? ui.fonts.mono_medium : ui.fonts.mono;
        draw_text_in(list, font, ImVec2(right - width, start.y), ImVec2(right, end.y), ink, line.cells[i],
                     Align::right);
    }
    draw_text_in(list, heading ? ui.fonts.caption : ui.fonts.table, start, ImVec2(right, end.y),
                 heading ? ui.theme.text_low : ui.theme.text_high, line.label);
    place(start, extent);
    return hovered;
}

}  // namespace headcount
