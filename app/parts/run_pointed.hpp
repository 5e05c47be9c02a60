// What the panels of the Run view tell each other of the pointer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/ui/ui.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// Which token's chip is under the pointer; and of the diagram's cell that is, or that is pinned, the rest.
struct RunPointed {
    std::optional<std::int64_t> chip;
    std::optional<std::int64_t> token;  // in whose row it is
    std::optional<TensorIndex> matrix;  // of the model that runs
    std::string symbol;                 // of that matrix, "W_q"
    std::optional<float> limit;         // the magnitude at which its colours are strongest; of all with one scale

    bool operator==(const RunPointed&) const = default;
};
inline RunPointed& pointed_in_run(const Ui& ui) { return kept<RunPointed>(ui, "run.pointed"); }

}  // namespace headcount
