// Types with little but the stream that is known here by more than its tensors: CPM-Ant, whose scores are moved by
// segments and distances; XLNet (Yang et al. 2019), which looks at distances by a matrix of their own; Inkling, with
// convolutions at every turn (transformers, modeling_cpmant.py, modeling_xlnet.py, modeling_inkling.py).
#include "core/base/checked.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/own_tensors.hpp"

namespace headcount {

namespace cpmant {

constexpr std::array<Module, 22> modules{{
    {0, "", ModuleKind::container, {}, "CpmAntForCausalLM"},
    {1, "cpmant", ModuleKind::container, {}, "CpmAntModel"},
    {2, "encoder", ModuleKind::container, {}, "CpmAntEncoder"},
    {3, "layers", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, "CpmAntTransformerBlock"},
    {5, "self_att", ModuleKind::container, {}, "CpmAntSelfAttentionBlock"},
    {6, "layernorm_before_attention", ModuleKind::norm, Part::attention_norm, {}},
    {6, "self_attention", ModuleKind::container, {}, "CpmAntAttention"},
    {7, "project_q", ModuleKind::linear, Part::query, {}},
    {7, "project_k", ModuleKind::linear, Part::key, {}},
    {7, "project_v", ModuleKind::linear, Part::value, {}},
    {7, "attention_out", ModuleKind::linear, Part::attention_output, {}},
    {5, "ffn", ModuleKind::container, {}, "CpmAntFFNBlock"},
    {6, "layernorm_before_ffn", ModuleKind::norm, Part::feed_forward_norm, {}},
    {6, "ffn", ModuleKind::container, {}, "CpmAntFeedForward"},
    {7, "w_in", ModuleKind::container, {}, "CpmAntDenseGatedACT"},
    {8, "w_0", ModuleKind::linear, Part::gate, {}},
    {8, "w_1", ModuleKind::linear, Part::up, {}},
    {7, "w_out", ModuleKind::linear, Part::down, {}},
    {3, "output_layernorm", ModuleKind::norm, Part::final_norm, {}},
    {2, "input_embedding", ModuleKind::embedding, Part::token_embedding, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"hidden_size"}, 4096);
    arch.layers = reader.number({"num_hidden_layers"}, 48);
    arch.vocab = reader.number({"vocab_size"}, 30720);
    arch.positions = Positions::none;
    arch.norm.epsilon = reader.real({"eps"}, 1e-6);
    arch.layer.attention.heads = reader.number({"num_attention_heads"}, 32);
    arch.layer.attention.head_dim = reader.number({"dim_head"}, 128);
    arch.layer.feed_forward = {.activation = Activation::gelu, .width = reader.number({"dim_ff"}, 10240)};
    const std::optional<std::int64_t> prompts =
        checked_multiply(reader.number({"prompt_types"}, 32, 0), reader.number({"prompt_length"}, 32, 0));
    if (!prompts) reader.reject("prompt_types", "so many rows of prompts do not fit in 64 bits", "give fewer");
    arch.extra_rows = prompts.value_or(0);
    reader.flag({"tie_word_embeddings"}, false);  // which is read past: the head has weights of its own
}

nlohmann::ordered_json write(const Architecture& arch) {
    return {
        {"architectures", {"CpmAntForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", arch.layer.attention.heads},
        {"dim_head", bindings(arch, Input{})[Symbol::head_dim].value_or(0)},
        {"dim_ff", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"prompt_types", 1},
        {"prompt_length", arch.extra_rows},
        {"eps", arch.norm.epsilon},
    };
}

std::vector<OwnTensor> own(const Architecture& arch) {
    OwnTensors tensors(arch);
    const std::int64_t segments = tensors.number("segment_types", 32);
    const std::int64_t buckets = tensors.number("position_bias_num_buckets", 512);
    const Expr pairs = Expr(segments) * segments + buckets;
    return tensors.of_model(OwnTensor::Place::embedding)
        .linear("cpmant.segment_embedding", segments, Symbol::dim)
        .of_model(OwnTensor::Place::mixer)
        .add("cpmant.position_bias.relative_attention_bias", {pairs, Symbol::heads})
        .take();
}

constexpr std::array ignored = std::to_array<std::string_view>(
    {"dropout_p", "init_std", "position_bias_max_distance", "position_bias_num_buckets", "segment_types"});

}  // namespace cpmant

constexpr Family cpmant_family = [] {
    Family family = gpt_like<cpmant_family, cpmant::read, cpmant::write>("cpmant", "CPM-Ant", cpmant::modules);
    family.own = cpmant::own;
    family.ignored = cpmant::ignored;
    return family;
}();

namespace xlnet {

constexpr std::array<Module, 13> modules{{
    {0, "", ModuleKind::container, {}, "XLNetLMHeadModel"},
    {1, "transformer", ModuleKind::container, {}, "XLNetModel"},
    {2, "word_embedding", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layer", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "XLNetLayer"},
    {4, "rel_attn", ModuleKind::container, {}, "XLNetRelativeAttention"},
    {5, "layer_norm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "ff", ModuleKind::container, {}, "XLNetFeedForward"},
    {5, "layer_norm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
    {5, "layer_1", ModuleKind::linear, Part::up, {}},
    {5, "layer_2", ModuleKind::linear, Part::down, {}},
    {5, "activation_function", ModuleKind::activation, {}, {}},
    {1, "lm_loss", ModuleKind::linear, Part::output_head, {}},
}};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.dim = reader.number({"d_model", "hidden_size"}, 1024);
    arch.layers = reader.number({"n_layer", "num_hidden_layers"}, 24);
    arch.vocab = reader.number({"vocab_size", "n_token"}, 32000);
    arch.positions = Positions::none;
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.head_bias = true;
    arch.norm = layer_norm(reader.real({"layer_norm_eps"}, 1e-12));
    arch.norm.placement = NormPlacement::after_sum;
    arch.norm.final = false;
    arch.layer.own_mixers = LayerSet();
    arch.layer.attention.heads = reader.number({"n_head", "num_attention_heads"}, 16);
    const std::optional<std::int64_t> columns = reader.optional_number({"d_head"});
    const std::int64_t rule = std::max<std::int64_t>(1, arch.dim / arch.layer.attention.heads);
    arch.layer.attention.head_dim = columns.value_or(rule);
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"ff_activation"}, "gelu"),
                               .width = reader.number({"d_inner"}, 4096),
                               .bias = true};
}

nlohmann::ordered_json write(const Architecture& arch) {
    const Bindings values = bindings(arch, Input{});
    return {
        {"architectures", {"XLNetLMHeadModel"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"d_model", arch.dim},
        {"n_layer", arch.layers},
        {"n_head", arch.layer.attention.heads},
        {"d_head", values[Symbol::head_dim].value_or(0)},
        {"d_inner", values[Symbol::ffn_dim].value_or(0)},
        {"ff_activation", activation_name(arch.layer.feed_forward.activation)},
        {"layer_norm_eps", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

std::vector<OwnTensor> own(const Architecture& arch) {
    OwnTensors tensors(arch);
    const Expr heads = Symbol::heads, columns = Symbol::head_dim;
    tensors.in(LayerSet());
    for (const char* const matrix : {"q", "k", "v", "o", "r"})
        tensors.add(std::string("rel_attn.") + matrix, {Symbol::dim, heads, columns});
    for (const char* const bias : {"r_r_bias", "r_s_bias", "r_w_bias"})
        tensors.add(std::string("rel_attn.") + bias, {heads, columns});
    return tensors.add("rel_attn.seg_embed", {2, heads, columns})
        .of_model(OwnTensor::Place::embedding)
        .add("transformer.mask_emb", {1, 1, Symbol::dim})
        .take();
}

constexpr std::array ignored = std::to_array<std::string_view>(
    {"attn_type", "bi_data", "clamp_len", "end_n_top", "mem_len", "reuse_len", "same_length", "start_n_top",
     "summary_last_dropout", "untie_r", "use_mems_eval", "use_mems_train"});

}  // namespace xlnet

constexpr Family xlnet_family = [] {
    Family family = gpt_like<xlnet_family, xlnet::read, xlnet::write>("xlnet", "XLNet", xlnet::modules);
    family.padding = 5;
    family.own = xlnet::own;
    family.ignored = xlnet::ignored;
    return family;
}();

namespace inkling {

constexpr DecoderClasses classes{.causal_lm = "InklingForCausalLM",
                                 .model = "InklingTextModel",
                                 .layer = "InklingDecoderLayer",
                                 .attention = "InklingAttention",
                                 .feed_forward = "InklingMLP",
                                 .rotary = {},
                                 .rms_norm = "InklingRMSNorm"};
constexpr std::array<Module, 3> norms{{
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {2, "embed_tokens.embed_norm", ModuleKind::norm, Part::embedding_norm, {}},
    {2, "norm", ModuleKind::norm, Part::final_norm, {}},
}};
constexpr std::array<Module, 1> head{{{1, "lm_head", ModuleKind::linear, Part::output_head, {}}}};
constexpr auto model = [] {
    const auto all = model_modules(classes);
    return std::array<Module, 5>{{all[0], all[1], all[2], all[5], all[6]}};
}();
constexpr std::array modules = join(model, norms, head);

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    arch.positions = Positions::none;
    arch.embedding_norm = true;
    arch.tied = false;  // whatever the file says
    arch.layer.own_mixers = LayerSet();
    arch.layer.feed_forward_layers = LayerSet::none();
    for (const char* const field : {"dense_intermediate_size", "unpadded_vocab_size", "num_mtp_layers"})
        if (said(config, field)) reader.reject(field, "what follows from this field is not known here", "leave it out");
}

// The layers that a list names so, or the rule.
LayerSet called(const Architecture& arch, std::string_view list, std::string_view word,
                const std::function<bool(std::int64_t)>& rule) {
    const nlohmann::json* words = said(arch.carried.object(), list);
    return layers_where(arch.layers, [&](std::int64_t layer) {
        const auto at = static_cast<std::size_t>(layer);
        if (words && words->is_array()) return at < words->size() && (*words)[at] == word;
        return rule(layer);
    });
}

std::vector<OwnTensor> own(const Architecture& arch) {
    using Place = OwnTensor::Place;
    OwnTensors tensors(arch);
    const nlohmann::json* local = said(arch.carried.object(), "local_layer_ids");
    const LayerSet sliding = called(arch, "layer_types", "hybrid_sliding", [&](std::int64_t layer) {
        if (!local || !local->is_array()) return (layer + 1) % 6 != 0;
        return std::ranges::any_of(*local, [&](const nlohmann::json& each) { return each == layer; });
    });
    const std::int64_t dense_first = tensors.number("dense_mlp_idx", 0), kernel = tensors.number("conv_kernel_size", 4);
    const LayerSet dense =
        called(arch, "mlp_layer_types", "dense", [&](std::int64_t layer) { return layer < dense_first; });
    const std::int64_t columns = tensors.number("d_rel", 16);
    const auto convolution = [&](const char* name, const Expr& width) {
        tensors.add(std::string(name) + ".conv1d.weight", {width, 1, kernel});
    };
    for (const bool window : {true, false}) {
        const Expr heads = window ? Expr(tensors.number("swa_num_attention_heads", 64)) : Expr(Symbol::heads);
        const Expr pairs = window ? Expr(tensors.number("swa_num_key_value_heads", 16)) : Expr(Symbol::kv_heads);
        const Expr size = window ? Expr(tensors.number("swa_head_dim", 128)) : Expr(Symbol::head_dim);
        const std::int64_t far =
            window ? tensors.number("sliding_window_size", 512) : tensors.number("rel_extent", 1024);
        tensors.in(window ? sliding : without({}, sliding, arch.layers))
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
    tensors.in(LayerSet());
    convolution("attn_sconv", Symbol::dim);
    tensors.in(LayerSet(), Place::feed_forward).norm("post_attention_layernorm", Symbol::dim);
    convolution("mlp_sconv", Symbol::dim);
    tensors.in(dense, Place::feed_forward)
        .linear("mlp.gate_proj", Symbol::ffn_dim, Symbol::dim)
        .linear("mlp.up_proj", Symbol::ffn_dim, Symbol::dim)
        .linear("mlp.down_proj", Symbol::dim, Symbol::ffn_dim)
        .add("mlp.global_scale", {1});
    const std::int64_t experts = tensors.number("n_routed_experts", 256),
                       shared = tensors.number("n_shared_experts", 2);
    const std::int64_t width = tensors.number("moe_intermediate_size", 3072);
    return tensors.in(without({}, dense, arch.layers), Place::feed_forward)
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

constexpr LlamaType type{.type = "inkling_text",
                         .name = "Inkling, text",
                         .classes = classes,
                         .modules = modules,
                         .dim = 6144,
                         .ffn_dim = 24576,
                         .layers = 66,
                         .heads = 64,
                         .kv_heads = 8,
                         .head_dim = 128,
                         .vocab = 201024,
                         .context = 131072,
                         .qkv_bias_field = {},
                         .read_rest = read};
constexpr std::array ignored = std::to_array<std::string_view>({"chain_hidden_post_norm",
                                                                "conv_kernel_size",
                                                                "d_rel",
                                                                "dense_mlp_idx",
                                                                "layer_types",
                                                                "local_layer_ids",
                                                                "log_scaling_alpha",
                                                                "log_scaling_n_floor",
                                                                "logits_mup_width_multiplier",
                                                                "mlp_layer_types",
                                                                "moe_intermediate_size",
                                                                "mtp_hidden_states_first",
                                                                "mtp_local_layer_ids",
                                                                "n_routed_experts",
                                                                "n_shared_experts",
                                                                "num_experts_per_tok",
                                                                "rel_extent",
                                                                "rms_norm_eps_moe_gate",
                                                                "shared_expert_sink",
                                                                "sliding_window_size",
                                                                "swa_head_dim",
                                                                "swa_num_attention_heads",
                                                                "swa_num_key_value_heads"});

}  // namespace inkling

constexpr Family inkling_text_family = [] {
    Family family = llama_like<inkling_text_family, inkling::type>();
    family.own = inkling::own;
    family.ignored = inkling::ignored;
    return family;
}();

}  // namespace headcount
