// How much each part of a model matters for what it says next: every sub-block and every head is switched off by itself
// (Michel et al. 2019, "Are sixteen heads really better than one?").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/runtime/run.hpp"

namespace headcount {

// Of one kind of sub-block, by layer of its stack: how the log probability changes (natural, off less on).
struct PartRank {
    ChangePlace::Stack stack = ChangePlace::Stack::main;
    std::string block;                               // "attention"
    std::vector<std::optional<double>> layers = {};  // nothing where a layer has none
    std::vector<std::vector<double>> heads = {};     // with a softmax; empty where a layer has none
};

struct Rank {
    std::int32_t token = 0;            // the likeliest
    double log_probability = 0;        // with all parts on
    std::vector<PartRank> parts = {};  // an encoder's first, in the order of their first layers
};

// Of a token after these scores: natural, at most 0.
double log_probability(std::span<const float> logits, std::int32_t token);

// Why a model's parts cannot be ranked: it has no scores for a next token.
std::optional<Error> cannot_rank(const Architecture& arch);

// The run's types and source stay; its tokens are forgotten, and `changes` are on before, meanwhile and afterwards.
// Costs a pass over the prompt for each sub-block and head. Errors: `cannot_rank`, what `Run::append` says,
// stopped.
Result<Rank> rank_parts(Run& run, std::span<const std::int32_t> prompt, const std::vector<NodeChange>& changes,
                        const Watch& watch = {});

}  // namespace headcount
