// What a family of models decides: which configuration fields it reads, and how its checkpoints name and fuse tensors.
// Each family is one file in core/families; nothing outside that folder knows a family by name.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

#include "core/arch/architecture.hpp"
#include "core/base/result.hpp"

namespace headcount {

// The part that a tensor plays. Parameters fill a part; an activation belongs to the part that made it.
enum class Part {
    token_embedding,
    position_embedding,
    attention_norm,
    query,
    key,
    value,
    scores,
    attention_output,
    attention_output_norm,
    feed_forward_norm,
    gate,
    up,
    down,
    feed_forward_output_norm,
    residual,
    final_norm,
    output_head,
};

// What stands at one place of the module tree.
enum class ModuleKind {
    container,  // only holds other modules
    layer,      // holds one layer; repeated
    embedding,  // a table, stored [rows, columns]
    linear,     // stored [out, in]
    conv1d,     // stored [in, out] (transformers' Conv1D)
    fused_qkv,  // queries, keys and values side by side in one Conv1D
    norm,
    activation,
    rotary,   // no parameters; there where positions are rotary
    dropout,  // no parameters
};

// A place in the module tree. `path` has {i} for the layer's index; a tensor's checkpoint name is the path plus
// ".weight" or ".bias".
struct Module {
    std::string_view path;
    ModuleKind kind;
    std::optional<Part> part;     // which part's parameters live here
    std::string_view class_name;  // as transformers prints it; empty where the kind decides
};

struct Family {
    std::string_view type;       // "llama": model_type in config.json
    std::string_view name;       // "LLaMA"
    std::string_view rms_class;  // "LlamaRMSNorm"
    std::string_view base_path;  // "model": what `tree --base` prints
    // The module tree in the order in which transformers registers it, which is also the checkpoint's order. A module
    // whose part the architecture does not have is left out.
    std::span<const Module> modules;
    Result<Architecture> (*read)(const nlohmann::json& config);  // absent fields take the model_type's default
    nlohmann::ordered_json (*write)(const Architecture& arch);   // what transformers would load
};

}  // namespace headcount
