// The blocks that GGUF stores numbers in, each made into float32.
#pragma once

#include <cstddef>
#include <string_view>

namespace headcount {

// Writes the numbers of one block, as many as its type says, in their order.
using UnpackBlock = void (*)(const std::byte* block, float* out);

// What unpacks blocks of a type of ggml's, such as "Q4_K", bit by bit as ggml's own dequantize_row does. Null of what
// is no such type, and of those that no published file has: Q8_1, Q1_0, Q2_0.
UnpackBlock ggml_unpacking(std::string_view type);

// Of the types whose numbers are taken from a book of rows: "IQ2_XXS" to "IQ3_S", and "IQ1_S" and "IQ1_M".
UnpackBlock codebook_unpacking(std::string_view type);

}  // namespace headcount
