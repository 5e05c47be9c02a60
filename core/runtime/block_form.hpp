// A matrix as it is stored: numbers in blocks beside their scales, restored where a product needs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headcount {

namespace kernels {
struct Product;
}

// A number as it is stored: scale · whole - less.
struct StoredNumber {
    int whole = 0;
    float scale = 1, less = 0;
};

// One way of storing numbers, and what restores them to float32, always to the same bits. `step` is how many bytes lie
// from one byte of a block to the next: 1 in a file. In a panel the blocks of `panel_columns` outputs stand side by
// side, byte by byte: the first bytes of all, then their second ones; behind them those of the next inputs.
struct BlockForm {
    std::string_view type;                                                             // "Q4_K"
    std::int64_t numbers = 0, bytes = 0;                                               // of a block
    void (*restore)(const std::byte* block, std::int64_t step, float* out) = nullptr;  // all numbers, in their order
    float (*restore_one)(const std::byte* block, std::int64_t step, std::int64_t index) = nullptr;
    // Nothing of floats.
    std::optional<StoredNumber> (*stored)(const std::byte* block, std::int64_t step, std::int64_t index) = nullptr;
    // Inputs [from, to) of a panel, which begin and end blocks, as floats: (to - from, panel_columns).
    void (*restore_panel)(const std::byte* panel, std::int64_t from, std::int64_t to, float* out) = nullptr;
    // The product of one row, made of the numbers as they are stored: what `multiply` makes of the restored ones, but
    // for how the sums are rounded.
    void (*multiply_row)(const kernels::Product& product) = nullptr;
};

// Null of a type that is not restored so.
const BlockForm* block_form(std::string_view type);

}  // namespace headcount
