// headcount memory: what a model takes, and which devices it fits.
#include <algorithm>
#include <array>
#include <ostream>

#include "app/cli/held_arguments.hpp"
#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/analysis/factored.hpp"
#include "core/arch/matters.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/devices.hpp"
#include "core/files/open.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

struct MemoryArguments {
    ModelArguments model;
    InputArguments input;
    HeldArguments held;
    bool json = false;
};

// Which words of the input matter: scores are none of memory.
constexpr std::array memory_words{InputWord::tokens, InputWord::source,   InputWord::batch,   InputWord::cached,
                                  InputWord::dtype,  InputWord::kv_dtype, InputWord::device,  InputWord::devices,
                                  InputWord::tensor, InputWord::pipeline, InputWord::context, InputWord::expert,
                                  InputWord::phase};

void describe_memory(CLI::App* command, MemoryArguments& arguments) {
    CLI::Option* const arch = add_model(command, arguments.model);
    require_tokens(arch, add_input(command, arguments.input, memory_words));
    add_held(command, arguments.held);
    add_json(command, arguments.json);
    add_rule(command, [&arguments] { return wrong_held(arguments.held, arguments.model, arguments.input); });
}

// The one that was named, or all that are known.
Result<std::vector<Device>> devices_for(const std::optional<Device>& named, Notes& said) {
    if (named) return std::vector{*named};
    Result<KnownDevices> known = known_devices();
    if (!known) return known.error();
    if (known->unread) said.push_back(known->note());
    return std::move(known->devices);
}

void write_heading(std::ostream& out, const Document& document, const MemoryOptions& options) {
    out << printable(title_as_known(document))
        << (options.training   ? ", training"
            : options.decoding ? ", decoding"
                               : "")
        << ": " << pass_words(document.architecture, document.input) << ", weights in " << weights_words(options);
    if (options.adapters)
        out << (options.training ? ", trained are " : ", beside them ") << adapters_words(*options.adapters);
    if (!options.training) out << ", cache in " << precision_text(options.cache);
    const Sharding& sharding = options.sharding;
    if (sharding.devices > 1) out << ", " << sharding_words(sharding) << ", ZeRO " << sharding.zero;
    out << "\n\n";
}

// "Cache of one more token: 131,072 bytes (128 KiB) = 2·L·2·h_kv·d_h"
void write_figure(std::ostream& out, const std::string& what, const MemoryFigure& figure, std::string_view sign) {
    out << what << ": " << sign << grouped(figure.bytes) << " bytes (" << bytes_text(figure.bytes) << ")";
    out << (figure.bytes > 0 ? " = " + formula_text(figure.formula) : "") << '\n';
}

Failure print_memory(const MemoryArguments& arguments, Output& output) {
    Result<CountedDocument> counted =
        count_document(arguments.model, output.notes, held_input(arguments.held, arguments.input));
    if (!counted) return counted.error();
    const Document& document = counted->document;
    std::ostream& out = output.out;
    if (Failure failure = hold_as_said(*counted, arguments.held)) return failure;
    const MemoryOptions options = counted->pass.held(document.input);
    if (options.training && arguments.input.cache)
        return Error{"training keeps no cache", "--kv-dtype", "leave it out"};
    Result<std::vector<Device>> devices = devices_for(counted->pass.device, output.notes);
    if (!devices) return devices.error();
    const Result<CountedModel> held = held_model(document.architecture, document.input);
    if (!held) return in_file(document, arguments.model, held.error());
    const MemoryFormulas formulas(document.architecture, held->graph, options);
    Result<Memory> found = formulas.at(held->bindings);
    if (!found) return in_file(document, arguments.model, found.error());
    const std::vector<DeviceRoom> fits = device_rooms(formulas, *devices, held->bindings);
    if (arguments.json) {
        out << noted_json(memory_json(*found, fits), *counted);
        return std::nullopt;
    }
    write_heading(out, document, options);
    write_figures(out, memory_table(*found, options, doubt_sign(counted->weights_doubt)), *counted);
    out << '\n';
    if (options.training) {
        write_figures(out, kept_table(*found), *counted);
    } else if (!document.architecture.patches) {
        const std::string_view sign = doubt_sign(counted->doubt);
        const bool windows = found->cache_next_token.has_value();
        write_figure(out, windows ? "Cache of one more token inside the window" : "Cache of one more token",
                     found->cache_per_token, sign);
        if (windows) {
            const std::int64_t tokens = all_at_once(document.input).tokens;
            write_figure(out, "Cache of one more token after " + grouped(tokens), *found->cache_next_token, sign);
        }
    }
    if (!options.training) out << "Most activations at once: while " << found->where << " is made\n";
    out << '\n';
    write_figures(out, devices_table(fits, !document.architecture.patches), *counted);
    const std::int64_t context = document.architecture.context, tokens = all_at_once(document.input).tokens;
    const bool longer =
        std::ranges::any_of(fits, [&](const DeviceRoom& each) { return each.room.longest_context > context; });
    if (matters(document.architecture, Field::context) && !document.architecture.patches &&
        (tokens > context || (longer && !options.training)))
        out << "\nThe model says a context of " << grouped(context)
            << " tokens: of more, memory alone is said here, and not what it makes of them.\n";
    return std::nullopt;
}

}  // namespace

Command memory_command() {
    return make_command("memory", "weights, cache, activations, training; which devices hold them", describe_memory,
                        print_memory);
}

}  // namespace headcount
