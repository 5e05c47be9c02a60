// A model's facts as config.json, as each model_type spells it (transformers, configuration_*.py).
#include <span>
#include <variant>

#include "core/base/text.hpp"
#include "core/checkpoints/model_facts.hpp"

namespace headcount {
namespace {

using nlohmann::json;

// What types call a fact: the first line of it that names the type counts, or names none. With no name of it: the type
// has no such field, or several.
using Fact = std::variant<Number ModelFacts::*, std::optional<double> ModelFacts::*, bool ModelFacts::*>;
struct FactWord {
    std::string_view name;
    Fact fact;
    std::string_view types = {};  // with spaces between them
};
constexpr std::string_view early = "bloom falcon gpt2 gptj gpt_bigcode mpt opt";  // not laid out as LLaMA
constexpr FactWord fact_words[] = {
    {"n_embd", &ModelFacts::width, "gpt2 gptj gpt_bigcode"},
    {"d_model", &ModelFacts::width, "mpt"},
    {"hidden_size", &ModelFacts::width},
    {"n_layer", &ModelFacts::layers, "bloom gpt2 gptj gpt_bigcode"},
    {"n_layers", &ModelFacts::layers, "mpt"},
    {"num_hidden_layers", &ModelFacts::layers},
    {"n_head", &ModelFacts::heads, "bloom gpt2 gptj gpt_bigcode"},
    {"n_heads", &ModelFacts::heads, "mpt"},
    {"num_attention_heads", &ModelFacts::heads},
    {"", &ModelFacts::context, "bloom"},
    {"n_positions", &ModelFacts::context, "gpt2 gptj gpt_bigcode"},
    {"max_seq_len", &ModelFacts::context, "mpt"},
    {"max_position_embeddings", &ModelFacts::context},
    {"", &ModelFacts::ffn_dim, "bloom mpt"},
    {"n_inner", &ModelFacts::ffn_dim, "gpt2 gptj gpt_bigcode"},
    {"ffn_hidden_size", &ModelFacts::ffn_dim, "falcon"},
    {"ffn_dim", &ModelFacts::ffn_dim, "opt"},
    {"intermediate_size", &ModelFacts::ffn_dim},
    {"", &ModelFacts::epsilon, "olmo opt"},
    {"layer_norm_epsilon", &ModelFacts::epsilon, "bloom falcon gpt2 gptj gpt_bigcode mpt"},
    {"layer_norm_eps", &ModelFacts::epsilon, "cohere cohere2 gpt_neox phi stablelm"},
    {"norm_eps", &ModelFacts::epsilon, "nemotron"},
    {"norm_epsilon", &ModelFacts::epsilon, "starcoder2"},
    {"rms_norm_eps", &ModelFacts::epsilon},
    {"", &ModelFacts::theta, "bloom gpt2 gptj gpt_bigcode mpt opt"},
    {"rotary_emb_base", &ModelFacts::theta, "gpt_neox"},
    {"rope_theta", &ModelFacts::theta},
    {"rotary_dim", &ModelFacts::rope_dim, "gptj"},
    {"", &ModelFacts::window, early},
    {"sliding_window", &ModelFacts::window},
    {"attention_bias", &ModelFacts::query_bias,
     "afmoe apertus arcee cohere cohere2 eurobert gemma gemma2 gemma3_text glm glm4 glm4_moe gpt_neox gpt_oss granite "
     "granitemoe granitemoe_swa granitemoeshared hunyuan_v1_dense hunyuan_v1_moe hy_v3 llama nemotron olmo olmo2 olmoe "
     "phimoe qwen3 qwen3_moe seed_oss"},
    {"bias", &ModelFacts::query_bias, "falcon"},
    {"enable_bias", &ModelFacts::query_bias, "opt"},
    {"use_bias", &ModelFacts::query_bias, "ernie4_5 ernie4_5_moe starcoder2"},
    {"use_qkv_bias", &ModelFacts::query_bias, "stablelm"},
    {"attention_out_bias", &ModelFacts::output_bias, "seed_oss"},
    {"mlp_bias", &ModelFacts::ffn_bias, "arcee granite llama nemotron"},
    {"use_qk_norm", &ModelFacts::query_norm, "cohere glm4_moe"},
    {"qk_layernorm", &ModelFacts::query_norm, "phi stablelm"},
    {"lm_head_bias", &ModelFacts::head_bias, "phimoe"},
    {"use_parallel_residual", &ModelFacts::parallel, "gpt_neox"},
    {"do_layer_norm_before", &ModelFacts::final_norm, "opt"},
};

// ... of a mixture. Where nothing else is said as in Mixtral, whose experts are as wide as intermediate_size says.
constexpr std::string_view like_deepseek = "deepseek deepseek_v2 deepseek_v3 dots1 exaone_moe glm4_moe";
constexpr FactWord mixture_words[] = {
    {"moe_num_experts", &ModelFacts::experts, "ernie4_5_moe"},
    {"n_routed_experts", &ModelFacts::experts, "deepseek deepseek_v2 deepseek_v3 dots1 glm4_moe"},
    {"num_experts", &ModelFacts::experts, "afmoe exaone_moe hunyuan_v1_moe hy_v3 olmoe qwen2_moe qwen3_moe"},
    {"num_local_experts", &ModelFacts::experts},
    {"moe_k", &ModelFacts::experts_used, "ernie4_5_moe"},
    {"moe_topk", &ModelFacts::experts_used, "hunyuan_v1_moe"},
    {"num_experts_per_tok", &ModelFacts::experts_used},
    {"moe_intermediate_size", &ModelFacts::expert_dim,
     "afmoe deepseek deepseek_v2 deepseek_v3 dots1 ernie4_5_moe exaone_moe glm4_moe hy_v3 qwen2_moe qwen3_moe"},
    {"intermediate_size", &ModelFacts::expert_dim},
    {"route_scale", &ModelFacts::routed_scale, "afmoe"},
    {"router_scaling_factor", &ModelFacts::routed_scale, "hy_v3"},
    {"routed_scaling_factor", &ModelFacts::routed_scale, like_deepseek},
    {"n_group", &ModelFacts::expert_groups, like_deepseek},
    {"topk_group", &ModelFacts::expert_groups_used, like_deepseek},
    {"shared_expert_intermediate_size", &ModelFacts::shared_dim, "qwen2_moe"},
    {"intermediate_size_mlp", &ModelFacts::ffn_dim, "llama4_text"},
};

class Config {
  public:
    explicit Config(const ModelFacts& facts) : facts_(facts) {}
    json write();

  private:
    bool is(std::string_view types) const { return is_word_of(types, facts_.type); }
    // What is not known is left out.
    template <class Value>
    void put(std::string_view name, const std::optional<Value>& value) {
        if (value) put(name, *value);
    }
    template <class Value>
    void put(std::string_view name, const Value& value) {
        config_[std::string(name)] = value;
    }
    void put_all(std::span<const FactWord> words);
    std::optional<double> rotary_share() const;
    Number shared_experts() const;
    void falcon();
    void mpt();
    void like_llama();
    void head_dim();
    void whole_models();
    void rotary();
    void mixture();
    void mixed_layers();
    void latent();

    const ModelFacts& facts_;
    json config_;
};

json Config::write() {
    config_ = {{"model_type", facts_.type}, {"tie_word_embeddings", facts_.tied}};
    put("vocab_size", facts_.vocab);
    put_all(fact_words);
    if (is("gpt_bigcode")) config_["multi_query"] = facts_.kv_heads == 1;
    if (is("falcon")) falcon();
    if (is("mpt")) mpt();
    if (is("opt")) put("word_embed_proj_dim", facts_.embedding_width ? facts_.embedding_width : facts_.width);
    if (!is(early)) like_llama();
    if (!facts_.guesses.empty()) config_["_headcount_guesses"] = facts_.guesses;
    return std::move(config_);
}

void Config::put_all(std::span<const FactWord> words) {
    std::optional<Fact> said;
    for (const FactWord& word : words) {
        if (said == word.fact || !(word.types.empty() || is(word.types))) continue;
        said = word.fact;
        if (!word.name.empty()) std::visit([&](auto fact) { put(word.name, facts_.*fact); }, word.fact);
    }
}

std::optional<double> Config::rotary_share() const {
    if (!facts_.rope_dim || !facts_.head_dim || *facts_.head_dim < 1) return std::nullopt;
    return static_cast<double>(*facts_.rope_dim) / static_cast<double>(*facts_.head_dim);
}

void Config::falcon() {
    const bool grouped = facts_.kv_heads && *facts_.kv_heads > 1 && facts_.kv_heads != facts_.heads;
    const bool later = facts_.two_norms || grouped;
    config_["new_decoder_architecture"] = later;
    if (later) {
        put("num_kv_heads", facts_.kv_heads);  // the earlier decoder has one or as many as queries
        config_["num_ln_in_parallel_attn"] = facts_.two_norms ? 2 : 1;
    }
    if (!later) config_["multi_query"] = facts_.kv_heads == 1;
    config_["parallel_attn"] = !facts_.second_norm;
}

void Config::mpt() {
    if (facts_.ffn_dim && facts_.width && *facts_.width > 0 && *facts_.ffn_dim % *facts_.width == 0)
        config_["expansion_ratio"] = *facts_.ffn_dim / *facts_.width;
    config_["no_bias"] = !facts_.query_bias;
    config_["attn_config"] = {{"alibi", !facts_.learned_positions}, {"qk_ln", facts_.query_norm}};
    if (facts_.kv_heads && facts_.kv_heads != facts_.heads) config_["attn_config"]["kv_n_heads"] = *facts_.kv_heads;
}

void Config::like_llama() {
    put("num_key_value_heads", facts_.kv_heads ? facts_.kv_heads : facts_.heads);
    if (is("stablelm")) config_["use_parallel_residual"] = !facts_.second_norm;
    whole_models();
    rotary();
    if (facts_.experts && *facts_.experts > 0) mixture();
    if (facts_.latent_rank)
        latent();
    else
        head_dim();
}

// Said by the types that have a field for it, and where it does not follow from the width.
void Config::head_dim() {
    const bool named =
        is("gemma gemma2 gemma3_text glm glm4 glm4_moe gpt_oss llama llama4_text mistral mixtral nemotron qwen3 "
           "qwen3_moe smollm3");
    const bool follows = facts_.heads && facts_.head_dim && facts_.width && *facts_.heads > 0 &&
                         *facts_.width % *facts_.heads == 0 && *facts_.width / *facts_.heads == *facts_.head_dim;
    if (named || !follows) put("head_dim", facts_.head_dim);
}

// Encoders, converted without a head.
void Config::whole_models() {
    if (is("gemma3_text") && facts_.sees_all) {
        config_["use_bidirectional_attention"] = true;
        config_["architectures"] = {"Gemma3TextModel"};
    }
    if (is("eurobert")) {
        config_["architectures"] = {"EuroBertModel"};
        config_["tie_word_embeddings"] = false;  // there is no head to share it with
    }
}

void Config::rotary() {
    const std::optional<double> share = rotary_share();
    if (is("gpt_neox")) put("rotary_pct", share);
    if (is("glm glm4 glm4_moe minimax_m2 nemotron phi stablelm") || (is("phi3") && share && *share < 1))
        put("partial_rotary_factor", share);
}

Number Config::shared_experts() const {
    if (facts_.shared_dim && facts_.expert_dim && *facts_.expert_dim > 0)
        return *facts_.shared_dim / *facts_.expert_dim;
    return facts_.shared_experts;
}

void Config::mixture() {
    put_all(mixture_words);
    const auto dense = static_cast<std::int64_t>(facts_.dense_layers.size());
    const std::int64_t shared = shared_experts().value_or(0);
    if (is(like_deepseek)) {
        put(is("exaone_moe") ? "num_shared_experts" : "n_shared_experts", shared);
        put("first_k_dense_replace", dense);
        put("norm_topk_prob", facts_.normalized_routing);
    }
    if (is("afmoe hy_v3")) put("num_shared_experts", shared);
    if (is("afmoe")) put("num_dense_layers", dense);
    if (is("ernie4_5_moe")) put("moe_num_shared_experts", shared);
    if (is("granitemoeshared granitemoe_swa")) put("shared_intermediate_size", facts_.shared_dim.value_or(0));
    if (is("qwen2_moe qwen3_moe")) {
        config_["mlp_only_layers"] = facts_.dense_layers;
        config_["decoder_sparse_step"] = 1;
    }
    mixed_layers();
}

// Which layers are mixtures, layer by layer.
void Config::mixed_layers() {
    json kinds = json::array(), mixed = json::array();
    for (std::int64_t layer = 0; layer < facts_.layers.value_or(0); ++layer) {
        const bool dense = facts_.dense_layers.contains(layer);
        kinds.push_back(dense ? "dense" : "sparse");
        if (!dense) mixed.push_back(layer);
    }
    if (is("hy_v3")) {
        config_["mlp_layer_types"] = std::move(kinds);
    } else if (is("llama4_text")) {
        config_["interleave_moe_layer_step"] = facts_.dense_layers.empty() ? 1 : 2;
        config_["moe_layers"] = std::move(mixed);
    } else if (is("ernie4_5_moe") && !mixed.empty()) {
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
