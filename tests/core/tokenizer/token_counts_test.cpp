// How often a training has read each token: what the file says, and what is hardly read.
#include "core/tokenizer/token_counts.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/tokenizer/tokenizer.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

TEST(TokenCounts, AreOfTheModelThatShips) {
    const Result<Tokenizer> tokenizer =
        Tokenizer::of_model(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "models/tiny-stories", 512);
    ASSERT_TRUE(tokenizer) << sentence(tokenizer.error());
    const TokenCounts* const counts = tokenizer->counts();
    ASSERT_TRUE(counts);
    EXPECT_EQ(std::ssize(counts->read), tokenizer->size());
    const auto hardly = [&](std::string_view text) {
        const std::vector<std::int32_t> ids = *tokenizer->encode(text, false);
        return std::ranges::any_of(ids, [&](std::int32_t id) { return tokenizer->hardly_read(id); });
    };
    for (const char* known : {" Lily", " Tom", " ball.", " there was a little girl"})
        EXPECT_FALSE(hardly(known)) << known;
    for (const char* strange : {" teacher", " explains", " attention", "5", "Zebra"})
        EXPECT_TRUE(hardly(strange)) << strange;
    EXPECT_FALSE(tokenizer->hardly_read(-1));
    EXPECT_FALSE(tokenizer->hardly_read(512));
}

TEST(TokenCounts, AreSeldomBelowATwentiethOfTheAverage) {
    const TokenCounts counts{.read = {1000, 50, 49, 901}, .all = 2000};
    EXPECT_EQ(counts.least(), 25);
    const TokenCounts more{.read = {4000, 49, 50, 0}, .all = 4099};
    EXPECT_EQ(more.least(), 51);
    EXPECT_TRUE(more.hardly_read(2));
    EXPECT_FALSE(more.hardly_read(0));
}

TEST(TokenCounts, AFileThatIsNoneIsASentence) {
    const Scratch scratch;
    EXPECT_FALSE(*read_token_counts(scratch.folder(), 3)) << "there is no file";
    for (const char* text : {"{\"counts\": 3}", "{\"counts\": [1, 2]}", "{\"counts\": [1, 2, -3]}",
                             "{\"counts\": [1, 2, 3.5]}", "{\"counts\": [1, 2, 99999999999999999]}", "{}"}) {
        std::ofstream(scratch.folder() / "token_counts.json") << text;
        const auto read = read_token_counts(scratch.folder(), 3);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().what, "these are no counts of tokens") << text;
    }
    std::ofstream(scratch.folder() / "token_counts.json") << "{\"counts\": [1, 0, 3]}";
    const auto read = read_token_counts(scratch.folder(), 3);
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->all, 4);
}

}  // namespace
}  // namespace headcount
