// The formats that numbers are stored in, the kinds of weights that can have one each, and what people call all that:
// "q4_k_m", "experts=mxfp4,rest=bf16".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/expr.hpp"
#include "core/base/result.hpp"

namespace headcount {

enum class Precision : std::uint8_t {
    fp32,
    tf32,  // 32 bits in memory, multiplied with 10 bits of mantissa
    bf16,
    fp16,
    fp8,        // e4m3
    fp8_e5m2,   // one bit less of mantissa
    fp8_tiles,  // e4m3 with a 32-bit scale for each 128 × 128 (DeepSeek-V3, section 3.3)
    int8,
    int4,  // symmetric, with a 16-bit scale for each group of 32, 64 or 128 along a row
    int4_g64,
    int4_g128,
    int4_zeros,  // with a 4-bit zero point a group as well (AWQ; GPTQ)
    int4_g64_zeros,
    int4_g128_zeros,
    nf4,         // Dettmers et al. 2023: a 32-bit scale for 64 numbers
    nf4_double,  // whose scales are 8-bit numbers, 256 of them with a 32-bit scale, all with a 32-bit mean
    mxfp4,       // Open Compute Project 2023: an 8-bit exponent for 32 numbers
    nvfp4,       // an 8-bit scale for 16 numbers, a 32-bit one for the tensor
    // GGUF's: blocks as ggml lays them out.
    q8_0,
    q6_k,
    q5_k,
    q5_1,
    q5_0,
    q4_k,
    q4_1,
    q4_0,
    q3_k,
    q2_k,
    iq4_nl,
    iq4_xs,
    iq3_s,
    iq3_xxs,
    iq2_s,
    iq2_xs,
    iq2_xxs,
    iq1_m,
    iq1_s,
    tq2_0,
    tq1_0,
};

// Where the blocks of a format lie.
enum class Blocks : std::uint8_t {
    row,   // along a row's inputs, which are rounded up to whole blocks
    flat,  // along all numbers of a tensor
    tile,  // squares of a matrix
};

struct PrecisionInfo {
    Precision precision;
    std::string_view key;
    std::int64_t bits;            // of one number, without what it shares with others
    std::int64_t block = 1;       // so many numbers, of a tile each side, share a scale
    std::int64_t block_bits = 0;  // that the scale and what else they share takes
    Blocks blocks = Blocks::row;
    std::int64_t outer = 0, outer_bits = 0;  // so many numbers share something again
    std::int64_t tensor_bits = 0;            // and the tensor has that
    Precision other = Precision::bf16;       // what has no blocks is kept in this: norms, biases
    bool gguf = false;
};
std::span<const PrecisionInfo> precisions();  // in the order of the enumeration
const PrecisionInfo& info(Precision precision);

// Bytes of so many numbers in one row: whole blocks.
Expr bytes_formula(const Expr& numbers, Precision precision);
// Of a matrix with so many inputs a row, its scales along them.
Expr bytes_formula(const Expr& inputs, const Expr& outputs, Precision precision);

// What activations are computed in: 32 bits where the weights are, else 16.
Precision activation_precision(Precision weights);

// What of a model can have a format of its own.
enum class WeightKind : std::uint8_t {
    embedding,
    attention,
    recurrence,
    feed_forward,
    experts,
    router,
    output,
    norm,  // and biases, and what else is no matrix; tower and connector, which recipes leave alone
};
inline constexpr std::size_t weight_kind_count = 8;

// The matrices of the layers, which quantizers treat alike: "layers" says all of them.
inline constexpr std::array<WeightKind, 4> layer_kinds{WeightKind::attention, WeightKind::recurrence,
                                                       WeightKind::feed_forward, WeightKind::experts};

// llama-quantize's recipes: formats that differ from tensor to tensor.
enum class Recipe : std::uint8_t {
    q8_0,
    q6_k,
    q5_k_m,
    q5_k_s,
    q5_1,
    q5_0,
    q4_k_m,
    q4_k_s,
    q4_1,
    q4_0,
    q3_k_l,
    q3_k_m,
    q3_k_s,
    q2_k,
    q2_k_s,
    iq4_nl,
    iq4_xs,
    iq3_m,
    iq3_s,
    iq3_xs,
    iq3_xxs,
    iq2_m,
    iq2_s,
    iq2_xs,
    iq2_xxs,
    iq1_m,
    iq1_s,
    tq2_0,
    tq1_0,
    mxfp4_moe,
};
struct RecipeInfo {
    Recipe recipe;
    std::string_view key;
    Precision base;          // of most tensors
    std::int64_t file_type;  // general.file_type of such a file
};
std::span<const RecipeInfo> recipes();  // in the order of the enumeration
const RecipeInfo& info(Recipe recipe);

// How a model's weights are stored.
struct Formats {
    Precision rest = Precision::bf16;
    std::array<std::optional<Precision>, weight_kind_count> own{};  // by kind
    std::optional<Recipe> recipe;                                   // then `rest` is its base, and `own` empty

    Formats() = default;
    Formats(Precision all) : rest(all) {}
    Formats(Recipe all) : rest(info(all).base), recipe(all) {}

    std::optional<Precision>& of(WeightKind kind) { return own[static_cast<std::size_t>(kind)]; }
    // Of a matrix of this kind, and of what is none; a recipe may choose another.
    Precision of(WeightKind kind) const;
    // Whether every number takes the same bits, whatever tensor it is in.
    bool uniform() const;
    bool operator==(const Formats&) const = default;
};

// What activations of such a model are computed in.
inline Precision activation_precision(const Formats& weights) {
    return activation_precision(weights.rest);
}

// "bf16", "q4_k_m", "experts=mxfp4,rest=bf16", "layers=fp8,rest=bf16". What is not there ends in an error that names
// the nearest.
std::string formats_text(const Formats& formats);
Result<Formats> parse_formats(std::string_view text, std::string_view what);
Result<Precision> parse_precision(std::string_view text, std::string_view what);

}  // namespace headcount
