// Walks a formula for one cell.
#include "core/runtime/evaluator.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {
namespace {

using Kind = Formula::Kind;

}  // namespace

std::int64_t Evaluator::number(const Expr& expr) const {
    const Result<std::int64_t> value = evaluate(expr, sizes_);
    return value ? *value : 0;
}

// In this cell's layer and copy: the tensor in question, or, where it comes from outside of the layer, the residual
// stream.
CellAt Evaluator::input(std::size_t index) const {
    CellAt from = cell_;
    from.tensor = node_.inputs[index];
    from.copy = 0;
    const std::optional<std::size_t> own = graph_.layer_of(node_.block);
    const BlockIndex block = graph_.tensors[from.tensor].block;
    if (!graph_.reads_stream(node_, from.tensor)) {
        if (graph_.is(block, BlockKind::head) || graph_.is(block, BlockKind::expert)) from.copy = copy_;
        if (graph_.layer_of(block) != own || !own) from.layer = 0;
        return from;
    }
    const Architecture& arch = model_.architecture;
    const bool last = graph_.reads_last_layer(node_, from.tensor);
    const LayerKind& kind = graph_.layers[*graph_.layer_of(last ? block : node_.block)].group.kind;
    const std::int64_t before = last ? stack_layers(arch, kind) : cell_.layer;
    from.layer = std::max<std::int64_t>(before - 1, 0);
    from.tensor = before == 0 ? graph_.before_layers(graph_.stack_of(block))
                              : graph_.last_of(graph_.group_of(layer_kind(arch, before - 1, kind.encoder)));
    return from;
}

CellAt Evaluator::cell_of(TensorIndex tensor, std::int64_t row, std::int64_t column) {
    const Tensor& read = graph_.tensors[tensor];
    const auto place_in = [&](const std::vector<TensorIndex>& all) {
        return static_cast<std::size_t>(std::ranges::find(all, tensor) - all.begin());
    };
    const std::size_t as_input = place_in(node_.inputs);
    const std::int64_t width = number(read.shape[read.shape.rank() - 1]);
    if (as_input < node_.inputs.size()) {
        CellAt from = input(as_input);
        from.row = row;
        from.column = width == 1 ? 0 : column;  // one number for each row
        return from;
    }
    // Which of a token's experts counts how much, where it is no input of its own.
    if (place_in(node_.parameters) == node_.parameters.size() && read.role != Role::parameter)
        return {.tensor = tensor, .layer = cell_.layer, .copy = 0, .row = row, .column = copy_};
    CellAt from{.tensor = tensor,
                .layer = graph_.layer_of(read.block) ? cell_.layer : 0,
                .copy = 0,
                .row = row,
                .column = width == 1 ? 0 : column};
    if (graph_.is(read.block, BlockKind::expert)) {
        const std::vector<std::int64_t> experts = experts_of(cell_.row);
        if (static_cast<std::size_t>(copy_) < experts.size()) from.copy = experts[static_cast<std::size_t>(copy_)];
    }
    if (read.shape.rank() == 1) from.row = 0;
    if (read.shape.rank() == 1 && graph_.is(node_.block, BlockKind::head)) from.column = cell_.copy;  // one a head
    if (node_.op != Op::norm) return from;
    from.row = read.shape.rank() == 1 ? 0 : column / width;  // a head's columns have the same weights, or each its own
    from.column = column % width;
    return from;
}

double Evaluator::value(const CellAt& cell) {
    const MatrixView view = numbers_.matrix(cell.tensor, cell.layer, cell.copy);
    const bool there = view && cell.row >= 0 && cell.column >= 0 && cell.row < view.rows && cell.column < view.columns;
    if (there) return static_cast<double>(view.at(cell.row, cell.column));
    if (error) return 0;
    const Tensor& tensor = graph_.tensors[cell.tensor];
    if (view)
        error = Error{"there is no such cell", cell_name(model_.graph, cell), ""};
    else
        error = Error{"the run has not kept " + std::string(tensor.label), tensor.id,
                      "run a smaller model, of which everything is kept"};
    return 0;
}

Operand Evaluator::operand(const CellAt& cell) { return {cell_name(model_.graph, cell), value(cell), cell}; }

Evaluator::Group Evaluator::group(const Formula& formula, std::int64_t column) const {
    const std::int64_t width = std::max<std::int64_t>(1, number(formula.size));
    return {column / width * width, width};
}

double Evaluator::average(const Formula& formula, std::int64_t row, std::int64_t column, double less, bool squared) {
    const Group columns = group(formula, column);
    double sum = 0;
    for (std::int64_t k = columns.first; k < columns.first + columns.width && !error; ++k) {
        const double value = at(formula.operands[0], row, k) - less;
        sum += squared ? value * value : value;
    }
    return sum / static_cast<double>(columns.width);
}

std::pair<std::int64_t, std::int64_t> Evaluator::rows_of_mean(const Formula& formula) const {
    const std::int64_t all = number(graph_.tensors[node_.inputs.front()].shape[0]);
    return {number(formula.size), formula.value > 0 ? static_cast<std::int64_t>(formula.value) : all};
}

Evaluator::Summed Evaluator::summed(const Formula& formula, std::int64_t row, std::int64_t column) const {
    if (node_.op == Op::mix) return {mask().first_visible(row), mask().end_visible(row, keys()), column};
    if (node_.op != Op::linear || !node_.rule<LinearRule>().head) return {0, number(formula.size), column};
    const std::int64_t head = number(*node_.rule<LinearRule>().head), first = column / head * head;
    return {first, first + head, column - first};
}

double Evaluator::product(const Formula& formula, std::int64_t row, std::int64_t column) {
    const Summed over = summed(formula, row, column);
    double sum = 0;
    for (std::int64_t k = over.first; k < over.end && !error; ++k)
        sum += at(formula.operands[0], row, k) * at(formula.operands[1], k, over.column);
    return sum;
}

Evaluator::Blocks Evaluator::blocks(const Formula& formula, std::int64_t column) const {
    const std::int64_t count = number(formula.size), all = number(graph_.tensors[node_.inputs.front()].shape[1]);
    const std::int64_t width = all / count;
    return {.count = count, .column = column % width, .step = width, .share = column / width * count};
}

double Evaluator::mixed_blocks(const Formula& formula, std::int64_t row, std::int64_t column) {
    const Blocks of = blocks(formula, column);
    double sum = 0;
    for (std::int64_t i = 0; i < of.count && !error; ++i)
        sum += at(formula.operands[0], row, of.column + i * of.step) * at(formula.operands[1], row, of.share + i);
    return sum;
}

std::optional<TurnedPair> turned_pair(const Evaluator& evaluator, std::int64_t row, std::int64_t column) {
    const auto& rule = evaluator.node().rule<Rotation>();
    const std::int64_t columns = evaluator.number(rule.columns), pairs = columns / 2;
    const std::int64_t width = evaluator.number(rule.head);
    const std::int64_t begin = column / width * width + evaluator.number(rule.first), place = column - begin;
    if (place < 0 || place >= 2 * pairs) return std::nullopt;
    const bool halves = rule.rope.pairs == RopePairs::halves;
    TurnedPair turned;
    turned.pair = halves ? place % pairs : place / 2;
    turned.first = begin + (halves ? turned.pair : 2 * turned.pair);
    turned.second = turned.first + (halves ? pairs : 1);
    turned.step = rope_angles(rule.rope, columns, evaluator.tokens())[static_cast<std::size_t>(turned.pair)];
    turned.position = rule.of(evaluator.standing(row));
    turned.angle = static_cast<double>(turned.position) * turned.step;
    turned.cosine = std::cos(turned.angle) * rule.rope.attention_factor;
    turned.sine = std::sin(turned.angle) * rule.rope.attention_factor;
    return turned;
}

double Evaluator::turned(const Formula& formula, std::int64_t row, std::int64_t column) {
    const std::optional<TurnedPair> pair = turned_pair(*this, row, column);
    if (!pair) return at(formula.operands[0], row, column);
    const double a = at(formula.operands[0], row, pair->first), b = at(formula.operands[0], row, pair->second);
    return column == pair->first ? a * pair->cosine - b * pair->sine : b * pair->cosine + a * pair->sine;
}

double Evaluator::softmax(const Formula& formula, std::int64_t row, std::int64_t column) {
    const auto& rule = node_.rule<Mask>();
    const std::int64_t first = rule.first_visible(row), end = rule.end_visible(row, keys());
    if (column < first || column >= end) return 0;
    std::vector<double> scores;
    std::size_t own = 0;
    if (!softens(formula.operands[0], row, column)) return 0;
    for (std::int64_t q = first; q < end; ++q) {
        if (q == column) own = scores.size();
        if (softens(formula.operands[0], row, q)) scores.push_back(at(formula.operands[0], row, q));
    }
    if (formula.operands.size() > 1) scores.push_back(at(formula.operands[1], 0, cell_.copy));
    const double largest = *std::ranges::max_element(scores);
    double sum = 0;
    for (const double score : scores) sum += std::exp(score - largest);
    return std::exp(scores[own] - largest) / sum;
}

double Evaluator::over_heads(const Formula& formula, std::int64_t row, std::int64_t column) {
    double sum = 0;
    for (head_ = 0; head_ < number(formula.size) && !error; ++head_)
        sum += at(formula.operands[0], row, column) * at(formula.operands[1], row, column);
    head_ = 0;
    return sum;
}

std::int64_t Evaluator::better(const Formula& best, std::int64_t row, std::int64_t key) {
    const double own = at(best.operands[0], row, key);
    std::int64_t count = 0;
    for (std::int64_t q = mask().first_visible(row); q < mask().end_visible(row, keys()) && !error; ++q) {
        const double other = at(best.operands[0], row, q);
        count += other > own || (other == own && q < key) ? 1 : 0;
    }
    return count;
}

// A table may have rows for some of the tokens alone: the others have the first.
std::int64_t Evaluator::table_row(const Formula& table, std::int64_t id) const {
    return id < number(graph_.tensors[table.tensor].shape[0]) ? id : 0;
}

std::optional<CellAt> Evaluator::shown(const Formula& formula, std::int64_t row, std::int64_t column) {
    const std::vector<Formula>& of = formula.operands;
    const auto index = static_cast<std::size_t>(row);
    switch (formula.kind) {
        case Kind::tensor: return cell_of(formula.tensor, row, column);
        case Kind::transposed: return shown(of[0], column, row);
        case Kind::rows_of:
            if (node_.op == Op::add_types) return shown(of[0], type_of(row), column);
            return shown(of[0],
                         table_row(of[0], (graph_.of_source(node_.output) ? numbers_.source : numbers_.ids)[index]),
                         column);
        case Kind::of_expert: {
            const std::vector<std::int64_t> used = experts_of(row);
            return error ? std::nullopt : shown(of[0], 0, used[static_cast<std::size_t>(column)]);
        }
        case Kind::distance: {
            const std::int64_t range = node_.rule<ScoreRule>().relative->bucket(cell_.column - cell_.row);
            const bool added = graph_.tensors[of[0].tensor].role == Role::parameter;
            return shown(of[0], range, added ? cell_.copy : column);
        }
        case Kind::first_row: return shown(of[0], 0, column);
        case Kind::inserted: {
            const std::int64_t before = number(formula.size);
            if (row < before) return shown(of[0], row, column);
            std::int64_t within = row - before;
            for (std::size_t i = 1; i < of.size(); ++i) {
                const Shape& shape = graph_.tensors[of[i].tensor].shape;
                const std::int64_t rows = shape.rank() == 1 ? 1 : number(shape[0]);
                if (within < rows) return shown(of[i], within, column);
                within -= rows;
            }
            return shown(of[0], before + within, column);
        }
        case Kind::unfolded: {
            const auto& rule = node_.rule<UnfoldRule>();
            const std::int64_t from = row * rule.stride + column % rule.kernel - rule.before;
            const Result<std::int64_t> rows = evaluate(graph_.tensors[of[0].tensor].shape[0], sizes_);
            if (from < 0 || (rows && from >= *rows)) return std::nullopt;
            return shown(of[0], from, column / rule.kernel);
        }
        case Kind::row_before: return row == 0 ? std::nullopt : shown(of[0], row - 1, column);
        case Kind::positions_of: return shown(of[0], row + number(formula.size), column);
        case Kind::columns: {
            const Shape& made = graph_.tensors[node_.output].shape;
            const std::int64_t before = node_.rule<ColumnRange>().by_layer ? cell_.layer * number(made[1]) : 0;
            return shown(of[0], row, column + number(formula.size) + before);
        }
        case Kind::paired: {
            const std::int64_t width = number(formula.size), half = number(graph_.tensors[of[0].tensor].shape[1]) / 2;
            const std::int64_t first = column / (2 * width) * width % half, within = column % (2 * width);
            return shown(of[0], row, first + within + (within < width ? 0 : half - width));
        }
        case Kind::head_columns: {
            const auto& rule = node_.rule<HeadRule>();
            return shown(of[0], row, cell_.copy / number(rule.share) * number(rule.step) + number(rule.first) + column);
        }
        case Kind::where_chosen: return shown(of[0], row, column);
        case Kind::one_of_heads:
            return shown(of[0], row, head_ * number(formula.size) + (formula.size == Expr(1) ? 0 : column));
        case Kind::spread: return shown(of[0], row, column / number(formula.size));
        case Kind::row_by_row: return shown(of[0], column / number(formula.size), column % number(formula.size));
        case Kind::beside: {
            const std::int64_t own = number(formula.size);
            return column < own ? shown(of[0], row, column) : shown(of[1], row, column - own);
        }
        case Kind::behind_earlier: return shown(of[0], row, column);
        case Kind::last_rows: {
            const bool state = graph_.tensors[node_.output].role == Role::state;
            const std::int64_t rows = state ? number(formula.size) : std::min(tokens(), number(formula.size));
            const std::int64_t from = row + tokens() - rows;
            return from < 0 ? std::nullopt : shown(of[0], from, column);
        }
        case Kind::heads: {
            const std::int64_t width = number(formula.size);
            read_copy(column / width);
            return shown(of[0], row, column % width);
        }
        default: return std::nullopt;
    }
}

double Evaluator::at(const Formula& formula, std::int64_t row, std::int64_t column) {
    const std::vector<Formula>& of = formula.operands;
    const auto operand = [&](std::size_t index) { return at(of[index], row, column); };
    switch (formula.kind) {
        case Kind::number: return formula.value;
        case Kind::size: return static_cast<double>(number(formula.size));
        case Kind::query_position: return static_cast<double>(row);
        case Kind::key_position: return static_cast<double>(column);
        case Kind::slope: return node_.rule<ScoreRule>().alibi->slopes[static_cast<std::size_t>(cell_.copy)];
        case Kind::layer_number: return static_cast<double>(cell_.layer + 1);
        case Kind::sum: return operand(0) + operand(1);
        case Kind::difference: return operand(0) - operand(1);
        case Kind::times: return operand(0) * operand(1);
        case Kind::over: return operand(0) / operand(1);
        case Kind::square: return operand(0) * operand(0);
        case Kind::root: return std::sqrt(operand(0));
        case Kind::least: return std::min(operand(0), operand(1));
        case Kind::most: return std::max(operand(0), operand(1));
        case Kind::within: return std::clamp(operand(0), -operand(1), operand(1));
        case Kind::function: return formula.function->apply(operand(0));
        case Kind::mean: return average(formula, row, column, 0, false);
        case Kind::beside: {
            const std::int64_t own = number(formula.size);
            return column < own ? at(of[0], row, column) : at(of[1], row, column - own);
        }
        case Kind::row_mean: {
            const auto [first, end] = rows_of_mean(formula);
            double sum = 0;
            for (std::int64_t each = first; each < end && !error; ++each) sum += at(of[0], each, column);
            return sum / static_cast<double>(end - first);
        }
        case Kind::variance: return average(formula, row, column, average(formula, row, column, 0, false), true);
        case Kind::product: return product(formula, row, column);
        case Kind::mixed_blocks: return mixed_blocks(formula, row, column);
        case Kind::turned: return turned(formula, row, column);
        case Kind::masked_softmax: return softmax(formula, row, column);
        case Kind::over_heads: return over_heads(formula, row, column);
        case Kind::best: {
            const bool seen = column >= mask().first_visible(row) && column < mask().end_visible(row, keys());
            return seen && better(formula, row, column) < number(formula.size) ? 1 : 0;
        }
        case Kind::chosen: return chosen(formula, row, column);
        case Kind::over_experts: return over_experts(formula, row, column);
        case Kind::convolved: return convolved(formula, row, column);
        case Kind::weighed: return weighed(formula, row, column);
        case Kind::summed_up: return summed_up(formula, row, column);
        case Kind::faded: return faded(formula, row, column);
        case Kind::written_state: return state_column(node_, tokens() - 1, column).after[static_cast<std::size_t>(row)];
        case Kind::read_state: return read_state(formula, row, column);
        default: {
            const std::optional<CellAt> cell = shown(formula, row, column);
            return cell ? value(*cell) : 0;  // a row before the first token
        }
    }
}

}  // namespace headcount
