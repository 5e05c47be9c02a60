// LLaMA 1 to 3 and what shares its layout (TinyLlama, SmolLM2, Yi), and the families that differ from it by what an
// absent field means and by a word or two: transformers, modeling_llama.py, modeling_mistral.py, ...
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

// Idefics 3's text part has these, of what leads to it from pictures.
constexpr std::string_view llama_ignored = "is_llama_config perceiver_config pixel_shuffle_factor";
constexpr LlamaType llama{
    .called = {"llama", "LLaMA", classes_of<"Llama">}, .mlp_bias_field = "mlp_bias", .ignored = llama_ignored};
constexpr Family llama_family = known_to_recipes(llama_like<llama>(), {.shared_eighty_is_70b = true});

// Mistral 7B, Nemo and their like: a window in every layer.
constexpr LlamaType mistral{.called = {"mistral", "Mistral", classes_of<"Mistral">},
                            .usual = {.ffn_dim = 14336, .context = 131072},
                            .kv_heads = 8,
                            .qkv_bias_field = {},
                            .window = WindowFields{.size = 4096, .has_types = false}};
constexpr Family mistral_family = known_to_recipes(llama_like<mistral>(), {.shared_eighty_is_70b = true});

// Ministral: a window in the layers that layer_types names.
constexpr LlamaType ministral = changed(mistral, [](LlamaType& other) {
    other.called.type = "ministral";
    other.called.name = "Ministral";
    other.called.classes = classes_of<"Ministral">;
    other.window->has_types = true;
});
constexpr Family ministral_family = llama_like<ministral>();

// Qwen2-VL and Qwen2.5-VL: Qwen 2 with other sizes where a file leaves one out (configuration_qwen2_vl.py,
// configuration_qwen2_5_vl.py).
constexpr LlamaType qwen2_vision_language{
    .called = {"qwen2", "Qwen 2", classes_of<"Qwen2">},
    .usual = {.dim = 8192, .ffn_dim = 29568, .layers = 80, .heads = 64, .vocab = 152064, .context = 32768},
    .kv_heads = 8,
    .qkv_bias = true,
    .qkv_bias_field = {},
    .qkv_bias_is_output_bias = false,
    .norm = {.epsilon = 1e-5},
    .window = WindowFields{.size = 4096, .has_switch = true, .behind = 80},
    .computing = {.rope_base = 1000000}};

// Qwen 2 and 2.5: biases of queries, keys and values; windows behind the first layers, where switched on.
constexpr LlamaType qwen2{.called = {"qwen2", "Qwen 2", classes_of<"Qwen2">},
                          .usual = {.ffn_dim = 22016, .vocab = 151936, .context = 32768},
                          .kv_heads = 32,
                          .qkv_bias = true,
                          .qkv_bias_field = {},
                          .qkv_bias_is_output_bias = false,
                          .window = WindowFields{.size = 4096, .has_switch = true, .behind = 28},
                          .vision_language = &qwen2_vision_language};
constexpr Family qwen2_family = known_to_recipes(llama_like<qwen2>(), {.eighty_is_70b = true});

// Qwen3-VL, which knows no windows (configuration_qwen3_vl.py).
constexpr LlamaType qwen3_vision_language{.called = {"qwen3", "Qwen 3", classes_of<"Qwen3">},
                                          .usual = {.ffn_dim = 22016, .vocab = 151936, .context = 128000},
                                          .kv_heads = 32,
                                          .head_dim = 128,
                                          .qk_norm = QkNorm::per_head,
                                          .computing = {.rope_base = 500000}};

// Qwen 3: norms of each head's queries and keys.
constexpr LlamaType qwen3 = changed(qwen3_vision_language, [](LlamaType& other) {
    other.usual.context = 32768;
    other.window = WindowFields{.size = 4096, .has_switch = true, .behind = 28};
    other.computing = {};
    other.vision_language = &qwen3_vision_language;
});
constexpr Family qwen3_family = llama_like<qwen3>();

// OLMo: norms without parameters.
constexpr LlamaType olmo{.called = {"olmo", "OLMo", classes_of<"Olmo">},
                         .norm_class = "OlmoLayerNorm()",
                         .usual = {.vocab = 50304},
                         .epsilon_field = {},
                         .norm = {.kind = NormKind::layer, .scale = false, .epsilon = 1e-5},
                         .computing = {.clips = true},
                         .padding = 1};
constexpr Family olmo_family = known_to_recipes(llama_like<olmo>(), {.eighty_is_70b = true});

// OLMo 2: norms behind the sub-blocks, and of all queries and keys side by side.
constexpr LlamaType olmo2{.called = {"olmo2", "OLMo 2", classes_of<"Olmo2">},
                          .usual = {.vocab = 50304},
                          .qk_norm = QkNorm::across,
                          .norm = {.placement = NormPlacement::after, .epsilon = 1e-5},
                          .padding = 1};
constexpr Family olmo2_family = llama_like<olmo2>();

// OLMo 3: a window in three of four layers; only those that see everything stretch their positions.
constexpr LlamaType olmo3 = changed(olmo2, [](LlamaType& other) {
    other.called.type = "olmo3";
    other.called.name = "OLMo 3";
    other.called.classes = classes_of<"Olmo3">;
    other.window = WindowFields{.size = 4096, .pattern = 4};
    other.computing = {.rope_base = 500000, .windowed_apart = true};
});
constexpr Family olmo3_family = llama_like<olmo3>();

// ERNIE 4.5: one field for all biases.
constexpr LlamaType ernie4_5{
    .called = {"ernie4_5", "ERNIE 4.5", classes_of<"Ernie4_5">},
    .usual = {.dim = 1024, .ffn_dim = 3072, .layers = 18, .heads = 16, .vocab = 103424, .context = 131072},
    .kv_heads = 2,
    .head_dim = 128,
    .null_head_dim = true,
    .tied = true,
    .qkv_bias_field = "use_bias",
    .mlp_bias_field = "use_bias",
    .norm = {.epsilon = 1e-5},
    .computing = {.rope_base = 500000, .pairs = RopePairs::neighbours},
    .padding = 0};
constexpr Family ernie4_5_family = llama_like<ernie4_5>();

}  // namespace headcount
