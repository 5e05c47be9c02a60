// headcount memory: what a model takes, and which devices it fits.
#include <algorithm>
#include <array>
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/devices.hpp"
#include "core/files/documents.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

struct MemoryArguments {
    ModelArguments model;
    InputArguments input;
    std::optional<Optimizer> train;
    std::optional<Recompute> recompute;
    std::optional<std::int64_t> tensor, pipeline, zero, chunk, reserve;
    bool scores = false, fused = false, dropout = false, json = false;
};

Failure wrong_training(const MemoryArguments& arguments) {
    const std::optional<Phase>& phase = arguments.input.phase;
    if (arguments.train && phase.value_or(Phase::training) != Phase::training)
        return Error{"an optimizer belongs to training", "--train", "leave it out, or give --phase train"};
    const bool trains = arguments.train || phase == Phase::training;
    if (!trains && (arguments.recompute || arguments.dropout))
        return Error{"only training keeps activations", arguments.dropout ? "--dropout" : "--recompute",
                     "add --train OPTIMIZER"};
    if (!trains && arguments.fused)
        return Error{"inference is fused unless --scores is given", "--fused",
                     "leave it out, or add --train OPTIMIZER"};
    if (arguments.fused && arguments.scores)
        return Error{"fused attention keeps no scores", "--fused", "leave one of --fused and --scores out"};
    return std::nullopt;
}

// Which words of the input matter: scores are none of memory.
constexpr std::array memory_words{InputWord::tokens, InputWord::source,  InputWord::batch,
                                  InputWord::cached, InputWord::dtype,   InputWord::kv_dtype,
                                  InputWord::device, InputWord::devices, InputWord::phase};

void describe_memory(CLI::App* command, MemoryArguments& arguments) {
    add_model(command, arguments.model);
    add_input(command, arguments.input, memory_words)->required();
    add_choice(command, "--train", arguments.train, "with this optimizer; sgd has momentum", optimizer_words());
    add_choice(command, "--recompute", arguments.recompute, "in training: of the activations (none)",
               recompute_words());
    command->add_flag("--dropout", arguments.dropout, "in training: masks of dropout are kept as well");
    command->add_flag("--scores", arguments.scores, "whole scores are kept, as training does unless --fused is given");
    command->add_flag("--fused", arguments.fused, "in training: attention is fused and keeps no scores");
    add_whole(command, "--chunk", arguments.chunk, "N",
              "tokens of all sequences that are read at once (2048); 0: all of them", 0);
    add_whole(command, "--reserve", arguments.reserve, "PERCENT", "of each device left to other things (10)", 0, 99);
    add_whole(command, "--zero", arguments.zero, "0|1|2|3", "stage of ZeRO (0)", 0, 3);
    add_whole(command, "--tensor", arguments.tensor, "N", "devices of a tensor-parallel group (1)", 1);
    add_whole(command, "--pipeline", arguments.pipeline, "N", "stages of a pipeline (1)", 1);
    add_json(command, arguments.json);
    add_rule(command, [&arguments] { return wrong_training(arguments); });
}

Result<MemoryOptions> read_options(const MemoryArguments& arguments, const OpenedDocument& opened) {
    const Document& document = opened.document;
    PassOptions pass = opened.pass;
    pass.serving.chunk = arguments.chunk.value_or(pass.serving.chunk);
    pass.serving.reserve = arguments.reserve.value_or(pass.serving.reserve);
    pass.training = Training{.optimizer = arguments.train.value_or(Optimizer::adam),
                             .recompute = arguments.recompute.value_or(Recompute::none),
                             .dropout = arguments.dropout,
                             .scores = !arguments.fused};
    MemoryOptions options = pass.held(document.input);
    options.scores = arguments.scores;
    Sharding& sharding = options.sharding;
    sharding.tensor = arguments.tensor.value_or(sharding.tensor);
    sharding.pipeline = arguments.pipeline.value_or(sharding.pipeline);
    sharding.zero = arguments.zero.value_or(sharding.zero);
    const std::optional<std::int64_t> group = checked_multiply(sharding.tensor, sharding.pipeline);
    if (!group && !arguments.input.devices)
        return Error{"so many devices do not fit in 64 bits", "--tensor", "give smaller groups"};
    sharding.devices = arguments.input.devices ? *arguments.input.devices : *group;
    if (std::optional<Error> wrong = wrong_options(options, document.architecture)) return *wrong;
    return options;
}

// The one that was named, or all that ship.
Result<std::vector<Device>> devices_for(const std::optional<Device>& named) {
    if (!named) return shipped_devices();
    return std::vector{*named};
}

void write_heading(std::ostream& out, const Document& document, const MemoryOptions& options) {
    out << printable(title_of(document))
        << (options.training   ? ", training"
            : options.decoding ? ", decoding"
                               : "")
        << ": " << pass_words(document.architecture, document.input) << ", weights in "
        << formats_text(options.weights);
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

Failure print_memory(const MemoryArguments& arguments, Output& output) {
    InputArguments input = arguments.input;
    if (arguments.train) input.phase = Phase::training;
    const Result<CountedDocument> counted = count_document(arguments.model, output.notes, input);
    if (!counted) return counted.error();
    const Document& document = counted->document;
    std::ostream& out = output.out;
    Result<MemoryOptions> options = read_options(arguments, *counted);
    if (!options) return options.error();
    Result<std::vector<Device>> devices = devices_for(counted->pass.device);
    if (!devices) return devices.error();
    const Result<CountedModel> held = count_model(document.architecture, all_at_once(document.input));
    if (!held) return in_file(document, arguments.model, held.error());
    const MemoryFormulas formulas(document.architecture, held->graph, *options);
    Result<Memory> found = formulas.at(held->bindings);
    if (!found) return in_file(document, arguments.model, found.error());
    std::vector<DeviceRoom> fits;
    for (const Device& device : *devices) fits.push_back({device, formulas.room(device, held->bindings)});
    if (arguments.json) {
        out << noted_json(memory_json(*found, fits), *counted);
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
            const std::int64_t tokens = held->bindings[Symbol::tokens].value_or(0);
            write_figure(out, "Cache of one more token after " + grouped(tokens), *found->cache_next_token);
        }
        out << "Most activations at once: while " << found->where << " is made\n";
    }
    out << '\n';
    write_text(out, devices_table(fits));
    return std::nullopt;
}

}  // namespace

Command memory_command() {
    return make_command("memory", "weights, cache, activations, training; which devices hold them", describe_memory,
                        print_memory);
}

}  // namespace headcount
