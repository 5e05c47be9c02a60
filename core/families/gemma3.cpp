// Gemma 3, its text model: norms on both sides and of queries and keys, a window in five of six layers
// (transformers, modeling_gemma3.py).
#include "core/families/families.hpp"
#include "core/families/gemma_like.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/windows.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Gemma3">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 2304,
                         .ffn_dim = 9216,
                         .layers = 26,
                         .heads = 8,
                         .kv_heads = 4,
                         .head_dim = 256,
                         .vocab = 262208,
                         .context = 131072,
                         .tied = true,
                         .activation = "gelu_pytorch_tanh",
                         .activation_field = "hidden_activation",
                         .qk_norm = QkNorm::per_head,
                         .norm = {.placement = NormPlacement::both}};
constexpr WindowFields window{.size = 4096};
constexpr std::array modules =
    join(model_modules(classes.causal_lm, "Gemma3TextModel", classes.layer,
                       joined_name<"Gemma3", "TextScaledWordEmbedding">),
         attention_modules(classes.attention), gated_modules(classes.feed_forward, "GELUTanh()"), sandwich_norm_modules,
         output_modules(classes.rotary));

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, gemma3_text_family(), type);
    refuse_later_tokens(reader);
    read_window(reader, config, arch, window, by_pattern(reader, 6));
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_window(config, arch, window);
    return config;
}

constexpr Family family{"gemma3_text", "Gemma 3", classes.rms_norm,  "model",      modules,
                        read,          write,     /*verified=*/true, /*padding=*/0};

}  // namespace

const Family& gemma3_text_family() {
    return family;
}

}  // namespace headcount
