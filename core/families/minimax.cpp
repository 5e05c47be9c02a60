// MiniMax-01, whose every second layer has lightning attention, and MiniMax M3, in some of whose layers small heads
// choose which keys are looked at (transformers, modeling_minimax.py, modeling_minimax_m3_vl.py).
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace minimax {

constexpr DecoderClasses classes = classes_of<"MiniMax">;
constexpr auto experts = std::to_array<Module>({
    {5, "experts", ModuleKind::container, {}, "MiniMaxExperts"},
    {6, "{e}", ModuleKind::expert, {}, "MiniMaxBlockSparseTop2MLP"},
    {7, "w1", ModuleKind::linear, Part::expert_gate, {}},
    {7, "w2", ModuleKind::linear, Part::expert_down, {}},
    {7, "w3", ModuleKind::linear, Part::expert_up, {}},
    {6, "act_fn", ModuleKind::activation, {}, {}},
});
constexpr auto lightning_modules = std::to_array<Module>({
    {4, "self_attn", ModuleKind::container, {}, "MiniMaxLightningAttention"},
    {5, "norm", ModuleKind::norm, Part::state_norm, {}},
    fused({5, "qkv_proj", ModuleKind::linear, {Part::state_query, Part::state_key, Part::state_value}, {}},
          Fusing::by_group),
    {5, "out_proj", ModuleKind::linear, Part::state_output, {}},
    {5, "output_gate", ModuleKind::linear, Part::state_gate, {}},
});
constexpr std::array modules = decoder_modules(classes, attention_modules(classes.attention), lightning_modules,
                                               mixture_modules("block_sparse_moe", "MiniMaxSparseMoeBlock"),
                                               router_modules("gate", "MiniMaxTopKRouter"), experts, norm_modules);

// Its heads are as many and as wide as attention's.
void read(ConfigReader& reader, Architecture& arch) {
    constexpr std::array second{false, true};
    const std::int64_t width = bindings(arch, Input{})[Symbol::head_dim].value_or(1);
    Recurrence lightning{
        .state_dim = width,
        .heads = arch.layer.attention.heads,
        .head_dim = width,
        .kind = RecurrenceKind::lightning,
        .layers = reader.layers_with({"layer_types"}, "linear_attention", arch.layers, "full_attention")
                      .value_or(LayerSet::of(second))};
    const LayerSet full = without({}, lightning.layers, arch.layers);
    if (lightning.layers.count(arch.layers) > 0) arch.layer.recurrence = std::move(lightning);
    if (const std::optional<std::int64_t> size = reader.optional_number({"sliding_window"}))
        arch.layer.attention.window = AttentionWindow{.size = *size, .layers = full};
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    const LayerSet linear = arch.layer.recurrence ? arch.layer.recurrence->layers : LayerSet::none();
    config["layer_types"] = worded(linear, arch.layers, "linear_attention", "full_attention");
    config["sliding_window"] = arch.layer.attention.window ? nlohmann::ordered_json(arch.layer.attention.window->size)
                                                           : nlohmann::ordered_json();
}

// What transformers keeps of how fast its states fade.
std::vector<Extra> besides(const Architecture& arch) {
    if (!arch.layer.recurrence) return {};
    Besides more(arch);
    const Expr heads = Symbol::state_heads;
    const std::int64_t block = more.number("block_size", 256);
    return more.in_layers(Component::attention, arch.layer.recurrence->layers)
        .buffer("self_attn.slope_rate", {heads, 1, 1})
        .buffer("self_attn.query_decay", {heads, block, 1})
        .buffer("self_attn.key_decay", {heads, block, 1})
        .buffer("self_attn.diagonal_decay", {1, heads, block, block})
        .take();
}

void compute(ComputationReader& reader, Computation& computation) {
    const auto factors = [&](const std::string& of) {
        return Computation::NormedResidual::Factors{reader.positive(of + "_alpha_factor", 1),
                                                    reader.positive(of + "_beta_factor", 1)};
    };
    computation.read_norm_epsilon = 1e-6;
    computation.normed_residual = {factors("full_attn"), factors("linear_attn"), factors("mlp")};
}

constexpr LlamaType type{
    .called = {"minimax", "MiniMax", classes, modules},
    .usual = {.ffn_dim = 14336, .context = 131072},
    .kv_heads = 8,
    .qkv_bias_field = {},
    .norm = {.epsilon = 1e-5},
    .mixture = MixtureType{.experts_field = {"num_local_experts", "num_experts"}, .width_field = {}},
    .computing = {.rope_base = 1000000, .rest = compute},
    .numbers = "block_size",
    .ignored =
        "full_attn_alpha_factor full_attn_beta_factor linear_attn_alpha_factor linear_attn_beta_factor "
        "mlp_alpha_factor mlp_beta_factor",
    .besides = besides,
    .own = {read, write}};

}  // namespace minimax

constexpr Family minimax_family = llama_mixture<minimax::type>();

namespace minimax_m3 {

constexpr DecoderClasses classes{.causal_lm = "MiniMaxM3VLForCausalLM",
                                 .model = "MiniMaxM3VLTextModel",
                                 .layer = "MiniMaxM3VLDecoderLayer",
                                 .attention = "MiniMaxM3VLAttention",
                                 .feed_forward = "MiniMaxM3VLDenseMLP",
                                 .rotary = "MiniMaxM3VLRotaryEmbedding",
                                 .rms_norm = "MiniMaxM3VLRMSNorm"};
constexpr auto shared = std::to_array<Module>({
    {5, "shared_experts", ModuleKind::container, {}, classes.feed_forward},
    {6, "gate_up_proj", ModuleKind::linear, {Part::shared_gate, Part::shared_up}, {}},
    {6, "down_proj", ModuleKind::linear, Part::shared_down, {}},
});
constexpr std::array modules = decoder_modules(
    classes, attention_modules(classes.attention), fused_gate_modules(classes.feed_forward),
    mixture_modules("mlp", "MiniMaxM3VLSparseMoeBlock"), router_modules("gate", "MiniMaxM3VLTopKRouter"),
    correction_modules, linear_expert_modules("MiniMaxM3VLExperts"), shared, norm_modules);

// One flag a layer, under its older names too.
void read(ConfigReader& reader, Architecture& arch) {
    Mixture mixture;
    mixture.expert_dim = std::get<std::int64_t>(arch.layer.feed_forward.width);
    mixture.experts = reader.number({"num_local_experts", "num_experts"}, 128);
    mixture.experts_per_token = reader.number({"num_experts_per_tok"}, 4);
    mixture.correction_bias = true;
    set_shared_width(mixture, reader.number({"shared_intermediate_size"}, 3072));
    if (const auto flags = reader.layers_flagged({"moe_layer_freq"}, arch.layers)) mixture.layers = *flags;
    if (const auto words = reader.layers_with({"mlp_layer_types"}, "sparse", arch.layers, "dense"))
        mixture.layers = *words;
    arch.layer.mixture = std::move(mixture);
    arch.layer.feed_forward.width = reader.number({"dense_intermediate_size"}, 12288);
    const std::int64_t head_dim = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
    arch.layer.attention.rotary_dim = std::min(reader.number({"rotary_dim"}, 64), head_dim);
    if (said(reader.config(), "sparse_attention_config"))
        reader.reject("sparse_attention_config", "the older form of this object is not known here",
                      "give layer_types and the index_ fields");
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["dense_intermediate_size"] = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
    if (arch.layer.attention.rotary_dim) config["rotary_dim"] = *arch.layer.attention.rotary_dim;
    if (!arch.layer.mixture) return;
    config["intermediate_size"] = arch.layer.mixture->expert_dim;
    config["num_local_experts"] = arch.layer.mixture->experts;
    config["num_experts_per_tok"] = arch.layer.mixture->experts_per_token;
    config["shared_intermediate_size"] = shared_width(*arch.layer.mixture);
    config["mlp_layer_types"] = worded(arch.layer.mixture->layers, arch.layers, "sparse", "dense");
}

std::vector<Extra> besides(const Architecture& arch) {
    const LayerSet sparse = layers_called(arch, "layer_types", "minimax_m3_sparse").value_or(LayerSet::none());
    Besides more(arch);
    const std::int64_t heads = more.number("index_n_heads", 4), columns = more.number("index_head_dim", 128);
    if (sparse.count(arch.layers) == 0) return {};
    return more.in_layers(Component::attention, sparse)
        .linear("self_attn.indexer.q_proj", heads * columns, Symbol::dim)
        .linear("self_attn.indexer.k_proj", columns, Symbol::dim)
        .norm("self_attn.indexer.q_norm", columns)
        .norm("self_attn.indexer.k_norm", columns)
        .take();
}

// gpt-oss's gate; which keys small heads choose is not computed here.
void compute(ComputationReader& reader, Computation& computation) {
    computation.clamped_gate =
        ClampedGate{.alpha = reader.positive("swiglu_alpha", 1.702), .limit = reader.positive("swiglu_limit", 7)};
    reader.reject_uncompared("a gpt-oss");
}

constexpr LlamaType type{
    .called = {"minimax_m3_vl_text", "MiniMax M3, text", classes, modules},
    .usual = {.dim = 6144, .ffn_dim = 3072, .layers = 60, .heads = 64, .vocab = 200064, .context = 524288},
    .kv_heads = 4,
    .head_dim = 128,
    .qkv_bias_field = {},
    .qk_norm = QkNorm::per_head,
    .computing = {.rope_base = 5000000,
                  .norm_offset = 1,
                  .routing = {.scores = RouterScores::sigmoid, .normalized = true, .scaling = 2},
                  .routing_scale_field = "routed_scaling_factor",
                  .rest = compute},
    .numbers = "index_n_heads index_head_dim",
    .ignored = "index_block_size index_local_blocks index_topk_blocks layer_types",
    .besides = besides,
    .own = {read, write}};

}  // namespace minimax_m3

constexpr Family minimax_m3_vl_text_family = llama_like<minimax_m3::type>();

}  // namespace headcount
