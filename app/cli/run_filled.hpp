// What `run` says of a model that makes no text: the likeliest tokens where a mask stands.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/run.hpp"
#include "core/runtime/sampler.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {

// A token as it is written, or its id where there is no tokenizer: "[17]".
std::string text_of_token(std::int32_t id, const std::optional<Tokenizer>& tokenizer);

// At one token, counted from 0.
struct FilledToken {
    std::int64_t token = 0;
    std::vector<Candidate> likeliest;  // five at most, the likeliest first
};

// Where the tokenizer's mask stands; at every token where there is no tokenizer, or none in the prompt. Nothing where
// the model has no scores for tokens. Of a run that keeps what leaves its layers.
std::vector<FilledToken> filled_in(const Run& run, const std::optional<Tokenizer>& tokenizer);

// What stands for the whole text, or image; empty where the model makes no such row.
std::vector<float> pooled(const Run& run);
// "pooled: 0.123, -0.456, ... 768 numbers"
std::string pooled_text(const std::vector<float>& pooled);

// "token 4: fine 62.1 %, good 20.0 %, ..."
std::string filled_text(const FilledToken& filled, const std::optional<Tokenizer>& tokenizer);
// {"token", "likeliest": [{"id", "text", "probability"}]}
nlohmann::ordered_json filled_json(const FilledToken& filled, const std::optional<Tokenizer>& tokenizer);

}  // namespace headcount
