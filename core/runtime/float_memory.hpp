// A block of floats, all 0 at first, aligned as vectors like it: the system gives pages when they are first touched.
// And somebody else's memory seen as a matrix, however its numbers lie there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/result.hpp"
#include "core/runtime/block_form.hpp"

namespace headcount {

class FloatMemory {
  public:
    // Large ones, where the system has them, are found faster when much is read from front to back, as weights are.
    enum class Pages { usual, large };

    FloatMemory() = default;
    // With room behind the end for a vector that reads beyond it. Fails where the system gives none.
    static Result<FloatMemory> take(std::int64_t floats, Pages pages = Pages::usual);

    float* data() { return floats_; }
    const float* data() const { return floats_; }
    std::int64_t size() const { return size_; }

    static constexpr std::int64_t alignment = 16;  // floats: a cache line

  private:
    struct Free {
        void operator()(void* memory) const;
    };

    std::unique_ptr<void, Free> memory_;
    float* floats_ = nullptr;
    std::int64_t size_ = 0;
};

// The next whole number of cache lines.
inline std::int64_t whole_lines(std::int64_t floats) {
    return (floats + FloatMemory::alignment - 1) / FloatMemory::alignment * FloatMemory::alignment;
}

// Asks for what is written soon, so that it is there by then.
inline void expect_to_write(const float* from, std::int64_t floats) {
    for (std::int64_t i = 0; i < floats; i += FloatMemory::alignment) __builtin_prefetch(from + i, 1);
}

// How many outputs of a linear layer lie side by side (see Weights).
inline constexpr std::int64_t panel_columns = 16;

// Numbers of somebody else's memory seen as a matrix, however they lie there. Owns nothing.
struct MatrixView {
    const float* data = nullptr;
    std::int64_t rows = 0, columns = 0;
    std::int64_t row_step = 0, column_step = 1;  // floats from one to the next
    std::int64_t row_panel = 0;                  // not 0: rows lie in panels, so far from each other
    std::int64_t column_panel = 0;               // the same of columns
    // Kept as they are stored: in panels of blocks, so many bytes from each other; there are no floats.
    const BlockForm* form = nullptr;
    const std::byte* blocks = nullptr;

    // Whether there is anything to see.
    explicit operator bool() const { return data != nullptr || blocks != nullptr; }

    float at(std::int64_t row, std::int64_t column) const {
        return form ? restored(row, column) : data[offset(row, column)];
    }

    // As what it is stored; nothing of floats.
    std::optional<StoredNumber> stored(std::int64_t row, std::int64_t column) const {
        if (!form) return std::nullopt;
        const auto [block, index] = place(row, column);
        return form->stored(block, panel_columns, index);
    }

    // Its row or column (the one that lies in panels) in blocks: where they begin, `panel_columns` bytes apart.
    const std::byte* blocks_of(std::int64_t output) const {
        return blocks + output / panel_columns * (row_panel + column_panel) + output % panel_columns;
    }

    std::int64_t offset(std::int64_t row, std::int64_t column) const {
        return along(row, row_step, row_panel) + along(column, column_step, column_panel);
    }

  private:
    // The block that it is in, and where there.
    std::pair<const std::byte*, std::int64_t> place(std::int64_t row, std::int64_t column) const {
        const std::int64_t output = row_panel != 0 ? row : column, input = row_panel != 0 ? column : row;
        return {blocks_of(output) + input / form->numbers * form->bytes * panel_columns, input % form->numbers};
    }
    float restored(std::int64_t row, std::int64_t column) const {
        const auto [block, index] = place(row, column);
        return form->restore_one(block, panel_columns, index);
    }
    static std::int64_t along(std::int64_t index, std::int64_t step, std::int64_t panel) {
        return panel == 0 ? index * step : index / panel_columns * panel + index % panel_columns * step;
    }
};

}  // namespace headcount
