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

// The same sum for whoever repeats it: in the candidates' order, in double.
void softmax(std::vector<Candidate>& candidates, double temperature, double Candidate::*into) {
    const double most = candidates.front().logit;
    double sum = 0;
    for (Candidate& each : candidates) sum += each.*into = std::exp((each.logit - most) / temperature);
    for (Candidate& each : candidates) each.*into /= sum;
}

void temper(std::vector<Candidate>& candidates, double temperature) {
    softmax(candidates, 1, &Candidate::plain);
    if (temperature > 0)
        softmax(candidates, temperature, &Candidate::tempered);
    else
        candidates.front().tempered = 1;
}

double mass(std::span<const Candidate> candidates) {
    double sum = 0;
    for (const Candidate& each : candidates) sum += each.tempered;
    return sum;
}

// How many of the first reach the share of what they all have together.
std::size_t reaching(std::span<const Candidate> candidates, double share) {
    if (share >= 1) return candidates.size();
    const double enough = share * mass(candidates);
    double sum = 0;
    std::size_t count = 0;
    do sum += candidates[count++].tempered;
    while (count < candidates.size() && sum < enough);
    return count;
}

std::size_t likely(std::span<const Candidate> candidates, double share) {
    const double least = share * candidates.front().tempered;
    std::size_t count = 1;
    while (count < candidates.size() && candidates[count].tempered >= least) ++count;
    return count;
}

std::size_t possible(std::span<const Candidate> candidates) {
    std::size_t count = candidates.size();
    while (count > 1 && candidates[count - 1].tempered == 0) --count;
    return count;
}

void cut_from(Distribution& all, std::size_t count, Cut cut) {
    for (std::size_t i = count; i < all.kept; ++i) all.candidates[i].cut = cut;
    all.kept = std::min(all.kept, count);
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
    Distribution all;
    all.candidates.resize(logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i) {
        all.candidates[i].id = static_cast<std::int32_t>(i);
        all.candidates[i].logit = logits[i];
    }
    std::sort(all.candidates.begin(), all.candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
    });
    temper(all.candidates, sampling.temperature);

    all.kept = all.candidates.size();
    cut_from(all, possible(all.candidates), Cut::impossible);
    const auto first = [&] { return std::span<const Candidate>(all.candidates).first(all.kept); };
    if (sampling.top_k > 0) cut_from(all, static_cast<std::size_t>(sampling.top_k), Cut::top_k);
    cut_from(all, reaching(first(), sampling.top_p), Cut::top_p);
    cut_from(all, likely(first(), sampling.min_p), Cut::min_p);

    const double sum = mass(first());
    for (std::size_t i = 0; i < all.kept; ++i) all.candidates[i].probability = all.candidates[i].tempered / sum;
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
    double sum = 0;
    for (std::size_t i = 0; i + 1 < distribution.kept; ++i) {
        sum += distribution.candidates[i].probability;
        if (chance < sum) return distribution.candidates[i].id;
    }
    return distribution.candidates[distribution.kept - 1].id;
}

Result<std::int32_t> sample(std::span<const float> logits, const Sampling& sampling, std::int64_t position) {
    if (std::optional<Error> error = wrong_sampling(sampling)) return *std::move(error);
    if (sampling.temperature == 0) {  // without sorting the vocabulary
        if (std::optional<Error> error = wrong_logits(logits)) return *std::move(error);
        return static_cast<std::int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    }
    const Result<Distribution> all = distribution(logits, sampling);
    if (!all) return all.error();
    return draw(*all, chance_at(sampling.seed, position));
}

}  // namespace headcount
