// DBRX (Databricks 2024): a mixture in every layer, whose experts' rows lie behind one another in one matrix each; the
// sizes of attention and experts stand in objects of their own (transformers, modeling_dbrx.py).
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"

namespace headcount {
namespace dbrx {

constexpr auto modules = std::to_array<Module>({
    {0, "", ModuleKind::container, {}, "DbrxForCausalLM"},
    {1, "transformer", ModuleKind::container, {}, "DbrxModel"},
    {2, "rotary_emb", ModuleKind::rotary, {}, "DbrxRotaryEmbedding"},
    {2, "wte", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "blocks", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "DbrxBlock"},
    {4, "norm_attn_norm", ModuleKind::container, {}, "DbrxNormAttentionNorm"},
    {5, "norm_1", ModuleKind::norm, Part::attention_norm, {}},
    {5, "attn", ModuleKind::container, {}, "DbrxAttention"},
    {6, "Wqkv", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}},
    {6, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "norm_2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "ffn", ModuleKind::container, {}, "DbrxFFN"},
    {5, "router", ModuleKind::container, {}, "DbrxRouter"},
    {6, "layer", ModuleKind::linear, Part::router, {}},
    {5, "experts", ModuleKind::container, {}, "DbrxExperts"},
    {6, "mlp", ModuleKind::container, {}, "DbrxExpertGLU"},
    {7, "w1", ModuleKind::stacked_rows, Part::expert_gate, {}},
    {7, "v1", ModuleKind::stacked_rows, Part::expert_up, {}},
    {7, "w2", ModuleKind::stacked_rows_in, Part::expert_down, {}},
    {2, "norm_f", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});

void keep_error(ConfigReader& reader, std::string_view field, const ConfigReader& of) {
    if (of.error()) reader.reject(field, of.error()->what, of.error()->fix);
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json& config = reader.config();
    if (reader.flag({"tie_word_embeddings"}, false))
        reader.reject("tie_word_embeddings", "the output head of this type has weights of its own", "set it to false");
    const nlohmann::json of_attention = object_said(config, "attn_config"),
                         of_experts = object_said(config, "ffn_config");
    for (const char* const group : {"attn_config", "ffn_config"}) {
        reader.object({group});
        reader.carry(group);  // what it says besides is computed with
    }
    if (!said(of_attention, "rope_theta"))
        reader.reject("attn_config", "no rope_theta stands there, without which transformers builds no such model",
                      "give it with kv_n_heads, such as {\"kv_n_heads\": 8, \"rope_theta\": 500000}");
    ConfigReader attention(of_attention);
    arch.layer.attention.kv_heads = attention.number({"kv_n_heads"}, 1);
    keep_error(reader, "attn_config", attention);
    ConfigReader experts(of_experts);
    Mixture mixture;
    mixture.expert_dim = experts.number({"ffn_hidden_size"}, 3584);
    mixture.experts = experts.number({"moe_num_experts"}, 4);
    mixture.experts_per_token = experts.number({"moe_top_k"}, 1);
    arch.layer.feed_forward.width = mixture.expert_dim;
    if (const nlohmann::json* function = experts.object({"ffn_act_fn"})) {
        ConfigReader named(*function);
        arch.layer.feed_forward.activation = read_activation(named, {"name"}, "silu");
        keep_error(reader, "ffn_config", named);
    }
    keep_error(reader, "ffn_config", experts);
    arch.layer.mixture = std::move(mixture);
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const Mixture mixture = arch.layer.mixture.value_or(Mixture{});
    nlohmann::ordered_json attention = object_said(arch.carried.object(), "attn_config");
    attention["kv_n_heads"] = kv_heads(arch);
    nlohmann::ordered_json experts = object_said(arch.carried.object(), "ffn_config");
    experts["ffn_hidden_size"] = mixture.expert_dim;
    experts["moe_num_experts"] = mixture.experts;
    experts["moe_top_k"] = mixture.experts_per_token;
    experts["ffn_act_fn"] = {{"name", activation_name(arch.layer.feed_forward.activation)}};
    config["attn_config"] = std::move(attention);
    config["ffn_config"] = std::move(experts);
    config["tie_word_embeddings"] = false;
}

void compute(ComputationReader& reader, Computation& computation) {
    const nlohmann::json of_attention = object_said(reader.arch().carried.object(), "attn_config");
    const nlohmann::json of_experts = object_said(reader.arch().carried.object(), "ffn_config");
    ConfigReader attention(of_attention), experts(of_experts);
    computation.clip_qkv = attention.positive({"clip_qkv"});
    const double power = experts.real({"moe_normalize_expert_weights"}, 1);
    const bool none =
        of_experts.contains("moe_normalize_expert_weights") && !said(of_experts, "moe_normalize_expert_weights");
    computation.routing.normalized = !none;
    if (attention.error()) reader.reject("attn_config", attention.error()->what, attention.error()->fix);
    if (experts.error() || (!none && power != 1))
        reader.reject("ffn_config", "weights of experts that do not add up to 1 are not computed here",
                      "give moe_normalize_expert_weights 1 or null");
}

constexpr ComputationType computing{.routing = {.scores = RouterScores::softmax, .normalized = true}, .rest = compute};

constexpr PlainType type{.called = {"dbrx", "DBRX", modules},
                         .words = {.dim = {"d_model", "hidden_size"},
                                   .layers = {"n_layers", "num_hidden_layers"},
                                   .heads = {"n_heads", "num_attention_heads"},
                                   .context = {"max_seq_len", "max_position_embeddings"},
                                   .width = {},
                                   .activation = {},
                                   .epsilon = {},
                                   .tied = {}},
                         .usual = {.dim = 2048, .layers = 24, .heads = 16, .vocab = 32000, .context = 2048},
                         .activation = "silu",
                         .norm = {.kind = NormKind::layer, .epsilon = 1e-5},
                         .tied = false,
                         .gated = true,
                         .biases = false,
                         .computing = computing,
                         .own = {read_rest, write_rest},
                         .rest = {.ignored = "attn_config ffn_config"}};

}  // namespace dbrx

constexpr Family dbrx_family = plain_family<dbrx::type>();

}  // namespace headcount
