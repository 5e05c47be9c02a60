// headcount export: the architecture or its tables as a file.
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/model.hpp"
#include "app/cli/output.hpp"
#include "core/files/architecture_json.hpp"
#include "core/files/config.hpp"
#include "core/report/csv.hpp"
#include "core/report/json.hpp"
#include "core/report/model_report.hpp"
#include "core/report/tables.hpp"

namespace headcount {
namespace {

Result<std::string> exported_text(const CountedModel& model, ExportFormat format) {
    if (format == ExportFormat::csv) return csv(tensors_table(model.graph, model.parameters));
    if (format == ExportFormat::md) return model_markdown(model.architecture, model.graph, model.parameters);
    if (format == ExportFormat::headcount)
        return json_text({{"architecture", architecture_to_json(model.architecture)}});
    Result<nlohmann::ordered_json> config = write_config(model.architecture);
    if (!config) return config.error();
    return json_text(*config);
}

}  // namespace

Failure export_file(const ExportArguments& arguments, std::ostream& out, Notes& said) {
    Result<OpenedModel> model = open_model(arguments.model, said);
    if (!model) return model.error();
    Result<std::string> text = exported_text(*model, arguments.output.format.value_or(ExportFormat::json));
    if (!text) return text.error();
    return write_out(*text, arguments.output.file, model->read, out);
}

}  // namespace headcount
