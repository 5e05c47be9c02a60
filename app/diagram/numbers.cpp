// Finds a tensor's numbers in the run.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/canvas/arrange/layout.hpp"
#include "app/diagram/panels.hpp"
#include "app/diagram/view.hpp"
#include "app/parts/words.hpp"
#include "app/state/run/snapshot.hpp"

namespace headcount {
namespace {

// The layer whose numbers stand for all of its kind.
std::int64_t layer_of(const RunValues& values, std::string_view layer, std::int64_t looked_at) {
    const Model& model = values.model();
    for (const LayerBlock& group : model.graph.layers)
        if (group.group.kind.encoder && model.graph.blocks[group.block].id == layer)
            return std::clamp<std::int64_t>(looked_at, 0, group.group.count - 1);
    const auto is_one = [&](std::int64_t each) {
        const LayerKind kind = layer_kind(model.architecture, each);
        return std::ranges::any_of(model.graph.layers, [&](const LayerBlock& group) {
            return group.group.kind == kind && model.graph.blocks[group.block].id == layer;
        });
    };
    if (looked_at >= 0 && looked_at < values.layers() && is_one(looked_at)) return looked_at;
    for (std::int64_t each = 0; each < values.layers(); ++each)
        if (is_one(each)) return each;
    return 0;
}

MatrixView matrix_of(const RunSnapshot& run, std::string_view id, std::int64_t layer, std::int64_t copy) {
    const RunValues& values = *run.values;
    const ModelGraph& graph = values.model().graph;
    const Tensor* const tensor = graph.find(id);
    if (!tensor) return {};
    const TensorIndex index = index_of(graph, *tensor);
    const bool layered = graph.layer_of(tensor->block).has_value();
    const bool parameter = tensor->role == Role::parameter || tensor->role == Role::buffer;
    const bool expert = graph.is(tensor->block, BlockKind::expert);
    const std::int64_t own = graph.is(tensor->block, BlockKind::head) || expert ? copy : 0;
    const std::int64_t of_layer = layered ? layer : 0;
    if (parameter) return values.parameter(index, of_layer, own);
    MatrixView made = values.activation(index, of_layer, own);
    // The newest token's, which comes last: in a window of one token there is no other.
    if (made && not_there(run, index, of_layer) && --made.rows <= 0) return {};
    return made;
}

// The greatest magnitude; of very large ones the first rows say what is large.
float largest_in(const CellNumbers& numbers) {
    constexpr std::int64_t most = 1 << 16;
    const std::int64_t rows =
        std::clamp<std::int64_t>(most / std::max<std::int64_t>(1, numbers.columns), 1, numbers.rows);
    float limit = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        if (!numbers.has(row, 0)) continue;
        for (std::int64_t column = 0; column < numbers.columns; ++column)
            if (const float size = std::abs(numbers.at(row, column)); std::isfinite(size))
                limit = std::max(limit, size);
    }
    return limit;
}

// What an expert has made has a row for each token, of which those that are sent to others are empty.
CellNumbers numbers_of_expert(const std::shared_ptr<const RunSnapshot>& run, const Tensor& tensor, std::int64_t layer,
                              std::int64_t expert) {
    const RunValues& values = *run->values;
    const TensorIndex index = index_of(values.model().graph, tensor);
    const MatrixView any = values.activation(index, layer, 0);
    const auto row_of = [run, index, layer, expert](std::int64_t row) {
        const std::optional<std::int64_t> which = run->values->which({index, layer, expert, row, 0});
        return which ? run->values->activation(index, layer, *which) : MatrixView{};
    };
    return {any.rows - (not_there(*run, index, layer) ? 1 : 0),
            any.columns,
            0,
            [row_of](std::int64_t row, std::int64_t column) { return row_of(row).at(row, column); },
            values.model().graph.of_source(index) ? std::ssize(values.source()) : values.tokens(),
            [row_of](std::int64_t row, std::int64_t) { return bool(row_of(row)); }};
}

// The last run, where it is of the model that is shown.
std::shared_ptr<const RunSnapshot> run_shown(const DiagramOf& diagram) {
    const std::shared_ptr<const RunSnapshot> run = diagram.run;
    const bool own = run && run->values && run->values->model().architecture == diagram.counted().architecture;
    return own ? run : nullptr;
}

// Whether its rows are those that are drawn: not of a pass behind cached tokens, or of one of other tokens.
bool has_these_rows(const RunSnapshot& run, const Input& drawn) {
    const std::int64_t source = std::ssize(run.values->source());
    return drawn.cached == 0 && drawn.tokens == run.values->tokens() && (source == 0 || drawn.source == source);
}

}  // namespace

std::optional<RunTokens> tokens_of_run(const DiagramOf& diagram) {
    const std::shared_ptr<const RunSnapshot> run = run_shown(diagram);
    if (!run) return std::nullopt;
    return RunTokens{run->values->tokens(), has_these_rows(*run, diagram.counted().input)};
}

std::string token_of_run(const DiagramOf& diagram, std::int64_t position) {
    const std::shared_ptr<const RunSnapshot> run = run_shown(diagram);
    if (!run || position < 0 || position >= std::ssize(run->tokens)) return {};
    return "“" + chip_text(run->tokens[static_cast<std::size_t>(position)].text) + "”";
}

std::optional<ValuesShown> values_of_run(const DiagramOf& diagram) {
    const std::shared_ptr<const RunSnapshot> run = run_shown(diagram);
    if (!run) return std::nullopt;
    ValuesShown values;
    const ModelGraph& graph = run->values->model().graph;
    for (const LayerBlock& group : graph.layers) {
        const std::string& block = graph.blocks[group.block].id;
        values.layers.emplace(block, layer_of(*run->values, block, diagram.view.run.layer));
    }
    if (!run->tokenizer || !has_these_rows(*run, diagram.counted().input)) return values;
    const std::vector<RunToken>& tokens = run->tokens;
    for (std::size_t i = 0; i < std::min(tokens.size(), token_chips_shown); ++i)
        values.first.push_back(chip_text(tokens[i].text));
    values.last = chip_text(tokens.back().text);
    return values;
}

std::function<std::string(std::int64_t)> words_of_run(const DiagramOf& diagram) {
    const std::shared_ptr<const RunSnapshot> run = run_shown(diagram);
    if (!run || !run->tokenizer || !has_these_rows(*run, diagram.counted().input)) return {};
    return [run](std::int64_t position) {
        const bool read = position >= 0 && position < std::ssize(run->tokens);
        return read ? chip_text(run->tokens[static_cast<std::size_t>(position)].text) : std::string();
    };
}

NumberSource numbers_of_run(const DiagramOf& diagram, NumberLimits* limits) {
    const std::shared_ptr<const RunSnapshot> run = run_shown(diagram);
    if (!run) return {};
    const auto find = [run, looked_at = diagram.view.run.layer,
                       others = !has_these_rows(*run, diagram.counted().input)](
                          std::string_view id, std::int64_t copy) -> std::optional<CellNumbers> {
        const ModelGraph& graph = run->values->model().graph;
        const Tensor* const tensor = graph.find(id);
        if (!tensor || (others && has_row_for_each_token(*tensor))) return std::nullopt;
        const std::int64_t layer = layer_of(*run->values, layer_with(graph, id), looked_at);
        if (graph.is(tensor->block, BlockKind::expert) && is_computed(tensor->role)) {
            CellNumbers made = numbers_of_expert(run, *tensor, layer, copy);
            return made.rows > 0 ? std::optional(std::move(made)) : std::nullopt;
        }
        const MatrixView view = matrix_of(*run, id, layer, copy);
        if (!view) return std::nullopt;
        return CellNumbers{view.rows, view.columns, 0,
                           [run, view](std::int64_t row, std::int64_t column) { return view.at(row, column); },
                           run->values->tokens()};
    };
    const auto limit = [run, limits](std::string_view id, std::int64_t copy, const CellNumbers& numbers) {
        NumberLimits none;
        const auto [found, is_new] = (limits ? *limits : none).try_emplace({std::string(id), copy});
        if (is_new) found->second = largest_in(numbers);
        return found->second;
    };
    // One scale for all: the greatest of what is drawn of this layer; of experts the first stands for all.
    const auto limit_of_all = [run, find, limit, limits] {
        NumberLimits none;
        const auto [found, is_new] = (limits ? *limits : none).try_emplace({std::string(), 0});
        if (!is_new) return found->second;
        float most = 0;
        for (const Tensor& tensor : run->values->model().graph.tensors)
            for (std::int64_t copy = 0; const auto numbers = find(tensor.id, copy); ++copy) {
                most = std::max(most, limit(tensor.id, copy, *numbers));
                if (!run->values->model().graph.is(tensor.block, BlockKind::head)) break;
            }
        return found->second = most;
    };
    return [find, limit, limit_of_all, shared = diagram.view.run.shared_scale, made = diagram.made](
               std::string_view id, std::int64_t copy) -> std::optional<CellNumbers> {
        std::optional<CellNumbers> numbers = find(id, copy);
        if (!numbers) return numbers;
        numbers->largest = shared ? limit_of_all() : limit(id, copy, *numbers);
        std::function<bool(std::int64_t, std::int64_t)> by_now;
        if (made) by_now = made(id);
        if (!by_now) return numbers;
        numbers->has_cell = [all = std::move(numbers->has_cell), by_now = std::move(by_now)](std::int64_t row,
                                                                                             std::int64_t column) {
            return (!all || all(row, column)) && by_now(row, column);
        };
        return numbers;
    };
}

}  // namespace headcount
