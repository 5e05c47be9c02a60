// headcount memory: what a model takes, and which devices it fits.
#include <algorithm>
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/model.hpp"
#include "app/state/session.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/devices.hpp"
#include "core/report/json.hpp"
#include "core/report/memory_report.hpp"
#include "core/report/text_table.hpp"

namespace headcount {
namespace {

Result<MemoryOptions> read_options(const MemoryArguments& arguments, const Document& document) {
    MemoryOptions options;
    options.weights = document.input.precision;
    options.cache = arguments.cache_precision.value_or(default_cache(options.weights));
    options.scores = arguments.scores;
    if (arguments.train)
        options.training = Training{.optimizer = *arguments.train,
                                    .recompute = arguments.recompute.value_or(Recompute::none),
                                    .dropout = arguments.dropout,
                                    .scores = !arguments.fused};
    Sharding& sharding = options.sharding;
    sharding.tensor = arguments.tensor.value_or(sharding.tensor);
    sharding.pipeline = arguments.pipeline.value_or(sharding.pipeline);
    sharding.zero = arguments.zero.value_or(sharding.zero);
    const std::optional<std::int64_t> group = checked_multiply(sharding.tensor, sharding.pipeline);
    if (!group && !arguments.devices)
        return Error{"so many devices do not fit in 64 bits", "--tensor", "give smaller groups"};
    sharding.devices = arguments.devices ? *arguments.devices : *group;
    if (std::optional<Error> wrong = wrong_options(options, document.architecture)) return *wrong;
    return options;
}

void write_heading(std::ostream& out, const Document& document, const MemoryOptions& options) {
    out << printable(title_of(document)) << (options.training ? ", training" : "")
        << ": T = " << grouped(document.input.tokens) << " tokens, B = " << grouped(document.input.batch)
        << " side by side, weights in " << info(options.weights).key;
    if (!options.training) out << ", cache in " << info(options.cache).key;
    const Sharding& sharding = options.sharding;
    if (sharding.devices > 1)
        out << ", " << grouped(sharding.devices) << " devices: " << grouped(sharding.data()) << " data × "
            << grouped(sharding.tensor) << " tensor × " << grouped(sharding.pipeline) << " pipeline, ZeRO "
            << sharding.zero;
    out << "\n\n";
}

// "Cache of one more token: 131,072 bytes (128 KiB) = 2·L·2·h_kv·d_h"
void write_figure(std::ostream& out, const std::string& what, const MemoryFigure& figure) {
    out << what << ": " << grouped(figure.bytes) << " bytes (" << bytes_text(figure.bytes) << ")";
    out << (figure.bytes > 0 ? " = " + in_symbols(figure.formula) : "") << '\n';
}

}  // namespace

Failure print_memory(const MemoryArguments& arguments, std::ostream& out, Notes& said) {
    Result<CountedDocument> model = count_document(arguments.model, arguments.input, said);
    if (!model) return model.error();
    const Document& document = model->document;
    Result<MemoryOptions> options = read_options(arguments, document);
    if (!options) return options.error();
    Result<std::vector<Device>> devices = shipped_devices();
    if (!devices) return devices.error();
    const MemoryFormulas formulas(document.architecture, model->counted.graph, *options);
    Result<Memory> found = formulas.at(model->counted.bindings);
    if (!found) return in_file(document, arguments.model, found.error());
    std::vector<DeviceRoom> fits;
    for (const Device& device : *devices) fits.push_back({device, formulas.room(device, model->counted.bindings)});
    if (arguments.json) {
        out << noted_json(memory_json(*found, fits), model->counted.notes);
        return std::nullopt;
    }
    write_heading(out, document, *options);
    write_text(out, memory_table(*found, *options));
    out << '\n';
    if (options->training) {
        write_text(out, kept_table(*found));
    } else {
        const bool windows = found->cache_next_token.has_value();
        write_figure(out, windows ? "Cache of one more token inside the window" : "Cache of one more token",
                     found->cache_per_token);
        if (windows) {
            const std::int64_t tokens = model->counted.bindings[Symbol::tokens].value_or(0);
            write_figure(out, "Cache of one more token after " + grouped(tokens), *found->cache_next_token);
        }
        out << "Most activations at once: while " << found->where << " is made\n";
    }
    out << '\n';
    write_text(out, devices_table(fits));
    return std::nullopt;
}

}  // namespace headcount
