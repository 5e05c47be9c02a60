// Families of which most is known by name and shape alone: what their files say, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/families/reading.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::exported;
using reading::read;
using reading::refusal;
using reading::type;
using testing::HasSubstr;

TEST(Zamba, WidthsOfWhatLayersShareAreNeverNone) {
    for (const char* name : {"zamba", "zamba2"})
        for (const char* field : {"attention_hidden_size", "attention_head_dim"})
            EXPECT_THAT(refusal(type(name, {{field, 0}})), HasSubstr(field)) << name;
}

TEST(Conformers, SayTheirSizesInTheirEncoder) {
    const json encoder{{"hidden_size", 48},
                       {"num_hidden_layers", 2},
                       {"num_attention_heads", 3},
                       {"conv_kernel_size", 7},
                       {"num_mel_bins", 26}};
    for (const char* name : {"lasr_ctc", "parakeet_ctc"}) {
        const Architecture arch = read(type(name, {{"encoder_config", encoder}, {"vocab_size", 37}}));
        EXPECT_EQ(arch.dim, 48);
        EXPECT_EQ(arch.layers, 2);
        EXPECT_EQ(arch.vocab, 37);
        const json written = exported(arch);
        EXPECT_EQ(written["encoder_config"]["hidden_size"], 48);
        EXPECT_EQ(written["encoder_config"]["conv_kernel_size"], 7);
        EXPECT_EQ(exported(read(written)), written);
    }
}

TEST(Conformers, RefuseWhatTheirEncoderCannotBe) {
    const auto refused = [](const char* name, const json& encoder) {
        return refusal(type(name, {{"encoder_config", encoder}}));
    };
    EXPECT_THAT(refused("lasr_ctc", {{"hidden_size", "wide"}}), HasSubstr("hidden_size"));
    EXPECT_THAT(refused("lasr_ctc", {{"conv_kernel_size", 0}}), HasSubstr("conv_kernel_size"));
    EXPECT_THAT(refused("lasr_ctc", 7), HasSubstr("encoder_config"));
    EXPECT_THAT(refused("parakeet_ctc", {{"num_mel_bins", 7}}), HasSubstr("leave nothing of so few frequencies"));
    EXPECT_EQ(refused("parakeet_ctc", {{"num_mel_bins", 8}}), "");
    EXPECT_THAT(refusal(type("parakeet_ctc", {{"architectures", {"ParakeetForTDT"}}})), HasSubstr("ParakeetForTDT"));
}

TEST(Reformer, HasALayerForEachThatIsListed) {
    const Architecture arch = read(type("reformer", {{"attn_layers", {"lsh", "local", "lsh"}}}));
    EXPECT_EQ(arch.layers, 3);
    EXPECT_EQ(exported(arch)["attn_layers"], json({"lsh", "local", "lsh"}));
    EXPECT_EQ(read(type("reformer")).layers, 6);
    EXPECT_EQ(read(type("reformer", {{"num_hidden_layers", 3}})).layers, 3) << "the first of those that are listed";
    EXPECT_EQ(read(type("reformer", {{"num_hidden_layers", 9}, {"attn_layers", {"lsh"}}})).layers, 9);
    EXPECT_THAT(refusal(type("reformer", {{"num_hidden_layers", 9}})), HasSubstr("num_hidden_layers"));
    EXPECT_THAT(refusal(type("reformer", {{"attn_layers", {"full"}}})), HasSubstr("attn_layers"));
    EXPECT_THAT(refusal(type("reformer", {{"attn_layers", json::array()}})), HasSubstr("attn_layers"));
    EXPECT_THAT(refusal(type("reformer", {{"axial_pos_shape", {8, 8, 8}}})), HasSubstr("axial_pos_shape"));
}

}  // namespace
}  // namespace headcount
