// What the parts of the Solve panel share.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "app/parts/flush_table.hpp"
#include "app/state/what_if/page.hpp"
#include "app/ui/typed_row.hpp"
#include "app/views/what_if/panels.hpp"

namespace headcount {

struct SolvePanel {
    const Ui& ui;
    const Shown& model;
    const SolvePlace& asked;
    std::span<const Device> devices;
    const FoundWish& found;
    Intents& intents;

    const SolvePlace& place() const { return asked; }

    // What is asked, with one thing changed.
    template <class Change>
    void ask(Change change) {
        SolvePlace changed = place();
        change(changed);
        intents.push_back(AtWhatIf{SetWish{std::move(changed)}});
    }
};

// The place of what is held among SolvePlace::wished.
std::size_t held_index(Metric held);

// A field whose text is kept as it was typed; what is wrong with it is said below. Typing nothing, or the mark beside
// it, goes back to what the model has.
struct AmountRow {
    std::string_view label;
    std::string own;  // what the model has
    std::string problem;
    std::string_view tooltip;
};
template <class Which>  // Which: std::string&(SolvePlace&)
void amount_row(SolvePanel& panel, const std::string& name, const AmountRow& row, const std::string& typed,
                Which which) {
    const std::string& text = typed.empty() ? row.own : typed;
    TypedRow field{.label = row.label, .text = text, .changed = !typed.empty(), .may_reset = !typed.empty()};
    field.tooltip = row.tooltip;
    if (!row.problem.empty()) field.error = FieldError{row.problem, {}};
    const TypedRowResult result = typed_row(panel.ui, name, field);
    if (result.reset) panel.ask([&](SolvePlace& place) { which(place).clear(); });
    if (result.typed && *result.typed != text) panel.ask([&](SolvePlace& place) { which(place) = *result.typed; });
}

// A table as high as its rows, at the cursor and no wider than `most` (0: as wide as there is room).
template <class Fill>
TableResult short_table(const Ui& ui, std::string_view name, std::span<const TableColumn> columns, std::size_t rows,
                        float most, Fill&& fill) {
    TableOptions options;
    options.rows = static_cast<int>(rows);
    options.height = rows_height(ui, rows);
    const float width = most > 0 ? std::min(available_width(), most) : available_width();
    return flush_table(ui, name, columns, options, ImVec2(width, options.height + 1), ui.px(size::panel_padding),
                       [&](int index, TableRow& row) { fill(static_cast<std::size_t>(index), row); });
}

// What is wished: what is held, what must hold as well, what is free.
void draw_wish(SolvePanel& panel);

// The ranked answers; a press makes one the model.
void draw_answers(SolvePanel& panel);
// What an answer comes to, beside the pointer; and it as the model.
void explain_answer(SolvePanel& panel, const Answer& answer);
void adopt_answer(SolvePanel& panel, const Answer& answer);

// The same shape in another size; the tokens that a training's budget is best spent on.
void draw_sizes(SolvePanel& panel, const FoundSizes& found);
void draw_training(SolvePanel& panel, const FoundTraining& found);
// What published laws say of that budget, beside each other.
void draw_laws(SolvePanel& panel, const FoundTraining& found);

}  // namespace headcount
