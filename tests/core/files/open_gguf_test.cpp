// Claims about GGUF files of kinds that are not known.
#include <gtest/gtest.h>

#include "core/arch/family.hpp"
#include "core/files/open.hpp"
#include "tests/core/checkpoints/gguf_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;

TEST(Open, AGgufFileOfAnUnknownKindIsReadWhereItsTensorsAreADecodersAndElseRefusedByName) {
    const Scratch scratch;
    const auto file = [](std::string_view other) {
        testing_data::GgufFile made;
        made.text("general.architecture", "unheard").number("unheard.block_count", 1);
        made.number("unheard.embedding_length", 8).number("unheard.feed_forward_length", 12);
        made.number("unheard.attention.head_count", 2).number("unheard.context_length", 16);
        made.tensor("token_embd.weight", {8, 20}).tensor("output_norm.weight", {8}).tensor("output.weight", {8, 20});
        for (const char* norm : {"attn_norm", "ffn_norm"}) made.tensor("blk.0." + std::string(norm) + ".weight", {8});
        for (const char* each : {"attn_q", "attn_k", "attn_v", "attn_output"})
            made.tensor("blk.0." + std::string(each) + ".weight", {8, 8});
        made.tensor("blk.0.ffn_gate.weight", {8, 12}).tensor("blk.0.ffn_up.weight", {8, 12});
        return made.tensor("blk.0." + std::string(other) + ".weight", {12, 8});
    };
    const Result<Opened> like = open_architecture(scratch.file("like.gguf", file("ffn_down").bytes()), {});
    ASSERT_TRUE(like) << sentence(like.error());
    EXPECT_FALSE(like->architecture.family->verified) << "still a guess, and said";
    const std::string path = scratch.file("unlike.gguf", file("ffn_elsewhere").bytes());
    const Result<Opened> unlike = open_architecture(path, {});
    ASSERT_FALSE(unlike);
    const std::string said = sentence(unlike.error());
    EXPECT_NE(said.find("models of the kind \"unheard\" are not known"), said.npos) << said;
    EXPECT_NE(said.find("model.layers.0.mlp.down_proj.weight is missing"), said.npos) << said;
    EXPECT_EQ(unlike.error().where, path);
}

}  // namespace
}  // namespace headcount
