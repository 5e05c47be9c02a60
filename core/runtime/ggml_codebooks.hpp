// The blocks of GGUF whose numbers are taken from a book of rows.
#pragma once

#include <cstddef>
#include <string_view>

namespace headcount {

// Writes the numbers of one block, as many as its type says, in their order.
using UnpackBlock = void (*)(const std::byte* block, float* out);

// Of "IQ2_XXS" to "IQ3_S", and "IQ1_S" and "IQ1_M", bit by bit as ggml's own dequantize_row does. Null of another type.
UnpackBlock codebook_unpacking(std::string_view type);

}  // namespace headcount
