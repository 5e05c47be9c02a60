// The bottom tables: every activation, one head step by step, every tensor of the checkpoint.
#include "core/report/tables.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "app/parts/words.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/made_for.hpp"
#include "app/ui/recorder.hpp"
#include "app/ui/tabs.hpp"
#include "app/views/costs/panels.hpp"
#include "app/views/explore/panels.hpp"
#include "app/views/explore/tables_page.hpp"
#include "app/views/explore/weights_table.hpp"
#include "core/base/text.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 6> tab_names{"Activations", "One head", "Tensors",
                                                    "Memory",      "Compute",  "Weights"};

// The table for the clipboard: every row, counts written plain, as the command line writes it.
std::string csv_of(const Ui& ui, const TablesPage& page) {
    const std::string of = made_for_here(ui);
    const Counted& shown = page.model.derived.shown;
    switch (page.tab) {
        case BottomTab::activations: return csv(activations_table(shown.graph, shown.activations, shown.bindings), of);
        case BottomTab::head: return csv(activations_table(shown.graph, shown.head, shown.bindings), of);
        case BottomTab::tensors:
            return csv(tensors_table(shown.graph, shown.parameters), title_as_known(page.model.document));
        case BottomTab::memory:
        case BottomTab::compute: return costs_as_csv(page.costs, page.tab, of);
        case BottomTab::weights: return weights_as_csv(page.model.derived.weights, title_as_known(page.model.document));
    }
    return "";
}

Copy copy_of(const Ui& ui, const TablesPage& page) { return {csv_of(ui, page), "the table (CSV)"}; }

// How many tensors of the file differ, behind the tab's name; returns where that ends, or the tab.
float draw_differences(const Ui& ui, const TablesPage& page, ImVec2 tab_min, ImVec2 tab_max) {
    const auto& match = page.model.derived.weights.match;
    if (!match || !page.compared || match->differences == 0) return tab_max.x;
    const std::string words = short_count(match->differences);
    const float height = std::round(ui.px(16)),
                width = std::round(text_width(ui.fonts.mono_caption, words) + ui.px(10));
    const ImVec2 min(std::round(tab_max.x + ui.px(6)), std::round((tab_min.y + tab_max.y - height) / 2));
    const ImVec2 max(min.x + width, min.y + height);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 ink = readable(ui.theme, ui.theme.wrong);
    list.AddRectFilled(min, max, ui.theme.wrong_fill, ui.px(size::radius_field));
    list.AddRect(min, max, ink, ui.px(size::radius_field));
    draw_text_in(list, ui.fonts.mono_caption, min, max, ink, words, Align::centre);
    ui.recorder.record("tables.differences", min, max);
    return max.x;
}

std::string context_of(const TablesPage& page) {
    const BottomTab tab = page.tab;
    if (tab == BottomTab::memory || tab == BottomTab::compute) return costs_context(page.costs, tab);
    const Counted& shown = page.model.derived.shown;
    const Input& input = shown.input;
    if (tab == BottomTab::tensors || tab == BottomTab::weights) return shown.architecture.name;
    std::string text = shown.graph.layers.size() > 1 ? "One layer of each kind"
                                                     : "Layer " + std::to_string(shown.graph.main_layer().group.first);
    if (tab == BottomTab::head) text += " · Head " + std::to_string(copies_shown(page.model).head.value_or(0));
    if (shown.architecture.encoder) text += " · S = " + std::to_string(input.source);
    text += " · T = " + std::to_string(input.tokens) + " · B = " + std::to_string(input.batch);
    if (input.cached > 0) text += " · P = " + std::to_string(input.cached);
    return text + " · " + formats_said(input);
}

void draw_tabs(const Ui& ui, const TablesPage& page, Intents& intents) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, padding = ui.px(size::panel_padding);
    const float height = std::round(ui.px(size::tab_bar));
    ImGui::SetCursorScreenPos(ImVec2(start.x + padding, start.y));
    const std::span<const std::string_view> tabs =
        std::span(tab_names).first(tab_names.size() - (page.model.derived.weights.checkpoint ? 0 : 1));
    const std::optional<int> chosen = tab_bar(ui, "tables.tab", tabs, static_cast<int>(page.tab));
    const ImVec2 tabs_min = ImGui::GetItemRectMin(), tabs_max = ImGui::GetItemRectMax();
    record_keys(ui.recorder, "tables.tab", "tables.tab", std::span(bottom_tab_keys).first(tabs.size()));
    const float tabs_end =
        tabs.size() == tab_names.size() ? draw_differences(ui, page, tabs_min, tabs_max) : tabs_max.x;
    if (chosen) intents.push_back(ShowTab{static_cast<BottomTab>(*chosen)});

    const float side = ui.px(size::small_button), right = start.x + width - padding + ui.px(4);
    const ImVec2 mark(right - side, start.y + std::round((height - side) / 2));
    ImGui::SetCursorScreenPos(mark);
    IconButtonOptions options;
    options.side = size::small_button;
    if (tabs_end <= mark.x && icon_button(ui, "tables.copy", Icon::copy, "Copy the table as CSV", options))
        intents.push_back(copy_of(ui, page));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& font = ui.fonts.mono_caption;
    const std::string context = context_of(page);
    const float end = mark.x - ui.px(8), wide = std::min(text_width(font, context), end - tabs_end - ui.px(16));
    if (wide > ui.px(40))
        draw_text(list, font, ImVec2(end - wide, text_top(font, start.y + height / 2)), ui.theme.text_low, context,
                  wide);
    list.AddRectFilled(ImVec2(start.x, start.y + height), ImVec2(start.x + width, start.y + height + 1), ui.theme.line);
    place(start, ImVec2(width, height + 1));
}

// Where the selection came from: a press in this table leaves the scroll position as it is.
bool selection_is_news(const Subject& selection, const Subject& pressed, BottomTab tab) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID slot = ImGui::GetID("tables.selection");
    const auto mark = [&](const Subject& subject) {
        const std::string key = subject_key(subject);
        return static_cast<int>(ImGui::GetID(key.c_str()) + static_cast<ImGuiID>(tab));
    };
    const bool news = storage.GetInt(slot) != mark(selection);
    storage.SetInt(slot, mark(pressed));
    return news;
}

// A right press copies the number (or the words) under the pointer.
void copy_cell(const Ui& ui, const CountedTable& rows, int index, float left, float width, Intents& intents) {
    const float bar = ImGui::GetStyle().ScrollbarSize, padding = ui.px(size::panel_padding);
    const std::vector<TableColumn> columns = rows.columns();
    const auto edges = column_edges(columns, width - padding - bar, ui.scale);
    const float x = ImGui::GetIO().MousePos.x - left - padding;
    std::size_t column = 0;
    while (column + 1 < columns.size() && x >= edges[column + 1]) ++column;
    TableRow row;
    rows.fill(index, row);
    const std::string_view text = row.cells[column].text;
    if (!text.empty()) intents.push_back(Copy{std::string(text), std::string(text)});
}

Intents draw_counted(const Ui& ui, const TablesPage& page) {
    Intents intents;
    const CountedTable rows(ui, page.model, page.tab);
    const Subject& selection = page.model.look.selection;
    TableOptions options{.rows = rows.rows(), .selected = rows.selected()};
    const float left = ImGui::GetCursorScreenPos().x, width = ImGui::GetContentRegionAvail().x;
    if (selection_is_news(selection, selection, page.tab)) options.scroll_to = options.selected;
    const TableResult result =
        table(ui, "tables", rows.columns(), options, [&](int index, TableRow& row) { rows.fill(index, row); });
    if (result.hovered) {
        intents.push_back(Hover{rows.subject(*result.hovered)});
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) copy_cell(ui, rows, *result.hovered, left, width, intents);
    }
    if (result.clicked) {
        const Subject pressed = rows.subject(*result.clicked);
        selection_is_news(selection, pressed, page.tab);
        intents.push_back(Select{pressed});
    }
    if (result.copy) intents.push_back(copy_of(ui, page));
    return intents;
}

Intents draw_table_of(const Ui& ui, const TablesPage& page) {
    switch (page.tab) {
        case BottomTab::memory: return draw_memory_tab(ui, page.model, page.costs);
        case BottomTab::compute: return draw_compute_tab(ui, page.model, page.costs);
        case BottomTab::weights: return draw_weights(ui, page.model);
        default: return draw_counted(ui, page);
    }
}

}  // namespace

Intents draw_tables(const Ui& ui, const TablesPage& asked) {
    TablesPage page = asked;
    if (page.tab == BottomTab::weights && !page.model.derived.weights.checkpoint) page.tab = BottomTab::activations;
    Intents intents;
    draw_tabs(ui, page, intents);
    Intents more = draw_table_of(ui, page);
    std::move(more.begin(), more.end(), std::back_inserter(intents));
    return intents;
}

}  // namespace headcount
