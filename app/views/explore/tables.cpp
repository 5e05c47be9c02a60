// The bottom tables: every activation, one head step by step, every tensor of the checkpoint.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "app/parts/words.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/recorder.hpp"
#include "app/ui/tabs.hpp"
#include "app/views/costs/explore_tabs.hpp"
#include "app/views/explore/panels.hpp"
#include "app/views/explore/tables_csv.hpp"
#include "app/views/explore/tables_page.hpp"
#include "app/views/explore/weights_table.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 6> tab_names{"Activations", "One head", "Tensors",
                                                    "Memory",      "Compute",  "Weights"};

bool of_costs(BottomTab tab) {
    return tab == BottomTab::memory || tab == BottomTab::compute;
}

std::string csv_of(const Tables& to, BottomTab tab) {
    if (tab == BottomTab::weights) return weights_as_csv(to.session.derived.weights);
    return of_costs(tab) ? costs_as_csv(to.session.costs, tab) : table_as_csv(to.shown(), tab);
}

void copy_table(Tables& to, BottomTab tab) {
    to.intents.push_back(Copy{csv_of(to, tab), "the table (CSV)"});
}

// How many tensors of the file differ, behind the tab's name.
void draw_differences(const Ui& ui, const Session& session, ImVec2 tab_min, ImVec2 tab_max) {
    const auto& match = session.derived.weights.match;
    if (!match || !session.compared || match->differences == 0) return;
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
}

std::string context_of(const Session& session, BottomTab tab) {
    if (of_costs(tab)) return costs_context(session.costs, tab);
    const Counted& shown = session.derived.shown;
    const std::int64_t head = copies_shown(session).head.value_or(0);
    const Input& input = shown.input;
    if (tab == BottomTab::tensors || tab == BottomTab::weights) return shown.architecture.name;
    std::string text = shown.graph.layers.size() > 1 ? "One layer of each kind"
                                                     : "Layer " + std::to_string(shown.graph.main_layer().group.first);
    if (tab == BottomTab::head) text += " · Head " + std::to_string(head);
    text += " · T = " + std::to_string(input.tokens) + " · B = " + std::to_string(input.batch);
    if (input.cached > 0) text += " · P = " + std::to_string(input.cached);
    return text + " · " + std::string(precision_name(input));
}

void draw_tabs(Tables& to, BottomTab tab) {
    const Ui& ui = to.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, padding = ui.px(size::panel_padding);
    const float height = std::round(ui.px(size::tab_bar));
    ImGui::SetCursorScreenPos(ImVec2(start.x + padding, start.y));
    const std::span<const std::string_view> tabs =
        std::span(tab_names).first(tab_names.size() - (has_weights(to.session) ? 0 : 1));
    const std::optional<int> chosen = tab_bar(ui, "tables.tab", tabs, static_cast<int>(tab));
    record_keys(ui.recorder, "tables.tab", "tables.tab", std::span(bottom_tab_keys).first(tabs.size()));
    float tabs_end = start.x;
    if (const NamedRect* last = ui.recorder.find("tables.tab." + std::string(bottom_tab_keys[tabs.size() - 1]))) {
        const ImVec2 min = last->min, max = last->max;
        if (tabs.size() == tab_names.size()) draw_differences(ui, to.session, min, max);
        tabs_end = max.x;
    }
    if (const NamedRect* differences = ui.recorder.find("tables.differences"))
        tabs_end = std::max(tabs_end, differences->max.x);
    if (chosen) to.intents.push_back(ShowTab{static_cast<BottomTab>(*chosen)});

    const float side = ui.px(size::small_button), right = start.x + width - padding + ui.px(4);
    const ImVec2 mark(right - side, start.y + std::round((height - side) / 2));
    ImGui::SetCursorScreenPos(mark);
    IconButtonOptions options;
    options.side = size::small_button;
    if (icon_button(ui, "tables.copy", Icon::copy, "Copy the table as CSV", options)) copy_table(to, tab);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& font = ui.fonts.mono_caption;
    const std::string context = context_of(to.session, tab);
    const float end = mark.x - ui.px(8), wide = std::min(text_width(font, context), end - tabs_end - ui.px(16));
    if (wide > ui.px(40))
        draw_text(list, font, ImVec2(end - wide, text_top(font, start.y + height / 2)), ui.theme.text_low, context,
                  wide);
    list.AddRectFilled(ImVec2(start.x, start.y + height), ImVec2(start.x + width, start.y + height + 1), ui.theme.line);
    place(start, ImVec2(width, height + 1));
}

// Where the selection came from: a press in this table leaves the scroll position as it is.
bool selection_is_news(const Tables& to, const TableResult& result, const TablePage& page, BottomTab tab) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID slot = ImGui::GetID("tables.selection");
    const auto mark = [&](const Subject& subject) {
        const std::string key = subject_key(subject);
        return static_cast<int>(ImGui::GetID(key.c_str()) + static_cast<ImGuiID>(tab));
    };
    const int now = mark(to.session.look.selection);
    const bool news = storage.GetInt(slot) != now;
    storage.SetInt(slot, result.clicked ? mark(page.subject(*result.clicked)) : now);
    return news;
}

// A right press copies the number (or the words) under the pointer.
void copy_cell(Tables& to, const TablePage& page, int index, float left, float width) {
    const Ui& ui = to.ui;
    const float bar = ImGui::GetStyle().ScrollbarSize, padding = ui.px(size::panel_padding);
    const auto edges = column_edges(page.columns(), width - padding - bar, ui.scale);
    const float x = ImGui::GetIO().MousePos.x - left - padding;
    std::size_t column = 0;
    while (column + 1 < page.columns().size() && x >= edges[column + 1]) ++column;
    TableRow row;
    page.fill(index, row);
    const std::string_view text = row.cells[column].text;
    if (!text.empty()) to.intents.push_back(Copy{std::string(text), std::string(text)});
}

}  // namespace

Intents draw_tables(const Ui& ui, const Session& session) {
    Tables to{ui, session, {}};
    BottomTab tab = session.view.bottom_tab;
    if (tab == BottomTab::weights && !has_weights(session)) tab = BottomTab::activations;
    draw_tabs(to, tab);
    if (tab == BottomTab::weights || of_costs(tab)) {
        Intents more = tab == BottomTab::weights  ? draw_weights(ui, session)
                       : tab == BottomTab::memory ? draw_memory_tab(ui, session, session.costs)
                                                  : draw_compute_tab(ui, session, session.costs);
        std::move(more.begin(), more.end(), std::back_inserter(to.intents));
        return std::move(to.intents);
    }
    const TablePage page(to, tab);
    TableOptions options;
    options.rows = page.rows();
    options.selected = page.selected();
    const float left = ImGui::GetCursorScreenPos().x, width = ImGui::GetContentRegionAvail().x;
    if (selection_is_news(to, {}, page, tab)) options.scroll_to = options.selected;
    const TableResult result =
        table(ui, "tables", page.columns(), options, [&](int index, TableRow& row) { page.fill(index, row); });
    if (result.hovered) {
        to.intents.push_back(Hover{page.subject(*result.hovered)});
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) copy_cell(to, page, *result.hovered, left, width);
    }
    if (result.clicked) {
        selection_is_news(to, result, page, tab);
        to.intents.push_back(Select{page.subject(*result.clicked)});
    }
    if (result.copy) copy_table(to, tab);
    return std::move(to.intents);
}

}  // namespace headcount
