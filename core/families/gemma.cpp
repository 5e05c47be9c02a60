// Gemma 1 to 3: GeGLU, heads wider than their part of the width, a tied embedding that scales what it looks up
// (transformers, modeling_gemma.py, modeling_gemma2.py, modeling_gemma3.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace gemma {

template <FixedText name>
constexpr auto modules_of(const std::array<Module, 4>& norms, std::string_view model = classes_of<name>.model) {
    DecoderClasses names = classes_of<name>;
    names.model = model;
    return join(model_modules(names, joined_name<name, "TextScaledWordEmbedding">), attention_modules(names.attention),
                gated_modules(names.feed_forward, "GELUTanh()"), norms, output_modules(names.rotary));
}

// The rows of the embedding times the root of the width; every norm multiplies by one more than its weights.
constexpr std::array first_modules = modules_of<"Gemma">(norm_modules);
constexpr LlamaType first{
    .called = {"gemma", "Gemma", classes_of<"Gemma">, first_modules},
    .usual = {.dim = 3072, .ffn_dim = 24576, .layers = 28, .heads = 16, .vocab = 256000, .context = 8192},
    .kv_heads = 16,
    .head_dim = 256,
    .tied = true,
    .activation = "gelu_pytorch_tanh",
    .encoder_field = "use_bidirectional_attention",  // would make an encoder of the model
    .computing = {.root_embedding_scale = true, .norm_offset = 1},
    .padding = 0};

// Gemma 2: norms on both sides, a window in every other layer; scores scaled by a number of its own, and capped as the
// logits are.
constexpr std::array second_modules = modules_of<"Gemma2">(sandwich_norm_modules);
constexpr LlamaType second{
    .called = {"gemma2", "Gemma 2", classes_of<"Gemma2">, second_modules},
    .usual = {.dim = 2304, .ffn_dim = 9216, .layers = 26, .heads = 8, .vocab = 256000, .context = 8192},
    .kv_heads = 4,
    .head_dim = 256,
    .tied = true,
    .activation = "gelu_pytorch_tanh",
    .activation_field = "hidden_activation",
    .norm = {.placement = NormPlacement::both},
    .window = WindowFields{.size = 4096, .pattern = 2},
    .encoder_field = first.encoder_field,
    .computing = {.root_embedding_scale = true,
                  .norm_offset = 1,
                  .score_scalar = "query_pre_attn_scalar",
                  .score_scalar_otherwise = 256,
                  .score_cap = 50,
                  .logit_cap = 30},
    .padding = 0};

// VaultGemma: Gemma 2 without the norms behind the sub-blocks.
constexpr std::array vault_modules = modules_of<"VaultGemma">(sandwich_norm_modules);
constexpr LlamaType vault =
    changed(called(second, "vaultgemma", "VaultGemma", classes_of<"VaultGemma">, vault_modules), [](LlamaType& other) {
        other.norm.placement = NormPlacement::before;
        other.encoder_field = {};
    });

// Gemma 3, its text model: norms of queries and keys too, a window in five of six layers, and no cap.
constexpr std::array third_modules = modules_of<"Gemma3">(sandwich_norm_modules, "Gemma3TextModel");
constexpr LlamaType third =
    changed(called(second, "gemma3_text", "Gemma 3", classes_of<"Gemma3">, third_modules), [](LlamaType& other) {
        other.later_field = "use_bidirectional_attention";
        other.encoder_field = {};
        other.usual.vocab = 262208;
        other.usual.context = 131072;
        other.qk_norm = QkNorm::per_head;
        other.window = WindowFields{.size = 4096, .pattern = 6, .has_pattern_field = true};
        other.computing.rope_base = 1000000;
        other.computing.score_cap = 0;
        other.computing.logit_cap = 0;
        other.computing.windowed_apart = true;
        other.computing.windowed_base = 10000;
    });

}  // namespace gemma

constexpr Family gemma_family = llama_like<gemma::first>();
constexpr Family gemma2_family = llama_like<gemma::second>();
constexpr Family vaultgemma_family = llama_like<gemma::vault>();
constexpr Family gemma3_text_family = llama_like<gemma::third>();

}  // namespace headcount
