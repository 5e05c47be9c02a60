// Types of models that have an encoder: their sizes read like a decoder's, and what is counted of them would be wrong.
#include "core/families/encoders.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace headcount {
namespace {

constexpr std::string_view fix = "Headcount shows decoder-only models: open one of those";

constexpr std::array encoders = std::to_array<std::string_view>(
    {"albert",      "bert",       "big_bird",    "camembert",      "convbert", "data2vec-text", "deberta",
     "deberta-v2",  "distilbert", "electra",     "ernie",          "esm",      "eurobert",      "flaubert",
     "funnel",      "ibert",      "layoutlm",    "longformer",     "luke",     "megatron-bert", "mobilebert",
     "modernbert",  "mpnet",      "nomic_bert",  "nystromformer",  "rembert",  "roberta",       "roformer",
     "squeezebert", "xlm",        "xlm-roberta", "xlm-roberta-xl", "xmod"});

constexpr std::array both = std::to_array<std::string_view>({"bart",
                                                             "bigbird_pegasus",
                                                             "blenderbot",
                                                             "encoder-decoder",
                                                             "fsmt",
                                                             "led",
                                                             "longt5",
                                                             "m2m_100",
                                                             "marian",
                                                             "mbart",
                                                             "mt5",
                                                             "mvp",
                                                             "nllb-moe",
                                                             "pegasus",
                                                             "pegasus_x",
                                                             "plbart",
                                                             "prophetnet",
                                                             "speech-encoder-decoder",
                                                             "speech_to_text",
                                                             "switch_transformers",
                                                             "t5",
                                                             "t5gemma",
                                                             "umt5",
                                                             "vision-encoder-decoder",
                                                             "whisper"});

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& types, const nlohmann::json& type) {
    return std::any_of(types.begin(), types.end(), [&](std::string_view each) { return type == each; });
}

}  // namespace

std::optional<Error> has_encoder(const nlohmann::json& config) {
    const auto type = config.find("model_type");
    const bool typed = type != config.end() && type->is_string();
    if (typed && is_among(encoders, *type))
        return Error{"a model of type " + type->dump() + " is an encoder", "model_type", std::string(fix)};
    if (typed && is_among(both, *type))
        return Error{"a model of type " + type->dump() + " has an encoder beside its decoder", "model_type",
                     std::string(fix)};
    const auto flag = config.find("is_encoder_decoder");
    if (flag != config.end() && *flag == true)
        return Error{"the model has an encoder beside its decoder", "is_encoder_decoder", std::string(fix)};
    return std::nullopt;
}

}  // namespace headcount
