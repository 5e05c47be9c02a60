// How a run's text may go on: the likeliest ways behind a token, found by a run of its own.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/state/run/snapshot.hpp"
#include "core/runtime/branches.hpp"

namespace headcount {

struct RunTree {
    std::weak_ptr<const RunValues> of;
    std::int64_t position = 0;  // of the token that these follow
    BranchRules rules;
    std::vector<Branch> branches;
    std::optional<Error> wrong;
};

// Of these tokens, as the run samples them.
BranchRules tree_rules(const RunSnapshot& run, const RunPlace& place);

// The text of a branch, from the first token on, to be typed; numbers of tokens where there is no tokenizer.
std::string text_of_branch(const RunSnapshot& run, const RunTree& tree, std::size_t branch);

// Not for two threads at once: keeps the keys and values of the text that was read last.
class RunTrees {
  public:
    // Nothing where it was stopped.
    std::optional<RunTree> find(const RunSnapshot& run, std::int64_t position, const BranchRules& rules,
                                const Watch& watch);

  private:
    std::optional<Error> read(const RunSnapshot& run, std::int64_t position, const BranchRules& rules,
                              const Watch& watch);

    std::shared_ptr<const Model> model_;
    std::vector<std::int32_t> source_;
    std::optional<Run> run_;
};

}  // namespace headcount
