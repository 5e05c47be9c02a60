// What the rows of Compare's tables share, and those of tensors and activations.
#include <algorithm>

#include "app/parts/words.hpp"
#include "app/views/compare/panels.hpp"
#include "core/analysis/checkpoint_names.hpp"
#include "core/analysis/difference.hpp"
#include "core/base/text.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

constexpr TableColumn arrow_column{"", 24, 20, Align::centre, true};

// "[128256, 4096]", nothing where it is not there.
std::string shape_text(const std::vector<std::int64_t>& shape) {
    if (shape.empty()) return "none";
    std::string text = "[";
    for (const std::int64_t size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + "]";
}

std::string copies_text(const TensorDifference& row) {
    const std::int64_t a = row.a_copies, b = row.b_copies;
    if (a == b || a == 0 || b == 0) return std::to_string(std::max(a, b));
    return std::to_string(a) + " → " + std::to_string(b);
}

ReportCell each_of(std::int64_t all, std::int64_t copies) {
    return copies == 0 ? ReportCell(std::string("none")) : ReportCell(all / copies);
}

std::string listed(const std::vector<Symbol>& symbols) {
    return listed(symbols, [](Symbol symbol) { return info(symbol).text; });
}

std::string because_of(const TensorDifference& row, const CountedModel& a, const CountedModel& b) {
    if (row.change == TensorChange::same) return "same";
    const std::string text = listed(symbols_behind(row, a, b));
    return text.empty() ? std::string(change_word(row.change)) : text;
}

std::int64_t tensors_of(const Counted& side) {
    return tensor_count(side.parameters, side.architecture, side.graph, std::nullopt).value_or(0);
}

// "162 of 291 tensors change, 129 stay the same · shapes as stored, [out, in]"
std::string tensors_remark(const BothSides& both) {
    const std::int64_t a = tensors_of(both.a()), b = tensors_of(both.b());
    std::int64_t changed = 0, gone = 0, added = 0, fused = 0;
    for (const TensorDifference& row : both.difference()->tensors) {
        if (row.change == TensorChange::fused) {
            fused += row.a_copies;
            continue;
        }
        const std::int64_t common = std::min(row.a_copies, row.b_copies);
        if (row.change == TensorChange::reshaped) changed += common;
        gone += row.a_copies - common;
        added += row.b_copies - common;
    }
    std::string text;
    if (gone == 0 && added == 0 && fused == 0)
        text = grouped(changed) + " of " + grouped(a) + " tensors change, " + grouped(a - changed) + " stay the same";
    else
        text = "Of A's " + grouped(a) + " tensors " + grouped(changed) + " change and " + grouped(gone) +
               " are not in B; " + grouped(added) + " of B's " + grouped(b) + " are new" +
               (fused > 0 ? "; " + grouped(fused) + " are put together otherwise" : "");
    return text + " · shapes as stored, [out, in]";
}

CompareRow tensor_row(const Theme& theme, const BothSides& both, const TensorDifference& row) {
    const CountedModel &a = both.a(), &b = both.b();
    const bool in_a = !row.a_shape.empty();
    const ModelGraph& graph = in_a ? a.graph : b.graph;
    const Tensor& first = graph.tensors[graph.stored[in_a ? row.a_stored : row.b_stored].parts.front()];
    CompareRow line;
    line.name = first.id;
    line.cells = {name_in_layer(row.name, "*") + (row.layers.empty() ? "" : ", " + row.layers),
                  copies_text(row),
                  shape_text(row.a_shape),
                  std::string(),
                  shape_text(row.b_shape),
                  because_of(row, a, b),
                  each_of(row.a, row.a_copies),
                  each_of(row.b, row.b_copies),
                  std::string(),
                  ChangeCell{row.difference()}};
    line.change = row.difference();
    line.colour = part_colour(theme, first.part);
    line.swatch = swatch_of(theme, first);
    line.subject = TensorSubject{first.id};
    line.low = row.change == TensorChange::same;
    return line;
}

CompareTable tensors_table(const Theme& theme, const BothSides& both, bool all) {
    const std::string a = title_of(both.own.document), b = title_of(both.other.document);
    CompareTable table = with_columns({{"Tensor", 340, 190, Align::left, true, false, true, true},
                                       {"Copies", 76, 56, Align::right, true},
                                       {a, 140, 104, Align::right, true},
                                       arrow_column,
                                       {b, 140, 104, Align::left, true},
                                       {"Because of", 104, 76, Align::left, true, true},
                                       {"Each in A", 116, 92, Align::right, true},
                                       {"Each in B", 116, 92, Align::right, true},
                                       {"Change", 168, 64, Align::centre},
                                       {"Change over all copies", 160, 126, Align::right, true}},
                                      8);
    table.sides = 2;
    if (!both.difference()) return table;
    const std::vector<TensorDifference> rows = all ? all_tensors(both.a(), both.b()) : both.difference()->tensors;
    for (const TensorDifference& row : rows) table.rows.push_back(tensor_row(theme, both, row));
    if (table.rows.empty()) table.failure = "No tensor is another in B than in A.";
    if (table.rows.empty()) return table;
    table.rows.push_back(sum_row(table, ChangeCell{both.difference()->total}));
    table.remark = tensors_remark(both);
    return table;
}

const ActivationRow* find_row(const Counted& side, std::string_view id) {
    for (const ActivationRow& row : side.activations)
        if (side.graph.tensors[row.tensor].id == id) return &row;
    return nullptr;
}

std::string rows_text(const ActivationRow* row) {
    return row ? std::to_string(row->rows) + " × " + std::to_string(row->columns) : "none";
}

std::optional<std::int64_t> bytes_of_layer(const ActivationRow* row) {
    if (!row) return 0;
    const auto elements = checked_multiply(row->elements, row->in_layer);
    return elements ? bytes_of(*elements, row->kept) : std::nullopt;
}

std::string because_of(const BothSides& both, const ActivationRow* in_a, const ActivationRow* in_b) {
    if (!in_a || !in_b) return in_a ? "removed" : "added";
    std::vector<Expr> formulas;
    for (const auto& [side, row] : {std::pair(&both.a(), in_a), std::pair(&both.b(), in_b)}) {
        const Tensor& tensor = side->graph.tensors[row->tensor];
        const auto dimensions = tensor.shape.dimensions();
        formulas.insert(formulas.end(), dimensions.begin(), dimensions.end());
        formulas.push_back(side->graph.copies_in_layer(tensor.block));
    }
    const std::string text = listed(differing(formulas, both.a().bindings, both.b().bindings));
    return text.empty() ? "same" : text;
}

CompareRow activation_row(const Theme& theme, const BothSides& both, const ActivationRow* in_a,
                          const ActivationRow* in_b) {
    const Tensor& tensor = in_a ? both.a().graph.tensors[in_a->tensor] : both.b().graph.tensors[in_b->tensor];
    const std::optional<std::int64_t> a = bytes_of_layer(in_a), b = bytes_of_layer(in_b);
    CompareRow line;
    line.change = a && b ? *b - *a : 0;
    line.name = tensor.id;
    line.cells = {std::string(tensor.label),
                  std::string(tensor.symbol),
                  rows_text(in_a),
                  std::string(),
                  rows_text(in_b),
                  because_of(both, in_a, in_b),
                  a ? ReportCell(*a) : ReportCell(count_text(a)),
                  b ? ReportCell(*b) : ReportCell(count_text(b)),
                  std::string(),
                  a && b ? ReportCell(ChangeCell{line.change}) : ReportCell(count_text(std::nullopt))};
    line.swatch = swatch_of(theme, tensor);
    line.colour = part_colour(theme, tensor.part);
    line.subject = TensorSubject{tensor.id};
    line.low = std::get<std::string>(line.cells[5]) == "same";
    return line;
}

CompareTable activations_table(const Theme& theme, const BothSides& both) {
    const std::string a = title_of(both.own.document), b = title_of(both.other.document);
    CompareTable table = with_columns({{"Step", 200, 140, Align::left, false, false, true},
                                       {"Symbol", 70, 60, Align::left, true, true},
                                       {a, 140, 104, Align::right, true},
                                       arrow_column,
                                       {b, 140, 104, Align::left, true},
                                       {"Because of", 104, 76, Align::left, true, true},
                                       {"Bytes in A", 116, 92, Align::right, true},
                                       {"Bytes in B", 116, 92, Align::right, true},
                                       {"Change", 168, 64, Align::centre},
                                       {"Change in bytes", 130, 108, Align::right, true}},
                                      8);
    table.sides = 2;
    const Counted &in_a = both.a(), &in_b = both.b();
    for (const ActivationRow& row : in_a.activations)
        table.rows.push_back(activation_row(theme, both, &row, find_row(in_b, in_a.graph.tensors[row.tensor].id)));
    for (const ActivationRow& row : in_b.activations)
        if (!find_row(in_a, in_b.graph.tensors[row.tensor].id))
            table.rows.push_back(activation_row(theme, both, nullptr, &row));
    table.remark = "in one layer, all heads and the whole batch together · " + tokens_text(in_a.input) + " · " +
                   std::string(precision_name(in_a.input));
    return table;
}

}  // namespace

CompareRow sum_row(const CompareTable& table, ReportCell sum) {
    CompareRow row;
    row.name = "sum";
    row.cells.assign(table.columns.size(), std::string());
    row.cells.front() = std::string("Sum");
    row.cells.back() = std::move(sum);
    row.subject = TotalSubject{};
    row.strong = true;
    return row;
}

CompareTable with_columns(const std::vector<TableColumn>& columns, std::size_t bar) {
    CompareTable table;
    table.titles.reserve(columns.size());
    for (const TableColumn& column : columns) {
        table.columns.push_back(column);
        table.columns.back().title = table.titles.emplace_back(column.title);
    }
    table.bar = bar;
    return table;
}

CompareTable compare_table(const Theme& theme, const BothSides& both, CompareTab tab) {
    CompareTable table;
    switch (tab) {
        case CompareTab::changed:
        case CompareTab::all: table = tensors_table(theme, both, tab == CompareTab::all); break;
        case CompareTab::activations: table = activations_table(theme, both); break;
        case CompareTab::memory: table = compare_memory_table(theme, both); break;
        case CompareTab::compute: table = compare_compute_table(theme, both); break;
        case CompareTab::numbers: table = compare_numbers_table(theme, both); break;
    }
    for (const CompareRow& row : table.rows)
        if (!row.strong) table.most = std::max(table.most, row.change < 0 ? -row.change : row.change);
    return table;
}

std::vector<std::string> compare_tab_words(const BothSides& both) {
    const std::int64_t a = tensors_of(both.a()), b = tensors_of(both.b());
    const std::string count = a == b ? grouped(a) + " tensors" : "tensors";
    return {"Changed shapes", "All " + count, "Activations", "Memory", "Compute", "Numbers"};
}

std::string compare_csv(const CompareTable& table, std::string_view made_for) {
    Table plain;
    const auto written = [&](std::size_t column) {
        return column != table.bar && !(table.sides && column == *table.sides + 1);
    };
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (written(i)) plain.columns.push_back({table.titles[i]});
    for (const CompareRow& row : table.rows) {
        std::vector<ReportCell>& cells = plain.rows.emplace_back();
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            if (written(i)) cells.push_back(row.cells[i]);
    }
    return csv(plain, made_for);
}

}  // namespace headcount
