// Reads how a model is held in memory; see the header.
#include "app/cli/held_arguments.hpp"

#include <algorithm>
#include <initializer_list>

#include "core/analysis/amount_text.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/graph/graph.hpp"
#include "core/link/link_text.hpp"

namespace headcount {
namespace {

// "q_proj,v_proj"
Result<std::vector<std::string>> read_targets(const std::string& text, std::string_view flag) {
    std::vector<std::string> names = split(text, ',');
    for (const std::string& name : names)
        if (name.empty() ||
            !std::ranges::all_of(name, [](char letter) { return letter == '_' || is_letter_or_digit(letter); }))
            return Error{quote(text) + " names no layers", std::string(flag), "give their names, or all"};
    return names;
}

// "30", "30%"
Result<std::optional<std::int64_t>> read_percent(const std::string& text, std::string_view flag) {
    constexpr std::int64_t most = 99;
    const std::string number = text.substr(0, text.size() - (text.ends_with('%') ? 1 : 0));
    const Result<std::int64_t> percent = parse_count(number, flag, 0);
    if (!percent || *percent > most) return must_be(flag, "a whole number of percent from 0 to 99", text);
    return std::optional(*percent);
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
    command->add_flag("--fused", arguments.fused, "in training: no whole scores are kept, though a link says so");
    command->add_flag("--sequence", arguments.sequence,
                      "in training: each device of a tensor-parallel group keeps its part of the tokens");
    add_whole(command, "--chunk", arguments.chunk, "N",
              "tokens of all sequences that are read at once (2048); 0: all of them", 0);
    add_whole(command, "--block", arguments.block, "N",
              "tokens that a sequence's cache takes room for at once, as vLLM does; 0: each by itself (0)", 0);
    add_whole(command, "--pad", arguments.pad, "N",
              "a sequence's cache is one piece of whole multiples of so many tokens, as llama.cpp's; 0: of one (0)", 0);
    add_value(command, "--reserve", arguments.reserve, "PERCENT",
              "of each device left to other things, a whole number of them (10)", read_percent);
    add_whole(command, "--zero", arguments.zero, "0|1|2|3", "stage of ZeRO (0)", 0, 3);
    command->add_flag("--offload", arguments.offload,
                      "in training: gradients and the optimizer lie in the host's memory");
    add_whole(
        command, "--gpu-layers", arguments.gpu_layers, "N",
        "how many of the last layers are on the device, the output counted as one; the rest is in the host's memory",
        0);
    add_choice(
        command, "--adapter", arguments.adapter,
        "train adapters alone beside weights in --dtype (with --phase prefill or decode: run with them, unmerged); "
        "qlora: beside all linear layers, which are in nf4-double",
        adapter_words);
    add_whole(command, "--rank", arguments.rank, "N", "of the adapters (8)", 1);
    add_value(command, "--targets", arguments.targets, "NAME[,NAME]",
              "the layers that have adapters, such as q_proj,v_proj, or all (those of queries and values)",
              read_targets);
}

namespace {

// A word, and why it plays no part where that is so.
struct IdleWord {
    bool idle;
    const char* flag;
    std::string_view why, fix = "leave it out";
};

Failure first_of(std::initializer_list<IdleWord> words) {
    for (const IdleWord& each : words)
        if (each.idle) return Error{std::string(each.why), each.flag, std::string(each.fix)};
    return std::nullopt;
}

// Of a pass that is no training.
Failure says_training(const HeldArguments& arguments) {
    constexpr std::string_view keeps = "only training keeps activations", has = "only training has gradients",
                               fix = "add --train OPTIMIZER";
    return first_of({{arguments.recompute.has_value(), "--recompute", keeps, fix},
                     {arguments.dropout, "--dropout", keeps, fix},
                     {arguments.sequence, "--sequence", keeps, fix},
                     {arguments.offload, "--offload", has, fix},
                     {arguments.zero == 1 || arguments.zero == 2, "--zero", has, fix},
                     {arguments.mixed.has_value(), "--recipe", has, fix},
                     {arguments.fused, "--fused", "inference is fused unless --scores is given"}});
}

}  // namespace

Failure wrong_held(const HeldArguments& arguments, const ModelArguments& model, const InputArguments& input) {
    const std::optional<Phase>& phase = input.phase;
    if (arguments.train && phase.value_or(Phase::training) != Phase::training)
        return Error{"an optimizer belongs to training", "--train", "leave it out, or give --phase train"};
    if (arguments.block.value_or(0) > 0 && arguments.pad.value_or(0) > 0)
        return Error{"a cache lies in blocks or in one piece", "--pad", "leave one of --block and --pad out"};
    if (!arguments.adapter && (arguments.rank || !arguments.targets.empty()))
        return Error{"there is no adapter", arguments.rank ? "--rank" : "--targets", "add --adapter lora"};
    if (arguments.adapter && arguments.mixed)
        return Error{"adapters are kept in 32 bits, and the weights as --dtype says", "--recipe", "leave it out"};
    if (arguments.fused && arguments.scores)
        return Error{"fused attention keeps no scores", "--fused", "leave one of --fused and --scores out"};
    if (arguments.fused && !is_link(model.arch))
        return Error{"attention is fused unless --scores is given, or a link says so", "--fused", "leave it out"};
    const bool trains = arguments.train || (arguments.adapter && !phase) || phase == Phase::training;
    return trains || (!phase && is_link(model.arch)) ? std::nullopt : says_training(arguments);
}

std::string weights_words(const MemoryOptions& options) {
    const std::string computed = formats_title(options.weights);
    if (!options.trains_weights()) return computed;
    const Precision kept = kept_formats(*options.training, options.weights.rest).weights;
    return kept == options.weights.rest ? computed : precision_text(kept) + ", computed in " + computed;
}

InputArguments held_input(const HeldArguments& arguments, InputArguments input) {
    if (arguments.train || (arguments.adapter && !input.phase)) {
        input.phase = Phase::training;
        input.said.push_back({InputWord::phase, arguments.train ? "--train" : "--adapter", "train"});
    }
    if (arguments.adapter)
        if (const auto weights = usual_weights(*arguments.adapter); weights && !input.precision)
            input.precision = formats_text(*weights);
    input.training = [arguments](Training& training) {
        training.optimizer = arguments.train.value_or(training.optimizer);
        training.mixed = arguments.mixed.value_or(training.mixed);
        training.recompute = arguments.recompute.value_or(training.recompute);
        training.dropout |= arguments.dropout;
        training.scores = (training.scores || arguments.scores) && !arguments.fused;
    };
    if (arguments.adapter) input.adapters = adapters_of(*arguments.adapter, arguments.rank, arguments.targets);
    return input;
}

namespace {

bool more_than_none(const std::optional<std::int64_t>& number) { return number.value_or(0) > 0; }

// Whether what is kept hangs on how many tokens are read at once: a window keeps what a chunk's first token looks back
// at, where its cache lies in blocks or in one piece.
bool keeps_chunks(const OpenedDocument& opened, bool in_pieces) {
    if (!in_pieces) return false;
    const ModelGraph graph = expand(opened.document.architecture);
    return std::ranges::any_of(graph.tensors, [](const Tensor& each) {
        return each.role == Role::cache && uses(each.shape[0], Symbol::window);
    });
}

// Of what this pass of this model holds.
Failure idle_in_pass(const OpenedDocument& opened, const HeldArguments& arguments) {
    const bool block = more_than_none(arguments.block), pad = more_than_none(arguments.pad);
    const Phase phase = opened.pass.phase;
    const Architecture& arch = opened.document.architecture;
    const bool trains = phase == Phase::training,
               one_by_one = phase == Phase::decode && !keeps_chunks(opened, block || pad);
    if (Failure idle =
            first_of({{arguments.chunk && trains, "--chunk", "training reads all tokens at once"},
                      {arguments.chunk && sees_all(arch), "--chunk", "this model reads all tokens at once"},
                      {arguments.chunk && one_by_one, "--chunk", "a decoding step reads one token of each sequence"},
                      {block && trains, "--block", "training keeps no cache"},
                      {pad && trains, "--pad", "training keeps no cache"}}))
        return idle;
    if (!block && !pad && !arguments.scores) return std::nullopt;
    const ModelGraph graph = expand(arch);
    const auto has = [](const auto& all, auto is) { return std::ranges::any_of(all, is); };
    const bool keeps = has(graph.tensors, [](const Tensor& each) { return each.role == Role::cache; });
    const bool attends = has(graph.nodes, [](const Node& each) { return each.op == Op::scores; });
    return first_of({{block && !keeps, "--block", "this model keeps no keys and values"},
                     {pad && !keeps, "--pad", "this model keeps no keys and values"},
                     {arguments.scores && !attends, "--scores", "this model has no attention"}});
}

Failure idle_in_shown(const HeldArguments& arguments, const HeldShown& shown) {
    if (arguments.reserve && !shown.room)
        return Error{"what is left free is a device's", "--reserve", "add --device, such as --device h100"};
    if (shown.memory) return std::nullopt;
    const bool block = more_than_none(arguments.block) && !shown.cache;
    const bool pad = more_than_none(arguments.pad) && !shown.cache;
    for (const auto& [given, flag] : {std::pair(arguments.mixed.has_value(), "--recipe"),
                                      {arguments.recompute.has_value(), "--recompute"},
                                      {arguments.dropout, "--dropout"},
                                      {arguments.scores, "--scores"},
                                      {arguments.fused, "--fused"},
                                      {arguments.sequence, "--sequence"},
                                      {arguments.chunk.has_value(), "--chunk"},
                                      {block, "--block"},
                                      {pad, "--pad"},
                                      {more_than_none(arguments.zero), "--zero"},
                                      {arguments.offload, "--offload"},
                                      {arguments.gpu_layers.has_value(), "--gpu-layers"}})
        if (given) return Error{"it is of memory, and none is shown", flag, std::string(shown.shown_by)};
    return std::nullopt;
}

// Of what divides a model.
Failure idle_in_groups(const Sharding& sharding, const HeldArguments& arguments) {
    return first_of({{more_than_none(arguments.zero) && sharding.replicas() == 1, "--zero",
                      "ZeRO divides among devices that have the same part of the model, and no two have",
                      "add --devices N, more than a tensor-parallel group and the stages take"},
                     {arguments.sequence && sharding.tensor == 1, "--sequence",
                      "it is a tensor-parallel group that divides the tokens", "add --tensor N"}});
}

}  // namespace

Failure hold_as_said(OpenedDocument& opened, const HeldArguments& arguments, const HeldShown& shown) {
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
    if (pass.adapters)
        if (Failure wrong = wrong_adapters(expand(opened.document.architecture), *pass.adapters))
            return within("--" + wrong->where, {wrong->what, "", wrong->fix});
    if (Failure idle = idle_in_pass(opened, arguments)) return idle;
    if (Failure idle = idle_in_shown(arguments, shown)) return idle;
    return shown.varied ? std::nullopt : idle_in_groups(pass.sharding, arguments);
}

}  // namespace headcount
