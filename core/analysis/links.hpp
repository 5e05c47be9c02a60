// What devices that share a model send to each other in a pass, and what experts that are divided among them read.
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/memory.hpp"
#include "core/analysis/pass.hpp"

namespace headcount {

// No program that divides a pass so sends less, each device of:
// - a tensor-parallel group: each sum onto the residual stream is made of all its devices' parts and handed to all of
//   them, in 2·(t - 1)/t of its bytes (Shoeybi et al. 2019, "Megatron-LM"; Patarasuk & Yuan 2009);
// - a pipeline: a stage's tokens, of which the devices that hold a stage send a part each (Narayanan et al. 2021);
// - a context-parallel group: keys and values, or queries and what comes of them, whichever are fewer, to all others
//   (Liu et al. 2023, "Ring Attention"; Yang et al. 2024, arXiv:2411.01783); of layers with a window nothing is
//   counted;
// - an expert-parallel group: each token to the others that hold some of its experts, once to each, and the sum of what
//   these make back (Lepikhin et al. 2020, "GShard"; DeepSeek-AI 2024, arXiv:2412.19437, section 3.2). D_r thousandths
//   of devices are expected to be reached where k of E experts are chosen, whichever, in groups as the router has them.
//   There it goes in as many bits as the experts' weights have, where these are fewer than activations have;
// - in training those that have the same weights: gradients are summed, in twice as many bytes as these have, and with
//   ZeRO's third stage weights are gathered for each way (Rajbhandari et al. 2020, section 7), in inference too; where
//   adapters are trained, their gradients alone.
// What is computed again is not sent again. Backwards as much again; of a context's keys and values twice, since they
// are needed again beside their gradients. Groups of one are left out. Fails where a number does not fit in 64 bits.
// The pass's experts are divided (divide_experts).
Result<std::vector<LinkUse>> link_traffic(const Pass& pass, Phase phase, const Sharding& sharding,
                                          const Formats& weights, const std::optional<Adapters>& adapters = {});

// Why a context's group cannot divide the tokens of an input: each of its devices has one at least.
std::optional<Error> wrong_context(const Sharding& sharding, const Architecture& arch, const Input& input);

// Bytes of all groups together.
std::int64_t sent_by_each(const std::vector<LinkUse>& links);

// Of a pass that was worked out for one part of the batch: where experts are divided among so many devices, of which
// each context's group has such a part, a device reads its share of the experts' weights that all their tokens are sent
// to, and hands tokens on to other devices (D_r). Its time at the roof follows. Fails where a number does not fit in 64
// bits.
std::optional<Error> divide_experts(Pass& pass, const Sharding& sharding);
// A pass as the options divide it.
Result<Pass> device_pass_of(const Architecture& arch, const Input& input, Phase phase, const PassOptions& options);

}  // namespace headcount
