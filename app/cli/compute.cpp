// headcount compute: how much arithmetic a model takes, and how fast a device could be at it.
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/hardware.hpp"
#include "app/cli/model.hpp"
#include "app/state/session.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/compute_report.hpp"
#include "core/report/json.hpp"
#include "core/report/text_table.hpp"

namespace headcount {
namespace {

Result<PassOptions> read_options(const ComputeArguments& arguments, const Document& document) {
    PassOptions options;
    options.cache = arguments.cache_precision;
    if (arguments.full) options.pairs = Pairs::full;
    Result<std::optional<Device>> device = read_fast_device(arguments.hardware, document.input.precision);
    if (!device) return device.error();
    options.device = std::move(*device);
    MemoryOptions held;
    Sharding& sharding = held.sharding;
    sharding.tensor = arguments.tensor.value_or(sharding.tensor);
    sharding.pipeline = arguments.pipeline.value_or(sharding.pipeline);
    const std::optional<std::int64_t> together = checked_multiply(sharding.tensor, sharding.pipeline);
    if (!together) return Error{"so many devices do not fit in 64 bits", "--tensor", "give smaller groups"};
    options.devices = sharding.devices = *together;
    if (std::optional<Error> wrong = wrong_options(held, document.architecture)) return *wrong;
    return options;
}

Result<Passes> passes_of(const Document& document, const CountedModel& model, const PassOptions& options) {
    const auto pass = [&](Phase phase) { return pass_of(document.architecture, document.input, phase, options); };
    Result<Pass> prefill = pass(Phase::prefill), decode = pass(Phase::decode), train = pass(Phase::training);
    // Training, which takes most, says for how many tokens all of them can be counted.
    for (const Result<Pass>* each : {&train, &prefill, &decode})
        if (!*each) return each->error();
    return Passes{std::move(*prefill), std::move(*decode), std::move(*train), model.parameters.active_multiplied};
}

void write_heading(std::ostream& out, const Document& document, const PassOptions& options) {
    const Input& input = document.input;
    out << printable(title_of(document)) << ": T = " << grouped(input.tokens) << " tokens, B = " << grouped(input.batch)
        << " side by side, " << info(input.precision).key;
    if (options.cache) out << ", cache in " << info(*options.cache).key;
    out << (options.pairs == Pairs::full ? ", full scores" : ", causal scores");
    if (const std::optional<Roof> roof = options.roof_for(input)) {
        out << ", at the roof of " << (options.devices > 1 ? grouped(options.devices) + " × " : "")
            << printable(options.device->name) << ": " << flop_text(roof->flops) << "/s, "
            << factor_text(roof->bandwidth / 1e9) << " GB/s";
    }
    out << "\n\n";
}

}  // namespace

Failure print_compute(const ComputeArguments& arguments, std::ostream& out, Notes& said) {
    Result<CountedDocument> model = count_document(arguments.model, arguments.input, said);
    if (!model) return model.error();
    const Document& document = model->document;
    Result<PassOptions> options = read_options(arguments, document);
    if (!options) return options.error();
    Result<Passes> passes = passes_of(document, model->counted, *options);
    if (!passes) return in_file(document, arguments.model, passes.error());
    const std::optional<Roof> roof = options->roof_for(document.input);
    if (arguments.json) {
        out << noted_json(compute_json(*passes, roof, options->device), model->counted.notes);
        return std::nullopt;
    }
    write_heading(out, document, *options);
    write_text(out, passes_table(*passes, roof));
    if (passes->decode.anew)
        out << "\nDecode absorbs W_ukv, as DeepSeek does: queries are compared with the cached bottleneck. Made anew "
               "from it are all keys and values in the row below.\n";
    out << "\nThe rule is 2·N operations a token forwards and 6·N in training, N = " << grouped(passes->parameters)
        << " parameters that are multiplied.\n\n";
    write_text(out, pass_formulas_table(*passes));
    out << "\nPrefill, operation by operation:\n\n";
    write_text(out, operations_table(passes->prefill, roof));
    return std::nullopt;
}

}  // namespace headcount
