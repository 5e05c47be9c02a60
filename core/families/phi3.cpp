// Phi-3 and Phi-4: queries, keys and values in one matrix, gate and up in another (transformers, modeling_phi3.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/windows.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Phi3">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 3072,
                         .ffn_dim = 8192,
                         .vocab = 32064,
                         .context = 4096,
                         .rotary = 1.0,
                         .qkv_bias_field = {},
                         .norm = {.epsilon = 1e-5}};
constexpr WindowFields window{.has_types = false};

constexpr std::array<Module, 5> attention{{
    {4, "self_attn", ModuleKind::container, {}, classes.attention},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "qkv_proj", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}},
    {5, "q_norm", ModuleKind::norm, Part::query_norm, {}},
    {5, "k_norm", ModuleKind::norm, Part::key_norm, {}},
}};
// The rate is no part of an architecture: this is the type's default for both.
constexpr std::string_view dropout = "Dropout(p=0.0, inplace=False)";
constexpr std::array<Module, 2> dropouts{{
    {4, "resid_attn_dropout", ModuleKind::dropout, {}, dropout},
    {4, "resid_mlp_dropout", ModuleKind::dropout, {}, dropout},
}};
constexpr std::array modules =
    join(model_modules(classes.causal_lm, classes.model, classes.layer), attention,
         fused_gate_modules(classes.feed_forward), norm_modules, dropouts, output_modules(classes.rotary));

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, phi3_family(), type);
    read_window(reader, config, arch, window, every_layer);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_window(config, arch, window);
    return config;
}

constexpr Family family{"phi3", "Phi-3", classes.rms_norm,  "model",          modules,
                        read,   write,   /*verified=*/true, /*padding=*/32000};

}  // namespace

const Family& phi3_family() {
    return family;
}

}  // namespace headcount
