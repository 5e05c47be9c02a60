// A run is ended as soon as a layer is behind it whose numbers are not theirs.
#include "core/diagnose/trial.hpp"

#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace headcount {

Result<Run> run_kept(const std::shared_ptr<const Model>& model, std::span<const std::int32_t> ids,
                     std::vector<NodeChange> changes, std::span<const std::int32_t> source) {
    Result<Run> run = Run::start(model, {.capacity = std::ssize(ids), .source = std::ssize(source), .keep = Keep::all});
    if (!run) return run.error();
    if (!source.empty())
        if (std::optional<Error> error = run->set_source(source)) return *std::move(error);
    run->set_changes(std::move(changes));
    if (std::optional<Error> error = run->append(ids)) return *std::move(error);
    return run;
}

namespace {

constexpr std::int64_t all_layers = std::numeric_limits<std::int64_t>::max();

class Trier {
  public:
    Trier(const Against& with, Mutant& mutant) : with_(with), mutant_(mutant), apart_(with.links.size()) {}

    Attempt run() {
        const auto model = std::make_shared<const Model>(std::move(mutant_.model));
        Result<Run> run = Run::start(
            model, {.capacity = std::ssize(with_.ids), .source = std::ssize(with_.source), .keep = Keep::all});
        if (!run || (!with_.source.empty() && run->set_source(with_.source))) return {};
        run->set_changes(mutant_.changes);
        std::atomic<bool> stop = false;
        const std::int64_t others = model->architecture.encoder ? model->architecture.encoder->layers : 0;
        const auto steps = static_cast<double>(model->architecture.layers + others + 1);
        const bool as_many = model->architecture.layers == with_.model->architecture.layers;
        const Watch watch{[&](double share) {
                              if (as_many && !go_on(*run, std::llround(share * steps))) stop = true;
                          },
                          &stop};
        if (run->append(with_.ids, watch) && !stop) return {};
        if (!stop) go_on(*run, all_layers);
        Attempt trial = judge(stop);
        if ((trial.explains || trial.explains_rounded) && !behind_what_changes(*run))
            trial.explains = trial.explains_rounded = false;
        return trial;
    }

  private:
    // Measures what the layers before this one have made; false where a link is not theirs.
    bool go_on(const Run& run, std::int64_t layer) {
        for (; next_ < with_.links.size(); ++next_) {
            const auto made = [&](const Ours& ours) { return with_.places[ours.place].after <= layer; };
            const Link& link = with_.links[next_];
            if (!made(link.ours.front()) || !std::ranges::all_of(link.perhaps, made)) break;
            apart_[next_] = apart_at(with_, run, &mutant_, next_);
            if (apart_[next_] && *apart_[next_] > with_.tolerance_rounded(next_)) return false;
        }
        return true;
    }

    // Whether what nothing names stands behind what the mistake changes first. That itself a right program may have
    // made too, on its way: rows of an embedding before they are scaled.
    bool behind_what_changes(const Run& run) const {
        const auto numbers = [&](std::size_t place) {
            const std::optional<TensorIndex> now = standing_for(mutant_, with_.places[place].tensor);
            return now ? numbers_at(run, with_.places[place], *now) : std::vector<float>();
        };
        const auto changed = [&](std::size_t place) {
            const std::vector<float> made = numbers(place);
            return !made.empty() && made != with_.numbers[place];
        };
        std::optional<std::size_t> first;
        for (std::size_t i = 0; i < with_.links.size(); ++i) {
            const Link& link = with_.links[i];
            if (link.by != LinkedBy::nearest) continue;
            for (std::size_t place = 0; !first; ++place)
                if (place + 1 >= with_.places.size() || changed(place)) first = place;
            if (std::ranges::none_of(link.perhaps, [&](const Ours& ours) {
                    if (ours.place <= *first) return false;
                    const std::vector<float> made = numbers(ours.place);
                    return !made.empty() && difference(with_.theirs[link.theirs], ours.lie, with_.places[ours.place],
                                                       made) <= with_.tolerance_rounded(i);
                }))
                return false;
        }
        return true;
    }

    Attempt judge(bool stopped) const {
        Attempt trial{.made = true, .changes_something = stopped, .reached = with_.links.size()};
        bool mended = false, mended_rounded = false, rounded = !stopped, exact = !stopped;
        for (std::size_t i = 0; i < with_.links.size(); ++i) {
            if (i > next_ || !apart_[i]) continue;
            const double apart = *apart_[i], before = with_.apart[i];
            ++trial.compared;
            trial.changes_something = trial.changes_something || apart != before;
            const bool near = apart <= with_.tolerance(i);
            exact = exact && near;
            rounded = rounded && apart <= with_.tolerance_rounded(i);
            // What was wrong must be right now, and much nearer: a bound that is just met accuses nothing.
            mended = mended || (before > with_.tolerance(i) && before > 4 * apart);
            mended_rounded = mended_rounded || with_.robust(i) > 4 * with_.tolerance_rounded(i);
            trial.worst = std::max(trial.worst, apart);
            if (!near && trial.reached == with_.links.size()) trial.reached = i, trial.there = apart;
        }
        trial.explains = exact && mended;
        trial.explains_rounded = rounded && mended_rounded;
        return trial;
    }

    const Against& with_;
    Mutant& mutant_;                            // its model moves into the run
    std::vector<std::optional<double>> apart_;  // by link
    std::size_t next_ = 0;                      // link
};

}  // namespace

Against against_run(const std::shared_ptr<const Model>& model, std::span<const std::int32_t> ids,
                    std::span<const std::int32_t> source, const Run& right) {
    Against with{.model = model, .ids = ids, .source = source, .theirs = {}, .places = places_of(right)};
    for (const Site& place : with.places) with.numbers.push_back(numbers_at(right, place, place.tensor));
    return with;
}

void link_theirs(Against& with, std::span<const TheirTensor> theirs, const Run& right) {
    with.theirs = theirs;
    with.links = linked(theirs, with.places, with.numbers, dumped_besides(right));
    for (std::size_t i = 0; i < with.links.size(); ++i)
        with.apart.push_back(apart_at(with, right, nullptr, i).value_or(0));
}

std::optional<double> apart_at(const Against& with, const Run& run, const Mutant* mutant, std::size_t link) {
    std::optional<double> nearest;
    const TheirTensor& theirs = with.theirs[with.links[link].theirs];
    if (theirs.fused && mutant && mutant->takes_apart) return std::nullopt;
    bool moved = false;
    std::vector<Ours> all = with.links[link].ours;
    // Where a mistake is made a name that says little may turn out to mean another.
    if (mutant) all.insert(all.end(), with.links[link].perhaps.begin(), with.links[link].perhaps.end());
    for (const Ours& ours : all) {
        const Site& place = with.places[ours.place];
        const std::optional<TensorIndex> now = mutant ? standing_for(*mutant, place.tensor) : place.tensor;
        moved = moved || !now;
        // What it is called may be there too, beside what has taken its place: a norm's first output of two.
        for (const TensorIndex tensor : std::set{place.tensor, now.value_or(place.tensor)}) {
            std::vector<float> numbers = numbers_at(run, place, tensor);
            if (numbers.empty()) continue;
            if (mutant && place.tensor == with.model->graph.nodes.back().output)
                write_down(*mutant, numbers, place.columns);
            const double apart = difference(theirs, ours.lie, place, numbers);
            if (!nearest || apart < *nearest) nearest = apart;
        }
    }
    if (moved && nearest && *nearest > theirs.tolerance) return std::nullopt;
    return nearest;
}

Attempt try_mistakes(const Against& with, std::span<const Mutation* const> mistakes) {
    Mutant mutant{.model = *with.model, .tokens = std::ssize(with.ids)};
    for (const Mutation* each : mistakes)
        if (!each->make(mutant)) return {};
    return Trier(with, mutant).run();
}

std::shared_ptr<const Model> with_rounded_weights(const std::shared_ptr<const Model>& model) {
    Mutant rounded{.model = *model};
    if (!own_weights(rounded)) return model;
    Weights& weights = rounded.model.weights;
    for (std::size_t i = 0; i < model->graph.tensors.size(); ++i) {
        const auto tensor = static_cast<TensorIndex>(i);
        if (model->graph.tensors[i].role != Role::parameter) continue;
        for (std::int64_t layer = 0; layer < layers_with(*model, tensor); ++layer)
            for (std::int64_t copy = 0; copy < weights.copies(tensor); ++copy) {
                const MatrixView view = weights.view(tensor, layer, copy);
                float* const cells = weights.floats(tensor, layer, copy);
                for (std::int64_t row = 0; row < view.rows; ++row)
                    for (std::int64_t column = 0; column < view.columns; ++column)
                        cells[view.offset(row, column)] = as_bfloat16(view.at(row, column));
            }
    }
    return std::make_shared<const Model>(std::move(rounded.model));
}

std::vector<NodeChange> rounded_changes(const Model& model) {
    std::vector<NodeChange> changes;
    const Bindings values = bindings(model.architecture, Input{.tokens = 1});
    for (const Node& node : model.graph.nodes) {
        const Tensor& made = model.graph.tensors[node.output];
        const Result<std::int64_t> columns = evaluate(made.shape[made.shape.rank() - 1], values);
        if (made.role != Role::activation || made.view || node.op == Op::append_cache || !columns) continue;
        NodeChange change{.tensor = node.output, .columns = *columns, .rounded = true};
        const bool of_expert = model.graph.is(made.block, BlockKind::expert);
        const std::int64_t experts = of_expert ? values[Symbol::experts].value_or(0) : 1;
        for (change.layer = 0; change.layer < layers_with(model, node.output); ++change.layer)
            for (std::int64_t expert = 0; expert < experts; ++expert) {
                if (of_expert) change.copy = expert;
                changes.push_back(change);
            }
    }
    return changes;
}

}  // namespace headcount
