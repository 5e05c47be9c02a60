// WordPiece and Unigram: which pieces a word is cut into, what their files may ask for, and what is said of broken
// ones.
#include <gtest/gtest.h>

#include "core/tokenizer/charsmap.hpp"
#include "core/tokenizer/tokenizer.hpp"
#include "tests/core/checkpoints/gguf_file.hpp"
#include "tests/core/tokenizer/reading.hpp"

namespace headcount {
namespace {

using namespace testing_data;
using Ids = std::vector<std::int32_t>;

nlohmann::json word_pieces() {
    return {{"model",
             {{"type", "WordPiece"},
              {"unk_token", "?"},
              {"continuing_subword_prefix", "##"},
              {"max_input_chars_per_word", 6},
              {"vocab", {{"?", 0}, {"a", 1}, {"ab", 2}, {"##b", 3}, {"##bc", 4}, {"##c", 5}, {"##é", 6}, {"##", 7}}}}}};
}

nlohmann::json likely_pieces() {
    return nlohmann::json::parse(R"({"model": {"type": "Unigram", "unk_id": 0, "vocab": [
        ["?", 0], ["a", -3], ["b", -3], ["ab", -6], ["abc", -20], ["c", -1], ["cd", -30]]}})");
}

void add_piece(nlohmann::json& json, const std::string& piece, double score) {
    json["model"]["vocab"].push_back(nlohmann::json::array({piece, score}));
}

TEST(WordPiece, TakesTheLongestPieceFromTheLeft) {
    const Tokenizer tokenizer = tokenizer_of(word_pieces());
    EXPECT_EQ(*tokenizer.encode("abc"), (Ids{2, 5}));  // not a ##bc
    EXPECT_EQ(*tokenizer.encode("abbc"), (Ids{2, 4}));
    EXPECT_EQ(*tokenizer.encode("aé"), (Ids{1, 6}));
}

TEST(WordPiece, AWordThatCannotBeMadeIsUnknownAsAWhole) {
    const Tokenizer tokenizer = tokenizer_of(word_pieces());
    EXPECT_EQ(*tokenizer.encode("abx"), Ids{0});
    EXPECT_EQ(*tokenizer.encode("b"), Ids{0});  // only within a word
    EXPECT_EQ(*tokenizer.encode("aéééé"), (Ids{1, 6, 6, 6, 6}));
    EXPECT_EQ(*tokenizer.encode("aéééééé"), Ids{0});  // seven letters
    nlohmann::json json = word_pieces();
    json["model"].erase("unk_token");
    EXPECT_EQ(tokenizer_of(json).encode("abx").error().what, "the tokenizer has no token for 'abx'");
}

TEST(WordPiece, SpacesStandBeforeWordsButNotBeforeTheFirst) {
    nlohmann::json json = word_pieces();
    json["decoder"] = {{"type", "WordPiece"}, {"prefix", "##"}};
    json["model"]["vocab"]["!"] = 8;
    const Tokenizer tokenizer = tokenizer_of(json);
    EXPECT_EQ(tokenizer.decode(Ids{1, 3, 2, 8}), "ab ab!");
    json["decoder"]["cleanup"] = false;
    EXPECT_EQ(tokenizer_of(json).decode(Ids{1, 3, 2, 8}), "ab ab !");
}

TEST(Bert, AccentsGoWithCapitalsUnlessTheFileSays) {
    nlohmann::json json = word_pieces();
    json["model"]["vocab"]["##e"] = 8;
    json["normalizer"] = {{"type", "BertNormalizer"}, {"lowercase", true}};
    EXPECT_EQ(*tokenizer_of(json).encode("AÉ"), (Ids{1, 8}));
    json["normalizer"]["strip_accents"] = false;
    EXPECT_EQ(*tokenizer_of(json).encode("AÉ"), (Ids{1, 6}));
}

TEST(Unigram, TakesTheWayWhoseScoresAddUpToMost) {
    const Tokenizer tokenizer = tokenizer_of(likely_pieces());
    EXPECT_EQ(*tokenizer.encode("abc"), (Ids{3, 5}));  // -7 is more than -20; of ab and a b the longer
    EXPECT_EQ(*tokenizer.encode("cd"), Ids{6});        // an unknown d is -40
}

TEST(Unigram, LettersThatAreUnknownAreOneTokenOrTheirBytes) {
    EXPECT_EQ(*tokenizer_of(likely_pieces()).encode("axéb"), (Ids{1, 0, 2}));
    nlohmann::json json = likely_pieces();
    json["model"]["byte_fallback"] = true;
    add_piece(json, "<0xC3>", 0);
    EXPECT_EQ(*tokenizer_of(json).encode("aéb"), (Ids{1, 0, 2}));
    add_piece(json, "<0xA9>", 0);
    EXPECT_EQ(*tokenizer_of(json).encode("aéb"), (Ids{1, 7, 8, 2}));
    json["model"].erase("unk_id");
    EXPECT_EQ(tokenizer_of(json).encode("x").error().what, "the tokenizer has no token for 'x'");
}

TEST(Unigram, OfEqualPiecesTheLastCounts) {
    nlohmann::json json = likely_pieces();
    add_piece(json, "a", -1);
    EXPECT_EQ(*tokenizer_of(json).encode("ab"), (Ids{7, 2}));
}

TEST(Mask, IsTheAddedTokenOfThatName) {
    EXPECT_EQ(golden_tokenizer("bert").mask(), 4);
    EXPECT_EQ(golden_tokenizer("unigram_bytes").piece(*golden_tokenizer("unigram_bytes").mask()), "<mask>");
    EXPECT_EQ(golden_tokenizer("t5").mask(), std::nullopt);
    const Ids ids = *golden_tokenizer("bert").encode("the[MASK]ball");
    EXPECT_EQ(std::count(ids.begin(), ids.end(), 4), 1);
}

TEST(Charsmaps, ThatAreBrokenAreRefusedOrReplaceNothing) {
    const std::string whole = golden_json("t5")["normalizer"]["precompiled_charsmap"];
    ASSERT_TRUE(Charsmap::read(whole, ""));
    EXPECT_EQ(*Charsmap::read(whole, "")->mapped("ﬁ Ｔ\xff"), "fi T\xff");
    for (const std::string& broken :
         {std::string(), std::string("AAAA"), whole.substr(0, whole.size() / 2), whole.substr(1), "*" + whole.substr(1),
          std::string("/////w==") + whole, std::string("BAAAAAAAAAD/AA==")}) {
        nlohmann::json json = likely_pieces();
        json["normalizer"] = {{"type", "Precompiled"}, {"precompiled_charsmap", broken}};
        EXPECT_EQ(refusal(json),
                  "a table of letters was expected, as SentencePiece writes it: FILE: normalizer.precompiled_charsmap: "
                  "give the tokenizer.json of the model")
            << broken.substr(0, 20);
    }
    // One unit, which leads far beyond itself.
    EXPECT_EQ(*Charsmap::read("BAAAAAD///8AYQA=", "")->mapped("abc"), "abc");
}

std::string base64(std::string bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while (bytes.size() % 3 != 0) bytes += '\0';  // more of them say nothing here
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i) bits = bits << 8 | static_cast<unsigned char>(bytes[at + i]);
        for (int shift = 18; shift >= 0; shift -= 6) text += digits[bits >> shift & 63];
    }
    return text;
}

// A table in which "a" alone is there, and stands for that text.
std::string table_of_a(const std::string& text) {
    std::vector<std::uint32_t> units('a' + 1);
    units['a'] = 'a' | 1u << 8 | 1u << 10;  // a text ends there; its value is in the unit whose index differs by 1
    units['a' ^ 1] = 1u << 31;              // the first of the texts
    std::string bytes = little(static_cast<std::uint32_t>(4 * units.size()));
    for (const std::uint32_t unit : units) bytes += little(unit);
    return base64(bytes + text + '\0');
}

TEST(Charsmaps, ThatMakeTooMuchEndInASentence) {
    EXPECT_EQ(*Charsmap::read(table_of_a("bcd"), "")->mapped("xay"), "xbcdy");
    EXPECT_EQ(*Charsmap::read(table_of_a(""), "")->mapped("xay"), "xy");
    EXPECT_EQ(Charsmap::read(table_of_a(std::string(5'000, 'b')), "")->mapped("aaa").error().what,
              "the tokenizer's steps make too much of the text");
}

TEST(Refusals, SayWhatIsWrongWithPieces) {
    const std::string fix = ": give the tokenizer.json of the model";
    const auto changed = [](nlohmann::json json, const char* key, const nlohmann::json& value) {
        json["model"][key] = value;
        return refusal(json);
    };
    EXPECT_EQ(changed(word_pieces(), "vocab", {1, 2}),
              "an object of tokens and their ids was expected: FILE: model.vocab" + fix);
    EXPECT_EQ(changed(word_pieces(), "unk_token", "x"),
              "a token of the vocabulary was expected: FILE: model.unk_token" + fix);
    EXPECT_EQ(changed(word_pieces(), "continuing_subword_prefix", nullptr),
              "a text was expected: FILE: model.continuing_subword_prefix" + fix);
    EXPECT_EQ(changed(word_pieces(), "max_input_chars_per_word", -1),
              "a number was expected: FILE: model.max_input_chars_per_word" + fix);
    EXPECT_EQ(changed(likely_pieces(), "vocab", nlohmann::json::parse(R"([["a", 1], ["b", 2], ["c"]])")),
              "a piece and its score was expected: FILE: model.vocab[2]" + fix);
    EXPECT_EQ(changed(likely_pieces(), "vocab", nlohmann::json::array()),
              "a list of pieces and their scores was expected: FILE: model.vocab" + fix);
    EXPECT_EQ(changed(likely_pieces(), "unk_id", 7), "the id of a piece was expected: FILE: model.unk_id" + fix);
}

// Each place of the text is looked at for a piece as long as the rest of it.
TEST(Refusals, LongPiecesRunOutOfTime) {
    const std::string much(200'000, 'a');
    nlohmann::json greedy = word_pieces(), likely = likely_pieces();
    greedy["model"]["max_input_chars_per_word"] = much.size();
    greedy["model"]["vocab"] = {{"?", 0}, {"a", 1}, {"##a", 2}, {"##" + much, 3}};
    add_piece(likely, much + "a", -1);
    for (const nlohmann::json& json : {greedy, likely}) {
        const auto ids = tokenizer_of(json).encode(much, true, TimeLimit(std::chrono::milliseconds(50)));
        ASSERT_FALSE(ids);
        EXPECT_EQ(ids.error().what, "the tokenizer takes too long over the text");
    }
}

}  // namespace
}  // namespace headcount
