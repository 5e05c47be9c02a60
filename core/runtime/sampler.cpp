// From logits to the next token: temperature, top-k, top-p, min-p, and the choice.
#include "core/runtime/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace headcount {
namespace {

std::string number(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

std::optional<Error> wrong_share(double share, const char* field) {
    if (share >= 0 && share <= 1) return std::nullopt;
    return Error{number(share) + " is no share", field, "give a number from 0 to 1"};
}

std::optional<Error> wrong_logits(std::span<const float> logits) {
    if (logits.empty()) return Error{"there are no logits to choose by", "", "give the model a token first"};
    bool finite = false;
    for (std::size_t id = 0; id < logits.size(); ++id) {
        const float logit = logits[id];
        if (std::isnan(logit) || (std::isinf(logit) && logit > 0))
            return Error{std::string("a logit is ") + (std::isnan(logit) ? "not a number" : "infinite"),
                         "token " + std::to_string(id), "check the weights"};
        finite = finite || std::isfinite(logit);
    }
    if (finite) return std::nullopt;
    return Error{"every logit is minus infinity", "", "check the weights"};
}

// Added up in the order of ids, so that it is the same sum however much of the vocabulary is sorted.
void softmax(std::vector<Candidate>& candidates, double temperature, double Candidate::*into) {
    const double most =
        std::ranges::max_element(candidates, [](const auto& a, const auto& b) { return a.logit < b.logit; })->logit;
    double sum = 0;
    for (Candidate& each : candidates) sum += each.*into = std::exp((each.logit - most) / temperature);
    for (Candidate& each : candidates) each.*into /= sum;
}

void temper(std::vector<Candidate>& candidates, double temperature) {
    if (temperature > 0) return softmax(candidates, temperature, &Candidate::tempered);
    std::ranges::max_element(candidates, [](const auto& a, const auto& b) { return a.logit < b.logit; })->tempered = 1;
}

// Candidates of which the first are in order, so far as anyone has asked: a draw seldom looks at more than a few of a
// large vocabulary.
class Ranked {
  public:
    explicit Ranked(std::vector<Candidate> candidates) : candidates_(std::move(candidates)) {
        possible_ = static_cast<std::size_t>(
            std::ranges::count_if(candidates_, [](const Candidate& each) { return each.tempered > 0; }));
    }

    std::size_t possible() const { return possible_; }  // those that temperature left something; they come first

    const Candidate& operator[](std::size_t rank) {
        if (rank >= sorted_) sort(rank + 1);
        return candidates_[rank];
    }

    std::vector<Candidate> all() && {
        sort(candidates_.size());
        return std::move(candidates_);
    }

  private:
    void sort(std::size_t wanted) {
        constexpr std::size_t at_least = 64, growth = 8;
        const std::size_t end = std::min(std::max({wanted, at_least, growth * sorted_}), candidates_.size());
        const auto better = [](const Candidate& a, const Candidate& b) {
            return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
        };
        const auto from = candidates_.begin() + static_cast<std::ptrdiff_t>(sorted_),
                   to = candidates_.begin() + static_cast<std::ptrdiff_t>(end);
        if (to != candidates_.end()) std::nth_element(from, to, candidates_.end(), better);
        std::sort(from, to, better);
        sorted_ = end;
    }

    std::vector<Candidate> candidates_;
    std::size_t possible_ = 0, sorted_ = 0;
};

// How many are left after each rule, and what the last ones have together.
struct Rest {
    std::size_t possible = 0, top_k = 0, top_p = 0, min_p = 0;
    double mass = 1;
};

// What the first have together: 1, where they are all there are.
double mass(Ranked& ranked, std::size_t count) {
    if (count == ranked.possible()) return 1;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += ranked[i].tempered;
    return sum;
}

// How many of the first reach the share of what `count` of them have together.
std::size_t reaching(Ranked& ranked, std::size_t count, double share) {
    if (share >= 1) return count;
    const double enough = share * mass(ranked, count);
    double sum = 0;
    std::size_t reached = 0;
    do sum += ranked[reached++].tempered;
    while (reached < count && sum < enough);
    return reached;
}

std::size_t likely(Ranked& ranked, std::size_t count, double share) {
    if (share <= 0) return count;
    const double least = share * ranked[0].tempered;
    std::size_t reached = 1;
    while (reached < count && ranked[reached].tempered >= least) ++reached;
    return reached;
}

Rest rest_of(Ranked& ranked, const Sampling& sampling) {
    Rest rest;
    rest.possible = rest.top_k = ranked.possible();
    if (sampling.top_k > 0) rest.top_k = std::min(rest.possible, static_cast<std::size_t>(sampling.top_k));
    rest.top_p = reaching(ranked, rest.top_k, sampling.top_p);
    rest.min_p = likely(ranked, rest.top_p, sampling.min_p);
    rest.mass = mass(ranked, rest.min_p);
    return rest;
}

Cut cut_of(std::size_t rank, const Rest& rest) {
    if (rank >= rest.possible) return Cut::impossible;
    if (rank >= rest.top_k) return Cut::top_k;
    if (rank >= rest.top_p) return Cut::top_p;
    return rank >= rest.min_p ? Cut::min_p : Cut::kept;
}

template <class Probability>
std::size_t drawn(std::size_t kept, double chance, const Probability& probability) {
    double sum = 0;
    for (std::size_t rank = 0; rank + 1 < kept; ++rank)
        if ((sum += probability(rank)) > chance) return rank;
    return kept - 1;
}

std::vector<Candidate> candidates_of(std::span<const float> logits) {
    std::vector<Candidate> all(logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i) {
        all[i].id = static_cast<std::int32_t>(i);
        all[i].logit = logits[i];
    }
    return all;
}

}  // namespace

std::optional<Error> wrong_sampling(const Sampling& sampling) {
    if (!std::isfinite(sampling.temperature) || sampling.temperature < 0)
        return Error{number(sampling.temperature) + " is no temperature", "temperature", "give a number from 0 on"};
    if (sampling.top_k < 0)
        return Error{std::to_string(sampling.top_k) + " tokens cannot be kept", "top-k", "give 0 for all of them"};
    if (std::optional<Error> error = wrong_share(sampling.top_p, "top-p")) return error;
    return wrong_share(sampling.min_p, "min-p");
}

Result<Distribution> distribution(std::span<const float> logits, const Sampling& sampling) {
    if (std::optional<Error> error = wrong_sampling(sampling)) return *std::move(error);
    if (std::optional<Error> error = wrong_logits(logits)) return *std::move(error);
    std::vector<Candidate> candidates = candidates_of(logits);
    softmax(candidates, 1, &Candidate::plain);
    temper(candidates, sampling.temperature);
    Ranked ranked(std::move(candidates));
    const Rest rest = rest_of(ranked, sampling);
    Distribution all{std::move(ranked).all(), rest.min_p};
    for (std::size_t i = 0; i < all.candidates.size(); ++i) {
        all.candidates[i].cut = cut_of(i, rest);
        if (i < all.kept) all.candidates[i].probability = all.candidates[i].tempered / rest.mass;
    }
    return all;
}

double chance_at(std::uint64_t seed, std::int64_t position) {
    std::uint64_t bits = seed + (static_cast<std::uint64_t>(position) + 1) * 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    bits ^= bits >> 31;
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

std::int32_t draw(const Distribution& distribution, double chance) {
    const std::vector<Candidate>& all = distribution.candidates;
    return all[drawn(distribution.kept, chance, [&](std::size_t rank) { return all[rank].probability; })].id;
}

Result<std::int32_t> sample(std::span<const float> logits, const Sampling& sampling, std::int64_t position) {
    if (std::optional<Error> error = wrong_sampling(sampling)) return *std::move(error);
    if (std::optional<Error> error = wrong_logits(logits)) return *std::move(error);
    if (sampling.temperature == 0) return static_cast<std::int32_t>(std::ranges::max_element(logits) - logits.begin());
    std::vector<Candidate> candidates = candidates_of(logits);
    temper(candidates, sampling.temperature);
    Ranked ranked(std::move(candidates));
    const Rest rest = rest_of(ranked, sampling);
    const auto probability = [&](std::size_t rank) { return ranked[rank].tempered / rest.mass; };
    return ranked[drawn(rest.min_p, chance_at(sampling.seed, position), probability)].id;
}

}  // namespace headcount
