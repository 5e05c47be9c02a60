// Low-rank adapters: small matrices beside the linear layers of a model whose own weights stay as they are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"

namespace headcount {

// Hu et al. 2021, "LoRA" (arXiv:2106.09685): to a layer's output is added what A (rank × inputs) and B (outputs × rank)
// make of its input.
struct Adapters {
    std::int64_t rank = 8;
    // The last names of the layers' modules, such as "q_proj". Empty: those that PEFT knows of the type, and where it
    // knows none those that make queries or values, as Hu et al. chose them.
    std::vector<std::string> modules;
    bool all = false;         // every linear layer but the head of tokens' scores, whatever `modules` says
    bool magnitudes = false;  // also a number for each output (Liu et al. 2024, "DoRA", arXiv:2402.09353)

    bool operator==(const Adapters&) const = default;
};

// By what they are called: LoRA; QLoRA, of all linear layers beside weights in 4 bits (Dettmers et al. 2023,
// arXiv:2305.14314); DoRA.
enum class AdapterKind { lora, qlora, dora };
inline constexpr std::array<std::string_view, 3> adapter_words{"lora", "qlora", "dora"};
// Of `modules`, or "all" alone; where there are none, of those that such adapters are usually of.
Adapters adapters_of(AdapterKind kind, std::optional<std::int64_t> rank = {}, std::vector<std::string> modules = {});

// The names as they are typed, "q_proj,v_proj" or "all", and empty for the usual ones. Error: names of no modules.
std::string targets_text(const Adapters& adapters);
Result<std::vector<std::string>> parse_targets(std::string_view text, std::string_view where);
void set_targets(Adapters& adapters, std::vector<std::string> modules);

// Of the weights beside them, where nothing else is said: QLoRA has the matrices of the layers in 4 bits and what is no
// linear layer, and the output head, in 16 (section 4; bitsandbytes leaves these out). Nothing of the others.
std::optional<Formats> usual_weights(AdapterKind kind);

// What of a checkpoint has an adapter: as PEFT 0.21 finds it in what transformers 5 builds (KnownToPeft).
struct Adapted {
    std::size_t stored;  // index into ModelGraph::stored; twice or more where its parts are layers of their own
    TensorIndex part;    // the first of those parts that the adapter is beside
    // Of the linear layer; an expert's gate and up are adapted as one that has the outputs of both.
    Expr inputs, outputs;
};
std::vector<Adapted> adapted(const ModelGraph& graph, const Adapters& adapters);
// "q_proj": the last name of the module that has this tensor.
std::string module_of(const StoredTensor& tensor);

// What is wrong with the adapters themselves: a rank below 1, modules that the model does not have, what PEFT refuses.
std::optional<Error> wrong_adapters(const ModelGraph& graph, const Adapters& adapters);

// A tensor that gradients train, and how many there are.
struct TrainedTensor {
    std::size_t stored;  // index into ModelGraph::stored; of an adapter, that which it stands beside
    Expr copies;
    Shape shape;
    bool of_layer = false;    // a matrix of a layer
    bool of_experts = false;  // among which tokens choose
};
bool of_experts(const ModelGraph& graph, const StoredTensor& tensor);
// In which format adapters, their gradients and an optimizer's states are kept, whatever the weights have: as PEFT
// does.
inline constexpr Precision adapter_format = Precision::fp32;
// Those of the adapters, or where there are none all of the model's.
std::vector<TrainedTensor> trained_tensors(const ModelGraph& graph, const std::optional<Adapters>& adapters);

// The parameters of the adapters: copies · rank · (inputs + outputs), with magnitudes also copies · outputs.
Expr adapter_parameters(const ModelGraph& graph, const Adapters& adapters);

}  // namespace headcount
