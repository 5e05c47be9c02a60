// Tokenizers of GGUF files and of llama2.c make the same tokens as the tokenizer.json that they were made from.
#include <gtest/gtest.h>

#include "core/tokenizer/tokenizer.hpp"
#include "tests/core/checkpoints/gguf_file.hpp"
#include "tests/core/tokenizer/reading.hpp"

namespace headcount {
namespace {

using namespace testing_data;

// The vocabulary in the order of its ids.
std::vector<std::string> tokens_of(const nlohmann::json& json) {
    std::vector<std::string> tokens;
    const auto put = [&](std::size_t id, const std::string& text) {
        if (id >= tokens.size()) tokens.resize(id + 1);
        tokens[id] = text;
    };
    for (const auto& [text, id] : json["model"]["vocab"].items()) put(id, text);
    for (const auto& token : json["added_tokens"]) put(token["id"], token["content"]);
    return tokens;
}

// 3 for special tokens, 4 for others that were added, 6 for bytes.
std::vector<std::uint32_t> types_of(const nlohmann::json& json) {
    std::vector<std::uint32_t> types;
    for (const std::string& token : tokens_of(json)) types.push_back(token.starts_with("<0x") ? 6 : 1);
    for (const auto& token : json["added_tokens"]) types[token["id"]] = token["special"] ? 3 : 4;
    return types;
}

GgufFile pieces_file(const nlohmann::json& json) {
    GgufFile file;
    const std::vector<std::string> tokens = tokens_of(json);
    std::string scores = little<std::uint32_t>(6) + little<std::uint64_t>(tokens.size());
    for (std::size_t id = 0; id < tokens.size(); ++id) scores += little(-static_cast<float>(id));
    file.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", tokens);
    file.key("tokenizer.ggml.scores", 9, scores).numbers("tokenizer.ggml.token_type", types_of(json));
    return file.number("tokenizer.ggml.bos_token_id", 1).number("tokenizer.ggml.eos_token_id", 2);
}

GgufFile bytes_file(const nlohmann::json& json, std::string_view pre) {
    std::vector<std::string> merges;
    for (const auto& merge : json["model"]["merges"])
        merges.push_back(merge.is_string() ? merge.get<std::string>()
                                           : merge[0].get<std::string>() + " " + merge[1].get<std::string>());
    GgufFile file;
    file.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", pre);
    file.texts("tokenizer.ggml.tokens", tokens_of(json)).texts("tokenizer.ggml.merges", merges);
    return file.numbers("tokenizer.ggml.token_type", types_of(json));
}

Result<Tokenizer> read(const GgufFile& file) {
    const std::string bytes = file.bytes();
    return Tokenizer::from_gguf(as_bytes_of(bytes), "FILE");
}

void expect_ids(const Tokenizer& tokenizer, const std::string& kind) {
    const nlohmann::json expected = golden_texts();
    for (std::size_t i = 0; i < expected["texts"].size(); ++i) {
        const auto ids = tokenizer.encode(expected["texts"][i].get<std::string>());
        ASSERT_TRUE(ids) << sentence(ids.error());
        EXPECT_EQ(*ids, expected["ids"][kind][i].get<std::vector<std::int32_t>>()) << expected["texts"][i].dump();
        EXPECT_EQ(tokenizer.decode(*ids), expected["decoded"][kind][i].get<std::string>())
            << expected["texts"][i].dump();
    }
}

TEST(Gguf, ScoresMakeTheTokensThatMergesMake) {
    const Result<Tokenizer> tokenizer = read(pieces_file(golden_json("llama2")));
    ASSERT_TRUE(tokenizer) << sentence(tokenizer.error());
    expect_ids(*tokenizer, "llama2");
    EXPECT_EQ(tokenizer->bos(), 1);
    EXPECT_EQ(tokenizer->ends(), std::vector<std::int32_t>{2});
}

TEST(Gguf, NamesOfPatternsStandForThem) {
    for (const auto& [pre, kind] : {std::pair("llama-bpe", "llama3"), std::pair("tekken", "tekken"),
                                    std::pair("deepseek-v3", "deepseek"), std::pair("falcon", "falcon")}) {
        const nlohmann::json json = golden_json(kind);
        GgufFile file = bytes_file(json, pre);
        if (std::string_view(kind) == "llama3")
            file.number("tokenizer.ggml.bos_token_id",
                        json["post_processor"]["processors"][1]["special_tokens"]["<|begin_of_text|>"]["ids"][0]
                            .get<std::uint32_t>());
        const Result<Tokenizer> tokenizer = read(file);
        ASSERT_TRUE(tokenizer) << sentence(tokenizer.error());
        expect_ids(*tokenizer, kind);
    }
}

TEST(Gguf, AnUnknownPatternIsRefusedByItsName) {
    const Result<Tokenizer> tokenizer = read(bytes_file(golden_json("gpt2"), "of-tomorrow"));
    ASSERT_FALSE(tokenizer);
    EXPECT_EQ(
        sentence(tokenizer.error()),
        "the way 'of-tomorrow' to cut a text into words is not known: FILE, tokenizer.ggml.pre: give ids of tokens "
        "in the place of a text");
}

TEST(Gguf, WhatIsMissingIsSaid) {
    GgufFile none, other, no_scores, merged;
    none.text("general.architecture", "llama");
    other.text("tokenizer.ggml.model", "bert").texts("tokenizer.ggml.tokens", {"a"});
    no_scores.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", {"a", "b"});
    merged.text("tokenizer.ggml.model", "gpt2").texts("tokenizer.ggml.tokens", {"a", "b"});
    merged.texts("tokenizer.ggml.merges", {"a b"});
    EXPECT_EQ(read(none).error().what, "there is no tokenizer in this file");
    EXPECT_EQ(read(other).error().what, "a tokenizer of the model 'bert' is not supported, only 'llama' and 'gpt2'");
    EXPECT_EQ(read(no_scores).error().what, "0 scores for 2 tokens");
    EXPECT_EQ(read(merged).error(), (Error{"the merge 'a b' is of texts that are no tokens",
                                           "FILE, tokenizer.ggml.merges, number 0", "convert the model again"}));
}

TEST(Gguf, BosStandsThereOnlyWhereTheFileWantsIt) {
    GgufFile without = pieces_file(golden_json("llama2"));
    without.boolean("tokenizer.ggml.add_bos_token", false).boolean("tokenizer.ggml.add_space_prefix", false);
    const Result<Tokenizer> tokenizer = read(without);
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokenizer->bos(), std::nullopt);
    EXPECT_EQ(there_and_back(*tokenizer, "ball"), "ball");
    EXPECT_EQ(tokenizer->bytes(tokenizer->encode("the ball", false)->back()), " ball");
}

TEST(Llama2c, ItsTokenizerMakesTheTokensOfTheSamePieces) {
    const nlohmann::json json = golden_json("llama2");
    std::string bytes = little<std::uint32_t>(20);
    float score = 0;
    for (std::string token : tokens_of(json)) {
        for (std::size_t at; (at = token.find("\u2581")) != token.npos;) token.replace(at, 3, " ");
        bytes += little(score) + little(static_cast<std::uint32_t>(token.size())) + token;
        score -= 1;
    }
    const Result<Tokenizer> tokenizer =
        Tokenizer::from_llama2c(as_bytes_of(bytes), "FILE", static_cast<std::int64_t>(tokens_of(json).size()));
    ASSERT_TRUE(tokenizer) << sentence(tokenizer.error());
    const nlohmann::json expected = golden_texts();
    for (std::size_t i = 0; i < expected["texts"].size(); ++i) {
        const std::string text = expected["texts"][i];
        if (text.find("\u2581") != text.npos) continue;  // to llama2.c not a space
        EXPECT_EQ(*tokenizer->encode(text), expected["ids"]["llama2"][i].get<std::vector<std::int32_t>>()) << text;
    }
    EXPECT_EQ(there_and_back(*tokenizer, "The ball.\n"), "The ball.\n");
}

TEST(Llama2c, AFileThatEndsEarlyIsRefused) {
    const std::string bytes = little<std::uint32_t>(7) + little(0.0f) + little<std::uint32_t>(100) + "abc";
    const Result<Tokenizer> tokenizer = Tokenizer::from_llama2c(as_bytes_of(bytes), "FILE", 512);
    ASSERT_FALSE(tokenizer);
    EXPECT_EQ(tokenizer.error().what,
              "100 bytes of a piece are announced, of at least 1 bytes each, and 3 bytes follow");
}

TEST(Llama2c, AsManyPiecesAreReadAsTheVocabularyHas) {
    const std::string zeros(std::size_t{64} << 20, '\0');  // eight million empty pieces
    const Result<Tokenizer> tokenizer = Tokenizer::from_llama2c(as_bytes_of(zeros), "FILE", 512);
    ASSERT_FALSE(tokenizer);
    EXPECT_EQ(tokenizer.error().what, "there are more pieces than the 512 of the model's vocabulary");
    EXPECT_EQ(tokenizer.error().where, "FILE, byte 4100");
    EXPECT_FALSE(Tokenizer::from_llama2c(as_bytes_of(zeros), "FILE", std::int64_t{1} << 60))
        << "nor more than any vocabulary has";
}

TEST(Gguf, NoVocabularyHasMillionsOfTokens) {
    const std::uint64_t count = (std::uint64_t{1} << 22) + 1;
    const std::string bytes =
        GgufFile().key("tokenizer.ggml.scores", 9, little(6U) + little(count) + std::string(count * 4, '\0')).bytes();
    const Result<Tokenizer> tokenizer = Tokenizer::from_gguf(as_bytes_of(bytes), "FILE");
    ASSERT_FALSE(tokenizer);
    EXPECT_EQ(tokenizer.error().what, "'tokenizer.ggml.scores' has 4194305 values, at most 4194304 are read");
}

}  // namespace
}  // namespace headcount
