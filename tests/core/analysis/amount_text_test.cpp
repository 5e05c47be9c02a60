// Amounts as people type them.
#include "core/analysis/amount_text.hpp"

#include <gtest/gtest.h>

namespace headcount {
namespace {

TEST(Amounts, AreReadAsPeopleTypeThem) {
    for (const auto& [text, value] : {std::pair<const char*, std::int64_t>{"8030261248", 8'030'261'248},
                                      {"8,030,261,248", 8'030'261'248},
                                      {"8B", 8'000'000'000},
                                      {"8 b", 8'000'000'000},
                                      {"8.03 B", 8'030'000'000},
                                      {"8.030261248B", 8'030'261'248},
                                      {"8k", 8000},
                                      {"1.5e9", 1'500'000'000},
                                      {"13e9", 13'000'000'000},
                                      {"270M", 270'000'000},
                                      {"1.04 trillion", 1'040'000'000'000},
                                      {".5B", 500'000'000}}) {
        const Result<std::int64_t> read = parse_amount(text, "--total", Unit::parameters);
        ASSERT_TRUE(read) << text << ": " << sentence(read.error());
        EXPECT_EQ(*read, value) << text;
    }
}

TEST(Amounts, OfBytesTellGiBFromGB) {
    for (const auto& [text, value] : {std::pair<const char*, std::int64_t>{"24GiB", std::int64_t{24} << 30},
                                      {"24 gib", std::int64_t{24} << 30},
                                      {"24GB", 24'000'000'000},
                                      {"24G", std::int64_t{24} << 30},
                                      {"0.5 GiB", 1 << 29},
                                      {"0.1KiB", 102},
                                      {"80e9", 80'000'000'000},
                                      {"512", 512}}) {
        const Result<std::int64_t> read = parse_amount(text, "--memory", Unit::bytes);
        ASSERT_TRUE(read) << text << ": " << sentence(read.error());
        EXPECT_EQ(*read, value) << text;
    }
}

TEST(Amounts, OfOperationsMayBeLargerThan64Bits) {
    EXPECT_EQ(*parse_amount("1.5 PFLOP", "--flops", Unit::flops), 1'500'000'000'000'000);
    EXPECT_EQ(*parse_amount("2e12", "--flops", Unit::flops), 2'000'000'000'000);
    EXPECT_EQ(sentence(parse_amount("1e21", "--flops", Unit::flops).error()),
              "\"1e21\" does not fit in 64 bits: --flops: the largest possible is 9,223,372,036,854,775,807");
    EXPECT_DOUBLE_EQ(*parse_operations("5.76e23", "--compute"), 5.76e23);
    EXPECT_FALSE(parse_operations("1e300", "--compute"));
    EXPECT_FALSE(parse_operations("1e99999", "--compute"));
    EXPECT_FALSE(parse_operations("0", "--compute"));
}

TEST(Amounts, ThatAreNoneAreSentences) {
    const auto said = [](const char* text, Unit unit) { return sentence(parse_amount(text, "--total", unit).error()); };
    EXPECT_EQ(said("many", Unit::parameters), "\"many\" is no amount: --total: write it as 8B, 8.03B or 8030261248");
    EXPECT_EQ(said("8GiB", Unit::parameters), "\"8GiB\" is no amount: --total: write it as 8B, 8.03B or 8030261248");
    EXPECT_NE(said("0", Unit::parameters).find("too small"), std::string::npos);
    EXPECT_EQ(said("0.0B", Unit::parameters), "\"0.0B\" is nothing: --total: give at least 1");
    EXPECT_NE(said("99999999999T", Unit::parameters).find("does not fit in 64 bits"), std::string::npos);
    for (const char* text : {"", " ", "-8B", "8..B", "8B8", "e9", ".", "GiB", "1e", "8 Bees", "1e+-5", "8e+"})
        EXPECT_FALSE(parse_amount(text, "--total", Unit::parameters)) << text;
}

TEST(AmountText, OfBandwidthsAreTerabytesWhereTheyAreMany) {
    EXPECT_EQ(bandwidth_text(1.008e12), "1008 GB/s");
    EXPECT_EQ(bandwidth_text(2.68e13), "26.8 TB/s");
}

TEST(AmountText, ASmallBIsABit) {
    for (const auto& [text, bytes] : std::vector<std::pair<const char*, double>>{{"450GB/s", 450e9},
                                                                                 {"400Gb/s", 50e9},
                                                                                 {"400Gbps", 50e9},
                                                                                 {"400Gbit/s", 50e9},
                                                                                 {"50GBps", 50e9},
                                                                                 {"3.35 TB/s", 3.35e12},
                                                                                 {"1.5T", 1.5e12}}) {
        const Result<double> read = parse_bandwidth(text, "--link");
        ASSERT_TRUE(read) << text << ": " << sentence(read.error());
        EXPECT_DOUBLE_EQ(*read, bytes) << text;
    }
    EXPECT_EQ(sentence(parse_bandwidth("450", "--link").error()),
              "\"450\" is too little for any device: --link: write its unit, such as 450GB/s");
    EXPECT_EQ(sentence(parse_bandwidth("0.5MB/s", "--link").error()),
              "\"0.5MB/s\" is too little for any device: --link: write it as 450GB/s or 400Gb/s");
    EXPECT_EQ(sentence(parse_bandwidth("fast", "--link").error()),
              "\"fast\" is no speed: --link: write it as 450GB/s or 400Gb/s");
}

}  // namespace
}  // namespace headcount
