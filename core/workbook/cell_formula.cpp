// Walks an equation for one cell, and writes what a spreadsheet computes it by.
#include "core/workbook/cell_formula.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace headcount {
namespace {

using Kind = Formula::Kind;

std::string exact(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.17g", number);
    return number < 0 ? "(" + std::string(text.data()) + ")" : text.data();
}

}  // namespace

std::string cell_reference(std::int64_t row, std::int64_t column) {
    std::string letters;
    for (std::int64_t rest = column + 1; rest > 0; rest = (rest - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % 26));
    return letters + std::to_string(row + 1);
}

std::string CellFormula::fail() {
    failed_ = true;
    return "0";
}

std::optional<CellAt> CellFormula::placed(CellAt cell) {
    const ModelGraph& graph = numbers_.model->graph;
    while (!places_(cell.tensor, cell.layer, cell.copy)) {
        const Node* const node = graph.producer(cell.tensor);
        if (!node) return std::nullopt;
        const std::optional<CellAt> shown =
            Evaluator(numbers_, cell, *node).shown(equation_of(graph, *node).right, cell.row, cell.column);
        if (!shown) return std::nullopt;
        cell = *shown;
    }
    return cell;
}

std::optional<CellAt> CellFormula::cell_of(const Formula& formula, std::int64_t row, std::int64_t column) {
    const std::optional<CellAt> shown = cells_.shown(formula, row, column);
    return shown ? placed(*shown) : std::nullopt;
}

std::string CellFormula::reference(const CellAt& first, const CellAt& last) {
    const std::optional<SheetPlace> at = places_(first.tensor, first.layer, first.copy);
    const std::string from = cell_reference(at->row + first.row, at->column + first.column);
    const std::string to = cell_reference(at->row + last.row, at->column + last.column);
    return at->sheet + "!" + (from == to ? from : from + ":" + to);
}

std::optional<CellFormula::Range> CellFormula::range(const Formula& formula, bool along, std::int64_t fixed,
                                                     std::int64_t first, std::int64_t end) {
    const auto at = [&](std::int64_t k) { return along ? cell_of(formula, fixed, k) : cell_of(formula, k, fixed); };
    const std::optional<CellAt> from = at(first), to = at(end - 1);
    if (!from || !to || from->tensor != to->tensor || from->layer != to->layer || from->copy != to->copy)
        return std::nullopt;
    const std::int64_t steps = end - 1 - first;
    if (from->row == to->row && to->column - from->column == steps) return Range{*from, *to, true};
    if (from->column == to->column && to->row - from->row == steps) return Range{*from, *to, false};
    return std::nullopt;
}

std::string CellFormula::product(const Formula& formula, std::int64_t row, std::int64_t column) {
    const Formula &left = formula.operands[0], &right = formula.operands[1];
    const auto [first, end, other] = cells_.summed(formula, row, column);
    // Of heads side by side each lies in a block of its own.
    const std::int64_t step = left.kind == Kind::heads ? cells_.number(left.size) : end - first;
    std::string sum;
    const auto add = [&](const std::string& part) { sum += (sum.empty() ? "" : "+") + part; };
    for (std::int64_t at = first; at < end && !failed_ && sum.size() <= longest_formula; at += step) {
        const std::int64_t behind = std::min(at + step, end);
        const std::optional<Range> a = range(left, true, row, at, behind), b = range(right, false, other, at, behind);
        if (a && b) {
            const bool matrices = a->across && !b->across;
            add(std::string(matrices ? "MMULT(" : "SUMPRODUCT(") + reference(a->from, a->to) + "," +
                reference(b->from, b->to) + ")");
            if (!matrices && a->across != b->across) return fail();
            continue;
        }
        for (std::int64_t k = at; k < behind && !failed_ && sum.size() <= longest_formula; ++k)
            add(text(left, row, k) + "*" + text(right, k, other));
    }
    return "(" + sum + ")";
}

// A function of the cells of a group of columns.
std::string CellFormula::over_row(const Formula& formula, const char* function, std::int64_t row, std::int64_t column) {
    const Evaluator::Group columns = cells_.group(formula, column);
    const std::optional<Range> all =
        range(formula.operands[0], true, row, columns.first, columns.first + columns.width);
    constexpr std::int64_t most_arguments = 255;
    if (!all && columns.width > most_arguments) return fail();
    std::string inside = all ? reference(all->from, all->to) : "";
    for (std::int64_t k = 0; !all && k < columns.width && inside.size() <= longest_formula && !failed_; ++k)
        inside += (k > 0 ? "," : "") + text(formula.operands[0], row, columns.first + k);
    return std::string(function) + "(" + inside + ")";
}

std::string CellFormula::softmax(const Formula& formula, std::int64_t row, std::int64_t column) {
    const auto& rule = cells_.node().rule<Mask>();
    const std::int64_t first = rule.first_visible(row), end = rule.end_visible(row, cells_.keys());
    if (column < first || column >= end) return "0";
    const std::optional<Range> seen = range(formula.operands[0], true, row, first, end);
    if (!seen) return fail();
    const std::string all = reference(seen->from, seen->to);
    // Those that are not chosen count 0 times.
    std::string chosen, own;
    if (formula.operands[0].kind == Kind::where_chosen) {
        const Formula& which = formula.operands[0].operands[1];
        const std::optional<Range> ones = range(which, true, row, first, end);
        if (!ones) return fail();
        chosen = "*" + reference(ones->from, ones->to);
        own = "*" + text(which, row, column);
    }
    const std::string sink = formula.operands.size() > 1 ? text(formula.operands[1], 0, cells_.cell().copy) : "";
    const std::string most = "MAX(" + all + (sink.empty() ? "" : "," + sink) + ")";
    const std::string rest = sink.empty() ? "" : "+EXP(" + sink + "-" + most + ")";
    return "EXP(" + text(formula.operands[0], row, column) + "-" + most + ")" + own + "/(SUMPRODUCT(EXP(" + all + "-" +
           most + ")" + chosen + ")" + rest + ")";
}

std::string CellFormula::over_heads(const Formula& formula, std::int64_t row, std::int64_t column) {
    std::string sum = "(0";
    for (std::int64_t head = 0; head < cells_.number(formula.size) && !failed_; ++head) {
        cells_.read_head(head);
        sum += "+" + text(formula.operands[0], row, column) + "*" + text(formula.operands[1], row, column);
    }
    cells_.read_head(0);
    return sum + ")";
}

// 1 where fewer than so many of the row's cells are larger, or as large and before it.
std::string CellFormula::best(const Formula& formula, std::int64_t row, std::int64_t column) {
    const Mask& mask = cells_.mask();
    const std::int64_t first = mask.first_visible(row), end = mask.end_visible(row, cells_.keys());
    if (column < first || column >= end) return "0";
    const std::optional<Range> all = range(formula.operands[0], true, row, first, end);
    if (!all) return fail();
    const std::string own = text(formula.operands[0], row, column);
    const auto how_many = [&](const Range& cells, const char* sign) {
        return "SUMPRODUCT((" + reference(cells.from, cells.to) + sign + own + ")*1)";
    };
    std::string better = how_many(*all, ">");
    if (const auto before = range(formula.operands[0], true, row, first, column); column > first && before)
        better += "+" + how_many(*before, "=");
    return "IF(" + better + "<" + std::to_string(cells_.number(formula.size)) + ",1,0)";
}

std::string CellFormula::turned(const Formula& formula, std::int64_t row, std::int64_t column) {
    const Formula& of = formula.operands[0];
    const std::optional<TurnedPair> pair = turned_pair(cells_, row, column);
    if (!pair) return text(of, row, column);
    const bool first = column == pair->first;
    return "(" + text(of, row, column) + "*" + exact(pair->cosine) + (first ? "-" : "+") +
           text(of, row, first ? pair->second : pair->first) + "*" + exact(pair->sine) + ")";
}

// Of those that the token went to in the run.
std::string CellFormula::over_experts(const Formula& formula, std::int64_t row, std::int64_t column) {
    std::string sum = "(0";
    const auto used = static_cast<std::int64_t>(cells_.experts_of(row).size());
    for (std::int64_t which = 0; which < used && !failed_; ++which) {
        cells_.read_copy(which);
        sum += "+" + text(formula.operands[0], row, column);
        if (formula.operands.size() > 1) sum += "*" + text(formula.operands[1], row, which);
    }
    cells_.read_copy(cells_.cell().copy);
    return sum + ")";
}

std::string CellFormula::applied(const Formula& formula, const std::string& x) {
    const std::string_view known = formula.function->spreadsheet;
    if (known.empty()) return fail();
    std::string written = "(";
    for (const char letter : known) written += letter == '$' ? "(" + x + ")" : std::string(1, letter);
    return written + ")";
}

std::string CellFormula::text(const Formula& formula, std::int64_t row, std::int64_t column) {
    const std::vector<Formula>& of = formula.operands;
    const auto operand = [&](std::size_t index) { return text(of[index], row, column); };
    const auto both = [&](const char* sign) { return "(" + operand(0) + sign + operand(1) + ")"; };
    switch (formula.kind) {
        case Kind::number:
        case Kind::size:
        case Kind::query_position:
        case Kind::key_position:
        case Kind::slope:
        case Kind::layer_number: return exact(cells_.at(formula, row, column));
        case Kind::sum: return both("+");
        case Kind::difference: return both("-");
        case Kind::times: return both("*");
        case Kind::over: return both("/");
        case Kind::square: return operand(0) + "^2";
        case Kind::root: return "SQRT(" + operand(0) + ")";
        case Kind::least: return "MIN(" + operand(0) + "," + operand(1) + ")";
        case Kind::most: return "MAX(" + operand(0) + "," + operand(1) + ")";
        case Kind::within: return "MAX(-" + operand(1) + ",MIN(" + operand(1) + "," + operand(0) + "))";
        case Kind::function: return applied(formula, operand(0));
        case Kind::mean:
            if (of[0].kind != Kind::square) return over_row(formula, "AVERAGE", row, column);
            return "(" + over_row(Formula(Kind::mean, {of[0].operands[0]}, formula.size), "SUMSQ", row, column) + "/" +
                   std::to_string(cells_.group(formula, column).width) + ")";
        case Kind::variance: return over_row(formula, "VARP", row, column);
        case Kind::product: return product(formula, row, column);
        case Kind::mixed_blocks: {
            const Evaluator::Blocks blocks = cells_.blocks(formula, column);
            std::string sum = "(0";
            for (std::int64_t i = 0; i < blocks.count; ++i)
                sum +=
                    "+" + text(of[0], row, blocks.column + i * blocks.step) + "*" + text(of[1], row, blocks.share + i);
            return sum + ")";
        }
        case Kind::turned: return turned(formula, row, column);
        case Kind::masked_softmax: return softmax(formula, row, column);
        case Kind::row_mean: {
            const auto [first, end] = cells_.rows_of_mean(formula);
            const std::optional<Range> all = range(of[0], false, column, first, end);
            return all ? "AVERAGE(" + reference(all->from, all->to) + ")" : fail();
        }
        case Kind::convolved: {
            const std::int64_t kernel = cells_.number(formula.size);
            std::string sum = "(0";
            for (std::int64_t j = std::max<std::int64_t>(0, kernel - 1 - row); j < kernel; ++j)
                sum += "+" + text(of[0], row - kernel + 1 + j, column) + "*" + text(of[1], j, column);
            return sum + ")";
        }
        case Kind::beside: {
            const std::int64_t own = cells_.number(formula.size);
            return column < own ? text(of[0], row, column) : text(of[1], row, column - own);
        }
        case Kind::row_before: return row == 0 ? "0" : text(of[0], row - 1, column);
        case Kind::faded: {
            if (row == 0) return operand(1);
            const std::optional<CellAt> before = placed(cells_.cell_before(row, column));
            if (!before) return fail();
            return "(" + operand(0) + "*" + reference(*before, *before) + "+SQRT(1-" + operand(0) + "^2)*" +
                   operand(1) + ")";
        }
        case Kind::over_experts: return over_experts(formula, row, column);
        case Kind::over_heads: return over_heads(formula, row, column);
        case Kind::best: return best(formula, row, column);
        case Kind::chosen:
        case Kind::weighed:
        case Kind::summed_up:
        case Kind::written_state:
        case Kind::read_state: return fail();
        default: {
            const std::optional<CellAt> cell = cell_of(formula, row, column);
            return cell ? reference(*cell, *cell) : fail();
        }
    }
}

std::optional<std::string> CellFormula::of(const Formula& right) {
    const CellAt cell = cells_.cell();
    std::string written = text(right, cell.row, cell.column);
    if (failed_ || cells_.error || written.size() > longest_formula) return std::nullopt;
    return written;
}

}  // namespace headcount
