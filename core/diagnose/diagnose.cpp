// The right run, what differs from it, then one mistake after another, then two at once.
#include "core/diagnose/diagnose.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <set>

#include "core/analysis/arithmetic.hpp"
#include "core/base/text.hpp"
#include "core/diagnose/trial.hpp"
#include "core/runtime/pool.hpp"

namespace headcount {
namespace {

std::optional<Error> not_diagnosed(const Model& model, std::span<const std::int32_t> ids,
                                   std::span<const std::int32_t> source) {
    const Architecture& arch = model.architecture;
    if (reads_numbers(arch) || arch.sound)
        return Error{"a model that reads no text is not diagnosed here", "ARCH", "give one that reads text alone"};
    if (arch.encoder && source.empty())
        return Error{"there is none for the encoder", "source", "give the tokens that it has read"};
    if (!arch.encoder && !source.empty())
        return Error{"this model has no encoder beside a decoder, which could read a source", "source",
                     "give a prompt alone"};
    if (ids.empty()) return Error{"there are none", "tokens", "give at least one"};
    const std::int64_t most = std::max(std::ssize(ids), std::ssize(source));
    if (most > most_diagnosed)
        return Error{
            grouped(most) + " tokens are more than the " + grouped(most_diagnosed) + " that are compared at once",
            "tokens", "take the beginning of the text: a mistake shows in a few"};
    return std::nullopt;
}

// "layer.0.attention.queries (5, 32)", each shape once.
std::string expected_shapes(std::span<const Site> places) {
    std::vector<std::string> said;
    std::set<std::vector<std::int64_t>> shapes;
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        const std::vector<std::int64_t> shape = place->by_head ? std::vector{place->copies, place->rows, place->columns}
                                                               : std::vector{place->rows, place->columns};
        if (shapes.insert(shape).second)
            said.push_back(place->name + " (" + listed(shape, [](std::int64_t side) { return std::to_string(side); }) +
                           ")");
    }
    return listed(said, [](const std::string& each) { return each; });
}

// None of theirs is in a shape of ours: perhaps of another vocabulary, or of another text.
Error nothing_fits(const Against& with) {
    const auto tokens = std::ssize(with.ids);
    std::string why =
        "no tensor has a shape that this model makes of " + grouped(tokens) + (tokens == 1 ? " token" : " tokens");
    for (const TheirTensor& each : with.theirs) {
        if (each.shape.size() < 2) continue;
        const std::int64_t rows = each.shape[each.shape.size() - 2];
        if (each.shape.back() == with.model->architecture.vocab && rows != tokens)
            why += "; " + each.name + " has " + grouped(rows) + " rows, one for each of as many tokens";
        else if (rows == tokens && each.name.find("logits") != std::string::npos)
            why += "; " + each.name + " has " + grouped(each.shape.back()) + " columns, and the vocabulary " +
                   grouped(with.model->architecture.vocab);
    }
    return {why, "", "write one of " + expected_shapes(with.places) + "; sides of 1 do not matter"};
}

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
        if (made_.causes.empty() && !made_.rounding && made_.agrees_behind.empty()) try_pairs();
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

// What is compared with what, and how far it is apart.
void compare(const Against& with, Diagnosis& made) {
    std::set<std::size_t> known;
    for (std::size_t i = 0; i < with.links.size(); ++i) {
        const Link& link = with.links[i];
        known.insert(link.theirs);
        const Site& place = with.places[link.ours.front().place];
        const TheirTensor& theirs = with.theirs[link.theirs];
        const std::vector<float>& numbers = with.numbers[link.ours.front().place];
        ComparedTensor& compared = made.compared.emplace_back(ComparedTensor{.theirs = theirs.name,
                                                                             .ours = place.name,
                                                                             .equals = {},
                                                                             .by = link.by,
                                                                             .difference = with.apart[i],
                                                                             .tolerance = with.tolerance(i),
                                                                             .tensor = place.tensor,
                                                                             .layer = place.in_layer});
        if (link.ours.size() > 1) {  // what it is called is what it should be
            compared.equals = with.places[link.ours.back().place].name;
            compared.difference = difference(theirs, link.ours.front().lie, place, numbers);
        }
        if (compared.agrees() || made.first) continue;
        made.first = i;
        made.where = where_different(theirs, link.ours.front().lie, place, numbers);
    }
    for (std::size_t i = 0; i < with.theirs.size(); ++i)
        if (!known.contains(i)) made.unknown.push_back(with.theirs[i].name);
}

// How far the middle one of a link's tokens is.
double middle_token(const Against& with, std::size_t link) {
    const Ours& ours = with.links[link].ours.front();
    const TheirTensor& theirs = with.theirs[with.links[link].theirs];
    std::vector<double> tokens =
        where_different(theirs, ours.lie, with.places[ours.place], with.numbers[ours.place]).tokens;
    if (tokens.empty()) return with.apart[link];
    const auto middle = tokens.begin() + std::ssize(tokens) / 2;
    std::ranges::nth_element(tokens, middle);
    return *middle;
}

// The stream behind all that differs, or what is made of it, where that agrees. The last token's alone says nothing: it
// need not see what is wrong with others.
std::string agrees_behind(const Against& with) {
    const ModelGraph& graph = with.model->graph;
    std::string found;
    for (std::size_t i = 0; i < with.links.size(); ++i) {
        const Site& place = with.places[with.links[i].ours.front().place];
        const Part part = graph.tensors[place.tensor].part;
        if (with.apart[i] > with.tolerance(i))
            found.clear();
        else if (with.links[i].ours.front().lie != Lie::last_row &&
                 (part == Part::residual || part == Part::final_norm || part == Part::output_head))
            found = place.name;
    }
    return found;
}

}  // namespace

Result<Diagnosis> diagnose(const std::shared_ptr<const Model>& model, std::span<const std::int32_t> ids,
                           std::span<const TheirTensor> theirs, const DiagnoseOptions& options) {
    if (std::optional<Error> error = not_diagnosed(*model, ids, options.source)) return *std::move(error);
    const Result<Run> right = run_kept(model, ids, {}, options.source);
    if (!right) return right.error();
    Against with{.model = model, .ids = ids, .source = options.source, .theirs = theirs, .places = places_of(*right)};
    for (const Site& place : with.places) with.numbers.push_back(numbers_at(*right, place, place.tensor));
    const std::vector<TheirTensor> apart = with_fused_apart(theirs, with.places, with.numbers);
    with.theirs = apart;
    with.links = linked(apart, with.places, with.numbers, dumped_besides(*right));
    if (with.links.empty()) return nothing_fits(with);
    if (!std::ranges::all_of(with.numbers.back(), [](float each) { return std::isfinite(each); }))
        return Error{"of these tokens the model itself makes numbers that are not finite", "ARCH",
                     "look at its weights: nothing can be compared with such numbers"};
    for (std::size_t i = 0; i < with.links.size(); ++i)
        with.apart.push_back(apart_at(with, *right, nullptr, i).value_or(0));
    Diagnosis made;
    compare(with, made);
    // Names that mean something else here are no difference.
    if (with.first_differing() == with.links.size()) made.first.reset();
    if (!made.first) return made;
    const Result<Run> rounded = run_kept(with_rounded_weights(model), ids, rounded_changes(*model), options.source);
    if (!rounded) return rounded.error();
    if (model->graph.first(Op::route))
        for (std::size_t i = 0; i < with.links.size(); ++i) with.middle.push_back(middle_token(with, i));
    made.small = true;
    for (std::size_t i = 0; i < with.links.size(); ++i) {
        const std::size_t at = with.links[i].ours.front().place;
        const Site& place = with.places[at];
        TheirTensor own{.name = {}, .shape = {}, .numbers = numbers_at(*rounded, place, place.tensor)};
        with.noise.push_back(difference(own, Lie::plain, place, with.numbers[at]));
        made.small = made.small && std::min(made.compared[i].difference, with.robust(i)) <= with.tolerance_rounded(i);
    }
    // Rows of an embedding that is stored in bfloat16 have few digits whoever reads them.
    with.rounded = std::ranges::any_of(with.links, [&](const Link& link) {
        return have_few_digits(with.theirs[link.theirs].numbers) &&
               !have_few_digits(with.numbers[link.ours.front().place]);
    });
    made.rounding = made.small && with.rounded;
    made.agrees_behind = agrees_behind(with);
    Search(with, options, made).search();
    if (options.watch.stopped()) return stopped_error();
    if (!made.causes.empty()) made.rounding = false;
    return made;
}

}  // namespace headcount
