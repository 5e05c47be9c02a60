// Every tensor of a checkpoint one by one, in its order.
#include "core/analysis/checkpoint_names.hpp"

#include <algorithm>
#include <span>

#include "core/base/checked.hpp"

namespace headcount {
namespace {

using Rows = std::span<const ParameterRow>;

void replace(std::string& name, std::string_view index, std::string_view with) {
    std::size_t at = name.find(index);
    if (at != std::string::npos) name.replace(at, index.size(), with);
}

// The rows of one layer: those of a group stand together.
Rows rows_of(const ModelGraph& graph, const std::vector<ParameterRow>& rows, std::size_t group) {
    auto own = [&](const ParameterRow& row) { return graph.stored[row.stored].layer == group; };
    auto first = std::find_if(rows.begin(), rows.end(), own);
    return {first, std::find_if_not(first, rows.end(), own)};
}

bool experts_of(const ModelGraph& graph, const ParameterRow& row) {
    return graph.stored[row.stored].name.find("{e}") != std::string::npos;
}

// Visits a layer's tensors: experts one after the other, each with all that is its own.
bool visit_layer(const ModelGraph& graph, Rows rows, std::int64_t layer, const TensorVisitor& visit) {
    for (std::size_t at = 0; at < rows.size();) {
        const std::int64_t repeated = rows[at].in_layer;
        std::size_t end = at + 1;
        // An expert's matrices stand together; norms of single heads one list after the other.
        while (experts_of(graph, rows[at]) && end < rows.size() && experts_of(graph, rows[end])) ++end;
        for (std::int64_t copy = 0; copy < repeated; ++copy)
            for (std::size_t row = at; row < end; ++row) {
                const TensorPlace place{layer, repeated > 1 ? std::optional(copy) : std::nullopt};
                if (!visit(rows[row], place)) return false;
            }
        at = end;
    }
    return true;
}

}  // namespace

std::string name_at(std::string name, const TensorPlace& place) {
    if (place.layer) replace(name, "{i}", std::to_string(*place.layer));
    // Of one expert the index is said too: its tensor is one of its own.
    const std::string within = std::to_string(place.within.value_or(0));
    replace(name, "{e}", within);
    replace(name, "{h}", within);
    return name;
}

std::string name_in_layer(std::string name, std::string_view layer) {
    replace(name, "{i}", layer);
    return name;
}

std::optional<std::int64_t> tensor_count(const Parameters& parameters, const Architecture& arch,
                                         const ModelGraph& graph, std::optional<std::int64_t> layer) {
    std::optional<std::int64_t> count = 0;
    for (const ParameterRow& row : parameters.tensors) {
        if (layer && graph.stored[row.stored].layer != graph.group_of(layer_kind(arch, *layer))) continue;
        if (count) count = checked_add(*count, layer ? row.in_layer : row.copies);
    }
    return count;
}

std::int64_t count_of_layer(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters,
                            std::int64_t layer) {
    return parameters.by_layer[graph.group_of(layer_kind(arch, layer))];
}

void for_each_tensor(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters,
                     std::optional<std::int64_t> layer, const TensorVisitor& visit) {
    const std::vector<ParameterRow>& rows = parameters.tensors;
    auto visit_at = [&](std::int64_t index) {
        return visit_layer(graph, rows_of(graph, rows, graph.group_of(layer_kind(arch, index))), index, visit);
    };
    if (layer) {
        visit_at(*layer);
        return;
    }
    bool layers_done = false;
    for (const ParameterRow& row : rows) {
        if (!graph.stored[row.stored].layer) {
            if (!visit(row, {})) return;
        } else if (!layers_done) {
            layers_done = true;
            for (std::int64_t index = 0; index < arch.layers; ++index)
                if (!visit_at(index)) return;
        }
    }
}

}  // namespace headcount
