// Tokenizers for tests: those of tests/golden/tokenizers, changed or as they are.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

#include "core/tokenizer/tokenizer.hpp"

namespace headcount::testing_data {

inline nlohmann::json golden_json(const std::string& kind) {
    const auto path = std::filesystem::path(HEADCOUNT_TESTS_DIR) / "golden" / "tokenizers" / (kind + ".json");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return nlohmann::json::parse(file);
}

inline nlohmann::json golden_texts() { return golden_json("expected"); }

inline Tokenizer tokenizer_of(const nlohmann::json& json) {
    Result<Tokenizer> tokenizer = Tokenizer::from_json(json.dump(), "FILE");
    if (!tokenizer) throw std::runtime_error(sentence(tokenizer.error()));
    return *std::move(tokenizer);
}

inline Tokenizer golden_tokenizer(const std::string& kind) { return tokenizer_of(golden_json(kind)); }

// The sentence that refuses it; empty where it is read.
inline std::string refusal(const nlohmann::json& json) {
    const Result<Tokenizer> tokenizer = Tokenizer::from_json(json.dump(), "FILE");
    return tokenizer ? "" : sentence(tokenizer.error());
}

inline std::string there_and_back(const Tokenizer& tokenizer, const std::string& text) {
    const Result<std::vector<std::int32_t>> ids = tokenizer.encode(text, false);
    return ids ? tokenizer.decode(*ids) : sentence(ids.error());
}

inline std::string pieces(const Tokenizer& tokenizer, const std::vector<std::int32_t>& ids) {
    std::string all;
    for (const std::int32_t id : ids) all += "[" + tokenizer.piece(id) + "]";
    return all;
}

}  // namespace headcount::testing_data
