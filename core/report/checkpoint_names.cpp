// Every tensor of a checkpoint one by one, in its order.
#include "core/report/checkpoint_names.hpp"

#include "core/base/checked.hpp"

namespace headcount {
namespace {

bool in_layers(const ModelGraph& graph, const ParameterRow& row) {
    return graph.stored[row.stored].copies == Expr(Symbol::layers);
}

}  // namespace

std::string name_in_layer(std::string name, std::string_view layer) {
    constexpr std::string_view index = "{i}";
    std::size_t at = name.find(index);
    if (at != std::string::npos) name.replace(at, index.size(), layer);
    return name;
}

std::optional<std::int64_t> tensor_count(const Parameters& parameters, const ModelGraph& graph,
                                         std::optional<std::int64_t> layer) {
    std::optional<std::int64_t> count = 0;
    for (const ParameterRow& row : parameters.tensors) {
        if (layer && !in_layers(graph, row)) continue;
        if (count) count = checked_add(*count, layer ? 1 : row.copies);
    }
    return count;
}

void for_each_tensor(const ModelGraph& graph, const Parameters& parameters, std::int64_t layers,
                     std::optional<std::int64_t> layer, const TensorVisitor& visit) {
    const std::vector<ParameterRow>& rows = parameters.tensors;
    std::size_t at = 0;
    while (at < rows.size()) {
        if (!in_layers(graph, rows[at])) {
            if (!layer && !visit(rows[at], std::nullopt)) return;
            ++at;
            continue;
        }
        // A layer's tensors stand together; the whole run is repeated for each layer.
        std::size_t end = at;
        while (end < rows.size() && in_layers(graph, rows[end])) ++end;
        for (std::int64_t i = layer.value_or(0); i < (layer ? *layer + 1 : layers); ++i)
            for (std::size_t row = at; row < end; ++row)
                if (!visit(rows[row], i)) return;
        at = end;
    }
}

}  // namespace headcount
