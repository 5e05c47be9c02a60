// headcount export: the architecture or its tables as a file, by the file's ending.
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

Result<std::string> exported_text(const CountedModel& model, const std::string& ending) {
    if (ending == ".csv") return csv(tensors_table(model.graph, model.parameters));
    if (ending == ".md") return model_markdown(model.architecture, model.graph, model.parameters);
    if (ending == ".headcount") return json_text({{"architecture", architecture_to_json(model.architecture)}});
    Result<nlohmann::ordered_json> config = write_config(model.architecture);
    if (!config) return config.error();
    return json_text(*config);
}

}  // namespace

Failure export_file(const ExportArguments& arguments, std::ostream& out, Notes& said) {
    std::filesystem::path path(arguments.output);
    std::string ending = path.extension().string();
    if (ending != ".json" && ending != ".csv" && ending != ".md" && ending != ".headcount")
        return Error{"a file of this ending cannot be exported", arguments.output,
                     "end it in .json (Hugging Face configuration), .csv, .md or .headcount"};
    Result<CountedModel> model = count_model(arguments.model, said);
    if (!model) return model.error();
    Result<std::string> text = exported_text(*model, ending);
    if (!text) return text.error();
    return write_out(*text, path, model->read, out);
}

}  // namespace headcount
