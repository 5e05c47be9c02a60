// GGUF's names of tensors beside those of the published checkpoints.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/checkpoints/gguf_published.hpp"

namespace headcount {
namespace {

using nlohmann::json;

TEST(GgufNames, AreThoseOfThePublishedCheckpoint) {
    struct Case {
        const char* architecture;
        const char* gguf;
        const char* published;
    };
    const std::vector<Case> cases{
        {"llama", "token_embd.weight", "model.embed_tokens.weight"},
        {"llama", "blk.3.attn_q.weight", "model.layers.3.self_attn.q_proj.weight"},
        {"llama", "blk.31.ffn_norm.weight", "model.layers.31.post_attention_layernorm.weight"},
        {"llama", "blk.0.ffn_gate_exps.weight", "model.layers.0.block_sparse_moe.experts.{e}.w1.weight"},
        {"llama", "blk.0.ffn_down.7.weight", "model.layers.0.block_sparse_moe.experts.7.w2.weight"},
        {"qwen2", "blk.3.attn_q.bias", "model.layers.3.self_attn.q_proj.bias"},
        {"qwen3moe", "blk.3.ffn_up_exps.weight", "model.layers.3.mlp.experts.{e}.up_proj.weight"},
        {"gemma2", "blk.3.ffn_norm.weight", "model.layers.3.pre_feedforward_layernorm.weight"},
        {"gemma2", "blk.3.post_ffw_norm.weight", "model.layers.3.post_feedforward_layernorm.weight"},
        {"glm4", "blk.3.post_attention_norm.weight", "model.layers.3.post_self_attn_layernorm.weight"},
        {"glm4", "blk.3.ffn_up.weight", "model.layers.3.mlp.gate_up_proj.weight"},
        {"gpt2", "blk.3.attn_qkv.bias", "transformer.h.3.attn.c_attn.bias"},
        {"gptneox", "output.weight", "embed_out.weight"},
        {"mpt", "blk.2.attn_qkv.weight", "transformer.blocks.2.attn.Wqkv.weight"},
        {"deepseek2", "blk.3.exp_probs_b.bias", "model.layers.3.mlp.gate.e_score_correction_bias"},
        {"deepseek2", "blk.3.attn_kv_a_mqa.weight", "model.layers.3.self_attn.kv_a_proj_with_mqa.weight"},
        {"gpt-oss", "blk.3.attn_sinks.weight", "model.layers.3.self_attn.sinks"},
        {"gpt-oss", "blk.3.ffn_up_exps.bias", "model.layers.3.mlp.experts.gate_up_proj_bias"},
        {"phi2", "blk.1.attn_qkv.weight", "model.layers.1.self_attn.{qkv}_proj.weight"},
        {"phi3", "blk.1.attn_qkv.weight", "model.layers.1.self_attn.qkv_proj.weight"},
        {"stablelm", "blk.1.attn_q_norm.weight", "model.layers.1.self_attn.q_layernorm.norms.{h}.weight"},
        {"mamba2", "blk.3.ssm_dt.bias", "backbone.layers.3.mixer.dt_bias"},
        {"mamba", "blk.3.ssm_a", "backbone.layers.3.mixer.A_log"},
        {"granitehybrid", "blk.3.ssm_in.weight", "model.layers.3.mamba.in_proj.weight"},
        {"kimi-linear", "blk.3.ffn_up_exps.weight", "model.layers.3.block_sparse_moe.experts.{e}.w3.weight"},
        {"nomic-bert", "blk.3.ffn_gate.weight", "encoder.layers.3.mlp.fc12.weight"},
        {"t5", "enc.blk.3.attn_q.weight", "encoder.block.3.layer.0.SelfAttention.q.weight"},
        {"t5", "dec.blk.3.cross_attn_o.weight", "decoder.block.3.layer.1.EncDecAttention.o.weight"},
        {"a new one", "blk.3.attn_q.weight", "model.layers.3.self_attn.q_proj.weight"},
        {"llama", "blk.3.something.weight", ""},
        {"llama", "blk..attn_q.weight", ""},
        {"llama", "blk.3", ""},
        {"llama", "", ""},
    };
    for (const Case& each : cases)
        EXPECT_EQ(find_published_name(each.architecture, each.gguf).name, each.published) << each.gguf;
}

TEST(GgufNames, RotaryFactorsAreInNoPublishedCheckpoint) {
    EXPECT_TRUE(added_by_gguf("rope_freqs.weight"));
    EXPECT_TRUE(added_by_gguf("rope_factors_long.weight"));
    EXPECT_FALSE(added_by_gguf("blk.0.attn_q.weight"));
}

// What llama.cpp calls the tensors of any family (gguf-py/gguf/constants.py).
const std::vector<std::string> gguf_names{"token_embd",
                                          "token_embd_norm",
                                          "position_embd",
                                          "output_norm",
                                          "output",
                                          "blk.0.attn_norm",
                                          "blk.0.attn_norm_2",
                                          "blk.0.attn_q",
                                          "blk.0.attn_k",
                                          "blk.0.attn_v",
                                          "blk.0.attn_qkv",
                                          "blk.0.attn_output",
                                          "blk.0.attn_q_norm",
                                          "blk.0.attn_k_norm",
                                          "blk.0.attn_q_a",
                                          "blk.0.attn_q_b",
                                          "blk.0.attn_q_a_norm",
                                          "blk.0.attn_kv_a_mqa",
                                          "blk.0.attn_kv_a_norm",
                                          "blk.0.attn_kv_b",
                                          "blk.0.attn_sinks",
                                          "blk.0.post_attention_norm",
                                          "blk.0.post_ffw_norm",
                                          "blk.0.ffn_norm",
                                          "blk.0.ffn_gate",
                                          "blk.0.ffn_up",
                                          "blk.0.ffn_down",
                                          "blk.0.ffn_gate_inp",
                                          "blk.0.ffn_gate_inp_shexp",
                                          "blk.0.exp_probs_b",
                                          "blk.0.ffn_gate_exps",
                                          "blk.0.ffn_up_exps",
                                          "blk.0.ffn_down_exps",
                                          "blk.0.ffn_gate_shexp",
                                          "blk.0.ffn_up_shexp",
                                          "blk.0.ffn_down_shexp",
                                          "blk.0.attn_gate",
                                          "blk.0.ssm_in",
                                          "blk.0.ssm_conv1d",
                                          "blk.0.ssm_x",
                                          "blk.0.ssm_dt",
                                          "blk.0.ssm_dt_norm",
                                          "blk.0.ssm_b_norm",
                                          "blk.0.ssm_c_norm",
                                          "blk.0.ssm_a",
                                          "blk.0.ssm_d",
                                          "blk.0.ssm_ba",
                                          "blk.0.ssm_norm",
                                          "blk.0.ssm_out",
                                          "blk.0.shortconv.conv",
                                          "blk.0.shortconv.in_proj",
                                          "blk.0.shortconv.out_proj",
                                          "enc.output_norm",
                                          "dec.output_norm",
                                          "enc.blk.0.attn_norm",
                                          "enc.blk.0.attn_q",
                                          "enc.blk.0.attn_k",
                                          "enc.blk.0.attn_v",
                                          "enc.blk.0.attn_o",
                                          "enc.blk.0.attn_rel_b",
                                          "enc.blk.0.ffn_norm",
                                          "enc.blk.0.ffn_up",
                                          "enc.blk.0.ffn_down",
                                          "dec.blk.0.attn_norm",
                                          "dec.blk.0.attn_q",
                                          "dec.blk.0.attn_k",
                                          "dec.blk.0.attn_v",
                                          "dec.blk.0.attn_o",
                                          "dec.blk.0.attn_rel_b",
                                          "dec.blk.0.cross_attn_norm",
                                          "dec.blk.0.cross_attn_q",
                                          "dec.blk.0.cross_attn_k",
                                          "dec.blk.0.cross_attn_v",
                                          "dec.blk.0.cross_attn_o",
                                          "dec.blk.0.ffn_norm",
                                          "dec.blk.0.ffn_up",
                                          "dec.blk.0.ffn_down"};

const std::map<std::string, std::string> architectures{{"llama4_text", "llama4"},
                                                       {"qwen2_moe", "qwen2moe"},
                                                       {"qwen3_moe", "qwen3moe"},
                                                       {"gemma3_text", "gemma3"},
                                                       {"gpt_neox", "gptneox"},
                                                       {"phi", "phi2"},
                                                       {"gpt_bigcode", "starcoder"},
                                                       {"glm", "chatglm"},
                                                       {"cohere", "command-r"},
                                                       {"gpt_oss", "gpt-oss"},
                                                       {"mixtral", "llama"},
                                                       {"deepseek_v2", "deepseek2"},
                                                       {"deepseek_v3", "deepseek2"},
                                                       {"mistral", "llama"},
                                                       {"ministral", "llama"},
                                                       {"kimi_k2", "deepseek2"},
                                                       {"olmo3", "olmo2"},
                                                       {"falcon_mamba", "mamba"},
                                                       {"granitemoehybrid", "granitehybrid"},
                                                       {"falcon_h1", "falcon-h1"},
                                                       {"lfm2_moe", "lfm2moe"},
                                                       {"qwen3_next", "qwen3next"}};

TEST(GgufNames, ReachEveryTensorOfEveryPublishedModel) {
    for (const auto& entry : std::filesystem::directory_iterator(HEADCOUNT_TESTS_DIR "/golden/models")) {
        const json model = json::parse(std::ifstream(entry.path()));
        const std::string type = model["config"]["model_type"];
        // What stands on encoders is not converted; the others llama.cpp does not know.
        static const std::set<std::string> not_read{"bert",
                                                    "mt5",
                                                    "roberta",
                                                    "xlm-roberta",
                                                    "distilbert",
                                                    "mpnet",
                                                    "electra",
                                                    "nomic_bert",
                                                    "bamba",
                                                    "codegen",
                                                    "longt5",
                                                    "longformer",
                                                    "xlm",
                                                    "rembert",
                                                    "nllb-moe",
                                                    "deberta",
                                                    "deberta-v2",
                                                    "big_bird",
                                                    "switch_transformers",
                                                    "esm",
                                                    "apertus",
                                                    "deepseek_v32",
                                                    "minimax",
                                                    "ernie4_5_moe",
                                                    "m2m_100",
                                                    "nanochat",
                                                    "recurrent_gemma",
                                                    "moonshine",
                                                    "unispeech",
                                                    "unispeech-sat",
                                                    "hubert",
                                                    "wav2vec2",
                                                    "wavlm"};
        if (not_read.contains(type)) continue;
        const auto found = architectures.find(type);
        const std::string architecture = found == architectures.end() ? type : found->second;
        const bool two_norms = type == "falcon" && model["config"].value("new_decoder_architecture", false) &&
                               model.dump().find("ln_mlp") != std::string::npos;
        const std::string table = two_norms ? "falcon-two-norms" : architecture;
        std::set<std::string> reached;
        for (const std::string& name : gguf_names)
            for (const char* suffix : {".weight", ".bias"}) {
                const std::string published = find_published_name(table, name + suffix).name;
                const std::size_t joined = published.find("{qkv}");
                if (joined == published.npos)
                    reached.insert(published);
                else
                    for (const char* part : {"q", "k", "v"})
                        reached.insert(std::string(published).replace(joined, 5, part));
            }
        for (const char* part : {"tensors", "buffers"})
            for (const json& row : model[part]) {
                std::string name = row["name"];
                if (const std::size_t layer = name.find("{i}"); layer != name.npos) name.replace(layer, 3, "0");
                if (const std::size_t head = name.find(".norms."); head != name.npos)
                    name.replace(head, name.rfind('.') - head, ".norms.{h}");
                if (name.find(".project_") != name.npos) continue;  // OPT 350M's, which llama.cpp has no name for
                EXPECT_TRUE(reached.contains(name)) << entry.path().stem() << ": " << name;
            }
    }
}

Checkpoint checkpoint(const std::string& architecture,
                      const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& tensors) {
    Checkpoint gguf;
    gguf.metadata = {{"general.architecture", architecture}};
    for (const auto& [name, shape] : tensors) {
        std::int64_t elements = 1;
        for (const std::int64_t each : shape) elements *= each;
        gguf.tensors.push_back({name, shape, {"F16", 1, 2}, elements, 2 * elements, 0, 0});
    }
    return gguf;
}

void expect_tensor(const PublishedTensors& published, const std::string& name, const std::vector<std::int64_t>& shape,
                   std::int64_t count = 1, std::size_t parts = 1) {
    for (const PublishedTensor& tensor : published.tensors) {
        if (tensor.name != name) continue;
        EXPECT_EQ(tensor.shape, shape) << name;
        EXPECT_EQ(tensor.count, count) << name;
        EXPECT_EQ(tensor.from.size(), parts) << name;
        std::int64_t elements = count;
        for (const std::int64_t each : shape) elements *= each;
        EXPECT_EQ(tensor.elements, elements) << name;
        EXPECT_EQ(tensor.bytes, 2 * elements) << name;
        return;
    }
    ADD_FAILURE() << name << " is missing";
}

TEST(GgufPublished, CutsExpertsApart) {
    const PublishedTensors published =
        published_tensors(checkpoint("qwen3moe", {{"blk.1.ffn_gate_exps.weight", {128, 768, 2048}}}));
    expect_tensor(published, "model.layers.1.mlp.experts.{e}.gate_proj.weight", {768, 2048}, 128);
}

TEST(GgufPublished, JoinsWhatIsPublishedStacked) {
    const PublishedTensors published =
        published_tensors(checkpoint("gpt-oss", {{"blk.0.ffn_gate_exps.weight", {32, 2881, 2880}},
                                                 {"blk.0.ffn_up_exps.weight", {32, 2881, 2880}},
                                                 {"blk.0.ffn_down_exps.weight", {32, 2880, 2881}},
                                                 {"blk.0.ffn_gate_exps.bias", {32, 2881}},
                                                 {"blk.0.ffn_up_exps.bias", {32, 2881}},
                                                 {"blk.0.ffn_down_exps.bias", {32, 2880}}}));
    ASSERT_EQ(published.tensors.size(), 4U);
    expect_tensor(published, "model.layers.0.mlp.experts.gate_up_proj", {32, 2880, 5762}, 1, 2);
    expect_tensor(published, "model.layers.0.mlp.experts.gate_up_proj_bias", {32, 5762}, 1, 2);
    expect_tensor(published, "model.layers.0.mlp.experts.down_proj", {32, 2881, 2880});
    expect_tensor(published, "model.layers.0.mlp.experts.down_proj_bias", {32, 2880});
    const PublishedTensors granite = published_tensors(
        checkpoint("granitemoe", {{"blk.0.ffn_gate_exps.weight", {8, 5, 7}}, {"blk.0.ffn_up_exps.weight", {8, 5, 7}}}));
    expect_tensor(granite, "model.layers.0.block_sparse_moe.input_linear.weight", {8, 10, 7}, 1, 2);
}

TEST(GgufPublished, JoinsLatentKeysAndValues) {
    const PublishedTensors published = published_tensors(
        checkpoint("deepseek2", {{"blk.0.attn_k_b.weight", {16, 512, 128}}, {"blk.0.attn_v_b.weight", {16, 96, 512}}}));
    ASSERT_EQ(published.tensors.size(), 1U);
    expect_tensor(published, "model.layers.0.self_attn.kv_b_proj.weight", {16 * (128 + 96), 512}, 1, 2);
}

TEST(GgufPublished, TakesLatentKeysAndValuesForCopiesWhereTheWholeIsThere) {
    const PublishedTensors published =
        published_tensors(checkpoint("deepseek2", {{"blk.0.attn_kv_b.weight", {3584, 512}},
                                                   {"blk.0.attn_k_b.weight", {16, 512, 128}},
                                                   {"blk.0.attn_v_b.weight", {16, 96, 512}}}));
    ASSERT_EQ(published.tensors.size(), 1U);
    expect_tensor(published, "model.layers.0.self_attn.kv_b_proj.weight", {3584, 512});
    EXPECT_EQ(published.added, (std::vector<std::size_t>{1, 2}));
}

TEST(GgufPublished, CutsQueriesKeysAndValues) {
    Checkpoint gguf = checkpoint("chatglm", {{"blk.0.attn_qkv.weight", {4608, 4096}}, {"blk.0.attn_qkv.bias", {4608}}});
    EXPECT_EQ(published_tensors(gguf).tensors.at(0).name, "blk.0.attn_qkv.weight") << "without heads it cannot be cut";
    gguf.metadata["chatglm.attention.head_count"] = 32;
    gguf.metadata["chatglm.attention.head_count_kv"] = 2;
    const PublishedTensors published = published_tensors(gguf);
    ASSERT_EQ(published.tensors.size(), 6U);
    expect_tensor(published, "model.layers.0.self_attn.q_proj.weight", {4096, 4096});
    expect_tensor(published, "model.layers.0.self_attn.k_proj.weight", {256, 4096});
    expect_tensor(published, "model.layers.0.self_attn.v_proj.bias", {256});
}

TEST(GgufPublished, TurnsConv1dAndCutsHeads) {
    const PublishedTensors gpt2 = published_tensors(
        checkpoint("gpt2", {{"blk.0.attn_qkv.weight", {2304, 768}}, {"blk.0.attn_qkv.bias", {2304}}}));
    expect_tensor(gpt2, "transformer.h.0.attn.c_attn.weight", {768, 2304});
    expect_tensor(gpt2, "transformer.h.0.attn.c_attn.bias", {2304});
    const PublishedTensors stablelm =
        published_tensors(checkpoint("stablelm", {{"blk.0.attn_q_norm.weight", {32, 160}}}));
    expect_tensor(stablelm, "model.layers.0.self_attn.q_layernorm.norms.{h}.weight", {160}, 32);
}

TEST(GgufPublished, FalconsLaterDecoderHasOtherNamesForItsNorms) {
    expect_tensor(published_tensors(checkpoint("falcon", {{"blk.0.attn_norm.weight", {8}}})),
                  "transformer.h.0.input_layernorm.weight", {8});
    const PublishedTensors later =
        published_tensors(checkpoint("falcon", {{"blk.0.attn_norm.weight", {8}}, {"blk.0.attn_norm_2.weight", {8}}}));
    expect_tensor(later, "transformer.h.0.ln_mlp.weight", {8});
    expect_tensor(later, "transformer.h.0.ln_attn.weight", {8});
}

TEST(GgufPublished, ShapesThatDoNotFitKeepTheirNames) {
    const PublishedTensors published = published_tensors(checkpoint(
        "deepseek2",
        {{"blk.0.attn_k_b.weight", {16}}, {"blk.0.ffn_gate_exps.weight", {16}}, {"rope_freqs.weight", {64}}}));
    ASSERT_EQ(published.tensors.size(), 2U);
    EXPECT_EQ(published.tensors[0].name, "blk.0.attn_k_b.weight");
    EXPECT_EQ(published.tensors[1].name, "blk.0.ffn_gate_exps.weight");
    EXPECT_EQ(published.added, (std::vector<std::size_t>{2}));
    const PublishedTensors uneven = published_tensors(
        checkpoint("gpt-oss", {{"blk.0.ffn_gate_exps.weight", {4, 6, 8}}, {"blk.0.ffn_up_exps.weight", {4, 6, 9}}}));
    EXPECT_EQ(uneven.tensors.at(1).name, "blk.0.ffn_up_exps.weight");
}

}  // namespace
}  // namespace headcount
