// The formats that numbers are stored in, the kinds of weights that can have one each, and what people call all that:
// "q4_k_m", "experts=mxfp4,rest=bf16".
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/expr.hpp"
#include "core/base/result.hpp"

namespace headcount {

// What the numbers themselves are, and what usually is stored with them: a row each in the table.
enum class NumberFormat : std::uint8_t {
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
    int3,  // as int4
    int2,
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

// What a matrix has beside its numbers, in bits.
struct Layout {
    std::int64_t block = 1;       // so many numbers, of a tile each side, share a scale
    std::int64_t block_bits = 0;  // that the scale and what else they share takes
    Blocks blocks = Blocks::row;
    std::int64_t outer = 0, outer_bits = 0;  // so many numbers share something again
    std::int64_t row_bits = 0;               // each output has
    std::int64_t column_bits = 0;            // each input
    std::int64_t tensor_bits = 0;            // and the tensor

    auto operator<=>(const Layout&) const = default;
};

// In which format numbers are stored.
struct Precision {
    using enum NumberFormat;

    NumberFormat numbers = fp32;
    std::optional<Layout> own = {};  // where it is another than the table has

    constexpr Precision(NumberFormat as = fp32) : numbers(as) {}
    // The format of the table where that is it.
    Precision(NumberFormat as, const Layout& layout);
    auto operator<=>(const Precision&) const = default;
};

struct PrecisionInfo {
    NumberFormat precision;
    std::string_view key;
    std::int64_t bits;  // of one number, without what it shares with others
    Layout layout = {};
    std::optional<NumberFormat> like = {};    // the same numbers, of which this is another layout
    NumberFormat other = NumberFormat::bf16;  // what has no blocks is kept in this: norms, biases
    bool gguf = false;
};
std::span<const PrecisionInfo> precisions();  // in the order of the enumeration
const PrecisionInfo& info(const Precision& precision);
const Layout& layout(const Precision& precision);

// "int4-g128"; of a layout that has no name "int4:20/128:32/column", of 20 bits for 128 numbers of a row and 32 for
// each input. Others are /row, /tensor, /128x128.
std::string precision_text(const Precision& precision);

// Bytes of so many numbers in one row: whole blocks.
Expr bytes_formula(const Expr& numbers, const Precision& precision);
// Of a matrix with so many inputs a row, its scales along them.
Expr bytes_formula(const Expr& inputs, const Expr& outputs, const Precision& precision);

// What activations are computed in: 32 bits where the weights are, else 16.
Precision activation_precision(const Precision& weights);

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

// llama-quantize's recipes: formats that differ from tensor to tensor. With an importance matrix where they need one;
// those that choose otherwise with one than without are there twice.
enum class Recipe : std::uint8_t {
    q8_0,
    q6_k,
    q5_k_m,
    q5_k_s,
    q5_1,
    q5_0,
    q5_0_imatrix,
    q4_k_m,
    q4_k_s,
    q4_1,
    q4_0,
    q4_0_imatrix,
    q3_k_l,
    q3_k_m,
    q3_k_s,
    q2_k,
    q2_k_s,
    iq4_nl,
    iq4_nl_imatrix,
    iq4_xs,
    iq4_xs_imatrix,
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
    NumberFormat base;       // of most tensors
    std::int64_t file_type;  // general.file_type of such a file
    // Without an importance matrix; nothing of all that are one and the same.
    std::optional<Recipe> plain = {};
};
std::span<const RecipeInfo> recipes();  // in the order of the enumeration
const RecipeInfo& info(Recipe recipe);

// A tensor of a checkpoint that is stored in another format than those of its kind.
struct NamedFormat {
    std::string tensor;                                         // "model.layers.{i}.mlp.gate.weight"
    std::vector<std::pair<std::int64_t, std::int64_t>> layers;  // first and last, in their order; empty: all
    Precision precision;

    bool contains(std::int64_t layer) const;
    bool operator==(const NamedFormat&) const = default;
};

// How a model's weights are stored.
struct Formats {
    Precision rest = Precision::bf16;
    std::array<std::optional<Precision>, weight_kind_count> own{};  // by kind
    std::vector<NamedFormat> named{};                               // before what their kinds say
    std::optional<Recipe> recipe;  // then `rest` is its base, and there is nothing else

    Formats() = default;
    Formats(const Precision& all) : rest(all) {}
    Formats(NumberFormat all) : rest(all) {}
    Formats(Recipe all) : rest(info(all).base), recipe(all) {}

    std::optional<Precision>& of(WeightKind kind) { return own[static_cast<std::size_t>(kind)]; }
    // Of a matrix of this kind, and of what is none; a recipe or a name may choose another.
    Precision of(WeightKind kind) const;
    // Whether every number takes the same bits, whatever tensor it is in.
    bool uniform() const;
    // Whether layers may differ.
    bool by_layer() const;
    bool operator==(const Formats&) const = default;
};

// What activations of such a model are computed in.
inline Precision activation_precision(const Formats& weights) { return activation_precision(weights.rest); }

// "bf16", "q4_k_m", "experts=mxfp4,rest=bf16", "layers=fp8,rest=bf16"; a tensor by its name, in all layers or some:
// "layers=fp8,model.layers.{i}.mlp.gate.weight=bf16,model.layers.[0-2+5].mlp.up_proj.weight=bf16,rest=bf16". What is
// not there ends in an error that names the nearest.
std::string formats_text(const Formats& formats);
// The same for people: of tensors by name how many there are, "layers=fp8,rest=bf16 but for 2 by name".
std::string formats_title(const Formats& formats);
// "int4 keeps 4 bits a number, and 16 bits more for each 32 of a row: 4.5 bits a number."; empty where nothing is
// shared.
std::string kept_words(const Precision& precision);
Result<Formats> parse_formats(std::string_view text, std::string_view what);
Result<Precision> parse_precision(std::string_view text, std::string_view what);
// The kinds that one of its words says: of "experts" that, of "layers" all of layers; none of a tensor's name and of
// the rest.
std::vector<WeightKind> kinds_called(std::string_view word);

}  // namespace headcount
