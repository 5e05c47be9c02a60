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
