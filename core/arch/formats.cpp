// The tables of formats and recipes, their words, and how many bytes numbers take in them.
#include "core/arch/formats.hpp"

#include <algorithm>
#include <vector>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

using P = Precision;

// GGUF's blocks, by their bytes: what they take beside so many bits a number is shared.
constexpr PrecisionInfo gguf(P precision, std::string_view key, std::int64_t bits, std::int64_t block,
                             std::int64_t bytes) {
    return {.precision = precision,
            .key = key,
            .bits = bits,
            .block = block,
            .block_bits = bytes * 8 - bits * block,
            .other = P::fp32,
            .gguf = true};
}
constexpr PrecisionInfo grouped_int4(P precision, std::string_view key, std::int64_t block, std::int64_t shared) {
    return {.precision = precision, .key = key, .bits = 4, .block = block, .block_bits = shared};
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
                  .block = 128,
                  .block_bits = 32,
                  .blocks = Blocks::tile},
    PrecisionInfo{.precision = P::int8, .key = "int8", .bits = 8},
    grouped_int4(P::int4, "int4", 32, 16),
    grouped_int4(P::int4_g64, "int4-g64", 64, 16),
    grouped_int4(P::int4_g128, "int4-g128", 128, 16),
    grouped_int4(P::int4_zeros, "int4-g32-zeros", 32, 20),
    grouped_int4(P::int4_g64_zeros, "int4-g64-zeros", 64, 20),
    grouped_int4(P::int4_g128_zeros, "int4-g128-zeros", 128, 20),
    PrecisionInfo{.precision = P::nf4, .key = "nf4", .bits = 4, .block = 64, .block_bits = 32, .blocks = Blocks::flat},
    PrecisionInfo{.precision = P::nf4_double,
                  .key = "nf4-double",
                  .bits = 4,
                  .block = 64,
                  .block_bits = 8,
                  .blocks = Blocks::flat,
                  .outer = 64 * 256,
                  .outer_bits = 32,
                  .tensor_bits = 32},
    PrecisionInfo{.precision = P::mxfp4, .key = "mxfp4", .bits = 4, .block = 32, .block_bits = 8},
    PrecisionInfo{.precision = P::nvfp4, .key = "nvfp4", .bits = 4, .block = 16, .block_bits = 8, .tensor_bits = 32},
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
    RecipeInfo{Recipe::q8_0, "q8_0", P::q8_0, 7},           RecipeInfo{Recipe::q6_k, "q6_k", P::q6_k, 18},
    RecipeInfo{Recipe::q5_k_m, "q5_k_m", P::q5_k, 17},      RecipeInfo{Recipe::q5_k_s, "q5_k_s", P::q5_k, 16},
    RecipeInfo{Recipe::q5_1, "q5_1", P::q5_1, 9},           RecipeInfo{Recipe::q5_0, "q5_0", P::q5_0, 8},
    RecipeInfo{Recipe::q4_k_m, "q4_k_m", P::q4_k, 15},      RecipeInfo{Recipe::q4_k_s, "q4_k_s", P::q4_k, 14},
    RecipeInfo{Recipe::q4_1, "q4_1", P::q4_1, 3},           RecipeInfo{Recipe::q4_0, "q4_0", P::q4_0, 2},
    RecipeInfo{Recipe::q3_k_l, "q3_k_l", P::q3_k, 13},      RecipeInfo{Recipe::q3_k_m, "q3_k_m", P::q3_k, 12},
    RecipeInfo{Recipe::q3_k_s, "q3_k_s", P::q3_k, 11},      RecipeInfo{Recipe::q2_k, "q2_k", P::q2_k, 10},
    RecipeInfo{Recipe::q2_k_s, "q2_k_s", P::q2_k, 21},      RecipeInfo{Recipe::iq4_nl, "iq4_nl", P::iq4_nl, 25},
    RecipeInfo{Recipe::iq4_xs, "iq4_xs", P::iq4_xs, 30},    RecipeInfo{Recipe::iq3_m, "iq3_m", P::iq3_s, 27},
    RecipeInfo{Recipe::iq3_s, "iq3_s", P::iq3_s, 26},       RecipeInfo{Recipe::iq3_xs, "iq3_xs", P::iq3_s, 22},
    RecipeInfo{Recipe::iq3_xxs, "iq3_xxs", P::iq3_xxs, 23}, RecipeInfo{Recipe::iq2_m, "iq2_m", P::iq2_s, 29},
    RecipeInfo{Recipe::iq2_s, "iq2_s", P::iq2_xs, 28},      RecipeInfo{Recipe::iq2_xs, "iq2_xs", P::iq2_xs, 20},
    RecipeInfo{Recipe::iq2_xxs, "iq2_xxs", P::iq2_xxs, 19}, RecipeInfo{Recipe::iq1_m, "iq1_m", P::iq1_m, 31},
    RecipeInfo{Recipe::iq1_s, "iq1_s", P::iq1_s, 24},       RecipeInfo{Recipe::tq2_0, "tq2_0", P::tq2_0, 37},
    RecipeInfo{Recipe::tq1_0, "tq1_0", P::tq1_0, 36},       RecipeInfo{Recipe::mxfp4_moe, "mxfp4_moe", P::mxfp4, 38},
};
static_assert(in_order(recipe_table, &RecipeInfo::recipe), "info() looks recipes up by their place in the table");

constexpr std::array<std::string_view, weight_kind_count> kind_words{
    "embedding", "attention", "recurrence", "feed_forward", "experts", "router", "output", "norm"};
constexpr std::string_view layers_word = "layers";

bool of_layers(WeightKind kind) {
    return std::ranges::find(layer_kinds, kind) != layer_kinds.end();
}

// Bits of so many blocks, as bytes.
Expr in_bytes(const Expr& count, std::int64_t bits) {
    if (bits % 8 == 0) return Expr(bits / 8) * count;
    return ceil_to(Expr(bits) * count, 8) / 8;
}

// The same in small letters, with one sign between parts.
std::string plain(std::string_view text) {
    std::string word = lower(text);
    std::replace(word.begin(), word.end(), '-', '_');
    return word;
}

template <class Table>
auto find_word(const Table& table, std::string_view text) {
    return std::find_if(table.begin(), table.end(),
                        [word = plain(text)](const auto& each) { return plain(each.key) == word; });
}

// What people also write.
std::string_view usual_name(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 10> others{{{"f32", "fp32"},
                                                                                    {"float32", "fp32"},
                                                                                    {"f16", "fp16"},
                                                                                    {"float16", "fp16"},
                                                                                    {"bfloat16", "bf16"},
                                                                                    {"fp8_e4m3", "fp8"},
                                                                                    {"fp8-e4m3", "fp8"},
                                                                                    {"int4-g32", "int4"},
                                                                                    {"q8", "q8_0"},
                                                                                    {"nf4-dq", "nf4-double"}}};
    for (const auto& [other, usual] : others)
        if (lower(text) == other) return usual;
    return text;
}

template <class... Tables>
std::vector<std::string_view> words_of(const Tables&... tables) {
    std::vector<std::string_view> words;
    const auto add = [&](const auto& table) {
        for (const auto& each : table)
            if (std::find(words.begin(), words.end(), each.key) == words.end()) words.push_back(each.key);
    };
    (add(tables), ...);
    return words;
}

Error unknown_format(std::string_view text, std::string_view what, const std::vector<std::string_view>& words) {
    // What is the name of a method, or of several formats.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> others{
        {{"gptq", "say how it is stored, such as int4-g128-zeros"},
         {"awq", "say how it is stored, such as int4-g128-zeros"},
         {"fp4", "say which: mxfp4 or nvfp4"}}};
    for (const auto& [name, fix] : others)
        if (lower(text) == name) return {quote(text) + " is no number format", std::string(what), std::string(fix)};
    const std::string all = listed(words, [](std::string_view word) { return word; });
    return {quote(text) + " is no number format", std::string(what), did_you_mean(text, words, "use one of " + all)};
}

}  // namespace

std::span<const PrecisionInfo> precisions() {
    return precision_table;
}
const PrecisionInfo& info(Precision precision) {
    return precision_table[static_cast<std::size_t>(precision)];
}
std::span<const RecipeInfo> recipes() {
    return recipe_table;
}
const RecipeInfo& info(Recipe recipe) {
    return recipe_table[static_cast<std::size_t>(recipe)];
}

Expr bytes_formula(const Expr& numbers, Precision precision) {
    return bytes_formula(numbers, 1, precision);
}

Expr bytes_formula(const Expr& inputs, const Expr& outputs, Precision precision) {
    const PrecisionInfo& format = info(precision);
    if (format.block == 1) return in_bytes(inputs * outputs, format.bits);
    Expr bytes = 0;
    if (format.blocks == Blocks::tile) {
        const auto tiles = [&](const Expr& side) { return ceil_to(side, format.block) / format.block; };
        bytes = in_bytes(inputs * outputs, format.bits) + in_bytes(tiles(inputs) * tiles(outputs), format.block_bits);
    } else if (format.blocks == Blocks::flat) {
        const Expr all = inputs * outputs;
        bytes = in_bytes(all, format.bits) + in_bytes(ceil_to(all, format.block) / format.block, format.block_bits);
        if (format.outer > 0) bytes = bytes + in_bytes(ceil_to(all, format.outer) / format.outer, format.outer_bits);
    } else {
        const std::int64_t one = format.bits * format.block + format.block_bits;
        bytes = in_bytes(outputs * (ceil_to(inputs, format.block) / format.block), one);
    }
    return format.tensor_bits > 0 ? bytes + Expr(format.tensor_bits / 8) : bytes;
}

Precision activation_precision(Precision weights) {
    if (weights == P::fp32 || weights == P::tf32) return P::fp32;
    return weights == P::fp16 || info(weights).gguf ? P::fp16 : P::bf16;
}

Precision Formats::of(WeightKind kind) const {
    if (const std::optional<Precision>& its = own[static_cast<std::size_t>(kind)]) return *its;
    if (kind == WeightKind::norm || (kind == WeightKind::router && info(rest).gguf))
        return info(rest).bits < 16 ? info(rest).other : rest;
    return rest;
}

bool Formats::uniform() const {
    return !recipe && info(rest).bits >= 16 && own == decltype(own){};
}

std::string formats_text(const Formats& formats) {
    if (formats.recipe) return std::string(info(*formats.recipe).key);
    std::string text;
    const auto put = [&](std::string_view kind, const std::optional<Precision>& own) {
        if (own) text += std::string(kind) + "=" + std::string(info(*own).key) + ",";
    };
    const auto its = [&](WeightKind kind) { return formats.own[static_cast<std::size_t>(kind)]; };
    const auto of_first = its(layer_kinds.front());
    const bool alike = std::ranges::all_of(layer_kinds, [&](WeightKind kind) { return its(kind) == of_first; });
    if (alike) put(layers_word, of_first);
    for (std::size_t i = 0; i < formats.own.size(); ++i)
        if (!alike || !of_layers(static_cast<WeightKind>(i))) put(kind_words[i], formats.own[i]);
    const std::string rest(info(formats.rest).key);
    // A recipe's name by itself would be read as the recipe.
    const bool plain = text.empty() && find_word(recipe_table, rest) == recipe_table.end();
    return plain ? rest : text + "rest=" + rest;
}

Result<Precision> parse_precision(std::string_view text, std::string_view what) {
    const auto found = find_word(precision_table, usual_name(text));
    if (found != precision_table.end()) return found->precision;
    return unknown_format(text, what, words_of(precision_table));
}

Result<Formats> parse_formats(std::string_view text, std::string_view what) {
    if (text.find('=') == std::string_view::npos) {
        const auto recipe = find_word(recipe_table, usual_name(text));
        if (recipe != recipe_table.end()) return Formats(recipe->recipe);
        const auto found = find_word(precision_table, usual_name(text));
        if (found != precision_table.end()) return Formats(found->precision);
        return unknown_format(text, what, words_of(precision_table, recipe_table));
    }
    Formats formats;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(part.size() + 1, text.size()));
        const std::size_t equals = part.find('=');
        const std::string_view kind = part.substr(0, equals);
        if (equals == std::string_view::npos)
            return Error{quote(part) + " is no part with its format", std::string(what),
                         "write it as experts=mxfp4,rest=bf16"};
        const Result<Precision> format = parse_precision(part.substr(equals + 1), what);
        if (!format) return format.error();
        const auto found = std::find(kind_words.begin(), kind_words.end(), kind);
        if (kind == "rest") {
            formats.rest = *format;
        } else if (kind == layers_word) {
            for (const WeightKind each : layer_kinds) formats.of(each) = *format;
        } else if (found != kind_words.end()) {
            formats.own[static_cast<std::size_t>(found - kind_words.begin())] = *format;
        } else {
            std::vector<std::string_view> known(kind_words.begin(), kind_words.end());
            known.push_back(layers_word);
            known.push_back("rest");
            return Error{quote(kind) + " is no part of the weights", std::string(what), use_one_of(kind, known)};
        }
    }
    return formats;
}

}  // namespace headcount
