// Runs models with mistakes in them, and sees whether they make somebody else's numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/diagnose/links.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {

// What rounding alone leads to at most: where it sends a token to another expert, all may differ.
inline constexpr double most_rounding = 0.25;
// Our noise is that of what nodes make; who computes within them in bfloat16 too, as norms, has several times as much.
inline constexpr double noise_factor = 6;

// What is compared, and how near is near enough.
struct Against {
    std::shared_ptr<const Model> model;
    std::span<const std::int32_t> ids, source;
    std::span<const TheirTensor> theirs;
    std::vector<Site> places;
    std::vector<std::vector<float>> numbers;  // of the right run, one for each place
    std::vector<Link> links;
    std::vector<double> apart;  // of each link: how far theirs is from the right run
    std::vector<double> noise;  // how far rounding to bfloat16 leads
    bool rounded = false;       // some of theirs has no more digits than float16 or bfloat16, and ours has
    // Of a model that routes, of each link how far the middle one of its tokens is: rounding sends one or the other to
    // another expert, which then has other numbers altogether. Empty of others.
    std::vector<double> middle;
    double robust(std::size_t link) const { return middle.empty() ? apart[link] : std::min(apart[link], middle[link]); }
    double tolerance(std::size_t link) const { return theirs[links[link].theirs].tolerance; }
    // The first link that is not as the right run has it; as many as there are where all are.
    std::size_t first_differing() const {
        std::size_t i = 0;
        while (i < links.size() && apart[i] <= tolerance(i)) ++i;
        return i;
    }
    double tolerance_rounded(std::size_t link) const {
        return std::max(tolerance(link), std::min(noise_factor * noise[link], most_rounding));
    }
};

// All of a run, or its error; an encoder beside the decoder has read the source.
Result<Run> run_kept(const std::shared_ptr<const Model>& model, std::span<const std::int32_t> ids,
                     std::vector<NodeChange> changes, std::span<const std::int32_t> source = {});

// The right run of these tokens, and then theirs beside it; both outlive what is compared.
Against against_run(const std::shared_ptr<const Model>& model, std::span<const std::int32_t> ids,
                    std::span<const std::int32_t> source, const Run& right);
void link_theirs(Against& with, std::span<const TheirTensor> theirs, const Run& right);

// How far from theirs that run is at a link, by the nearest of ours; absent where it has no such place.
std::optional<double> apart_at(const Against& with, const Run& run, const Mutant* mutant, std::size_t link);

struct Attempt {
    bool made = false;  // the mistakes could be made, and the run came to its end or was stopped by a difference
    bool changes_something = false;  // some link is not as far as it was, or is not reached
    std::size_t reached = 0;         // the first link that differs; as many as there are where none does
    double there = 0;                // how far that one is
    double worst = 0;                // the largest difference of all, where none differs
    std::size_t compared = 0;        // so many links; what the mistakes leave out has no numbers to compare
    bool explains = false, explains_rounded = false;  // all links are as near as they must be
};

Attempt try_mistakes(const Against& with, std::span<const Mutation* const> mistakes);

// The same model with its weights rounded to bfloat16; as it is where there is no memory for them.
std::shared_ptr<const Model> with_rounded_weights(const std::shared_ptr<const Model>& model);
// All that a run makes in bfloat16.
std::vector<NodeChange> rounded_changes(const Model& model);

}  // namespace headcount
