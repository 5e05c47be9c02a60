// headcount tensors and headcount tree: what the checkpoint holds, as a list and as modules.
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/model.hpp"
#include "core/analysis/checkpoint_names.hpp"
#include "core/base/text.hpp"
#include "core/report/json.hpp"
#include "core/report/tables.hpp"
#include "core/report/text_table.hpp"
#include "core/report/tree.hpp"

namespace headcount {
namespace {

Failure no_layer(std::int64_t layer, std::int64_t layers) {
    if (layer < layers) return std::nullopt;
    return Error{"there is no layer " + grouped(layer), "--layer", "the layers are 0 to " + grouped(layers - 1)};
}

// Row by row: however many layers there are, no more than one row is held.
void write_list(std::ostream& out, const CountedModel& model, std::optional<std::int64_t> layer) {
    // The last layer's names are the longest, and those of its last expert.
    Table longest{single_tensor_columns(), {}};
    for (const ParameterRow& row : model.parameters.tensors)
        longest.rows.push_back(
            single_tensor_row(model.graph, row, {layer.value_or(model.architecture.layers - 1), row.in_layer - 1}));
    Widths widths = widths_of(longest);
    write_heading(out, longest.columns, widths);
    for_each_tensor(model.architecture, model.graph, model.parameters, layer,
                    [&](const ParameterRow& row, const TensorPlace& place) {
                        write_row(out, longest.columns, widths, single_tensor_row(model.graph, row, place));
                        return out.good();
                    });
}

}  // namespace

Failure print_tensors(const TensorsArguments& arguments, std::ostream& out, Notes& said) {
    Result<OpenedModel> model = open_model(arguments.model, said);
    if (!model) return model.error();
    const std::optional<std::int64_t>& layer = arguments.layer;
    if (const Failure failure = no_layer(layer.value_or(0), model->architecture.layers)) return failure;
    if (!arguments.json) {
        write_list(out, *model, layer);
        return std::nullopt;
    }
    Result<std::int64_t> written = write_tensors_json(out, model->architecture, model->graph, model->parameters, layer);
    return written ? std::nullopt : Failure(written.error());
}

Failure print_tree(const TreeArguments& arguments, std::ostream& out, Notes& said) {
    Result<OpenedModel> model = open_model(arguments.model, said);
    if (!model) return model.error();
    out << module_tree(model->architecture, model->graph, model->parameters, {arguments.base, arguments.counts});
    return std::nullopt;
}

}  // namespace headcount
