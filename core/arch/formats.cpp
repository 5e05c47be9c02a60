// The tables of formats and recipes, and how many bytes numbers take in them.
#include "core/arch/formats.hpp"

#include <algorithm>

#include "core/base/checked.hpp"

namespace headcount {
namespace {

using P = Precision;

// GGUF's blocks, by their bytes: what they take beside so many bits a number is shared.
constexpr PrecisionInfo gguf(NumberFormat precision, std::string_view key, std::int64_t bits, std::int64_t block,
                             std::int64_t bytes) {
    return {.precision = precision,
            .key = key,
            .bits = bits,
            .layout = {.block = block, .block_bits = bytes * 8 - bits * block},
            .other = P::fp32,
            .gguf = true};
}
constexpr PrecisionInfo grouped(NumberFormat precision, std::string_view key, std::int64_t bits, std::int64_t block,
                                std::int64_t shared, std::optional<NumberFormat> like = {}) {
    return {.precision = precision,
            .key = key,
            .bits = bits,
            .layout = {.block = block, .block_bits = shared},
            .like = like};
}

// ggml's are from ggml/src/ggml-common.h of llama.cpp.
constexpr std::array precision_table{
    PrecisionInfo{.precision = P::fp32, .key = "fp32", .bits = 32, .other = P::fp32},
    PrecisionInfo{.precision = P::tf32, .key = "tf32", .bits = 32, .other = P::fp32},
    PrecisionInfo{.precision = P::bf16, .key = "bf16", .bits = 16},
    PrecisionInfo{.precision = P::fp16, .key = "fp16", .bits = 16, .other = P::fp16},
    PrecisionInfo{.precision = P::fp8, .key = "fp8", .bits = 8},
    PrecisionInfo{.precision = P::fp8_e5m2, .key = "fp8-e5m2", .bits = 8},
    PrecisionInfo{.precision = P::fp8_tiles,
                  .key = "fp8-128x128",
                  .bits = 8,
                  .layout = {.block = 128, .block_bits = 32, .blocks = Blocks::tile},
                  .like = P::fp8},
    PrecisionInfo{.precision = P::int8, .key = "int8", .bits = 8},
    grouped(P::int4, "int4", 4, 32, 16),
    grouped(P::int4_g64, "int4-g64", 4, 64, 16, P::int4),
    grouped(P::int4_g128, "int4-g128", 4, 128, 16, P::int4),
    grouped(P::int4_zeros, "int4-g32-zeros", 4, 32, 20, P::int4),
    grouped(P::int4_g64_zeros, "int4-g64-zeros", 4, 64, 20, P::int4),
    grouped(P::int4_g128_zeros, "int4-g128-zeros", 4, 128, 20, P::int4),
    grouped(P::int3, "int3", 3, 32, 16),
    grouped(P::int2, "int2", 2, 32, 16),
    PrecisionInfo{.precision = P::nf4,
                  .key = "nf4",
                  .bits = 4,
                  .layout = {.block = 64, .block_bits = 32, .blocks = Blocks::flat}},
    PrecisionInfo{.precision = P::nf4_double,
                  .key = "nf4-double",
                  .bits = 4,
                  .layout = {.block = 64,
                             .block_bits = 8,
                             .blocks = Blocks::flat,
                             .outer = 64 * 256,
                             .outer_bits = 32,
                             .tensor_bits = 32},
                  .like = P::nf4},
    grouped(P::mxfp4, "mxfp4", 4, 32, 8),
    PrecisionInfo{
        .precision = P::nvfp4, .key = "nvfp4", .bits = 4, .layout = {.block = 16, .block_bits = 8, .tensor_bits = 32}},
    gguf(P::q8_0, "q8_0", 8, 32, 34),
    gguf(P::q6_k, "q6_k", 6, 256, 210),
    gguf(P::q5_k, "q5_k", 5, 256, 176),
    gguf(P::q5_1, "q5_1", 5, 32, 24),
    gguf(P::q5_0, "q5_0", 5, 32, 22),
    gguf(P::q4_k, "q4_k", 4, 256, 144),
    gguf(P::q4_1, "q4_1", 4, 32, 20),
    gguf(P::q4_0, "q4_0", 4, 32, 18),
    gguf(P::q3_k, "q3_k", 3, 256, 110),
    gguf(P::q2_k, "q2_k", 2, 256, 84),
    gguf(P::iq4_nl, "iq4_nl", 4, 32, 18),
    gguf(P::iq4_xs, "iq4_xs", 4, 256, 136),
    gguf(P::iq3_s, "iq3_s", 3, 256, 110),
    gguf(P::iq3_xxs, "iq3_xxs", 3, 256, 98),
    gguf(P::iq2_s, "iq2_s", 2, 256, 82),
    gguf(P::iq2_xs, "iq2_xs", 2, 256, 74),
    gguf(P::iq2_xxs, "iq2_xxs", 2, 256, 66),
    gguf(P::iq1_m, "iq1_m", 1, 256, 56),
    gguf(P::iq1_s, "iq1_s", 1, 256, 50),
    gguf(P::tq2_0, "tq2_0", 2, 256, 66),
    gguf(P::tq1_0, "tq1_0", 1, 256, 54),
};
static_assert(in_order(precision_table, &PrecisionInfo::precision),
              "info() looks precisions up by their place in the table");

// What most tensors have, and the number that such a file has as its type: src/llama-quant.cpp and include/llama.h of
// llama.cpp.
constexpr std::array recipe_table{
    RecipeInfo{Recipe::q8_0, "q8_0", P::q8_0, 7},
    RecipeInfo{Recipe::q6_k, "q6_k", P::q6_k, 18},
    RecipeInfo{Recipe::q5_k_m, "q5_k_m", P::q5_k, 17},
    RecipeInfo{Recipe::q5_k_s, "q5_k_s", P::q5_k, 16},
    RecipeInfo{Recipe::q5_1, "q5_1", P::q5_1, 9},
    RecipeInfo{Recipe::q5_0, "q5_0", P::q5_0, 8},
    RecipeInfo{Recipe::q5_0_imatrix, "q5_0_imatrix", P::q5_0, 8, Recipe::q5_0},
    RecipeInfo{Recipe::q4_k_m, "q4_k_m", P::q4_k, 15},
    RecipeInfo{Recipe::q4_k_s, "q4_k_s", P::q4_k, 14},
    RecipeInfo{Recipe::q4_1, "q4_1", P::q4_1, 3},
    RecipeInfo{Recipe::q4_0, "q4_0", P::q4_0, 2},
    RecipeInfo{Recipe::q4_0_imatrix, "q4_0_imatrix", P::q4_0, 2, Recipe::q4_0},
    RecipeInfo{Recipe::q3_k_l, "q3_k_l", P::q3_k, 13},
    RecipeInfo{Recipe::q3_k_m, "q3_k_m", P::q3_k, 12},
    RecipeInfo{Recipe::q3_k_s, "q3_k_s", P::q3_k, 11},
    RecipeInfo{Recipe::q2_k, "q2_k", P::q2_k, 10},
    RecipeInfo{Recipe::q2_k_s, "q2_k_s", P::q2_k, 21},
    RecipeInfo{Recipe::iq4_nl, "iq4_nl", P::iq4_nl, 25},
    RecipeInfo{Recipe::iq4_nl_imatrix, "iq4_nl_imatrix", P::iq4_nl, 25, Recipe::iq4_nl},
    RecipeInfo{Recipe::iq4_xs, "iq4_xs", P::iq4_xs, 30},
    RecipeInfo{Recipe::iq4_xs_imatrix, "iq4_xs_imatrix", P::iq4_xs, 30, Recipe::iq4_xs},
    RecipeInfo{Recipe::iq3_m, "iq3_m", P::iq3_s, 27},
    RecipeInfo{Recipe::iq3_s, "iq3_s", P::iq3_s, 26},
    RecipeInfo{Recipe::iq3_xs, "iq3_xs", P::iq3_s, 22},
    RecipeInfo{Recipe::iq3_xxs, "iq3_xxs", P::iq3_xxs, 23},
    RecipeInfo{Recipe::iq2_m, "iq2_m", P::iq2_s, 29},
    RecipeInfo{Recipe::iq2_s, "iq2_s", P::iq2_xs, 28},
    RecipeInfo{Recipe::iq2_xs, "iq2_xs", P::iq2_xs, 20},
    RecipeInfo{Recipe::iq2_xxs, "iq2_xxs", P::iq2_xxs, 19},
    RecipeInfo{Recipe::iq1_m, "iq1_m", P::iq1_m, 31},
    RecipeInfo{Recipe::iq1_s, "iq1_s", P::iq1_s, 24},
    RecipeInfo{Recipe::tq2_0, "tq2_0", P::tq2_0, 37},
    RecipeInfo{Recipe::tq1_0, "tq1_0", P::tq1_0, 36},
    RecipeInfo{Recipe::mxfp4_moe, "mxfp4_moe", P::mxfp4, 38},
};
static_assert(in_order(recipe_table, &RecipeInfo::recipe), "info() looks recipes up by their place in the table");

// Bits of so many blocks, as bytes.
Expr in_bytes(const Expr& count, std::int64_t bits) {
    if (bits % 8 == 0) return Expr(bits / 8) * count;
    return ceil_to(Expr(bits) * count, 8) / 8;
}

}  // namespace

std::span<const PrecisionInfo> precisions() { return precision_table; }
const PrecisionInfo& info(const Precision& precision) {
    return precision_table[static_cast<std::size_t>(precision.numbers)];
}
const Layout& layout(const Precision& precision) { return precision.own ? *precision.own : info(precision).layout; }

Precision::Precision(NumberFormat as, const Layout& layout) : numbers(info(as).like.value_or(as)), own(layout) {
    for (const PrecisionInfo& row : precision_table)
        if (row.like.value_or(row.precision) == numbers && row.layout == layout) {
            *this = row.precision;
            return;
        }
}

std::span<const RecipeInfo> recipes() { return recipe_table; }
const RecipeInfo& info(Recipe recipe) { return recipe_table[static_cast<std::size_t>(recipe)]; }

Expr bytes_formula(const Expr& numbers, const Precision& precision) { return bytes_formula(numbers, 1, precision); }

Expr bytes_formula(const Expr& inputs, const Expr& outputs, const Precision& precision) {
    const std::int64_t bits = info(precision).bits;
    const Layout& shared = layout(precision);
    const Expr all = inputs * outputs;
    const auto blocks = [](const Expr& numbers, std::int64_t block) { return ceil_to(numbers, block) / block; };
    // A format of rows whose name says its blocks is of whole ones.
    const bool whole = shared.block > 1 && shared.blocks == Blocks::row && !precision.own;
    Expr bytes = whole ? in_bytes(outputs * blocks(inputs, shared.block), bits * shared.block + shared.block_bits)
                       : in_bytes(all, bits);
    const auto add = [&](const Expr& count, std::int64_t each) {
        if (each > 0) bytes = bytes + in_bytes(count, each);
    };
    if (shared.blocks == Blocks::tile)
        add(blocks(inputs, shared.block) * blocks(outputs, shared.block), shared.block_bits);
    else if (shared.block > 1 && !whole)
        add(shared.blocks == Blocks::flat ? blocks(all, shared.block) : outputs * blocks(inputs, shared.block),
            shared.block_bits);
    if (shared.outer > 0) add(blocks(all, shared.outer), shared.outer_bits);
    add(outputs, shared.row_bits);
    add(inputs, shared.column_bits);
    add(1, shared.tensor_bits);
    return bytes;
}

Precision activation_precision(const Precision& weights) {
    if (weights == P::fp32 || weights == P::tf32) return P::fp32;
    return weights == P::fp16 || info(weights).gguf ? P::fp16 : P::bf16;
}

Precision Formats::of(WeightKind kind) const {
    if (const std::optional<Precision>& its = own[static_cast<std::size_t>(kind)]) return *its;
    if (kind == WeightKind::norm || (kind == WeightKind::router && info(rest).gguf))
        return info(rest).bits < 16 ? info(rest).other : rest;
    return rest;
}

bool NamedFormat::contains(std::int64_t layer) const {
    return layers.empty() || std::ranges::any_of(layers, [&](const auto& range) {
               return range.first <= layer && layer <= range.second;
           });
}

bool Formats::uniform() const { return !recipe && named.empty() && info(rest).bits >= 16 && own == decltype(own){}; }

bool Formats::by_layer() const {
    return recipe || std::ranges::any_of(named, [](const NamedFormat& each) { return !each.layers.empty(); });
}

}  // namespace headcount
