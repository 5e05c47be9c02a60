// Numbers of somebody else's memory seen as a matrix. Owns nothing.
#pragma once

#include <cstdint>

namespace headcount {

struct MatrixView {
    const float* data = nullptr;  // null: there is nothing to see
    std::int64_t rows = 0, columns = 0;
    std::int64_t row_stride = 0;     // floats from one row to the next
    std::int64_t column_stride = 1;  // and from one column to the next: not 1 where the matrix lies transposed

    explicit operator bool() const { return data != nullptr; }
    float at(std::int64_t row, std::int64_t column) const { return data[row * row_stride + column * column_stride]; }
};

}  // namespace headcount
