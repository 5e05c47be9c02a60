// How much arithmetic and how much memory traffic each operation of a pass takes, and how fast a device could be at it.
// One product's formula, and what a single parameter takes part in, are in core/analysis/work.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/arch/device.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// One operation, over all its copies and the whole batch.
struct OperationWork {
    std::size_t node = 0;           // index into ModelGraph::nodes
    std::int64_t copies = 0;        // layers, times heads, times the experts that a token is sent to
    std::int64_t flops = 0;         // two a multiply-add, every query against every key; 0 where nothing is multiplied
    std::int64_t flops_causal = 0;  // without what is masked: the future, and what is outside of the window
    std::int64_t bytes = 0;         // read and written: inputs, weights and output once each
    Expr flops_formula, bytes_formula;

    // Operations a byte.
    double intensity() const { return bytes == 0 ? 0 : static_cast<double>(flops) / static_cast<double>(bytes); }
};

struct PassWork {
    std::vector<OperationWork> operations;  // that compute or move something, in the order in which they run
    std::int64_t flops = 0, flops_causal = 0, bytes = 0;
    bool absorbed = false;  // it is latent attention's absorbed form
};

struct WorkOptions {
    Precision weights = Precision::bf16;
    Precision cache = Precision::bf16;
    // Latent attention as DeepSeek decodes: no keys and values are made, the up-projection is applied to queries and to
    // what comes of them instead. Else all of them are made anew from the cached bottleneck, as the graph has it.
    bool absorbed = false;
    bool trained = false;  // a training step is worked out of it, whose sums must fit too
};

// The pass that the graph and the bindings describe: T new tokens behind P cached ones. Attention is fused, so that
// scores stay on the chip; heads' columns are not copied; of the experts each that some token is sent to is read once.
// Fails where a sum does not fit in 64 bits; the error says for how many tokens it does.
Result<PassWork> arithmetic(const Architecture& arch, const ModelGraph& graph, const Bindings& bindings,
                            const WorkOptions& options);

// The same operations forwards and backwards, which is twice as much again: gradients of what was read and of the
// weights. Nothing is computed twice, and the optimizer's step is not in it. Of a pass that was worked out as
// `trained`.
PassWork training_work(const PassWork& forward);

// The formula of a pass's arithmetic, every query against every key: of the graph's T tokens and B sequences;
// of latent attention in that of its two forms.
Expr flops_formula(const ModelGraph& graph, bool absorbed = false);

// The same operation by operation, with what each reads and writes: as `arithmetic` works them out.
struct OperationFormulas {
    Expr flops, bytes;
};
std::vector<OperationFormulas> operation_formulas(const ModelGraph& graph, const WorkOptions& options);

// Floating-point operations a second and bytes a second.
struct Roof {
    double flops, bandwidth;

    bool operator==(const Roof&) const = default;
};
// Nothing where the device's speed is not published.
std::optional<Roof> roof_of(const Device& device, Precision precision);

// No less than this an operation takes: its arithmetic at the peak, or its traffic at full bandwidth.
double seconds_at(const Roof& roof, const OperationWork& work);
bool bound_by_memory(const Roof& roof, const OperationWork& work);

// The operations one behind the other.
double seconds_at(const Roof& roof, const PassWork& work);
// Nothing where a number does not fit in 64 bits.
std::optional<double> seconds_at(const Roof& roof, const std::vector<OperationFormulas>& operations,
                                 const Bindings& bindings);

// The pass in whichever form of latent attention takes less time at the roof, without a roof computes less: what no
// program is faster than must hold for both. Where that is the absorbed one, `anew` is the other.
struct FastestPass {
    PassWork pass;
    std::optional<PassWork> anew;
};
Result<FastestPass> fastest_pass(const Architecture& arch, const ModelGraph& graph, const Bindings& bindings,
                                 WorkOptions options, const std::optional<Roof>& roof);

}  // namespace headcount
