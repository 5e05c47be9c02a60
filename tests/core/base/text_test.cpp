// Numbers as people read them, names that nearly match, arithmetic that notices overflow, errors as sentences.
#include "core/base/text.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "core/base/checked.hpp"
#include "tests/core/base/limits.hpp"

namespace headcount {
namespace {

using testing_data::largest;
using testing_data::smallest;

TEST(Text, FactorsHaveFourSignificantDigits) {
    EXPECT_EQ(factor_text(1.0 / 12), "0.08333");
    EXPECT_EQ(factor_text(0.015625), "0.01562");
    EXPECT_EQ(factor_text(1), "1");
    EXPECT_EQ(factor_text(113465.6), "113466");
    EXPECT_EQ(factor_text(-2e20), "-2e+20");
}

TEST(Text, IsBlankWithNothingButSpaceInIt) {
    for (const char* blank : {"", " ", " \t\r\n"}) EXPECT_TRUE(is_blank(blank));
    for (const char* text : {"x", " x", "\n0 ", "\xC2\xA0"}) EXPECT_FALSE(is_blank(text));
}

TEST(Text, GroupsByThousands) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(-1000), "-1,000");
    EXPECT_EQ(grouped(-100), "-100");
    EXPECT_EQ(grouped(6'738'415'616), "6,738,415,616");
    EXPECT_EQ(grouped(largest), "9,223,372,036,854,775,807");
    EXPECT_EQ(grouped(smallest), "-9,223,372,036,854,775,808");
}

TEST(Text, ShortensToThreeDigits) {
    EXPECT_EQ(short_count(96), "96");
    EXPECT_EQ(short_count(999), "999");
    EXPECT_EQ(short_count(1000), "1.00 K");
    EXPECT_EQ(short_count(443'000), "443 K");
    EXPECT_EQ(short_count(805'306'368), "805 M");
    EXPECT_EQ(short_count(6'738'415'616), "6.74 B");
    EXPECT_EQ(short_count(67'384'156'160), "67.4 B");
    EXPECT_EQ(short_count(-1'291'845'632), "-1.29 B");
}

TEST(Text, NeverPrintsAThousandOfAUnit) {
    EXPECT_EQ(short_count(999'499), "999 K");
    EXPECT_EQ(short_count(999'500), "1.00 M");
    EXPECT_EQ(short_count(9'995'000), "10.0 M");
    EXPECT_EQ(short_count(largest), "9223 Q");
}

TEST(Text, AChangeAlwaysHasItsSign) {
    EXPECT_EQ(signed_grouped(1'291'845'632), "+1,291,845,632");
    EXPECT_EQ(signed_short(1'291'845'632), "+1.29 B");
    EXPECT_EQ(signed_short(-805'306'368), "-805 M");
    EXPECT_EQ(signed_grouped(0), "0");
    EXPECT_EQ(signed_short(0), "0");
}

TEST(Text, APercentageIsNeverZeroForSomethingThatIsThere) {
    EXPECT_EQ(percent(642, 1000), "64.2 %");
    EXPECT_EQ(percent(67, 10'000), "0.67 %");
    EXPECT_EQ(percent(266'240, 6'738'415'616), "0.004 %");
    EXPECT_EQ(percent(1, 1), "100.0 %");
    EXPECT_EQ(percent(-404'728'991, 404'853'431), "-99.97 %") << "nearly all is not all";
    EXPECT_EQ(percent(999, 100), "999.0 %");
    EXPECT_EQ(percent(411'911, 10'000), "4,119.1 %");
    EXPECT_EQ(percent(-123'456'789, 100), "-123,456,789.0 %");
    EXPECT_EQ(percent(0, 5), "0 %");
    EXPECT_EQ(percent(5, 0), "0 %");
    EXPECT_NE(percent(1, largest), "0 %");
}

TEST(Text, BytesAreInBinaryUnits) {
    EXPECT_EQ(bytes_text(512), "512 B");
    EXPECT_EQ(bytes_text(1024), "1.00 KiB");
    EXPECT_EQ(bytes_text(std::int64_t{86} << 20), "86.0 MiB");
    EXPECT_EQ(bytes_text(largest), "8.00 EiB");
    EXPECT_EQ(flop_text(9.02e9), "9.02 GFLOP");
}

TEST(Text, FindsTheNamesThatAreMeant) {
    const std::vector<std::string_view> names{"llama-2-7b", "llama-2-13b", "llama-2-70b", "gpt2"};
    EXPECT_EQ(nearest_names("lama-2-7b", names, 1), std::vector<std::string>{"llama-2-7b"});
    EXPECT_EQ(nearest_names("gpt-2", names), std::vector<std::string>{"gpt2"});
    EXPECT_TRUE(nearest_names("completely different", names).empty());
    EXPECT_EQ(did_you_mean("llama-2-13", names, "", 2), "did you mean llama-2-13b, llama-2-7b?");
    EXPECT_EQ(did_you_mean("completely different", names, "give another"), "give another");
    EXPECT_EQ(did_you_mean("completely different", names), "");
    EXPECT_EQ(did_you_mean("", std::array<std::string_view, 2>{"", "yes"}, "give another"), "give another")
        << "what has no name cannot be meant";
}

TEST(Text, ANameIsMeantWithoutItsSeparatorsToo) {
    const std::vector<std::string_view> names{"llama-7b", "llama-13b", "llama-33b", "llama-2-7b", "llama-2-13b"};
    EXPECT_EQ(nearest_names("llama2", names, 1), std::vector<std::string>{"llama-2-7b"});
    EXPECT_EQ(nearest_names("llama27b", names, 1), std::vector<std::string>{"llama-2-7b"});
    EXPECT_EQ(nearest_names("Llama_2 13B", names, 1), std::vector<std::string>{"llama-2-13b"});
    EXPECT_EQ(nearest_names("lama-7b", names, 1), std::vector<std::string>{"llama-7b"});
}

TEST(Text, ReadsWholeNumbersAndSaysWhatIsWrongWithOthers) {
    EXPECT_EQ(*parse_whole_number("4096", "dim"), 4096);
    EXPECT_EQ(*parse_whole_number("4,096", "dim"), 4096);
    EXPECT_EQ(*parse_whole_number("6_738_415_616", "dim"), 6'738'415'616);
    EXPECT_EQ(*parse_whole_number("9223372036854775807", "dim"), largest);
    EXPECT_EQ(*parse_whole_number("0", "cached", 0), 0);
    struct Case {
        const char* text;
        const char* what;
    };
    for (auto [text, what] :
         {Case{"abc", "\"abc\" is not a whole number"}, Case{"", "\"\" is not a whole number"},
          Case{"4.5", "\"4.5\" is not a whole number"}, Case{"1e3", "\"1e3\" is not a whole number"},
          Case{"-4", "\"-4\" is negative"}, Case{"0", "\"0\" is too small"}, Case{" 4", "\" 4\" is not a whole number"},
          Case{"+4", "\"+4\" is not a whole number"}, Case{"-", "\"-\" is not a whole number"},
          Case{"9223372036854775808", "\"9223372036854775808\" is too large for 64 bits"}}) {
        Result<std::int64_t> number = parse_whole_number(text, "dim");
        ASSERT_FALSE(number) << text;
        EXPECT_EQ(number.error().what, what);
        EXPECT_EQ(number.error().where, "dim");
    }
}

TEST(Text, ALengthMayBeAProductOrAPowerOfTen) {
    EXPECT_EQ(*parse_length("12*64", "dim"), 768);
    EXPECT_EQ(*parse_length("12 × 64", "dim"), 768);
    EXPECT_EQ(*parse_length("1e3", "dim"), 1000);
    EXPECT_EQ(*parse_length("2*1e3", "dim"), 2000);
    EXPECT_EQ(*parse_length("0*4", "cached", 0), 0);
    for (const char* text : {"0*4", "12*", "1e19", "3037000500*3037000500", "1.5e3", "2*-3"})
        EXPECT_EQ(parse_length(text, "dim").error().where, "dim") << text;
}

TEST(Text, OfALetterBehindANumberEveryMeaningIsOffered) {
    for (const auto& [text, what, fix] : std::vector<std::array<const char*, 3>>{
             {"8k", "\"8k\" can be read in two ways", "write 8,000 or 8,192"},
             {"8 K", "\"8 K\" can be read in two ways", "write 8,000 or 8,192"},
             {"2M", "\"2M\" can be read in two ways", "write 2,000,000 or 2,097,152"},
             {"1g", "\"1g\" can be read in two ways", "write 1,000,000,000 or 1,073,741,824"},
             {"7B", "\"7B\" is not a whole number", "write 7,000,000,000"},
         }) {
        const Result<std::int64_t> number = parse_whole_number(text, "context");
        ASSERT_FALSE(number) << text;
        EXPECT_EQ(number.error().what, what);
        EXPECT_EQ(number.error().fix, fix);
    }
    EXPECT_EQ(parse_whole_number("-8k", "context").error().what, "\"-8k\" is not a whole number");
}

TEST(Text, TakesSeparatorsOnlyBetweenThousands) {
    for (const char* text :
         {"1,,2", "12,", "1,2", "4096,", "40,96", "1,2345", "1,000_000", "1000,000", "1__000", "1,0,0"}) {
        Result<std::int64_t> number = parse_whole_number(text, "dim");
        ASSERT_FALSE(number) << text;
        EXPECT_EQ(number.error().what, "\"" + std::string(text) + "\" is not grouped by thousands");
        EXPECT_NE(number.error().fix.find("12,000"), std::string::npos);
    }
    EXPECT_FALSE(parse_whole_number(",123", "dim"));
    EXPECT_EQ(*parse_whole_number("12,345", "dim"), 12'345);
    EXPECT_EQ(*parse_whole_number("123,456,789", "dim"), 123'456'789);
}

TEST(Text, ReadsLengthsAsPeopleSayThem) {
    EXPECT_EQ(*parse_length("8k", "tokens"), 8192);
    EXPECT_EQ(*parse_length("1.5k", "tokens"), 1536);
    EXPECT_EQ(*parse_length("0.5k", "tokens"), 512);
    EXPECT_EQ(*parse_length("1.25m", "tokens"), 1'310'720);
    EXPECT_EQ(*parse_length("1k", "tokens", 2), 1024);
    EXPECT_EQ(*parse_length("0k", "cached", 0), 0);
    for (const char* none : {"1.0005k", "1.5", "1.k", "1.5.k", "1.-5k", "1.5kk", ".k", "0k", "9007199254740992k"})
        EXPECT_FALSE(parse_length(none, "tokens")) << none;
}

TEST(Checked, NoticesWhatDoesNotFit) {
    EXPECT_EQ(checked_add(largest - 1, 1), largest);
    EXPECT_FALSE(checked_add(largest, 1));
    EXPECT_FALSE(checked_subtract(smallest, 1));
    EXPECT_FALSE(checked_multiply(largest, 2));
    EXPECT_FALSE(checked_multiply(smallest, -1));
    EXPECT_EQ(checked_multiply(-3, 4), -12);
    EXPECT_EQ(checked_product(std::array<std::int64_t, 3>{largest, 2, 0}), 0);
    EXPECT_FALSE(checked_product(std::array<std::int64_t, 2>{largest, 2}));
    EXPECT_EQ(checked_ceil_to(10'922, 256), 11'008);
    EXPECT_EQ(checked_ceil_to(largest, 1), largest);
    EXPECT_FALSE(checked_ceil_to(largest, 256));
    EXPECT_FALSE(checked_ceil_to(5, 0));
    EXPECT_FALSE(checked_ceil_to(-5, 2));
}

TEST(Error, ReadsAsOneSentenceWithoutItsEmptyParts) {
    EXPECT_EQ(sentence({"what", "where", "fix"}), "what: where: fix");
    EXPECT_EQ(sentence({"what", "", "fix"}), "what: fix");
    EXPECT_EQ(sentence({"what", "", ""}), "what");
    EXPECT_EQ(within("file", {"what", "field", ""}).where, "file, field");
    EXPECT_EQ(within("file", {"what", "", ""}).where, "file");
}

TEST(Text, NothingIsNearWhatIsLikeNothing) {
    const std::array<std::string_view, 2> known{"granite", "llama"};
    EXPECT_EQ(did_you_mean("frobnicate", known), "");
    EXPECT_EQ(did_you_mean("granit", known), "did you mean granite?");
    EXPECT_EQ(did_you_mean("lama", known), "did you mean llama?");
}

}  // namespace
}  // namespace headcount
