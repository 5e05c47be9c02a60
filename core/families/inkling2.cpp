// Inkling 2's text part: Inkling's convolutions and matrices of distances, and rows of their own by which what each
// sub-block reads is found among the sums of earlier layers (transformers, modeling_inkling2.py). Its layers are
// counted by their tensors alone.
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace inkling2 {

constexpr DecoderClasses classes = changed(classes_of<"Inkling2">, [](DecoderClasses& own) {
    own.model = "Inkling2TextModel";
    own.rotary = {};
});
constexpr auto rest = std::to_array<Module>({
    {2, "embed_tokens.embed_norm", ModuleKind::norm, Part::embedding_norm, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, classes.layer},
    {2, "norm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
});
constexpr auto start = [] {
    const auto all = model_modules(classes);
    return std::array<Module, 3>{{all[0], all[1], all[2]}};
}();
constexpr std::array modules = join(start, rest);

void read(ConfigReader& reader, Architecture& arch) {
    arch.positions = Positions::none;
    arch.embedding_norm = true;
    arch.tied = false;  // whatever the file says
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.feed_forward_layers = LayerSet::none();
    const std::int64_t width = std::get<std::int64_t>(arch.layer.feed_forward.width);
    arch.layer.feed_forward.width = reader.number({"moe_intermediate_size"}, width);
}

void add_attention(Besides& more, bool window, std::int64_t kernel) {
    const Expr heads = window ? Expr(more.number("swa_num_attention_heads", 48)) : Expr(Symbol::heads);
    const std::int64_t windowed_pairs = more.number("swa_num_key_value_heads", 8);
    const Expr pairs = window ? Expr(windowed_pairs) : Expr(Symbol::kv_heads);
    const Expr size = window ? Expr(more.number("swa_head_dim", 128)) : Expr(Symbol::head_dim), dim = Symbol::dim;
    const std::int64_t columns = more.number("d_rel", 16);
    const std::int64_t far = window ? more.number("sliding_window_size", more.number("sliding_window", 1024))
                                    : more.number("rel_extent", 1024);
    more.linear("self_attn.q_proj", heads * size, dim)
        .linear("self_attn.k_proj", pairs * size, dim)
        .linear("self_attn.v_proj", pairs * size, dim)
        .linear("self_attn.r_proj", heads * columns, dim)
        .linear("self_attn.o_proj", dim, heads * size)
        .linear("self_attn.gate_proj", heads * size, dim)
        .linear("self_attn.sink_proj", heads, dim)
        .add("self_attn.rel_logits_proj.proj", {columns, far})
        .add("self_attn.q_l2_clip.scale", {heads, size})
        .add("self_attn.rel_l2_clip.scale", {heads, columns});
    for (const char* const convolved : {"self_attn.k_sconv", "self_attn.v_sconv"}) {
        const std::string name = convolved;
        if (window)
            more.add(name + ".conv1d.weight", {pairs * size, 1, kernel});
        else
            more.add(name + ".static_weight", {kernel, pairs * size})
                .linear(name + ".weight_proj", pairs * kernel, dim);
    }
}

// What each sub-block reads is found by a row; queries, keys and values of layers without a window have one each.
void add_inputs(Besides& more, const LayerSet& windowed, std::int64_t layers) {
    const Expr dim = Symbol::dim;
    const LayerSet later = LayerSet::all_but_first(1), whole = without({}, windowed, layers);
    const LayerSet later_windowed = without(windowed, without({}, later, layers), layers);
    const LayerSet later_whole = without(whole, without({}, later, layers), layers);
    more.in_layers(Component::norm).add("mlp_input.query", {dim}).norm("post_attention_layernorm", dim);
    if (windowed.count(layers) > 0) more.in_layers(Component::norm, windowed).norm("input_layernorm", dim);
    if (later_windowed.count(layers) > 0)
        more.in_layers(Component::norm, later_windowed).add("attention_input.query", {dim});
    if (later_whole.count(layers) > 0)
        more.in_layers(Component::norm, later_whole).add("attention_input.query", {3, dim});
    if (whole.count(layers) > 0)
        for (const char* const read : {"q_input_layernorm", "k_input_layernorm", "v_input_layernorm"})
            more.in_layers(Component::norm, whole).norm(read, dim);
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t kernel = more.number("conv_kernel_size", more.number("sconv_kernel_size", 4));
    const std::int64_t experts = more.number("n_routed_experts", more.number("num_local_experts", 384));
    const LayerSet rule = layers_where(arch.layers, [](std::int64_t layer) { return (layer + 1) % 6 != 0; });
    const LayerSet windowed = layers_called(arch, "layer_types", "hybrid_sliding").value_or(rule);
    for (const bool window : {true, false}) {
        const LayerSet layers = window ? windowed : without({}, windowed, arch.layers);
        if (layers.count(arch.layers) > 0) add_attention(more.in_layers(Component::attention, layers), window, kernel);
    }
    add_inputs(more, windowed, arch.layers);
    const Expr dim = Symbol::dim, width = Symbol::ffn_dim;
    return more.in_layers(Component::attention)
        .add("post_attention_convolution.conv1d.weight", {dim, 1, kernel})
        .in_layers(Component::feed_forward)
        .add("post_mlp_convolution.conv1d.weight", {dim, 1, kernel})
        .linear("mlp.gate", experts, dim)
        .buffer("mlp.gate.e_score_correction_bias", {experts})
        .add("mlp.experts.gate_up_proj", {experts, Expr(2) * width, dim})
        .add("mlp.experts.down_proj", {experts, dim, width})
        .in_model(Component::norm)
        .add("final_input.query", {dim})
        .take();
}

constexpr std::string_view numbers =
    "conv_kernel_size d_rel n_routed_experts num_local_experts rel_extent sconv_kernel_size "
    "sliding_window sliding_window_size swa_head_dim swa_num_attention_heads swa_num_key_value_heads";
constexpr std::string_view ignored =
    "conv_kernel_size d_rel layer_types log_scaling_alpha log_scaling_n_floor mlp_gate_softcap "
    "mlp_up_softcap n_layers_per_attn_res_block n_routed_experts num_experts_per_tok num_local_experts "
    "number_of_conv_states qk_l2_clip_threshold rel_extent rel_l2_clip_threshold sconv_kernel_size "
    "sliding_window sliding_window_size swa_head_dim swa_num_attention_heads swa_num_key_value_heads "
    "unpadded_vocab_size";
constexpr LlamaType type{
    .called = {"inkling2_text", "Inkling 2, text", classes, modules},
    .usual = {.dim = 4608, .ffn_dim = 2304, .layers = 48, .heads = 48, .vocab = 201024, .context = 1048576},
    .kv_heads = 8,
    .head_dim = 128,
    .qkv_bias_field = {},
    .computing = {.refused = "convolutions beside attention"},
    .numbers = numbers,
    .ignored = ignored,
    .besides = besides,
    .own = {read}};

}  // namespace inkling2

constexpr Family inkling2_text_family = llama_like<inkling2::type>();

}  // namespace headcount
