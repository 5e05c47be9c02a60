// Reads how a model is held in memory; see the header.
#include "app/cli/held_arguments.hpp"

#include <algorithm>
#include <tuple>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/link/link_text.hpp"

namespace headcount {
namespace {

// "q_proj,v_proj"
Result<std::vector<std::string>> read_targets(const std::string& text, std::string_view flag) {
    std::vector<std::string> names = split(text, ',');
    for (const std::string& name : names)
        if (name.empty() || !std::all_of(name.begin(), name.end(),
                                         [](char letter) { return letter == '_' || is_letter_or_digit(letter); }))
            return Error{quote(text) + " names no layers", std::string(flag), "give their names, or all"};
    return names;
}

}  // namespace

void add_held(CLI::App* command, HeldArguments& arguments) {
    add_choice(command, "--train", arguments.train, "with this optimizer; sgd has momentum", optimizer_words());
    add_choice(command, "--recipe", arguments.mixed,
               "in training: the formats of weights, gradients, their copy and the optimizer (zero)", mixed_words());
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
}

void add_adapters(CLI::App* command, HeldArguments& arguments) {
    add_choice(command, "--adapter", arguments.adapter,
               "train adapters alone, beside weights in --dtype; qlora: of all linear layers, these in nf4-double",
               adapter_words);
    add_whole(command, "--rank", arguments.rank, "N", "of the adapters (8)", 1);
    add_value(command, "--targets", arguments.targets, "NAME[,NAME]",
              "the layers that have adapters, such as q_proj,v_proj, or all (those of queries and values)",
              read_targets);
}

namespace {

// Of a pass that is no training.
Failure says_training(const HeldArguments& arguments) {
    for (const auto& [given, flag, what] :
         {std::tuple(arguments.recompute.has_value(), "--recompute", "only training keeps activations"),
          {arguments.dropout, "--dropout", "only training keeps activations"},
          {arguments.sequence, "--sequence", "only training keeps activations"},
          {arguments.offload, "--offload", "only training has gradients"},
          {arguments.zero == 1 || arguments.zero == 2, "--zero", "only training has gradients"},
          {arguments.mixed.has_value(), "--recipe", "only training has gradients"}})
        if (given) return Error{what, flag, "add --train OPTIMIZER"};
    if (arguments.fused)
        return Error{"inference is fused unless --scores is given", "--fused",
                     "leave it out, or add --train OPTIMIZER"};
    return std::nullopt;
}

}  // namespace

Failure wrong_held(const HeldArguments& arguments, const ModelArguments& model, const InputArguments& input) {
    const std::optional<Phase>& phase = input.phase;
    if ((arguments.train || arguments.adapter) && phase.value_or(Phase::training) != Phase::training)
        return Error{std::string(arguments.train ? "an optimizer" : "an adapter") + " belongs to training",
                     arguments.train ? "--train" : "--adapter", "leave it out, or give --phase train"};
    if (arguments.block.value_or(0) > 0 && arguments.pad.value_or(0) > 0)
        return Error{"a cache lies in blocks or in one piece", "--pad", "leave one of --block and --pad out"};
    if (!arguments.adapter && (arguments.rank || !arguments.targets.empty()))
        return Error{"there is no adapter", arguments.rank ? "--rank" : "--targets", "add --adapter lora"};
    if (arguments.adapter && arguments.mixed)
        return Error{"adapters are kept in 32 bits, and the weights as --dtype says", "--recipe", "leave it out"};
    if (arguments.fused && arguments.scores)
        return Error{"fused attention keeps no scores", "--fused", "leave one of --fused and --scores out"};
    const bool trains = arguments.train || arguments.adapter || phase == Phase::training;
    return trains || (!phase && is_link(model.arch)) ? std::nullopt : says_training(arguments);
}

InputArguments held_input(const HeldArguments& arguments, InputArguments input) {
    if (arguments.train || arguments.adapter) input.phase = Phase::training;
    if (arguments.adapter)
        if (const auto weights = usual_weights(*arguments.adapter); weights && !input.precision)
            input.precision = formats_text(*weights);
    input.training = [arguments](Training& training) {
        training.optimizer = arguments.train.value_or(training.optimizer);
        training.mixed = arguments.mixed.value_or(training.mixed);
        training.recompute = arguments.recompute.value_or(training.recompute);
        training.dropout |= arguments.dropout;
        training.scores = (training.scores || arguments.scores) && !arguments.fused;
        if (arguments.adapter) training.adapters = adapters_of(*arguments.adapter, arguments.rank, arguments.targets);
    };
    return input;
}

Failure hold_as_said(OpenedDocument& opened, const HeldArguments& arguments) {
    PassOptions& pass = opened.pass;
    if (pass.phase != Phase::training)
        if (Failure failure = says_training(arguments)) return failure;
    pass.serving.chunk = arguments.chunk.value_or(pass.serving.chunk);
    pass.serving.block = arguments.block.value_or(arguments.pad ? 0 : pass.serving.block);
    pass.serving.pad = arguments.pad.value_or(arguments.block ? 0 : pass.serving.pad);
    pass.serving.reserve = arguments.reserve.value_or(pass.serving.reserve);
    pass.scores |= arguments.scores;
    pass.sharding.sequence |= arguments.sequence;
    pass.sharding.zero = arguments.zero.value_or(pass.sharding.zero);
    pass.sharding.offload |= arguments.offload;
    pass.sharding.gpu_layers = arguments.gpu_layers;
    if (Failure wrong = wrong_options(pass.held(opened.document.input), opened.document.architecture)) return wrong;
    if (arguments.zero.value_or(0) > 0 && pass.sharding.replicas() == 1)
        return Error{"ZeRO divides among devices that have the same part of the model, and no two have", "--zero",
                     "add --devices N, more than a tensor-parallel group and the stages take"};
    if (arguments.sequence && pass.sharding.tensor == 1)
        return Error{"it is a tensor-parallel group that divides the tokens", "--sequence", "add --tensor N"};
    return std::nullopt;
}

}  // namespace headcount
