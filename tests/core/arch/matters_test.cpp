// Claims about which fields change anything of a model.
#include "core/arch/matters.hpp"

#include <gtest/gtest.h>

#include "tests/support/presets.hpp"

namespace headcount {
namespace {

Architecture with(std::string_view preset, std::initializer_list<std::pair<std::string_view, std::string_view>> edits) {
    Architecture arch = testing_data::preset(preset);
    for (const auto& [key, text] : edits) arch = *with_field(arch, key, text);
    return arch;
}

TEST(Matters, EveryFieldOfAttentionDoesWhereALayerHasIt) {
    for (const auto& arch : {with("llama-3-8b", {}), with("llama-3-8b", {{"recurrence_layers", "1110"}})})
        for (const Field field : {Field::heads, Field::kv_heads, Field::head_dim, Field::qkv_bias, Field::sight,
                                  Field::window, Field::output_gate, Field::rotated_layers})
            EXPECT_TRUE(matters(arch, field)) << info(field).key;
}

TEST(Matters, NothingOfAttentionDoesWhereEveryLayerHasAState) {
    const Architecture arch = with("llama-3-8b", {{"state_dim", "128"}});
    for (const Field field : {Field::heads, Field::kv_heads, Field::head_dim, Field::qkv_bias, Field::sight,
                              Field::window, Field::output_gate, Field::rotated_layers, Field::rotary_dim})
        EXPECT_FALSE(matters(arch, field)) << info(field).key;
    EXPECT_TRUE(matters(arch, Field::ffn_dim));
}

TEST(Matters, TheFeedForwardsWidthDoesNotWhereNoLayerHasADenseOne) {
    EXPECT_FALSE(matters(with("llama-3-8b", {{"ffn_layers", "0"}}), Field::ffn_dim));
    EXPECT_FALSE(matters(with("llama-3-8b", {{"ffn_layers", "0"}}), Field::activation));
    EXPECT_FALSE(matters(with("llama-3-8b", {{"experts", "8"}}), Field::ffn_dim));
    EXPECT_TRUE(matters(with("llama-3-8b", {{"experts", "8"}, {"mixture_layers", "0|1"}}), Field::ffn_dim));
    EXPECT_FALSE(
        matters(with("llama-3-8b", {{"experts", "8"}, {"mixture_layers", "10"}, {"ffn_layers", "10"}}), Field::ffn_dim))
        << "the layers without experts have no feed-forward";
}

TEST(Matters, TyingDoesWhereThereIsAHead) {
    for (const std::string_view output : {"language", "masked"})
        EXPECT_TRUE(matters(with("gpt2", {{"output", output}}), Field::tied)) << output;
    for (const std::string_view output : {"pooler", "none"})
        EXPECT_FALSE(matters(with("gpt2", {{"output", output}}), Field::tied)) << output;
    EXPECT_TRUE(matters(with("gpt2", {{"output", "masked"}, {"ffn_layers", "0"}}), Field::activation))
        << "that of the head";
}

TEST(Matters, AFieldThatCountsParametersDoesWhateverTheModel) {
    for (const Preset& preset : testing_data::all_presets())
        for (const Field field : {Field::dim, Field::layers, Field::vocab, Field::output})
            EXPECT_TRUE(matters(preset.architecture, field)) << preset.id;
}

}  // namespace
}  // namespace headcount
