// Numbers of somebody else's memory seen as a matrix, however they lie there. Owns nothing.
#pragma once

#include <cstdint>

namespace headcount {

// How many outputs of a linear layer lie side by side (see Weights).
inline constexpr std::int64_t panel_columns = 16;

struct MatrixView {
    const float* data = nullptr;  // null: there is nothing to see
    std::int64_t rows = 0, columns = 0;
    std::int64_t row_step = 0, column_step = 1;  // floats from one to the next
    std::int64_t row_panel = 0;                  // not 0: rows lie in panels, so far from each other
    std::int64_t column_panel = 0;               // the same of columns

    explicit operator bool() const { return data != nullptr; }

    float at(std::int64_t row, std::int64_t column) const { return data[offset(row, column)]; }

    std::int64_t offset(std::int64_t row, std::int64_t column) const {
        return along(row, row_step, row_panel) + along(column, column_step, column_panel);
    }

  private:
    static std::int64_t along(std::int64_t index, std::int64_t step, std::int64_t panel) {
        return panel == 0 ? index * step : index / panel_columns * panel + index % panel_columns * step;
    }
};

}  // namespace headcount
