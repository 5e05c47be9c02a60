// Claims about slider arithmetic and typed numbers.
#include "app/ui/slider_scale.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

namespace headcount {
namespace {

TEST(SliderScale, EndsAreReachedExactly) {
    const SliderScale odd{64, 65500, true, 256, {}};
    EXPECT_EQ(value_at(odd, 0), 64);
    EXPECT_EQ(value_at(odd, 1), 65500);
    EXPECT_EQ(value_at(odd, -3), 64);
    EXPECT_EQ(value_at(odd, 7), 65500);
    EXPECT_FLOAT_EQ(position_of(odd, 64), 0);
    EXPECT_FLOAT_EQ(position_of(odd, 65500), 1);
}

TEST(SliderScale, AValueComesBackFromItsOwnPosition) {
    const SliderScale width{64, 65536, true, 64, {}};
    for (std::int64_t value = 64; value <= 65536; value += 64)
        EXPECT_EQ(value_at(width, position_of(width, value)), value);
}

TEST(SliderScale, LogarithmicGivesEachDoublingTheSameRoom) {
    const SliderScale scale{1, 1024, true, 1, {}};
    EXPECT_NEAR(position_of(scale, 32), 0.5, 1e-6);
    EXPECT_NEAR(position_of(scale, 64) - position_of(scale, 32), 0.1, 1e-6);
}

TEST(SliderScale, AValueOutsideTheRangeSitsAtTheEnd) {
    const SliderScale scale{1, 128, true, 1, {}};
    EXPECT_FLOAT_EQ(position_of(scale, 1'000'000), 1);
    EXPECT_FLOAT_EQ(position_of(scale, -5), 0);
}

TEST(SliderScale, ARangeOfOneValueDoesNotDivideByZero) {
    const SliderScale scale{8, 8, true, 1, {}};
    EXPECT_FLOAT_EQ(position_of(scale, 8), 0);
    EXPECT_EQ(value_at(scale, 0.5F), 8);
}

TEST(SliderScale, OnlyAllowedValuesAreReached) {
    constexpr std::array<std::int64_t, 6> divisors = {1, 2, 4, 8, 16, 32};
    const SliderScale scale{1, 32, true, 1, divisors};
    for (float position = 0; position <= 1; position += 0.01F) {
        const std::int64_t value = value_at(scale, position);
        EXPECT_EQ(32 % value, 0);
    }
    EXPECT_EQ(stepped(scale, 8, +1, 1), 16);
    EXPECT_EQ(stepped(scale, 8, -1, 1), 4);
    EXPECT_EQ(stepped(scale, 9, -1, 1), 8);
    EXPECT_EQ(stepped(scale, 32, +1, 3), 32);
}

TEST(SliderScale, StepsGoToTheGrid) {
    const SliderScale scale{64, 65536, true, 256, {}};
    EXPECT_EQ(stepped(scale, 4096, +1, 1), 4352);
    EXPECT_EQ(stepped(scale, 4100, -1, 1), 4096);
    EXPECT_EQ(stepped(scale, 4100, +1, 1), 4352);
    EXPECT_EQ(stepped(scale, 4096, -1, 8), 2048);
    EXPECT_EQ(stepped(scale, 100, -1, 1), 64);
    EXPECT_EQ(stepped(scale, 65536, +1, 8), 65536);
}

TEST(ParseWholeNumber, TakesSeparatorsAndNothingElse) {
    EXPECT_EQ(typed_number("4096"), 4096);
    EXPECT_EQ(typed_number(" 6,738,415,616 "), 6'738'415'616);
    EXPECT_EQ(typed_number("11_008"), 11008);
    EXPECT_EQ(typed_number("16 777 216"), 16'777'216);
    EXPECT_EQ(typed_number("-5"), -5);
    EXPECT_EQ(typed_number("32k"), 32'768) << "as --tokens reads it";
    EXPECT_EQ(typed_number("1.5k"), 1536);
    EXPECT_EQ(typed_number("1m"), 1'048'576);
    EXPECT_EQ(typed_number("1e3"), 1000) << "as worksheets take it";
    EXPECT_EQ(typed_number("12*64"), 768);
    EXPECT_EQ(typed_number("12 × 1,024 · 2"), 24'576);
    EXPECT_EQ(typed_number("2*8k"), 16'384);
    for (const char* wrong : {"",     " ",    "-",     "4kk", "k",   "1.5",       "12abc", "+-5",
                              "0x10", "1,,2", "12,",   ",12", "1,2", "1,000_000", "1 2",   "1e",
                              "e3",   "1e99", "1e3e3", "12*", "*12", "12**64",    "*",     "4000000000*4000000000",
                              "12*-2"})
        EXPECT_EQ(typed_number(wrong), std::nullopt) << wrong;
}

TEST(ParseWholeNumber, RefusesWhatDoesNotFitSixtyFourBits) {
    EXPECT_EQ(typed_number("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(typed_number("9223372036854775808"), std::nullopt);
    EXPECT_EQ(typed_number("99999999999999999999999"), std::nullopt);
}

}  // namespace
}  // namespace headcount
