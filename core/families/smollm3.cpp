// SmolLM 3: LLaMA without positions in every fourth layer (transformers, modeling_smollm3.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/windows.hpp"

namespace headcount {
namespace smollm3 {

constexpr DecoderClasses classes = classes_of<"SmolLM3">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 2048,
                         .layers = 36,
                         .heads = 16,
                         .kv_heads = 4,
                         .vocab = 128256,
                         .context = 32768,
                         .tied = true,
                         .mlp_bias_field = "mlp_bias"};
constexpr WindowFields window{.has_switch = true};
constexpr std::array modules = llama_modules(classes);

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, smollm3_family(), type);
    LayerSet& rotated = arch.layer.attention.rotated;
    if (auto given = reader.layers_flagged({"no_rope_layers"}, arch.layers))
        rotated = *given;
    else
        rotated = all_but_every(read_step(reader, {"no_rope_layer_interval"}, 4));
    const LayerSet all;
    read_window(reader, config, arch, window, without(all, rotated, arch.layers));
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    // Despite its name, 1 says that a layer has positions.
    if (arch.layers <= LayerSet::longest) config["no_rope_layers"] = flagged(arch.layer.attention.rotated, arch.layers);
    write_window(config, arch, window);
    return config;
}

constexpr ComputationType computing{.rope_base = 2000000};

constexpr Family family{"smollm3", "SmolLM 3", classes.rms_norm,   "model",           modules,
                        read,      write,      compute<computing>, /*verified=*/true, /*padding=*/128004};

}  // namespace smollm3

const Family& smollm3_family() {
    return smollm3::family;
}

}  // namespace headcount
