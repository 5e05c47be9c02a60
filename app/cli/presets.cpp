// headcount presets: the models that ship with the program.
#include "core/files/presets.hpp"

#include <ostream>

#include "app/cli/options.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

struct PresetsArguments {
    bool json = false;
};

Failure print_presets(const PresetsArguments& arguments, Output& output) {
    Result<std::vector<Preset>> presets = shipped_presets(&output.notes);
    if (!presets) return presets.error();
    std::vector<PresetRow> rows;
    for (const Preset& preset : *presets) {
        Result<CountedModel> model = count_model(preset.architecture);
        if (!model) return within(preset.id, model.error());
        rows.push_back({.id = preset.id,
                        .name = preset.architecture.name,
                        .family = preset.group,
                        .year = preset.year,
                        .total = model->parameters.total,
                        .source = preset.source,
                        .note = preset.note});
    }
    if (arguments.json)
        output.out << json_text(presets_json(rows));
    else
        write_text(output.out, presets_table(rows));
    return std::nullopt;
}

}  // namespace

Command presets_command() {
    const auto describe = [](CLI::App* command, PresetsArguments& arguments) { add_json(command, arguments.json); };
    return make_command("presets", "list the models that ship with Headcount", describe, print_presets);
}

}  // namespace headcount
