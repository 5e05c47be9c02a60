// headcount compute: how much arithmetic a model takes, and how fast a device could be at it.
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/hardware.hpp"
#include "app/cli/model.hpp"
#include "app/state/session.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/compute_report.hpp"
#include "core/report/json.hpp"
#include "core/report/text_table.hpp"

namespace headcount {
namespace {

// The last of T tokens, the others in the cache.
Result<FastestPass> decode_work(const Document& document, const WorkOptions& options, const std::optional<Roof>& roof) {
    Input input = document.input;
    input.cached = input.tokens - 1;
    input.tokens = 1;
    const Architecture& arch = document.architecture;
    const ModelGraph graph = expand(arch, input.cached > 0 ? Cache::filled : Cache::empty);
    return fastest_pass(arch, graph, bindings(arch, input), options, roof);
}

Result<Passes> passes_of(const Document& document, const CountedModel& model, WorkOptions options,
                         const std::optional<Roof>& roof) {
    const Input& input = document.input;
    Result<FastestPass> decode = decode_work(document, options, roof);
    if (!decode) return decode.error();
    options.trained = true;
    Result<FastestPass> prefill = fastest_pass(document.architecture, model.graph, model.bindings, options, roof);
    if (!prefill) return prefill.error();
    PassWork train = training_work(prefill->pass);
    return Passes{std::move(prefill->pass),          std::move(decode->pass),    std::move(train),
                  std::move(decode->anew),           input.tokens * input.batch, input.batch,
                  model.parameters.active_multiplied};
}

void write_heading(std::ostream& out, const Document& document, const Machine& machine) {
    const Input& input = document.input;
    out << printable(title_of(document)) << ": T = " << grouped(input.tokens) << " tokens, B = " << grouped(input.batch)
        << " side by side, " << info(input.precision).key;
    if (machine.device)
        out << ", at the roof of " << printable(machine.device->name) << ": " << flop_text(machine.roof->flops)
            << "/s, " << factor_text(machine.roof->bandwidth / 1e9) << " GB/s";
    out << "\n\n";
}

}  // namespace

Failure print_compute(const ComputeArguments& arguments, std::ostream& out, Notes& said) {
    Result<CountedDocument> model = count_document(arguments.model, arguments.input, said);
    if (!model) return model.error();
    const Document& document = model->document;
    const Precision precision = document.input.precision;
    Result<Machine> machine = read_machine(arguments.hardware, precision);
    if (!machine) return machine.error();
    Result<Passes> passes = passes_of(document, model->counted, {precision, default_cache(precision)}, machine->roof);
    if (!passes) return in_file(document, arguments.model, passes.error());
    const ModelGraph& graph = model->counted.graph;
    if (arguments.json) {
        out << noted_json(compute_json(graph, *passes, machine->roof, machine->device), model->counted.notes);
        return std::nullopt;
    }
    write_heading(out, document, *machine);
    write_text(out, passes_table(*passes, machine->roof));
    if (passes->decode_anew)
        out << "\nDecode absorbs W_ukv, as DeepSeek does: queries are compared with the cached bottleneck. Made anew "
               "from "
               "it are all keys and values in the row below.\n";
    out << "\nThe rule is 2·N operations a token forwards and 6·N in training, N = " << grouped(passes->parameters)
        << " parameters that are multiplied.\n\n";
    write_text(out, pass_formulas_table(*passes));
    out << "\nPrefill, operation by operation:\n\n";
    write_text(out, operations_table(graph, passes->prefill, machine->roof));
    return std::nullopt;
}

}  // namespace headcount
