// Claims about what each change adds to the total: every changed field has an effect, however the changes depend on
// each other.
#include "app/state/derived.hpp"

#include <gtest/gtest.h>

#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using Edit = std::pair<Field, std::string_view>;

Document edited(std::initializer_list<Edit> edits) {
    Document document{{}, testing_data::preset("llama-2-7b"), "llama-2-7b", Input{}};
    document.architecture = document.base;
    for (const auto& [field, text] : edits) document.architecture = *with_field(document.architecture, field, text);
    return document;
}

std::int64_t change(const Derived& derived) { return derived.shown.parameters.total - derived.base.parameters.total; }

TEST(Effects, ARuleForTheFeedForwardsWidthIsOneChangeAndHasAllOfIt) {
    const Document document = edited({{Field::ffn_multiple_of, "256"}, {Field::ffn_multiplier, "1.3"}});
    const Derived derived = derive(document, nullptr);
    EXPECT_EQ(changed_fields(document), std::vector{Field::ffn_multiple_of});
    EXPECT_GT(change(derived), 0);
    EXPECT_EQ(derived.effects, (std::map<Field, std::int64_t>{{Field::ffn_multiple_of, change(derived)}}));
}

TEST(Effects, AWidthGivenInPlaceOfARuleIsOneChange) {
    Document document = edited({{Field::ffn_dim, "14336"}});
    document.base = *with_field(document.base, Field::ffn_multiplier, "1.3");
    const Derived derived = derive(document, nullptr);
    EXPECT_EQ(changed_fields(document), std::vector{Field::ffn_dim});
    EXPECT_EQ(derived.effects.at(Field::ffn_dim), change(derived));
}

TEST(Impossible, ShowsTheBaseWithThoseEditsThatFitWhereThereIsNoEarlierPicture) {
    const Document document = edited({{Field::layers, "40"}, {Field::heads, "40"}});
    const Derived derived = derive(document, nullptr);
    EXPECT_FALSE(derived.current);
    EXPECT_EQ(derived.shown.architecture.layers, 40);
    EXPECT_EQ(derived.shown.architecture.layer.attention.heads, 32);
    EXPECT_EQ(derived.shown.parameters.total, 8'357'482'496);
    const Derived earlier = derive(edited({{Field::layers, "20"}}), nullptr);
    EXPECT_EQ(derive(document, &earlier).shown.architecture.layers, 20) << "the last possible one";
}

TEST(Effects, AFieldThatCannotBeSetBackAloneIsMeasuredOnTheBase) {
    const Derived derived = derive(edited({{Field::head_dim, "256"}, {Field::heads, "31"}}), nullptr);
    ASSERT_TRUE(derived.current);
    const Derived alone = derive(edited({{Field::head_dim, "256"}}), nullptr);
    EXPECT_EQ(derived.effects.at(Field::head_dim), change(alone));
    EXPECT_TRUE(derived.effects.contains(Field::heads));
}

TEST(Effects, FieldsThatNeedEachOtherAreMeasuredTogether) {
    // 31 key/value heads need 31 heads, and those a head size of their own.
    const Document document = edited({{Field::head_dim, "128"}, {Field::heads, "31"}, {Field::kv_heads, "31"}});
    const Derived derived = derive(document, nullptr);
    ASSERT_TRUE(derived.current);
    for (Field field : changed_fields(document)) EXPECT_TRUE(derived.effects.contains(field)) << info(field).key;
    EXPECT_EQ(derived.effects.at(Field::heads), change(derived));
}

}  // namespace
}  // namespace headcount
