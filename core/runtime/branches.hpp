// How a text may go on: the likeliest ways, as a tree with a probability on each of its edges.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/runtime/run.hpp"
#include "core/runtime/sampler.hpp"

namespace headcount {

struct BranchRules {
    std::int64_t width = 5;  // how many ways are followed
    std::int64_t depth = 3;  // how many tokens ahead
    Sampling sampling = {};  // whose probabilities count; of one that always takes the likeliest those of the model
    std::vector<std::int32_t> ends = {};  // behind these a text is over

    bool operator==(const BranchRules&) const = default;
};
inline constexpr std::int64_t most_branches = 32, deepest_branch = 32;  // that may be asked for

struct Branch {
    std::optional<std::size_t> parent;  // its place among the branches; nothing: it stands right behind the text
    std::int32_t id = 0;
    std::int64_t depth = 1;  // tokens behind the text, this one counted
    double probability = 0;  // behind its parent
    double way = 0;          // of all from the text to here: the product
    bool followed = false;   // others stand behind it
    bool over = false;       // nothing follows it
};

// The `width` likeliest ways of each length up to `depth`, of those that go on from the likeliest of the length before
// (beam search, Lowerre 1976): parents before children, and of one length the likeliest first. A way that is over stays
// among them. `run` has read a text, and has room for depth - 1 tokens more; afterwards it has read the text alone, and
// has no logits. Costs a pass over at most depth - 1 tokens for each way of each length. Errors: what Run::append says,
// no scores, stopped.
Result<std::vector<Branch>> likeliest_branches(Run& run, const BranchRules& rules, const Watch& watch = {});

// The tokens from the text to this branch.
std::vector<std::int32_t> way_to(const std::vector<Branch>& branches, std::size_t branch);

}  // namespace headcount
