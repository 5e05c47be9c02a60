// The model of a tokenizer.json: its vocabulary, and what makes tokens of words.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/tokenizer/parts.hpp"

namespace headcount {

// `where` is the file and the model's place in it.
std::optional<Error> read_model(const nlohmann::json& model, const std::string& where, TokenizerParts& parts);

}  // namespace headcount
