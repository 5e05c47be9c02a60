// Numbers as people state them, and how near exact ones come.
#include <gtest/gtest.h>

#include <string>

#include "core/claims/claims.hpp"

namespace headcount {
namespace {

Nearness near(std::string_view text, std::int64_t exact) {
    const Result<StatedNumber> stated = parse_stated(text);
    EXPECT_TRUE(stated) << text;
    return stated ? nearness(*stated, exact) : Nearness::apart;
}

TEST(StatedNumbers, AreReadWithTheirUnits) {
    EXPECT_EQ(*parse_stated("6.9 billion"), (StatedNumber{69, 10, 1'000'000'000, false, false}));
    EXPECT_EQ(*parse_stated("65,023.52 M"), (StatedNumber{6'502'352, 100, 1'000'000, false, false}));
    EXPECT_EQ(*parse_stated("roughly 13 GB"), (StatedNumber{13, 1, 1'000'000'000, true, true}));
    EXPECT_EQ(*parse_stated("~7B"), (StatedNumber{7, 1, 1'000'000'000, false, true}));
    EXPECT_EQ(*parse_stated("12.31 GiB"), (StatedNumber{1231, 100, std::int64_t{1} << 30, true, false}));
    EXPECT_EQ(*parse_stated("14336"), (StatedNumber{14336, 1, 1, false, false}));
}

TEST(StatedNumbers, AreRefusedWhereTheyAreNone) {
    for (const char* text : {"", " ", "B", "7 Q", "-7", "1,00", "1.", "1.2.3", "7 B B", "seven", "99999999999999999999",
                             "1.0000000001", "roughly", "0x10", "1e9", "7 b\xff"})
        EXPECT_FALSE(parse_stated(text)) << text;
}

TEST(StatedNumbers, AreComparedAtTheDigitsGiven) {
    EXPECT_EQ(near("67.1 M", 67'108'864), Nearness::rounded);
    EXPECT_EQ(near("67.2 M", 67'108'864), Nearness::apart);
    EXPECT_EQ(near("67 M", 67'500'000), Nearness::cut) << "halves are rounded up";
    EXPECT_EQ(near("68 M", 67'500'000), Nearness::rounded);
    EXPECT_EQ(near("8,192", 8192), Nearness::equal);
    EXPECT_EQ(near("8.192 K", 8192), Nearness::equal);
    EXPECT_EQ(near("8,191", 8192), Nearness::apart) << "a whole number is exact";
    EXPECT_EQ(near("205 B", 205'621'559'296), Nearness::cut);
    EXPECT_EQ(near("205 B", 210'990'268'416), Nearness::apart);
    EXPECT_EQ(near("about 100", 104), Nearness::roughly);
    EXPECT_EQ(near("about 100", 106), Nearness::apart);
    EXPECT_EQ(near("12.31 GiB", 13'214'687'232), Nearness::rounded);
    EXPECT_EQ(near("12.32 GiB", 13'214'687'232), Nearness::apart);
}

TEST(StatedNumbers, ThatAreTooLargeToCompareAreApart) {
    EXPECT_EQ(near("9000000000 T", 1), Nearness::apart);
    EXPECT_EQ(near("0.123456789", 9'000'000'000'000'000'000), Nearness::apart);
    EXPECT_EQ(near("about 9000 PiB", 9'000'000'000'000'000'000), Nearness::apart);
}

}  // namespace
}  // namespace headcount
