// The types of ggml's tensors by their number in GGUF: how many elements a block has, and how many bytes.
#include "core/checkpoints/gguf_types.hpp"

#include <array>

namespace headcount {
namespace {

// A type without bytes is one that ggml has removed.
constexpr std::array<StorageType, 43> ggml_types{{
    {"F32", 1, 4},      {"F16", 1, 2},        {"Q4_0", 32, 18},     {"Q4_1", 32, 20},     {"Q4_2", 0, 0},
    {"Q4_3", 0, 0},     {"Q5_0", 32, 22},     {"Q5_1", 32, 24},     {"Q8_0", 32, 34},     {"Q8_1", 32, 36},
    {"Q2_K", 256, 84},  {"Q3_K", 256, 110},   {"Q4_K", 256, 144},   {"Q5_K", 256, 176},   {"Q6_K", 256, 210},
    {"Q8_K", 256, 292}, {"IQ2_XXS", 256, 66}, {"IQ2_XS", 256, 74},  {"IQ3_XXS", 256, 98}, {"IQ1_S", 256, 50},
    {"IQ4_NL", 32, 18}, {"IQ3_S", 256, 110},  {"IQ2_S", 256, 82},   {"IQ4_XS", 256, 136}, {"I8", 1, 1},
    {"I16", 1, 2},      {"I32", 1, 4},        {"I64", 1, 8},        {"F64", 1, 8},        {"IQ1_M", 256, 56},
    {"BF16", 1, 2},     {"Q4_0_4_4", 0, 0},   {"Q4_0_4_8", 0, 0},   {"Q4_0_8_8", 0, 0},   {"TQ1_0", 256, 54},
    {"TQ2_0", 256, 66}, {"IQ4_NL_4_4", 0, 0}, {"IQ4_NL_4_8", 0, 0}, {"IQ4_NL_8_8", 0, 0}, {"MXFP4", 32, 17},
    {"NVFP4", 64, 36},  {"Q1_0", 128, 18},    {"Q2_0", 64, 18},
}};

}  // namespace

Result<StorageType> ggml_type(std::uint32_t number) {
    if (number >= ggml_types.size())
        return Error{"tensor type " + std::to_string(number) + " is unknown, types 0 to " +
                         std::to_string(ggml_types.size() - 1) + " are known",
                     "", "write the file with another type"};
    const StorageType& type = ggml_types[number];
    if (type.bytes == 0)
        return Error{
            "tensor type " + std::to_string(number) + " (" + std::string(type.name) + ") was removed from GGUF", "",
            "quantize the model again with a present llama.cpp"};
    return type;
}

}  // namespace headcount
