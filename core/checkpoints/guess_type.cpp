// Which family of models has tensors with these names.
#include <algorithm>

#include "core/checkpoints/guess.hpp"

namespace headcount {
namespace {

using Shape = TensorIndex::Shape;

// The families whose layers are "transformer.h" or have their own word for it.
std::string outside_llama(const TensorIndex& tensors) {
    if (const Shape* joined = tensors.find({"*.attn.c_attn.weight"}))  // Conv1D's is [in, out]
        return joined->size() == 2 && joined->front() * 3 == joined->back() ? "gpt2" : "gpt_bigcode";
    if (tensors.has({"*.attn.q_proj.weight"})) return "gptj";
    if (tensors.has({"*.self_attention.query_key_value.weight"})) {
        const bool normed =
            tensors.has({"transformer.word_embeddings_layernorm.weight", "word_embeddings_layernorm.weight"});
        return normed ? "bloom" : "falcon";
    }
    if (tensors.has({"*.attention.query_key_value.weight"})) return "gpt_neox";
    if (tensors.has({"*.attn.Wqkv.weight"})) return "mpt";
    if (tensors.has({"*.self_attn_layer_norm.weight"})) return "opt";
    return {};
}

std::string mixture(const TensorIndex& tensors) {
    if (tensors.has({"*.block_sparse_moe.experts.{e}.w1.weight"}))
        return tensors.has({"*.input_layernorm.bias"}) ? "phimoe" : "mixtral";
    if (tensors.has({"*.block_sparse_moe.input_linear.weight"})) return "granitemoe";
    if (tensors.has({"*.feed_forward.experts.gate_up_proj"})) return "llama4_text";
    if (tensors.has({"*.self_attn.sinks", "*.mlp.router.weight"})) return "gpt_oss";
    if (!tensors.has({"*.mlp.experts.{e}.gate_proj.weight"})) return {};
    if (tensors.has({"*.mlp.shared_expert_gate.weight"})) return "qwen2_moe";
    if (tensors.has({"*.mlp.gate.e_score_correction_bias"})) return "glm4_moe";
    if (const Shape* norm = tensors.find({"*.self_attn.q_norm.weight"})) {
        const Shape* query = tensors.find({"*.self_attn.q_proj.weight"});
        return query && !query->empty() && !norm->empty() && norm->front() == query->front() ? "olmoe" : "qwen3_moe";
    }
    return tensors.has({"*.mlp.shared_experts.gate_proj.weight"}) ? "deepseek" : std::string();
}

std::string unlike_llama(const TensorIndex& tensors) {
    if (tensors.has({"*.self_attn.dense.weight"}) && tensors.has({"*.mlp.fc1.weight"})) return "phi";
    if (tensors.has({"*.mlp.c_fc.weight"})) return "starcoder2";
    if (tensors.has({"*.self_attn.qkv_proj.weight"})) return "phi3";
    if (tensors.has({"*.post_self_attn_layernorm.weight"})) return "glm4";
    if (tensors.has({"*.mlp.gate_up_proj.weight"})) return "glm";
    if (tensors.has({"*.pre_feedforward_layernorm.weight"}))
        return tensors.has({"*.self_attn.q_norm.weight"}) ? "gemma3_text" : "gemma2";
    if (tensors.has({"*.post_feedforward_layernorm.weight"})) {
        // EXAONE 4 norms each head by itself, OLMo all of them together.
        const Shape* norm = tensors.find({"*.self_attn.q_norm.weight"});
        const Shape* query = tensors.find({"*.self_attn.q_proj.weight"});
        const bool each = norm && query && !norm->empty() && !query->empty() && norm->front() < query->front();
        return each ? "exaone4" : "olmo2";
    }
    if (tensors.has({"*.self_attn.q_layernorm.norms.{e}.weight"})) return "stablelm";
    if (tensors.has({"*.input_layernorm.bias"}))
        return tensors.has({"*.mlp.gate_proj.weight"}) ? "stablelm" : "nemotron";
    if (!tensors.has({"*.input_layernorm.weight"})) return "olmo";
    return {};
}

}  // namespace

std::string guess_type(const TensorIndex& tensors, std::vector<std::string>& guesses) {
    if (std::string type = outside_llama(tensors); !type.empty()) return type;
    if (tensors.has({"*.self_attn.kv_a_proj_with_mqa.weight"}))
        return tensors.has({"*.mlp.gate.e_score_correction_bias"}) ? "deepseek_v3" : "deepseek_v2";
    if (!tensors.has({"*.self_attn.q_proj.weight", "*.self_attn.qkv_proj.weight"})) return {};
    if (std::string type = mixture(tensors); !type.empty()) return type;
    if (!tensors.has({"*.mlp.down_proj.weight", "*.mlp.fc2.weight", "*.mlp.c_proj.weight"})) return {};
    if (std::string type = unlike_llama(tensors); !type.empty()) {
        if (type == "olmo2") guesses.push_back("model_type olmo2 is a guess: OLMo 3's tensors have the same names");
        return type;
    }
    if (!tensors.has({"*.post_attention_layernorm.weight"})) {
        guesses.push_back("model_type cohere is a guess: Cohere 2's tensors have the same names");
        return "cohere";
    }
    if (tensors.has({"*.self_attn.q_norm.weight"})) return "qwen3";
    if (tensors.has({"*.self_attn.q_proj.bias"}) && !tensors.has({"*.self_attn.o_proj.bias"})) return "qwen2";
    const Shape* words = tensors.find({"model.embed_tokens.weight"});
    if (words && !words->empty() && words->front() == 256000 && !tensors.has({"lm_head.weight"})) {
        guesses.push_back("model_type gemma is a guess from the 256,000 words: LLaMA's tensors have the same names");
        return "gemma";
    }
    guesses.push_back("model_type llama is a guess: Mistral's, Granite's and others' tensors have the same names");
    return "llama";
}

}  // namespace headcount
