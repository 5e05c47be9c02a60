// A model's facts as config.json, in the spelling of each model_type (transformers, configuration_*.py).
#include <algorithm>

#include "core/checkpoints/model_facts.hpp"

namespace headcount {
namespace {

using nlohmann::json;

class Config {
  public:
    explicit Config(const ModelFacts& facts) : facts_(facts) {}
    json write();

  private:
    bool is(std::initializer_list<std::string_view> types) const {
        return std::find(types.begin(), types.end(), facts_.type) != types.end();
    }
    void put(const char* name, const Number& value) {
        if (value) config_[name] = *value;
    }
    void put(const char* name, const std::optional<double>& value) {
        if (value) config_[name] = *value;
    }
    std::optional<double> rotary_share() const;
    Number shared_experts() const;
    void gpt2();
    void bloom();
    void falcon();
    void mpt();
    void opt();
    void like_llama();
    void norm_epsilon();
    void biases();
    void rotary();
    void mixture();
    void latent();

    const ModelFacts& facts_;
    json config_;
};

json Config::write() {
    config_ = {{"model_type", facts_.type}, {"tie_word_embeddings", facts_.tied}};
    put("vocab_size", facts_.vocab);
    if (is({"gpt2", "gptj", "gpt_bigcode"}))
        gpt2();
    else if (is({"bloom"}))
        bloom();
    else if (is({"falcon"}))
        falcon();
    else if (is({"mpt"}))
        mpt();
    else if (is({"opt"}))
        opt();
    else
        like_llama();
    if (!facts_.guesses.empty()) config_["_headcount_guesses"] = facts_.guesses;
    return std::move(config_);
}

std::optional<double> Config::rotary_share() const {
    if (!facts_.rope_dim || !facts_.head_dim || *facts_.head_dim < 1) return std::nullopt;
    return static_cast<double>(*facts_.rope_dim) / static_cast<double>(*facts_.head_dim);
}

void Config::gpt2() {
    put("n_embd", facts_.width);
    put("n_layer", facts_.layers);
    put("n_head", facts_.heads);
    put("n_positions", facts_.context);
    put("n_inner", facts_.ffn_dim);
    put("layer_norm_epsilon", facts_.epsilon);
    if (is({"gptj"})) put("rotary_dim", facts_.rope_dim);
    if (is({"gpt_bigcode"})) config_["multi_query"] = facts_.kv_heads == 1;
}

void Config::bloom() {
    put("hidden_size", facts_.width);
    put("n_layer", facts_.layers);
    put("n_head", facts_.heads);
    put("layer_norm_epsilon", facts_.epsilon);
}

void Config::falcon() {
    put("hidden_size", facts_.width);
    put("num_hidden_layers", facts_.layers);
    put("num_attention_heads", facts_.heads);
    put("ffn_hidden_size", facts_.ffn_dim);
    put("max_position_embeddings", facts_.context);
    put("layer_norm_epsilon", facts_.epsilon);
    put("rope_theta", facts_.theta);
    const bool grouped = facts_.kv_heads && *facts_.kv_heads > 1 && facts_.kv_heads != facts_.heads;
    const bool later = facts_.two_norms || grouped;
    config_["new_decoder_architecture"] = later;
    if (later) {
        put("num_kv_heads", facts_.kv_heads);  // the earlier decoder has one or as many as queries
        config_["num_ln_in_parallel_attn"] = facts_.two_norms ? 2 : 1;
    }
    if (!later) config_["multi_query"] = facts_.kv_heads == 1;
    config_["parallel_attn"] = !facts_.second_norm;
    config_["bias"] = facts_.query_bias;
}

void Config::mpt() {
    put("d_model", facts_.width);
    put("n_layers", facts_.layers);
    put("n_heads", facts_.heads);
    put("max_seq_len", facts_.context);
    put("layer_norm_epsilon", facts_.epsilon);
    if (facts_.ffn_dim && facts_.width && *facts_.width > 0 && *facts_.ffn_dim % *facts_.width == 0)
        config_["expansion_ratio"] = *facts_.ffn_dim / *facts_.width;
    config_["no_bias"] = !facts_.query_bias;
    config_["attn_config"] = {{"alibi", !facts_.learned_positions}, {"qk_ln", facts_.query_norm}};
    if (facts_.kv_heads && facts_.kv_heads != facts_.heads) config_["attn_config"]["kv_n_heads"] = *facts_.kv_heads;
}

void Config::opt() {
    put("hidden_size", facts_.width);
    put("word_embed_proj_dim", facts_.embedding_width ? facts_.embedding_width : facts_.width);
    put("num_hidden_layers", facts_.layers);
    put("num_attention_heads", facts_.heads);
    put("ffn_dim", facts_.ffn_dim);
    put("max_position_embeddings", facts_.context);
    config_["do_layer_norm_before"] = facts_.final_norm;
    config_["enable_bias"] = facts_.query_bias;
}

void Config::like_llama() {
    put("hidden_size", facts_.width);
    put("num_hidden_layers", facts_.layers);
    put("num_attention_heads", facts_.heads);
    put("num_key_value_heads", facts_.kv_heads ? facts_.kv_heads : facts_.heads);
    put("intermediate_size", facts_.ffn_dim);
    put("max_position_embeddings", facts_.context);
    put("sliding_window", facts_.window);
    norm_epsilon();
    biases();
    rotary();
    if (facts_.experts && *facts_.experts > 0) mixture();
    if (facts_.latent_rank) {
        latent();
        return;
    }
    const bool named = is({"llama", "mistral", "mixtral", "qwen3", "qwen3_moe", "gemma", "gemma2", "gemma3_text",
                           "gpt_oss", "llama4_text", "glm", "glm4", "glm4_moe", "nemotron", "smollm3"});
    const bool follows = facts_.heads && facts_.head_dim && facts_.width && *facts_.heads > 0 &&
                         *facts_.width % *facts_.heads == 0 && *facts_.width / *facts_.heads == *facts_.head_dim;
    if (named || !follows) put("head_dim", facts_.head_dim);
}

void Config::norm_epsilon() {
    if (is({"gpt_neox", "phi", "stablelm", "cohere", "cohere2"}))
        put("layer_norm_eps", facts_.epsilon);
    else if (is({"nemotron"}))
        put("norm_eps", facts_.epsilon);
    else if (is({"starcoder2"}))
        put("norm_epsilon", facts_.epsilon);
    else if (!is({"olmo"}))
        put("rms_norm_eps", facts_.epsilon);
}

void Config::biases() {
    if (is({"llama",    "qwen3",  "qwen3_moe", "cohere", "cohere2", "granite",    "granitemoe",
            "nemotron", "olmo",   "olmo2",     "olmoe",  "glm",     "glm4",       "glm4_moe",
            "gpt_oss",  "phimoe", "gpt_neox",  "gemma",  "gemma2",  "gemma3_text"}))
        config_["attention_bias"] = facts_.query_bias;
    if (is({"llama", "granite", "nemotron"})) config_["mlp_bias"] = facts_.ffn_bias;
    if (is({"starcoder2"})) config_["use_bias"] = facts_.query_bias;
    if (is({"cohere", "glm4_moe"})) config_["use_qk_norm"] = facts_.query_norm;
    if (is({"phimoe"})) config_["lm_head_bias"] = facts_.head_bias;
    if (is({"gpt_neox"})) config_["use_parallel_residual"] = facts_.parallel;
    if (is({"phi"})) config_["qk_layernorm"] = facts_.query_norm;
    if (!is({"stablelm"})) return;
    config_["use_qkv_bias"] = facts_.query_bias;
    config_["qk_layernorm"] = facts_.query_norm;
    config_["use_parallel_residual"] = !facts_.second_norm;
}

void Config::rotary() {
    if (is({"gpt_neox"})) {
        put("rotary_emb_base", facts_.theta);
        put("rotary_pct", rotary_share());
        return;
    }
    put("rope_theta", facts_.theta);
    const std::optional<double> share = rotary_share();
    if (is({"phi", "stablelm", "nemotron", "glm", "glm4", "glm4_moe"}) || (is({"phi3"}) && share && *share < 1))
        put("partial_rotary_factor", share);
}

Number Config::shared_experts() const {
    if (facts_.shared_dim && facts_.expert_dim && *facts_.expert_dim > 0)
        return *facts_.shared_dim / *facts_.expert_dim;
    return facts_.shared_experts;
}

void Config::mixture() {
    const auto dense = static_cast<std::int64_t>(facts_.dense_layers.size());
    put("num_experts_per_tok", facts_.experts_used);
    if (is({"deepseek", "deepseek_v2", "deepseek_v3", "glm4_moe"})) {
        put("n_routed_experts", facts_.experts);
        config_["n_shared_experts"] = shared_experts().value_or(0);
        put("moe_intermediate_size", facts_.expert_dim);
        put("n_group", facts_.expert_groups);
        put("topk_group", facts_.expert_groups_used);
        put("routed_scaling_factor", facts_.routed_scale);
        if (facts_.normalized_routing) config_["norm_topk_prob"] = *facts_.normalized_routing;
        config_["first_k_dense_replace"] = dense;
    } else if (is({"qwen2_moe", "qwen3_moe"})) {
        put("num_experts", facts_.experts);
        put("moe_intermediate_size", facts_.expert_dim);
        if (is({"qwen2_moe"})) put("shared_expert_intermediate_size", facts_.shared_dim);
        config_["mlp_only_layers"] = facts_.dense_layers;
        config_["decoder_sparse_step"] = 1;
    } else {
        put(is({"olmoe"}) ? "num_experts" : "num_local_experts", facts_.experts);
        if (is({"llama4_text"})) {
            put("intermediate_size_mlp", facts_.ffn_dim);
            json mixed = json::array();
            for (std::int64_t layer = 0; layer < facts_.layers.value_or(0); ++layer)
                if (!facts_.dense_layers.contains(layer)) mixed.push_back(layer);
            config_["moe_layers"] = std::move(mixed);
            config_["interleave_moe_layer_step"] = dense > 0 ? 2 : 1;
        }
        put("intermediate_size", facts_.expert_dim);
    }
}

// Here head_dim is all of a query's: what is rotated, and the rest.
void Config::latent() {
    config_["q_lora_rank"] = facts_.query_rank ? json(*facts_.query_rank) : json();
    put("kv_lora_rank", facts_.latent_rank);
    put("qk_rope_head_dim", facts_.rope_dim);
    put("v_head_dim", facts_.value_dim);
    if (facts_.head_dim && facts_.rope_dim) config_["qk_nope_head_dim"] = *facts_.head_dim - *facts_.rope_dim;
    put("num_key_value_heads", facts_.heads);
}

Error missing(std::string what, const char* field) {
    return {"the file does not say " + std::move(what), field, "open the model's config.json instead"};
}

}  // namespace

Result<json> config_json(const ModelFacts& facts) {
    if (!facts.width) return missing("how wide the model is", "hidden_size");
    if (!facts.layers) return missing("how many layers the model has", "num_hidden_layers");
    if (!facts.vocab) return missing("how many words the vocabulary has", "vocab_size");
    if (!facts.heads) return missing("how many heads attention has", "num_attention_heads");
    return Config(facts).write();
}

}  // namespace headcount
