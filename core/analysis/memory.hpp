// How much memory a model takes: weights, key/value cache, activations, and in training gradients and the optimizer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/adapters.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/stored_weights.hpp"
#include "core/arch/input.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

struct Storage;    // core/analysis/storages.hpp
class HostLayers;  // core/analysis/host_layers.hpp

enum class Optimizer {
    adam,       // two states of 4 bytes (Kingma & Ba 2015)
    adam8,      // two states of 1 byte, with a 4-byte scale for each block of 256 (bitsandbytes from 0.44 on, torchao)
    sgd,        // with momentum: one state of 4 bytes
    muon,       // one state for the matrices of the layers, Adam's two for all else (Jordan et al. 2024)
    adafactor,  // a matrix's rows and columns have one each, other weights one (Shazeer & Stern 2018); no momentum
};
enum class Recompute {
    none,
    selective,  // scores and what is made of them are computed again in the backward pass (Korthikanti et al. 2022)
    full,       // each layer is, from its input
};
// In which formats training keeps what belongs to a parameter, where weights are computed with in 16 bits.
enum class Mixed {
    zero,      // gradients as the weights, and a 32-bit copy of these (Rajbhandari et al. 2020, section 3.1)
    megatron,  // gradients in 32 bits, and a 32-bit copy (Megatron-LM, "Distributed Optimizer")
    pytorch,   // weights and gradients in 32 bits, and a 16-bit copy that is computed with (autocast)
    pure,      // all in the weights' format, and no copy
};
std::span<const std::string_view> mixed_words();      // in the order of the enumeration
std::span<const std::string_view> optimizer_words();  // in the order of the enumeration
std::span<const std::string_view> recompute_words();

struct Training {
    Optimizer optimizer = Optimizer::adam;
    Recompute recompute = Recompute::none;
    bool dropout = false;  // masks of dropout are kept as well, a byte a number
    // Whole scores are kept, as Korthikanti et al. count them; without, attention is fused and keeps a 32-bit number
    // for each row and head (Dao et al. 2022, section 3.1).
    bool scores = false;
    Mixed mixed = Mixed::zero;

    bool operator==(const Training&) const = default;
};

struct KeptFormats {
    Precision weights = Precision::fp32, gradients = Precision::fp32;
    std::optional<Precision> copy;
    Precision moments = Precision::fp32;
};
// Of weights that are trained.
KeptFormats kept_formats(const Training& training, Precision weights);

// How the model is divided among devices: devices = data · tensor · pipeline · context.
struct Sharding {
    std::int64_t devices = 1, tensor = 1, pipeline = 1;
    // What data-parallel devices divide among them (Rajbhandari et al. 2020): 1 the optimizer, 2 the gradients too, 3
    // the weights too.
    std::int64_t zero = 0;
    // Of a tensor-parallel group each device keeps its part of the tokens where it else has all, in training
    // (Korthikanti et al. 2022, section 4.2.2).
    bool sequence = false;
    // Of each sequence a device of the group has its part of the tokens (Liu et al. 2023, "Ring Attention").
    std::int64_t context = 1;
    // Experts are divided among so many of the devices that have the same part of all other weights (Lepikhin et al.
    // 2020, "GShard").
    std::int64_t expert = 1;
    // Gradients and the optimizer lie in the host's memory (Ren et al. 2021, "ZeRO-Offload").
    bool offload = false;
    // In inference of the last layers so many lie on the device, of which the output counts as one; the rest lie in
    // the host's memory, with their part of the cache (--gpu-layers of llama.cpp).
    std::optional<std::int64_t> gpu_layers = {};

    bool divided() const { return devices > 1 || offload || gpu_layers; }  // one device does not hold all
    std::int64_t data() const { return devices / (tensor * pipeline * context); }
    std::int64_t replicas() const { return devices / (tensor * pipeline); }  // that have the same part of the weights
    bool operator==(const Sharding&) const = default;
};

// How a server holds a model to make texts.
struct Serving {
    // New tokens, of all sequences together, that go through the model at once: a longer prompt is read in parts, so
    // that no more activations are there. 0: all at once.
    std::int64_t chunk = 2048;
    std::int64_t reserve = 10;  // percent of a device's memory that are left to other things
    // Tokens that the cache of a sequence takes room for at once, in blocks that lie anywhere, as vLLM does
    // (SlidingWindowSpec.max_memory_usage_bytes): of a window it keeps what a chunk's first token looks back at
    // besides, and a block more, since the first of these may stand anywhere in its block. 0: each token by itself.
    std::int64_t block = 0;
    // Or in one piece of whole multiples of so many, as llama.cpp does, where a chunk's tokens lie behind those of a
    // window. 0: each token by itself.
    std::int64_t pad = 0;

    // Bytes of a device that the model may take.
    std::int64_t usable(const Device& device) const {
        return device.memory / 100 * (100 - reserve) + device.memory % 100 * (100 - reserve) / 100;
    }
    bool operator==(const Serving&) const = default;
};

struct MemoryOptions {
    Formats weights = Precision::bf16;
    Precision cache = Precision::bf16;
    Serving serving;
    // Inference keeps whole scores; without, attention is fused (Dao et al. 2022). Training has its own.
    bool scores = false;
    bool decoding = false;  // each sequence reads one token, and those before it are in the cache
    std::optional<Training> training;
    std::optional<Adapters> adapters = {};  // beside the weights, and in training trained in their place
    Sharding sharding;

    bool trains_weights() const { return training && !adapters; }

    bool operator==(const MemoryOptions&) const = default;
};

// What one more token adds to the caches of one sequence in all layers, in bytes: keys and values, or their bottleneck;
// nothing of another text, such as an encoder's. Where it is past the windows, in the layers without one.
Expr cache_per_token(const ModelGraph& graph, const Precision& cache, bool past_windows = false);

// Why a model makes no tokens one by one, where that is so.
std::optional<Error> no_decoding(const Architecture& arch);

// Devices that hold one copy of the model and of its sequences: tensor · pipeline · context. Nothing where that does
// not fit in 64 bits.
std::optional<std::int64_t> group_of(const Sharding& sharding);
// The fewest devices that are of such groups, `copies` or more of them: experts are divided among devices that else
// hold the same. Nothing where that does not fit in 64 bits.
std::optional<std::int64_t> devices_of(const Sharding& sharding, std::int64_t copies = 1);

// What is wrong with how a model is to be divided.
std::optional<Error> wrong_sharding(const Sharding& sharding, const Architecture& arch);

// What of it is not divided evenly, so that one device holds more than others; empty where none does: "64 heads among
// 3 devices".
std::string uneven_parts(const Sharding& sharding, const Architecture& arch);

// What the fullest device has of something: so many of so many equal parts.
struct Portion {
    std::int64_t these = 1, of = 1;

    auto operator<=>(const Portion&) const = default;
};
Portion operator*(const Portion& a, const Portion& b);
// Of what is divided in whole ones, such as heads or layers; each device has one at least.
Portion whole_ones(std::int64_t count, std::int64_t devices);

// What is wrong with the options themselves.
std::optional<Error> wrong_options(const MemoryOptions& options, const Architecture& arch);

// One of as many equal parts, or a share, rounded up.
Expr part_of(const Expr& bytes, std::int64_t parts);
Expr part_of(const Expr& bytes, const Portion& share);

// What an activation's numbers are kept in: what later tokens read as the cache is, others as they are computed. A
// state, which is written and read at every token, adds up its errors, and has 32 bits.
Precision kept_precision(const ModelGraph& graph, TensorIndex tensor, Precision computed, Precision cache);

// Bytes, and the formula that they are worked out from.
struct MemoryFigure {
    Expr formula;
    std::int64_t bytes = 0;
};

// What training keeps of one place for the backward pass.
struct KeptActivations {
    std::string block;  // "layer.attention"; "embedding" or "output" outside of layers; "again" for what is recomputed
    MemoryFigure one;   // in one layer
    std::int64_t layers = 1;
    MemoryFigure all;
};

struct MemoryParts {
    MemoryFigure weights, cache, gradients, optimizer;
    MemoryFigure states;       // of recurrences: as many however many tokens there were
    MemoryFigure activations;  // in inference the most at once, in training all that is kept
    std::int64_t total = 0;
};

// Of the whole model.
struct Memory : MemoryParts {
    std::array<MemoryFigure, components.size()> weights_by_component;
    MemoryFigure adapters;                         // which are among the weights
    MemoryFigure cache_per_token;                  // of one sequence that is shorter than every window
    std::optional<MemoryFigure> cache_next_token;  // where layers have a window: of the token behind all of these
    bool wide_states = false;                      // some of the states are in 32 bits, whatever all else is in
    std::string where;                  // the tensor that is being made when the most is there; "backward" in training
    std::vector<KeptActivations> kept;  // in training
    MemoryFigure backward;              // the backward pass's own at its peak (memory_passing.hpp): in no total
    // What lies on the device that holds the most. Layers, experts and heads with their keys and values are divided in
    // whole ones, of 30 layers in 4 stages 8; all else in equal parts, rounded up, so that this is the least it takes.
    MemoryParts device;
    std::int64_t host = 0;  // bytes of the host's memory for each device
};

// "States, in fp32" where some are in 32 bits.
inline std::string_view states_title(const Memory& memory) { return memory.wide_states ? "States, in fp32" : "States"; }

struct Room {
    bool fits = false;
    std::int64_t longest_context = 0;  // tokens of each sequence, with this batch; 0: none
    std::int64_t largest_batch = 0;    // sequences of these tokens; 0: none
};

// The formulas of one graph, made once, worked out for as many inputs as wanted. For a graph with an empty cache: all
// tokens are read, in inference so many at once as Serving says, unless every token sees all; those that an input says
// to be cached are among them, and where there are some the formulas of figures say P + T. The output head is then
// applied to each sequence's last token only. In training there is no cache, and the logits of all tokens are kept in
// 32 bits.
class MemoryFormulas {
  public:
    // The options must be possible for the architecture (wrong_options), but for how it is divided.
    MemoryFormulas(const Architecture& arch, const ModelGraph& graph, const MemoryOptions& options);

    // Fails where a figure does not fit in 64 bits; the error says for how many tokens all of them do, or
    // that it is the model that is too large.
    Result<Memory> at(const Bindings& bindings) const;

    // In inference every moment at which the most activations may be there at once, of these and all other numbers; in
    // training none. `cached` says whether some tokens were, as in `at`.
    struct MomentOfActivations {
        std::string where;  // while this tensor is made
        Expr bytes;
    };
    std::vector<MomentOfActivations> moments_of_activations(bool cached) const;

    // What does not depend on where the most activations are at once.
    const Expr& weights_formula() const { return weights_; }
    const Expr& cache_formula() const { return cache_; }
    const Expr& cache_per_token_formula() const { return cache_per_token_; }
    const Expr& states_formula() const { return states_; }

    // All that lies on each device, without what it is made of; nothing where that does not fit in 64 bits.
    std::optional<std::int64_t> total_on_device(const Bindings& bindings) const;

    // Whether it fits into each device's memory with this input, and what would: found by search, exact.
    std::vector<Room> rooms(std::span<const Device> devices, const Bindings& bindings) const;
    Room room(const Device& device, const Bindings& bindings) const { return rooms({&device, 1}, bindings).front(); }

  private:
    struct Piece {
        Expr bytes, on_device;
        std::size_t first, last;
    };
    struct Kept {
        std::string block;
        Expr one, layers;
    };

    void build_inference(const ModelGraph& graph);
    Expr elements_at_once(const ModelGraph& graph, const Storage& storage) const;
    Expr cached_rows(const Expr& rows) const;
    void build_training(const ModelGraph& graph, const Training& training);
    void build_states(const ModelGraph& graph, const Training& training);

    // What lies on a device at once, each formula once however many layers have it: what is held all along, and beside
    // it, at each moment that another one does not exceed anyway, so many of each of the parts.
    struct OnDevice {
        std::vector<Expr> held, parts;
        std::vector<std::vector<std::int64_t>> moments;

        // Nothing where that does not fit in 64 bits.
        std::optional<std::int64_t> total(const Bindings& at_once) const;
        // With these values put in: a search tries the others a hundred times.
        OnDevice with(const Bindings& known) const;
    };
    OnDevice all_on_device() const;
    // How many of each part, each formula once, are there at each of these nodes.
    struct Moments {
        std::vector<Expr> parts;
        std::vector<std::vector<std::int64_t>> counts;
        std::vector<std::size_t> nodes;
    };
    Moments moments_of(Expr Piece::*which) const;

    // The node at which the most is there at once, and how much; nothing where that does not fit in 64 bits.
    struct Moment {
        std::size_t node = 0;
        std::int64_t bytes = 0;
    };
    std::optional<Moment> peak(Expr Piece::*which, const Bindings& bindings) const;
    Result<Memory> figures_at(const Bindings& bindings) const;
    std::optional<Error> fill_activations(Memory& memory, const Bindings& bindings) const;
    // Weights that are divided in another way than most, and what training holds of them.
    struct Apart {
        Portion of_model;  // that a device has where there is one copy of the model
        bool of_experts = false;
        Expr weights = 0, gradients = 0, optimizer = 0;
    };
    Portion even() const { return {1, options_.sharding.tensor * options_.sharding.pipeline}; }
    // Nothing for a tensor that is divided as most are.
    Apart* apart(const ModelGraph& graph, const StoredTensor& tensor);
    // What lies on each device of all, where ZeRO divides it from that stage on.
    Expr share(const Expr& all, Expr Apart::*of, std::int64_t zero) const;
    void divide();
    void leave_in_host(const HostLayers& layers, const ModelGraph& graph, const StoredWeights& weights);
    Expr kept_of(const ModelGraph& graph, const Tensor& tensor) const;

    MemoryOptions options_;
    Expr weights_, cache_, cache_per_token_, states_, gradients_, optimizer_;
    Expr adapters_ = 0, backward_ = 0;
    std::vector<Apart> apart_;
    // On each device, and in the host's memory for it.
    Expr device_weights_, device_cache_, device_states_, device_gradients_, device_optimizer_, host_ = 0;
    Expr cache_past_windows_;  // of one more token, in the layers without a window
    bool windows_ = false;     // some layers have one
    bool wide_states_ = false;
    std::array<Expr, components.size()> weights_by_component_;
    std::vector<Piece> pieces_;       // of inference
    std::vector<std::string> names_;  // of the tensors that nodes make; in inference only
    std::vector<Kept> kept_, kept_on_device_;
    // Of whole heads, of those that have keys, of layers, of experts, and of heads with a state.
    Portion heads_, kv_heads_, layers_, experts_, state_heads_;
    std::optional<Expr> longest_;  // tokens, where positions are learned
    OnDevice on_device_;
};

// All tokens, those in the cache as well, read in one pass: what memory is worked out from. So many that no memory has
// room for them where their number does not fit in 64 bits.
Input all_at_once(Input input);

// The model whose memory is worked out: of the graph that reads all at once, with the numbers of the input itself.
Result<CountedModel> held_model(const Architecture& arch, const Input& input);

// The same for one input.
Result<Memory> memory(const Architecture& arch, const ModelGraph& graph, const Bindings& bindings,
                      const MemoryOptions& options);

}  // namespace headcount
