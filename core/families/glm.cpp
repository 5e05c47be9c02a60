// GLM-4 9B: half of each head turned, gate and up in one matrix (transformers, modeling_glm.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Glm">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .ffn_dim = 13696,
                         .layers = 40,
                         .kv_heads = 2,
                         .head_dim = 128,
                         .vocab = 151552,
                         .context = 131072,
                         .qkv_bias = true,
                         .rotary = 0.5,
                         .qkv_bias_is_output_bias = false,
                         .norm = {.epsilon = 1.5625e-7}};
constexpr std::array modules =
    join(model_modules(classes.causal_lm, classes.model, classes.layer), attention_modules(classes.attention),
         fused_gate_modules(classes.feed_forward), norm_modules, output_modules(classes.rotary));

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    return reader.finish(read_llama_like(reader, config, glm_family(), type));
}

nlohmann::ordered_json write(const Architecture& arch) {
    return write_llama_like(arch, type);
}

constexpr Family family{"glm", "GLM-4", classes.rms_norm,  "model",           modules,
                        read,  write,   /*verified=*/true, /*padding=*/151329};

}  // namespace

const Family& glm_family() {
    return family;
}

}  // namespace headcount
