// Inkling's text part: a convolution at every turn, and scores that a matrix of each distance moves (transformers,
// modeling_inkling.py).
#include <algorithm>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

namespace inkling {

constexpr DecoderClasses classes{.causal_lm = "InklingForCausalLM",
                                 .model = "InklingTextModel",
                                 .layer = "InklingDecoderLayer",
                                 .attention = "InklingAttention",
                                 .feed_forward = "InklingMLP",
                                 .rotary = {},
                                 .rms_norm = "InklingRMSNorm"};
constexpr auto norms = std::to_array<Module>({
    {2, "embed_tokens.embed_norm", ModuleKind::norm, Part::embedding_norm, {}},
    {2, "norm", ModuleKind::norm, Part::final_norm, {}},
});
constexpr auto head = std::to_array<Module>({{1, "lm_head", ModuleKind::linear, Part::output_head, {}}});
constexpr auto model = [] {
    const auto all = model_modules(classes);
    return std::array<Module, 5>{{all[0], all[1], all[2], all[5], all[6]}};
}();
constexpr std::array modules = join(model, norms, head);

void read(ConfigReader& reader, Architecture& arch) {
    arch.positions = Positions::none;
    arch.embedding_norm = true;
    arch.tied = false;  // whatever the file says
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.feed_forward_layers = LayerSet::none();
    for (const char* const field : {"dense_intermediate_size", "unpadded_vocab_size", "num_mtp_layers"})
        if (said(reader.config(), field))
            reader.reject(field, "what follows from this field is not known here", "leave it out");
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const nlohmann::json* local = said(arch.carried.object(), "local_layer_ids");
    const LayerSet sliding =
        layers_called(arch, "layer_types", "hybrid_sliding").value_or(layers_where(arch.layers, [&](auto layer) {
            if (!local || !local->is_array()) return (layer + 1) % 6 != 0;
            return std::ranges::any_of(*local, [&](const nlohmann::json& each) { return each == layer; });
        }));
    const std::int64_t dense_first = more.number("dense_mlp_idx", 0), kernel = more.number("conv_kernel_size", 4);
    const LayerSet dense =
        layers_called(arch, "mlp_layer_types", "dense").value_or(layers_where(arch.layers, [&](std::int64_t layer) {
            return layer < dense_first;
        }));
    const std::int64_t columns = more.number("d_rel", 16);
    const auto convolution = [&](const char* name, const Expr& width) {
        more.add(std::string(name) + ".conv1d.weight", {width, 1, kernel});
    };
    for (const bool window : {true, false}) {
        const Expr heads = window ? Expr(more.number("swa_num_attention_heads", 64)) : Expr(Symbol::heads);
        const Expr pairs = window ? Expr(more.number("swa_num_key_value_heads", 16)) : Expr(Symbol::kv_heads);
        const Expr size = window ? Expr(more.number("swa_head_dim", 128)) : Expr(Symbol::head_dim);
        const std::int64_t far = window ? more.number("sliding_window_size", 512) : more.number("rel_extent", 1024);
        more.in_layers(Component::attention, window ? sliding : without({}, sliding, arch.layers))
            .linear("self_attn.q_proj", heads * size, Symbol::dim)
            .linear("self_attn.k_proj", pairs * size, Symbol::dim)
            .linear("self_attn.v_proj", pairs * size, Symbol::dim)
            .linear("self_attn.r_proj", heads * columns, Symbol::dim)
            .linear("self_attn.o_proj", Symbol::dim, heads * size)
            .norm("self_attn.q_norm", size)
            .norm("self_attn.k_norm", size)
            .add("self_attn.rel_logits_proj.proj", {columns, far});
        convolution("self_attn.k_sconv", pairs * size);
        convolution("self_attn.v_sconv", pairs * size);
    }
    more.in_layers(Component::attention);
    convolution("attn_sconv", Symbol::dim);
    more.in_layers(Component::norm)
        .norm("input_layernorm", Symbol::dim)
        .norm("post_attention_layernorm", Symbol::dim)
        .in_layers(Component::feed_forward);
    convolution("mlp_sconv", Symbol::dim);
    more.in_layers(Component::feed_forward, dense)
        .linear("mlp.gate_proj", Symbol::ffn_dim, Symbol::dim)
        .linear("mlp.up_proj", Symbol::ffn_dim, Symbol::dim)
        .linear("mlp.down_proj", Symbol::dim, Symbol::ffn_dim)
        .add("mlp.global_scale", {1});
    const std::int64_t experts = more.number("n_routed_experts", 256), shared = more.number("n_shared_experts", 2);
    const std::int64_t width = more.number("moe_intermediate_size", 3072);
    return more.in_layers(Component::feed_forward, without({}, dense, arch.layers))
        .linear("mlp.gate", experts + shared, Symbol::dim)
        .add("mlp.gate.global_scale", {1})
        .buffer("mlp.gate.e_score_correction_bias", {experts})
        .add("mlp.experts.gate_up_proj", {experts, 2 * width, Symbol::dim})
        .add("mlp.experts.down_proj", {experts, Symbol::dim, width})
        .add("mlp.shared_experts.gate_proj", {shared, width, Symbol::dim})
        .add("mlp.shared_experts.up_proj", {shared, width, Symbol::dim})
        .add("mlp.shared_experts.down_proj", {shared, Symbol::dim, width})
        .take();
}

void compute(ComputationReader& reader, Computation& computation) {
    computation.logit_scale =
        1 / reader.positive("logits_mup_width_multiplier", reader.positive("embedding_multiplier", 24));
}

constexpr std::string_view ignored =
    "chain_hidden_post_norm conv_kernel_size d_rel dense_mlp_idx layer_types local_layer_ids log_scaling_alpha "
    "log_scaling_n_floor logits_mup_width_multiplier mlp_layer_types moe_intermediate_size mtp_hidden_states_first "
    "mtp_local_layer_ids n_routed_experts n_shared_experts num_experts_per_tok number_of_conv_states rel_extent "
    "rms_norm_eps_moe_gate shared_expert_sink sliding_window_size swa_head_dim swa_num_attention_heads "
    "swa_num_key_value_heads";
constexpr LlamaType type{
    .called = {"inkling_text", "Inkling, text", classes, modules},
    .usual = {.dim = 6144, .ffn_dim = 24576, .layers = 66, .heads = 64, .vocab = 201024, .context = 131072},
    .kv_heads = 8,
    .head_dim = 128,
    .qkv_bias_field = {},
    .computing = {.refused = "convolutions beside attention", .rest = compute},
    .numbers =
        "conv_kernel_size d_rel dense_mlp_idx moe_intermediate_size n_routed_experts n_shared_experts rel_extent "
        "sliding_window_size swa_head_dim swa_num_attention_heads swa_num_key_value_heads",
    .ignored = ignored,
    .besides = besides,
    .own = {read}};

}  // namespace inkling

constexpr Family inkling_text_family = llama_like<inkling::type>();

}  // namespace headcount
