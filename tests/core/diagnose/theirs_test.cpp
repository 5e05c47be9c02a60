// What is read of another program's file, and what one matrix has made of queries, keys and values.
#include "core/diagnose/theirs.hpp"

#include <gtest/gtest.h>

#include "core/diagnose/links.hpp"
#include "tests/core/runtime/weight_file.hpp"

namespace headcount {
namespace {

using testing_data::NamedNumbers;

NamedNumbers whole_numbers(const std::string& name, const std::vector<std::int64_t>& numbers) {
    NamedNumbers made{.name = name, .shape = {1, std::ssize(numbers)}, .numbers = {}, .type = "I64"};
    for (const std::int64_t each : numbers) made.bytes += testing_data::little<std::uint64_t>(each);
    return made;
}

class ReadIds : public testing::Test {
  protected:
    Result<TheirIds> of(const std::vector<NamedNumbers>& tensors) const {
        return read_their_ids(testing_data::write_safetensors(scratch, "theirs.safetensors", tensors));
    }
    testing_data::Scratch scratch;
};

TEST_F(ReadIds, AreThoseOfTokensAndNotOfPositionsOrTypes) {
    const NamedNumbers positions = whole_numbers("position_ids", {0, 1, 2}),
                       types = whole_numbers("token_type_ids", {0, 0, 1});
    const auto none = of({positions, types});
    ASSERT_TRUE(none) << sentence(none.error());
    EXPECT_FALSE(none->ids || none->source);
    const auto found = of({positions, whole_numbers("input_ids", {5, 7, 9}), types});
    ASSERT_TRUE(found) << sentence(found.error());
    EXPECT_EQ(found->ids, (std::vector<std::int32_t>{5, 7, 9}));
    EXPECT_FALSE(found->source);
}

TEST_F(ReadIds, OfTwoStacksAreTheDecodersAndThoseOfItsSource) {
    const auto found = of({whole_numbers("input_ids", {5, 7, 9}), whole_numbers("decoder_input_ids", {0, 4})});
    ASSERT_TRUE(found) << sentence(found.error());
    EXPECT_EQ(found->ids, (std::vector<std::int32_t>{0, 4}));
    EXPECT_EQ(found->source, (std::vector<std::int32_t>{5, 7, 9}));
}

TEST_F(ReadIds, BelowZeroAreASentence) {
    const auto found = of({whole_numbers("tokens", {5, -1})});
    ASSERT_FALSE(found);
    EXPECT_NE(sentence(found.error()).find("holds -1, which is no id of a token"), std::string::npos)
        << sentence(found.error());
}

TEST(Digits, AreFewWhereBfloat16OrFloat16HoldsAllOfThem) {
    const std::vector<float> few{0, -1.5F, 0x1.03p3F, 0x1.ffcp-2F}, many{1, 0x1.001p0F};
    EXPECT_TRUE(have_few_digits(few));
    EXPECT_FALSE(have_few_digits(many));
}

// Three times the queries' columns in all, and yet not three alike: they cannot stand head by head.
TEST(Fused, OfOtherWidthsAreTakenApartOneAfterTheOther) {
    std::vector<Site> places;
    std::vector<std::vector<float>> numbers;
    for (const auto& [name, columns] : {std::pair("queries", 8), {"keys", 4}, {"values", 12}}) {
        places.push_back({.in_layer = 0,
                          .rows = 2,
                          .columns = columns,
                          .head_columns = 4,
                          .name = std::string("layer.0.attention.") + name});
        numbers.emplace_back(static_cast<std::size_t>(2 * columns), 1.0F);
    }
    TheirTensor fused{.name = "h.0.attn.c_attn", .shape = {2, 24}, .numbers = {}};
    for (int i = 0; i < 48; ++i) fused.numbers.push_back(static_cast<float>(i));
    const std::vector<TheirTensor> apart = with_fused_apart(std::span(&fused, 1), places, numbers);
    ASSERT_EQ(apart.size(), 3u);
    EXPECT_EQ(apart[1].numbers, (std::vector<float>{8, 9, 10, 11, 32, 33, 34, 35}));
    EXPECT_EQ(apart[2].shape, (std::vector<std::int64_t>{2, 12}));
    EXPECT_EQ(apart[2].numbers.back(), 47);
}

}  // namespace
}  // namespace headcount
