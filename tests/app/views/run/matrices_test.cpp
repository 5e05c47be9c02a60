// Claims about the matrices of a run: all are there, to scale, and each number says where it comes from.
#include <cmath>
#include <set>

#include "tests/app/views/run/bench.hpp"

namespace headcount {
namespace {

using test::draw_matrices;
using test::Workbench;

const ImVec2 middle(940, 730);

class RunMatrices : public testing::Test {
  protected:
    RunMatrices() : bench(draw_matrices, "llama-2-7b", middle) {
        test::show_small_run(bench.session);
        finish_run(bench.session);
        bench.frames(3);
    }

    const std::vector<RunCell>& trail() const { return bench.session.view.run.trail; }
    void look_at(const RunCell& cell) {
        RunPlace place = bench.session.view.run;
        place.trail = {cell};
        place.layer = cell.layer;
        headcount::apply(bench.session, Intents{AtRun{SetRun{place}}});
        bench.frames(3);
    }

    Workbench bench;
};

TEST_F(RunMatrices, ShowsAHeadWithItsProjections) {
    for (const char* id : {"norm", "query.weight", "key.weight", "value.weight", "queries", "keys", "values",
                           "head.queries", "head.keys", "head.scores", "head.weights", "head.values", "head.output"})
        EXPECT_TRUE(bench.has("run.matrix.layer.attention." + std::string(id))) << id;
    const NamedRect &weight = *bench.screen.recorder.find("run.matrix.layer.attention.query.weight"),
                    &made = *bench.screen.recorder.find("run.matrix.layer.attention.queries");
    EXPECT_EQ(weight.min.x, made.min.x) << "a product stands below the columns that made it";
    EXPECT_EQ(weight.max.x, made.max.x);
    EXPECT_EQ(weight.max.y - weight.min.y, weight.max.x - weight.min.x) << "32 × 32 numbers";
}

TEST_F(RunMatrices, ACellUnderThePointerSaysItsFormulaAndAClickPinsIt) {
    EXPECT_FALSE(bench.has("run.card"));
    bench.point_at("run.matrix.layer.attention.queries");
    bench.frames(2);
    EXPECT_TRUE(bench.has("run.card"));
    EXPECT_TRUE(bench.has("run.lit.layer.attention.query.weight")) << "the column that it is made of";
    EXPECT_TRUE(bench.has("run.lit.layer.attention.norm")) << "the row";
    EXPECT_TRUE(trail().empty());
    bench.press("run.matrix.layer.attention.queries");
    bench.frames(2);
    ASSERT_EQ(trail().size(), 1U);
    EXPECT_EQ(trail().back().tensor, "layer.attention.queries");
    EXPECT_TRUE(bench.has("run.card.operand.0"));
}

TEST_F(RunMatrices, AnOperandIsFollowedBackAndThereIsAWayBack) {
    look_at({"layer.attention.queries", 1, 0, 2, 5});
    bench.press("run.card.operand.0");
    bench.frames(2);
    ASSERT_EQ(trail().size(), 2U);
    EXPECT_EQ(trail().back().tensor, "layer.attention.norm");
    EXPECT_EQ(trail().back().row, 2);
    bench.press("run.card.back");
    bench.frames(2);
    ASSERT_EQ(trail().size(), 1U);
    EXPECT_EQ(trail().back().tensor, "layer.attention.queries");
    bench.press("run.card.close");
    bench.frames(2);
    EXPECT_TRUE(trail().empty());
}

TEST_F(RunMatrices, EscUnpins) {
    look_at({"layer.attention.queries", 1, 0, 2, 5});
    EXPECT_TRUE(bench.has("run.card.close"));
    bench.screen.hands.key(ImGuiKey_Escape, true);
    bench.frame();
    bench.screen.hands.key(ImGuiKey_Escape, false);
    bench.frames(2);
    EXPECT_TRUE(trail().empty());
    EXPECT_FALSE(bench.has("run.card.close"));
}

TEST_F(RunMatrices, ACellElsewhereBringsItsPage) {
    look_at({"layer.feed_forward.hidden", 2, 0, 1, 7});
    EXPECT_TRUE(bench.has("run.matrix.layer.feed_forward.hidden"));
    EXPECT_FALSE(bench.has("run.matrix.layer.attention.queries"));
    look_at({"embedding.weight", 0, 0, 3, 7});
    EXPECT_TRUE(bench.has("run.matrix.embedding.weight"));
    EXPECT_TRUE(bench.has("run.matrix.logits"));
}

TEST_F(RunMatrices, AnotherPartBeginsAtItsTop) {
    bench.screen.window = ImVec2(640, 360);
    bench.frames(3);
    const auto top = [&](const char* id) {
        const NamedRect* const rect = bench.screen.recorder.find("run.matrix.layer." + std::string(id));
        return rect ? rect->min.y : -1;
    };
    const auto scroll_down = [&] {
        bench.screen.hands.point(ImVec2(300, 250));
        bench.screen.hands.wheel(-8);
        bench.frames(3);
    };
    const auto choose_part = [&](int which) {
        bench.press("run.way.part");
        bench.frames(3);
        bench.press("run.way.part." + std::to_string(which));
        bench.frames(3);
    };
    choose_part(1);
    const float feed_forward = top("feed_forward.norm");
    choose_part(0);
    const float attention = top("attention.norm");
    ASSERT_GT(attention, 0);
    scroll_down();
    ASSERT_LT(top("attention.norm"), attention);
    choose_part(1);
    EXPECT_EQ(top("feed_forward.norm"), feed_forward);
    scroll_down();
    ASSERT_LT(top("feed_forward.norm"), feed_forward);
    choose_part(0);
    EXPECT_EQ(top("attention.norm"), attention);
}

TEST_F(RunMatrices, APressLeavesThePageAsItIs) {
    RunPlace place = bench.session.view.run;
    place.layer = 1;
    headcount::apply(bench.session, Intents{AtRun{SetRun{place}}});
    bench.frames(2);
    bench.press("run.matrix.layer.feed_forward.stream");  // what layer 0 has left, at the top of layer 1
    bench.frames(2);
    ASSERT_EQ(trail().size(), 1U);
    EXPECT_EQ(trail().back().layer, 0);
    EXPECT_EQ(bench.session.view.run.layer, 1);
    EXPECT_TRUE(bench.has("run.matrix.layer.attention.queries"));
    EXPECT_TRUE(bench.has("run.card.operand.0"));
}

TEST_F(RunMatrices, TheHeadsColumnsAreFramedWhereAllStandTogether) {
    for (const char* id : {"queries", "keys", "values", "joined"})
        EXPECT_TRUE(bench.has("run.head.layer.attention." + std::string(id))) << id;
    const NamedRect &all = *bench.screen.recorder.find("run.matrix.layer.attention.queries"),
                    &own = *bench.screen.recorder.find("run.head.layer.attention.queries");
    EXPECT_NEAR(own.max.x - own.min.x, (all.max.x - all.min.x) / 4, 1) << "of four heads";
}

TEST_F(RunMatrices, WhatAPageMakesStaysInViewAsTheTextGrows) {
    bench.screen.window.y = bench.screen.recorder.find("run.matrix.layer.attention.queries")->max.y + 30;
    bench.frames(3);
    const auto in_view = [&](const char* id) {
        const NamedRect* const rect = bench.screen.recorder.find("run.matrix.layer.attention." + std::string(id));
        return rect && rect->max.y <= bench.screen.window.y && rect->min.y >= 0;
    };
    ASSERT_TRUE(in_view("queries"));
    for (int token = 0; token < 20; ++token) {
        test::make_tokens(bench.session, 1);
        bench.frames(2);
        for (const char* id : {"queries", "keys", "values"}) EXPECT_TRUE(in_view(id)) << id << " " << token;
    }
}

TEST_F(RunMatrices, APinnedCellStaysInViewWhateverTheSize) {
    bench.screen.window = ImVec2(640, 360);
    bench.frames(3);
    look_at({"layer.attention.head.output", 1, 0, 2, 5});
    const auto seen = [&] {
        const NamedRect* const cell = bench.screen.recorder.find("run.matrix.layer.attention.head.output");
        return cell && cell->max.y > 0 && cell->min.y < bench.screen.window.y;
    };
    ASSERT_TRUE(seen());
    for (const float width : {480.0F, 900.0F, 400.0F, 640.0F}) {
        bench.screen.window.x = width;
        bench.frames(3);
        EXPECT_EQ(trail().size(), 1U) << width;
        EXPECT_TRUE(bench.has("run.card.close")) << width;
        EXPECT_TRUE(seen()) << width;
    }
}

TEST(RunPointer, SaysWhichTokenAndWhichMatrix) {
    static RunPointed said;
    const auto draw_both = [](const Ui& ui, const Session& session) {
        Intents intents = draw_matrices(ui, session);
        said = pointed_in_run(ui);
        return intents;
    };
    Workbench bench(draw_both, "llama-2-7b", middle);
    test::show_small_run(bench.session);
    finish_run(bench.session);
    bench.frames(3);
    EXPECT_FALSE(said.token);
    EXPECT_FALSE(said.limit) << "each matrix has its own scale";
    bench.point_at("run.matrix.layer.attention.queries");
    bench.frames(2);
    EXPECT_EQ(said.token, 1) << "the middle of three rows";
    EXPECT_EQ(said.symbol, "Q");
    ASSERT_TRUE(said.limit);
    EXPECT_GT(*said.limit, 0);
    const float own = *said.limit;
    test::set_run(bench.session, [](RunPlace& place) { place.shared_scale = true; });
    bench.frames(3);
    ASSERT_TRUE(said.limit);
    EXPECT_GT(*said.limit, own) << "the greatest of all";
    bench.point_at("run.matrix.layer.attention.query.weight");
    bench.frames(2);
    EXPECT_FALSE(said.token) << "a weight is no token's";
}

TEST_F(RunMatrices, ACellThatIsNotThereIsNoHarm) {
    look_at({"no.such.tensor", 9, 9, 9, 9});
    look_at({"layer.attention.queries", 99, 0, 2, 5});
    look_at({"layer.attention.queries", 1, 0, 2000, -5});
    EXPECT_TRUE(bench.has("run.matrix.layer.attention.queries"));
    bench.session.running = {};
    bench.frames(2);
    EXPECT_FALSE(bench.has("run.matrix.layer.attention.queries"));
}

}  // namespace
}  // namespace headcount
