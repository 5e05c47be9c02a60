// From a session to the text of a file.
#include "app/bars/file_texts.hpp"

#include <cctype>

#include "app/bars/worksheet_texts.hpp"
#include "app/diagram/panels.hpp"
#include "core/base/text.hpp"
#include "core/files/architecture_json.hpp"
#include "core/files/config.hpp"
#include "core/report/json.hpp"
#include "core/report/model_report.hpp"
#include "core/report/table.hpp"
#include "core/report/tables.hpp"

namespace headcount {
namespace {

// "Llama 2 7B, edited" as a file's name has it: "llama-2-7b-edited".
std::string slug(std::string_view name) {
    std::string text;
    for (char c : name) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter) || c == '.' || letter >= 0x80)
            text += lower(c);
        else if (!text.empty() && text.back() != '-')
            text += '-';
    }
    while (!text.empty() && (text.back() == '-' || text.back() == '.')) text.pop_back();
    constexpr std::size_t longest = 80;
    if (text.size() > longest) text.resize(longest);
    return text.empty() ? "model" : text;
}

}  // namespace

std::string proposed_name(const Session& session, FileTask task) {
    if (task == FileTask::config) return "config.json";
    if (is_sheet_task(task)) return slug(sheet_file_name(session, task)) + std::string(info(task).ending);
    if (!session.view.chart.name.empty()) return slug(session.view.chart.name) + std::string(info(task).ending);
    const std::string name = slug(title_of(session.document));
    return name + (task == FileTask::csv ? "-tensors" : "") + std::string(info(task).ending);
}

Result<std::string> file_text(const Ui& ui, const Session& session, FileTask task) {
    const Counted& shown = session.derived.shown;
    const Architecture& arch = session.document.architecture;
    if (is_sheet_task(task)) return sheet_file_text(ui, session, task);
    if (task == FileTask::chart_csv || task == FileTask::chart_svg) return session.view.chart.text;
    // The document's own, or nothing: what is shown in its place would be another model.
    if (!session.derived.current && task != FileTask::save && task != FileTask::svg) {
        const bool problem = !session.derived.problems.empty();
        return problem ? session.derived.problems.front().error : session.derived.errors.front();
    }
    switch (task) {
        case FileTask::save:
            return json_text({{"architecture", architecture_to_json(arch)}});
        case FileTask::config: {
            Result<nlohmann::ordered_json> config = write_config(arch);
            return config ? Result<std::string>(json_text(*config)) : config.error();
        }
        case FileTask::csv:
            return csv(tensors_table(shown.graph, shown.parameters));
        case FileTask::json: {
            auto json = model_json(arch, shown.graph, shown.parameters, shown.activations, shown.bindings);
            return json ? Result<std::string>(json_text(*json)) : json.error();
        }
        case FileTask::markdown:
            return model_markdown(arch, shown.graph, shown.parameters);
        case FileTask::svg: {
            const Result<DiagramOf> of = diagram_in_view(session);
            return of ? canvas_svg(ui, *of) : Result<std::string>(of.error());
        }
        case FileTask::open:
        case FileTask::open_other:
        case FileTask::png:
        case FileTask::chart_csv:
        case FileTask::chart_svg:
        case FileTask::chart_png:
        case FileTask::sheet_html:
        case FileTask::key_html:
        case FileTask::sheet_markdown:
        case FileTask::answers_csv:
        case FileTask::answers_json:
        case FileTask::answers_markdown:
            break;
    }
    return Error{"there is no text to save", "", ""};
}

}  // namespace headcount
