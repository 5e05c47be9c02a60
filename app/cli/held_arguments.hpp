// How a model is held in memory, as commands are told: what serves, what is kept in training, what is divided.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/analysis/adapters.hpp"
#include "core/analysis/memory.hpp"

namespace headcount {

// --adapter, --rank and --targets.
struct AdapterArguments {
    std::optional<AdapterKind> kind;
    std::optional<std::int64_t> rank;
    std::vector<std::string> targets;
};
void add_adapters(CLI::App* command, AdapterArguments& arguments);
// As words of the input: where no pass is named it is a training of them. Error: a rank or targets of no adapter.
Result<InputArguments> with_adapters(const AdapterArguments& arguments, InputArguments input);

struct HeldArguments {
    std::optional<Optimizer> train;
    std::optional<Mixed> mixed;
    std::optional<Recompute> recompute;
    AdapterArguments adapter;
    std::optional<std::int64_t> zero, chunk, block, pad, reserve, gpu_layers;
    bool scores = false, fused = false, dropout = false, sequence = false, offload = false;
};
void add_held(CLI::App* command, HeldArguments& arguments);
// What of it does not go together, or not with the pass that is meant, where no link says which.
Failure wrong_held(const HeldArguments& arguments, const ModelArguments& model, const InputArguments& input);

// The words of training as they are said of the input.
InputArguments held_input(const HeldArguments& arguments, InputArguments input);

// In which formats its weights are: "bf16", or "fp32, computed in bf16" of a training whose recipe keeps them so.
std::string weights_words(const MemoryOptions& options);

// What a command shows of how a model is held.
struct HeldShown {
    bool memory = true;   // what a device holds
    bool cache = true;    // or what its keys and values take alone
    bool room = true;     // whether a device has room for that
    bool varied = false;  // how many devices there are, and what they are groups of, is not yet known
    std::string_view shown_by = "add --device, such as --device h100";  // what is to be done where it does not
};
// The rest of them, of the pass. Fails where the model cannot be held so, or where something
// said plays no part in what is shown.
Failure hold_as_said(OpenedDocument& opened, const HeldArguments& arguments, const HeldShown& shown = {});

}  // namespace headcount
