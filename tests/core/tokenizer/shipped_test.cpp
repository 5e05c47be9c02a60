// The tokenizer of the model that ships.
#include <gtest/gtest.h>

#include "core/tokenizer/tokenizer.hpp"
#include "tests/core/tokenizer/reading.hpp"

namespace headcount {
namespace {

using namespace testing_data;

const std::filesystem::path folder = std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "models" / "tiny-stories";

TEST(Shipped, FitsItsModel) {
    const Result<Tokenizer> tokenizer = Tokenizer::of_model(folder, 512);
    ASSERT_TRUE(tokenizer) << sentence(tokenizer.error());
    const auto config = nlohmann::json::parse(std::ifstream(folder / "config.json"));
    EXPECT_EQ(tokenizer->size(), config["vocab_size"].get<std::int64_t>());
    EXPECT_EQ(tokenizer->bos(), config["bos_token_id"].get<std::int32_t>());
    EXPECT_EQ(tokenizer->ends(), std::vector<std::int32_t>{config["eos_token_id"].get<std::int32_t>()});
    EXPECT_FALSE(wrong_size(*tokenizer, config["vocab_size"]));
}

TEST(Shipped, LosesNoLetterOfTheAlphabetAndSaysWhatItDoesNotKnow) {
    const Tokenizer tokenizer = *Tokenizer::of_model(folder, 512);
    const std::string text = "Zelda, the quick fox? \"Yes!\" said Jym. WXZ and vpk";
    EXPECT_EQ(there_and_back(tokenizer, text), text);
    EXPECT_NE(there_and_back(tokenizer, "\xff\xfe ball").find("no tokens for single bytes"), std::string::npos);
    EXPECT_EQ(there_and_back(tokenizer, "Zo\xc3\xab had 3"), "Zo<unk> had <unk>");
}

TEST(Shipped, WordsOfItsStoriesAreSingleTokens) {
    const Tokenizer tokenizer = *Tokenizer::of_model(folder, 512);
    EXPECT_EQ(pieces(tokenizer, *tokenizer.encode(" the ball", false)), "[ the][ ball]");
    EXPECT_EQ(pieces(tokenizer, *tokenizer.encode("One day, Lily", false)), "[One][ day][,][ Lily]");
}

TEST(Shipped, MergesTheFirstLearnedFirst) {
    const Tokenizer tokenizer = *Tokenizer::of_model(folder, 512);
    const Result<TextSteps> steps = tokenizer.steps("See the ball");
    ASSERT_TRUE(steps);
    ASSERT_EQ(steps->words.size(), 3U);
    const WordSteps& the = steps->words[1];
    EXPECT_EQ(the.text, " the");
    ASSERT_EQ(the.merges.size(), 3U);
    EXPECT_EQ(the.merges[0].order, 0) << "the pair at the top of its file";
    EXPECT_EQ(the.merges[0].right, "e");
    for (const WordSteps& word : steps->words)
        for (const MergeStep& each : word.merges) EXPECT_GE(each.order, 0);
    EXPECT_EQ(tokenizer.bytes(the.ids[0]), " the");
    EXPECT_EQ(tokenizer.ids_of_no_text(514), (std::vector<std::int32_t>{512, 513})) << "it has letters, and no bytes";
}

}  // namespace
}  // namespace headcount
