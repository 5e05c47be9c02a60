// Checkpoints without a configuration: from names and shapes alone, the published model comes out again.
#include "core/checkpoints/infer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace headcount {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;

json golden(const std::filesystem::path& path) { return json::parse(std::ifstream(path)); }

std::vector<std::filesystem::path> golden_models() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(HEADCOUNT_TESTS_DIR "/golden/models"))
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

void add(Checkpoint& checkpoint, std::string name, const json& shape) {
    CheckpointTensor tensor;
    tensor.name = std::move(name);
    tensor.shape = shape.get<std::vector<std::int64_t>>();
    checkpoint.tensors.push_back(std::move(tensor));
}

std::string replaced(std::string text, const std::string& what, std::int64_t by) {
    const std::size_t place = text.find(what);
    return place == text.npos ? text : text.replace(place, what.size(), std::to_string(by));
}

// The golden file's tensors, one by one: a row stands for all its layers, and all its experts.
Checkpoint checkpoint_of(const json& model) {
    Checkpoint checkpoint;
    checkpoint.format = "safetensors";
    for (const char* part : {"tensors", "buffers"})
        for (const json& row : model[part]) {
            const std::string name = row["name"];
            std::vector<std::int64_t> layers;
            for (const json& range : row.value("layers", json::array({json::array({0, 0})})))
                for (std::int64_t i = range[0]; i <= range[1]; ++i) layers.push_back(i);
            const auto copies = row["count"].get<std::int64_t>() / static_cast<std::int64_t>(layers.size());
            for (const std::int64_t layer : layers)
                for (std::int64_t copy = 0; copy < copies; ++copy)
                    add(checkpoint, replaced(replaced(replaced(name, "{i}", layer), "{e}", copy), "{h}", copy),
                        row["shape"]);
        }
    return checkpoint;
}

// Families that share all their names are told apart by nothing: the most common one is taken, and that is said.
std::string recognized(const std::string& type) {
    for (const char* alike : {"mistral", "ministral", "granite", "smollm3", "ernie4_5"})
        if (type == alike) return "llama";
    if (type == "kimi_k2") return "deepseek_v3";
    if (type == "cohere2") return "cohere";
    if (type == "seed_oss") return "qwen2";
    return type == "olmo3" ? "olmo2" : type;
}

// How many groups of heads share a state's queries and keys, no tensor tells, nor what stands on an encoder.
bool needs_config(const std::string& type) {
    static const std::set<std::string> types{"mamba2",
                                             "qwen3_next",
                                             "bert",
                                             "t5",
                                             "roberta",
                                             "xlm-roberta",
                                             "distilbert",
                                             "mpnet",
                                             "electra",
                                             "granitemoehybrid",
                                             "bamba",
                                             "nemotron_h",
                                             "falcon_h1",
                                             "lfm2",
                                             "lfm2_moe",
                                             "mamba",
                                             "falcon_mamba",
                                             "jamba",
                                             "codegen",
                                             "big_bird",
                                             "longformer",
                                             "longt5",
                                             "xlm",
                                             "rembert",
                                             "switch_transformers",
                                             "nllb-moe",
                                             "deberta",
                                             "deberta-v2",
                                             "arcee",
                                             "apertus",
                                             "deepseek_v32",
                                             "minimax",
                                             "dots1",
                                             "ernie4_5_moe",
                                             "esm",
                                             "m2m_100",
                                             "nanochat",
                                             "recurrent_gemma",
                                             "moonshine",
                                             "unispeech",
                                             "unispeech-sat",
                                             "hubert",
                                             "wav2vec2",
                                             "wavlm"};
    return types.contains(type);
}

// Where custom guesses wrongly: the size of a head, and what follows from it.
bool guessed_wrongly(const std::string& id, const std::string& key) {
    const bool heads = key == "num_attention_heads" || key == "num_key_value_heads" || key == "head_dim" ||
                       key == "n_head" || key == "n_heads";
    for (const char* unusual : {"gpt-3-175b", "ernie-4.5-0.3b", "smollm3-3b", "mpt-30b", "nemotron-4-340b"})
        if (id == unusual && heads) return true;
    return false;
}

TEST(Infer, FindsEveryPublishedModelAgain) {
    for (const std::filesystem::path& path : golden_models()) {
        const json model = golden(path);
        const std::string id = model["id"];
        const Result<json> config = config_of_tensors(checkpoint_of(model));
        const std::string type = model["config"]["model_type"];
        if (needs_config(type)) {
            ASSERT_FALSE(config) << id;
            EXPECT_THAT(sentence(config.error()), HasSubstr("config.json")) << id;
            continue;
        }
        ASSERT_TRUE(config) << id << ": " << sentence(config.error());
        EXPECT_EQ((*config)["model_type"], recognized(type)) << id;
        for (const auto& [key, value] : config->items()) {
            const bool compared =
                model["config"].contains(key) && key != "model_type" && key != "attention_bias" && value.is_primitive();
            if (!compared || guessed_wrongly(id, key)) continue;
            EXPECT_EQ(value, model["config"][key])
                << id << ": " << key << config->value("_headcount_guesses", json()).dump();
        }
    }
}

class InferTest : public ::testing::Test {
  protected:
    void tensor(const std::string& name, const json& shape) { add(checkpoint_, name, shape); }
    // A layer of LLaMA with heads of 64: 8 of queries, 2 of keys.
    void llama_layer(const std::string& layer) {
        tensor(layer + "self_attn.q_proj.weight", {512, 512});
        tensor(layer + "self_attn.k_proj.weight", {128, 512});
        tensor(layer + "self_attn.v_proj.weight", {128, 512});
        tensor(layer + "self_attn.o_proj.weight", {512, 512});
        for (const char* name : {"gate_proj", "up_proj"}) tensor(layer + "mlp." + name + ".weight", {1000, 512});
        tensor(layer + "mlp.down_proj.weight", {512, 1000});
        for (const char* name : {"input_layernorm", "post_attention_layernorm"})
            tensor(layer + name + ".weight", {512});
    }
    json config() const {
        const Result<json> config = config_of_tensors(checkpoint_);
        EXPECT_TRUE(config) << sentence(config.error());
        return config ? *config : json::object();
    }

    Checkpoint checkpoint_;
};

TEST_F(InferTest, RotaryFrequenciesTellTheSizeOfAHead) {
    tensor("model.embed_tokens.weight", {100, 512});
    llama_layer("model.layers.0.");
    EXPECT_EQ(config()["head_dim"], 64);
    EXPECT_EQ(config()["_headcount_guesses"].size(), 2U);
    tensor("model.layers.0.self_attn.rotary_emb.inv_freq", {16});
    EXPECT_EQ(config()["head_dim"], 32);
    EXPECT_EQ(config()["num_attention_heads"], 16);
    EXPECT_EQ(config()["_headcount_guesses"].size(), 1U) << "the type is still one";
}

TEST_F(InferTest, TheExpertsWidthIsTakenFromTheirBiasesWhereTheirWeightsAreBlocks) {
    tensor("model.embed_tokens.weight", {100, 2880});
    tensor("model.layers.0.self_attn.sinks", {64});
    tensor("model.layers.0.self_attn.q_proj.weight", {4096, 2880});
    tensor("model.layers.0.self_attn.k_proj.weight", {512, 2880});
    tensor("model.layers.0.mlp.router.weight", {32, 2880});
    tensor("model.layers.0.mlp.experts.gate_up_proj_blocks", {32, 3000, 90, 16});
    tensor("model.layers.0.mlp.experts.gate_up_proj_scales", {32, 3000, 90});
    const auto guessed = [&] {
        return config()["_headcount_guesses"].dump().find("width of the experts") != std::string::npos;
    };
    ASSERT_EQ(config()["model_type"], "gpt_oss");
    EXPECT_TRUE(guessed());
    EXPECT_FALSE(config().contains("intermediate_size"));
    tensor("model.layers.0.mlp.experts.gate_up_proj_bias", {32, 3000});
    EXPECT_EQ(config()["intermediate_size"], 1500);
    EXPECT_FALSE(guessed());
}

TEST_F(InferTest, FindsATextModelInsideAMultimodalOne) {
    for (const std::string prefix : {"language_model.model.", "model.language_model."}) {
        checkpoint_ = {};
        tensor("model.vision_tower.encoder.layers.30.self_attn.q_proj.weight", {64, 64});
        tensor(prefix + "embed_tokens.weight", {100, 512});
        llama_layer(prefix + "layers.0.");
        llama_layer(prefix + "layers.1.");
        EXPECT_EQ(config()["num_hidden_layers"], 2) << prefix;
        EXPECT_EQ(config()["hidden_size"], 512) << prefix;
    }
}

TEST_F(InferTest, NormsTellFamiliesApart) {
    tensor("model.embed_tokens.weight", {100, 512});
    llama_layer("model.layers.0.");
    EXPECT_EQ(config()["model_type"], "llama");
    tensor("model.layers.0.self_attn.q_norm.weight", {128});
    EXPECT_EQ(config()["model_type"], "qwen3");
    EXPECT_EQ(config()["num_attention_heads"], 4);
    tensor("model.layers.0.pre_feedforward_layernorm.weight", {512});
    EXPECT_EQ(config()["model_type"], "gemma3_text");
}

TEST_F(InferTest, BiasesOfTheQueriesAloneAreQwens) {
    tensor("model.embed_tokens.weight", {100, 512});
    tensor("lm_head.weight", {100, 512});
    llama_layer("model.layers.0.");
    tensor("model.layers.0.self_attn.q_proj.bias", {512});
    EXPECT_EQ(config()["model_type"], "qwen2");
    EXPECT_EQ(config()["tie_word_embeddings"], false);
    tensor("model.layers.0.self_attn.o_proj.bias", {512});
    EXPECT_EQ(config()["model_type"], "llama");
    EXPECT_EQ(config()["attention_bias"], true);
}

TEST_F(InferTest, ReadsLlama2cFromItsHeader) {
    checkpoint_.format = "llama2.c, version 0";
    checkpoint_.metadata = {{"dim", 64},       {"hidden_dim", 172}, {"n_layers", 5},  {"n_heads", 8},
                            {"n_kv_heads", 4}, {"vocab_size", 512}, {"seq_len", 256}, {"shared_classifier", true}};
    EXPECT_EQ(config(), json::parse(R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 172,
        "num_hidden_layers": 5, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 8, "vocab_size": 512,
        "max_position_embeddings": 256, "tie_word_embeddings": true, "rms_norm_eps": 1e-5, "attention_bias": false,
        "mlp_bias": false})"));
}

TEST_F(InferTest, SaysWhatItCannotTell) {
    EXPECT_EQ(config_of_tensors(checkpoint_).error().what, "no known architecture has tensors with these names");
    tensor("model.vision.weight", {3, 3});
    EXPECT_EQ(config_of_tensors(checkpoint_).error().what, "no known architecture has tensors with these names");
    llama_layer("model.layers.0.");
    EXPECT_EQ(config_of_tensors(checkpoint_).error().what, "the file does not say how wide the model is");
}

TEST_F(InferTest, ShapesThatMakeNoSenseAreNoModel) {
    for (const json& shape : {json::array(), json::array({0}), json::array({0, 0}), json::array({1, 2, 3}),
                              json::array({std::int64_t{1} << 62, std::int64_t{1} << 62})}) {
        checkpoint_ = {};
        for (const char* name :
             {"model.embed_tokens.weight", "model.layers.0.self_attn.q_proj.weight",
              "model.layers.0.self_attn.k_proj.weight", "model.layers.0.self_attn.q_norm.weight",
              "model.layers.0.self_attn.sinks", "model.layers.0.self_attn.o_proj.weight",
              "model.layers.0.mlp.down_proj.weight", "model.layers.0.mlp.gate.weight",
              "model.layers.99999999999999999999.x", "model.layers.0.mlp.experts.{e}.down_proj.weight"})
            tensor(name, shape);
        const Result<json> config = config_of_tensors(checkpoint_);  // whichever it is, nothing breaks
        EXPECT_TRUE(config || !config.error().what.empty());
        tensor("model.layers.0.self_attn.kv_a_proj_with_mqa.weight", shape);
        tensor("model.layers.0.self_attn.kv_a_layernorm.weight", shape);
        EXPECT_FALSE(config_of_tensors(checkpoint_) && shape.empty());
    }
}

}  // namespace
}  // namespace headcount
