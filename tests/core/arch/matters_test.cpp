// Claims about which fields change anything of a model.
#include "core/arch/matters.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

#include "tests/support/presets.hpp"

namespace headcount {
namespace {

// The usual decoder with some fields set.
Architecture decoder_with(std::initializer_list<std::pair<std::string_view, std::string_view>> edits) {
    Architecture arch;
    for (const auto& [key, text] : edits) arch = *with_field(arch, key, text);
    return arch;
}

TEST(Matters, EveryFieldOfAttentionDoesWhereALayerHasIt) {
    for (const auto& arch : {decoder_with({}), decoder_with({{"recurrence_layers", "1110"}})})
        for (const Field field : {Field::heads, Field::kv_heads, Field::head_dim, Field::qkv_bias, Field::mask,
                                  Field::window, Field::output_gate, Field::rotated_layers})
            EXPECT_TRUE(matters(arch, field)) << info(field).key;
}

TEST(Matters, NothingOfAttentionDoesWhereEveryLayerHasAState) {
    const Architecture arch = decoder_with({{"state_dim", "128"}});
    for (const Field field : {Field::heads, Field::kv_heads, Field::head_dim, Field::qkv_bias, Field::mask,
                              Field::window, Field::output_gate, Field::rotated_layers, Field::rotary_dim})
        EXPECT_FALSE(matters(arch, field)) << info(field).key;
    EXPECT_TRUE(matters(arch, Field::ffn_dim));
}

TEST(Matters, TheFeedForwardsWidthDoesNotWhereNoLayerHasADenseOne) {
    EXPECT_FALSE(matters(decoder_with({{"ffn_layers", "0"}}), Field::ffn_dim));
    EXPECT_FALSE(matters(decoder_with({{"ffn_layers", "0"}}), Field::activation));
    EXPECT_FALSE(matters(decoder_with({{"experts", "8"}}), Field::ffn_dim));
    EXPECT_TRUE(matters(decoder_with({{"experts", "8"}, {"mixture_layers", "0|1"}}), Field::ffn_dim));
    EXPECT_FALSE(
        matters(decoder_with({{"experts", "8"}, {"mixture_layers", "10"}, {"ffn_layers", "10"}}), Field::ffn_dim))
        << "the layers without experts have no feed-forward";
}

TEST(Matters, TheFeedForwardsWidthDoesBesideAMixture) {
    const Architecture both = testing_data::preset("gemma-4-26b-a4b");
    EXPECT_TRUE(both.layer.mixture->beside_dense && matters(both, Field::ffn_dim));
}

TEST(Matters, TheActivationDoesWhereAConvolutionUsesIt) {
    EXPECT_TRUE(matters(decoder_with({{"state_dim", "128"}, {"ffn_layers", "0"}}), Field::activation));
}

TEST(Matters, TheFormOfAFeedForwardThatLayersShareDoes) {
    const Architecture arch = testing_data::preset("zamba2-7b");
    for (const Field field : {Field::ffn_dim, Field::gated, Field::ffn_bias})
        EXPECT_TRUE(matters(arch, field)) << info(field).key;
    EXPECT_FALSE(matters(arch, Field::experts));
}

TEST(Matters, AFirstNormDoesWhereRecurrencesHaveTheirNormsFirst) {
    const Architecture arch = testing_data::preset("olmo-hybrid-7b");
    EXPECT_TRUE(arch.norm.placement == NormPlacement::after && matters(arch, Field::first_norm));
    EXPECT_FALSE(matters(testing_data::preset("olmo-2-7b"), Field::first_norm));
}

TEST(Matters, TyingDoesWhereThereIsAHead) {
    for (const std::string_view output : {"language", "masked"})
        EXPECT_TRUE(matters(decoder_with({{"output", output}}), Field::tied)) << output;
    for (const std::string_view output : {"pooler", "none"})
        EXPECT_FALSE(matters(decoder_with({{"output", output}}), Field::tied)) << output;
    EXPECT_TRUE(matters(decoder_with({{"output", "masked"}, {"ffn_layers", "0"}}), Field::activation))
        << "that of the head";
}

TEST(Matters, WhatDoesNotIsNeitherAChangeNorAValue) {
    const Architecture states = decoder_with({{"state_dim", "128"}});
    EXPECT_TRUE(changed_fields(states, *with_field(states, "kv_heads", "8")).empty());
    EXPECT_EQ(field_words(states, Field::heads), "none");
    EXPECT_EQ(field_words(decoder_with({}), Field::heads), std::to_string(Architecture().layer.attention.heads));
}

TEST(FieldWords, AreThoseOfTheFormForEveryChoice) {
    for (const FieldInfo& about : fields())
        for (std::size_t i = 0; i < about.choices.size(); ++i) {
            const Result<Architecture> arch = with_field(Architecture(), about.field, about.choices[i]);
            if (!arch || !matters(*arch, about.field)) continue;
            EXPECT_EQ(field_words(*arch, about.field), about.labels[i]) << about.key;
        }
    EXPECT_EQ(field_words(decoder_with({{"norm_placement", "after_sum"}}), Field::norm_placement), "After sum");
    EXPECT_EQ(field_words(decoder_with({{"gated", "true"}}), Field::gated), "yes");
    EXPECT_EQ(field_words(decoder_with({{"gated", "false"}}), Field::gated), "no");
}

}  // namespace
}  // namespace headcount
