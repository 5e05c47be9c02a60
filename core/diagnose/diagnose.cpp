// The right run, and what differs from it.
#include "core/diagnose/diagnose.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/text.hpp"
#include "core/diagnose/search.hpp"
#include "core/diagnose/trial.hpp"

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
    return listed(said);
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
    Against with = against_run(model, ids, options.source, *right);
    const std::vector<TheirTensor> apart = with_fused_apart(theirs, with.places, with.numbers);
    link_theirs(with, apart, *right);
    if (with.links.empty()) return nothing_fits(with);
    if (!std::ranges::all_of(with.numbers.back(), [](float each) { return std::isfinite(each); }))
        return Error{"of these tokens the model itself makes numbers that are not finite", "ARCH",
                     "look at its weights: nothing can be compared with such numbers"};
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
    search_causes(with, options, made);
    if (options.watch.stopped()) return stopped_error();
    if (!made.causes.empty()) made.rounding = false;
    return made;
}

}  // namespace headcount
