// One mistake after another, then two at once.
#include "core/diagnose/search.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "core/analysis/arithmetic.hpp"
#include "core/base/text.hpp"
#include "core/runtime/pool.hpp"

namespace headcount {
namespace {

// Some numbers of the first that differs are 0, and the others larger by what is left: by chance, so that no mistake
// makes these numbers.
bool find_dropped(const Against& with, Diagnosis& made) {
    const Link& link = with.links[*made.first];
    const Ours& ours = link.ours.front();
    const Site& place = with.places[ours.place];
    const TheirTensor& theirs = with.theirs[link.theirs];
    const std::optional<double> share = dropped(theirs, ours.lie, place, with.numbers[ours.place]);
    if (!share) return false;
    made.causes.push_back(
        Cause{.names = {"dropout-on"},
              .says = {"dropout is left on: about " + decimal_text(100 * *share, 0) + " % of the numbers of " +
                       place.name + " are 0, and the others are the model's divided by " + decimal_text(1 - *share, 2) +
                       " (call model.eval() first)"},
              .agree = *made.first + 1,
              .difference = with.tolerance(*made.first),
              .by_chance = true});
    return true;
}

// How many runs of the model take some seconds on one thread, however fast it is: so that the answer is the same on
// every machine. By their operations, and by what it costs to make a model with a mistake in it.
std::int64_t affordable_runs(const Against& with) {
    constexpr double operations = 1.5e11, to_make_one = 2e6;
    const Input read{.tokens = std::ssize(with.ids), .source = std::max<std::int64_t>(1, std::ssize(with.source))};
    const Result<PassWork> work = arithmetic(with.model->graph, bindings(with.model->architecture, read), {});
    return work ? std::llround(operations / (static_cast<double>(work->flops.full) + to_make_one)) : 0;
}

class Search {
  public:
    Search(const Against& with, const DiagnoseOptions& options, Diagnosis& made)
        : with_(with), options_(options), made_(made), pool_(options.threads), all_(mutations_of(*with.model)) {}

    void search() {
        try_each();
        take(singles_, [&](std::size_t i) { return std::vector{&all_[i]}; });
        if (made_.causes.empty() && find_dropped(with_, made_)) return;
        // Of numbers that nothing names two mistakes could make too much.
        const bool named =
            !std::ranges::all_of(with_.links, [](const Link& each) { return each.by == LinkedBy::nearest; });
        if (named && made_.causes.empty() && !made_.rounding && made_.agrees_behind.empty()) try_pairs();
    }

  private:
    void try_each() {
        singles_.resize(all_.size());
        std::atomic<std::int64_t> done = 0;
        pool_.run(std::ssize(all_), [&](std::int64_t i, int thread) {
            if (options_.watch.stopped()) return;
            if (thread == 0) options_.watch.at(static_cast<double>(done) / static_cast<double>(2 * all_.size()));
            ++done;
            const Mutation* mistake = &all_[static_cast<std::size_t>(i)];
            singles_[static_cast<std::size_t>(i)] = try_mistakes(with_, {&mistake, 1});
        });
        made_.tried = std::ranges::count(singles_, true, &Attempt::made);
    }

    // Those that explain all; where none does, those that do but for rounding.
    template <class Of>
    void take(std::span<const Attempt> trials, const Of& of) {
        for (const bool Attempt::*explains : {&Attempt::explains, &Attempt::explains_rounded}) {
            if (explains == &Attempt::explains_rounded && (made_.rounding || !with_.rounded)) return;
            for (std::size_t i = 0; i < trials.size(); ++i) {
                if (!(trials[i].*explains)) continue;
                Cause& cause = made_.causes.emplace_back(Cause{.names = {},
                                                               .says = {},
                                                               .agree = trials[i].compared,
                                                               .difference = trials[i].worst,
                                                               .rounded = !trials[i].explains});
                for (const Mutation* each : of(i)) cause.names.push_back(each->name), cause.says.push_back(each->says);
            }
            if (!made_.causes.empty()) break;
        }
        if (made_.causes.empty()) return;
        // Sums of float32 leave some millionth: of those about as near as the nearest, the likelier.
        constexpr double sums = 1e-6;
        const double nearest = std::ranges::min_element(made_.causes, {}, &Cause::difference)->difference;
        const auto others = std::stable_partition(made_.causes.begin(), made_.causes.end(), [&](const Cause& each) {
            return each.difference <= std::max(sums, 2 * nearest);
        });
        std::stable_sort(others, made_.causes.end(),
                         [](const Cause& a, const Cause& b) { return a.difference < b.difference; });
    }

    void try_pairs() {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (singles_[i].made && singles_[i].changes_something) order.push_back(i);
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
            const Attempt &x = singles_[a], &y = singles_[b];
            return x.reached != y.reached ? x.reached > y.reached : x.there < y.there;
        });
        // Where a mistake mends what differs first, one of the two is such; none spoils what agrees before that.
        const std::size_t first = with_.first_differing();
        std::erase_if(order, [&](std::size_t i) { return singles_[i].reached < first; });
        const auto mends = [&](std::size_t i) { return singles_[i].reached > first; };
        const bool some = std::ranges::any_of(order, mends);
        std::vector<std::array<const Mutation*, 2>> pairs;
        for (std::size_t j = 0; j < order.size(); ++j)
            for (std::size_t i = 0; i < j; ++i)
                if (all_[order[i]].about != all_[order[j]].about && (!some || mends(order[i]) || mends(order[j])))
                    pairs.push_back({&all_[order[i]], &all_[order[j]]});
        made_.pairs = std::ssize(pairs);
        const std::int64_t most = options_.pairs.value_or(affordable_runs(with_) - made_.tried);
        pairs.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(most, 0, made_.pairs)));
        constexpr std::size_t at_once = 32;
        for (std::size_t from = 0; from < pairs.size(); from += at_once) {
            if (options_.watch.stopped()) return;
            options_.watch.at(0.5 + static_cast<double>(from) / static_cast<double>(2 * pairs.size()));
            const std::size_t count = std::min(at_once, pairs.size() - from);
            std::vector<Attempt> trials(count);
            pool_.run(static_cast<std::int64_t>(count), [&](std::int64_t i, int) {
                trials[static_cast<std::size_t>(i)] = try_mistakes(with_, pairs[from + static_cast<std::size_t>(i)]);
            });
            made_.pairs_tried += static_cast<std::int64_t>(count);
            take(trials, [&](std::size_t i) {
                return std::vector<const Mutation*>(pairs[from + i].begin(), pairs[from + i].end());
            });
            if (!made_.causes.empty()) return;
        }
    }

    const Against& with_;
    const DiagnoseOptions& options_;
    Diagnosis& made_;
    Pool pool_;
    const Mutations all_;
    std::vector<Attempt> singles_;  // one for each of all
};

}  // namespace

void search_causes(const Against& with, const DiagnoseOptions& options, Diagnosis& made) {
    Search(with, options, made).search();
}

}  // namespace headcount
