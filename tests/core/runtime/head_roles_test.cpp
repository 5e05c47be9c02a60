// Claims about what attention heads look at: shares are means over the words that can look there, and only what is much
// more than even attention is told.
#include "core/runtime/head_roles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace headcount {
namespace {

// Weights by layer and head, each row spread over some tokens alike.
class Text {
  public:
    explicit Text(std::vector<std::int32_t> ids) : ids_(std::move(ids)) {}

    // A head that looks at the tokens that `looks` is true of, and at itself where there is none.
    void add(bool (*looks)(std::int64_t from, std::int64_t at)) {
        const std::int64_t tokens = std::ssize(ids_);
        std::vector<float>& all = heads_.emplace_back(static_cast<std::size_t>(tokens * tokens));
        for (std::int64_t from = 0; from < tokens; ++from) {
            float* const row = &all[static_cast<std::size_t>(from * tokens)];
            for (std::int64_t at = 0; at <= from; ++at) row[at] = looks(from, at) ? 1.0F : 0.0F;
            if (std::accumulate(row, row + tokens, 0.0F) == 0) row[from] = 1;
            const float sum = std::accumulate(row, row + tokens, 0.0F);
            std::for_each(row, row + tokens, [&](float& each) { each /= sum; });
        }
    }
    std::vector<HeadFound> found() const {
        const std::int64_t tokens = std::ssize(ids_);
        return find_heads(
            {.ids = ids_,
             .is_stop = [&](std::int64_t at) { return ids_[static_cast<std::size_t>(at)] == 0; },
             .layers = 1,
             .heads = [&](std::int64_t) { return std::ssize(heads_); },
             .attention =
                 [&](std::int64_t, std::int64_t head) {
                     return MatrixView{heads_[static_cast<std::size_t>(head)].data(), tokens, tokens, tokens};
                 }});
    }
    const HeadFound* of(const std::vector<HeadFound>& found, HeadRole role) const {
        const auto at = std::ranges::find(found, role, &HeadFound::role);
        return at == found.end() ? nullptr : &*at;
    }

  private:
    std::vector<std::int32_t> ids_;
    std::vector<std::vector<float>> heads_;
};

TEST(HeadRoles, EvenAttentionIsNoRole) {
    Text text({5, 6, 5, 0, 7, 5});
    text.add([](std::int64_t, std::int64_t) { return true; });
    EXPECT_TRUE(text.found().empty());
}

TEST(HeadRoles, FindsTheHeadOfEachRole) {
    Text text({1, 5, 6, 7, 0, 5, 8, 9, 5});
    text.add([](std::int64_t, std::int64_t) { return true; });
    text.add([](std::int64_t from, std::int64_t at) { return at + 1 == from; });
    text.add([](std::int64_t, std::int64_t at) { return at == 4; });
    text.add([](std::int64_t from, std::int64_t at) { return (from == 5 || from == 8) && at == 1; });
    text.add([](std::int64_t from, std::int64_t at) { return (from == 5 && at == 2) || (from == 8 && at == 6); });
    text.add([](std::int64_t, std::int64_t at) { return at == 0; });
    const std::vector<HeadFound> found = text.found();
    const auto head = [&](HeadRole role) {
        const HeadFound* const one = text.of(found, role);
        return one ? one->head : -1;
    };
    EXPECT_EQ(head(HeadRole::previous), 1);
    EXPECT_EQ(head(HeadRole::stop), 2);
    EXPECT_EQ(head(HeadRole::same), 3);
    EXPECT_EQ(head(HeadRole::behind_same), 4);
    EXPECT_EQ(head(HeadRole::first), 5);
    // Token 5 sees one 5 before it, token 8 two, of which that head looks at the first alone.
    const HeadFound& same = *text.of(found, HeadRole::same);
    EXPECT_EQ(same.tokens, 2);
    EXPECT_DOUBLE_EQ(same.share, 1);
    EXPECT_DOUBLE_EQ(same.even, (1.0 / 6 + 2.0 / 9) / 2);
}

TEST(HeadRoles, WhatATextHasNotIsNotTold) {
    Text text({1, 2, 3, 4});
    text.add([](std::int64_t from, std::int64_t at) { return at + 1 == from; });
    const std::vector<HeadFound> found = text.found();
    EXPECT_TRUE(text.of(found, HeadRole::previous));
    EXPECT_FALSE(text.of(found, HeadRole::same));
    EXPECT_FALSE(text.of(found, HeadRole::stop));
}

TEST(HeadRoles, OfALongTextTheLastTokensLook) {
    std::vector<std::int32_t> ids(200);
    std::iota(ids.begin(), ids.end(), 1);
    Text text(ids);
    text.add([](std::int64_t from, std::int64_t at) { return at + 1 == from; });
    const std::vector<HeadFound> found = text.found();
    ASSERT_TRUE(text.of(found, HeadRole::previous));
    EXPECT_EQ(text.of(found, HeadRole::previous)->tokens, most_measured);
}

}  // namespace
}  // namespace headcount
