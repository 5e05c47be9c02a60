// One model's tables, one after the other.
#include "core/report/model_report.hpp"

#include "core/base/markup.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/tables.hpp"

namespace headcount {
std::string model_markdown(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters) {
    return "# " + markdown_line(arch.name) + "\n\n## Architecture\n\n" + markdown(architecture_table(arch)) +
           "\n## Parameters\n\n" + markdown(parameters_table(graph, parameters)) + "\n## Tensors\n\n" +
           markdown(tensors_table(graph, parameters));
}

Result<nlohmann::ordered_json> model_json(const Architecture& arch, const ModelGraph& graph,
                                          const Parameters& parameters, std::span<const ActivationRow> rows,
                                          const Bindings& bindings) {
    Result<nlohmann::ordered_json> json = count_json(arch, graph, parameters);
    if (!json) return json;
    nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
    for (const ParameterRow& row : parameters.tensors) {
        const StoredTensor& tensor = graph.stored[row.stored];
        nlohmann::ordered_json symbols = nlohmann::ordered_json::array();
        for (const Expr& dimension : tensor.shape.dimensions()) symbols.push_back(in_symbols(dimension));
        tensors.push_back({{"name", tensor.name},
                           {"symbols", std::move(symbols)},
                           {"shape", row.shape},
                           {"count", row.count},
                           {"copies", row.copies},
                           {"total", row.total},
                           {"component", component_key(tensor.component)}});
    }
    (*json)["tensors"] = std::move(tensors);
    (*json)["activations"] = shapes_json(graph, rows, bindings);
    return json;
}

}  // namespace headcount
