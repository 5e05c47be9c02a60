// How many tokens a tokenizer's file knows: all that a configuration may leave to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/base/result.hpp"

namespace headcount {

inline constexpr std::string_view tokenizer_model = "tokenizer.model", tokenizer_json = "tokenizer.json";

// Of a tokenizer.model (SentencePiece's, or Llama 3's list of base64 lines, behind which 256 special tokens stand) or a
// tokenizer.json in the directory; nothing where neither is there. One that cannot be read is an error.
Result<std::optional<std::int64_t>> tokenizer_size_beside(const std::filesystem::path& directory);

// Of the bytes of a tokenizer.model.
Result<std::int64_t> pieces_in(std::string_view model, std::string_view where);

}  // namespace headcount
