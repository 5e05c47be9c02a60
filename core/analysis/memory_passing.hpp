// What a step of training has for a moment besides what it keeps: what overwritten activations and their gradients
// take, and what operations write down while they work. What it is of a training here (core/train), to the byte; a
// program that computes another way takes other room for its work.
#pragma once

#include <cstdint>

#include "core/graph/graph.hpp"

namespace headcount {

class AdapterGradients;  // core/analysis/adapter_work.hpp

// Bytes at the peak, with numbers of `each` bytes and the logits' in 32 bits. On the way back each activation has a
// gradient, until the layer before it is reached: the kind of layers with the most decides, and with it there is what
// is outside of layers, and the gradients of what enters a layer and of what leaves it. Those of scores are made and
// used head by head (`working_bytes`); where `scores` are kept whole, those by which keys are chosen, and the choice,
// are whole as well. On the way forwards what no derivative reads lies in the same memory. Where adapters alone are
// trained not all activations have gradients.
Expr passing_bytes(const ModelGraph& graph, std::int64_t each, bool scores, const AdapterGradients* adapters = nullptr);

// What operations write down while they work, in 32 bits, with so many threads: matrices turned over for their
// products, tokens by expert, and each thread's room. `values` says how many tokens, lines and source tokens there are.
Result<std::int64_t> working_bytes(const ModelGraph& graph, const Bindings& values, std::int64_t threads);

// What Muon writes down while it makes a matrix of a layer orthogonal, in 32 bits, one matrix after another: that one,
// as much again, and two squares of its shorter side.
Result<std::int64_t> muon_bytes(const ModelGraph& graph, const Bindings& values);

}  // namespace headcount
