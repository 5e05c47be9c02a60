// Mamba-2: a state in the place of attention in every layer, and no feed-forward (Dao & Gu 2024; transformers,
// modeling_mamba2.py).
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/state_space.hpp"

namespace headcount {
namespace mamba2 {

constexpr StateSpaceFields fields{.heads = "num_heads",
                                  .head_dim = "head_dim",
                                  .groups = "n_groups",
                                  .state = "state_size",
                                  .kernel = "conv_kernel",
                                  .conv_bias = "use_conv_bias",
                                  .bias = "use_bias",
                                  .expand = "expand",
                                  .usual_groups = 8,
                                  .usual_state = 128,
                                  .usual_head_dim = 64};

constexpr std::array modules = join(std::array<Module, 6>{{
                                        {0, "", ModuleKind::container, {}, "Mamba2ForCausalLM"},
                                        {1, "backbone", ModuleKind::container, {}, "Mamba2Model"},
                                        {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
                                        {2, "layers", ModuleKind::container, {}, "ModuleList"},
                                        {3, "{i}", ModuleKind::layer, {}, "Mamba2Block"},
                                        {4, "norm", ModuleKind::norm, Part::attention_norm, {}},
                                    }},
                                    state_space_modules("mixer", "Mamba2Mixer", "MambaRMSNormGated()"),
                                    std::array<Module, 2>{{
                                        {2, "norm_f", ModuleKind::norm, Part::final_norm, {}},
                                        {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
                                    }});

// How training starts and in which pieces the sum over tokens is made, but for the steps' limits, which are
// read with what is computed.
constexpr std::array<std::string_view, 12> ignored{
    "chunk_size",       "intermediate_size", "norm_before_gate", "rescale_prenorm_residual",
    "residual_in_fp32", "rms_norm",          "time_step_floor",  "time_step_limit",
    "time_step_max",    "time_step_min",     "time_step_rank",   "time_step_scale"};

// What the file has no word for: as it would be if some layers had it.
void set_absent_parts(ConfigReader& reader, Architecture& arch) {
    const std::int64_t head_dim = arch.layer.recurrence->head_dim;
    arch.layer.attention.head_dim = head_dim;
    arch.layer.attention.heads = arch.dim % head_dim == 0 ? arch.dim / head_dim : 1;
    arch.layer.feed_forward.width = four_times(reader, "hidden_size", arch.dim);
    arch.layer.feed_forward_layers = LayerSet::none();
}

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    arch.dim = reader.number({"hidden_size"}, 4096);
    arch.layers = reader.number({"num_hidden_layers"}, 64);
    arch.vocab = reader.number({"vocab_size"}, 32768);
    // No word of the type's own: a state has no limit. The first models were trained on so many tokens.
    arch.context = reader.number({"max_position_embeddings"}, 2048);
    arch.positions = Positions::none;
    arch.tied = reader.flag({"tie_word_embeddings"}, false);
    arch.norm.epsilon = reader.real({"layer_norm_epsilon"}, 1e-5);
    arch.layer.recurrence = read_state_space(reader, config, arch.dim, fields);
    set_absent_parts(reader, arch);
    arch.layer.feed_forward.activation = read_activation(reader, {"hidden_act"}, "silu");
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config{
        {"architectures", {"Mamba2ForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"num_hidden_layers", arch.layers},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation, "silu")},
        {"max_position_embeddings", arch.context},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
    write_state_space(config, arch, fields);
    return config;
}

constexpr ComputationType computing{.rest = read_step_limit};

}  // namespace mamba2

constexpr Family mamba2_family = gpt_like<mamba2_family, mamba2::read, mamba2::write, mamba2::computing>(
    "mamba2", "Mamba-2", mamba2::modules, {.norm_class = "Mamba2RMSNorm()", .ignored = mamba2::ignored});

}  // namespace headcount
