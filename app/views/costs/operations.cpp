// The table of operations: which of them takes how much arithmetic, memory and time.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/parts/flush_table.hpp"
#include "app/ui/made_for.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/costs/panels.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

constexpr std::array operation_columns{TableColumn{"Operation", 180, 120, Align::left, false, false, true},
                                       TableColumn{"Operations", 100, 80, Align::right, true},
                                       TableColumn{"Bytes", 92, 68, Align::right, true},
                                       TableColumn{"A byte", 72, 62, Align::right, true},
                                       TableColumn{"Bound by", 90, 80},
                                       TableColumn{"Time", 64, 52, Align::right, true},
                                       TableColumn{"Copies", 62, 46, Align::right, true},
                                       TableColumn{"In", 126, 60, Align::left, false, false, true}};
constexpr std::size_t bound_column = 4, time_column = 5;

void fill(const Inspector& inspector, const CostsRows& rows, std::size_t index, TableRow& row) {
    const RunRow& run = rows.run[index];
    const ModelGraph& graph = rows.of->run.graph;
    const Tensor& made = graph.tensors[run.tensor];
    row.swatch = {SwatchLook::activation, part_colour(inspector.ui.theme, made.part)};
    row.name = row.about = run.id;
    row.cells[0] = {run.label};
    row.cells[1] = {run.flops};
    row.cells[2] = {run.bytes};
    row.cells[3] = {run.intensity};
    row.cells[bound_column] = {run.bound};
    row.cells[time_column] = {run.share};
    row.cells[6] = {run.copies, inspector.ui.theme.text_mid};
    row.cells[7] = {run.place};
    row.selected = row_shows(graph, run.tensor, inspector.model.look.selection);
    row.lit = row_shows(graph, run.tensor, inspector.model.look.hover);
}

int selected_row(const Inspector& inspector, const CostsRows& rows) {
    const auto found = std::ranges::find_if(rows.run, [&](const RunRow& run) {
        return row_shows(rows.of->run.graph, run.tensor, inspector.model.look.selection);
    });
    return found == rows.run.end() ? -1 : static_cast<int>(found - rows.run.begin());
}

// A selection that was made elsewhere is brought into sight; one that was made here stays where it is.
int news(const Ui& ui, bool in_view, int selected, std::optional<int> clicked) {
    int& before = kept<int>(ui, in_view ? "costs.runs.selected" : "compute.selected");
    const bool changed = before != selected + 1;
    before = (clicked ? *clicked : selected) + 1;
    return changed ? selected : -1;
}

void draw_title(Inspector& inspector, const CostsRows& rows, int selected) {
    const Ui& ui = inspector.ui;
    section_title(ui, "Operations", "as they run");
    if (selected >= 0) {
        const RunRow& run = rows.run[static_cast<std::size_t>(selected)];
        explore_link(ui, inspector.model, "costs.explore", run.label + ": show in Explore", run.id, inspector.intents);
        gap(ui, 4);
    }
}

}  // namespace

void draw_costs_operations(Inspector& inspector, const CostsRows& rows, bool in_view) {
    const Ui& ui = inspector.ui;
    const int selected = selected_row(inspector, rows);
    if (in_view) draw_title(inspector, rows, selected);
    constexpr float least = 236;
    const float padding = in_view ? ui.px(size::panel_padding) : 0, width = available_width();
    float height = ImGui::GetContentRegionAvail().y;
    if (in_view) height = std::round(std::max(height, ui.px(least)));
    TableOptions options;
    options.rows = static_cast<int>(rows.run.size());
    options.selected = selected;
    options.scroll_to = news(ui, in_view, selected, std::nullopt);
    const TableResult result =
        flush_table(ui, "costs.runs", operation_columns, options, ImVec2(width, height), padding,
                    [&](int index, TableRow& row) { fill(inspector, rows, static_cast<std::size_t>(index), row); });
    const auto run_of = [&](int index) -> const RunRow& { return rows.run[static_cast<std::size_t>(index)]; };
    if (result.hovered) {
        const RunRow& run = run_of(*result.hovered);
        inspector.point_at(subject_of_run(inspector.model, run), false);
        const OperationWork& work = rows.of->run.work.operations[static_cast<std::size_t>(*result.hovered)];
        const std::string formula = work.flops.counted() > 0 ? in_symbols(work.flops_formula) : "";
        const std::string remark = run.note + "\nbytes: " + in_symbols(work.bytes_formula);
        show_tooltip(ui, {.title = run.label, .derivation = formula, .remark = remark});
    }
    if (result.clicked) {
        news(ui, in_view, selected, result.clicked);
        inspector.point_at(subject_of_run(inspector.model, run_of(*result.clicked)), true);
    }
    if (result.double_clicked && in_view)
        show_in_explore(inspector.model, run_of(*result.double_clicked).id, inspector.intents);
    if (result.copy)
        inspector.intents.push_back(Copy{csv(operations_table(rows.of->run), made_for_here(ui)), "the table (CSV)"});
}

}  // namespace headcount
