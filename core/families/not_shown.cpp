// Types of models that Headcount does not show: those that have an encoder, whose sizes read like a decoder's, and
// those whose layers are state-space or recurrent ones. What is counted of them would be wrong.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/text.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/families.hpp"
#include "core/families/unknown.hpp"

namespace headcount {
namespace {

constexpr std::string_view fix =
    "Headcount shows decoders, of encoders BERT, and of both together T5 and mT5: open one of those";

constexpr std::string_view encoders =
    "albert big_bird camembert convbert data2vec-text deberta deberta-v2 distilbert electra ernie esm "
    "eurobert flaubert funnel ibert layoutlm longformer luke megatron-bert mobilebert modernbert mpnet "
    "nomic_bert nystromformer rembert roberta roformer squeezebert xlm xlm-roberta xlm-roberta-xl xmod";

constexpr std::string_view both =
    "bart bigbird_pegasus blenderbot encoder-decoder fsmt led longt5 m2m_100 marian mbart mvp nllb-moe "
    "pegasus pegasus_x plbart prophetnet speech-encoder-decoder speech_to_text switch_transformers t5gemma "
    "umt5 vision-encoder-decoder whisper";

constexpr std::string_view state_space =
    "bamba falcon_h1 falcon_mamba jamba mamba nemotron_h recurrent_gemma rwkv zamba zamba2";

// Granite 4.0's small models have the fields of its large ones, and attention in every layer.
bool all_attention(const nlohmann::json& config) {
    const auto kinds = config.find("layer_types");
    if (kinds == config.end() || !kinds->is_array() || kinds->empty()) return false;
    return std::all_of(kinds->begin(), kinds->end(), [](const nlohmann::json& kind) {
        return kind == "attention" || kind == "full_attention" || kind == "sliding_attention";
    });
}

// The first field of state-space layers; empty where there is none.
std::string telling_field(const nlohmann::json& config) {
    for (const auto& [key, value] : config.items())
        if (!value.is_null() && (key.starts_with("mamba_") || key.starts_with("ssm_"))) return key;
    return said(config, "state_size") && said(config, "conv_kernel") ? "state_size" : "";
}

}  // namespace

std::optional<Error> has_encoder(const nlohmann::json& config) {
    const std::string_view type = type_said(config);
    const auto refused = [&](const std::string& why) {
        return Error{"a model of type " + config["model_type"].dump() + why, "model_type", std::string(fix)};
    };
    if (is_word_of(encoders, type)) return refused(" is an encoder");
    if (is_word_of(both, type)) return refused(" has an encoder beside its decoder");
    if (const nlohmann::json* flag = said(config, "is_encoder_decoder"); flag && *flag == true && !find_family(type))
        return Error{"the model has an encoder beside its decoder", "is_encoder_decoder", std::string(fix)};
    return std::nullopt;
}

std::optional<Error> has_state_space(const nlohmann::json& config) {
    const bool by_type = is_word_of(state_space, type_said(config));
    const std::string field = by_type || all_attention(config) ? "" : telling_field(config);
    if (!by_type && field.empty()) return std::nullopt;
    std::string what = "its layers are of a recurrence that Headcount does not know";
    if (by_type) what = "a model of type " + config["model_type"].dump() + ": " + what;
    return Error{std::move(what), by_type ? "model_type" : field,
                 "open a model whose layers have attention, or are Mamba-2's or Qwen3-Next's"};
}

}  // namespace headcount
