// Scaling laws beside each other, for the training budget of the Solve panel.
#include <array>

#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/what_if/solve.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/report/training_report.hpp"

namespace headcount {
namespace {

void fill_law(SolvePanel& panel, const LawSays& says, TableRow& row) {
    row.about = total_key;
    row.cells[0].text = says.law->name;
    row.cells[1].text = row.keep(rough_count_text(says.best.plan.parameters));
    row.cells[2].text = row.keep(rough_count_text(says.best.plan.tokens));
    row.cells[3].text = row.keep(loss_text(says.best));
    row.cells[4].text = row.keep(loss_text(says.here));
    row.cells[5].text = row.keep(rough_count_text(says.own.plan.tokens));
    row.cells[6].text = row.keep(outside_text(says));
    row.cells[6].colour = panel.ui.theme.text_mid;
}

void explain_law(const Ui& ui, const LawSays& says) {
    const FittedOn& fitted = says.law->fitted;
    const std::string derivation = "N: " + says.counted + " · fitted on " + rough_count_text(fitted.least_parameters) +
                                   " to " + rough_count_text(fitted.most_parameters) + " parameters, " +
                                   rough_count_text(fitted.least_tokens) + " to " +
                                   rough_count_text(fitted.most_tokens) + " tokens of " + std::string(fitted.data);
    const std::string outside = outside_text(says);
    const std::string remark =
        (outside.empty() ? "" : "Outside of that: " + outside + ". ") + std::string(says.law->source) + ".";
    show_tooltip(ui, {.title = says.law->name, .derivation = derivation, .remark = remark});
}

}  // namespace

void draw_laws(SolvePanel& panel, const FoundTraining& found) {
    const Ui& ui = panel.ui;
    const std::vector<LawSays>& laws = found.laws;
    if (laws.empty()) return;
    gap(ui, 12);
    section_title(ui, "Scaling laws", "for this budget");
    gap(ui, 4);
    const auto number = [](std::string_view title) {
        return TableColumn{.title = title, .width = 72, .minimum = 48, .align = Align::right, .mono = true};
    };
    const std::array<TableColumn, 7> columns{
        TableColumn{.title = "Law", .width = 216, .minimum = 180},
        number("Best N"),
        number("Best D"),
        number("Loss"),
        number("Here"),
        number("D here"),
        TableColumn{.title = "Outside", .width = 160, .minimum = 56, .grows = true}};
    const TableResult result =
        short_table(ui, "solve.laws", columns, laws.size(), 0,
                    [&](std::size_t index, TableRow& row) { fill_law(panel, laws[index], row); });
    if (result.hovered) explain_law(ui, laws[static_cast<std::size_t>(*result.hovered)]);
    gap(ui, 8);
    paragraph(ui, ui.fonts.caption, ui.theme.text_low,
              "Losses in nats a token of each law's own data: two laws' are not to be compared. Here: of this model "
              "with the budget; its D: the tokens with which it is the best size.");
}

}  // namespace headcount
