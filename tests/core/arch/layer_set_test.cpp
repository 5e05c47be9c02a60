// Which layers have something: patterns as text, as lists, and counted.
#include "core/arch/layer_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace headcount {
namespace {

LayerSet of(const std::string& flags) {
    bool list[LayerSet::longest];
    for (std::size_t i = 0; i < flags.size(); ++i) list[i] = flags[i] == '1';
    return LayerSet::of({list, flags.size()});
}

LayerSet parsed(std::string_view text) {
    Result<LayerSet> set = LayerSet::parse(text, "layers");
    EXPECT_TRUE(set) << text;
    return set ? *set : LayerSet{};
}

TEST(LayerSet, IsSaidInTheShortestWay) {
    EXPECT_EQ(of("1111").text(), "1");
    EXPECT_EQ(of("0000").text(), "0");
    EXPECT_EQ(of("101010").text(), "10");
    EXPECT_EQ(of("11111011111011").text(), "111110");
    EXPECT_EQ(of("00011111").text(), "000|1");
    EXPECT_EQ(of("01110111").text(), "0111");
    EXPECT_EQ(of(""), LayerSet{});
    EXPECT_EQ(LayerSet::all_but_first(3).text(), "000|1");
    EXPECT_EQ(LayerSet::every(4).text(), "0001");
    EXPECT_EQ(LayerSet::every(1), LayerSet{});
    EXPECT_EQ(LayerSet::none().text(), "0");
}

TEST(LayerSet, ReadsBackWhatItWrites) {
    for (const char* text : {"1", "0", "10", "000|1", "0111|10"}) EXPECT_EQ(parsed(text).text(), text);
    for (const char* text : {"", "|", "1|", "2", "1 0", "1|1|1", "true"}) {
        Result<LayerSet> set = LayerSet::parse(text, "window_layers");
        ASSERT_FALSE(set) << text;
        EXPECT_EQ(set.error().where, "window_layers");
    }
    EXPECT_FALSE(LayerSet::parse(std::string(5000, '1'), "window_layers"));
}

TEST(LayerSet, OfAListHasThatListsLayers) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 2000; ++i) {
        std::string flags;
        const std::size_t length = 1 + random() % 40, cycle = 1 + random() % 6, odd = random() % 4;
        std::string pattern;
        for (std::size_t k = 0; k < cycle; ++k) pattern += random() % 2 ? '1' : '0';
        for (std::size_t k = 0; k < length; ++k) flags += k < odd ? '1' : pattern[k % cycle];
        const LayerSet set = of(flags);
        std::int64_t ones = 0;
        for (std::size_t k = 0; k < length; ++k) {
            ASSERT_EQ(set.contains(static_cast<std::int64_t>(k)), flags[k] == '1') << flags << " as " << set.text();
            ones += flags[k] == '1';
            ASSERT_EQ(set.count(static_cast<std::int64_t>(k) + 1), ones) << flags;
        }
        EXPECT_TRUE(set.same_in(parsed(set.text()), 1000));
    }
}

TEST(LayerSet, CountsWithoutLooking) {
    EXPECT_EQ(LayerSet::every(6).count(1'000'000'000'000'000'000), 166'666'666'666'666'666);
    EXPECT_EQ(LayerSet::all_but_first(3).count(2), 0);
    EXPECT_FALSE(LayerSet::every(2).same_in(LayerSet{}, 5));
    EXPECT_TRUE(LayerSet::every(2).same_in(LayerSet::none(), 1)) << "one layer does not tell them apart";
}

}  // namespace
}  // namespace headcount
