// Formats: what their numbers take, and how they are called.
#include "core/arch/formats.hpp"

#include <gtest/gtest.h>

#include "core/base/text.hpp"

namespace headcount {
namespace {

std::int64_t bytes(std::int64_t inputs, std::int64_t outputs, Precision precision) {
    const Result<std::int64_t> found = evaluate(bytes_formula(inputs, outputs, precision), {});
    EXPECT_TRUE(found);
    return found ? *found : 0;
}

std::string said(std::string_view text) {
    const Result<Formats> formats = parse_formats(text, "--dtype");
    return formats ? formats_text(*formats) : sentence(formats.error());
}

// ggml's type_size of each block (ggml-common.h), the Open Compute Project's MX 1.0, NVIDIA's NVFP4.
TEST(Formats, ABlockTakesThePublishedBytes) {
    const std::tuple<Precision, std::int64_t, std::int64_t> blocks[] = {
        {Precision::q8_0, 32, 34},     {Precision::q6_k, 256, 210},   {Precision::q5_k, 256, 176},
        {Precision::q4_k, 256, 144},   {Precision::q3_k, 256, 110},   {Precision::q2_k, 256, 84},
        {Precision::q4_0, 32, 18},     {Precision::q4_1, 32, 20},     {Precision::q5_0, 32, 22},
        {Precision::q5_1, 32, 24},     {Precision::iq4_xs, 256, 136}, {Precision::iq3_xxs, 256, 98},
        {Precision::iq2_xxs, 256, 66}, {Precision::iq1_s, 256, 50},   {Precision::tq1_0, 256, 54},
        {Precision::mxfp4, 32, 17},    {Precision::int4, 32, 18},     {Precision::int4_g128, 128, 66}};
    for (const auto& [precision, numbers, size] : blocks) {
        EXPECT_EQ(bytes(numbers, 1, precision), size) << info(precision).key;
        EXPECT_EQ(bytes(3 * numbers, 5, precision), 15 * size) << info(precision).key;
        EXPECT_EQ(bytes(numbers + 1, 5, precision), 10 * size) << info(precision).key << ", whole blocks in each row";
    }
}

TEST(Formats, WhatIsSharedByMoreThanABlockIsCountedToo) {
    EXPECT_EQ(bytes(16, 64, Precision::nvfp4), 64 * 9 + 4) << "and the tensor's scale";
    EXPECT_EQ(bytes(128, 128, Precision::fp8_tiles), 128 * 128 + 4);
    EXPECT_EQ(bytes(129, 128, Precision::fp8_tiles), 129 * 128 + 2 * 4);
    EXPECT_EQ(bytes(64, 256, Precision::nf4), 64 * 128 + 256 * 4);
    // 4.127 bits a number (Dettmers et al. 2023, section 3): 0.5 of scales become 0.127.
    EXPECT_EQ(bytes(64, 256, Precision::nf4_double), 64 * 128 + 256 + 4 + 4);
    EXPECT_EQ(bytes(256, 1, Precision::int4_g128_zeros), 128 + 5);
}

// What is said of a number is what a large matrix takes.
TEST(Formats, WhatBlocksAddToANumberIsSaid) {
    EXPECT_EQ(kept_words(Precision::int4),
              "int4 keeps 4 bits a number, and 16 bits more for each 32 of a row: 4.5 bits a number.");
    EXPECT_TRUE(kept_words(Precision::fp8_tiles)
                    .starts_with("fp8-128x128 keeps 8 bits a number, and 32 bits more for each 128 × 128: "));
    EXPECT_EQ(kept_words(Precision::bf16), "");
    for (const PrecisionInfo& format : precisions()) {
        const std::string words = kept_words(format.precision);
        if (words.empty()) continue;
        constexpr std::int64_t side = 1 << 14;
        const double bits = 8.0 * static_cast<double>(bytes(side, side, format.precision)) / side / side;
        EXPECT_NEAR(std::stod(words.substr(words.rfind(": ") + 2)), bits, 0.001) << words;
    }
}

TEST(Formats, TheirNamesAreReadAsTheyAreWritten) {
    for (const PrecisionInfo& format : precisions()) {
        const Result<Precision> read = parse_precision(format.key, "--kv-dtype");
        ASSERT_TRUE(read) << format.key;
        EXPECT_EQ(*read, format.precision);
        EXPECT_EQ(*parse_formats(formats_text(format.precision), ""), Formats(format.precision)) << format.key;
    }
    for (const RecipeInfo& recipe : recipes()) EXPECT_EQ(*parse_formats(recipe.key, ""), Formats(recipe.recipe));
    EXPECT_EQ(said("Q4_K_M"), "q4_k_m");
    EXPECT_EQ(said("INT4-G128"), "int4-g128");
    EXPECT_EQ(said("rest=bf16,experts=mxfp4"), "experts=mxfp4,rest=bf16");
    EXPECT_EQ(said("layers=fp8,norm=fp32"), "layers=fp8,norm=fp32,rest=bf16");
    EXPECT_EQ(said("attention=fp8,recurrence=fp8,feed_forward=fp8,experts=fp8"), "layers=fp8,rest=bf16");
    EXPECT_EQ(said("layers=fp8,experts=mxfp4"),
              "attention=fp8,recurrence=fp8,feed_forward=fp8,experts=mxfp4,rest=bf16");
    EXPECT_EQ(said("rest=q4_0"), "rest=q4_0") << "q4_0 alone is llama.cpp's recipe";
}

TEST(Formats, ALayoutWithoutANameIsSaidByItsBits) {
    const Precision packed(Precision::int3, {.block = 128, .block_bits = 19, .column_bits = 32});
    EXPECT_EQ(precision_text(packed), "int3:19/128:32/column");
    EXPECT_EQ(bytes(256, 64, packed), 256 * 64 * 3 / 8 + 2 * 64 * 19 / 8 + 256 * 4);
    const Precision rows(Precision::int8, {.row_bits = 16, .tensor_bits = 128});
    EXPECT_EQ(bytes(256, 64, rows), 256 * 64 + 64 * 2 + 16);
    const Precision tiles(Precision::fp8, {.block = 64, .block_bits = 32, .blocks = Blocks::tile});
    EXPECT_EQ(bytes(65, 64, tiles), 65 * 64 + 2 * 4);
    const Precision nested(
        Precision::nf4,
        {.block = 64, .block_bits = 8, .blocks = Blocks::flat, .outer = 16384, .outer_bits = 32, .tensor_bits = 8736});
    for (const Precision& each : {packed, rows, tiles, nested, Precision(Precision::int4, Layout{})}) {
        const Result<Precision> read = parse_precision(precision_text(each), "");
        ASSERT_TRUE(read) << precision_text(each);
        EXPECT_EQ(*read, each) << precision_text(each);
    }
    EXPECT_EQ(Precision(Precision::int4, {.block = 128, .block_bits = 20}), Precision::int4_g128_zeros)
        << "one that has a name is called so";
    EXPECT_EQ(said("fp8:32/128x128"), "fp8-128x128");
    EXPECT_NE(said("int4:16").find("\"16\" is nothing that numbers share"), std::string::npos) << said("int4:16");
    EXPECT_NE(said("int4:16/128x64").find("is nothing that numbers share"), std::string::npos);
    EXPECT_NE(said("q4_k:16/128").find("q4_k has its own blocks"), std::string::npos);
    EXPECT_NE(said("fp32:16/128").find("fp32 has no scales"), std::string::npos);
}

TEST(Formats, ATensorIsNamedInAllLayersOrInSome) {
    const std::string all = "layers=fp8,model.layers.{i}.mlp.gate.weight=bf16,rest=bf16",
                      some = "layers=fp8,model.layers.[0-2+5].mlp.up_proj.weight=int4:16/128:128/tensor,rest=bf16";
    EXPECT_EQ(said(all), all);
    EXPECT_EQ(said(some), some);
    const NamedFormat named = parse_formats(some, "")->named.front();
    EXPECT_EQ(named.tensor, "model.layers.{i}.mlp.up_proj.weight");
    for (const std::int64_t layer : {0, 1, 2, 5}) EXPECT_TRUE(named.contains(layer)) << layer;
    for (const std::int64_t layer : {3, 4, 6}) EXPECT_FALSE(named.contains(layer)) << layer;
    EXPECT_TRUE(parse_formats(some, "")->by_layer());
    EXPECT_FALSE(parse_formats(all, "")->by_layer());
    EXPECT_EQ(formats_title(*parse_formats(some, "")), "fp8 (layers), bf16 (rest) but for 1 by name");
    EXPECT_EQ(formats_title(*parse_formats("feed_forward=fp8-128x128,rest=bf16", "")),
              "fp8-128x128 (feed-forward), bf16 (rest)");
    EXPECT_EQ(formats_title(*parse_formats("q4_k_m", "")), "q4_k_m");
    EXPECT_EQ(formats_title(*parse_formats("bf16", "")), "bf16");
    for (const char* wrong : {"a.[2-1].b=bf16", "a.[].b=bf16", "a.]1[.b=bf16", "a.[x].b=bf16", "a.[1.b=bf16"})
        EXPECT_NE(said(wrong).find("does not say which layers"), std::string::npos) << wrong;
}

TEST(Formats, WhatIsNoneIsAnsweredWithWhatIs) {
    EXPECT_NE(said("q4_k_n").find("did you mean q4_k_m"), std::string::npos) << said("q4_k_n");
    EXPECT_NE(said("experts=mxfp5").find("did you mean mxfp4"), std::string::npos);
    EXPECT_NE(said("expert=mxfp4").find("did you mean experts"), std::string::npos);
    EXPECT_NE(said("experts=mxfp4,bf16").find("write it as experts=mxfp4,rest=bf16"), std::string::npos);
}

TEST(Formats, VectorsStayInMoreBits) {
    const Formats groups = Precision::int4, blocks = Precision::q4_k, plain = Precision::fp16;
    EXPECT_EQ(groups.of(WeightKind::norm), Precision::bf16);
    EXPECT_EQ(blocks.of(WeightKind::norm), Precision::fp32);
    EXPECT_EQ(plain.of(WeightKind::norm), Precision::fp16);
}

TEST(Formats, ThatAreMethodsSayWhatTheyKeep) {
    EXPECT_EQ(parse_formats("gptq", "--dtype").error().fix, "say how it is stored, such as int4-g128-zeros");
    EXPECT_EQ(parse_formats("AWQ", "--dtype").error().fix, "say how it is stored, such as int4-g128-zeros");
    EXPECT_EQ(parse_formats("fp4", "--dtype").error().fix, "say which: mxfp4 or nvfp4");
}

}  // namespace
}  // namespace headcount
