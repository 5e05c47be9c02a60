// What the command line counts of a file that says in which formats it is.
#include <gtest/gtest.h>

#include "core/base/json_file.hpp"
#include "tests/app/cli/session.hpp"
#include "tests/support/small_model.hpp"

namespace headcount {
namespace {

using namespace testing_data;
using nlohmann::json;

// A small Llama whose configuration says this besides.
std::string small_llama(const std::string& more) {
    return R"({"model_type": "llama", "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 2,
               "num_attention_heads": 4, "vocab_size": 1000, "tie_word_embeddings": false, "torch_dtype": "bfloat16")" +
           more + "}";
}

json memory_at(const std::string& path, std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"memory", path, "--tokens", "64", "--json"});
    const Ran ran = run(words);
    EXPECT_EQ(ran.status(), 0) << ran.err;
    return ran.json();
}

std::int64_t bytes_of(const json& memory, const char* part) { return memory[part]["total"]; }

constexpr const char* gptq_of_attention =
    R"(, "quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128,
                                  "dynamic": {"-:.*mlp.*": {}}})";

TEST(FileFormats, WeightsAreAsTheFileSaysWithoutBeingAsked) {
    const Scratch scratch;
    const std::string path = scratch.file("config.json", small_llama(gptq_of_attention));
    const std::int64_t vectors = 2 * (5 * 256), ends = 2 * 2 * 1000 * 256, mlp = 2 * 3 * 256 * 512;
    const std::int64_t attention = 4 * (256 * 256 / 2 + 2 * 256 * 5 / 2 + 4 * 256);
    const std::int64_t expected = vectors + ends + 2 * (mlp + attention);
    EXPECT_EQ(bytes_of(memory_at(path), "weights"), expected);
    EXPECT_EQ(bytes_of(memory_at(path, {"--dtype", "file"}), "weights"), expected);
    EXPECT_EQ(bytes_of(memory_at(path, {"--dtype", "bf16"}), "weights"),
              vectors + ends + 2 * (mlp + 2 * 4 * 256 * 256));
    const std::string said = run({"memory", path, "--tokens", "64"}).out;
    EXPECT_TRUE(has(said, "int4:20/128:32/column (attention)")) << said;
    EXPECT_FALSE(has(said, "≈")) << said;
    // What it says is read again as it is written.
    const std::string text = run({"memory", path, "--tokens", "64", "--json"}).json()["input"]["dtype"];
    EXPECT_EQ(bytes_of(memory_at(path, {"--dtype", text}), "weights"), expected);
}

TEST(FileFormats, TheCacheIsAsTheFileSaysToo) {
    const Scratch scratch;
    const std::string whole = scratch.file("whole/config.json", small_llama(""));
    const std::string small =
        scratch.file("small/config.json",
                     small_llama(R"(, "quantization_config": {"quant_method": "compressed-tensors", "config_groups": {},
                                       "kv_cache_scheme": {"num_bits": 8, "type": "float", "dynamic": false}})"));
    const std::int64_t in_16 = bytes_of(memory_at(whole), "kv_cache");
    EXPECT_GT(in_16, 0);
    EXPECT_EQ(bytes_of(memory_at(whole, {"--kv-dtype", "file"}), "kv_cache"), in_16) << "as computed in";
    for (const std::vector<std::string>& words : {std::vector<std::string>{}, {"--kv-dtype", "file"}})
        EXPECT_EQ(bytes_of(memory_at(small, words), "kv_cache"), in_16 / 2);
    EXPECT_EQ(bytes_of(memory_at(small, {"--kv-dtype", "bf16"}), "kv_cache"), in_16);
}

TEST(FileFormats, WhatModelOptWroteBesideAConfigurationIsRead) {
    const Scratch scratch;
    const std::string path = scratch.file("config.json", small_llama(""));
    scratch.file("hf_quant_config.json", R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8",
                                             "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head"]}})");
    const json memory = memory_at(path);
    const std::int64_t matrices = 4 * 256 * 256 + 3 * 256 * 512;
    EXPECT_EQ(bytes_of(memory, "weights"), 2 * (5 * 256) + 2 * 2 * 1000 * 256 + 2 * (matrices + 7 * 8 + 2 * 4));
    EXPECT_EQ(memory["input"]["kv_dtype"], "fp8");
}

TEST(FileFormats, WhatIsAboutKnownIsMarked) {
    const Scratch scratch;
    const std::string path =
        scratch.file("config.json", small_llama(R"(, "quantization_config": {"quant_method": "exl2", "bits": 4.25})"));
    const Ran ran = run({"memory", path, "--tokens", "64"});
    EXPECT_TRUE(has(ran.out, "≈ ")) << ran.out;
    EXPECT_TRUE(has(ran.out + ran.err, "\"exl2\"")) << ran.out << ran.err;
    EXPECT_FALSE(has(run({"memory", path, "--tokens", "64", "--dtype", "int4"}).out, "≈"));
    const std::vector<std::vector<std::string>> commands{{"compute", path, "--tokens", "64"},
                                                         {"sweep", path, "--vary", "batch=1,2"},
                                                         {"sensitivity", path},
                                                         {"compare", path, "gpt2"},
                                                         {"ask", "memory of it", path}};
    for (std::vector<std::string> words : commands) {
        EXPECT_TRUE(has(run(words).out, "≈")) << words.front();
        words.insert(words.end(), {"--dtype", "int4"});
        EXPECT_FALSE(has(run(words).out, "≈")) << words.front() << ": it is said how they are stored";
        words.resize(words.size() - 2);
        words.emplace_back("--json");
        if (words.front() == "ask" || words.front() == "compare") continue;
        EXPECT_TRUE(has(run(words).json()["input"]["weights_about"], "exl2")) << words.front();
    }
    EXPECT_FALSE(has(run({"sweep", path, "--vary", "dtype=int4,int8"}).out, "≈")) << "nor of formats that are varied";
}

TEST(FileFormats, AModelOfSeveralModesSaysItOfItsTextAsWell) {
    const Scratch scratch;
    const std::string path = scratch.file("config.json", R"({"model_type": "gemma3", "torch_dtype": "bfloat16",
                           "text_config": {"model_type": "gemma3_text", "hidden_size": 256, "intermediate_size": 512,
                           "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64,
                           "vocab_size": 1000}, "quantization_config": {"quant_method": "compressed-tensors",
                           "format": "int-quantized", "ignore": ["re:vision_tower.*", "language_model.lm_head",
                           "language_model.model.layers.1.mlp.down_proj"], "config_groups": {"group_0": {
                           "targets": ["Linear"], "weights": {"num_bits": 8, "type": "int", "strategy": "channel"}}}}})");
    const json memory = memory_at(path, {"--dtype", "file"});
    EXPECT_EQ(memory["input"]["dtype"],
              "layers=int8:16/row,language_model.model.layers.[1].mlp.down_proj.weight=bf16,rest=bf16");
}

TEST(FileFormats, ATowerThatMayBeQuantizedIsInDoubt) {
    const Scratch scratch;
    const auto said = [&](const std::string& skipped) {
        const std::string config =
            R"({"model_type": "gemma3", "torch_dtype": "bfloat16", "text_config": {"hidden_size": 256,
            "intermediate_size": 512, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
            "head_dim": 64, "vocab_size": 1000}, "vision_config": {"hidden_size": 64, "intermediate_size": 128,
            "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 56, "patch_size": 14},
            "quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": true,
            "llm_int8_skip_modules": [)" +
            skipped + "]}}";
        const Ran ran = run({"memory", scratch.file("config.json", config), "--tokens", "64"});
        EXPECT_EQ(ran.status(), 0) << ran.err;
        return ran.err;
    };
    EXPECT_TRUE(has(said(R"("lm_head")"), "which matrices of tower and connector are quantized is not known"));
    EXPECT_FALSE(has(said(R"("lm_head", "vision_tower", "multi_modal_projector")"), "is not known"));
}

TEST(FileFormats, AreTheSameInWhatIsSavedOfTheFile) {
    const Scratch scratch;
    const auto saved = [&](const std::string& model) {
        const std::string path = (scratch.folder() / "saved.headcount").string();
        const Ran ran = run({"export", model, "-o", path});
        EXPECT_EQ(ran.status(), 0) << ran.err;
        json memory = memory_at(path);
        memory["model"] = memory_at(model)["model"];  // a document keeps its own name
        return memory;
    };
    const std::string gptq = scratch.file("gptq/config.json", small_llama(gptq_of_attention));
    const std::string rough = scratch.file(
        "rough/config.json", small_llama(R"(, "quantization_config": {"quant_method": "exl2", "bits": 4.25})"));
    const std::string unread = scratch.file("unread/config.json", small_llama(R"(, "extra_experts": 4)"));
    const std::string cache =
        scratch.file("cache/config.json",
                     small_llama(R"(, "quantization_config": {"quant_method": "fp8", "kv_cache_quant_algo": "FP8",
                                               "kv_cache_scheme": {"num_bits": 8, "type": "float"}})"));
    for (const std::string& model : {gptq, rough, unread, cache, write_model(scratch, "weights"),
                                     std::string("gpt-oss-20b"), std::string("deepseek-v3"), std::string("gpt2")})
        EXPECT_EQ(saved(model), memory_at(model)) << model;
    // One of an earlier Headcount has its fields alone, and what they carry of the configuration.
    const std::string path = (scratch.folder() / "saved.headcount").string();
    ASSERT_EQ(run({"export", gptq, "-o", path}).status(), 0);
    json old = json::parse(*read_text(path));
    ASSERT_TRUE(old["stored"].is_string());
    for (const char* key : {"stored", "cache", "weights_about", "notes"}) EXPECT_EQ(old.erase(key), 1U) << key;
    const json memory = memory_at(scratch.file("old.headcount", old.dump()));
    EXPECT_EQ(memory["weights"], memory_at(gptq)["weights"]);
}

TEST(FileFormats, AreInALinkAndWhatALinkCannotHoldIsSaid) {
    const Scratch scratch;
    const auto linked = [](const std::string& path) {
        Ran ran = run({"link", path, "--tokens", "64"});
        EXPECT_EQ(ran.status(), 0) << ran.err;
        ran.out.pop_back();
        return ran;
    };
    const std::string gptq = scratch.file("gptq/config.json", small_llama(gptq_of_attention));
    const Ran link = linked(gptq);
    EXPECT_EQ(bytes_of(memory_at(link.out), "weights"), bytes_of(memory_at(gptq), "weights")) << link.out;
    EXPECT_FALSE(has(link.err, "only about known")) << link.err;
    const std::string wide = scratch.file("wide/config.json", R"({"model_type": "llama", "hidden_size": 256,
        "intermediate_size": 512, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 1000,
        "torch_dtype": "float32"})");
    EXPECT_EQ(bytes_of(memory_at(linked(wide).out), "weights"), bytes_of(memory_at(wide), "weights"));
    const std::string unread = scratch.file("unread/config.json", small_llama(R"(, "extra_experts": 4)"));
    EXPECT_TRUE(has(linked(unread).err, "Not in the link: that this model is only about known")) << linked(unread).err;
    const std::string rough = scratch.file(
        "rough/config.json", small_llama(R"(, "quantization_config": {"quant_method": "exl2", "bits": 4.25})"));
    EXPECT_TRUE(has(linked(rough).err, "what its weights take is only about known")) << linked(rough).err;
}

}  // namespace
}  // namespace headcount
