// The table of laws, and their best sizes: found by search along N, since not all have them in closed form.
#include "core/analysis/scaling_laws.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "core/analysis/amount_text.hpp"
#include "core/arch/kind.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr double petaflop_day = 1e15 * 24 * 3600;

// Kaplan et al. 2020, table 3 and section 5.1: L = (N_c / N)^α_N + (S_c / S)^α_S after S steps of the critical batch
// size, which has B* / L^(1 / α_B) tokens, so that D = S · B* / L^(1 / α_B).
LossSurface kaplan_surface() {
    constexpr double alpha_n = 0.077, n_c = 6.5e13, alpha_s = 0.76, s_c = 2.1e3, b_star = 2e8, alpha_b = 0.21;
    return {.A = std::pow(n_c, alpha_n),
            .alpha = alpha_n,
            .B = std::pow(s_c * b_star, alpha_s),
            .beta = alpha_s,
            .kappa = alpha_s / alpha_b};
}

// The same, section 6 and table 6: N = 1.3e9 · C^0.73 and L = (3.1e8 / C)^0.050, of C in petaFLOP-days.
BestSizes kaplan_sizes() {
    constexpr double n = 1.3e9, p = 0.73;
    return {.n = n / std::pow(petaflop_day, p), .p = p, .c = 3.1e8 * petaflop_day, .q = 0.050};
}

// C = 6·N·D and D = 20·N, as compute_optimal has it.
BestSizes twenty_tokens() { return {.n = 1 / std::sqrt(flops_per_parameter_token * tokens_per_parameter), .p = 0.5}; }

// What a law takes of a model for N, and for how many of these a token is multiplied.
struct LawCount {
    std::string words;
    double parameters = 0, active = 0;
    double granularity = 1;
};

LawCount counted_by(const ScalingLaw& law, const Architecture& arch, const Parameters& parameters) {
    const auto outer = static_cast<double>(
        law.embeddings ? 0 : parameters.of(Component::embedding) + parameters.of(Component::output));
    const double total = std::max(1.0, static_cast<double>(parameters.total) - outer);
    const double active = std::max(1.0, static_cast<double>(parameters.active) - outer);
    const std::optional<Mixture>& mixture = arch.layer.mixture;
    LawCount counted{.words = {}, .parameters = law.of_mixtures() ? total : active, .active = active};
    if (mixture && law.of_mixtures()) counted.granularity = static_cast<double>(mixture->experts_per_token);
    counted.words = mixture && !law.of_mixtures() ? "active" : "all";
    if (!law.embeddings) counted.words += ", without embeddings";
    return counted;
}

double tokens_for(double flops, double parameters, const LawCount& counted) {
    return flops / (flops_per_parameter_token * parameters * counted.active / counted.parameters);
}

// The size with the least loss, by golden sections of log N: along a budget the loss falls and then grows.
double best_size(const ScalingLaw& law, const LawCount& counted, double flops) {
    if (law.sizes) return law.sizes->n * std::pow(flops, law.sizes->p);
    const auto loss = [&](double log_size) {
        const double size = std::exp(log_size);
        return loss_of(*law.surface, size, tokens_for(flops, size, counted), counted.granularity);
    };
    const double part = (3 - std::sqrt(5.0)) / 2;
    double low = 0, high = std::max(1.0, std::log(flops));
    double left = low + part * (high - low), right = high - part * (high - low);
    double of_left = loss(left), of_right = loss(right);
    while (high - low > 1e-9) {
        // The point that stays cuts what is left in the same ratio.
        if (of_left < of_right) {
            high = std::exchange(right, left);
            left = low + part * (high - low);
            of_right = std::exchange(of_left, loss(left));
        } else {
            low = std::exchange(left, right);
            right = high - part * (high - low);
            of_left = std::exchange(of_right, loss(right));
        }
    }
    return std::exp((low + high) / 2);
}

// The budget whose best size this is: by bisection, since larger budgets have larger best sizes.
double budget_for(const ScalingLaw& law, const LawCount& counted) {
    if (law.sizes) return std::pow(counted.parameters / law.sizes->n, 1 / law.sizes->p);
    double low = 0, high = std::log(1e60);
    while (high - low > 1e-9) {
        const double middle = (low + high) / 2;
        (best_size(law, counted, std::exp(middle)) < counted.parameters ? low : high) = middle;
    }
    return std::exp((low + high) / 2);
}

void note_range(std::vector<std::string>& outside, std::string_view name, double value, double least, double largest) {
    if (value < least) outside.push_back(std::string(name) + " below " + rough_count_text(least));
    if (value > largest) outside.push_back(std::string(name) + " above " + rough_count_text(largest));
}

std::vector<std::string> outside_of(const ScalingLaw& law, const Architecture& arch, const TrainingPlan& plan) {
    std::vector<std::string> outside;
    const FittedOn& fitted = law.fitted;
    note_range(outside, "N", plan.parameters, fitted.least_parameters, fitted.most_parameters);
    note_range(outside, "D", plan.tokens, fitted.least_tokens, fitted.most_tokens);
    // All were fitted on decoders of text.
    constexpr std::array<std::string_view, model_kind_keys.size()> others{
        "", "an encoder", "an encoder beside the decoder", "layers with states", "images", "sound"};
    if (const std::string_view other = others[static_cast<std::size_t>(kind_of(arch))]; !other.empty())
        outside.emplace_back(other);
    const std::optional<Mixture>& mixture = arch.layer.mixture;
    if (!mixture) return outside;
    if (!law.of_mixtures()) {
        outside.emplace_back("a mixture");
        return outside;
    }
    const double expansion = static_cast<double>(mixture->experts) /
                             static_cast<double>(std::max<std::int64_t>(1, mixture->experts_per_token));
    if (std::abs(expansion - *fitted.expansion) > 1e-9)
        outside.push_back(factor_text(expansion) + " experts for each that is active, not " +
                          factor_text(*fitted.expansion));
    if (mixture->shared_experts > 0) outside.emplace_back("shared experts");
    return outside;
}

LawTraining training_by(const ScalingLaw& law, const Architecture& arch, const LawCount& counted, double flops,
                        double parameters, bool best) {
    LawTraining training;
    training.plan = {flops, parameters, tokens_for(flops, parameters, counted)};
    if (law.surface)
        training.loss = loss_of(*law.surface, parameters, training.plan.tokens, counted.granularity);
    else if (best && law.sizes->q > 0)
        training.loss = std::pow(law.sizes->c / flops, law.sizes->q);
    training.outside = outside_of(law, arch, training.plan);
    return training;
}

}  // namespace

std::span<const ScalingLaw> scaling_laws() {
    constexpr std::string_view kaplan = "Kaplan et al. 2020, Scaling Laws for Neural Language Models, arXiv:2001.08361";
    constexpr std::string_view krajewski =
        "Krajewski et al. 2024, Scaling Laws for Fine-Grained Mixture of Experts, arXiv:2402.07871, table 1";
    constexpr FittedOn web_text{.least_parameters = 768,
                                .most_parameters = 1.5e9,
                                .least_tokens = 22e6,
                                .most_tokens = 23e9,
                                .data = "WebText2"};
    constexpr FittedOn massive_text{.least_parameters = 70e6,
                                    .most_parameters = 16e9,
                                    .least_tokens = 5e9,
                                    .most_tokens = 500e9,
                                    .data = "MassiveText"};
    constexpr FittedOn c4{
        .least_parameters = 129e6, .most_parameters = 3.7e9, .least_tokens = 16e9, .most_tokens = 130e9, .data = "C4"};
    constexpr FittedOn c4_mixtures = [](FittedOn fitted) {
        fitted.expansion = 64;
        return fitted;
    }(c4);
    static const std::array<ScalingLaw, 7> laws{{
        {.name = "Kaplan 2020, best sizes",
         .source = kaplan,
         .embeddings = false,
         .sizes = kaplan_sizes(),
         .fitted = web_text},
        {.name = "Kaplan 2020, learning curves",
         .source = kaplan,
         .embeddings = false,
         .surface = kaplan_surface(),
         .fitted = web_text},
        {.name = "Hoffmann 2022, D = 20·N",
         .source = compute_optimal_source,
         .sizes = twenty_tokens(),
         .fitted = massive_text},
        {.name = "Hoffmann 2022, approach 3",
         .source = compute_optimal_source,
         .surface = LossSurface{.E = 1.69, .A = 406.4, .alpha = 0.34, .B = 410.7, .beta = 0.28},
         .fitted = massive_text},
        {.name = "the same, corrected 2024",
         .source = "Besiroglu et al. 2024, Chinchilla Scaling: A replication attempt, arXiv:2404.10102",
         .surface = LossSurface{.E = 1.8172, .A = 482.01, .alpha = 0.3478, .B = 2085.43, .beta = 0.3658},
         .fitted = massive_text},
        {.name = "Krajewski 2024, dense",
         .source = krajewski,
         .embeddings = false,
         .surface = LossSurface{.E = 0.47, .A = 16.3, .alpha = 0.126, .B = 26.7, .beta = 0.127},
         .fitted = c4},
        {.name = "Krajewski 2024, mixtures",
         .source = krajewski,
         .embeddings = false,
         .surface =
             LossSurface{.E = 0.47, .A = 18.1, .alpha = 0.115, .B = 30.8, .beta = 0.147, .g = 2.1, .gamma = 0.58},
         .fitted = c4_mixtures},
    }};
    return laws;
}

double loss_of(const LossSurface& law, double parameters, double tokens, double granularity) {
    const double of_size = law.E + (law.A + law.g / std::pow(granularity, law.gamma)) / std::pow(parameters, law.alpha);
    const double of_tokens = law.B / std::pow(tokens, law.beta);
    if (law.kappa == 0) return of_size + of_tokens;
    // The right-hand side falls where the loss grows, so that they meet once, between these.
    double low = of_size, high = of_size + std::max(1.0, of_tokens);
    while (of_size + of_tokens / std::pow(high, law.kappa) > high) high *= 2;
    while (high - low > 1e-12 * high) {
        const double middle = (low + high) / 2;
        if (middle == low || middle == high) break;
        (of_size + of_tokens / std::pow(middle, law.kappa) > middle ? low : high) = middle;
    }
    return high;
}

std::vector<LawSays> laws_say(const Architecture& arch, const Parameters& parameters, double flops) {
    assert(flops >= 1 && "a budget of nothing");
    std::vector<LawSays> all;
    for (const ScalingLaw& law : scaling_laws()) {
        if (law.of_mixtures() && !arch.layer.mixture) continue;
        const LawCount counted = counted_by(law, arch, parameters);
        const auto training = [&](double budget, double size, bool best) {
            return training_by(law, arch, counted, budget, size, best);
        };
        const double own = budget_for(law, counted);
        all.push_back({.law = &law,
                       .counted = counted.words,
                       .best = training(flops, best_size(law, counted, flops), true),
                       .here = training(flops, counted.parameters, false),
                       .own = training(own, counted.parameters, true)});
    }
    return all;
}

}  // namespace headcount
