// What the pointer lights: a matrix with what it reads and makes, a sub-block with what comes in and leaves, a token.
#include "app/diagram/light.hpp"

#include <algorithm>

#include "app/diagram/view.hpp"
#include "tests/app/diagram/bench.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

using test::session_of;
using test::Stage;

Session pointed_at(std::string_view preset, std::string_view hover) {
    Session session = session_of(preset);
    session.look.hover = subject_from_key(hover);
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

// The middle of the first thing of this id on the screen.
std::optional<Point> middle_of(test::CanvasBench& bench, std::string_view id) {
    for (const Region& region : bench.canvas().drawing.regions)
        if (region.id == id) return region.rect.centre();
    return std::nullopt;
}

void expect_clear(test::CanvasBench& bench, Point pointer, const std::string& when) {
    const NamedRect* const found = bench.rect_of("tooltip");
    ASSERT_TRUE(found) << when;
    const Rect words{{found->min.x, found->min.y}, {found->max.x, found->max.y}};
    const std::vector<Lit>& all = bench.canvas().drawing.lit;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Lit& lit) { return lit.rect.contains(pointer); }))
        << when << ": what is pointed at is not lit";
    for (const Lit& lit : all)
        EXPECT_FALSE(lit.rect.overlaps(words))
            << when << ": " << lit.rect.min.x << " to " << lit.rect.max.x << ", " << lit.rect.min.y;
    const Rect& area = bench.canvas().area;
    EXPECT_TRUE((Rect{{0, 0}, {area.max.x + 16, area.max.y + 54}}.holds(words))) << when;
}

TEST(CanvasLight, WordsBesideThePointerCoverNothingThatIsLit) {
    int chips = 0;
    for (const ImVec2 window : {ImVec2(940, 700), ImVec2(700, 500), ImVec2(1300, 900)})
        for (const char* id : {"tokens", "layer.attention.queries", "layer.attention.query.weight", "embedded",
                               "layer.feed_forward.hidden", "layer.feed_forward.down.weight", "embedding.weight"}) {
            test::CanvasBench bench;
            bench.resize(window);
            const std::optional<Point> at = middle_of(bench, id);
            if (!at && std::string_view(id) == "tokens") continue;  // there is no room for chips
            ASSERT_TRUE(at) << id;
            chips += std::string_view(id) == "tokens";
            const std::string name = std::string(id) + " in " + std::to_string(static_cast<int>(window.x));
            bench.point({at->x, at->y});
            bench.frames(40);
            expect_clear(bench, *at, name);
            bench.click({at->x, at->y});
            expect_clear(bench, *at, name + ", clicked");
            bench.ask(Select{Component::attention});
            bench.frames(2);
            expect_clear(bench, *at, name + ", with attention selected");
        }
    EXPECT_GT(chips, 0) << "a token's chip is on the screen at one size at least";
}

TEST(CanvasLight, IsOnWhatIsPointedAtInTheFrameThatExplainsIt) {
    test::CanvasBench bench;
    const char* const things[] = {"layer.attention.query.weight", "layer.feed_forward.down.weight", "embedding.weight"};
    for (const char* id : things) {
        const std::optional<Point> at = middle_of(bench, id);
        ASSERT_TRUE(at) << id;
        bench.point({at->x, at->y});
        if (id == things[0]) bench.frames(40);  // the next ones are explained at once
        expect_clear(bench, *at, id);
    }
}

TEST(CanvasLight, ATokenHasTheNameThatTheRunOfThisModelGivesIt) {
    Session session = session_of("llama-2-7b");
    EXPECT_EQ(token_of_run(session, 1), "") << "nothing has run";
    test::show_small_run(session);
    finish_run(session);
    ASSERT_TRUE(session.running.shown && session.running.shown->values);
    const std::vector<RunToken>& tokens = session.running.shown->tokens;
    ASSERT_GT(tokens.size(), 1U);
    EXPECT_EQ(token_of_run(session, 1), "“" + tokens[1].text + "”");
    EXPECT_EQ(token_of_run(session, static_cast<std::int64_t>(tokens.size())), "") << "it did not come as far";
    headcount::apply(session, Intents{OpenPreset{"gpt2"}});
    EXPECT_EQ(token_of_run(session, 1), "") << "of another model";
}

}  // namespace
}  // namespace headcount
