// A model that was expanded and counted, once: what counts, comparisons, lessons and views are read off.
#pragma once

#include <memory>
#include <vector>

#include "core/analysis/activations.hpp"
#include "core/analysis/parameters.hpp"
#include "core/arch/architecture.hpp"
#include "core/arch/input.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

struct CountedModel {
    Architecture architecture;
    Input input;
    ModelGraph graph;
    Bindings bindings;
    Parameters parameters;
};
using CountedModelPtr = std::shared_ptr<const CountedModel>;

// Fails where architecture or input are impossible, or a count does not fit in 64 bits.
Result<CountedModel> count_model(const Architecture& architecture, const Input& input);

// The same with the input that nobody chose: for what does not depend on it.
Result<CountedModel> count_model(const Architecture& architecture);

// The same, for many to hold.
Result<CountedModelPtr> counted_model(const Architecture& architecture, const Input& input);

// A model with its activations.
struct Counted : CountedModel {
    std::vector<ActivationRow> activations;
    std::vector<ActivationRow> head;  // one attention head
};

// Fails where the architecture or the input is impossible, or a number does not fit in 64 bits.
Result<Counted> count(const Architecture& architecture, const Input& input);

}  // namespace headcount
