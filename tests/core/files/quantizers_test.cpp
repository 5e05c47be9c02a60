// What quantizers write beside a matrix's numbers, against files of their own (golden/restored.json), and by the
// definition of each format.
#include "core/files/quantizers.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/base/checked.hpp"
#include "core/files/stored_formats.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using P = Precision;

std::string said(const std::string& config, const Precision& whole = P::bf16) {
    const std::optional<Quantizing> found = quantizing_in(json::parse(config), whole);
    if (!found) return "nothing";
    if (!found->rules.empty() && found->rules.back().stored) return precision_text(*found->rules.back().stored);
    return precision_text(std::as_const(found->kinds).of(WeightKind::experts));
}

// A group of compressed-tensors.
std::string packed(const std::string& format, const std::string& weights) {
    return R"({"quant_method": "compressed-tensors", "format": ")" + format +
           R"(", "config_groups": {"group_0": {"targets": ["Linear"], "weights": {)" + weights + "}}}}";
}

struct Written {
    std::string config;
    std::int64_t besides = 0;  // bytes that the format says, and that case of the golden file has not
};

// By the golden file's kinds, of matrices whose numbers were in 32 bits.
std::map<std::string, Written> written() {
    return {
        {"gptq-4-shuffled", {R"({"quant_method": "gptq", "bits": 4, "group_size": 32})"}},
        {"awq", {R"({"quant_method": "awq", "bits": 4, "group_size": 32})"}},
        {"pack-quantized-4-group", {packed("pack-quantized", R"("num_bits": 4, "type": "int", "group_size": 32)")}},
        {"pack-quantized-4-group-zeros",
         {packed("pack-quantized", R"("num_bits": 4, "type": "int", "group_size": 32, "symmetric": false)")}},
        {"pack-quantized-8-channel",
         {packed("pack-quantized", R"("num_bits": 8, "type": "int", "strategy": "channel")")}},
        {"int-quantized-8-channel",
         {packed("int-quantized", R"("num_bits": 8, "type": "int", "strategy": "channel")")}},
        {"float-quantized-8-channel",
         {packed("float-quantized", R"("num_bits": 8, "type": "float", "strategy": "channel")")}},
        {"float-quantized-8-tensor",
         {packed("float-quantized", R"("num_bits": 8, "type": "float", "strategy": "tensor")")}},
        {"nvfp4-pack-quantized-4-tensor_group",
         {packed("nvfp4-pack-quantized", R"("num_bits": 4, "type": "float", "group_size": 16)")}},
        {"mxfp4-pack-quantized-4-group",
         {packed("mxfp4-pack-quantized", R"("num_bits": 4, "type": "float", "group_size": 32)")}},
        {"fp8-tiles", {R"({"quant_method": "fp8", "weight_block_size": [16, 16]})"}},
        {"nvfp4-modelopt", {R"({"quant_method": "modelopt", "quant_algo": "W4A16_NVFP4"})"}},
        {"nf4", {R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})"}},
        // The mean of the scales stands in its line of JSON.
        {"nf4-nested",
         {R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_use_double_quant": true})", 4}},
        // "weight_format", a byte.
        {"int8-bitsandbytes", {R"({"quant_method": "bitsandbytes", "load_in_8bit": true})", 1}},
    };
}

TEST(Quantizers, AMatrixTakesTheBytesOfItsTensorsInAFile) {
    const std::map<std::string, Written> known = written();
    std::size_t compared = 0;
    for (const json& golden : testing_data::read_json_file(testing_data::golden_folder() / "restored.json")) {
        const auto found = known.find(golden["kind"]);
        if (found == known.end()) continue;
        std::int64_t file = 0;
        for (const auto& [name, tensor] : golden["tensors"].items())
            if (name.find("quant_state") == std::string::npos)  // a line of JSON, of no fixed length
                file += std::ssize(tensor["bytes"].get<std::string>()) / 2;
        const std::optional<Quantizing> quantizing = quantizing_in(json::parse(found->second.config), P::fp32);
        ASSERT_TRUE(quantizing) << found->first;
        const std::optional<Precision> format = quantizing->rules.empty()
                                                    ? std::as_const(quantizing->kinds).of(WeightKind::attention)
                                                    : quantizing->rules.back().stored;
        ASSERT_TRUE(format) << found->first;
        const std::int64_t rows = golden["shape"][0], columns = golden["shape"][1];
        const Result<std::int64_t> bytes = evaluate(bytes_formula(columns, rows, *format), {});
        ASSERT_TRUE(bytes) << found->first;
        EXPECT_EQ(*bytes, file + found->second.besides) << found->first << ' ' << precision_text(*format);
        ++compared;
    }
    EXPECT_EQ(compared, known.size());
}

TEST(Quantizers, WhatEachWritesFollowsFromItsConfiguration) {
    const std::pair<const char*, const char*> cases[] = {
        // AutoGPTQ, qlinear_cuda.py: qweight (in · bits/32, out), qzeros (in/g, out · bits/32), scales, g_idx (in).
        {R"({"quant_method": "gptq", "bits": 3, "group_size": 128})", "int3:19/128:32/column"},
        {R"({"quant_method": "gptq", "bits": 8, "group_size": -1})", "int8:24/row:32/column"},
        {R"({"quant_method": "gptq", "bits": 2, "group_size": 64})", "int2:18/64:32/column"},
        {R"({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true})", "int4-g128-zeros"},
        // AutoFP8: a scale of the matrix, and with static scales one of what it reads.
        {R"({"quant_method": "fp8", "activation_scheme": "dynamic"})", "fp8:32/tensor"},
        {R"({"quant_method": "fp8", "activation_scheme": "static"})", "fp8:64/tensor"},
        // transformers, integrations/fbgemm_fp8.py, eetq.py, bitnet.py.
        {R"({"quant_method": "fbgemm_fp8"})", "fp8:32/row"},
        {R"({"quant_method": "eetq", "weights": "int8"})", "int8:16/row"},
        {R"({"quant_method": "bitnet"})", "int2:16/tensor"},
        // hqq/core/quantize.py: scale and zero of each group as activations are computed.
        {R"({"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4, "group_size": 64}}})",
         "int4:32/64"},
        {R"({"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 8, "group_size": 128}}})",
         "int8:32/128"},
        {R"({"quant_method": "torchao", "quant_type": "int4_weight_only"})", "int4:32/128"},
        {R"({"quant_method": "torchao", "quant_type": "int4_weight_only", "quant_type_kwargs": {"group_size": 32}})",
         "int4:32/32"},
        {R"({"quant_method": "torchao", "quant_type": {"default": {"_type": "Float8WeightOnlyConfig", "_data": {}}}})",
         "fp8:32/row"},
        {R"({"quant_method": "torchao", "quant_type": "int8_weight_only"})", "int8:16/row"},
        {R"({"quant_method": "quanto", "weights": "int8"})", "int8:16/row"},
        {R"({"quant_method": "quanto", "weights": "int4"})", "int4:32/128"},
        {R"({"quant_method": "quanto", "weights": "float8"})", "fp8:16/row"},
        // Egiazarian et al. 2024: 1 × 16 has 2 bits and 2^16 · 8 numbers of 16 bits; 2 × 8 has 2 · 2^8 · 8.
        {R"({"quant_method": "aqlm", "in_group_size": 8, "nbits_per_codebook": 16, "num_codebooks": 1})",
         "int2:16/row:8388608/tensor"},
        {R"({"quant_method": "aqlm", "in_group_size": 8, "nbits_per_codebook": 8, "num_codebooks": 2})",
         "int2:16/row:65536/tensor"},
        {R"({"quant_method": "modelopt", "quant_algo": "FP8"})", "fp8:64/tensor"},
        {R"({"quant_algo": "NVFP4", "group_size": 16})", "nvfp4:8/16:64/tensor"},
    };
    for (const auto& [config, text] : cases) EXPECT_EQ(said(config), text) << config;
    EXPECT_EQ(said(packed("float-quantized", R"("num_bits": 8, "type": "float", "strategy": "block",
                                               "block_structure": [128, 128])")),
              "fp8:16/128x128");
    EXPECT_EQ(said(packed("pack-quantized", R"("num_bits": 4, "type": "int", "strategy": "group", "group_size": 128,
                                              "actorder": "group")")),
              "int4:16/128:32/column:128/tensor");
}

TEST(Quantizers, OfWhatIsNotKnownTheBitsAreAbout) {
    const auto about = [](const std::string& config) { return quantizing_in(json::parse(config), P::bf16); };
    EXPECT_EQ(said(R"({"quant_method": "exl2", "bits": 4.25})"), "int4:64/256");
    EXPECT_EQ(about(R"({"quant_method": "exl2", "bits": 4.25})")->rough,
              "of how \"exl2\" stores weights no more than the bits is known");
    EXPECT_FALSE(about(R"({"quant_method": "quip"})"));
    EXPECT_FALSE(
        about(R"({"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 3}}})")->rough.empty());
    EXPECT_FALSE(about(packed("marlin-24", R"("num_bits": 4, "type": "int", "group_size": 128)"))->rough.empty());
    EXPECT_FALSE(about(R"({"quant_method": "modelopt", "quant_algo": "W4A8_AWQ"})")->rough.empty());
    EXPECT_TRUE(about(R"({"quant_method": "modelopt", "quant_algo": "FP8"})")->rough.empty());
    EXPECT_EQ(about(R"({"quant_method": "gptq", "bits": 4, "group_size": "channel"})")->rough,
              "the group_size \"channel\" of quantization_config is not known");
    for (const char* size : {"-5", "-2", "0"})
        EXPECT_EQ(about(R"({"quant_method": "gptq", "bits": 4, "group_size": )" + std::string(size) + "}")->rough,
                  "the group_size " + std::string(size) + " of quantization_config is not known");
    EXPECT_EQ(about(R"({"quant_method": "gptq", "bits": 4, "group_size": -1})")->rough, "");
    EXPECT_FALSE(about(R"({"quant_method": "compressed-tensors", "config_groups": {}})")->rough.empty());
    EXPECT_TRUE(about(R"({"quant_method": "gptq", "bits": 4, "group_size": 64})")->rough.empty());
    EXPECT_FALSE(about(packed("pack-quantized", R"("num_bits": 4, "type": "int", "group_size": 64.5)"))->rough.empty());
}

TEST(Quantizers, TheCacheIsAsTheFileSays) {
    const auto cache = [](const std::string& config) {
        const std::optional<Precision> found = cache_in(json::parse(config));
        return found ? precision_text(*found) : "nothing";
    };
    EXPECT_EQ(cache(R"({"kv_cache_scheme": {"num_bits": 8, "type": "float", "dynamic": false}})"), "fp8");
    EXPECT_EQ(cache(R"({"kv_cache_quant_algo": "FP8"})"), "fp8");
    EXPECT_EQ(cache(R"({"kv_cache_quant_algo": "NVFP4"})"), "nvfp4:8/16");
    EXPECT_EQ(cache(R"({"kv_cache_scheme": {"num_bits": 8, "type": "int"}})"), "int8");
    EXPECT_EQ(cache(R"({"kv_cache_scheme": null, "kv_cache_quant_algo": null})"), "nothing");
}

TEST(Quantizers, SayWhatLiesBesideMatricesAndIsNotCounted) {
    const auto noted = [](const std::string& quantization) {
        Architecture arch = testing_data::preset("llama-3-8b");
        json said = arch.carried.object();
        said["quantization_config"] = json::parse(quantization);
        arch.carried = carried_from(said);
        for (const std::string& note : notes_on(stored_formats(arch)))
            if (note.starts_with("Not counted")) return note;
        return std::string();
    };
    EXPECT_NE(noted(R"({"quant_method": "bitsandbytes", "load_in_4bit": true})").find("JSON"), std::string::npos);
    EXPECT_EQ(noted(R"({"quant_method": "bitsandbytes", "load_in_8bit": true})"), "");
    EXPECT_NE(noted(R"({"quant_method": "torchao", "quant_type": "int8_weight_only"})").find("8 bytes for each row"),
              std::string::npos);
    EXPECT_EQ(noted(R"({"quant_method": "torchao", "quant_type": "int4_weight_only"})"), "");
    EXPECT_EQ(noted(R"({"quant_method": "gptq", "bits": 4, "group_size": 128})"), "");
}

TEST(Quantizers, BrokenConfigurationsAreNoneOrAbout) {
    for (
        const char* config :
        {R"({"quant_method": 7})", R"({"quant_method": "gptq", "bits": "four", "group_size": {}})",
         R"({"quant_method": "fp8", "weight_block_size": [0, "x", 3]})",
         R"({"quant_method": "aqlm", "in_group_size": 0})",
         R"({"quant_method": "aqlm", "nbits_per_codebook": 64, "num_codebooks": 1000000000})",
         R"({"quant_method": "gptq", "bits": 4, "group_size": 9223372036854775807})",
         R"({"quant_method": "torchao", "quant_type": [1]})", R"({"quant_method": "hqq", "quant_config": 3})",
         R"({"quant_method": "compressed-tensors", "config_groups": [1, 2]})",
         R"({"quant_method": "compressed-tensors", "config_groups": {"a": 3, "b": {"weights": {"num_bits": "x"}}}})",
         R"({"quant_method": "gptq", "dynamic": {"-:(": 1, "+:x": {"bits": 99}}, "modules_in_block_to_quantize": [3]})",
         R"({"quant_method": "modelopt", "quantized_layers": {"a": 3}})", R"({"bits": 1e300})"})
        EXPECT_NO_THROW(quantizing_in(json::parse(config), P::bf16)) << config;
}

}  // namespace
}  // namespace headcount
