// The tabs Memory and Compute of the Explore view's tables.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/layout.hpp"
#include "app/ui/made_for.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/table.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/costs/panels.hpp"
#include "core/base/text.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

constexpr std::array tab_columns{TableColumn{"What", 180, 150},
                                 TableColumn{"Bytes", 140, 124, Align::right, true},
                                 TableColumn{"", 84, 78, Align::right, true},
                                 TableColumn{"Share", 66, 58, Align::right, true},
                                 TableColumn{"One device", 90, 84, Align::right, true},
                                 TableColumn{"In symbols", 260, 120, Align::left, true, true, true}};
constexpr std::size_t device_column = 4;

// Without the column of one device where the model is not divided.
std::vector<TableColumn> columns_of(const Costs& costs) {
    std::vector<TableColumn> all(tab_columns.begin(), tab_columns.end());
    if (!costs.options.sharding.divided()) all.erase(all.begin() + device_column);
    return all;
}

void fill(const Inspector& inspector, const HeldRow& held, bool divided, TableRow& row) {
    const Look& look = inspector.model.look;
    row.name = held.key;
    row.about = row.keep(subject_key(held.subject));
    row.swatch = held_swatch(inspector.ui.theme, held);
    row.indent = held.inside ? 16.0F : 0;
    row.strong = held.strong;
    row.group = held.sum;
    std::size_t at = 0;
    for (const std::string_view text : {std::string_view(held.label), std::string_view(held.bytes),
                                        std::string_view(held.gib), std::string_view(held.share)})
        row.cells[at++] = {text};
    if (divided) row.cells[at++] = {held.on_device};
    row.cells[at] = {held.formula, inspector.ui.theme.text_mid};
    row.selected = !nothing(held.subject) && alike(look.selection, held.subject);
    row.lit = !nothing(held.subject) && alike(look.hover, held.subject);
}

// Nothing to show yet, or what is asked for is not possible.
void draw_problem(const Ui& ui, const CostsPage& page) {
    if (!page.wrong) return;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(ui.px(28)), width = available_width(), padding = ui.px(size::panel_padding);
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.table, start + ImVec2(padding, 0),
                 start + ImVec2(width - padding, height), readable(ui.theme, ui.theme.wrong),
                 "Not possible: " + page.wrong->what +
                     (page.shown ? ". Still showing what was; the Costs view has the settings." : "."));
    place(start, ImVec2(width, height));
}

}  // namespace

Intents draw_memory_tab(const Ui& ui, const Shown& model, const CostsPage& page) {
    const CostsRows& rows = costs_rows(ui, model, page);
    Inspector to{ui, model, {}};
    draw_problem(ui, page);
    if (!rows.of) return std::move(to.intents);
    const bool divided = rows.of->options.sharding.divided();
    TableOptions options;
    options.rows = static_cast<int>(rows.held.size());
    const auto chosen = std::ranges::find_if(rows.held, [&](const HeldRow& row) {
        return !nothing(row.subject) && alike(row.subject, model.look.selection);
    });
    if (chosen != rows.held.end()) options.selected = static_cast<int>(chosen - rows.held.begin());
    const std::vector<TableColumn> shown = columns_of(*rows.of);
    const TableResult result = table(ui, "memory", shown, options, [&](int index, TableRow& row) {
        fill(to, rows.held[static_cast<std::size_t>(index)], divided, row);
    });
    if (result.hovered) {
        const HeldRow& row = rows.held[static_cast<std::size_t>(*result.hovered)];
        to.point_at(row.subject, false);
        const About about(subject_key(row.subject));
        if (!row.sum)
            show_tooltip(ui, {.title = row.label,
                              .value = row.bytes,
                              .derivation = row.formula,
                              .remark = in_numbers(row.whole.formula, rows.of->held.bindings)});
    }
    if (result.clicked) to.point_at(rows.held[static_cast<std::size_t>(*result.clicked)].subject, true);
    if (result.copy)
        to.intents.push_back(Copy{costs_as_csv(page, BottomTab::memory, made_for_here(ui)), "the table (CSV)"});
    return std::move(to.intents);
}

Intents draw_compute_tab(const Ui& ui, const Shown& model, const CostsPage& page) {
    const CostsRows& rows = costs_rows(ui, model, page);
    Inspector to{ui, model, {}};
    draw_problem(ui, page);
    if (rows.of) draw_costs_operations(to, rows, false);
    return std::move(to.intents);
}

std::string costs_context(const CostsPage& page, BottomTab tab) {
    if (!page.shown) return "";
    const Costs& costs = *page.shown;
    const CostsPlace& place = costs.of.place;
    const About about(total_key);
    if (tab == BottomTab::memory)
        return covered_text(bytes_text(costs.memory.total)) +
               (place.phase == Phase::training ? " in training" : " in all") + " · " + costs.device.id + ": " +
               bytes_text(costs.device.memory);
    const std::int64_t flops = costs.run.work.flops.counted();
    return std::string(word_of(phase_nouns, place.phase)) + " · " + flop_text(static_cast<double>(flops)) + " · " +
           bytes_text(costs.run.work.bytes) + " moved · " + costs.device.id;
}

std::string costs_as_csv(const CostsPage& page, BottomTab tab, std::string_view made_for) {
    if (!page.shown) return "";
    const Costs& costs = *page.shown;
    return csv(tab == BottomTab::memory ? memory_table(costs.memory, costs.options) : operations_table(costs.run),
               made_for);
}

}  // namespace headcount
