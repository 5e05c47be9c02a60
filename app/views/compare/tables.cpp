// The tables below the diagrams: what differs, tensor by tensor, activation by activation, byte by byte.
#include <algorithm>
#include <cmath>

#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/made_for.hpp"
#include "app/ui/recorder.hpp"
#include "app/ui/tabs.hpp"
#include "app/views/compare/panels.hpp"

namespace headcount {
namespace {

// The table of a tab.
struct TabTable {
    CompareTable table;
    std::vector<std::string> tabs;
};

void copy_table(const Ui& ui, const CompareTable& table, Intents& intents) {
    intents.push_back(Copy{compare_csv(table, made_for_here(ui)), "the table (CSV)"});
}

void draw_tabs(const Ui& ui, const TabTable& shown, CompareTab tab, Intents& intents) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, padding = ui.px(size::panel_padding);
    const float height = std::round(ui.px(size::tab_bar));
    ImGui::SetCursorScreenPos(ImVec2(start.x + padding, start.y));
    const std::vector<std::string_view> words(shown.tabs.begin(), shown.tabs.end());
    const std::optional<int> chosen = tab_bar(ui, "compare.tab", words, static_cast<int>(tab));
    const float left = ImGui::GetItemRectMax().x;
    record_keys(ui.recorder, "compare.tab", "compare.tab", compare_tab_keys);
    if (chosen) intents.push_back(AtCompare{ShowCompareTab{static_cast<CompareTab>(*chosen)}});
    const float side = ui.px(size::small_button), right = start.x + width - padding + ui.px(4);
    const ImVec2 mark(right - side, start.y + std::round((height - side) / 2));
    ImGui::SetCursorScreenPos(mark);
    IconButtonOptions options;
    options.side = size::small_button;
    if (icon_button(ui, "compare.copy", Icon::copy, "Copy the table as CSV", options))
        copy_table(ui, shown.table, intents);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float room = mark.x - left - ui.px(24);
    if (text_width(ui.fonts.caption, shown.table.remark) <= room)
        draw_text_in(list, ui.fonts.caption, start, ImVec2(mark.x - ui.px(8), start.y + height), ui.theme.text_low,
                     shown.table.remark, Align::right);
    list.AddRectFilled(ImVec2(start.x, start.y + height), ImVec2(start.x + width, start.y + height + 1), ui.theme.line);
    place(start, ImVec2(width, height + 1));
}

void fill_row(const Ui& ui, const BothSides& both, const CompareTable& table, const CompareRow& line, TableRow& row) {
    row.name = line.name;
    row.about = row.keep(subject_key(line.subject));
    row.swatch = line.swatch;
    row.indent = line.inner ? 19 : 0;
    row.strong = row.group = line.strong;
    const std::size_t cells = std::min<std::size_t>(line.cells.size(), most_columns);
    for (std::size_t i = 0; i < cells; ++i) {
        // The table outlives the frame; a count is written for this row alone.
        const auto* const text = std::get_if<std::string>(&line.cells[i]);
        row.cells[i].text = text ? std::string_view(*text) : row.keep(for_people(line.cells[i]));
        if (line.low) row.cells[i].colour = ui.theme.text_low;
    }
    const std::size_t a = table.sides.value_or(0), b = a + 2;
    const bool shapes = table.sides && !line.strong && row.cells[a].text != "none" && row.cells[b].text != "none";
    if (shapes) row.cells[a + 1] = {.text = "→", .colour = ui.theme.text_low};
    // Cut into pieces, a number would not be found that is hidden from a class.
    if (shapes && !line.low) {
        row.cells[a].beside = row.cells[b].text;
        row.cells[b].beside = row.cells[a].text;
    }
    if (line.change != 0 && !line.strong) {
        row.cells[table.bar].bar = static_cast<float>(static_cast<double>(line.change) /
                                                      static_cast<double>(std::max<std::int64_t>(1, table.most)));
        row.cells[table.bar].colour = line.colour;
    }
    const Look& look = both.own.look;
    row.selected = !nothing(line.subject) && alike(look.selection, line.subject);
    row.lit = lights(both, look.hover, line.subject);
}

// A right press copies what is under the pointer.
void copy_cell(const Ui& ui, const CompareTable& table, const CompareRow& line, float left, float width,
               Intents& intents) {
    const float padding = ui.px(size::panel_padding);
    const auto edges = column_edges(table.columns, width - padding - ImGui::GetStyle().ScrollbarSize, ui.scale);
    const float x = ImGui::GetIO().MousePos.x - left - padding;
    std::size_t column = 0;
    while (column + 1 < table.columns.size() && x >= edges[column + 1]) ++column;
    const std::string text = for_people(line.cells[column]);
    if (!text.empty()) intents.push_back(Copy{text, text});
}

}  // namespace

Intents draw_compare_tables(const Ui& ui, const BothSides& both) {
    Intents intents;
    const CompareTab tab = both.place.tab;
    const TabTable& shown = made(ui, "compare.table", basis_of(ui, both), [&] {
        return TabTable{compare_table(ui.theme, both, tab), compare_tab_words(both)};
    });
    const CompareTable& table = shown.table;
    draw_tabs(ui, shown, tab, intents);
    if (!table.failure.empty()) {
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const float padding = ui.px(size::panel_padding);
        draw_wrapped(*ImGui::GetWindowDrawList(), ui.fonts.body, ImVec2(start.x + padding, start.y + padding),
                     ui.theme.text_mid, table.failure, ImGui::GetContentRegionAvail().x - 2 * padding);
        ui.recorder.record("compare.none", start, start + ImVec2(ImGui::GetContentRegionAvail().x, ui.px(40)));
        return intents;
    }
    TableOptions options;
    options.rows = static_cast<int>(table.rows.size());
    const auto at = [&](int index) -> const CompareRow& { return table.rows[static_cast<std::size_t>(index)]; };
    for (int i = 0; i < options.rows && options.selected < 0; ++i)
        if (!nothing(at(i).subject) && alike(at(i).subject, both.own.look.selection)) options.selected = i;
    const float left = ImGui::GetCursorScreenPos().x, width = ImGui::GetContentRegionAvail().x;
    const TableResult result =
        headcount::table(ui, "compare.table", table.columns, options,
                         [&](int index, TableRow& row) { fill_row(ui, both, table, at(index), row); });
    if (result.hovered) {
        if (!nothing(at(*result.hovered).subject)) intents.push_back(Hover{at(*result.hovered).subject});
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Right))
            copy_cell(ui, table, at(*result.hovered), left, width, intents);
    }
    if (result.clicked && !nothing(at(*result.clicked).subject)) intents.push_back(Select{at(*result.clicked).subject});
    if (result.copy) copy_table(ui, table, intents);
    return intents;
}

}  // namespace headcount
