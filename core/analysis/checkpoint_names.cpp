// Every tensor of a checkpoint one by one, in its order.
#include "core/analysis/checkpoint_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/checked.hpp"

namespace headcount {
namespace {

using Rows = std::vector<const ParameterRow*>;

void replace(std::string& name, std::string_view index, std::string_view with) {
    std::size_t at = name.find(index);
    if (at != std::string::npos) name.replace(at, index.size(), with);
}

// The rows of one layer.
Rows rows_of(const ModelGraph& graph, const std::vector<ParameterRow>& rows, std::size_t group) {
    Rows own;
    for (const ParameterRow& row : rows)
        if (graph.stored[row.stored].layer == group) own.push_back(&row);
    return own;
}

bool experts_of(const ModelGraph& graph, const ParameterRow& row) {
    return graph.stored[row.stored].name.find("{e}") != std::string::npos;
}

// Visits a layer's tensors: experts one after the other, each with all that is its own.
bool visit_layer(const ModelGraph& graph, const Rows& rows, std::int64_t layer, const TensorVisitor& visit) {
    for (std::size_t at = 0; at < rows.size();) {
        const std::int64_t repeated = rows[at]->in_layer;
        std::size_t end = at + 1;
        // An expert's matrices stand together; norms of single heads one list after the other.
        while (experts_of(graph, *rows[at]) && end < rows.size() && experts_of(graph, *rows[end])) ++end;
        for (std::int64_t copy = 0; copy < repeated; ++copy)
            for (std::size_t row = at; row < end; ++row) {
                const TensorPlace place{layer, repeated > 1 ? std::optional(copy) : std::nullopt};
                if (!visit(*rows[row], place)) return false;
            }
        at = end;
    }
    return true;
}

// Behind what each layer of a tower has beside the row's tensor; of others, behind the row.
std::size_t end_of_tower_layer(const ModelGraph& graph, const std::vector<ParameterRow>& rows, std::size_t at) {
    const auto block = [&](std::size_t row) {
        return graph.tensors[graph.stored[rows[row].stored].parts.front()].block;
    };
    std::size_t end = at + 1;
    if (rows[at].copies == 1) return end;
    while (end < rows.size() && block(end) == block(at)) ++end;
    return end;
}

}  // namespace

std::string name_at(std::string name, const TensorPlace& place) {
    if (place.layer) replace(name, "{i}", std::to_string(*place.layer));
    // Of one expert the index is said too: its tensor is one of its own.
    const std::string within = std::to_string(place.within.value_or(0));
    replace(name, "{e}", within);
    replace(name, "{h}", within);
    replace(name, "{n}", within);
    return name;
}

std::string name_in_layer(std::string name, std::string_view layer) {
    replace(name, "{i}", layer);
    return name;
}

std::vector<std::string> piece_names(const StoredTensor& tensor, const std::string& name) {
    std::vector<std::string> names;
    const std::size_t end = name.rfind('.');
    const std::size_t begin = end == std::string::npos || end == 0 ? 0 : name.rfind('.', end - 1) + 1;
    for (const std::string_view piece : tensor.pieces)
        if (!piece.empty()) names.push_back(std::string(name).replace(begin, end - begin, piece));
    return names;
}

bool alike_beyond_rows(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
    return !a.empty() && !b.empty() && std::ranges::equal(a.subspan(1), b.subspan(1));
}

std::optional<std::int64_t> tensor_count(const Parameters& parameters, const Architecture& arch,
                                         const ModelGraph& graph, std::optional<std::int64_t> layer) {
    std::optional<std::int64_t> count = 0;
    for (const ParameterRow& row : parameters.tensors) {
        const std::optional<std::size_t> group = graph.stored[row.stored].layer;
        if (layer && !(group && is_of_kind(arch, *layer, graph.layers[*group].group.kind))) continue;
        if (count) count = checked_add(*count, layer ? row.in_layer : row.copies);
    }
    return count;
}

std::vector<std::int64_t> counts_of_layers(const Architecture& arch, const ModelGraph& graph,
                                           const Parameters& parameters) {
    const LayerKinds kinds(arch);
    std::vector<std::int64_t> counts;
    counts.reserve(static_cast<std::size_t>(arch.layers));
    for (std::int64_t layer = 0; layer < arch.layers; ++layer)
        counts.push_back(parameters.by_layer[graph.group_of(kinds[layer])]);
    return counts;
}

void for_each_tensor(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters,
                     std::optional<std::int64_t> layer, const TensorVisitor& visit) {
    const std::vector<ParameterRow>& rows = parameters.tensors;
    const auto visit_at = [&](const LayerKinds& kinds, std::int64_t index) {
        const LayerKind kind = kinds[index];
        if (index >= stack_layers(arch, kind)) return true;
        return visit_layer(graph, rows_of(graph, rows, graph.group_of(kind)), index, visit);
    };
    if (layer) {
        if (!arch.encoder || visit_at(LayerKinds(arch, true), *layer)) visit_at(LayerKinds(arch), *layer);
        return;
    }
    std::array<bool, 2> done{};
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const ParameterRow& row = rows[at];
        const std::optional<std::size_t> group = graph.stored[row.stored].layer;
        if (!group) {
            const std::size_t end = end_of_tower_layer(graph, rows, at);
            for (std::int64_t copy = 0; copy < row.copies; ++copy)
                for (std::size_t i = at; i < end; ++i)
                    if (!visit(rows[i], {{}, row.copies > 1 ? std::optional(copy) : std::nullopt})) return;
            at = end - 1;
            continue;
        }
        const LayerKind& kind = graph.layers[*group].group.kind;
        if (std::exchange(done[kind.encoder], true)) continue;
        const LayerKinds kinds(arch, kind.encoder);
        for (std::int64_t index = 0; index < stack_layers(arch, kind); ++index)
            if (!visit_at(kinds, index)) return;
    }
}

}  // namespace headcount
