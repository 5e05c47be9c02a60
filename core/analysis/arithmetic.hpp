// How much arithmetic and how much memory traffic each operation of a pass takes, and how fast a device could be at it.
// A whole pass as views and commands ask for it is in core/analysis/pass.hpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/memory.hpp"
#include "core/analysis/stored_weights.hpp"
#include "core/arch/input.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

class AdapterGradients;  // core/analysis/adapter_work.hpp

// Which pairs of a query and a key are counted: those that are not masked, the future and what is outside of a window,
// which no program needs to compute; or all of them.
enum class Pairs { causal, full };

// Twice as many as a head's scores that are not masked: a row sees its own token, those before it and all cached ones;
// with a sliding window the last W of these, in chunks those of its own chunk, and where heads choose keys k_x of them.
// `scores` are T × (P + T), or what a window leaves of these columns.
Expr unmasked_twice(const ModelGraph& graph, TensorIndex scores);

// Floating-point operations of one copy of a node, as a formula: 2·T·d·d_ff for a linear layer, T·(T + 1)·d_h for
// scores and for the mix, of all pairs 2·T·T·d_h. Nothing for operations that multiply no matrices. The batch and the
// copies of the block are not in it.
std::optional<Expr> work_formula(const ModelGraph& graph, const Node& node, Pairs pairs = Pairs::causal);

// The scores that a head's node makes, or mixes by.
TensorIndex scores_of(const Node& node);

// The operations that a parameter takes part in, for every copy and the whole batch; 0 for one that is only looked up
// or added. A double: only its size is shown, and it may pass 64 bits.
double work_of_parameter(const ModelGraph& graph, TensorIndex parameter, const Bindings& bindings);

// Two a multiply-add, of both kinds of pairs.
struct Flops {
    std::int64_t causal = 0, full = 0;
    Pairs pairs = Pairs::causal;  // which of them count: in sums, shares, intensities and times

    std::int64_t counted() const { return pairs == Pairs::full ? full : causal; }
    bool operator==(const Flops&) const = default;
};

// One operation, over all its copies and the whole batch.
struct OperationWork {
    std::size_t node = 0;               // index into ModelGraph::nodes
    std::string adapter = {};           // the module that the adapter is beside, where it is of one beside the node
    std::int64_t copies = 0;            // layers, times heads, times the experts that a token is sent to
    Flops flops;                        // 0 where nothing is multiplied
    std::int64_t bytes = 0;             // read and written: inputs, weights and output once each
    Expr flops_formula, bytes_formula;  // the operations that count
};

// What no program can do without, however it fuses operations or overlaps them: of the products those that
// count, and weights, caches and states once each; all else could stay on the chip.
struct LeastWork {
    std::int64_t flops = 0, bytes = 0;
};
struct LeastFormulas {
    Expr flops, bytes;
};

struct PassWork {
    std::vector<OperationWork> operations;  // that compute or move something, in the order in which they run
    Flops flops;
    std::int64_t bytes = 0;
    LeastWork least;
    std::int64_t again = 0;  // of flops.full: what training computes a second time
    bool absorbed = false;   // it is latent attention's absorbed form
};

struct WorkOptions {
    StoredWeights weights = Precision::bf16;
    Precision cache = Precision::bf16;
    Pairs pairs = Pairs::causal;
    // Latent attention as DeepSeek decodes: no keys and values are made, the up-projection is applied to queries and to
    // what comes of them instead. Else all of them are made anew from the cached bottleneck, as the graph has it.
    bool absorbed = false;
    // A training step: backwards too, which is twice as much again (gradients of what was read and of the weights), and
    // so much once more. The optimizer's step is not in it.
    std::optional<Recompute> trained = {};
    bool last_logits = false;               // only the last token's are needed, though the graph has all
    std::int64_t readers = 1;               // devices that each read all weights, since they share a sequence's tokens
    std::optional<Adapters> adapters = {};  // beside the weights; then a training step is of them alone
    std::shared_ptr<const AdapterGradients> gradients = {};  // of that step
};

// The pass that the graph and the bindings describe: T new tokens behind P cached ones. Attention is fused, so that
// scores stay on the chip; heads' columns are not copied; of the experts each that some token is expected to be sent to
// is read once. What adapters compute besides stands behind what they are beside; where they alone are trained there
// are no gradients of weights, and none before the first of them.
// Fails where a sum does not fit in 64 bits; the error says for how many tokens it does.
Result<PassWork> arithmetic(const ModelGraph& graph, const Bindings& bindings, const WorkOptions& options);

// The formula of a pass's arithmetic: of the graph's T tokens and B sequences.
Expr flops_formula(const ModelGraph& graph, const WorkOptions& options = {});

// Of PassWork::least, as `arithmetic` works it out.
LeastFormulas least_formulas(const ModelGraph& graph, const WorkOptions& options);

// Floating-point operations a second, infinite where they are not published, and bytes a second.
struct Roof {
    double flops, bandwidth;

    bool has_peak() const { return std::isfinite(flops); }

    bool operator==(const Roof&) const = default;
};
// Of so many devices that share a pass evenly, without the time in which they talk to each other; of several formats
// the peak of the fastest. Nothing where the device's bandwidth is not published.
std::optional<Roof> roof_of(const Device& device, const Formats& formats, std::int64_t devices = 1);

// No less than this an operation takes: its arithmetic at the peak, or its traffic at full bandwidth.
double seconds_at(const Roof& roof, const OperationWork& work);
// "Queries", or "q_proj adapter" of what stands beside it; and a name of its own for it.
std::string label_of(const ModelGraph& graph, const OperationWork& work);
std::string id_of(const ModelGraph& graph, const OperationWork& work);
bool bound_by_memory(const Roof& roof, const OperationWork& work);

// No less than this a pass takes: the least arithmetic at the peak or the least traffic at full bandwidth.
double seconds_at(const Roof& roof, const LeastWork& work);

}  // namespace headcount
