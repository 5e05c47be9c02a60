// Text parts of models that see or hear besides, where they differ from the families that they come from: GLM-4.1V and
// GLM-OCR, Qwen2.5-Omni, PaddleOCR-VL, Emu3, Molmo 2 (transformers, modeling_glm4v.py, modeling_glm_ocr.py,
// modeling_qwen2_5_omni.py, modeling_paddleocr_vl.py, modeling_emu3.py, modeling_molmo2.py). In a text their three-fold
// positions are one.
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

// GLM-4.1V: GLM-4's layers with a matrix each for queries, keys and values.
namespace glm_vision {

constexpr auto norms = std::to_array<Module>({
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_self_attn_layernorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "post_mlp_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
});

template <FixedText name>
constexpr auto modules_of() {
    constexpr DecoderClasses classes = classes_of<name>;
    return decoder_modules(classes, attention_modules(classes.attention), fused_gate_modules(classes.feed_forward),
                           norms);
}

constexpr std::array modules = modules_of<"Glm4vText">();
constexpr LlamaType type{.called = {"glm4v_text", "GLM-4.1V, text", classes_of<"Glm4vText">, modules},
                         .norm_class = "Glm4vRMSNorm",
                         .usual = {.ffn_dim = 13696, .layers = 40, .vocab = 151552, .context = 32768},
                         .kv_heads = 2,
                         .qkv_bias = true,
                         .rotary = 1.0,
                         .head_dim_field = {},
                         .qkv_bias_field = {},
                         .qkv_bias_is_output_bias = false,
                         .norm = {.placement = NormPlacement::both, .epsilon = 1e-5},
                         .computing = {.pairs = RopePairs::neighbours}};

// GLM-OCR: the same without biases.
constexpr std::array ocr_modules = modules_of<"GlmOcrText">();
constexpr LlamaType ocr = changed(type, [](LlamaType& other) {
    other.called.type = "glm_ocr_text";
    other.called.name = "GLM-OCR, text";
    other.called.classes = classes_of<"GlmOcrText">;
    other.norm_class = "GlmOcrRMSNorm";
    other.called.modules = ocr_modules;
    other.usual = {.dim = 1024, .ffn_dim = 4096, .layers = 16, .heads = 16, .vocab = 59392, .context = 131072};
    other.kv_heads = 8;
    other.head_dim_field = "head_dim";
    other.qkv_bias = false;
});

}  // namespace glm_vision

constexpr Family glm4v_text_family = llama_like<glm_vision::type>();
constexpr Family glm_ocr_text_family = llama_like<glm_vision::ocr>();

// Qwen2.5-Omni: Qwen 2 with other sizes.
constexpr LlamaType qwen2_5_omni{
    .called = {"qwen2_5_omni_text", "Qwen2.5-Omni, text", classes_of<"Qwen2_5OmniThinkerText">},
    .norm_class = "Qwen2RMSNorm",
    .usual = {.dim = 3584, .ffn_dim = 18944, .layers = 28, .heads = 28, .vocab = 152064, .context = 32768},
    .kv_heads = 4,
    .tied = true,
    .qkv_bias = true,
    .head_dim_field = {},
    .qkv_bias_field = {},
    .qkv_bias_is_output_bias = false,
    .window = WindowFields{.size = 32768, .has_switch = true, .behind = 28},
    .computing = {.rope_base = 1000000}};
constexpr Family qwen2_5_omni_text_family = llama_like<qwen2_5_omni>();

// PaddleOCR-VL: ERNIE 4.5 with other sizes.
constexpr LlamaType paddleocr{
    .called = {"paddleocr_vl_text", "PaddleOCR-VL, text", classes_of<"PaddleOCR">},
    .usual = {.dim = 1024, .ffn_dim = 3072, .layers = 18, .heads = 16, .vocab = 103424, .context = 131072},
    .kv_heads = 2,
    .head_dim = 128,
    .null_head_dim = true,
    .tied = true,
    .qkv_bias_field = "use_bias",
    .mlp_bias_field = "use_bias",
    .norm = {.epsilon = 1e-5},
    .computing = {.rope_base = 500000},
    .padding = 0};
constexpr Family paddleocr_vl_text_family = llama_like<paddleocr>();

// Emu3: LLaMA with other sizes.
constexpr LlamaType emu3{.called = {"emu3_text_model", "Emu3, text", classes_of<"Emu3">},
                         .usual = {.ffn_dim = 14336, .vocab = 184622, .context = 9216},
                         .kv_heads = 8,
                         .mlp_bias_field = "mlp_bias",
                         .norm = {.epsilon = 1e-5},
                         .computing = {.rope_base = 1000000},
                         .padding = 151643};
constexpr Family emu3_text_model_family = llama_like<emu3>();

// Molmo 2: LLaMA with norms of queries and keys, of each head or across them all; norms may stand behind the
// sub-blocks, by the names that they have before them. Some rows of the embedding have no score.
namespace molmo2 {

constexpr DecoderClasses classes = classes_of<"Molmo2Text">;
constexpr auto norms = std::to_array<Module>({
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "input_layernorm", ModuleKind::norm, Part::attention_output_norm, {}, {}, Part::attention_norm},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}, {}, Part::feed_forward_norm},
});
constexpr std::array modules = join(with_unscored_rows(model_modules(classes)), attention_modules(classes.attention),
                                    gated_modules(classes.feed_forward), norms, output_modules(classes.rotary));

void read(ConfigReader& reader, Architecture& arch) {
    const std::string normed = reader.text({"qk_norm_type"}, "qwen3");
    if (normed == "olmo")
        arch.layer.attention.qk_norm = QkNorm::across;
    else if (normed != "qwen3")
        reader.reject("qk_norm_type", as_written(normed) + " is no way to norm that is known here",
                      "give qwen3, for each head, or olmo, for all of them together");
    if (reader.flag({"norm_after"}, false)) arch.norm.placement = NormPlacement::after;
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["qk_norm_type"] = arch.layer.attention.qk_norm == QkNorm::across ? "olmo" : "qwen3";
    config["norm_after"] = arch.norm.placement == NormPlacement::after;
}

std::vector<Extra> besides(const Architecture& arch) {
    const std::int64_t rows = Besides(arch).number("additional_vocab_size", 128);
    return rows > 0 ? std::vector<Extra>{unscored_rows(arch, rows)} : std::vector<Extra>{};
}

constexpr std::string_view numbers = "additional_vocab_size";
constexpr std::string_view ignored = "rope_scaling_layers";
constexpr LlamaType type{
    .called = {"molmo2_text", "Molmo 2, text", classes, modules},
    .norm_class = "Molmo2RMSNorm",
    .usual = {.ffn_dim = 12288, .layers = 36, .vocab = 151936, .context = 36864},
    .kv_heads = 8,
    .head_dim = 128,
    .qkv_bias_other = "qkv_bias",
    .qkv_bias_is_output_bias = false,
    .qk_norm = QkNorm::per_head,
    .computing = {.rest = [](ComputationReader& reader, Computation&) { reader.reject_uncompared("a Qwen 3"); }},
    .numbers = numbers,
    .ignored = ignored,
    .besides = besides,
    .own = {read, write}};

}  // namespace molmo2

constexpr Family molmo2_text_family = llama_like<molmo2::type>();

}  // namespace headcount
