// An architecture with its graph and all its parameters counted. What cannot be counted ends the test.
#pragma once

#include <stdexcept>

#include "core/analysis/difference.hpp"
#include "core/analysis/parameters.hpp"
#include "core/graph/graph.hpp"

namespace headcount::testing_data {

struct CountedArchitecture {
    explicit CountedArchitecture(const Architecture& of, const Input& input = {})
        : arch(of), graph(expand(arch)), values(bindings(arch, input)) {
        Result<Parameters> counted = count_parameters(graph, values);
        if (!counted) throw std::runtime_error(sentence(counted.error()));
        parameters = *std::move(counted);
    }

    // As one side of a comparison, for as long as this is there.
    Side side() const { return {arch, graph, values, parameters}; }

    Architecture arch;
    ModelGraph graph;
    Bindings values;
    Parameters parameters;
};

// All parameters of an architecture.
inline std::int64_t total_of(const Architecture& arch) {
    return CountedArchitecture(arch).parameters.total;
}

}  // namespace headcount::testing_data
