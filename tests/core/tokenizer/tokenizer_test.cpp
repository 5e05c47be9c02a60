// What a tokenizer.json may ask for, what it may not, and what is said of single tokens.
#include "core/tokenizer/tokenizer.hpp"

#include <gtest/gtest.h>

#include "core/tokenizer/pattern.hpp"
#include "tests/core/tokenizer/reading.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using namespace testing_data;
using Ids = std::vector<std::int32_t>;

nlohmann::json small() {
    return {{"model",
             {{"type", "BPE"},
              {"vocab", {{"a", 0}, {"b", 1}, {"c", 2}, {"ab", 3}, {"bc", 4}, {"abc", 5}}},
              {"merges", {"b c", "a b", "a bc"}}}}};
}

TEST(Merges, TheBestPairOfTheWholeWordComesFirst) {
    const Tokenizer tokenizer = tokenizer_of(small());
    EXPECT_EQ(*tokenizer.encode("abc"), Ids{5});  // b c, then a bc
    EXPECT_EQ(*tokenizer.encode("abab"), (Ids{3, 3}));
    EXPECT_EQ(*tokenizer.encode("aabcb"), (Ids{0, 5, 1}));
    EXPECT_EQ(*tokenizer.encode(""), Ids{});
}

TEST(Merges, OfEqualPairsTheLeftmostComesFirst) {
    nlohmann::json json = small();
    json["model"]["vocab"] = {{"a", 0}, {"aa", 1}};
    json["model"]["merges"] = {"a a"};
    EXPECT_EQ(*tokenizer_of(json).encode("aaaaa"), (Ids{1, 1, 0}));
}

TEST(Merges, AWholeWordNeedsNoneWhereTheFileSaysSo) {
    nlohmann::json json = small();
    json["model"]["vocab"]["cab"] = 6;
    EXPECT_EQ(*tokenizer_of(json).encode("cab"), (Ids{2, 3}));
    json["model"]["ignore_merges"] = true;
    EXPECT_EQ(*tokenizer_of(json).encode("cab"), Ids{6});
}

TEST(Letters, WithoutATokenAreRefusedAndNotDropped) {
    EXPECT_EQ(tokenizer_of(small()).encode("abx").error().what, "the tokenizer has no token for 'x'");
    EXPECT_EQ(
        sentence(tokenizer_of(small()).encode("ab\xff").error()),
        "the text is not UTF-8, and this tokenizer has no tokens for single bytes: prompt, byte 2: give a text in "
        "UTF-8");
    nlohmann::json json = small();
    json["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
    EXPECT_EQ(tokenizer_of(json).encode("ab\n").error().what, "the tokenizer has no token for the byte 0x0A");
}

TEST(Refusals, NameWhatIsNotSupported) {
    for (const auto& [part, type, words] :
         {std::tuple("normalizer", "Nmt", "the normalizer 'Nmt'"),
          std::tuple("pre_tokenizer", "UnicodeScripts", "the pre-tokenizer 'UnicodeScripts'"),
          std::tuple("decoder", "CTC", "the decoder 'CTC'"),
          std::tuple("post_processor", "Of tomorrow", "the post-processor 'Of tomorrow'")}) {
        nlohmann::json json = small();
        json[part] = {{"type", type}};
        EXPECT_EQ(refusal(json), std::string(words) + " is not supported: FILE: " + part + ": use another tokenizer");
    }
    nlohmann::json words = small();
    words["model"]["type"] = "WordLevel";
    EXPECT_EQ(refusal(words),
              "a model of type 'WordLevel' is not supported, only BPE, WordPiece and Unigram: FILE: model.type: give "
              "ids of tokens in the place of a text");
}

TEST(Refusals, SayWhatIsWrongAndWhere) {
    nlohmann::json merge = small(), id = small(), pattern = small(), added = small(), vocabulary = small();
    merge["model"]["merges"].push_back("c c");
    EXPECT_EQ(refusal(merge),
              "the vocabulary has no 'cc': FILE: model.merges[3]: give the tokenizer.json of the model");
    id["model"]["vocab"]["a"] = 100'000'000;
    EXPECT_EQ(refusal(id),
              "the id of 'a' is '100000000', a number near the others was expected: FILE: model.vocab: give "
              "the tokenizer.json of the model");
    pattern["pre_tokenizer"] = {{"type", "Split"}, {"pattern", {{"Regex", "(a"}}}, {"behavior", "Isolated"}};
    EXPECT_EQ(refusal(pattern),
              "the pattern '(a' is not read: missing closing parenthesis at byte 2: FILE: "
              "pre_tokenizer.pattern: write it for PCRE2");
    added["added_tokens"] = {{{"id", 6}, {"content", ""}}};
    EXPECT_EQ(refusal(added),
              "a text was expected: FILE: added_tokens[0].content: give the tokenizer.json of the model");
    vocabulary["model"]["vocab"] = nlohmann::json::array();
    EXPECT_EQ(refusal(vocabulary),
              "an object of tokens and their ids was expected: FILE: model.vocab: give the "
              "tokenizer.json of the model");
}

TEST(Refusals, APatternThatTriesTooMuchEndsInASentence) {
    nlohmann::json json = small();
    json["pre_tokenizer"] = {{"type", "Split"}, {"pattern", {{"Regex", "(a+)+$"}}}, {"behavior", "Isolated"}};
    const auto ids = tokenizer_of(json).encode(std::string(60, 'a') + "b");
    ASSERT_FALSE(ids);
    EXPECT_EQ(ids.error().what, "a pattern of the tokenizer does not get through the text: match limit exceeded");
}

// Each letter takes as many tries as may be made of one: a text of them would take the minutes of the file's choosing.
TEST(Refusals, APatternThatTriesMuchAtEveryLetterRunsOutOfTime) {
    const std::string many(5'000, 'a'), slow = "(?:a?){17}a{17}[xy]";
    for (const std::string& expression : {slow, slow + "|a"}) {
        nlohmann::json json = small();
        json["pre_tokenizer"] = {{"type", "Split"}, {"pattern", {{"Regex", expression}}}, {"behavior", "Isolated"}};
        const auto ids = tokenizer_of(json).encode(many, true, TimeLimit(std::chrono::milliseconds(50)));
        ASSERT_FALSE(ids) << expression;
        EXPECT_EQ(ids.error().what, "a pattern of the tokenizer does not get through the text: it takes too long");
    }
}

// What comes after each step refuses the text for another reason: whose sentence it is shows where the work ended.
TEST(Refusals, NoStepGoesOnWhenTheTimeIsOver) {
    const auto ends_there = [](const nlohmann::json& json, const char* in_time, const std::string& text = "abx") {
        const TimeLimit over(std::chrono::milliseconds(0));
        EXPECT_EQ(tokenizer_of(json).encode(text).error().what, in_time);
        EXPECT_EQ(tokenizer_of(json).encode(text, true, over).error().what,
                  "the tokenizer takes too long over the text")
            << json.dump();
    };
    ends_there(small(), "the tokenizer has no token for 'x'");

    const char* const grows = "the tokenizer's steps make too much of the text";
    const std::string much(5'000, 'a');
    const nlohmann::json growing_text{{"type", "Prepend"}, {"prepend", much}},
        growing_words{{"type", "Metaspace"}, {"replacement", much}}, pattern{{"String", "b"}};
    nlohmann::json json = small();
    for (const char* type :
         {"NFC", "NFD", "NFKC", "NFKD", "ByteLevel", "Prepend", "Replace", "Strip", "Lowercase", "BertNormalizer"}) {
        const nlohmann::json step{{"type", type}, {"prepend", "a"}, {"pattern", pattern}, {"content", "c"}};
        json["normalizer"] = {{"type", "Sequence"}, {"normalizers", {step, growing_text}}};
        ends_there(json, grows);
    }
    json = small();
    for (const nlohmann::json& step :
         {nlohmann::json{{"type", "Split"}, {"pattern", pattern}, {"behavior", "Isolated"}},
          {{"type", "ByteLevel"}, {"use_regex", false}},
          {{"type", "Metaspace"}, {"replacement", "_"}}}) {
        json["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", {step, growing_words}}};
        ends_there(json, grows);
    }
    json = small();
    json["added_tokens"] = {{{"id", 6}, {"content", "<x>"}, {"normalized", false}}};
    json["normalizer"] = growing_text;
    ends_there(json, grows);
    json["added_tokens"][0]["normalized"] = true;
    json.erase("normalizer");
    json["pre_tokenizer"] = {{"type", "Split"}, {"pattern", {{"Regex", "(a+)+$"}}}, {"behavior", "Isolated"}};
    ends_there(json, "a pattern of the tokenizer does not get through the text: match limit exceeded",
               std::string(60, 'a') + "b");
}

TEST(Patterns, FindAMatchHoweverFarItIs) {
    const TimeLimit limit = TimeLimit::of_text();
    const Result<Pattern> pattern = Pattern::expression("(?<=é)x+", "");
    ASSERT_TRUE(pattern);
    std::string text;
    for (int i = 0; i < 40; ++i) text += "é";  // two bytes each: looking on begins within none
    EXPECT_EQ(*pattern->find(text + "xxx" + text + "x", limit), (std::vector<Range>{{80, 83}, {163, 164}}));
}

TEST(Refusals, StepsThatDoubleTheTextEndInASentence) {
    nlohmann::json json = small(), step{{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}};
    json["normalizer"] = {{"type", "Sequence"}, {"normalizers", nlohmann::json::array()}};
    for (int i = 0; i < 60; ++i) json["normalizer"]["normalizers"].push_back(step);
    EXPECT_EQ(tokenizer_of(json).encode("aa").error().what, "the tokenizer's steps make too much of the text");
}

TEST(Pieces, AreShownSoThatEveryByteIsSeen) {
    const Tokenizer llama3 = golden_tokenizer("llama3"), llama2 = golden_tokenizer("llama2");
    const auto shown = [](const Tokenizer& tokenizer, const std::string& text) {
        return pieces(tokenizer, *tokenizer.encode(text, false));
    };
    EXPECT_EQ(shown(llama3, " the ball\n"), "[ the][ ball][\\n]");
    EXPECT_EQ(shown(llama3, "\xff\t"), "[\\xFF][\\t]");
    EXPECT_EQ(shown(llama2, "\u200b"), "[ ][\\xE2][\\x80][\\x8B]");
    EXPECT_EQ(llama2.piece(-1), "[-1]");
    EXPECT_EQ(llama2.piece(100'000), "[100000]");
    EXPECT_EQ(llama2.bytes(100'000), "");
}

TEST(Specials, StandAroundAWholeTextAndCanBeLeftOut) {
    const Tokenizer tokenizer = golden_tokenizer("llama2");
    const Ids ids = *tokenizer.encode("the ball");
    ASSERT_EQ(tokenizer.bos(), ids.front());
    EXPECT_TRUE(tokenizer.special(ids.front()));
    EXPECT_FALSE(tokenizer.special(ids.back()));
    EXPECT_EQ(tokenizer.decode(ids, Specials::left_out), "the ball");
    EXPECT_EQ(tokenizer.decode(ids), "<s> the ball");
    EXPECT_EQ(tokenizer.ends(), Ids{2});
    EXPECT_EQ(golden_tokenizer("llama3").ends().size(), 1u);
}

TEST(Size, OfAnotherModelIsASentence) {
    const Tokenizer tokenizer = golden_tokenizer("llama2");
    const std::int64_t size = tokenizer.size();
    EXPECT_FALSE(wrong_size(tokenizer, size));
    EXPECT_FALSE(wrong_size(tokenizer, size + size / 10));  // a table that was padded
    ASSERT_TRUE(wrong_size(tokenizer, size - 1));
    EXPECT_TRUE(wrong_size(tokenizer, 2 * size));
    EXPECT_EQ(sentence(wrong_size(tokenizer, 32).value()),
              "the tokenizer has " + std::to_string(size) +
                  " tokens, the model's vocabulary 32: give the tokenizer that belongs to the model");
}

// Gemma 3 1B: one token for pictures more than the model has rows.
TEST(Size, TokensThatWereAddedMayLieBeyondTheVocabulary) {
    nlohmann::json json = small();
    json["added_tokens"] = {{{"id", 6}, {"content", "<picture>"}, {"special", true}}};
    EXPECT_FALSE(wrong_size(tokenizer_of(json), 6));
    EXPECT_TRUE(wrong_size(tokenizer_of(json), 5));  // "abc" is of the vocabulary
    for (int id = 7; id < 71; ++id)
        json["added_tokens"].push_back({{"id", id}, {"content", "<" + std::to_string(id) + ">"}});
    EXPECT_TRUE(wrong_size(tokenizer_of(json), 6));  // 65 of them are more than an oversight
}

TEST(OfModel, ItStandsBesideTheWeights) {
    const Scratch scratch;
    EXPECT_EQ(Tokenizer::of_model(scratch.folder(), 512).error().what, "there is no tokenizer.json");
    scratch.file("tokenizer.json", small().dump());
    EXPECT_TRUE(Tokenizer::of_model(scratch.folder(), 512));
    EXPECT_TRUE(Tokenizer::of_model(scratch.file("model.safetensors", ""), 512));
    EXPECT_EQ(Tokenizer::of_model("gpt2", 512).error().what,
              "a tokenizer lies beside a model's weights, and there are none");
}

}  // namespace
}  // namespace headcount
