// Models that Headcount does not show: by their type, those that have an encoder, whose sizes read like a decoder's,
// and decoders of blocks that are not known; by a field or a class, what is no decoder of attention and feed-forwards.
// What is counted of them would be wrong.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/text.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/families.hpp"
#include "core/families/unknown.hpp"
#include "core/families/wrappers.hpp"

namespace headcount {
namespace {

constexpr std::string_view fix =
    "Headcount shows decoders, encoders like BERT and RoBERTa, and of both together those like T5 and BART: open one";

constexpr std::string_view encoders = "mobilebert";

constexpr std::string_view both = "canary cohere_asr dia moonshine_streaming speecht5";

// Types of transformers with blocks that are not known here: what a guess counts of them is wrong.
constexpr std::string_view others =
    "blt_local_decoder blt_patcher chameleon clvp_decoder cohere_compass cohere_compass_text decision_transformer "
    "diffusion_gemma diffusion_gemma_text embedding_gemma2 embedding_gemma2_text evolla gemma4_assistant "
    "gemma4_unified_assistant glm_image glm_image_text gradium_phonon_tts granite4_vision_text inkling2_loop "
    "inkling2_loop_text kyutai_speech_to_text nemotron3_5_transcribe_word_timestamp openai_privacy_filter pocket_tts "
    "qwen2_5_omni_talker qwen3_omni_moe_talker_code_predictor qwen3_omni_moe_talker_text qwen4_exp_text "
    "t5_gemma_module t5gemma2_decoder t5gemma2_text vits voxtral_realtime_text";

// How types of parts beside a decoder end: what compares a text with pictures, what reads for another.
constexpr std::array other_ends = std::to_array<std::string_view>({"_encoder", "_qformer", "_text_model"});

bool is_other(std::string_view type) {
    return is_word_of(others, type) ||
           std::ranges::any_of(other_ends, [&](std::string_view end) { return type.ends_with(end); });
}

// Fields of other things than decoders of attention and feed-forwards, and how the names of some begin.
constexpr std::string_view telling =
    "attn_type_list block_configs conv_dim flow_head_config hybrid_override_pattern image_size img_processor "
    "kv_channels mask_time_prob mlp_layer_types num_codebooks num_key_value_heads_per_layer patch_size type_vocab_size "
    "vq_config";
constexpr std::array telling_beginnings =
    std::to_array<std::string_view>({"conv_", "index_", "linear_", "mamba_", "ssm_"});

// Lists of a word for each layer, and the words for layers of attention.
constexpr std::array kinds_of_layers =
    std::to_array<const char*>({"block_types", "layer_block_types", "layer_types", "layers_block_type"});
constexpr std::string_view attention_words =
    "attention chunked_attention full full_attention global global_attention local local_attention sliding "
    "sliding_attention";

bool is_attention(const nlohmann::json& kind) {
    return kind.is_string() && is_word_of(attention_words, kind.get_ref<const std::string&>());
}

std::optional<Error> not_known(std::string what, std::string where) {
    return Error{std::move(what) + " that Headcount does not know in a model of this type", std::move(where),
                 "open a model of a type that is known (docs/models.md)"};
}

// A kind of layer that is not attention; nothing where none is said.
std::optional<Error> other_layers(const nlohmann::json& config) {
    for (const char* field : kinds_of_layers) {
        const nlohmann::json* const kinds = said(config, field);
        if (!kinds || !kinds->is_array()) continue;
        const auto other = std::ranges::find_if_not(*kinds, is_attention);
        if (other != kinds->end()) return not_known(as_written(*other) + " is a kind of layer", field);
    }
    return std::nullopt;
}

// Granite 4.0's small models have the fields of its large ones, and attention in every layer.
bool all_attention(const nlohmann::json& config) {
    const nlohmann::json* const kinds = said(config, "layer_types");
    return kinds && kinds->is_array() && !kinds->empty() && std::ranges::all_of(*kinds, is_attention);
}

// Whether a file that has the field says something with it.
bool says_something(const nlohmann::json& value) { return !value.is_null() && value != false && value != 0; }

// The first field that tells; nothing where there is none.
std::optional<Error> telling_field(const nlohmann::json& config) {
    const auto tells = [](const std::string& field) { return not_known("the field tells of something", field); };
    const bool attends = all_attention(config);
    const bool alone = !said(config, "text_config");  // beside a text part there may be one of sound
    for (const auto& field : config.items()) {
        const std::string& key = field.key();
        const bool begins = std::ranges::any_of(telling_beginnings,
                                                [&](std::string_view beginning) { return key.starts_with(beginning); });
        const bool states = key.starts_with("mamba_") || key.starts_with("ssm_");
        const bool heard = alone && key.starts_with("audio_");
        if (says_something(field.value()) && (is_word_of(telling, key) || begins || heard) && !(states && attends))
            return tells(key);
    }
    return said(config, "state_size") && said(config, "conv_kernel") ? tells("state_size") : std::nullopt;
}

// The first class that the file names, where that is no language model's.
std::string other_class(const nlohmann::json& config) {
    std::string name = class_said(config);
    constexpr std::array ends =
        std::to_array<std::string_view>({"ForCausalLM", "LMHeadModel", "ForConditionalGeneration"});
    const bool generates = std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
    return generates ? "" : name;
}

}  // namespace

std::optional<Error> has_encoder(const nlohmann::json& config) {
    const std::string_view type = type_said(config);
    const auto refused = [&](const std::string& why) {
        return Error{"a model of type " + config["model_type"].dump() + why, "model_type", std::string(fix)};
    };
    if (is_word_of(encoders, type)) return refused(" is an encoder");
    if (is_word_of(both, type)) return refused(" has an encoder beside its decoder");
    if (const nlohmann::json* flag = said(config, "is_encoder_decoder");
        flag && *flag == true && !find_family(type) && !find_wrapper(type))
        return Error{"the model has an encoder beside its decoder", "is_encoder_decoder", std::string(fix)};
    return std::nullopt;
}

std::optional<Error> is_no_known_decoder(const nlohmann::json& config) {
    constexpr std::string_view layers = "its layers are of a kind that Headcount does not know";
    constexpr std::string_view open = "open a model of a type that is known (docs/models.md)";
    const std::string_view type = type_said(config);
    if (is_other(type))
        return Error{"a model of type " + config["model_type"].dump() + ": " + std::string(layers), "model_type",
                     std::string(open)};
    if (std::optional<Error> other = telling_field(config)) return other;
    if (std::optional<Error> other = other_layers(config)) return other;
    if (const std::string name = other_class(config); !name.empty())
        return Error{as_written(name) + " is no language model's class, and this type is not known here",
                     "architectures", std::string(open)};
    return std::nullopt;
}

}  // namespace headcount
