// Claims about GGUF files that are held against what was concluded from their metadata.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/arch/family.hpp"
#include "core/files/architecture_json.hpp"
#include "core/files/open.hpp"
#include "tests/core/checkpoints/gguf_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;

// A decoder of one layer as LLaMA has it, but for the matrix that leads out of the feed-forward.
testing_data::GgufFile decoder(const std::string& kind, std::uint32_t layers = 1) {
    testing_data::GgufFile made;
    made.text("general.architecture", kind).number(kind + ".block_count", layers);
    made.number(kind + ".embedding_length", 8).number(kind + ".feed_forward_length", 12);
    made.number(kind + ".attention.head_count", 2).number(kind + ".context_length", 16);
    made.tensor("token_embd.weight", {8, 20}).tensor("output_norm.weight", {8}).tensor("output.weight", {8, 20});
    for (const char* norm : {"attn_norm", "ffn_norm"}) made.tensor("blk.0." + std::string(norm) + ".weight", {8});
    for (const char* each : {"attn_q", "attn_k", "attn_v", "attn_output"})
        made.tensor("blk.0." + std::string(each) + ".weight", {8, 8});
    made.tensor("blk.0.ffn_gate.weight", {8, 12}).tensor("blk.0.ffn_up.weight", {8, 12});
    return made;
}

// As the window and the command line hold it.
Document document_of(const Opened& opened) {
    return {.architecture = opened.architecture, .base = opened.architecture};
}

TEST(Open, AGgufFileOfAnUnknownKindIsReadWhereItsTensorsAreADecodersAndElseRefusedByName) {
    const Scratch scratch;
    const auto file = [](std::string_view other) {
        return decoder("unheard").tensor("blk.0." + std::string(other) + ".weight", {12, 8});
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

TEST(Open, AGgufFileOfAKnownKindIsMarkedWhereItsTensorsAreOthers) {
    const Scratch scratch;
    const std::string down = "blk.0.ffn_down.weight";
    const auto opened = [&](testing_data::GgufFile file) {
        return *open_architecture(scratch.file("model.gguf", file.bytes()), {});
    };
    const Opened exact = opened(decoder("llama").tensor(down, {12, 8}));
    EXPECT_EQ(doubt_on(document_of(exact)), "");
    for (const auto& [file, difference] :
         {std::pair{decoder("llama"), "model.layers.0.mlp.down_proj.weight is missing in it"},
          std::pair{decoder("llama").tensor(down, {12, 8}).tensor("blk.0.ffn_gate_shexp.weight", {8, 12}),
                    "blk.0.ffn_gate_shexp.weight is not counted"},
          std::pair{decoder("llama").tensor(down, {16, 8}),
                    "blk.0.ffn_gate.weight is [12, 8], and [16, 8] is counted"}}) {
        const Opened other = opened(file);
        EXPECT_EQ(other.architecture.family->type, "llama");
        const std::string doubt = doubt_on(document_of(other));
        EXPECT_NE(doubt.find(difference), doubt.npos) << doubt;
        EXPECT_EQ(std::ranges::count(other.notes, doubt), 1) << doubt;
        EXPECT_EQ(title_as_known(document_of(other)), "model (≈: not verified)");
        const Result<Architecture> saved = architecture_from_json(architecture_to_json(other.architecture));
        ASSERT_TRUE(saved);
        EXPECT_EQ(doubt_on({.architecture = *saved, .base = *saved}), doubt) << "also of what was saved";
    }
}

TEST(Open, WhatAGgufFileHasBesidesItsModelRaisesNoDoubt) {
    const Scratch scratch;
    testing_data::GgufFile file = decoder("llama", 2).tensor("blk.0.ffn_down.weight", {12, 8});
    file.tensor("rope_freqs.weight", {2}).tensor("blk.0.attn_q.scale", {1}).tensor("blk.0.attn_q.input_scale", {1});
    file.number("llama.nextn_predict_layers", 1).tensor("blk.1.nextn.eh_proj.weight", {16, 8});
    file.tensor("blk.1.attn_norm.weight", {8}).tensor("blk.1.attn_q.weight", {8, 8});
    const Result<Opened> opened = open_architecture(scratch.file("model.gguf", file.bytes()), {});
    ASSERT_TRUE(opened) << sentence(opened.error());
    EXPECT_EQ(opened->architecture.layers, 1);
    EXPECT_EQ(doubt_on(document_of(*opened)), "");
}

}  // namespace
}  // namespace headcount
