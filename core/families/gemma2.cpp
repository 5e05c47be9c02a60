// Gemma 2: norms on both sides, a window in every other layer (transformers, modeling_gemma2.py).
#include "core/families/families.hpp"
#include "core/families/gemma_like.hpp"
#include "core/families/layer_lists.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/windows.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Gemma2">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 2304,
                         .ffn_dim = 9216,
                         .layers = 26,
                         .heads = 8,
                         .kv_heads = 4,
                         .head_dim = 256,
                         .vocab = 256000,
                         .context = 8192,
                         .tied = true,
                         .activation = "gelu_pytorch_tanh",
                         .activation_field = "hidden_activation",
                         .norm = {.placement = NormPlacement::both}};
constexpr WindowFields window{.size = 4096};
constexpr std::array modules = join(
    model_modules(classes.causal_lm, classes.model, classes.layer, joined_name<"Gemma2", "TextScaledWordEmbedding">),
    attention_modules(classes.attention), gated_modules(classes.feed_forward, "GELUTanh()"), sandwich_norm_modules,
    output_modules(classes.rotary));

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, gemma2_family(), type);
    refuse_later_tokens(reader);
    read_window(reader, config, arch, window, [] { return all_but_every(2); });
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_window(config, arch, window);
    return config;
}

constexpr Family family{"gemma2", "Gemma 2", classes.rms_norm,  "model",      modules,
                        read,     write,     /*verified=*/true, /*padding=*/0};

}  // namespace

const Family& gemma2_family() {
    return family;
}

}  // namespace headcount
