// Takes values out of a tokenizer.json, where what is there and of another kind is an error; and reads its parts that
// are lists of steps, each with its type. What is not known is refused by its name.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/result.hpp"
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

inline std::string at(const std::string& where, std::size_t index) {
    return where + "[" + std::to_string(index) + "]";
}

}  // namespace headcount::tokenizer_json

namespace headcount {

// `where` is the file and the place in it; null and nothing are no steps.
Result<std::vector<Normalizer>> read_normalizers(const nlohmann::json& json, const std::string& where);
Result<std::vector<PreTokenizer>> read_pre_tokenizers(const nlohmann::json& json, const std::string& where);

// What a decoder does with each token, and with the whole text at last.
struct LettersToBytes {};
struct ByteTokens {};
struct Decoder {
    std::vector<std::variant<LettersToBytes, ByteTokens, ReplaceText, StripText>> of_token;
    StripText of_text{" "};
};
Result<Decoder> read_decoder(const nlohmann::json& json, const std::string& where);

// The bytes that a token of that text adds. An added one is not written in letters of bytes.
Result<std::string> decoded(const Decoder& decoder, std::string text, bool added, const TimeLimit& limit);

// GPT-2's pattern, which ByteLevel has without saying so.
inline constexpr const char* gpt2_words =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

}  // namespace headcount
