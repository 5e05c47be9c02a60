// Finds the parameter of a place by its name, and changes its numbers in a copy.
#include "core/experiment/weight_changes.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "core/base/text.hpp"

namespace headcount {
namespace {

bool is_expert(const ModelGraph& graph, TensorIndex tensor) {
    return graph.is(graph.tensors[tensor].block, BlockKind::expert);
}

// The whole of a parameter.
std::optional<ChangePlace> named(const ModelGraph& graph, TensorIndex tensor, std::int64_t layer) {
    const Tensor& parameter = graph.tensors[tensor];
    if (parameter.role != Role::parameter || parameter.view) return std::nullopt;
    return place_named(graph, tensor, layer);
}

// Rows or columns: all `count`, or the one that is named.
Result<std::pair<std::int64_t, std::int64_t>> span_of(const std::optional<std::int64_t>& named, std::int64_t count,
                                                      std::string_view thing) {
    if (!named) return std::pair(std::int64_t{0}, count);
    if (*named < count) return std::pair(*named, *named + 1);
    return Error{"there is no " + std::string(thing) + " " + grouped(*named) + " among " + grouped(count), "",
                 count == 1 ? "there is one alone, 0" : "count from 0 to " + grouped(count - 1)};
}

std::optional<Error> change_numbers(Model& model, const CellAt& at, const Change& change) {
    const ChangePlace& place = change.place;
    if (change.kind == Change::Kind::mean || change.kind == Change::Kind::patch)
        return Error{"a weight is the same for all tokens and all texts", "", "switch it off, multiply it, or set it"};
    if (place.head) return Error{"heads are columns of this matrix", "", "name a column"};
    if (place.expert && !is_expert(model.graph, at.tensor))
        return Error{"it is no expert's", "", "leave the expert out"};
    if (!place.expert && is_expert(model.graph, at.tensor))
        return Error{"each expert has its own", "", "name one, as .expert:0"};
    if (const auto copy = span_of(place.expert, model.weights.copies(at.tensor), "expert"); !copy) return copy.error();
    const MatrixView matrix = model.weights.view(at.tensor, at.layer, at.copy);
    float* const cells = model.weights.floats(at.tensor, at.layer, at.copy);
    if (!matrix || !cells) return Error{"this layer has no such weights", "", "name another layer"};
    const auto rows = span_of(place.token, matrix.rows, "row"),
               columns = span_of(place.column, matrix.columns, "column");
    if (!rows) return rows.error();
    if (!columns) return columns.error();
    const auto number = static_cast<float>(change.number);
    for (std::int64_t row = rows->first; row < rows->second; ++row)
        for (std::int64_t column = columns->first; column < columns->second; ++column) {
            float& cell = cells[matrix.offset(row, column)];
            cell = change.kind == Change::Kind::off ? 0 : change.kind == Change::Kind::put ? number : number * cell;
        }
    return std::nullopt;
}

}  // namespace

std::optional<ChangePlace> place_of_weight(const ModelGraph& graph, const CellAt& cell) {
    std::optional<ChangePlace> place = named(graph, cell.tensor, cell.layer);
    if (!place) return std::nullopt;
    if (is_expert(graph, cell.tensor)) place->expert = cell.copy;
    place->column = cell.column;
    place->token = cell.row;
    return place;
}

std::optional<CellAt> weight_at(const Architecture& arch, const ModelGraph& graph, const ChangePlace& place) {
    if (!place.is_activation()) return std::nullopt;
    const bool encoder = place.stack == ChangePlace::Stack::encoder, outside = place.layer == ChangePlace::outside;
    if (encoder && !arch.encoder) return std::nullopt;
    if (!outside && place.layer >= (encoder ? arch.encoder->layers : arch.layers)) return std::nullopt;
    const auto group = outside ? std::nullopt : std::optional(graph.group_of(layer_kind(arch, place.layer, encoder)));
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const auto tensor = static_cast<TensorIndex>(i);
        const std::optional<ChangePlace> own = named(graph, tensor, place.layer);
        if (!own || own->block != place.block || graph.layer_of(graph.tensors[i].block) != group) continue;
        if (graph.has_encoder() && (own->stack == ChangePlace::Stack::encoder) != encoder) continue;
        return CellAt{tensor, outside ? 0 : place.layer, place.expert.value_or(0), place.token.value_or(0),
                      place.column.value_or(0)};
    }
    return std::nullopt;
}

Result<std::shared_ptr<const Model>> with_changed_weights(const std::shared_ptr<const Model>& model,
                                                          std::span<const Change> changes) {
    std::shared_ptr<Model> changed;
    for (const Change& change : changes) {
        const std::optional<CellAt> at = weight_at(model->architecture, model->graph, change.place);
        if (!at) continue;
        if (!changed) {
            Result<Weights> weights = model->weights.copied();
            if (!weights) return weights.error();
            changed = std::make_shared<Model>(Model{model->architecture, model->graph, *std::move(weights)});
        }
        if (std::optional<Error> error = change_numbers(*changed, *at, change))
            return within(place_text(change.place), *std::move(error));
    }
    return changed ? std::shared_ptr<const Model>(std::move(changed)) : model;
}

}  // namespace headcount
