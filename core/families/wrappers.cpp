// Types of models that wrap a language model: transformers' multimodal configurations, each with its text_config.
#include "core/families/wrappers.hpp"

#include <algorithm>
#include <array>

namespace headcount {
namespace {

constexpr bool tied = true;

// Sorted. transformers ties by the outermost model's word (get_expanded_tied_weights_keys), but where the text part is
// a model of its own with its own head, where the type takes over a word that older files have in the text part, and
// where it ties nothing. tests/golden/wrappers.py asks it.
constexpr std::array wrappers = std::to_array<Wrapper>({
    {"aria", "aria_text"},
    {"audioflamingo3", "qwen2", HeadWord::none},
    {"aya_vision", "cohere2", HeadWord::whole, tied},
    {"blip-2", "opt", HeadWord::text},
    {"cohere2_vision", "cohere2", HeadWord::whole, tied},
    {"cosmos3_edge", "cosmos3_edge_text"},
    {"cosmos3_omni", "qwen3_vl_text"},
    {"deepseek_vl", "llama", HeadWord::whole, tied},
    {"deepseek_vl_hybrid", "llama", HeadWord::whole, tied},
    {"emu3", "emu3_text_model"},
    {"ernie4_5_vl_moe", "ernie4_5_vl_moe_text", HeadWord::whole, tied},
    {"exaone4_5", "exaone4"},
    {"fast_vlm", "qwen2", HeadWord::either},
    {"fun_asr_nano", "qwen3", HeadWord::whole, tied},
    {"fuyu", "persimmon"},
    {"gemma3", "gemma3_text", HeadWord::whole, tied},
    {"gemma3n", "gemma3n_text", HeadWord::whole, tied},
    {"gemma4", "gemma4_text", HeadWord::whole, tied},
    {"gemma4_unified", "gemma4_unified_text", HeadWord::whole, tied},
    {"glm46v", "glm4v_text"},
    {"glm4v", "glm4v_text", HeadWord::either},
    {"glm4v_moe", "glm4v_moe_text", HeadWord::either},
    {"glm_ocr", "glm_ocr_text", HeadWord::either},
    {"glmasr", "llama", HeadWord::whole, tied},
    {"glmga", "glm4v_text"},
    {"got_ocr2", "qwen2", HeadWord::whole, tied},
    {"granite4_vision", "granite4_vision_text"},
    {"granite_docling", "granite_docling_text", HeadWord::whole, tied},
    {"granite_speech", "granite", HeadWord::whole, tied},
    {"granite_speech_plus", "granite", HeadWord::whole, tied},
    {"hunyuan_vl", "hunyuan_vl_text", HeadWord::either, tied},
    {"hyperclovax_vision_v2", "hyperclovax", HeadWord::whole, tied},
    {"idefics2", "mistral"},
    {"idefics3", "llama"},
    {"instructblip", "opt", HeadWord::text},
    {"instructblipvideo", "opt", HeadWord::text},
    {"internvl", "qwen2", HeadWord::whole, tied},
    {"janus", "llama", HeadWord::whole, tied},
    {"kimi_k25", "deepseek_v3", HeadWord::whole, tied},
    {"kimi_vl", "deepseek_v3", HeadWord::text},
    {"lfm2_vl", "lfm2", HeadWord::whole, tied},
    {"lighton_ocr", "qwen3", HeadWord::whole, tied},
    {"llama4", "llama4_text", HeadWord::text},
    {"llava", "llama", HeadWord::either},
    {"llava_next", "llama"},
    {"llava_next_video", "llama", HeadWord::either},
    {"llava_onevision", "qwen2", HeadWord::either},
    {"minicpm_ocr", "qwen3_5_text", HeadWord::whole, tied},
    {"minicpmv4_6", "qwen3_5_text"},
    {"minicpmv4_7", "qwen3_5_text"},
    {"minimax_m3_vl", "minimax_m3_vl_text", HeadWord::either},
    {"mistral3", "mistral", HeadWord::whole, tied},
    {"mistral_large4", "mistral_large4_text"},
    {"molmo2", "molmo2_text", HeadWord::none},
    {"moss_transcribe_diarize", "qwen3", HeadWord::whole, tied},
    {"muse_glimmer", "muse_glimmer_text"},
    {"musicflamingo", "qwen2", HeadWord::none},
    {"nemo_speechlm", "nemotron_h", HeadWord::none},
    {"nemotron_h_omni", "nemotron_h", HeadWord::none},
    {.type = "ovis2", .text = "qwen2", .head_word = HeadWord::whole, .tied = tied, .head_size = HeadSize{1536, 151643}},
    {"paddleocr_vl", "paddleocr_vl_text", HeadWord::either, tied},
    {"paligemma", "gemma", HeadWord::whole, tied},
    {"perception_lm", "llama", HeadWord::either},
    {"phi4_multimodal", "phi4_multimodal"},  // its file has no part for text: its fields stand at the top
    {"pp_chart2table", "qwen2", HeadWord::whole, tied},
    {"qianfan_ocr", "qwen3"},
    {"qwen2_5_omni_thinker", "qwen2_5_omni_text"},
    {"qwen2_5_vl", "qwen2_5_vl_text", HeadWord::either},
    {"qwen2_audio", "qwen2", HeadWord::none},
    {"qwen2_vl", "qwen2_vl_text", HeadWord::either},
    {"qwen3_5", "qwen3_5_text"},
    {"qwen3_5_moe", "qwen3_5_moe_text"},
    {"qwen3_asr", "qwen3", HeadWord::whole, tied},
    {"qwen3_omni_moe_thinker", "qwen3_omni_moe_text"},
    {"qwen3_vl", "qwen3_vl_text"},
    {"qwen3_vl_moe", "qwen3_vl_moe_text"},
    {"qwen4_exp", "qwen4_exp_text"},
    {"shieldgemma2", "gemma3_text", HeadWord::either},
    {"smolvlm", "llama"},
    {"step3p7", "step3p5"},
    {"vibevoice", "qwen2", HeadWord::text},
    {"vibevoice_asr", "qwen2", HeadWord::none},
    {"video_llama_3", "qwen2", HeadWord::either},
    {"video_llava", "llama"},
    {"vipllava", "llama"},
    {"voxtral", "llama", HeadWord::none},
    {"voxtral_realtime", "voxtral_realtime_text", HeadWord::whole, tied},
});
static_assert(std::is_sorted(wrappers.begin(), wrappers.end(),
                             [](const Wrapper& a, const Wrapper& b) { return a.type < b.type; }));

}  // namespace

const Wrapper* find_wrapper(std::string_view type) {
    const auto found =
        std::lower_bound(wrappers.begin(), wrappers.end(), type,
                         [](const Wrapper& wrapper, std::string_view name) { return wrapper.type < name; });
    return found != wrappers.end() && found->type == type ? &*found : nullptr;
}

}  // namespace headcount
