// Numbers that follow from others: what they are bound to, and that they go on following.
#include "core/arch/rules.hpp"

#include <gtest/gtest.h>

#include <array>

#include "core/arch/fields.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using testing_data::preset;

std::int64_t ruled(const Architecture& arch, Symbol symbol) {
    return *evaluate(*rule_of(arch, symbol), bindings(arch, {}));
}

TEST(Rules, FollowWhatTheyAreMadeOf) {
    Architecture arch = preset("gpt2");
    arch.layer.attention.heads = 6;
    EXPECT_EQ(ruled(arch, Symbol::head_dim), 128);
    EXPECT_EQ(ruled(arch, Symbol::kv_heads), 6);
    arch.embedding_dim = 96;
    EXPECT_EQ(ruled(arch, Symbol::transform_dim), 96);
    arch.layer.attention.head_dim = 40;
    EXPECT_EQ(rule_of(arch, Symbol::head_dim)->kind(), Expr::Kind::integer) << "one of its own";
    EXPECT_EQ(ruled(arch, Symbol::head_dim), 40);
}

TEST(Rules, AreThoseOfPublishedModels) {
    EXPECT_EQ(ruled(preset("llama-2-7b"), Symbol::head_dim), 128);
    EXPECT_EQ(ruled(preset("deepseek-v3"), Symbol::head_dim), 192) << "128 and 64 turned";
    EXPECT_EQ(ruled(preset("deepseek-v3"), Symbol::kv_heads), 128) << "latent";
    EXPECT_EQ(ruled(preset("deepseek-v3"), Symbol::shared_dim), 2048);
    EXPECT_EQ(ruled(preset("t5-small"), Symbol::encoder_ffn_dim), 2048);
    EXPECT_EQ(ruled(preset("whisper-tiny"), Symbol::encoder_context), 1500);
}

TEST(Rules, OfWhatAModelLacksThereAreNone) {
    for (const Symbol symbol : std::array{Symbol::shared_dim, Symbol::encoder_ffn_dim, Symbol::layers})
        EXPECT_EQ(rule_of(preset("gpt2"), symbol), std::nullopt);
}

}  // namespace
}  // namespace headcount
