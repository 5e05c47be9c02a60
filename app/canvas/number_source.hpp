// Where the canvas gets the numbers in its cells from, where there are any: a run. It knows none itself.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace headcount {

struct CellNumbers {
    std::int64_t rows = 0, columns = 0;  // that there are, of the tensor as the graph has it
    float largest = 0;                   // magnitude, for the colours
    std::function<float(std::int64_t row, std::int64_t column)> at;
    std::int64_t tokens = 0;  // that the run has: more than rows where the newest one's row is to come

    bool has(std::int64_t row, std::int64_t column) const {
        return row >= 0 && column >= 0 && row < rows && column < columns;
    }
};

// Of a tensor by its id; `copy` is the head or the expert whose page it is on.
using NumberSource = std::function<std::optional<CellNumbers>(std::string_view id, std::int64_t copy)>;

}  // namespace headcount
