// A model's facts as config.json, in the spelling of each model_type (transformers, configuration_*.py).
#include <algorithm>
#include <array>
#include <iterator>

#include "core/checkpoints/model_facts.hpp"

namespace headcount {
namespace {

using nlohmann::json;

// What the sizes are called; a name that is empty: the type has no such field, or several.
struct Spelling {
    std::array<std::string_view, 3> types;
    std::string_view width, layers, heads, context, ffn_dim, epsilon;
};
constexpr Spelling spellings[] = {
    {{"gpt2", "gptj", "gpt_bigcode"}, "n_embd", "n_layer", "n_head", "n_positions", "n_inner", "layer_norm_epsilon"},
    {{"bloom"}, "hidden_size", "n_layer", "n_head", "", "", "layer_norm_epsilon"},
    {{"falcon"},
     "hidden_size",
     "num_hidden_layers",
     "num_attention_heads",
     "max_position_embeddings",
     "ffn_hidden_size",
     "layer_norm_epsilon"},
    {{"mpt"}, "d_model", "n_layers", "n_heads", "max_seq_len", "", "layer_norm_epsilon"},
    {{"opt"}, "hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings", "ffn_dim", ""},
};
constexpr Spelling llama_spelling{
    {}, "hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings", "intermediate_size", ""};

class Config {
  public:
    explicit Config(const ModelFacts& facts) : facts_(facts) {}
    json write();

  private:
    bool is(std::initializer_list<std::string_view> types) const {
        return std::find(types.begin(), types.end(), facts_.type) != types.end();
    }
    // What is not known, or has no name there, is left out.
    template <class Value>
    void put(std::string_view name, const std::optional<Value>& value) {
        if (value && !name.empty()) config_[std::string(name)] = *value;
    }
    std::optional<double> rotary_share() const;
    Number shared_experts() const;
    void sizes();
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
    sizes();
    if (is({"gptj"})) put("rotary_dim", facts_.rope_dim);
    if (is({"gpt_bigcode"})) config_["multi_query"] = facts_.kv_heads == 1;
    if (is({"falcon"})) falcon();
    if (is({"mpt"})) mpt();
    if (is({"opt"})) opt();
    if (!is({"gpt2", "gptj", "gpt_bigcode", "bloom", "falcon", "mpt", "opt"})) like_llama();
    if (!facts_.guesses.empty()) config_["_headcount_guesses"] = facts_.guesses;
    return std::move(config_);
}

std::optional<double> Config::rotary_share() const {
    if (!facts_.rope_dim || !facts_.head_dim || *facts_.head_dim < 1) return std::nullopt;
    return static_cast<double>(*facts_.rope_dim) / static_cast<double>(*facts_.head_dim);
}

void Config::sizes() {
    const auto* found = std::find_if(std::begin(spellings), std::end(spellings), [&](const Spelling& each) {
        return std::find(each.types.begin(), each.types.end(), facts_.type) != each.types.end();
    });
    const Spelling& names = found == std::end(spellings) ? llama_spelling : *found;
    put(names.width, facts_.width);
    put(names.layers, facts_.layers);
    put(names.heads, facts_.heads);
    put(names.context, facts_.context);
    put(names.ffn_dim, facts_.ffn_dim);
    put(names.epsilon, facts_.epsilon);
}

void Config::falcon() {
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
    if (facts_.ffn_dim && facts_.width && *facts_.width > 0 && *facts_.ffn_dim % *facts_.width == 0)
        config_["expansion_ratio"] = *facts_.ffn_dim / *facts_.width;
    config_["no_bias"] = !facts_.query_bias;
    config_["attn_config"] = {{"alibi", !facts_.learned_positions}, {"qk_ln", facts_.query_norm}};
    if (facts_.kv_heads && facts_.kv_heads != facts_.heads) config_["attn_config"]["kv_n_heads"] = *facts_.kv_heads;
}

void Config::opt() {
    put("word_embed_proj_dim", facts_.embedding_width ? facts_.embedding_width : facts_.width);
    config_["do_layer_norm_before"] = facts_.final_norm;
    config_["enable_bias"] = facts_.query_bias;
}

void Config::like_llama() {
    put("num_key_value_heads", facts_.kv_heads ? facts_.kv_heads : facts_.heads);
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
