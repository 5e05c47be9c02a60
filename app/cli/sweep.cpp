// headcount sweep: one or two numbers along a range.
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/documents.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/what_if_report.hpp"

namespace headcount {
namespace {

struct SweepArguments {
    ModelArguments model;
    InputArguments input;
    std::vector<ValueRange> vary;  // one or two
    bool memory = false, csv = false, json = false;
};

Failure print_sweep(const SweepArguments& arguments, Output& output) {
    Result<OpenedDocument> opened = open_document(arguments.model, output.notes, arguments.input);
    if (!opened) return opened.error();
    const Document& document = opened->document;
    if (Failure failure = no_speed(*opened)) return failure;
    const std::optional<Device>& device = opened->pass.device;
    const PointWants wants{arguments.memory || device, opened->pass};
    Result<Sweep> found = sweep(document.architecture, arguments.vary, document.input, wants);
    if (!found) return found.error();
    std::ostream& out = output.out;
    if (arguments.json) {
        out << noted_json(sweep_json(*found), *opened);
        return std::nullopt;
    }
    if (arguments.csv) {
        out << csv(sweep_table(*found));
        return std::nullopt;
    }
    out << printable(title_of(document)) << ": " << pass_words(*opened, arguments.vary) << "; sizes in bytes";
    if (device) out << ", time at the roof of " << device_words(opened->pass);
    out << '\n';
    for (const ValueRange& range : arguments.vary)
        if (!range.listed.empty() && range.listed.back() < range.to)
            out << range.key() << " ends at " << grouped(range.listed.back()) << ": the next would be beyond "
                << grouped(range.to) << ".\n";
    if (found->left_out > 0)
        out << grouped(found->left_out) << (found->left_out == 1 ? " of the values is" : " of the values are")
            << " not possible and left out.\n";
    if (found->too_large > 0)
        out << grouped(found->too_large)
            << (found->too_large == 1 ? " of the values makes numbers that do not fit in 64 bits and is left out.\n"
                                      : " of the values make numbers that do not fit in 64 bits and are left out.\n");
    out << '\n';
    write_text(out, sweep_table(*found, opened->pass.sharding));
    return std::nullopt;
}

}  // namespace

Command sweep_command() {
    const auto describe = [](CLI::App* command, SweepArguments& arguments) {
        add_model(command, arguments.model);
        add_values(
            command, "--vary", arguments.vary, "KEY=FROM..TO[:STEP]",
            "a field, tokens, source, batch or cached, and its values: layers=8..64:8, batch=1..64:x2, tokens=1k,8k; "
            "may be given twice",
            [](const std::string& text, std::string_view) { return parse_range(text); })
            ->required();
        add_input(command, arguments.input);
        command->add_flag("--memory", arguments.memory, "with the memory of inference: weights, cache, activations");
        add_csv_or_json(command, arguments.csv, arguments.json);
    };
    return make_command("sweep", "totals and memory along a range of values", describe, print_sweep);
}

}  // namespace headcount
