// headcount presets: the models that ship with the program.
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/model.hpp"
#include "core/report/json.hpp"
#include "core/report/text_table.hpp"

namespace headcount {

Failure print_presets(const PresetsArguments& arguments, std::ostream& out, Notes& said) {
    Result<std::vector<Preset>> presets = shipped_presets(&said);
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
        out << json_text(presets_json(rows));
    else
        write_text(out, presets_table(rows));
    return std::nullopt;
}

}  // namespace headcount
