// An architecture with its graph and all its parameters counted. What cannot be counted ends the test.
#pragma once

#include <stdexcept>

#include "core/analysis/counted_model.hpp"

namespace headcount::testing_data {

struct CountedArchitecture : CountedModel {
    explicit CountedArchitecture(const Architecture& of, const Input& input = {}) : CountedModel(made(of, input)) {}

  private:
    static CountedModel made(const Architecture& of, const Input& input) {
        Result<CountedModel> model = count_model(of, input);
        if (!model) throw std::runtime_error(sentence(model.error()));
        return *std::move(model);
    }
};

// All parameters of an architecture.
inline std::int64_t total_of(const Architecture& arch) { return CountedArchitecture(arch).parameters.total; }

}  // namespace headcount::testing_data
