// How configurations speak of Mamba-2's mixer (Dao & Gu 2024), beside attention or alone, and how checkpoints name it.
#pragma once

#include "core/families/computing.hpp"
#include "core/families/layout.hpp"

namespace headcount {

// Spellings, and what an absent field means. A spelling that is empty: there is no such field.
struct StateSpaceFields {
    std::string_view heads = "mamba_n_heads";
    std::string_view head_dim = "mamba_d_head";  // "auto", or absent where no size is given: what makes up the width
    std::string_view groups = "mamba_n_groups";
    std::string_view state = "mamba_d_state";
    std::string_view kernel = "mamba_d_conv";
    std::string_view conv_bias = "mamba_conv_bias";
    std::string_view bias = "mamba_proj_bias";
    std::string_view expand = "mamba_expand";  // all heads together are so many times as wide as the stream
    std::string_view width{};                  // or, where this says so, so wide; null leaves it to `expand`
    bool own_output_bias = false;              // `bias` says nothing of the output projection
    std::int64_t usual_heads = 128, usual_groups = 1, usual_state = 256;
    std::optional<std::int64_t> usual_head_dim{}, usual_width{};
};

// All but the layers that have it. An error where the heads do not make up the width that is said.
Recurrence read_state_space(ConfigReader& reader, std::int64_t dim, const StateSpaceFields& fields);
void write_state_space(nlohmann::ordered_json& config, const Architecture& arch, const StateSpaceFields& fields);

// The layers called "linear_attention", or "mamba" as older files say; the others have attention. Nothing where the
// file has no such list.
std::optional<LayerSet> read_state_layers(ConfigReader& reader, std::int64_t layers);

// The least and the largest step (time_step_limit), no limits where the file says none.
void read_step_limit(ComputationReader& reader, Computation& computation);

// What changes no shape and no number, but for the steps' limits, which are read with what is computed.
inline constexpr std::string_view state_space_ignored =
    "mamba_chunk_size mamba_expand num_logits_to_keep time_step_limit z_loss_coefficient";

// A mixer's module with what is in it, whose gated norm is of this class.
constexpr auto state_space_modules(std::string_view name, std::string_view mixer, std::string_view norm) {
    return std::to_array<Module>({
        {4, name, ModuleKind::container, {}, mixer},
        {5, "dt_bias", ModuleKind::bare, Part::step_bias, {}},
        {5, "A_log", ModuleKind::bare, Part::decay_rate, {}},
        {5, "D", ModuleKind::bare, Part::state_skip, {}},
        {5, "act", ModuleKind::activation, {}, {}},
        {5, "conv1d", ModuleKind::convolution, {Part::convolved_value, Part::convolved_key, Part::convolved_query}, {}},
        {5,
         "in_proj",
         ModuleKind::linear,
         {Part::state_gate, Part::state_value, Part::state_key, Part::state_query, Part::state_step},
         {}},
        {5, "norm", ModuleKind::norm, Part::state_norm, norm},
        {5, "out_proj", ModuleKind::linear, Part::state_output, {}},
    });
}

}  // namespace headcount
