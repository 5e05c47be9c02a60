// What a question is asked about: an architecture with its input, expanded and counted once.
#pragma once

#include <memory>
#include <string>

#include "core/analysis/parameters.hpp"
#include "core/arch/architecture.hpp"
#include "core/arch/input.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

struct LessonModel {
    Architecture architecture;
    Input input;
    ModelGraph graph;
    Bindings bindings;
    Parameters parameters;
};
using LessonModelPtr = std::shared_ptr<const LessonModel>;

// Fails where architecture or input are impossible, or a count does not fit in 64 bits.
Result<LessonModelPtr> lesson_model(const Architecture& arch, const Input& input);

}  // namespace headcount
