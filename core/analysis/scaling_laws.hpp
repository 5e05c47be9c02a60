// What published laws say of a training: the size and the tokens that a budget is best spent on, and the loss. Each
// law with what it was fitted on, beyond which it is a guess.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/parameters.hpp"
#include "core/analysis/rates.hpp"
#include "core/arch/architecture.hpp"

namespace headcount {

// L(N, D) = E + (A + g / G^γ) / N^α + B / (D^β · L^κ), in nats a token. Of most laws κ is 0 and g as well; G is of a
// mixture how many experts a token is sent to.
struct LossSurface {
    double E = 0, A = 0, alpha = 0, B = 0, beta = 0;
    double kappa = 0;
    double g = 0, gamma = 0;

    bool operator==(const LossSurface&) const = default;
};

// Where sizes were fitted to budgets: N = n · C^p, of C operations, and what the loss is there: (c / C)^q, if said.
struct BestSizes {
    double n = 0, p = 0;
    double c = 0, q = 0;

    bool operator==(const BestSizes&) const = default;
};

// What the models were that a law was fitted on.
struct FittedOn {
    double least_parameters = 0, most_parameters = 0;  // as the law counts them
    double least_tokens = 0, most_tokens = 0;
    std::string_view data;
    std::optional<double> expansion = {};  // of mixtures: experts there are for each that a token is sent to
};

struct ScalingLaw {
    std::string_view name, source;
    bool embeddings = true;  // N and C are with the embedding and the output head
    std::optional<LossSurface> surface;
    std::optional<BestSizes> sizes;  // where there is no surface
    FittedOn fitted;

    bool of_mixtures() const { return fitted.expansion.has_value(); }  // N is all experts then, C those that are active
};

// The oldest first.
std::span<const ScalingLaw> scaling_laws();

// The loss of N parameters trained with D tokens, of which each is sent to `granularity` experts.
double loss_of(const LossSurface& law, double parameters, double tokens, double granularity = 1);

// A training by a law.
struct LawTraining {
    TrainingPlan plan;                 // its parameters as the law counts them
    std::optional<double> loss;        // where the law says one
    std::vector<std::string> outside;  // of what the law was fitted on: "N above 16.0 B"; empty: inside
};

// What a law says of a model and a budget.
struct LawSays {
    const ScalingLaw* law = nullptr;
    std::string counted;  // what of the model is N: "active, without embeddings"
    LawTraining best;     // for the budget
    LawTraining here;     // the budget spent on the model
    LawTraining own;      // the budget that the model is the best size for
};

// Every law that can be asked about the model: those of mixtures about a mixture alone, whose part of active parameters
// is kept; the others take of a mixture what is active. `flops` are those of the whole training, at least 1.
std::vector<LawSays> laws_say(const Architecture& arch, const Parameters& parameters, double flops);

}  // namespace headcount
