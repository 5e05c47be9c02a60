// A number of a gradient as the sum over tokens that it is.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/train/trainer_state.hpp"

namespace headcount {
namespace {

// One of each row, named by its token; the largest first in order. `a_line`: tokens of a line.
void add_terms(Explanation& said, const GradientSum& sum, const std::vector<LineBatch>& batches, const Task& task,
               std::int64_t a_line) {
    const auto read = [&](std::size_t pass) -> const std::vector<std::int32_t>& {
        return sum.encoder ? batches[pass].source : batches[pass].ids;
    };
    const std::int64_t a_pass = std::ssize(read(0));
    for (std::size_t i = 0; i < sum.rows.size(); ++i) {
        const std::int64_t row = sum.rows[i];
        const std::int32_t id = read(static_cast<std::size_t>(row / a_pass))[static_cast<std::size_t>(row % a_pass)];
        const auto x = static_cast<double>(sum.inputs[i]), slope = static_cast<double>(sum.slopes[i]);
        said.terms.push_back(
            {.index = row,
             .factors = {{"", x, {}}, {"", slope, {}}},
             .value = x * slope,
             .name = Tokenizer::piece(task.text(&id, 1)) + " of line " + std::to_string(row / a_line + 1)});
        said.sum += x * slope;
    }
    said.largest.resize(said.terms.size());
    std::iota(said.largest.begin(), said.largest.end(), std::size_t{0});
    std::ranges::stable_sort(said.largest, [&](std::size_t a, std::size_t b) {
        return std::abs(said.terms[a].value) > std::abs(said.terms[b].value);
    });
}

}  // namespace

Result<Explanation> Trainer::explain_gradient(const CellAt& cell) {
    State& own = *state_;
    const ParameterCopy* const place = parameters().find(cell.tensor, cell.layer, cell.copy);
    const bool there = place && parameters().is_trained(cell.tensor) && cell.row >= 0 && cell.row < place->rows &&
                       cell.column >= 0 && cell.column < place->columns;
    if (!there) return Error{"there is no such gradient", "", "point at a cell of one that is shown"};
    GradientSum sum{.matrix = place->offset, .row = cell.row, .column = cell.column};
    own.pass.watch(&sum);
    const Result<double> loss = own.go_through(looked_at(), own.shown());
    own.pass.watch(nullptr);
    if (!loss) return loss.error();
    const Tensor& tensor = graph().tensors[cell.tensor];
    const bool multiplies = std::ranges::any_of(graph().nodes, [&](const Node& node) {
        return node.op == Op::linear && !node.parameters.empty() && node.parameters.front() == cell.tensor;
    });
    if (!sum.input && multiplies)
        return Error{"no token of this step has come to this expert", std::string(tensor.label),
                     "press a cell of another matrix, or step on"};
    if (!sum.input)
        return Error{"this gradient is no sum over the inputs of a linear layer", std::string(tensor.label),
                     "press a cell of a matrix that multiplies"};
    Explanation said{
        .cell = cell,
        .of = cell,
        .kept = static_cast<double>(gradient(cell.tensor, cell.layer, cell.copy).at(cell.row, cell.column))};
    const std::int64_t a_line = sum.encoder ? own.form.source : own.form.tokens;
    const auto symbol = [&](TensorIndex of) { return symbol_text(graph(), CellAt{.tensor = of, .layer = cell.layer}); };
    const auto first = looked_at() * own.settings.passes;
    std::vector<LineBatch> batches;
    for (std::int64_t i = 0; i < own.settings.passes; ++i) batches.push_back(own.batch_of(first + i));
    add_terms(said, sum, batches, own.task, a_line);
    said.what = "sum over " + grouped(std::ssize(said.terms)) + " tokens of";
    said.formula = symbol(*sum.input) + "[t, " + std::to_string(sum.turned ? cell.column : cell.row) + "] · ∂" +
                   symbol(*sum.output) + "[t, " + std::to_string(sum.turned ? cell.row : cell.column) + "]";
    said.index = "t";
    said.products = true;
    said.result = said.sum;
    if (own.settings.passes > 1) {
        said.result /= static_cast<double>(own.settings.passes);
        said.after.push_back({"over " + grouped(own.settings.passes) + " passes", {}, said.result});
    }
    return said;
}

}  // namespace headcount
