// The matrices that a question asks for, in the order in which the model computes them: boxes on a grid, and what joins
// them. Places only; the printed sheet and the window draw it each in their own way.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/worksheet/sheet.hpp"

namespace headcount {

struct FlowBox {
    const Tensor* tensor;  // of the question's model
    std::size_t blank;     // index into SheetQuestion::blanks
    std::string label;
    int column = 0;
    float row = 0;  // halves where a column has fewer boxes than the fullest
};

struct Flow {
    std::vector<FlowBox> boxes;
    std::vector<std::pair<std::size_t, std::size_t>> links;  // from which box to which
    int columns = 0, rows = 0;
};

// Without boxes for questions that name fewer than three tensors.
Flow flow_of(const SheetQuestion& question);

}  // namespace headcount
