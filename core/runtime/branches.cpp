// Follows the likeliest ways side by side.
#include "core/runtime/branches.hpp"

#include <algorithm>

#include "core/base/find.hpp"

namespace headcount {
namespace {

// A way that may be followed: a branch that is there and over, or a token more behind one.
struct Way {
    std::optional<std::size_t> branch;
    Branch next;
};

class BranchFinder {
  public:
    BranchFinder(Run& run, const BranchRules& rules)
        : run_(run), rules_(rules), text_(run.ids().begin(), run.ids().end()) {
        if (rules_.sampling.temperature <= 0) rules_.sampling = {.temperature = 1};
    }

    std::optional<Error> find(const Watch& watch) {
        std::vector<std::size_t> followed;
        for (std::int64_t depth = 1; depth <= rules_.depth; ++depth) {
            std::vector<Way> ways;
            if (depth == 1)
                if (std::optional<Error> error = add_behind({}, 1, ways)) return error;
            for (const std::size_t branch : followed) {
                if (watch.stopped()) return stopped_error();
                if (branches_[branch].over)
                    ways.push_back({branch, branches_[branch]});
                else if (std::optional<Error> error = add_behind(branch, depth, ways))
                    return error;
            }
            std::ranges::stable_sort(ways, std::ranges::greater{}, [](const Way& way) { return way.next.way; });
            ways.resize(std::min(ways.size(), static_cast<std::size_t>(rules_.width)));
            followed.clear();
            for (const Way& way : ways) followed.push_back(way.branch ? *way.branch : put(way.next));
            watch.at(static_cast<double>(depth) / static_cast<double>(rules_.depth));
        }
        run_.keep_first(std::ssize(text_));
        return std::nullopt;
    }
    std::vector<Branch> branches() && { return std::move(branches_); }

  private:
    std::size_t put(const Branch& branch) {
        if (branch.parent) branches_[*branch.parent].followed = true;
        branches_.push_back(branch);
        return branches_.size() - 1;
    }

    // Reads what leads there behind the text, whose keys and values stay.
    std::optional<Error> go_to(std::size_t branch) {
        std::vector<std::int32_t> ids = way_to(branches_, branch);
        run_.keep_first(std::ssize(text_));
        if (run_.turns_anew(std::ssize(ids))) {
            run_.keep_first(0);
            ids.insert(ids.begin(), text_.begin(), text_.end());
        }
        return run_.append(ids);
    }

    std::optional<Error> add_behind(std::optional<std::size_t> branch, std::int64_t depth, std::vector<Way>& ways) {
        if (branch)
            if (std::optional<Error> error = go_to(*branch)) return error;
        const Result<Distribution> all = distribution(run_.logits(), rules_.sampling);
        if (!all) return all.error();
        const std::size_t count = std::min(all->kept, static_cast<std::size_t>(rules_.width));
        for (const Candidate& each : std::span(all->candidates).first(count))
            ways.push_back({{},
                            {.parent = branch,
                             .id = each.id,
                             .depth = depth,
                             .probability = each.probability,
                             .way = each.probability * (branch ? branches_[*branch].way : 1),
                             .over = contains(rules_.ends, each.id)}});
        return std::nullopt;
    }

    Run& run_;
    BranchRules rules_;
    const std::vector<std::int32_t> text_;
    std::vector<Branch> branches_;
};

}  // namespace

Result<std::vector<Branch>> likeliest_branches(Run& run, const BranchRules& rules, const Watch& watch) {
    if (run.tokens() + rules.depth - 1 > run.options().capacity)
        return Error{"there is no room for " + std::to_string(rules.depth) + " tokens more", "", "look less far ahead"};
    BranchFinder finder(run, rules);
    if (std::optional<Error> error = finder.find(watch)) return *std::move(error);
    return std::move(finder).branches();
}

std::vector<std::int32_t> way_to(const std::vector<Branch>& branches, std::size_t branch) {
    std::vector<std::int32_t> ids;
    for (std::optional<std::size_t> at = branch; at; at = branches[*at].parent) ids.push_back(branches[*at].id);
    std::ranges::reverse(ids);
    return ids;
}

}  // namespace headcount
