// Reads the text once more, to go on from it several ways.
#include "app/state/run/tree.hpp"

#include <algorithm>

#include "app/state/run/next.hpp"
#include "core/base/text.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {

BranchRules tree_rules(const RunSnapshot& run, const RunPlace& place) {
    return {.width = std::clamp<std::int64_t>(place.tree.width, 1, most_branches),
            .depth = std::clamp<std::int64_t>(place.tree.depth, 1, deepest_branch),
            .sampling = sampling_of(place.sampling),
            .ends = run.tokenizer ? run.tokenizer->ends() : std::vector<std::int32_t>()};
}

std::string text_of_branch(const RunSnapshot& run, const RunTree& tree, std::size_t branch) {
    const auto all = run.values->ids().first(static_cast<std::size_t>(tree.position) + 1);
    std::vector<std::int32_t> ids(all.begin(), all.end());
    const std::vector<std::int32_t> way = way_to(tree.branches, branch);
    ids.insert(ids.end(), way.begin(), way.end());
    if (run.tokenizer) return run.tokenizer->decode(ids, Specials::left_out);
    return listed(ids, [](std::int32_t id) { return std::to_string(id); });
}

std::optional<Error> RunTrees::read(const RunSnapshot& run, std::int64_t position, const BranchRules& rules,
                                    const Watch& watch) {
    const std::shared_ptr<const Model>& model = run.values->shared_model();
    const auto ids = run.values->ids().first(static_cast<std::size_t>(position) + 1);
    RunOptions options = run.of->options;
    options.keep = Keep::nothing;
    options.capacity = std::max(options.capacity, std::ssize(ids) + rules.depth - 1);
    const std::int64_t context = model->architecture.context;
    if (context > 0 && options.capacity > std::max(context, run.of->options.capacity))
        return Error{"the context has no room for " + std::to_string(rules.depth) + " tokens more", "",
                     "look less far ahead, or at an earlier token"};
    const bool same = run_ && model_ == model && std::ranges::equal(source_, run.values->source()) &&
                      run_->options().capacity >= options.capacity;
    if (!same) {
        run_.reset();
        Result<Run> begun = Run::start(model, options);
        if (!begun) return begun.error();
        run_.emplace(std::move(*begun));
        model_ = model;
        source_.assign(run.values->source().begin(), run.values->source().end());
        if (!source_.empty())
            if (std::optional<Error> error = run_->set_source(source_)) return error;
    }
    // What both texts begin with stays read; the last token is read again for its logits.
    const auto there = std::ranges::mismatch(run_->ids(), ids).in1 - run_->ids().begin();
    run_->keep_first(std::min<std::int64_t>(there, std::ssize(ids) - 1));
    if (run_->turns_anew(std::ssize(ids) - run_->tokens())) run_->keep_first(0);
    return run_->append(ids.subspan(static_cast<std::size_t>(run_->tokens())), watch);
}

std::optional<RunTree> RunTrees::find(const RunSnapshot& run, std::int64_t position, const BranchRules& rules,
                                      const Watch& watch) {
    RunTree tree{.of = run.values, .position = position, .rules = rules};
    tree.wrong = read(run, position, rules, watch);
    if (!tree.wrong) {
        Result<std::vector<Branch>> found = likeliest_branches(*run_, rules, watch);
        if (found)
            tree.branches = *std::move(found);
        else
            tree.wrong = found.error();
    }
    if (tree.wrong) run_.reset();
    if (tree.wrong == stopped_error()) return std::nullopt;
    return tree;
}

}  // namespace headcount
