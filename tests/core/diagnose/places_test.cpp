// How tensors of another program may lie.
#include "core/diagnose/places.hpp"

#include <gtest/gtest.h>

namespace headcount {
namespace {

using Lies = std::vector<Lie>;

TEST(Places, SidesOfOneDoNotMatter) {
    const Site rows{.rows = 5, .columns = 12, .head_columns = 4};
    EXPECT_EQ(lies(rows, {5, 12}), Lies{Lie::plain});
    EXPECT_EQ(lies(rows, {1, 5, 12}), Lies{Lie::plain});
    EXPECT_EQ(lies(rows, {5, 1, 12}), Lies{Lie::plain});
    EXPECT_EQ(lies(rows, {1, 5, 3, 4}), Lies{Lie::plain});
    EXPECT_EQ(lies(rows, {1, 3, 5, 4}), Lies{Lie::heads_first});
    EXPECT_EQ(lies(rows, {1, 1, 12}), Lies{Lie::last_row});
    EXPECT_TRUE(lies(rows, {12, 5}).empty());
    EXPECT_TRUE(lies(rows, {}).empty());
}

TEST(Places, OneHeadsScoresMayHaveNoSideOfHeads) {
    const Site one{.rows = 5, .columns = 5, .by_head = true};
    EXPECT_EQ(lies(one, {5, 5}), Lies{Lie::plain});
    EXPECT_EQ(lies(one, {1, 1, 5, 5}), Lies{Lie::plain});
    const Site three{.copies = 3, .rows = 5, .columns = 5, .by_head = true};
    EXPECT_EQ(lies(three, {1, 3, 5, 5}), Lies{Lie::plain});
    EXPECT_TRUE(lies(three, {5, 5}).empty());
}

}  // namespace
}  // namespace headcount
