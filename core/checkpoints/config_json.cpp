// A model's facts as config.json, in the spelling of each model_type (transformers, configuration_*.py).
#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/text.hpp"
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

// What the numbers of experts are called: where nothing else is said as in Mixtral, whose experts are as wide as
// intermediate_size says.
struct MixtureSpelling {
    std::array<std::string_view, 5> types{};
    std::string_view experts = "num_local_experts", width = "intermediate_size", shared{}, dense_first{}, scale{};
    std::string_view used = "num_experts_per_tok";
};
constexpr std::string_view own_width = "moe_intermediate_size", first_dense = "first_k_dense_replace",
                           routed = "routed_scaling_factor";
constexpr MixtureSpelling mixtures[] = {
    {{"deepseek", "deepseek_v2", "deepseek_v3", "glm4_moe", "dots1"},
     "n_routed_experts",
     own_width,
     "n_shared_experts",
     first_dense,
     routed},
    {{"exaone_moe"}, "num_experts", own_width, "num_shared_experts", first_dense, routed},
    {{"hy_v3"}, "num_experts", own_width, "num_shared_experts", {}, "router_scaling_factor"},
    {{"afmoe"}, "num_experts", own_width, "num_shared_experts", "num_dense_layers", "route_scale"},
    {{"qwen2_moe", "qwen3_moe"}, "num_experts", own_width},
    {{"olmoe"}, "num_experts"},
    {{"hunyuan_v1_moe"}, "num_experts", "intermediate_size", {}, {}, {}, "moe_topk"},
    {{"ernie4_5_moe"}, "moe_num_experts", own_width, "moe_num_shared_experts", {}, {}, "moe_k"},
};

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
    constexpr std::string_view says_attention_bias =
        "afmoe apertus arcee cohere cohere2 eurobert gemma gemma2 gemma3_text glm glm4 glm4_moe gpt_neox gpt_oss "
        "granite granitemoe granitemoe_swa granitemoeshared hunyuan_v1_dense hunyuan_v1_moe hy_v3 llama nemotron olmo "
        "olmo2 olmoe phimoe qwen3 qwen3_moe seed_oss";
    if (is_word_of(says_attention_bias, facts_.type)) config_["attention_bias"] = facts_.query_bias;
    if (is({"seed_oss"})) config_["attention_out_bias"] = facts_.output_bias;
    if (is({"llama", "granite", "nemotron", "arcee"})) config_["mlp_bias"] = facts_.ffn_bias;
    if (is({"starcoder2", "ernie4_5", "ernie4_5_moe"})) config_["use_bias"] = facts_.query_bias;
    if (is({"gemma3_text"}) && facts_.sees_all) {
        config_["use_bidirectional_attention"] = true;
        config_["architectures"] = {"Gemma3TextModel"};
    }
    if (is({"eurobert"})) {  // converted without a head, so that it has none to share
        config_["architectures"] = {"EuroBertModel"};
        config_["tie_word_embeddings"] = false;
    }
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
    if (is({"phi", "stablelm", "nemotron", "glm", "glm4", "glm4_moe", "minimax_m2"}) ||
        (is({"phi3"}) && share && *share < 1))
        put("partial_rotary_factor", share);
}

Number Config::shared_experts() const {
    if (facts_.shared_dim && facts_.expert_dim && *facts_.expert_dim > 0)
        return *facts_.shared_dim / *facts_.expert_dim;
    return facts_.shared_experts;
}

void Config::mixture() {
    const auto* found = std::ranges::find_if(mixtures, [&](const MixtureSpelling& each) {
        return std::ranges::find(each.types, facts_.type) != each.types.end();
    });
    const MixtureSpelling names = found == std::end(mixtures) ? MixtureSpelling{} : *found;
    const auto dense = static_cast<std::int64_t>(facts_.dense_layers.size());
    put(names.used, facts_.experts_used);
    put(names.experts, facts_.experts);
    put(names.width, facts_.expert_dim);
    if (!names.shared.empty()) config_[std::string(names.shared)] = shared_experts().value_or(0);
    if (!names.dense_first.empty()) config_[std::string(names.dense_first)] = dense;
    put(names.scale, facts_.routed_scale);
    if (names.scale == routed) {
        put("n_group", facts_.expert_groups);
        put("topk_group", facts_.expert_groups_used);
        put("norm_topk_prob", facts_.normalized_routing);
    }
    if (is({"qwen2_moe"})) put("shared_expert_intermediate_size", facts_.shared_dim);
    if (is({"granitemoeshared", "granitemoe_swa"})) config_["shared_intermediate_size"] = facts_.shared_dim.value_or(0);
    if (is({"hy_v3"}))
        for (std::int64_t layer = 0; layer < facts_.layers.value_or(0); ++layer)
            config_["mlp_layer_types"].push_back(facts_.dense_layers.contains(layer) ? "dense" : "sparse");
    if (is({"qwen2_moe", "qwen3_moe"})) {
        config_["mlp_only_layers"] = facts_.dense_layers;
        config_["decoder_sparse_step"] = 1;
    }
    if (!is({"llama4_text", "ernie4_5_moe"})) return;
    json mixed = json::array();
    for (std::int64_t layer = 0; layer < facts_.layers.value_or(0); ++layer)
        if (!facts_.dense_layers.contains(layer)) mixed.push_back(layer);
    if (is({"llama4_text"})) {
        put("intermediate_size_mlp", facts_.ffn_dim);
        config_["interleave_moe_layer_step"] = dense > 0 ? 2 : 1;
        config_["moe_layers"] = std::move(mixed);
    } else if (!mixed.empty()) {
        const auto first = mixed.front().get<std::int64_t>();
        config_["moe_layer_start_index"] = first;
        config_["moe_layer_end_index"] = mixed.back();
        config_["moe_layer_interval"] = mixed.size() > 1 ? mixed[1].get<std::int64_t>() - first : 1;
    }
}

// Here head_dim is all of a query's: what is rotated, and the rest.
void Config::latent() {
    if (facts_.query_bias) config_["attention_bias"] = true;
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
