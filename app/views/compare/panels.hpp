// The panels of the Compare view, and both sides as they read them. Their windows leave 16 px around the heads and the
// split, and nothing around the diagrams and the tables.
// Its tables' rows as data, and what a comparison says: the steps of its waterfall, size, the cache, a sentence.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/drawing.hpp"
#include "app/charts/waterfall.hpp"
#include "app/diagram/panels.hpp"
#include "app/state/compare/page.hpp"
#include "app/state/intent.hpp"
#include "app/state/shown.hpp"
#include "app/ui/table.hpp"
#include "app/ui/ui.hpp"
#include "core/analysis/pass.hpp"
#include "core/base/expr.hpp"
#include "core/report/table.hpp"

namespace headcount {

struct BothSides {
    const Shown& own;    // A, the user's own
    const Shown& other;  // B
    const ComparePage& page;
    ComparePlace place;
    PassOptions pass;  // as the Costs view counts

    const Counted& a() const { return own.derived.shown; }
    const Counted& b() const { return other.derived.shown; }
    const Shown& of(CompareSide side) const { return side == CompareSide::b ? other : own; }
    // Null where the numbers do not fit: the page says why.
    const Difference* difference() const { return page.difference.get(); }
};

// Nothing before somebody has looked.
std::optional<BothSides> both_sides(const Session& session);

// What a panel's texts follow from.
struct CompareBasis {
    Architecture a, b;
    Input input;
    PassOptions pass;
    ComparePlace place;
    std::array<std::string, 2> titles;
    std::shared_ptr<const NumbersApart> apart = {};
    std::string no_numbers = {};
    bool dark = false;

    bool operator==(const CompareBasis&) const = default;
};
CompareBasis basis_of(const Ui& ui, const BothSides& both);

inline CompareSide other_than(CompareSide side) { return side == CompareSide::a ? CompareSide::b : CompareSide::a; }

// "a" and "b": in names.
inline const char* side_key(CompareSide side) { return side == CompareSide::a ? "a" : "b"; }

// One side's name, exact total and fields, those that differ in full colour. A field opens its editor when it is
// pressed.
Intents draw_compare_head(const Ui& ui, const BothSides& both, CompareSide side);
// Right: where the difference comes from; to a class the chart is as high as there is room.
Intents draw_compare_split(const Ui& ui, const BothSides& both, bool presents = false);
Intents draw_compare_tables(const Ui& ui, const BothSides& both);  // bottom: tensor by tensor, memory, arithmetic

// Both models, with the numbers of their runs where both have some, but for where colours say how far the weights'
// numbers are apart.
std::array<DiagramOf, 2> compared_diagrams(const Session& session, const BothSides& both);

// One side's model, in the window that is open for it; the other side's window is to be as large. Both are drawn at one
// scale and are looked at from the same place: whichever is moved, the other one follows. What differs is in full
// colour, with the other side's size as an outline, and what is pointed at or selected is lit on both.
Intents draw_compare_diagram(const Ui& ui, const std::array<DiagramOf, 2>& both, CompareSide side,
                             const ScenePainter& painter = {});

// Opens the small editor below a field's chip: the field's own row, and the other side's value to take over. It is in
// the window in which it is drawn, in every frame.
void open_compare_editor(const Ui& ui, CompareSide side, Field field, ImVec2 at);
Intents draw_compare_editor(const Ui& ui, const BothSides& both, CompareSide side);

// What a panel that edits B asks for, as edits of the other side of the user's own document.
Intents asked_of_other(Intents intents);

struct CompareRow {
    std::string name;               // recorded
    std::vector<ReportCell> cells;  // as many as columns; those of the bar and the arrow are empty
    std::int64_t change = 0;        // the bar's
    ImU32 colour = 0;
    Swatch swatch;
    Subject subject;
    bool strong = false;  // a sum
    bool low = false;     // alike on both sides
    bool inner = false;   // of the row above
};

struct CompareTable {
    std::vector<std::string> titles;
    std::vector<TableColumn> columns;  // their titles are those
    std::vector<CompareRow> rows;
    std::string remark;                // at the right of the tabs
    std::string failure;               // a sentence: why there are no rows
    std::size_t bar = 0;               // the column of it
    std::optional<std::size_t> sides;  // the column of A's shape, an arrow's and that of B's behind it
    std::int64_t most = 1;             // the longest bar's change, whichever way
};

CompareTable compare_table(const Theme& theme, const BothSides& both, CompareTab tab);

// "All 291 tensors": of the tab, in the order of CompareTab.
std::vector<std::string> compare_tab_words(const BothSides& both);

// What is drawn, for spreadsheets: counts without separators, no columns for the bar and the arrow.
std::string compare_csv(const CompareTable& table, std::string_view made_for);

CompareTable with_columns(const std::vector<TableColumn>& columns, std::size_t bar);
CompareRow sum_row(const CompareTable& table, ReportCell sum);

// In inference, with the document's input and precision, on one device.
CompareTable compare_memory_table(const Theme& theme, const BothSides& both);
CompareTable compare_compute_table(const Theme& theme, const BothSides& both);
CompareTable compare_numbers_table(const Theme& theme, const BothSides& both);

// Of tensors by their ids how far their numbers are apart, as a share of the farthest; empty where that is not shown.
std::map<std::string, float, std::less<>> heat_of_numbers(const BothSides& both);

// One figure of both sides, in bytes; nothing where it does not fit in 64 bits.
struct CompareFigure {
    std::string label, key;
    std::array<std::optional<std::int64_t>, 2> bytes;
    std::array<std::string, 2> symbols, numbers;
    std::string remark = {};                     // of what it is, a sentence; may be empty
    std::string_view about = {};                 // the key of what it tells: see app/ui/veil.hpp
    std::array<std::string_view, 2> signs = {};  // before what is only about known
};
// Size of the weights, cache of one token, cache of the longest sequence: in the document's precision.
std::array<CompareFigure, 3> compare_figures(const BothSides& both);

// "8 KV heads instead of 32: each serves 4 query heads, so the cache is 4× smaller." Only what follows from both sides.
std::string compare_sentence(const BothSides& both);

// Of A and of B: "12.55 GiB", "14.96 GiB". Where four digits do not tell them apart, B's is the change: "+8.00 KiB".
std::array<std::string, 2> figure_texts(const CompareFigure& figure);

struct CompareStep {
    WaterfallStep step;
    Subject subject;
};

// They sum to the difference. Of both sides, which differ in a number that fits.
std::vector<CompareStep> compare_steps(const Theme& theme, const BothSides& both, CompareSplit split);

// Whether what is selected or pointed at is what a step or a row is of, or belongs to it, on either side.
bool lights(const BothSides& both, const Subject& subject, const Subject& of_step);

}  // namespace headcount
