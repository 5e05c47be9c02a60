// Takes values out of a tokenizer.json, where what is there and of another kind is an error; and reads its parts that
// are lists of steps, each with its type. What is not known is refused by its name.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/utf8.hpp"
#include "core/tokenizer/steps.hpp"

namespace headcount::tokenizer_json {

using Json = nlohmann::json;

inline const Json nothing;  // null

// null where there is no such key.
inline const Json& value(const Json& json, const char* key) {
    if (!json.is_object()) return nothing;
    const auto found = json.find(key);
    return found != json.end() ? *found : nothing;
}

inline Error expected(const char* what, const std::string& where) {
    return {std::string(what) + " was expected", where, "give the tokenizer.json of the model"};
}

inline Result<std::string> text(const Json& json, const char* key, const std::string& where) {
    const Json& found = value(json, key);
    if (!found.is_string()) return expected("a text", where + "." + key);
    return found.get<std::string>();
}

inline Result<bool> truth(const Json& json, const char* key, bool otherwise, const std::string& where) {
    const Json& found = value(json, key);
    if (found.is_null()) return otherwise;
    if (!found.is_boolean()) return expected("true or false", where + "." + key);
    return found.get<bool>();
}

inline std::string at(const std::string& where, std::size_t index) { return where + "[" + std::to_string(index) + "]"; }

inline Error not_supported(const char* what, const std::string& type, const std::string& where) {
    return {std::string("the ") + what + " " + in_quotes(type) + " is not supported", where, "use another tokenizer"};
}

// Reads the steps of a Sequence, which has them in that list, or the one step that there is: read(json, type, where).
template <class Read>
std::optional<Error> each_step(const Json& json, const char* list, const std::string& where, const Read& read) {
    const Result<std::string> type = text(json, "type", where);
    if (!type) return type.error();
    if (*type != "Sequence") return read(json, *type, where);
    const Json& steps = value(json, list);
    const std::string place = where + "." + list;
    if (!steps.is_array()) return expected("a list", place);
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (std::optional<Error> error = each_step(steps[i], list, at(place, i), read)) return error;
    return std::nullopt;
}

Result<ReplaceText> read_replace(const Json& json, const std::string& where);
Result<Metaspace> read_metaspace(const Json& json, const std::string& where);

}  // namespace headcount::tokenizer_json

namespace headcount {

// `where` is the file and the place in it; null and nothing are no steps.
Result<std::vector<Normalizer>> read_normalizers(const nlohmann::json& json, const std::string& where);
Result<std::vector<PreTokenizer>> read_pre_tokenizers(const nlohmann::json& json, const std::string& where);

// What a decoder does with each token, and with the whole text at last.
struct LettersToBytes {};
struct ByteTokens {};
// A space before it, or its prefix taken away, which says that it goes on with a word.
struct JoinPieces {
    std::string prefix;
};
struct Decoder {
    std::vector<std::variant<LettersToBytes, ByteTokens, JoinPieces, ReplaceText, StripText>> of_token;
    StripText of_text{" "};
};
Result<Decoder> read_decoder(const nlohmann::json& json, const std::string& where);

// The bytes that a token of that text adds. An added one is not written in letters of bytes.
Result<std::string> decoded(const Decoder& decoder, std::string text, bool added, const TimeLimit& limit);

// GPT-2's pattern, which ByteLevel has without saying so.
inline constexpr const char* gpt2_words =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

}  // namespace headcount
