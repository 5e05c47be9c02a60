// Meta's params.json, as it lies beside the weights that Meta publishes, and the tokenizer there: how many tokens it
// knows is all that a configuration may leave to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "core/arch/architecture.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Whether an object is a params.json: it says "dim" and "n_layers", and no model_type.
bool is_params(const nlohmann::json& json);

// The architecture that it describes, with Meta's rule for the feed-forward width (Mistral's files give the width). A
// vocabulary of -1 is what the file leaves open: `vocab`, counted from a tokenizer beside it, stands in, and where that
// is absent too the vocabulary is 0, which is no valid architecture before somebody gives it.
Result<Architecture> read_params(const nlohmann::json& params, std::optional<std::int64_t> vocab,
                                 std::string_view where);

inline constexpr std::string_view tokenizer_model = "tokenizer.model", tokenizer_json = "tokenizer.json";

// Of a tokenizer.model (SentencePiece's, or Llama 3's list of base64 lines, behind which 256 special tokens stand) or a
// tokenizer.json in the directory; nothing where neither is there. One that cannot be read is an error.
Result<std::optional<std::int64_t>> tokenizer_size_beside(const std::filesystem::path& directory);

// Of the bytes of a tokenizer.model.
Result<std::int64_t> pieces_in(std::string_view model, std::string_view where);

}  // namespace headcount
