// headcount export: the architecture or its tables as a file.
#include <array>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/files/config.hpp"
#include "core/files/documents.hpp"
#include "core/files/saved_model.hpp"
#include "core/report/json.hpp"
#include "core/report/page.hpp"
#include "core/report/table.hpp"
#include "core/report/tables.hpp"

namespace headcount {
namespace {

enum class ExportFormat { json, csv, md, headcount };
constexpr std::array<FileFormat, 4> export_formats{
    {{"json", "Hugging Face configuration"}, {"csv", "tensors"}, {"md", "tables"}, {"headcount", "every field"}}};

struct ExportArguments {
    ModelArguments model;
    OutputArguments output;
};

Result<std::string> exported_text(const CountedDocument& counted, ExportFormat format) {
    const CountedModel& model = counted.model;
    const std::string title = title_of(counted.document);
    if (format == ExportFormat::csv)
        return csv(tensors_table(model.graph, model.parameters), title_as_known(counted.document));
    if (format == ExportFormat::md)
        return markdown(
            marked(model_page(title, model.architecture, model.graph, model.parameters), doubt_sign(counted.doubt)));
    if (format == ExportFormat::headcount)
        return json_text(saved_model_json({.architecture = model.architecture,
                                           .notes = counted.notes,
                                           .precision = counted.document.stored,
                                           .weights_doubt = counted.weights_doubt,
                                           .cache = counted.document.input.cache}));
    Result<nlohmann::ordered_json> config = write_config(model.architecture);
    if (!config) return config.error();
    return json_text(*config);
}

Failure export_file(const ExportArguments& arguments, Output& output) {
    const Result<CountedDocument> counted = count_document(arguments.model, output.notes);
    if (!counted) return counted.error();
    const Result<std::string> text =
        exported_text(*counted, static_cast<ExportFormat>(arguments.output.format.value_or(0)));
    if (!text) return text.error();
    return write_out(*text, arguments.output.file, counted->read, output.out);
}

}  // namespace

Command export_command() {
    const auto describe = [](CLI::App* command, ExportArguments& arguments) {
        add_model(command, arguments.model);
        add_output(command, arguments.output, export_formats)->required();
        add_rule(command, [&arguments] { return settle(arguments.output, export_formats); });
    };
    return make_command("export", "write the architecture or its tables to a file", describe, export_file);
}

}  // namespace headcount
