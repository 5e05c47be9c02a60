// Gemma: GeGLU, heads wider than their part of the width, a tied embedding (transformers, modeling_gemma.py).
#include "core/families/families.hpp"
#include "core/families/gemma_like.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Gemma">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 3072,
                         .ffn_dim = 24576,
                         .layers = 28,
                         .heads = 16,
                         .kv_heads = 16,
                         .head_dim = 256,
                         .vocab = 256000,
                         .context = 8192,
                         .tied = true,
                         .activation = "gelu_pytorch_tanh"};
constexpr std::array modules = join(
    model_modules(classes.causal_lm, classes.model, classes.layer, joined_name<"Gemma", "TextScaledWordEmbedding">),
    attention_modules(classes.attention), gated_modules(classes.feed_forward, "GELUTanh()"), norm_modules,
    output_modules(classes.rotary));

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, gemma_family(), type);
    refuse_later_tokens(reader);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    return write_llama_like(arch, type);
}

constexpr Family family{"gemma", "Gemma", classes.rms_norm,  "model",      modules,
                        read,    write,   /*verified=*/true, /*padding=*/0};

}  // namespace

const Family& gemma_family() {
    return family;
}

}  // namespace headcount
