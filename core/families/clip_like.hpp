// What encoders of images and of texts that were trained beside each other share (CLIP, Radford et al. 2021).
#pragma once

#include <array>

#include "core/families/layout.hpp"

namespace headcount {

// Below the module that holds the embeddings, too: layers (3), a layer (4), a sub-block (5), a matrix (6).
template <FixedText name>
constexpr auto clip_layer_modules = std::to_array<Module>({
    {2, "encoder", ModuleKind::container, {}, joined_name<name, "Encoder">},
    {3, "layers", ModuleKind::container, {}, "ModuleList"},
    {4, "{i}", ModuleKind::layer, {}, joined_name<name, "EncoderLayer">},
    {5, "layer_norm1", ModuleKind::norm, Part::attention_norm, {}},
    {5, "self_attn", ModuleKind::container, {}, joined_name<name, "Attention">},
    {6, "k_proj", ModuleKind::linear, Part::key, {}},
    {6, "v_proj", ModuleKind::linear, Part::value, {}},
    {6, "q_proj", ModuleKind::linear, Part::query, {}},
    {6, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "layer_norm2", ModuleKind::norm, Part::feed_forward_norm, {}},
    {5, "mlp", ModuleKind::container, {}, joined_name<name, "MLP">},
    {6, "activation_fn", ModuleKind::activation, {}, {}},
    {6, "fc1", ModuleKind::linear, Part::up, {}},
    {6, "fc2", ModuleKind::linear, Part::down, {}},
});

}  // namespace headcount
