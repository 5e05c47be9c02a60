// In which formats files say that their weights are.
#include "core/files/stored_formats.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "core/analysis/checkpoint_names.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/arch/validate.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::preset;

// A preset whose file says this of quantization.
Architecture quantized(std::string_view id, const std::string& quantization, const std::string& dtype = "bfloat16") {
    Architecture arch = preset(id);
    json said = arch.carried.object();
    said["dtype"] = dtype;
    said["quantization_config"] = json::parse(quantization);
    arch.carried = carried_from(said);
    return arch;
}

std::string formats_in(std::string_view id, const std::string& quantization, const std::string& dtype = "bfloat16") {
    const StoredFormats stored = stored_formats(quantized(id, quantization, dtype));
    return stored.weights ? formats_text(*stored.weights) : "nothing";
}

std::int64_t bytes_of(const Architecture& arch) {
    const StoredFormats stored = stored_formats(arch);
    const Result<CountedModel> model = count_model(arch, {.tokens = 1, .precision = *stored.weights});
    EXPECT_TRUE(model);
    return model ? weight_bytes(*model).value_or(0) : 0;
}

struct Matrix {
    std::string_view module;
    std::int64_t in, out;
};
using Bytes = std::function<std::int64_t(const Matrix& matrix, std::int64_t layer)>;

std::int64_t plain(const Matrix& matrix) { return 2 * matrix.in * matrix.out; }

// The bytes of the headers of a checkpoint of Llama 3 8B, matrix by matrix; table, head and norms have 16 bits.
std::int64_t llama(const Bytes& bytes, std::int64_t head = 2 * 128'256LL * 4096) {
    const Matrix matrices[] = {{"self_attn.q_proj", 4096, 4096}, {"self_attn.k_proj", 4096, 1024},
                               {"self_attn.v_proj", 4096, 1024}, {"self_attn.o_proj", 4096, 4096},
                               {"mlp.gate_proj", 4096, 14'336},  {"mlp.up_proj", 4096, 14'336},
                               {"mlp.down_proj", 14'336, 4096}};
    std::int64_t all = 2 * (128'256LL * 4096 + 65 * 4096) + head;
    for (std::int64_t layer = 0; layer < 32; ++layer)
        for (const Matrix& each : matrices) all += bytes(each, layer);
    return all;
}

std::int64_t gptq4(const Matrix& matrix) {
    const auto& [module, in, out] = matrix;
    return in * out / 2 + in / 128 * out * 2 + in / 128 * out / 2 + 4 * in;
}

TEST(StoredFormats, AFileTakesTheBytesOfItsHeaders) {
    const auto is = [](const char* quantization, const std::function<std::int64_t(const Matrix&)>& bytes) {
        EXPECT_EQ(bytes_of(quantized("llama-3-8b", quantization)),
                  llama([&](const Matrix& matrix, std::int64_t) { return bytes(matrix); }))
            << quantization;
    };
    is(R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": false})", gptq4);
    // 3 bits: 32 numbers in three words.
    is(R"({"quant_method": "gptq", "bits": 3, "group_size": 128})", [](const Matrix& m) {
        return 4 * (m.in / 32 * 3 * m.out + m.in / 128 * (m.out / 32 * 3) + m.in) + 2 * m.in / 128 * m.out;
    });
    is(R"({"quant_method": "awq", "bits": 4, "group_size": 128, "modules_to_not_convert": null})",
       [](const Matrix& m) { return 4 * (m.in * (m.out / 8) + m.in / 128 * (m.out / 8)) + 2 * m.in / 128 * m.out; });
    // RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16, w8a8, -FP8-dynamic, as llm-compressor writes them.
    is(R"({"quant_method": "compressed-tensors", "format": "pack-quantized", "ignore": ["lm_head"],
           "config_groups": {"group_0": {"targets": ["Linear"], "input_activations": null, "weights": {"num_bits": 4,
           "type": "int", "strategy": "group", "group_size": 128, "symmetric": true, "actorder": "weight"}}}})",
       [](const Matrix& m) { return m.in * m.out / 2 + 2 * m.in / 128 * m.out + 16; });
    is(R"({"quant_method": "compressed-tensors", "format": "int-quantized", "ignore": ["lm_head"],
           "config_groups": {"group_0": {"targets": ["Linear"], "input_activations": {"num_bits": 8, "dynamic": true},
           "weights": {"num_bits": 8, "type": "int", "strategy": "channel"}}}})",
       [](const Matrix& m) { return m.in * m.out + 2 * m.out; });
    is(R"({"quant_method": "compressed-tensors", "format": "float-quantized", "ignore": ["re:.*lm_head"],
           "config_groups": {"group_0": {"targets": ["Linear"], "input_activations": {"num_bits": 8, "dynamic": false},
           "weights": {"num_bits": 8, "type": "float", "strategy": "tensor"}}}})",
       [](const Matrix& m) { return m.in * m.out + 2 + 2; });
    // nvidia/Llama-3.1-8B-Instruct-NVFP4 and -FP8, whose keys' and values' scales stand beside k_proj and v_proj.
    is(R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["lm_head"]})",
       [](const Matrix& m) { return m.in * m.out / 2 + m.in / 16 * m.out + 4 + 4; });
    is(R"({"quant_method": "modelopt", "quant_algo": "FP8", "kv_cache_quant_algo": "FP8", "ignore": ["lm_head"]})",
       [](const Matrix& m) { return m.in * m.out + 4 + 4 + (m.out == 1024 ? 4 : 0); });
    // bitsandbytes' nested nf4: absmax, nested_absmax, its mean, and two tables.
    is(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_use_double_quant": true,
           "llm_int8_skip_modules": ["lm_head"]})",
       [](const Matrix& m) {
           const std::int64_t all = m.in * m.out;
           return all / 2 + all / 64 + 4 * (all / 64 / 256) + 4 + 4 * (16 + 256);
       });
}

TEST(StoredFormats, ModulesThatAreSkippedAreAsTheyWere) {
    const auto is = [](const std::string& quantization, const std::string& skipped, const Bytes& bytes) {
        const std::string all = R"({"quant_method": ")" + quantization + R"(", )" + skipped + "}";
        EXPECT_EQ(bytes_of(quantized("llama-3-8b", all)), llama(bytes)) << all;
    };
    const auto q8 = [](const Matrix& m) { return m.in * m.out + 4 * m.out + 1; };
    is("bitsandbytes", R"("load_in_8bit": true, "llm_int8_skip_modules": ["lm_head", "model.layers.0.mlp", "o_proj"])",
       [&](const Matrix& m, std::int64_t layer) {
           const bool skipped = m.module == "self_attn.o_proj" || (layer == 0 && m.module.starts_with("mlp"));
           return skipped ? plain(m) : q8(m);
       });
    const auto tiles = [](const Matrix& m) { return m.in * m.out + m.in / 128 * (m.out / 128) * 4; };
    is("fp8", R"("weight_block_size": [128, 128], "modules_to_not_convert": ["model.layers.*.self_attn", "layers.31"])",
       [&](const Matrix& m, std::int64_t layer) {
           return layer == 31 || m.module.starts_with("self_attn") ? plain(m) : tiles(m);
       });
    is("gptq",
       R"("bits": 4, "group_size": 128, "dynamic": {"-:.*self_attn.*": {}, "+:.*\\.(3|30)\\.mlp.*": {"bits": 8}})",
       [&](const Matrix& m, std::int64_t layer) {
           if (m.module.starts_with("self_attn")) return plain(m);
           return layer == 3 || layer == 30 ? m.in * m.out + m.in / 128 * m.out * 3 + 4 * m.in : gptq4(m);
       });
    is("gptq", R"("bits": 4, "group_size": 128, "modules_in_block_to_quantize": [["mlp.up_proj"], ["mlp.down_proj"]])",
       [&](const Matrix& m, std::int64_t) {
           return m.module == "mlp.up_proj" || m.module == "mlp.down_proj" ? gptq4(m) : plain(m);
       });
    is("compressed-tensors", R"("format": "mixed-precision", "ignore": ["lm_head", "model.layers.1.mlp.down_proj"],
       "config_groups": {
         "group_0": {"targets": ["re:.*mlp.*"],
                     "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128}},
         "group_1": {"format": "float-quantized", "targets": ["Linear"],
                     "weights": {"num_bits": 8, "type": "float", "strategy": "channel"}}})",
       [&](const Matrix& m, std::int64_t layer) {
           if (layer == 1 && m.module == "mlp.down_proj") return plain(m);
           return m.module.starts_with("mlp") ? m.in * m.out / 2 + 2 * m.in / 128 * m.out + 16
                                              : m.in * m.out + 2 * m.out;
       });
    is("modelopt",
       R"("quant_algo": "NVFP4", "group_size": 16, "exclude_modules": ["lm_head", "model.layers.0.self_attn*",
                                                                                "model.layers.2.self_attn.q_proj"])",
       [&](const Matrix& m, std::int64_t layer) {
           const bool skipped =
               (layer == 0 && m.module.starts_with("self_attn")) || (layer == 2 && m.module == "self_attn.q_proj");
           return skipped ? plain(m) : m.in * m.out / 2 + m.in / 16 * m.out + 8;
       });
}

TEST(StoredFormats, AnOutputHeadMayBeQuantizedToo) {
    const Matrix head{"lm_head", 4096, 128'256};
    const auto all = [](const Matrix& matrix, std::int64_t) { return gptq4(matrix); };
    EXPECT_EQ(
        bytes_of(quantized("llama-3-8b", R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "lm_head": true})")),
        llama(all, gptq4(head)));
    // A target of all linear layers that ignores none.
    const auto rows = [](const Matrix& m) { return m.in * m.out + 2 * m.out; };
    EXPECT_EQ(bytes_of(quantized("llama-3-8b", R"({"quant_method": "compressed-tensors", "format": "int-quantized",
                                 "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 8,
                                 "type": "int", "strategy": "channel"}}}})")),
              llama([&](const Matrix& m, std::int64_t) { return rows(m); }, rows(head)));
}

TEST(StoredFormats, AMixturesFileTakesTheBytesOfItsHeaders) {
    // Qwen/Qwen3-30B-A3B-FP8, whose list has the head, each layer's norms and its router.
    json skipped = {"lm_head"};
    for (int layer = 0; layer < 48; ++layer) {
        const std::string here = "model.layers." + std::to_string(layer);
        for (const char* each : {".input_layernorm", ".mlp.gate", ".post_attention_layernorm"})
            skipped.push_back(here + each);
    }
    const Architecture arch = quantized("qwen3-30b-a3b", json{{"quant_method", "fp8"},
                                                              {"fmt", "e4m3"},
                                                              {"weight_block_size", {128, 128}},
                                                              {"modules_to_not_convert", skipped}}
                                                             .dump());
    const auto tiles = [](std::int64_t in, std::int64_t out) { return in * out + in / 128 * (out / 128) * 4; };
    const std::int64_t attention = tiles(2048, 4096) + 2 * tiles(2048, 512) + tiles(4096, 2048) + 2 * 2 * 128,
                       expert = 2 * tiles(2048, 768) + tiles(768, 2048);
    EXPECT_EQ(bytes_of(arch),
              2 * (2 * 151'936LL * 2048 + 2048) + 48 * (attention + 128 * expert + 2 * 128 * 2048 + 2 * 2 * 2048));
    EXPECT_EQ(formats_text(*stored_formats(arch).weights), "layers=fp8-128x128,rest=bf16");
}

TEST(StoredFormats, DeepSeekV3sFileTakesTheBytesOfItsHeaders) {
    // deepseek-ai/DeepSeek-V3: 688,586,727,753 bytes of weight files, with a layer more that predicts a further token:
    // of experts, with a projection of two streams, three norms, a table and a head in 16 bits. What is added to
    // routers' scores is no parameter. Headers are the rest, of 91,991 tensors.
    const Architecture arch = preset("deepseek-v3");
    const auto tiles = [](std::int64_t in, std::int64_t out) {
        return in * out + (in + 127) / 128 * ((out + 127) / 128) * 4;
    };
    const std::int64_t norms = 2 * (2 * 7168 + 1536 + 512);
    const std::int64_t attention =
        tiles(7168, 1536) + tiles(1536, 24'576) + tiles(7168, 576) + tiles(512, 32'768) + tiles(16'384, 7168) + norms;
    const std::int64_t expert = 2 * tiles(7168, 2048) + tiles(2048, 7168);
    const std::int64_t mixture = 257 * expert + 2 * 256 * 7168, ends = 2 * 2 * 129'280LL * 7168;
    const std::int64_t dense = 2 * tiles(7168, 18'432) + tiles(18'432, 7168);
    EXPECT_EQ(bytes_of(arch), ends + 2 * 7168 + 61 * attention + 58 * mixture + 3 * dense);
    const std::int64_t further = attention + mixture + ends + 2 * (2 * 7168LL * 7168 + 3 * 7168);
    const std::int64_t headers = 688'586'727'753 - bytes_of(arch) - further;
    EXPECT_GT(headers, 91'991 * 90);
    EXPECT_LT(headers, 91'991 * 150);
}

TEST(StoredFormats, OfWhichMatricesAMethodIsFollowsFromIt) {
    EXPECT_EQ(formats_in("gpt-oss-20b", R"({"quant_method": "mxfp4"})"), "experts=mxfp4,rest=bf16");
    EXPECT_EQ(formats_in("llama-3-8b", R"({"quant_method": "awq", "bits": 4, "group_size": 64})", "float16"),
              "layers=int4-g64-zeros,rest=fp16");
    EXPECT_EQ(formats_in("llama-3-8b", R"({"quant_method": "awq", "modules_to_not_convert": ["mlp", "lm_head"]})"),
              "attention=int4-g128-zeros,rest=bf16");
    EXPECT_EQ(
        formats_in("llama-3-8b", R"({"quant_method": "awq", "modules_to_not_convert": ["layers.0.mlp.up_proj"]})"),
        "layers=int4-g128-zeros,model.layers.[0].mlp.up_proj.weight=bf16,rest=bf16");
    EXPECT_EQ(formats_in("llama-3-8b", R"({"quant_method": "fp8", "weight_block_size": [128, 128],
                                          "modules_to_not_convert": ["model.language_model.layers.5.mlp"]})"),
              "layers=fp8-128x128,model.layers.[5].mlp.down_proj.weight=bf16,"
              "model.layers.[5].mlp.gate_proj.weight=bf16,model.layers.[5].mlp.up_proj.weight=bf16,rest=bf16")
        << "as a file of several modes says it";
}

TEST(StoredFormats, WhatIsUnknownLeavesTheNumbersOfTheRestAndADoubt) {
    EXPECT_EQ(formats_in("llama-3-8b", R"({"quant_method": "quip"})", "float16"), "fp16");
    const auto doubt = [](const std::string& quantization) {
        return stored_formats(quantized("llama-3-8b", quantization)).doubt;
    };
    EXPECT_EQ(doubt(R"({"quant_method": "quip"})"), "how quantization_config stores weights (quip) is not known");
    EXPECT_EQ(doubt(R"({"quant_method": "exl2", "bits": 4.25})"),
              "of how \"exl2\" stores weights no more than the bits is known");
    EXPECT_EQ(doubt(R"({"quant_method": "compressed-tensors", "ignore": ["re:(lm_head"], "config_groups": {}})"),
              "the expression \"(lm_head\" of quantization_config cannot be read");
    EXPECT_EQ(doubt(R"json({"quant_method": "compressed-tensors", "ignore": ["re:((\\w+)*\\.?)*(?<=!)"],
                            "config_groups": {}})json"),
              "the expression \"((\\w+)*\\.?)*(?<=!)\" of quantization_config cannot be read")
        << "it tries too many ways";
    EXPECT_EQ(doubt(R"({"quant_method": "awq"})"), "");
    EXPECT_EQ(formats_in("llama-3-8b", "7"), "bf16");
    EXPECT_FALSE(quantized_formats(preset("llama-3-8b")));
    EXPECT_FALSE(quantized_formats(quantized("llama-3-8b", R"({"quant_method": "quip"})")));
    // Of a layer's experts one alone is skipped.
    EXPECT_EQ(stored_formats(quantized("qwen3-30b-a3b", R"({"quant_method": "awq",
                  "modules_to_not_convert": ["model.layers.3.mlp.experts.0.up_proj"]})"))
                  .doubt,
              "some of a layer's experts are stored otherwise than its first");
}

// A GGUF file of a small Llama, its matrices of these types, by layer.
Checkpoint gguf_of(const Architecture& arch, std::int64_t file_type,
                   const std::function<std::string_view(const std::string& name)>& type_of) {
    Checkpoint file;
    file.format = "GGUF v3";
    file.metadata = {{"general.architecture", "llama"}, {"general.file_type", file_type}};
    const auto put = [&](const std::string& name, std::vector<std::int64_t> shape) {
        const std::string_view type = shape.size() == 1 ? "F32" : type_of(name);
        file.tensors.push_back({.name = name, .shape = std::move(shape), .type = {type, 1, 1}});
    };
    const std::int64_t dim = arch.dim, ffn = 14'336;
    put("token_embd.weight", {arch.vocab, dim});
    for (std::int64_t layer = 0; layer < arch.layers; ++layer) {
        const std::string blk = "blk." + std::to_string(layer) + ".";
        put(blk + "attn_norm.weight", {dim});
        put(blk + "ffn_norm.weight", {dim});
        for (const char* each : {"attn_q", "attn_output"}) put(blk + each + ".weight", {dim, dim});
        for (const char* each : {"attn_k", "attn_v"}) put(blk + each + ".weight", {1024, dim});
        for (const char* each : {"ffn_gate", "ffn_up"}) put(blk + each + ".weight", {ffn, dim});
        put(blk + "ffn_down.weight", {dim, ffn});
    }
    put("output_norm.weight", {dim});
    put("output.weight", {arch.vocab, dim});
    return file;
}

TEST(StoredFormats, AGgufFileIsAsItsTensorsAre) {
    const Architecture arch = preset("llama-3-8b");
    const auto said = [&](std::int64_t file_type, const auto& type_of) {
        return formats_text(*stored_formats(gguf_of(arch, file_type, type_of), arch).weights);
    };
    const auto plain = [](const std::string&) -> std::string_view { return "F16"; };
    EXPECT_EQ(said(1, plain), "norm=fp32,rest=fp16");
    // A recipe of more kinds of types than it says: dynamic quants.
    const auto own = [](const std::string& name) -> std::string_view {
        if (name == "output.weight" || name == "blk.3.ffn_down.weight" || name == "blk.4.ffn_down.weight")
            return "Q6_K";
        return name.ends_with("attn_v.weight") ? "Q8_0" : "Q4_K";
    };
    EXPECT_EQ(said(15, own),
              "output=q6_k,model.layers.[3-4].mlp.down_proj.weight=q6_k,"
              "model.layers.{i}.self_attn.v_proj.weight=q8_0,rest=q4_k");
    // As llama-quantize itself has it, whose name says it all: of 32 layers values and down projections of the first
    // four, the last four and each third between have six bits.
    const auto recipe = [](const std::string& name) -> std::string_view {
        if (name == "output.weight") return "Q6_K";
        if (!name.ends_with("attn_v.weight") && !name.ends_with("ffn_down.weight")) return "Q4_K";
        const int layer = std::stoi(name.substr(4));
        return layer < 4 || layer >= 28 || (layer - 4) % 3 == 2 ? "Q6_K" : "Q4_K";
    };
    EXPECT_EQ(said(15, recipe), "q4_k_m");
    // Two that say the same: without an importance matrix the first four down projections have five bits.
    const auto of_four_bits = [](const std::string& name) -> std::string_view {
        return name == "output.weight" ? "Q6_K" : name.ends_with("attn_v.weight") ? "Q5_K" : "IQ4_XS";
    };
    EXPECT_EQ(said(30, of_four_bits), "iq4_xs_imatrix");
    const auto of_more = [&](const std::string& name) -> std::string_view {
        return name.ends_with("ffn_down.weight") && std::stoi(name.substr(4)) < 4 ? "Q5_K" : of_four_bits(name);
    };
    EXPECT_EQ(said(30, of_more), "iq4_xs");
    // Where a tensor is missing, the recipe that the file says, or else what most are.
    Checkpoint part = gguf_of(arch, 15, own);
    part.tensors.resize(2);
    EXPECT_EQ(formats_text(*stored_formats(part, arch).weights), "q4_k_m");
}

TEST(StoredFormats, ASafetensorsFileIsAsItsTensorsAre) {
    const Architecture arch = preset("llama-3-8b");
    Checkpoint file;
    file.format = "safetensors";
    const ModelGraph graph = expand(arch);
    const Result<Parameters> parameters = count_parameters(graph, bindings(arch, {}));
    for_each_tensor(arch, graph, *parameters, std::nullopt, [&](const ParameterRow& row, const TensorPlace& place) {
        const std::string name = name_at(graph.stored[row.stored].name, place);
        const bool wide = name == "lm_head.weight" || name == "model.layers.7.self_attn.o_proj.weight";
        file.tensors.push_back({.name = name, .shape = row.shape, .type = {wide ? "F32" : "F16", 1, wide ? 4 : 2}});
        return true;
    });
    EXPECT_EQ(formats_text(*stored_formats(file, arch).weights),
              "output=fp32,model.layers.[7].self_attn.o_proj.weight=fp32,rest=fp16");
}

TEST(StoredFormats, ScalesOfTilesHaveTheBitsThatTheWeightsSay) {
    // Qwen's fp8 files have them in 16 bits, DeepSeek-V3's in 32.
    const Architecture arch = quantized("llama-3-8b", R"({"quant_method": "fp8", "weight_block_size": [128, 128],
                                                         "scale_fmt": "ue8m0"})");
    EXPECT_EQ(stored_formats(arch).doubt, "scales of ue8m0 take a byte or four");
    Checkpoint file;
    file.format = "safetensors";
    for (const auto& [type, bytes, text] : {std::tuple("BF16", 2, "layers=fp8:16/128x128,rest=bf16"),
                                            {"F8_E8M0", 1, "layers=fp8:8/128x128,rest=bf16"},
                                            {"F32", 4, "layers=fp8-128x128,rest=bf16"}}) {
        file.tensors = {{.name = "model.layers.0.mlp.up_proj.weight_scale_inv", .type = {type, 1, bytes}}};
        EXPECT_EQ(formats_text(*stored_formats(file, arch).weights), text);
        EXPECT_EQ(stored_formats(file, arch).doubt, "");
        EXPECT_TRUE(notes_on(stored_formats(file, arch)).empty()) << "nothing is about any more";
    }
    EXPECT_EQ(notes_on(stored_formats(arch)).size(), 1U);
}

TEST(StoredFormats, OfSoManyLayersOrRulesInNoOrderAreADoubt) {
    const std::string fp8 = R"({"quant_method": "fp8", "modules_to_not_convert": ["model.layers.0"]})";
    Architecture arch = quantized("llama-3-8b", fp8);
    arch.layers = 1'000'000'000'000;
    EXPECT_EQ(stored_formats(arch).doubt, "its layers cannot be listed");
    const Formats first = *parse_formats("model.layers.[0-2].mlp.up_proj.weight=bf16,rest=fp8", "");
    EXPECT_EQ(validate(arch, {.tokens = 1, .precision = first}).front().where, "dtype");
    const auto doubt = [](const std::string& dynamic) {
        return stored_formats(
                   quantized("llama-3-8b", R"({"quant_method": "gptq", "bits": 4, "dynamic": )" + dynamic + "}"))
            .doubt;
    };
    EXPECT_EQ(doubt(R"({"-:.*down.*": {}, "-:.*up.*": {}})"), "") << "whichever comes first";
    EXPECT_EQ(doubt(R"({"+:.*mlp.*": {"bits": 8}, "-:.*up.*": {}})"),
              "which of dynamic's rules comes first is not known");
}

TEST(StoredFormats, ACacheInAnUnknownFormatIsSaid) {
    const auto notes = [](const std::string& scheme) {
        return notes_on(
            stored_formats(quantized("llama-3-8b", R"({"quant_method": "fp8", "kv_cache_scheme": )" + scheme + "}")));
    };
    EXPECT_TRUE(notes("null").empty());
    EXPECT_TRUE(notes(R"({"num_bits": 8, "type": "float"})").empty());
    for (const char* unknown : {R"({"num_bits": 6, "type": "int"})", R"("fp6")"})
        EXPECT_EQ(notes(unknown),
                  std::vector<std::string>{"Not known: in what keys and values are cached; --kv-dtype says it."});
}

TEST(StoredFormats, WhereTensorsArePackedMostOfTheBytesDecide) {
    const auto tensor = [](std::string_view type, std::vector<std::int64_t> shape, std::int64_t bytes) {
        return CheckpointTensor{.name = "x", .shape = std::move(shape), .type = {type, 1, 1}, .bytes = bytes};
    };
    Checkpoint file;
    file.format = "GGUF v3";
    file.metadata = nlohmann::json::object();
    EXPECT_FALSE(stored_formats(file, preset("llama-2-7b")).weights);
    file.tensors = {tensor("F32", {64}, 9000), tensor("Q6_K", {8, 8}, 100), tensor("Q4_K", {8, 8}, 300)};
    EXPECT_EQ(formats_text(*stored_formats(file, preset("llama-2-7b")).weights), "router=fp32,norm=fp32,rest=q4_k");
    file.format = "safetensors";
    file.tensors = {tensor("I8", {8, 8}, 300), tensor("F16", {8, 8}, 100), tensor("I32", {8, 8}, 900)};
    EXPECT_EQ(formats_text(*formats_of_matrices(file)), "layers=int8,rest=fp16");
    file.tensors = {tensor("I32", {8, 8}, 900)};
    EXPECT_FALSE(formats_of_matrices(file)) << "packed";
}

}  // namespace
}  // namespace headcount
