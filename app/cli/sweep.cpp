// headcount sweep: one or two numbers along a range.
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/hardware.hpp"
#include "app/cli/model.hpp"
#include "app/state/session.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/csv.hpp"
#include "core/report/json.hpp"
#include "core/report/sweep_report.hpp"
#include "core/report/text_table.hpp"

namespace headcount {
Failure print_sweep(const SweepArguments& arguments, std::ostream& out, Notes& said) {
    Result<OpenedDocument> opened = open_document(arguments.model, arguments.input, said);
    if (!opened) return opened.error();
    const Document& document = opened->document;
    Result<std::optional<Device>> device = read_fast_device(arguments.hardware, document.input.precision);
    if (!device) return device.error();
    const PointWants wants{arguments.memory || *device, {.device = *device}};
    Result<Sweep> found = sweep(document.architecture, arguments.vary, document.input, wants);
    if (!found) return found.error();
    if (arguments.json) {
        out << noted_json(sweep_json(*found), opened->notes);
        return std::nullopt;
    }
    if (arguments.csv) {
        out << csv(sweep_table(*found));
        return std::nullopt;
    }
    const Input& input = document.input;
    out << printable(title_of(document)) << ": T = " << grouped(input.tokens) << " tokens, B = " << grouped(input.batch)
        << " side by side, " << info(input.precision).key << "; sizes in bytes";
    if (*device) out << ", time at the roof of " << printable((*device)->name);
    out << '\n';
    if (found->left_out > 0) out << grouped(found->left_out) << " of the values are not possible and left out.\n";
    if (found->too_large > 0)
        out << grouped(found->too_large)
            << " of the values make numbers that do not fit in 64 bits and are left out.\n";
    out << '\n';
    write_text(out, sweep_table(*found));
    return std::nullopt;
}

}  // namespace headcount
