// Mamba-2: a state in the place of attention in every layer, and no feed-forward (Dao & Gu 2024; transformers,
// modeling_mamba2.py).
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"
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

constexpr std::array modules = join(std::to_array<Module>({
                                        {0, "", ModuleKind::container, {}, "Mamba2ForCausalLM"},
                                        {1, "backbone", ModuleKind::container, {}, "Mamba2Model"},
                                        {2, "embeddings", ModuleKind::embedding, Part::token_embedding, {}},
                                        {2, "layers", ModuleKind::container, {}, "ModuleList"},
                                        {3, "{i}", ModuleKind::layer, {}, "Mamba2Block"},
                                        {4, "norm", ModuleKind::norm, Part::attention_norm, {}},
                                    }),
                                    state_space_modules("mixer", "Mamba2Mixer", "MambaRMSNormGated()"),
                                    std::to_array<Module>({
                                        {2, "norm_f", ModuleKind::norm, Part::final_norm, {}},
                                        {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
                                    }));

// How training starts and in which pieces the sum over tokens is made, but for the steps' limits, which are
// read with what is computed.
constexpr std::string_view ignored =
    "chunk_size intermediate_size norm_before_gate rescale_prenorm_residual residual_in_fp32 rms_norm time_step_floor "
    "time_step_limit time_step_max time_step_min time_step_rank time_step_scale";

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.layer.recurrence = read_state_space(reader, arch.dim, fields);
    set_absent_parts(arch.layer, arch.dim, arch.layer.recurrence->head_dim);
}

constexpr ComputationType computing{.rest = read_step_limit};

constexpr PlainType type{
    .called = {"mamba2", "Mamba-2", modules},
    .words = state_words,
    .usual = {.dim = 4096, .layers = 64, .vocab = 32768, .context = 2048},
    .activation = "silu",
    .norm = {.epsilon = 1e-5},
    .tied = false,
    .gated = true,
    .biases = false,
    .positions = Positions::none,
    .computing = computing,
    .own = {read_rest, [](auto& config, const auto& arch) { write_state_space(config, arch, fields); }},
    .rest = {.norm_class = "Mamba2RMSNorm()", .ignored = ignored}};

}  // namespace mamba2

constexpr Family mamba2_family = known_to_peft(plain_family<mamba2::type>(), {.fused_states = true});

}  // namespace headcount
