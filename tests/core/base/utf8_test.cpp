// What somebody else wrote, in a sentence: short, UTF-8, and steering no terminal.
#include "core/base/utf8.hpp"

#include <gtest/gtest.h>

namespace headcount {
namespace {

TEST(Quotes, SteerNoTerminalAndStayShort) {
    EXPECT_EQ(in_quotes("a\x1B[2Jb\n"), "'a?[2Jb?'");
    EXPECT_EQ(in_quotes(std::string(59, 'x') + "ü" + std::string(100, 'y')), "'" + std::string(59, 'x') + "...'");
    EXPECT_EQ(quote("\xC2\x9B"
                    "2J"),
              "\"?2J\"")
        << "which some terminals take for the same";
    EXPECT_EQ(quote("h\xC3\xBClle"), "\"h\xC3\xBClle\"");
}

TEST(Quotes, AreUtf8WhateverTheyAreOf) {
    for (int first = 0; first < 256; ++first)
        for (int second = 0; second < 256; ++second)
            EXPECT_TRUE(
                is_utf8(quote(std::string(58, 'x') + static_cast<char>(first) + static_cast<char>(second) + "y")))
                << first << " " << second;
    EXPECT_LT(quote(std::string(100'000, '\x80')).size(), 100u);
}

TEST(Printable, SteersNothingAndIsWhole) {
    EXPECT_EQ(printable("a\x1B[2J\x07\x7F\tb\n"), "a?[2J???b?");
    EXPECT_EQ(printable("one\n\ttwo\r", Lines::kept), "one\n\ttwo?");
    EXPECT_EQ(printable("\xC2\x9B\xE2\x80\xAE\xE2\x80\xA8\xE2\x81\xA6\xEF\xBF\xBE"), "?????")
        << "what turns the writing";
    EXPECT_EQ(printable("\xE2\x82\xAC \xD7\x90 \xE2\x80\xA6"), "\xE2\x82\xAC \xD7\x90 \xE2\x80\xA6");
    EXPECT_EQ(printable("a\xFF\xC3"), "a??");
    const std::string long_text(1000, 'x');
    EXPECT_EQ(printable(long_text), long_text);
}

TEST(Utf8, ALetterThatGoesOnIsToldFromOneThatIsBroken) {
    EXPECT_EQ(unfinished(""), 0u);
    EXPECT_EQ(unfinished("abc"), 0u);
    EXPECT_EQ(unfinished("a\xE2\x82\xAC"), 0u);
    EXPECT_EQ(unfinished("a\xE2\x82"), 2u);
    EXPECT_EQ(unfinished("a\xF0\x9F\x98"), 3u);
    EXPECT_EQ(unfinished("a\xC3"), 1u);
    EXPECT_EQ(unfinished("\x80\x80\x80\x80"), 0u);
    EXPECT_EQ(unfinished("\xFF"), 0u);
}

TEST(Utf8, LettersOfFarScriptsAreSaidByTheirCodePoints) {
    EXPECT_EQ(code_points("Lily \xC3\xA9\xD1\x8F \xE2\x80\xA6\xE2\x89\x88"), "");
    EXPECT_EQ(code_points("a\xE4\xBD\xA0 \xE5\xA5\xBD"), "U+4F60, U+597D");
    EXPECT_EQ(code_points("\xD7\x90\xF0\x9F\x98\x80"), "U+05D0, U+1F600");
    EXPECT_EQ(code_points("\xE4\xBD\xFF\x80"), "") << "what is no letter has none";
}

TEST(Utf8, IsAsTheStandardSays) {
    for (const char* good : {"", "abc", "ü", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\xED\x9F\xBF"})
        EXPECT_TRUE(is_utf8(good)) << good;
    for (const char* bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                            "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x82", "\xC3", "a\xC3(", "\xE2(\xA1"})
        EXPECT_FALSE(is_utf8(bad)) << bad;
}

}  // namespace
}  // namespace headcount
