// In which formats files say that their weights are.
#include "core/files/stored_formats.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace headcount {
namespace {

std::string formats_in(const std::string& quantization, const std::string& dtype = "bfloat16") {
    const Carried configuration({{"dtype", '"' + dtype + '"'}, {"quantization_config", quantization}});
    const std::optional<Formats> formats = stored_formats(configuration);
    return formats ? formats_text(*formats) : "nothing";
}

std::string linear(const std::string& format, const std::string& rest) {
    return "layers=" + format + ",rest=" + rest;
}

TEST(StoredFormats, AreReadOffEveryQuantizersConfiguration) {
    EXPECT_EQ(formats_in(R"({"quant_method": "mxfp4"})"), "experts=mxfp4,rest=bf16");
    EXPECT_EQ(formats_in(R"({"quant_method": "fp8", "weight_block_size": [128, 128]})"), linear("fp8-128x128", "bf16"));
    EXPECT_EQ(formats_in(R"({"quant_method": "fbgemm_fp8"})"), linear("fp8", "bf16"));
    EXPECT_EQ(formats_in(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf4",
                             "bnb_4bit_use_double_quant": true})",
                         "float16"),
              linear("nf4-double", "fp16"));
    EXPECT_EQ(formats_in(R"({"quant_method": "gptq", "bits": 4, "group_size": 128})"),
              linear("int4-g128-zeros", "bf16"));
    EXPECT_EQ(formats_in(R"({"quant_method": "awq", "bits": 4, "group_size": 64})"), linear("int4-g64-zeros", "bf16"));
    EXPECT_EQ(formats_in(R"({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights":
                             {"num_bits": 4, "type": "int", "group_size": 128, "symmetric": true}}}})"),
              linear("int4-g128", "bf16"));
    EXPECT_EQ(formats_in(R"({"quant_algo": "NVFP4"})"), linear("nvfp4", "bf16"));
}

TEST(StoredFormats, WhatIsUnknownLeavesTheNumbersOfTheRest) {
    EXPECT_EQ(formats_in(R"({"quant_method": "quip"})", "float16"), "fp16");
    EXPECT_EQ(formats_in("7"), "bf16");
    EXPECT_FALSE(stored_formats(Carried()));
}

TEST(StoredFormats, AGgufFileSaysItsRecipe) {
    Checkpoint file;
    file.format = "GGUF v3";
    file.metadata = {{"general.file_type", 15}};
    EXPECT_EQ(stored_formats(file), Formats(Recipe::q4_k_m));
    file.metadata["general.file_type"] = 1;
    const Formats plain = stored_formats(file).value_or(Precision::bf16);
    EXPECT_EQ(plain.of(WeightKind::attention), Precision::fp16);
    EXPECT_EQ(plain.of(WeightKind::norm), Precision::fp32) << "vectors";
    file.metadata["general.file_type"] = 99;
    EXPECT_FALSE(stored_formats(file));
}

TEST(StoredFormats, WhereAFileSaysNothingItsMatricesDo) {
    const auto tensor = [](std::string_view type, std::vector<std::int64_t> shape, std::int64_t bytes) {
        return CheckpointTensor{.name = "x", .shape = std::move(shape), .type = {type, 1, 1}, .bytes = bytes};
    };
    Checkpoint file;
    file.format = "GGUF v3";
    file.metadata = nlohmann::json::object();
    EXPECT_FALSE(stored_formats(file));
    file.tensors = {tensor("F32", {64}, 9000), tensor("Q6_K", {8, 8}, 100), tensor("Q4_K", {8, 8}, 300)};
    EXPECT_EQ(formats_text(*stored_formats(file)), "router=fp32,norm=fp32,rest=q4_k");
    file.format = "safetensors";
    file.tensors = {tensor("I8", {8, 8}, 300), tensor("F16", {8, 8}, 100), tensor("I32", {8, 8}, 900)};
    EXPECT_EQ(formats_text(*formats_of_matrices(file)), "layers=int8,rest=fp16");
    file.tensors = {tensor("I32", {8, 8}, 900)};
    EXPECT_FALSE(formats_of_matrices(file)) << "packed";
}

}  // namespace
}  // namespace headcount
