// Zamba2 (Zyphra 2024): Mamba-2's mixer in every layer, and before some a
// transformer's layer that all of those share, which reads the stream beside
// the embedded tokens; it is counted, and not computed (transformers,
// modeling_zamba2.py).
#include <algorithm>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/state_space.hpp"

namespace headcount {
namespace zamba2 {

constexpr StateSpaceFields fields{.heads = "n_mamba_heads",
                                  .head_dim = {},
                                  .groups = "mamba_ngroups",
                                  .conv_bias = {},
                                  .bias = "add_bias_linear",
                                  .usual_heads = 8,
                                  .usual_state = 64};

// Where a layer has what is shared, its mixer and norm stand one module deeper.
constexpr auto mixer_modules(std::string_view mixer, std::string_view norm, bool shared) {
    auto modules = join(state_space_modules(mixer, "Zamba2MambaMixer", "Zamba2RMSNormGated()"),
                        std::array<Module, 1>{{{4, norm, ModuleKind::norm, Part::attention_norm, {}}}});
    for (Module& module : modules) (shared ? module.with : module.without) = Part::beside;
    return modules;
}

constexpr std::array modules = join(std::array<Module, 5>{{
                                        {0, "", ModuleKind::container, {}, "Zamba2ForCausalLM"},
                                        {1, "model", ModuleKind::container, {}, "Zamba2Model"},
                                        {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
                                        {2, "layers", ModuleKind::container, {}, "ModuleList"},
                                        {3, "{i}", ModuleKind::layer, {}, "Zamba2MambaDecoderLayer"},
                                    }},
                                    mixer_modules("mamba", "input_layernorm", false),
                                    mixer_modules("mamba_decoder.mamba", "mamba_decoder.input_layernorm", true),
                                    std::array<Module, 2>{{
                                        {2, "final_layernorm", ModuleKind::norm, Part::final_norm, {}},
                                        {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
                                    }});

// The layers with what is shared where a file lists none.
bool is_usual_hybrid(std::int64_t layer) {
    return (layer > 0 && layer % 6 == 0 && layer <= 42) || layer == 47 || layer == 51;
}

// Those that the carried list names.
LayerSet hybrid_layers(const Architecture& arch) {
    const LayerSet usual = layers_where(arch.layers, is_usual_hybrid);
    return layers_called(arch, "layers_block_type", "hybrid", layers_called(arch, "layer_types", "hybrid", usual));
}

constexpr std::array numbers =
    std::to_array<std::string_view>({"adapter_rank", "attention_head_dim", "attention_hidden_size", "num_mem_blocks"});

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    arch.dim = reader.number({"hidden_size"}, 2560);
    arch.layers = reader.number({"num_hidden_layers"}, 54);
    arch.vocab = reader.number({"vocab_size"}, 32000);
    arch.context = reader.number({"max_position_embeddings"}, 4096);
    arch.positions = Positions::none;
    arch.tied = reader.flag({"tie_word_embeddings"}, true);
    arch.norm.epsilon = reader.real({"rms_norm_eps"}, 1e-5);
    Layer& layer = arch.layer;
    layer.attention.heads = reader.number({"num_attention_heads"}, 32);
    layer.attention.kv_heads = reader.optional_number({"num_key_value_heads"});
    const std::optional<std::int64_t> width = reader.optional_number({"intermediate_size"});
    layer.feed_forward.width = width ? *width : four_times(reader, "hidden_size", arch.dim);
    layer.feed_forward.activation = read_activation(reader, {"hidden_act"}, "gelu");
    layer.feed_forward_layers = LayerSet::none();
    layer.recurrence = read_state_space(reader, config, arch.dim, fields);
    layer.recurrence->conv_bias = true;
    carry_numbers(reader, numbers);
    carry_flag(reader, "use_shared_attention_adapter", false);
    if (arch.layers > LayerSet::longest)
        reader.reject("num_hidden_layers", "so many layers of this type cannot be told apart", "give fewer");
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config{
        {"architectures", {"Zamba2ForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", arch.layer.attention.heads},
        {"num_key_value_heads", kv_heads(arch)},
        {"intermediate_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation)},
        {"max_position_embeddings", arch.context},
        {"rms_norm_eps", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
    write_state_space(config, arch, fields);
    return config;
}

// What the layers share is stored with the first of them: in as many forms as
// there are, each with a narrow way beside its matrices for every layer that
// uses it.
std::vector<Extra> besides(const Architecture& arch) {
    using Place = Extra::Place;
    Besides besides(arch);
    const LayerSet hybrid = hybrid_layers(arch);
    constexpr std::int64_t most_forms = 16;
    const std::int64_t forms = std::clamp<std::int64_t>(besides.number("num_mem_blocks", 1), 1, most_forms);
    const std::int64_t rank = besides.number("adapter_rank", 128);
    const bool adapts = besides.flag("use_shared_attention_adapter", false);
    const bool bias = arch.layer.recurrence && arch.layer.recurrence->bias;
    const std::int64_t rule = 2 * arch.dim, given = besides.number("attention_hidden_size", rule);
    const std::int64_t head =
        besides.number("attention_head_dim", rule / std::max<std::int64_t>(1, arch.layer.attention.heads));
    const Expr both = given == rule ? Expr(2) * Symbol::dim : Expr(given), queries = Expr(Symbol::heads) * head;
    const Expr keys = Expr(Symbol::kv_heads) * head, wide = Expr(2) * Symbol::ffn_dim;
    besides.in_layers(Place::feed_forward, hybrid).linear("linear", Symbol::dim, Symbol::dim);
    const std::int64_t uses = hybrid.count(arch.layers);
    std::int64_t form = 0;
    for (std::int64_t layer = 0; layer < arch.layers && form < forms; ++layer) {
        if (!hybrid.contains(layer)) continue;
        const LayerSet here = layers_where(arch.layers, [&](std::int64_t each) { return each == layer; });
        const std::string shared = "shared_transformer.";
        const auto narrow = [&](const std::string& name, std::int64_t use, const Expr& outputs, const Expr& inputs) {
            const std::string list = shared + name + "_adapter_list." + std::to_string(use);
            besides.linear(list + ".0", rank, inputs).linear(list + ".1", outputs, rank);
        };
        besides.in_layers(Place::attention, here)
            .linear(shared + "self_attn.q_proj", queries, both)
            .linear(shared + "self_attn.k_proj", keys, both)
            .linear(shared + "self_attn.v_proj", keys, both)
            .linear(shared + "self_attn.o_proj", Symbol::dim, queries)
            .norm(shared + "input_layernorm", both);
        for (std::int64_t use = form; adapts && use < uses; use += forms)
            for (const char* const matrix : {"linear_q", "linear_k", "linear_v"})
                narrow(std::string("self_attn.") + matrix, use, both, both);
        besides.in_layers(Place::feed_forward, here)
            .linear(shared + "feed_forward.gate_up_proj", wide, Symbol::dim, bias)
            .linear(shared + "feed_forward.down_proj", Symbol::dim, Symbol::ffn_dim, bias)
            .norm(shared + "pre_ff_layernorm", Symbol::dim);
        for (std::int64_t use = form; use < uses; use += forms)
            narrow("feed_forward.gate_up_proj", use, wide, Symbol::dim);
        ++form;
    }
    return besides.take();
}

constexpr ComputationType computing{.refused = "what layers of this type share"};
constexpr std::array ignored =
    std::to_array<std::string_view>({"adapter_rank",          "attention_head_dim",
                                     "attention_hidden_size", "chunk_size",
                                     "hybrid_layer_ids",      "kv_channels",
                                     "layer_types",           "layers_block_type",
                                     "mamba_conv_bias",       "mamba_headdim",
                                     "num_logits_to_keep",    "num_mem_blocks",
                                     "num_query_groups",      "time_step_floor",
                                     "time_step_max",         "time_step_min",
                                     "use_conv_bias",         "use_long_context",
                                     "use_mamba_kernels",     "use_mem_eff_path",
                                     "use_mem_rope",          "use_shared_attention_adapter"});

}  // namespace zamba2

constexpr Family zamba2_family = gpt_like<zamba2_family, zamba2::read, zamba2::write, zamba2::computing>(
    "zamba2", "Zamba2", zamba2::modules,
    {.norm_class = "Zamba2RMSNorm()", .besides = zamba2::besides, .ignored = zamba2::ignored});

}  // namespace headcount
