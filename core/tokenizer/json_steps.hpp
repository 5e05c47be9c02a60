// The parts of a tokenizer.json that are lists of steps, each with its type. What is not known is refused by its name.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/tokenizer/steps.hpp"

namespace headcount {

// `where` is the file and the place in it; null and nothing are no steps.
Result<std::vector<Normalizer>> read_normalizers(const nlohmann::json& json, const std::string& where);
Result<std::vector<PreTokenizer>> read_pre_tokenizers(const nlohmann::json& json, const std::string& where);

// What a decoder does with each token, and with the whole text at last.
struct LettersToBytes {};
struct ByteTokens {};
struct StripText {
    std::string letter;
    int left = 0, right = 0;
};
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
