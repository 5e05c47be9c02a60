// Claims about when the canvas shows the columns of one head: while attention is presented to a class.
#include <gtest/gtest.h>

#include "tests/app/diagram/bench.hpp"

namespace headcount {
namespace {

using test::CanvasBench;

bool shows_band(CanvasBench& bench) { return bench.canvas().laid.band.has_value(); }

void present_attention(CanvasBench& bench) {
    bench.ask(Present{true});
    bench.ask(Select{Component::attention});
}

TEST(CanvasBand, IsShownWhileAttentionIsPresentedAndNoLonger) {
    CanvasBench bench;
    bench.ask(Select{Component::attention});
    EXPECT_FALSE(shows_band(bench)) << "nobody presents";
    bench.ask(Present{true});
    EXPECT_TRUE(shows_band(bench));
    for (const Subject& of : {Subject(TensorSubject{"layer.attention.queries"}), Subject(Field::kv_heads),
                              Subject(TensorSubject{"layer.attention.head.scores"})}) {
        bench.ask(Select{of});
        EXPECT_TRUE(shows_band(bench)) << subject_key(of);
    }
    for (const Subject& other : {Subject(Component::feed_forward), Subject(TotalSubject{}), Subject(Field::layers),
                                 Subject(TensorSubject{"layer.attention.queries_rotated"}),
                                 Subject(TensorSubject{"layer.attention.stream"}), Subject{}}) {
        bench.ask(Select{other});
        EXPECT_FALSE(shows_band(bench)) << subject_key(other);
    }
    present_attention(bench);
    bench.ask(Present{false});
    EXPECT_FALSE(shows_band(bench));
}

TEST(CanvasBand, TiltedAndByLogarithmAttentionIsAsItWas) {
    CanvasBench bench;
    present_attention(bench);
    bench.ask(Tilt{true});
    EXPECT_FALSE(shows_band(bench));
    bench.ask(Tilt{false});
    EXPECT_TRUE(shows_band(bench));
    bench.ask(DrawLogSides{true});
    EXPECT_FALSE(shows_band(bench));
}

TEST(CanvasBand, IsOfTheHeadThatOneWasAtLast) {
    CanvasBench bench;
    present_attention(bench);
    EXPECT_EQ(bench.canvas().laid.band, 3);
    bench.go_to(test::head, 17);
    bench.go_to(test::attention);
    EXPECT_EQ(bench.canvas().laid.band, 17);
}

TEST(CanvasBand, OfAModelWithFewerHeadsIsOfItsLast) {
    CanvasBench bench("llama-2-7b");
    present_attention(bench);
    bench.go_to(test::head, 31);
    bench.go_to(test::attention);
    bench.ask(OpenPreset{"gpt2"});
    bench.ask(Select{Component::attention});
    EXPECT_EQ(bench.canvas().laid.band, 11);
}

TEST(CanvasBand, WhatItShowsIsPointedAtAndSelected) {
    CanvasBench bench;
    present_attention(bench);
    bench.go_to(test::attention);
    ASSERT_TRUE(bench.has("canvas.layer.attention.head.keys"));
    bench.click(bench.middle_of("canvas.layer.attention.head.keys"));
    EXPECT_EQ(bench.selection(), "layer.attention.head.keys");
    bench.click(bench.corner_of("canvas.layer.attention.values"));
    EXPECT_EQ(bench.selection(), "layer.attention.values");
    bench.click(bench.corner_of("canvas.layer.attention.value.weight"));
    EXPECT_EQ(bench.selection(), "layer.attention.value.weight");
    EXPECT_TRUE(shows_band(bench));
    EXPECT_TRUE(bench.has("canvas.band.layer.attention.head.queries"));
}

TEST(CanvasBand, TheFeedForwardOpensAgainWhenItIsSelected) {
    CanvasBench bench;
    present_attention(bench);
    ASSERT_TRUE(bench.has("canvas.block.layer.feed_forward"));
    EXPECT_FALSE(bench.has("canvas.layer.feed_forward.up.weight"));
    bench.click(bench.middle_of("canvas.block.layer.feed_forward"));
    EXPECT_EQ(bench.selection(), "component.feed_forward");
    bench.frames(3);
    EXPECT_TRUE(bench.has("canvas.layer.feed_forward.up.weight"));
}

}  // namespace
}  // namespace headcount
