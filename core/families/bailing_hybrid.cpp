// Ling 2.6's hybrid: latent attention with a gate in every sixth layer, in the others Kimi's delta attention, which is
// known here by its tensors alone (transformers, modeling_bailing_hybrid.py).
#include "core/families/besides.hpp"
#include "core/families/deepseek.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace bailing {

constexpr DecoderClasses classes = classes_of<"BailingHybrid">;
constexpr auto attention = std::to_array<Module>({
    {4, "attention", ModuleKind::container, {}, classes.attention},
    {5, "q_proj", ModuleKind::linear, Part::query, {}, {}, Part::query_down},
    {5, "q_a_proj", ModuleKind::linear, Part::query_down, {}},
    {5, "q_a_layernorm", ModuleKind::norm, Part::query_down_norm, {}},
    {5, "q_b_proj", ModuleKind::linear, Part::query, {}, Part::query_down, {}},
    {5, "kv_a_proj_with_mqa", ModuleKind::linear, Part::latent_down, {}},
    {5, "kv_a_layernorm", ModuleKind::norm, Part::latent_norm, {}},
    {5, "kv_b_proj", ModuleKind::linear, Part::latent_up, {}},
    {5, "dense", ModuleKind::linear, Part::attention_output, {}},
});
constexpr auto correction =
    std::to_array<Module>({{5, "gate.expert_bias", ModuleKind::buffer, Part::router_correction, {}}});
constexpr auto model = renamed(model_modules(classes), "embed_tokens", "word_embeddings");
constexpr std::array modules = join(
    model, attention, gated_modules(classes.feed_forward), mixture_modules("mlp", "BailingHybridMoE"),
    expert_modules("BailingHybridExperts", classes.feed_forward), router_modules("gate", "BailingHybridTopkRouter"),
    correction, shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules,
    output_modules(classes.rotary));

void read(ConfigReader& reader, Architecture& arch) {
    arch.context = reader.number({"model_max_length", "max_position_embeddings"}, 262144);
    arch.tied = false;  // whatever the file says
    Attention& attention = arch.layer.attention;
    attention.kv_heads.reset();
    attention.latent = read_latent(reader, Latent{});
    const LayerSet rule = LayerSet::every(read_step(reader, {"layer_group_size"}, 6));
    arch.layer.mixer_layers =
        reader.layers_with({"layer_types"}, "full_attention", arch.layers, "linear_attention").value_or(rule);
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["model_max_length"] = arch.context;
    if (arch.layer.attention.latent) write_latent(config, *arch.layer.attention.latent);
    if (arch.layers <= LayerSet::longest)
        config["layer_types"] = worded(arch.layer.mixer_layers, arch.layers, "full_attention", "linear_attention");
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const LayerSet linear = without({}, arch.layer.mixer_layers, arch.layers);
    // A file that transformers wrote has these sizes under names of their own, and another one as head_dim.
    const std::int64_t columns = more.number("linear_head_dim", more.number("head_dim", 128));
    const std::int64_t kernel = more.number("linear_conv_kernel_dim", more.number("short_conv_kernel_size", 4));
    const std::int64_t given = more.number("linear_num_heads", arch.layer.attention.heads);
    const Expr heads = given == arch.layer.attention.heads ? Expr(Symbol::heads) : Expr(given), all = heads * columns;
    more.in_layers(Component::norm, linear).norm("input_layernorm", Symbol::dim);
    more.in_layers(Component::attention, linear);
    for (const char* const matrix : {"q_proj", "k_proj", "v_proj", "f_proj", "g_proj"})
        more.linear(std::string("attention.") + matrix, all, Symbol::dim);
    for (const char* const convolution : {"q_conv1d", "k_conv1d", "v_conv1d"})
        more.add(std::string("attention.") + convolution + ".weight", {all, 1, kernel});
    return more.linear("attention.b_proj", heads, Symbol::dim)
        .linear("attention.dense", Symbol::dim, all)
        .norm("attention.o_norm", columns)
        .add("attention.A_log", {heads})
        .add("attention.dt_bias", {all})
        .in_layers(Component::attention, arch.layer.mixer_layers)
        .linear("attention.g_proj", Symbol::heads, Symbol::dim)
        .take();
}

// Of what is not computed, or of layers that predict further tokens, which transformers reads past.
constexpr std::string_view ignored =
    "kda_lower_bound kda_safe_gate mla_use_nope moe_layer_freq moe_renormalize "
    "moe_router_activation_func mtp_loss_scaling_factor num_expert_group num_nextn_predict_layers "
    "use_grouped_topk";
constexpr std::array bare_rewritten = std::to_array<Rewritten>({{"word_embeddings", "embed_tokens"}});
constexpr LlamaType type{
    .called = {"bailing_hybrid", "Ling hybrid", classes, modules},
    .usual = {.dim = 2560, .ffn_dim = 6144, .layers = 42, .vocab = 157184},
    .head_dim_field = {},
    .mixture = MixtureType{.experts_field = {"num_experts", "num_local_experts", "n_routed_experts"},
                           .per_token_field = {"num_experts_per_token", "num_experts_per_tok"},
                           .shared_field = {"num_shared_experts", "n_shared_experts"},
                           .dense_first_field = {"first_k_dense_replace"},
                           .has_types = true,
                           .experts = 512,
                           .experts_per_token = 8,
                           .width = 768,
                           .shared = 1,
                           .dense_first = 2,
                           .correction_bias = true,
                           .expert_bias = false},
    .computing = changed(deepseek::refused_like_v3("layers with delta attention"),
                         [](ComputationType& own) { own.rope_base = 6000000; }),
    .padding = 156892,
    .numbers = "head_dim linear_conv_kernel_dim linear_head_dim linear_num_heads short_conv_kernel_size",
    .ignored = ignored,
    .besides = besides,
    .own = {read, write},
    .bare_rewritten = bare_rewritten};

}  // namespace bailing

constexpr Family bailing_hybrid_family = llama_like<bailing::type>();

}  // namespace headcount
