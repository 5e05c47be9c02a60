// A number of a gradient as the sum over tokens that it is.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/train/trainer_state.hpp"

namespace headcount {

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
    if (!sum.input)
        return Error{"this gradient is no sum over the inputs of a linear layer", std::string(tensor.label),
                     "press a cell of a matrix that multiplies"};
    Explanation said{
        .cell = cell,
        .of = cell,
        .kept = static_cast<double>(gradient(cell.tensor, cell.layer, cell.copy).at(cell.row, cell.column))};
    const std::int64_t a_line = sum.encoder ? own.form.source : own.form.tokens;
    const std::int64_t a_pass = own.settings.batch * a_line;
    const auto symbol = [&](TensorIndex of) { return symbol_text(graph(), CellAt{.tensor = of, .layer = cell.layer}); };
    const auto first = looked_at() * own.settings.passes;
    std::vector<LineBatch> batches;
    for (std::int64_t i = 0; i < own.settings.passes; ++i) batches.push_back(own.batch_of(first + i));
    for (std::size_t i = 0; i < sum.rows.size(); ++i) {
        const std::int64_t row = sum.rows[i];
        const LineBatch& batch = batches[static_cast<std::size_t>(row / a_pass)];
        const std::vector<std::int32_t>& ids = sum.encoder ? batch.source : batch.ids;
        const std::int32_t id = ids[static_cast<std::size_t>(row % a_pass)];
        const auto x = static_cast<double>(sum.inputs[i]), slope = static_cast<double>(sum.slopes[i]);
        said.terms.push_back(
            {.index = row,
             .factors = {{"", x, {}}, {"", slope, {}}},
             .value = x * slope,
             .name = Tokenizer::piece(own.task.text(&id, 1)) + " of line " + std::to_string(row / a_line + 1)});
        said.sum += x * slope;
    }
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
    said.largest.resize(said.terms.size());
    std::iota(said.largest.begin(), said.largest.end(), std::size_t{0});
    std::ranges::stable_sort(said.largest, [&](std::size_t a, std::size_t b) {
        return std::abs(said.terms[a].value) > std::abs(said.terms[b].value);
    });
    return said;
}

}  // namespace headcount
