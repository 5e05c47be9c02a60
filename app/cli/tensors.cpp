// headcount tensors: what the checkpoint holds, as a list.
#include <array>
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/analysis/checkpoint_names.hpp"
#include "core/analysis/tensor_formats.hpp"
#include "core/base/text.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/tables.hpp"

namespace headcount {
namespace {

struct TensorsArguments {
    ModelArguments model;
    InputArguments input;
    std::optional<std::int64_t> layer;
    bool json = false;
};

// Of the longer of two stacks.
std::int64_t most_layers(const Architecture& arch) {
    return std::max(arch.layers, arch.encoder ? arch.encoder->layers : 0);
}

Failure no_layer(std::int64_t layer, std::int64_t layers) {
    if (layer < layers) return std::nullopt;
    return Error{"there is no layer " + grouped(layer), "--layer", "the layers are 0 to " + grouped(layers - 1)};
}

// Row by row: however many layers there are, no more than one row is held.
void write_list(std::ostream& out, const CountedModel& model, std::optional<std::int64_t> layer,
                const TensorFormats* formats, std::string_view sign) {
    // The last layer's names are the longest, and those of its last expert.
    Table longest{single_tensor_columns(), {}};
    if (formats) longest.columns.insert(longest.columns.end(), {{"format"}, figures("bytes")});
    // All copies of a tensor differ in their names alone, and in formats where these go by layer.
    std::vector<std::vector<ReportCell>> rows(model.parameters.tensors.size());
    const auto row_of = [&](const ParameterRow& row, const TensorPlace& place) {
        std::vector<ReportCell>& first = rows[static_cast<std::size_t>(&row - model.parameters.tensors.data())];
        if (first.empty()) first = single_tensor_row(model.graph, row, place);
        std::vector<ReportCell> cells = first;
        cells.front() = name_at(model.graph.stored[row.stored].name, place);
        if (formats) {
            const std::optional<StoredAs> stored = formats->of(row, place);
            cells.emplace_back(stored ? stored->format : "");
            cells.push_back(stored ? ReportCell(stored->bytes) : ReportCell(std::string("beyond 64 bits")));
        }
        mark(longest.columns, cells, sign);
        return cells;
    };
    const std::int64_t last = most_layers(model.architecture) - 1;
    for (const ParameterRow& row : model.parameters.tensors)
        longest.rows.push_back(row_of(row, {layer.value_or(last), row.in_layer - 1}));
    Widths widths = widths_of(longest);
    write_heading(out, longest.columns, widths);
    for_each_tensor(model.architecture, model.graph, model.parameters, layer,
                    [&](const ParameterRow& row, const TensorPlace& place) {
                        write_row(out, longest.columns, widths, row_of(row, place));
                        return out.good();
                    });
}

Failure print_tensors(const TensorsArguments& arguments, Output& output) {
    const Result<CountedDocument> counted = count_document(arguments.model, output.notes, arguments.input);
    if (!counted) return counted.error();
    const CountedModel& model = counted->model;
    const std::optional<std::int64_t>& layer = arguments.layer;
    if (const Failure failure = no_layer(layer.value_or(0), most_layers(model.architecture))) return failure;
    std::optional<TensorFormats> formats;
    if (arguments.input.precision) formats.emplace(model);
    const TensorFormats* const wanted = formats ? &*formats : nullptr;
    if (!arguments.json) {
        write_list(output.out, model, layer, wanted, doubt_sign(counted->doubt));
        return std::nullopt;
    }
    const Result<std::int64_t> written =
        write_tensors_json(output.out, model.architecture, model.graph, model.parameters,
                           {.layer = layer, .formats = wanted, .verified = counted->doubt.empty()});
    return written ? std::nullopt : Failure(written.error());
}

}  // namespace

Command tensors_command() {
    const auto describe = [](CLI::App* command, TensorsArguments& arguments) {
        add_model(command, arguments.model);
        add_input(command, arguments.input, std::array{InputWord::dtype});
        add_whole(command, "--layer", arguments.layer, "N", "the tensors of this layer only, counted from 0", 0);
        add_json(command, arguments.json);
    };
    return make_command("tensors", "list every parameter tensor of the checkpoint", describe, print_tensors);
}

}  // namespace headcount
