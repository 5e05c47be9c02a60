// headcount tokenize and run --tree, as a script would call them.
#include <gtest/gtest.h>

#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

const std::string shipped = HEADCOUNT_ASSETS_DIR "/models/tiny-stories";

TEST(Tokenize, SaysTheIds) {
    const json tokens = run({"tokenize", shipped, "Lily had a ball. Umbrella", "--json"}).json();
    EXPECT_EQ(tokens["ids"].size(), tokens["tokens"].size());
    EXPECT_EQ(tokens["ids"][0], 0) << "what the model expects before a text";
    std::string text;
    for (const json& each : tokens["tokens"]) text += each["text"].get<std::string>();
    EXPECT_TRUE(has(text, "Lily had a ball. Umbrella")) << text;
    EXPECT_FALSE(tokens.contains("trained")) << "it has no token that no text can have, to measure by";
    EXPECT_FALSE(tokens.contains("words"));
    const Ran plain = run({"tokenize", shipped, "Lily had a ball."});
    EXPECT_EQ(plain.status(), 0) << plain.err;
    EXPECT_TRUE(has(plain.out, "·ball")) << plain.out;
    EXPECT_FALSE(has(plain.out, "never trained")) << plain.out;
}

TEST(Tokenize, StepsAreTheWordsAndEveryMergeWithItsRank) {
    const json steps = run({"tokenize", shipped, "See the ball", "--steps", "--json"}).json();
    EXPECT_EQ(steps["by"], "ranked merges");
    EXPECT_EQ(steps["normalized"], "See the ball");
    ASSERT_EQ(steps["words"].size(), 3U);
    const json& the = steps["words"][1];
    EXPECT_EQ(the["text"], " the");
    EXPECT_EQ(the["first"], json::array({" ", "t", "h", "e"}));
    EXPECT_EQ(the["merges"][0]["left"], "h");
    EXPECT_EQ(the["merges"][0]["rank"], 0);
    EXPECT_EQ(the["merges"].size(), 3U);
    EXPECT_EQ(the["tokens"].size(), 1U);
    const Ran text = run({"tokenize", shipped, "See the umbrella", "--steps"});
    EXPECT_TRUE(has(text.out, "as it was typed")) << text.out;
    EXPECT_TRUE(has(text.out, "rank 0")) << text.out;
    EXPECT_FALSE(has(text.out, "no text has trained")) << text.out;
}

TEST(Tokenize, NeedsATokenizer) {
    const Ran ran = run({"tokenize", "llama-2-7b", "word"});
    EXPECT_EQ(ran.status(), 1);
    EXPECT_TRUE(has(ran.err, "tokenizer")) << ran.err;
    EXPECT_EQ(run({"tokenize", shipped}).status(), 2) << "no text";
}

TEST(RunTree, IsWrittenWithTheSharesOfEachWordAndOfTheWholeWay) {
    const std::vector<std::string> words{"run", shipped, "--prompt", "Once upon a", "--tokens", "0", "--tree", "5x3"};
    std::vector<std::string> as_json = words;
    as_json.emplace_back("--json");
    const json tree = run(as_json).json()["tree"];
    ASSERT_GT(tree.size(), 5U);
    EXPECT_LE(tree.size(), 15U);
    EXPECT_EQ(tree[0]["text"], " time");
    EXPECT_TRUE(tree[0]["parent"].is_null());
    for (const json& each : tree) {
        const double behind =
            each["parent"].is_null() ? 1 : tree[each["parent"].get<std::size_t>()]["way"].get<double>();
        EXPECT_NEAR(each["way"], behind * each["probability"].get<double>(), 1e-9);
    }
    const Ran text = run(words);
    EXPECT_TRUE(has(text.out, "\" time\"")) << text.out;
    EXPECT_TRUE(has(text.out, "whole way")) << text.out;
}

TEST(RunTree, SaysWhatItsSizeMustBe) {
    const auto refused = [](std::string size) {
        const Ran ran = run({"run", shipped, "--prompt", "Once", "--tree", std::move(size)});
        EXPECT_NE(ran.status(), 0) << ran.out;
        return ran.err;
    };
    EXPECT_TRUE(has(refused("5"), "5x3"));
    EXPECT_TRUE(has(refused("0x3"), "--tree"));
    EXPECT_TRUE(has(refused("99x99"), "at most 32x32"));
}

}  // namespace
}  // namespace headcount
