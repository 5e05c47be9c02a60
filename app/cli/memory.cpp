// headcount memory: what a model takes, and which devices it fits.
#include <algorithm>
#include <array>
#include <ostream>
#include <tuple>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/arch/matters.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/devices.hpp"
#include "core/files/documents.hpp"
#include "core/files/open.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

struct MemoryArguments {
    ModelArguments model;
    InputArguments input;
    std::optional<Optimizer> train;
    std::optional<Mixed> mixed;
    std::optional<Recompute> recompute;
    std::optional<AdapterKind> adapter;
    std::optional<std::int64_t> rank;
    std::vector<std::string> targets;
    std::optional<std::int64_t> zero, chunk, block, pad, reserve, gpu_layers;
    bool scores = false, fused = false, dropout = false, sequence = false, offload = false, json = false;
};

// "q_proj,v_proj"
Result<std::vector<std::string>> read_targets(const std::string& text, std::string_view flag) {
    std::vector<std::string> names = split(text, ',');
    for (const std::string& name : names)
        if (name.empty() || !std::all_of(name.begin(), name.end(),
                                         [](char letter) { return letter == '_' || is_letter_or_digit(letter); }))
            return Error{quote(text) + " names no layers", std::string(flag), "give their names, or all"};
    return names;
}

Failure wrong_training(const MemoryArguments& arguments) {
    const std::optional<Phase>& phase = arguments.input.phase;
    if ((arguments.train || arguments.adapter) && phase.value_or(Phase::training) != Phase::training)
        return Error{std::string(arguments.train ? "an optimizer" : "an adapter") + " belongs to training",
                     arguments.train ? "--train" : "--adapter", "leave it out, or give --phase train"};
    if (arguments.block.value_or(0) > 0 && arguments.pad.value_or(0) > 0)
        return Error{"a cache lies in blocks or in one piece", "--pad", "leave one of --block and --pad out"};
    if (!arguments.adapter && (arguments.rank || !arguments.targets.empty()))
        return Error{"there is no adapter", arguments.rank ? "--rank" : "--targets", "add --adapter lora"};
    if (arguments.adapter && arguments.mixed)
        return Error{"adapters are kept in 32 bits, and the weights as --dtype says", "--recipe", "leave it out"};
    const bool trains = arguments.train || arguments.adapter || phase == Phase::training;
    for (const auto& [given, flag, what] :
         {std::tuple(arguments.recompute.has_value(), "--recompute", "only training keeps activations"),
          {arguments.dropout, "--dropout", "only training keeps activations"},
          {arguments.sequence, "--sequence", "only training keeps activations"},
          {arguments.offload, "--offload", "only training has gradients"},
          {arguments.mixed.has_value(), "--recipe", "only training has gradients"}})
        if (given && !trains) return Error{what, flag, "add --train OPTIMIZER"};
    if (!trains && arguments.fused)
        return Error{"inference is fused unless --scores is given", "--fused",
                     "leave it out, or add --train OPTIMIZER"};
    if (arguments.fused && arguments.scores)
        return Error{"fused attention keeps no scores", "--fused", "leave one of --fused and --scores out"};
    return std::nullopt;
}

// Which words of the input matter: scores are none of memory.
constexpr std::array memory_words{InputWord::tokens, InputWord::source,   InputWord::batch,   InputWord::cached,
                                  InputWord::dtype,  InputWord::kv_dtype, InputWord::device,  InputWord::devices,
                                  InputWord::tensor, InputWord::pipeline, InputWord::context, InputWord::expert,
                                  InputWord::phase};

void describe_memory(CLI::App* command, MemoryArguments& arguments) {
    CLI::Option* const arch = add_model(command, arguments.model);
    require_tokens(arch, add_input(command, arguments.input, memory_words));
    add_choice(command, "--train", arguments.train, "with this optimizer; sgd has momentum", optimizer_words());
    add_choice(command, "--recipe", arguments.mixed,
               "in training: the formats of weights, gradients, their copy and the optimizer (zero)", mixed_words());
    add_choice(command, "--adapter", arguments.adapter,
               "train adapters alone, beside weights in --dtype; qlora: of all linear layers, these in nf4-double",
               adapter_words);
    add_whole(command, "--rank", arguments.rank, "N", "of the adapters (8)", 1);
    add_value(command, "--targets", arguments.targets, "NAME[,NAME]",
              "the layers that have adapters, such as q_proj,v_proj, or all (those of queries and values)",
              read_targets);
    add_choice(command, "--recompute", arguments.recompute, "in training: of the activations (none)",
               recompute_words());
    command->add_flag("--dropout", arguments.dropout, "in training: masks of dropout are kept as well");
    command->add_flag("--scores", arguments.scores, "whole scores are kept, T × T a head");
    command->add_flag("--fused", arguments.fused, "in training: no scores are kept, as without it");
    command->add_flag("--sequence", arguments.sequence,
                      "in training: each device of a tensor-parallel group keeps its part of the tokens");
    add_whole(command, "--chunk", arguments.chunk, "N",
              "tokens of all sequences that are read at once (2048); 0: all of them", 0);
    add_whole(command, "--block", arguments.block, "N",
              "tokens that a sequence's cache takes room for at once, as vLLM does; 0: each by itself (0)", 0);
    add_whole(command, "--pad", arguments.pad, "N",
              "a sequence's cache is one piece of whole multiples of so many tokens, as llama.cpp's; 0: of one (0)", 0);
    add_whole(command, "--reserve", arguments.reserve, "PERCENT", "of each device left to other things (10)", 0, 99);
    add_whole(command, "--zero", arguments.zero, "0|1|2|3", "stage of ZeRO (0)", 0, 3);
    command->add_flag("--offload", arguments.offload,
                      "in training: gradients and the optimizer lie in the host's memory");
    add_whole(
        command, "--gpu-layers", arguments.gpu_layers, "N",
        "how many of the last layers are on the device, the output counted as one; the rest is in the host's memory",
        0);
    add_json(command, arguments.json);
    add_rule(command, [&arguments] { return wrong_training(arguments); });
}

// The words of training as they are said of the input.
InputArguments read_training(const MemoryArguments& arguments) {
    InputArguments input = arguments.input;
    if (arguments.train || arguments.adapter) input.phase = Phase::training;
    if (input.phase != Phase::training) return input;
    Training& training = input.training.emplace();
    training.optimizer = arguments.train.value_or(training.optimizer);
    training.mixed = arguments.mixed.value_or(training.mixed);
    training.recompute = arguments.recompute.value_or(training.recompute);
    training.dropout = arguments.dropout;
    training.scores = arguments.scores;
    if (!arguments.adapter) return input;
    if (const auto weights = usual_weights(*arguments.adapter); weights && !input.precision)
        input.precision = formats_text(*weights);
    training.adapters = adapters_of(*arguments.adapter, arguments.rank, arguments.targets);
    return input;
}

Result<MemoryOptions> read_options(const MemoryArguments& arguments, const OpenedDocument& opened) {
    const Document& document = opened.document;
    PassOptions pass = opened.pass;
    pass.serving.chunk = arguments.chunk.value_or(pass.serving.chunk);
    pass.serving.block = arguments.block.value_or(arguments.pad ? 0 : pass.serving.block);
    pass.serving.pad = arguments.pad.value_or(arguments.block ? 0 : pass.serving.pad);
    pass.serving.reserve = arguments.reserve.value_or(pass.serving.reserve);
    MemoryOptions options = pass.held(document.input);
    options.scores |= arguments.scores;
    options.sharding.sequence |= arguments.sequence;
    options.sharding.zero = arguments.zero.value_or(options.sharding.zero);
    options.sharding.offload |= arguments.offload;
    options.sharding.gpu_layers = arguments.gpu_layers;
    if (std::optional<Error> wrong = wrong_options(options, document.architecture)) return *wrong;
    return options;
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
        << ": " << pass_words(document.architecture, document.input) << ", weights in "
        << formats_title(options.weights);
    if (options.training && options.training->adapters)
        out << ", trained are adapters of rank " << options.training->adapters->rank;
    if (!options.training) out << ", cache in " << precision_text(options.cache);
    const Sharding& sharding = options.sharding;
    if (sharding.devices > 1)
        out << ", " << sharding_words(sharding) << ", ZeRO " << sharding.zero
            << (sharding.expert > 1 ? ", experts among " + grouped(sharding.expert) : "");
    out << "\n\n";
}

// "Cache of one more token: 131,072 bytes (128 KiB) = 2·L·2·h_kv·d_h"
void write_figure(std::ostream& out, const std::string& what, const MemoryFigure& figure, std::string_view sign) {
    out << what << ": " << sign << grouped(figure.bytes) << " bytes (" << bytes_text(figure.bytes) << ")";
    out << (figure.bytes > 0 ? " = " + in_symbols(figure.formula) : "") << '\n';
}

Failure print_memory(const MemoryArguments& arguments, Output& output) {
    Result<CountedDocument> counted = count_document(arguments.model, output.notes, read_training(arguments));
    if (!counted) return counted.error();
    const Document& document = counted->document;
    std::ostream& out = output.out;
    Result<MemoryOptions> options = read_options(arguments, *counted);
    if (!options) return options.error();
    counted->pass.serving = options->serving;
    Result<std::vector<Device>> devices = devices_for(counted->pass.device, output.notes);
    if (!devices) return devices.error();
    const Result<CountedModel> held = held_model(document.architecture, document.input);
    if (!held) return in_file(document, arguments.model, held.error());
    if (options->training && options->training->adapters)
        if (std::optional<Error> wrong = wrong_adapters(held->graph, *options->training->adapters))
            return within("--" + wrong->where, {wrong->what, "", wrong->fix});
    const MemoryFormulas formulas(document.architecture, held->graph, *options);
    Result<Memory> found = formulas.at(held->bindings);
    if (!found) return in_file(document, arguments.model, found.error());
    const std::vector<DeviceRoom> fits = device_rooms(formulas, *devices, held->bindings);
    if (arguments.json) {
        out << noted_json(memory_json(*found, fits), *counted);
        return std::nullopt;
    }
    write_heading(out, document, *options);
    write_figures(out, memory_table(*found, *options, doubt_sign(counted->weights_doubt)), *counted);
    out << '\n';
    if (options->training) {
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
    if (!options->training) out << "Most activations at once: while " << found->where << " is made\n";
    out << '\n';
    write_figures(out, devices_table(fits, !document.architecture.patches), *counted);
    const std::int64_t context = document.architecture.context, tokens = all_at_once(document.input).tokens;
    const bool longer =
        std::ranges::any_of(fits, [&](const DeviceRoom& each) { return each.room.longest_context > context; });
    if (matters(document.architecture, Field::context) && !document.architecture.patches &&
        (tokens > context || (longer && !options->training)))
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
