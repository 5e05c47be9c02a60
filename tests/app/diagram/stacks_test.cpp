// The layer of either stack can be chosen: in the strip below the canvas, by its name, by what is selected.
#include <gtest/gtest.h>

#include "tests/app/diagram/bench.hpp"

namespace headcount {
namespace {

using test::CanvasBench;

TEST(CanvasStacks, PressingTheFirstLayersInTheStripShowsTheEncoders) {
    CanvasBench bench("t5-small");
    EXPECT_EQ(bench.canvas().layer, "decoder.layer");
    bench.click(bench.middle_of("canvas.strip.part.attention"));
    EXPECT_EQ(bench.canvas().layer, "encoder.layer");
}

// Of ALBERT's 11,221,680 parameters 63 % are in the set that its layers share.
TEST(CanvasStacks, WhatLayersShareIsABlockOfTheStrip) {
    CanvasBench bench("albert-base-v2");
    const auto width = [&](const char* part) {
        const NamedRect* rect = bench.rect_of(std::string("canvas.strip.part.") + part);
        return rect ? rect->max.x - rect->min.x : 0;
    };
    EXPECT_GT(width("attention"), 0);
    EXPECT_NEAR(width("feed_forward") / width("attention"), 2, 0.1);
    EXPECT_NEAR(width("embedding") / width("feed_forward"), 4004864.0 / 4722432, 0.1);
}

TEST(CanvasStacks, WhatIsSelectedDecidesWhichOneIsLookedAt) {
    CanvasBench bench("t5-small");
    bench.resize(ImVec2(720, 700));
    bench.ask(Select{TensorSubject{"encoder.layer.feed_forward.up.weight"}});
    EXPECT_EQ(bench.canvas().atlas.layer, "encoder.layer");
    bench.ask(Select{TensorSubject{"decoder.layer.cross_attention.value.weight"}});
    EXPECT_EQ(bench.canvas().atlas.layer, "decoder.layer");
    EXPECT_TRUE(bench.has("canvas.decoder.layer.cross_attention.value.weight"));
    EXPECT_FALSE(bench.has("canvas.encoder.layer.feed_forward.up.weight"));
}

TEST(CanvasStacks, WhereBothHaveRoomEachIsChosenWhereItStands) {
    CanvasBench bench("t5-small");
    const std::string either[] = {"encoder.layer", "decoder.layer"};
    for (const std::string& layer : either) {
        bench.click(bench.middle_of("canvas.kind." + layer));
        EXPECT_EQ(bench.canvas().atlas.layer, layer);
        for (const std::string& drawn : either) EXPECT_TRUE(bench.has("canvas." + drawn + ".attention.key.weight"));
    }
}

TEST(CanvasStacks, PointingAtCrossAttentionsMatrixSelectsIt) {
    CanvasBench bench("t5-small");
    const std::string weight = "decoder.layer.cross_attention.key.weight";
    bench.click(bench.middle_of("canvas." + weight));
    EXPECT_EQ(bench.selection(), weight);
}

TEST(CanvasStacks, OneComesToCrossAttentionAndToItsHeads) {
    CanvasBench bench("t5-small");
    bench.go_to("decoder.layer.cross_attention");
    EXPECT_EQ(bench.look().here.id, "decoder.layer.cross_attention");
    bench.go_to("decoder.layer.cross_attention.head", 5);
    EXPECT_EQ(bench.look().here.id, "decoder.layer.cross_attention.head");
    EXPECT_EQ(bench.look().here.copy, 5);
}

}  // namespace
}  // namespace headcount
