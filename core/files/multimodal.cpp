// Multimodal configurations (transformers: text_config; other code: llm_config, language_config).
#include "core/files/multimodal.hpp"

#include <array>
#include <vector>

#include "core/arch/family.hpp"
#include "core/arch/whole_senses.hpp"
#include "core/base/text.hpp"
#include "core/families/config_reader.hpp"
#include "core/families/families.hpp"
#include "core/families/unknown.hpp"
#include "core/families/wrappers.hpp"
#include "core/files/class_said.hpp"
#include "core/files/config.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 3> text_parts{"text_config", "llm_config", "language_config"};

constexpr const char* tying = "tie_word_embeddings";
constexpr const char* quantization = "quantization_config";

const Wrapper* wrapper_of(const nlohmann::json& config) { return find_wrapper(type_said(config)); }

// Which fields may have the language model: of a type that is known its own, then what other code calls it.
std::vector<std::string_view> parts_of(const nlohmann::json& config) {
    std::vector<std::string_view> parts(text_parts.begin(), text_parts.end());
    if (const Wrapper* wrapper = wrapper_of(config)) parts.front() = text_field(*wrapper);
    return parts;
}

// What a file or its text part says of the output head; nothing where it is silent.
std::optional<bool> head_word(const nlohmann::json& config) {
    const nlohmann::json* word = said(config, tying);
    return word && word->is_boolean() ? std::optional(word->get<bool>()) : std::nullopt;
}

// What the text part's silence means where its type is known. A part within a part has no word here: each would be read
// twice as often as the one around it.
std::optional<bool> silent_word(const nlohmann::json& text) {
    if (!text_part(text).empty()) return std::nullopt;
    const Result<Architecture> alone = read_config(text, "");
    return alone && alone->family->verified ? std::optional(alone->tied) : std::nullopt;
}

// Whether the head is the whole's own module, and not that of a text part that makes scores itself.
bool has_own_head(const Wrapper& wrapper) {
    return wrapper.head_word == HeadWord::whole || wrapper.head_word == HeadWord::either;
}

// Whether the file's class is the language model alone, though its fields are the whole one's.
bool is_of_text_alone(const nlohmann::json& config) {
    const std::string name = class_said(config);
    const Wrapper* wrapper = wrapper_of(config);
    return name.ends_with("ForCausalLM") && !(wrapper && wrapper->whole_class == name);
}

struct Head {
    std::optional<bool> tied;  // nothing: as the text part's type has it
    bool disputed = false;     // the file and its text part disagree
};

// Whether the output head of a whole model is the embedding.
Head head_of(const nlohmann::json& config, const nlohmann::json& text) {
    const Wrapper* wrapper = wrapper_of(config);
    const std::optional<bool> whole = head_word(config), part = head_word(text);
    const std::optional<bool> in_effect = part ? part : silent_word(text);
    Head head;
    const HeadWord speaks = is_of_text_alone(config) ? HeadWord::text : wrapper ? wrapper->head_word : HeadWord::whole;
    switch (speaks) {
        case HeadWord::whole: head.tied = whole ? whole : wrapper ? std::optional(wrapper->tied) : part; break;
        case HeadWord::either: head.tied = whole.value_or(wrapper->tied) || in_effect.value_or(false); break;
        case HeadWord::text: head.tied = in_effect; break;
        case HeadWord::none: head.tied = false; break;
    }
    // A part's silence is no word against one that the file says.
    const std::optional<bool> against = whole ? part : in_effect;
    const bool apart = wrapper && text_field(*wrapper) != text_parts.front();  // the whole has no head to speak of
    head.disputed =
        !apart && head.tied && (whole.value_or(*head.tied) != *head.tied || against.value_or(*head.tied) != *head.tied);
    return head;
}

// The part with its type.
nlohmann::json typed_part(const nlohmann::json& config, std::string_view key) {
    nlohmann::json text = config[key];
    if (const Wrapper* wrapper = wrapper_of(config); wrapper && !wrapper->implied.empty())
        text.erase(std::string(wrapper->implied));
    if (!said(text, "model_type")) {
        if (const Wrapper* wrapper = wrapper_of(config))
            text["model_type"] = wrapper->text;
        else if (said(config, "model_type"))
            text["model_type"] = config["model_type"];
    }
    // The whole's class decides what stands on the layers; beside an encoder of its own it is a decoder.
    if (said(text, "model_type")) text.erase("architectures");
    const Wrapper* const wrapper = wrapper_of(config);
    const bool apart = wrapper && key == text_field(*wrapper) && key != text_parts.front();
    const Family* const family = apart ? find_family(type_said(text)) : nullptr;
    const std::string decoder = family ? decoder_class(*family) : "";
    if (!decoder.empty()) text["architectures"] = {decoder};
    return text;
}

}  // namespace

namespace {

// Of encoders of texts and of images beside each other: what a CLIP's file says of one again counts in its place, and
// of what is not there the sizes are the type's own.
nlohmann::json with_own_parts(nlohmann::json config, const Wrapper& wrapper) {
    for (const std::string part : {"text_config", "vision_config"}) {
        const std::string again = part + "_dict";
        const nlohmann::json* const counts = says_parts_again(wrapper) ? said(config, again) : nullptr;
        if (counts) config[part] = nlohmann::json(*counts);
        if (!said(config, part)) config[part] = nlohmann::json::object();
        config.erase(again);
    }
    return config;
}

}  // namespace

bool is_of_both(const nlohmann::json& config, const Family& family) {
    return find_wrapper(family.type) && class_said(config) != family.modules.front().class_name;
}

std::string_view text_part(const nlohmann::json& config) {
    const Family* const family = find_family(type_said(config));
    if (family && !is_of_both(config, *family)) return "";
    for (std::string_view key : parts_of(config))
        if (auto found = config.find(key); found != config.end() && found->is_object()) return key;
    return "";
}

std::optional<nlohmann::json> with_text_apart(const nlohmann::json& config) {
    const Wrapper* wrapper = wrapper_of(config);
    if (wrapper && find_family(wrapper->type)) return with_own_parts(config, *wrapper);
    if (!wrapper || !wrapper->flat || !text_part(config).empty() || !looks_like_decoder(config)) return std::nullopt;
    constexpr std::string_view of_whole =
        "architectures auto_map dtype image_size image_token_id model_type num_channels patch_size quantization_config "
        "tie_word_embeddings torch_dtype transformers_version video_token_id vision_config vision_end_token_id "
        "vision_start_token_id vision_token_id";
    nlohmann::json whole = nlohmann::json::object(), text = nlohmann::json::object();
    for (const auto& [key, value] : config.items()) (is_word_of(of_whole, key) ? whole : text)[key] = value;
    whole[text_parts.front()] = std::move(text);
    return whole;
}

bool is_multimodal(const nlohmann::json& config) { return !text_part(config).empty() || wrapper_of(config); }

namespace {

// A head of its own in another size than the text part's is none that an architecture here can have.
std::optional<Error> wrong_head_size(const nlohmann::json& config) {
    const Wrapper* wrapper = wrapper_of(config);
    const std::string_view key = text_part(config);
    if (!wrapper || !wrapper->head_size || key.empty() || !text_part(config[key]).empty()) return std::nullopt;
    const Result<Architecture> text = read_config(text_of(config, key), "");
    if (!text || text->tied) return std::nullopt;
    const auto wrong = [&](const char* field, std::int64_t silent, std::int64_t inside) -> std::optional<Error> {
        const nlohmann::json whole = said(config, field) ? config[field] : nlohmann::json(silent);
        if (whole == inside) return std::nullopt;
        return Error{"the output head of this type is sized by " + as_written(whole) + ", and its text part by " +
                         grouped(inside),
                     field, "give both the same, or tie the head (tie_word_embeddings)"};
    };
    const std::optional<Error> width = wrong("hidden_size", wrapper->head_size->dim, text->dim);
    return width ? width : wrong("vocab_size", wrapper->head_size->vocab, text->vocab);
}

}  // namespace

std::optional<Error> wrong_multimodal(const nlohmann::json& config) {
    for (const std::string_view key : parts_of(config))
        if (said(config, key) && !config[key].is_object())
            return Error{"an object was expected, not " + std::string(config[key].type_name()), std::string(key),
                         "put the language model's fields there in { }, or leave it out"};
    if (!text_part(config).empty() && said(config, tying) && !config[tying].is_boolean())
        return Error{as_written(config[tying]) + " is neither true nor false", tying, "give true or false"};
    return wrong_head_size(config);
}

nlohmann::json text_of(const nlohmann::json& config, std::string_view key) {
    nlohmann::json text = typed_part(config, key);
    if (const std::optional<bool> tied = head_of(config, text).tied) text[tying] = *tied;
    if (said(config, quantization) && !said(text, quantization)) text[quantization] = config[quantization];
    if (!said(config, "dtype") && !said(config, "torch_dtype")) return text;
    for (const char* format : {"dtype", "torch_dtype"}) {
        text.erase(format);
        if (said(config, format)) text[format] = config[format];
    }
    return text;
}

std::optional<Error> put_head_of_whole(const nlohmann::json& config, Architecture& text) {
    const Wrapper* wrapper = wrapper_of(config);
    const std::string_view key = text_part(config);
    if (!wrapper || key.empty() || is_of_text_alone(config) || !text.family->verified) return std::nullopt;
    if (!has_own_head(*wrapper)) return std::nullopt;
    text.head_bias = false;
    if (!text.encoder) return std::nullopt;
    const nlohmann::json part = typed_part(config, key);
    const std::optional<bool> word = head_word(part);
    text.encoder->own_embedding = !(word ? word : silent_word(part)).value_or(true);
    if (!text.tied || !text.encoder->own_embedding) return std::nullopt;
    return Error{"a head that is the embedding is not known here beside stacks with tables of their own", tying,
                 "say the same in " + std::string(key)};
}

Result<Architecture> with_senses(Architecture text, const nlohmann::json& config, const std::string& place) {
    const Wrapper* wrapper = wrapper_of(config);
    if (!wrapper || !wrapper->senses || is_of_text_alone(config) || !text.family->verified) return text;
    nlohmann::json file = config;
    file.erase(std::string(text_field(*wrapper)));
    text.whole = WholeFile{wrapper, carried_from(file)};
    const Result<Senses> senses = senses_of(text);
    if (!senses) return within(place, senses.error());
    if (!*senses) text.whole.reset();
    return text;
}

nlohmann::ordered_json whole_of(const Architecture& arch, nlohmann::ordered_json text) {
    nlohmann::ordered_json whole(arch.whole->file.object());
    if (whole.contains(quantization)) text.erase(quantization);
    whole[tying] = arch.tied;
    if (arch.encoder && has_own_head(*arch.whole->type)) text[tying] = !arch.encoder->own_embedding;
    whole[std::string(text_field(*arch.whole->type))] = std::move(text);
    return whole;
}

bool disagrees_on_head(const nlohmann::json& config) {
    const std::string_view key = text_part(config);
    return !key.empty() && head_of(config, typed_part(config, key)).disputed;
}

std::string note_on_head(bool tied, bool stored) {
    const std::string disagree = "The file and its text part disagree on tie_word_embeddings: ";
    if (stored) return disagree + "the output head that these weights hold is counted.";
    if (!tied) return disagree + "an output head of its own is counted.";
    return disagree + "the output head is counted as the embedding. Weights with a head of their own keep it.";
}

}  // namespace headcount
