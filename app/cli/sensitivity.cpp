// headcount sensitivity: what one step more of every field adds.
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/hardware.hpp"
#include "app/cli/model.hpp"
#include "app/state/session.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/csv.hpp"
#include "core/report/json.hpp"
#include "core/report/sensitivity_report.hpp"
#include "core/report/text_table.hpp"

namespace headcount {
namespace {

void write_heading(std::ostream& out, const Document& document, const Sensitivity& all, Metric by) {
    const Input& input = document.input;
    out << printable(title_of(document)) << ": what one step more of each field adds, by " << info(by).key
        << "\nT = " << grouped(input.tokens) << " tokens, B = " << grouped(input.batch) << " side by side, "
        << info(input.precision).key << "; sizes in bytes\n";
    std::string without;
    for (Field field : all.without) without += (without.empty() ? "" : ", ") + std::string(info(field).key);
    if (!without.empty()) out << "No step by itself is possible of " << without << ".\n";
    out << '\n';
}

}  // namespace

Failure print_sensitivity(const SensitivityArguments& arguments, std::ostream& out, Notes& said) {
    Result<OpenedDocument> opened = open_document(arguments.model, arguments.input, said);
    if (!opened) return opened.error();
    const Document& document = opened->document;
    const Metric by = arguments.by;
    Result<std::optional<Device>> device = read_fast_device(arguments.hardware, document.input.precision);
    if (!device) return device.error();
    if (by == Metric::seconds && !*device)
        return Error{"time is a device's", "--by, seconds", "name one, such as --hardware rtx-4090"};
    Result<Sensitivity> all = sensitivity(document.architecture, document.input, {true, {.device = *device}});
    if (!all) return in_file(document, arguments.model, all.error());
    if (arguments.json) {
        out << noted_json(sensitivity_json(*all, by), opened->notes);
    } else if (arguments.csv) {
        out << csv(sensitivity_table(*all, by));
    } else {
        write_heading(out, document, *all, by);
        write_text(out, sensitivity_table(*all, by));
    }
    return std::nullopt;
}

}  // namespace headcount
