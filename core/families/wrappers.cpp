// Types of models that wrap a language model: transformers' multimodal configurations, each with its text_config.
#include "core/families/wrappers.hpp"

#include <algorithm>
#include <array>

#include "core/families/senses.hpp"

namespace headcount {
namespace {

constexpr bool tied = true;

// How whole files name their text part and the rest; transformers 5 names some as the second, and files as they were.
constexpr WholeNames names_outer{"language_model.model.", "language_model.", ""};
constexpr WholeNames names_inner{"model.language_model.", "", "model."};
constexpr WholeNames names_text_model{"model.text_model.", "", "model."};
constexpr WholeNames names_decoder{"decoder.model.", "decoder.", ""};
constexpr WholeNames names_beside{"model.", "", ""};
constexpr WholeNames names_texts{"text_model.", "", ""};

// What it undoes of a tower's renaming in other parts as well.
constexpr std::array kimi_k25_rewritten =
    std::to_array<Rewritten>({{"language_model.model.layers.", "language_model.model.blocks."},
                              {"mm_projector.pre_norm.", "model.mm_projector.pre_norm."},
                              {"vision_tower.patch_embed.proj.", "vision_tower.encoder.patch_embed.proj."}});
// Of the bare class it undoes some of it, too.
constexpr std::array kimi_k25_bare = std::to_array<Rewritten>({
    {"language_model.model.layers.", "language_model.blocks."},
    {"language_model.model.", "language_model."},
    {"mm_projector.proj.0.", "mm_projector.in_proj."},
    {"mm_projector.proj.2.", "mm_projector.out_proj."},
    {"vision_tower.patch_embed.pos_emb.weight", "vision_tower.patch_embed.pos_emb.position_embeddings"},
    {"vision_tower.encoder.blocks.{n}.norm0.", "vision_tower.blocks.{n}.norm1."},
    {"vision_tower.encoder.blocks.{n}.norm1.", "vision_tower.blocks.{n}.norm2."},
    {"vision_tower.encoder.blocks.{n}.mlp.fc0.", "vision_tower.blocks.{n}.mlp.fc1."},
    {"vision_tower.encoder.blocks.{n}.mlp.fc1.", "vision_tower.blocks.{n}.mlp.fc2."},
    {"vision_tower.encoder.blocks.{n}.wo.", "vision_tower.blocks.{n}.attn.proj."},
    {"vision_tower.encoder.", "vision_tower."},
});
// The language model's own module, below which its class without a head begins.
constexpr std::array instructblip_bare = std::to_array<Rewritten>({{"language_model.model.", "language_model."}});
constexpr std::array paddleocr_bare = std::to_array<Rewritten>({{"mlp_AR.", "projector."}});

// Sorted. transformers ties by the outermost model's word (get_expanded_tied_weights_keys), but where the text part is
// a model of its own with its own head, where the type takes over a word that older files have in the text part, and
// where it ties nothing. tests/golden/wrappers.py asks it.
constexpr std::array wrappers = std::to_array<Wrapper>({
    {"aria", "aria_text", HeadWord::whole, false, {}, senses::aria, names_outer},
    {"audioflamingo3", "qwen2", HeadWord::none, false, {}, senses::audioflamingo3, names_outer},
    {"aya_vision", "cohere2", HeadWord::whole, tied, {}, senses::aya_vision, names_outer},
    {"blip-2", "opt", HeadWord::text, false, {}, senses::blip2, names_outer, "Blip2Model"},  // with scores, too
    {"clip", "clip_text_model", HeadWord::none, false, {}, senses::clip_pair, names_texts, "CLIPModel"},
    {"cohere2_vision", "cohere2", HeadWord::whole, tied, {}, senses::cohere2_vision, names_inner},
    {"cosmos3_edge", "cosmos3_edge_text", HeadWord::none},
    {"cosmos3_omni", "qwen3_vl_text", HeadWord::whole, false, {}, senses::visual<towers::qwen3_vl>, names_inner},
    {"deepseek_ocr2", "deepseek_ocr2_text"},
    {"deepseek_vl", "llama", HeadWord::whole, tied, {}, senses::deepseek_vl, names_inner},
    {"deepseek_vl_hybrid", "llama", HeadWord::whole, tied},
    {"dots3_note", "dots3_note_text"},
    {"emu3", "emu3_text_model"},
    {"ernie4_5_vl_moe", "ernie4_5_vl_moe_text", HeadWord::whole, tied},
    {"exaone4_5", "exaone4", HeadWord::whole, false, {}, senses::visual<towers::exaone4_5>, names_inner},
    {"fast_vlm", "qwen2", HeadWord::either},
    // Its decoder and its encoder of words are BART's; the head is its own.
    {"florence2", "bart", HeadWord::whole, tied, {}, senses::florence2, names_inner},
    {"fun_asr_nano", "qwen3", HeadWord::whole, tied},
    {.type = "fuyu",
     .text = "persimmon",
     .senses = senses::fuyu,
     .names = names_outer,
     .whole_class = "FuyuForCausalLM",
     .flat = true},
    {"gemma3", "gemma3_text", HeadWord::whole, tied, {}, senses::gemma3, names_outer},
    {"gemma3n", "gemma3n_text", HeadWord::whole, tied},
    {"gemma4", "gemma4_text", HeadWord::whole, tied, {}, senses::gemma4, names_inner},
    {"gemma4_unified", "gemma4_unified_text", HeadWord::whole, tied, {}, senses::gemma4_unified, names_inner},
    {"glm46v", "glm4v_text", HeadWord::whole, false, {}, senses::visual<towers::glm4v>, names_inner},
    {"glm4v", "glm4v_text", HeadWord::either, false, {}, senses::visual<towers::glm4v>, names_inner},
    {"glm4v_moe", "glm4v_moe_text", HeadWord::either, false, {}, senses::visual<towers::glm4v>, names_inner},
    {"glm5_next", "glm5_next_text"},
    {"glm_ocr", "glm_ocr_text", HeadWord::either, false, {}, senses::visual<towers::glm_ocr>, names_inner},
    {"glmasr", "llama", HeadWord::whole, tied, {}, senses::glmasr, names_outer},
    {"glmga", "glm4v_text", HeadWord::whole, false, {}, senses::visual<towers::glm4v>, names_inner},
    {"got_ocr2", "qwen2", HeadWord::whole, tied},
    {"granite4_vision", "granite4_vision_text"},
    {"granite_docling", "granite_docling_text", HeadWord::whole, tied},
    {"granite_speech", "granite", HeadWord::whole, tied},
    {"granite_speech_plus", "granite", HeadWord::whole, tied},
    {"hunyuan_vl", "hunyuan_vl_text", HeadWord::either, tied},
    {"hyperclovax_vision_v2", "hyperclovax", HeadWord::whole, tied},
    {"idefics2", "mistral", HeadWord::whole, false, {}, senses::idefics2, names_text_model},
    {"idefics3", "llama", HeadWord::whole, false, {}, senses::idefics3, names_text_model},
    {"inkling2", "inkling2_text", HeadWord::none},
    {.type = "instructblip",
     .text = "opt",
     .head_word = HeadWord::text,
     .senses = senses::instructblip,
     .names = names_outer,
     .bare_rewritten = instructblip_bare},
    {.type = "instructblipvideo",
     .text = "opt",
     .head_word = HeadWord::text,
     .senses = senses::instructblip,
     .names = names_outer,
     .bare_rewritten = instructblip_bare},
    {"internvl", "qwen2", HeadWord::whole, tied, {}, senses::internvl, names_outer},
    {"janus", "llama", HeadWord::whole, tied},
    {.type = "kimi_k25",
     .text = "deepseek_v3",
     .tied = tied,
     .senses = senses::kimi,
     .names = names_outer,
     .rewritten = kimi_k25_rewritten,
     .bare_rewritten = kimi_k25_bare},
    {"kimi_vl", "deepseek_v3", HeadWord::text},
    {"kosmos-2", "kosmos_2_text_model", HeadWord::either, tied},
    {"kosmos-2.5", "kosmos_2_5_text_model", HeadWord::text},
    {"lfm2_vl", "lfm2", HeadWord::whole, tied, {}, senses::lfm2_vl, names_inner},
    {"lighton_ocr", "qwen3", HeadWord::whole, tied, {}, senses::lighton_ocr, names_inner},
    {"llama4", "llama4_text", HeadWord::text, false, {}, senses::llama4, names_outer},
    {"llava", "llama", HeadWord::either, false, {}, senses::llava, names_outer},
    {"llava_next", "llama", HeadWord::whole, false, {}, senses::llava_next, names_outer},
    {"llava_next_video", "llama", HeadWord::either, false, {}, senses::llava_next, names_outer},
    {"llava_onevision", "qwen2", HeadWord::either, false, {}, senses::llava_onevision, names_outer},
    {"metaclip_2",
     "metaclip_2_text_model",
     HeadWord::none,
     false,
     {},
     senses::clip_pair,
     names_texts,
     "MetaClip2Model"},
    {"minicpm_ocr", "qwen3_5_text", HeadWord::whole, tied, {}, senses::minicpm, names_inner},
    {"minicpmv4_6", "qwen3_5_text", HeadWord::whole, false, {}, senses::minicpm, names_inner},
    {"minicpmv4_7", "qwen3_5_text", HeadWord::whole, false, {}, senses::minicpm, names_inner},
    {"minimax_m3_vl", "minimax_m3_vl_text", HeadWord::either},
    {"mistral3", "mistral", HeadWord::whole, tied, {}, senses::mistral3, names_outer},
    {"mistral_large4", "mistral_large4_text"},
    {"mllama", "mllama_text_model", HeadWord::none},
    {"molmo2", "molmo2_text", HeadWord::none},
    {"moss_transcribe_diarize", "qwen3", HeadWord::whole, tied},
    {"muse_glimmer", "muse_glimmer_text"},
    {"muse_spark", "muse_spark_text", HeadWord::none},
    {"musicflamingo", "qwen2", HeadWord::none, false, {}, senses::audioflamingo3, names_outer},
    {"nemo_speechlm", "nemotron_h", HeadWord::none},
    {.type = "nemotron_h_omni",
     .text = "nemotron_h",
     .head_word = HeadWord::none,
     .whole_class = "NemotronH_Omni_Reasoning_V3"},
    {"omniasr", "llama", HeadWord::none, false, {}, senses::omniasr, names_inner},
    {.type = "ovis2",
     .text = "qwen2",
     .head_word = HeadWord::whole,
     .tied = tied,
     .head_size = HeadSize{1536, 151643},
     .senses = senses::ovis2,
     .names = names_inner},
    {.type = "paddleocr_vl",
     .text = "paddleocr_vl_text",
     .head_word = HeadWord::either,
     .tied = tied,
     .senses = senses::paddleocr_vl,
     .names = names_beside,
     .bare_rewritten = paddleocr_bare,
     .flat = true},
    // A prompt's tokens see each other, those behind it what is before them.
    {.type = "paligemma",
     .text = "gemma",
     .tied = tied,
     .senses = senses::paligemma,
     .names = names_outer,
     .implied = "use_bidirectional_attention"},
    {"perception_lm", "llama", HeadWord::either},
    {"pix2struct", "pix2struct_text_model", HeadWord::whole, false, {}, senses::pix2struct, {"decoder.", "", ""}},
    {"pp_chart2table", "qwen2", HeadWord::whole, tied},
    {.type = "pp_formulanet",
     .text = "pp_formulanet_text",
     .head_word = HeadWord::none,
     .senses = senses::pp_formulanet,
     .names = {"model.decoder.", "", "model."}},
    {"qianfan_ocr", "qwen3", HeadWord::whole, false, {}, senses::qianfan, names_inner},
    {"qwen2_5_omni_thinker", "qwen2_5_omni_text"},
    {.type = "qwen2_5_vl",
     .text = "qwen2_5_vl_text",
     .head_word = HeadWord::either,
     .senses = senses::visual<towers::qwen2_5_vl>,
     .names = names_beside,
     .flat = true},
    {"qwen2_audio", "qwen2", HeadWord::none, false, {}, senses::qwen2_audio, names_outer},
    {.type = "qwen2_vl",
     .text = "qwen2_vl_text",
     .head_word = HeadWord::either,
     .senses = senses::visual<towers::qwen2_vl>,
     .names = names_beside,
     .flat = true},
    {"qwen3_5", "qwen3_5_text", HeadWord::whole, false, {}, senses::visual<towers::qwen3_5>, names_inner},
    {"qwen3_5_moe", "qwen3_5_moe_text", HeadWord::whole, false, {}, senses::visual<towers::qwen3_5>, names_inner},
    {"qwen3_asr", "qwen3", HeadWord::whole, tied, {}, senses::qwen3_asr, names_inner},
    {"qwen3_omni_moe_thinker", "qwen3_omni_moe_text"},
    {"qwen3_vl", "qwen3_vl_text", HeadWord::whole, false, {}, senses::visual<towers::qwen3_vl>, names_inner},
    {"qwen3_vl_moe", "qwen3_vl_moe_text", HeadWord::whole, false, {}, senses::visual<towers::qwen3_vl>, names_inner},
    {"qwen4_exp", "qwen4_exp_text"},
    {"shieldgemma2", "gemma3_text", HeadWord::either},
    {"siglip", "siglip_text_model", HeadWord::none, false, {}, senses::siglip_pair, names_texts, "SiglipModel"},
    {"siglip2", "siglip2_text_model", HeadWord::none, false, {}, senses::siglip2_pair, names_texts, "Siglip2Model"},
    {"smolvlm", "llama", HeadWord::whole, false, {}, senses::idefics3, names_text_model},
    // Its decoder is a model of its own, with its head.
    {.type = "speech-encoder-decoder",
     .text = "bert",
     .head_word = HeadWord::text,
     .senses = senses::heard_by_decoder,
     .names = names_decoder,
     .whole_class = "SpeechEncoderDecoderModel"},
    {"step3p7", "step3p5"},
    {"unlimited_ocr", "unlimited_ocr_text"},
    {"vibevoice", "qwen2", HeadWord::text},
    {"vibevoice_asr", "qwen2", HeadWord::none},
    {"video_llama_3", "qwen2", HeadWord::either, false, {}, senses::video_llama_3, names_inner},
    {"video_llava", "llama", HeadWord::whole, false, {}, senses::video_llava, names_outer},
    {"vipllava", "llama", HeadWord::whole, false, {}, senses::vipllava, names_outer},
    {.type = "vision-encoder-decoder",
     .text = "bert",
     .head_word = HeadWord::text,
     .senses = senses::seen_by_decoder,
     .names = names_decoder,
     .whole_class = "VisionEncoderDecoderModel"},
    {"voxtral", "llama", HeadWord::none, false, {}, senses::voxtral, names_outer},
    {"voxtral_realtime", "voxtral_realtime_text", HeadWord::whole, tied},
});
static_assert(std::ranges::is_sorted(wrappers, [](const Wrapper& a, const Wrapper& b) { return a.type < b.type; }));

}  // namespace

std::string_view text_field(const Wrapper& wrapper) {
    const bool apart = wrapper.senses == senses::seen_by_decoder || wrapper.senses == senses::heard_by_decoder;
    return apart ? "decoder" : "text_config";
}

bool says_parts_again(const Wrapper& wrapper) { return wrapper.senses == senses::clip_pair; }

const Wrapper* find_wrapper(std::string_view type) {
    const auto found =
        std::lower_bound(wrappers.begin(), wrappers.end(), type,
                         [](const Wrapper& wrapper, std::string_view name) { return wrapper.type < name; });
    return found != wrappers.end() && found->type == type ? &*found : nullptr;
}

}  // namespace headcount
