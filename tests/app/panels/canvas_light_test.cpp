// What the pointer lights: a matrix with what it reads and makes, a sub-block with what comes in and leaves, a token.
#include "app/panels/canvas_light.hpp"

#include "app/panels/canvas_view.hpp"
#include "tests/app/panels/stage.hpp"

namespace headcount {
namespace {

using test::session_of;
using test::Stage;

Session pointed_at(std::string_view preset, std::string_view hover) {
    Session session = session_of(preset);
    session.view.hover = subject_from_key(hover);
    return session;
}

TEST(CanvasLight, OfAMatrixIsOnWhatItReadsAndMakes) {
    const Session session = pointed_at("llama-2-7b", "layer.attention.query.weight");
    const CanvasLight light(session);
    EXPECT_EQ(light.glow("layer.attention.query.weight"), Glow::hovered);
    EXPECT_EQ(light.glow("layer.attention.norm"), Glow::near);
    EXPECT_EQ(light.glow("layer.attention.queries"), Glow::near);
    EXPECT_EQ(light.glow("layer.attention.keys"), Glow::none);
}

TEST(CanvasLight, OfASubBlockIsOnWhatComesInAndWhatLeaves) {
    const Session session = pointed_at("llama-2-7b", "component.feed_forward");
    const CanvasLight light(session);
    EXPECT_EQ(light.glow("component.feed_forward"), Glow::hovered);
    EXPECT_EQ(light.glow("layer.feed_forward.up.weight"), Glow::hovered);
    EXPECT_EQ(light.glow("layer.attention.stream"), Glow::near) << "comes in";
    EXPECT_EQ(light.glow("layer.feed_forward.output"), Glow::near) << "is added to the stream";
    EXPECT_EQ(light.glow("layer.feed_forward.stream"), Glow::near) << "leaves";
    EXPECT_EQ(light.glow("layer.feed_forward.hidden"), Glow::none) << "stays inside";
    EXPECT_EQ(light.glow("layer.attention.queries"), Glow::none);
}

TEST(CanvasLight, OfASubBlockReachesTheStreamInEveryFamily) {
    for (const char* preset : {"gpt2", "gpt-j-6b", "mixtral-8x7b", "deepseek-v3", "gemma-3-27b", "olmo-2-7b"})
        for (const char* block : {"attention", "feed_forward"}) {
            const Session session = pointed_at(preset, "component." + std::string(block));
            const CanvasLight light(session);
            // Where a norm stands behind a sub-block, what is added to the stream is what the norm makes.
            const std::string output = "layer." + std::string(block) + ".output", normed = output + "_norm";
            const bool norm_behind = session.derived.shown.graph.find(normed) != nullptr;
            EXPECT_EQ(light.glow(norm_behind ? normed : output), Glow::near) << preset << " " << block;
        }
}

}  // namespace
}  // namespace headcount
