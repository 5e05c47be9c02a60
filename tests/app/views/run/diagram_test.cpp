// Claims about the diagram of a run: a cell that is pointed at says what it is made of, stays where it was pressed, and
// its operands are followed in the picture.
#include <set>
#include <stdexcept>
#include <string>

#include "app/diagram/view.hpp"
#include "app/state/in_view.hpp"
#include "tests/app/views/run/bench.hpp"

namespace headcount {
namespace {

using test::draw_shown;
using test::Workbench;

const ImVec2 middle(940, 730);

class RunDiagram : public testing::Test {
  protected:
    RunDiagram() : bench(draw_shown, "llama-2-7b", middle) {
        test::show_small_run(bench.session);
        finish_run(bench.session);
        bench.frames(3);
    }

    const std::vector<RunCell>& trail() const { return bench.session.view.run.trail; }
    // As a tour's step does it.
    void look_at(const RunCell& cell) {
        RunPlace place = bench.session.view.run;
        place.trail = {cell};
        place.layer = cell.layer;
        place.goes = true;
        headcount::apply(bench.session, Intents{AtRun{SetRun{place}}});
        bench.frames(60);
    }
    void go_to_matrix(const char* id) {
        bench.ask(GoTo{{id, 0, {}}});
        bench.screen.hands.point({2, 2});  // a pointer that comes out of nowhere has not moved
        bench.frames(60);
    }
    const NamedRect& rect(const std::string& name) const {
        const NamedRect* const found = bench.screen.recorder.find(name);
        if (!found) throw std::runtime_error(name + " is not there");
        return *found;
    }

    Workbench bench;
};

TEST_F(RunDiagram, ACellUnderThePointerSaysItsFormulaAndAClickPinsIt) {
    go_to_matrix("layer.attention.queries");
    EXPECT_FALSE(bench.has("run.card"));
    bench.point_at("canvas.layer.attention.queries");
    bench.frames(40);  // as long as a tooltip takes
    EXPECT_TRUE(bench.has("run.card"));
    EXPECT_TRUE(bench.has("canvas.lit.layer.attention.queries"));
    EXPECT_FALSE(bench.has("tooltip")) << "the card says it";
    EXPECT_TRUE(trail().empty());
    bench.press("canvas.layer.attention.queries");
    bench.frames(3);
    ASSERT_EQ(trail().size(), 1U);
    EXPECT_EQ(trail().back().tensor, "layer.attention.queries");
    EXPECT_TRUE(bench.has("run.card.operand.0"));
    EXPECT_TRUE(nothing(model_in_view(bench.session).look.selection)) << "a cell is pinned, no matrix selected";
}

TEST_F(RunDiagram, WhatIsPinnedIsSeenWithWhatItIsMadeOfAndTheCardCoversNoneOfIt) {
    look_at({"layer.attention.queries", 1, 0, 2, 5});
    const NamedRect& card = rect("run.card");
    for (const char* id : {"layer.attention.queries", "layer.attention.norm", "layer.attention.query.weight"}) {
        const NamedRect& lit = rect("canvas.lit." + std::string(id));
        EXPECT_GE(lit.min.x, 0) << id;
        EXPECT_LE(lit.max.x, middle.x) << id;
        EXPECT_LE(lit.max.y, middle.y) << id;
        const bool apart =
            lit.max.x <= card.min.x || card.max.x <= lit.min.x || lit.max.y <= card.min.y || card.max.y <= lit.min.y;
        EXPECT_TRUE(apart) << id;
    }
    const NamedRect &weight = rect("canvas.layer.attention.query.weight"),
                    &column = rect("canvas.lit.layer.attention.query.weight");
    EXPECT_NEAR(column.max.y - column.min.y, weight.max.y - weight.min.y, 8) << "all rows of it";
    EXPECT_LT(column.max.x - column.min.x, (weight.max.x - weight.min.x) / 4) << "of one column";
}

TEST_F(RunDiagram, ACellThatIsLookedUpOrASumIsSeenLargeEnoughToBeRead) {
    for (const RunCell& cell : {RunCell{"embedded", 0, 0, 2, 5}, RunCell{"layer.attention.output", 1, 0, 2, 5}}) {
        SCOPED_TRACE(cell.tensor);
        look_at(cell);
        const NamedRect& lit = rect("canvas.lit." + cell.tensor);
        EXPECT_GE(std::min(lit.max.x - lit.min.x, lit.max.y - lit.min.y), 12);
        EXPECT_GT(lit.min.x, 0);
        EXPECT_GT(lit.min.y, 0);
        EXPECT_LT(lit.max.x, middle.x);
        EXPECT_LT(lit.max.y, middle.y);
        EXPECT_LT(lit.max.y - lit.min.y, 0.6F * middle.y) << "with something of the cells above and below";
    }
}

TEST_F(RunDiagram, ASumThatIsNoMatrixIsFramedAtItsMarkWithBothThatItAdds) {
    look_at({"layer.attention.stream", 0, 0, 2, 5});
    const auto in_sight = [](const NamedRect& lit) {
        return lit.min.x > 0 && lit.min.y > 0 && lit.max.x < middle.x && lit.max.y < middle.y;
    };
    const NamedRect &sum = rect("canvas.lit.layer.attention.stream"),
                    &added = rect("canvas.lit.layer.attention.output"), &before = rect("canvas.lit.embedded");
    for (const NamedRect* const each : {&sum, &added, &before}) EXPECT_TRUE(in_sight(*each)) << each->name;
    EXPECT_LT(sum.max.x, added.min.x) << "which comes from the right";
    EXPECT_LT(before.max.y, sum.min.y) << "and this from above";
}

TEST_F(RunDiagram, AnOperandIsFollowedBackAndThereIsAWayBack) {
    look_at({"layer.attention.queries", 1, 0, 2, 5});
    bench.press("run.card.operand.0");
    bench.frames(60);
    ASSERT_EQ(trail().size(), 2U);
    EXPECT_EQ(trail().back().tensor, "layer.attention.norm");
    EXPECT_EQ(trail().back().row, 2);
    EXPECT_TRUE(bench.has("canvas.lit.layer.attention.norm"));
    bench.press("run.card.back");
    bench.frames(60);
    ASSERT_EQ(trail().size(), 1U);
    EXPECT_EQ(trail().back().tensor, "layer.attention.queries");
    bench.press("run.card.close");
    bench.frames(2);
    EXPECT_TRUE(trail().empty());
}

TEST_F(RunDiagram, WhatIsTurnedHasHandsAndAPositionThatTurnsThem) {
    const auto height = [&] { return rect("run.card").max.y - rect("run.card").min.y; };
    look_at({"layer.attention.queries", 1, 0, 2, 5});
    EXPECT_FALSE(bench.has("run.card.hands")) << "not turned yet";
    for (const RunCell& cell :
         {RunCell{"layer.attention.queries_rotated", 1, 0, 2, 5}, RunCell{"layer.attention.keys_rotated", 1, 0, 2, 5},
          RunCell{"layer.attention.head.scores", 1, 1, 2, 1}}) {
        SCOPED_TRACE(cell.tensor);
        look_at(cell);
        ASSERT_TRUE(bench.has("run.card.hands") && bench.has("run.card.position"));
        const float before = height();
        bench.drag("run.card.position", -120);
        EXPECT_GT(height(), before) << "what it is in the run is said, too";
        EXPECT_EQ(trail().size(), 1U);
        bench.drag("run.card.position", 120);
        EXPECT_EQ(height(), before) << "where it stands in the run";
    }
}

TEST_F(RunDiagram, WhatIsWatchedHasTheRoomOfTheMap) {
    const auto has_map = [&] {
        bool found = false;
        for (const char* id : {"layer.attention", "layer.feed_forward", "layer.attention.queries"}) {
            go_to_matrix(id);
            found = found || bench.has("canvas.map");
        }
        return found;
    };
    EXPECT_TRUE(has_map());
    bench.ask(AtRun{WatchRun{RunWatch{.step = 2}}});
    EXPECT_FALSE(has_map());
    bench.ask(AtRun{WatchRun{}});
    EXPECT_TRUE(has_map());
}

TEST_F(RunDiagram, TheNextWordsStandBesideTheLogits) {
    bench.frames(60);
    ASSERT_TRUE(bench.has("canvas.logits"));
    ASSERT_TRUE(bench.has("canvas.next_words"));
    const NamedRect &words = rect("canvas.next_words"), &logits = rect("canvas.logits");
    EXPECT_GT(words.min.x, logits.max.x);
    EXPECT_LT(std::abs(words.max.y - logits.max.y), 60);
    const RunNext& next = *bench.session.running.next;
    const auto share = share_text(next.distribution.candidates.front().plain);
    EXPECT_NE(canvas_svg(bench.screen.ui(), *diagram_in_view(bench.session))->find(share), std::string::npos)
        << "and in pictures";
    go_to_matrix("layer.attention.queries");
    EXPECT_FALSE(bench.has("canvas.next_words")) << "the logits are not in sight";
}

TEST_F(RunDiagram, ACellOffersWhatAnExperimentCanMakeOfIt) {
    const auto chosen = [&](const RunCell& cell, const std::string& entry) {
        look_at(cell);
        bench.press("run.card.change");
        bench.frames(3);
        bench.press("run.cell_menu." + entry);
        bench.frames(60);
        const std::vector<RunChange> changes = bench.session.view.run.experiments.changes;
        EXPECT_TRUE(bench.session.view.run.beside) << "both runs are looked at";
        set_run(bench.session, [](RunPlace& place) {
            place.beside = false;
            place.experiments = {};
        });
        return changes.empty() ? "" : change_text(changes.back().change);
    };
    // The number, the token's row, the column, the head and the sub-block.
    EXPECT_EQ(chosen({"layer.attention.queries", 1, 0, 2, 5}, "0"), "layer.1.attention.queries.column:5@2 off");
    EXPECT_EQ(chosen({"layer.attention.queries", 1, 0, 2, 5}, "1"), "layer.1.attention.queries@2 off");
    EXPECT_EQ(chosen({"layer.attention.queries", 1, 0, 2, 5}, "2"), "layer.1.attention.queries.column:5 off");
    EXPECT_EQ(chosen({"layer.attention.queries", 1, 0, 2, 5}, "3"), "layer.1.attention off");
    EXPECT_EQ(chosen({"layer.feed_forward.hidden", 1, 0, 2, 5}, "3"), "layer.1.feed_forward.neuron:5 off");
    EXPECT_EQ(chosen({"layer.attention.head.scores", 1, 3, 2, 1}, "0"),
              "layer.1.attention.head.scores.head:3.column:1@2 off");
    EXPECT_EQ(chosen({"layer.attention.head.scores", 1, 3, 2, 1}, "3"), "layer.1.attention.head:3 off");
    // What a head takes is changed where all of them stand.
    EXPECT_EQ(chosen({"layer.attention.head.queries", 1, 1, 2, 0}, "0"),
              "layer.1.attention.queries_rotated.head:1.column:0@2 off");
    // A weight, its row, its column, and all of the matrix.
    EXPECT_EQ(chosen({"layer.attention.query.weight", 1, 0, 2, 5}, "0"),
              "layer.1.attention.query.weight.column:5@2 off");
    EXPECT_EQ(chosen({"layer.attention.query.weight", 1, 0, 2, 5}, "2"), "layer.1.attention.query.weight.column:5 off");
    EXPECT_EQ(chosen({"layer.attention.query.weight", 1, 0, 2, 5}, "3"), "layer.1.attention.query.weight off");
    EXPECT_EQ(chosen({"embedding.weight", 0, 0, 7, 5}, "1"), "embedding.weight@7 off");
}

TEST_F(RunDiagram, WhatAChangeMovesIsAStripOnTheModel) {
    EXPECT_FALSE(bench.has("run.moved_strip.0"));
    set_run(bench.session, [](RunPlace& place) {
        place.experiments.changes = {{*parse_change(Change::Kind::off, "layer.1.attention")}};
    });
    finish_run(bench.session);
    bench.frames(3);
    for (const char* name : {"run.moved_strip.0", "run.moved_strip.3"}) ASSERT_TRUE(bench.has(name)) << name;
    EXPECT_FALSE(bench.has("canvas.strip")) << "in its place";
    EXPECT_TRUE(bench.has("run.moved_strip.name.3.Layer 2")) << "below what has moved behind it";
    EXPECT_FALSE(bench.session.running.ranked) << "that is another question";
    bench.press("run.moved_strip.3");
    EXPECT_EQ(bench.session.view.run.layer, 2) << "the last layer, behind the embedding";
    EXPECT_EQ(bench.session.view.run.position, std::optional<std::int64_t>(1)) << "the middle one of three tokens";
    set_run(bench.session, [](RunPlace& place) { place.experiments.changes[0].on = false; });
    finish_run(bench.session);
    bench.frames(3);
    EXPECT_FALSE(bench.has("run.moved_strip.0"));
}

TEST_F(RunDiagram, EscUnpinsBeforeItGoesUp) {
    look_at({"layer.attention.queries", 1, 0, 2, 5});
    EXPECT_TRUE(bench.has("run.card.close"));
    const Place here = model_in_view(bench.session).look.here;
    ASSERT_FALSE(here.id.empty());
    const auto press_esc = [&] {
        bench.screen.hands.key(ImGuiKey_Escape, true);
        bench.frame();
        bench.screen.hands.key(ImGuiKey_Escape, false);
        bench.frames(60);
    };
    press_esc();
    EXPECT_TRUE(trail().empty());
    EXPECT_EQ(model_in_view(bench.session).look.here, here);
    press_esc();
    EXPECT_NE(model_in_view(bench.session).look.here, here);
}

TEST_F(RunDiagram, APressBesideLetsGo) {
    look_at({"layer.attention.queries", 1, 0, 2, 5});
    const NamedRect& weight = rect("canvas.layer.attention.query.weight");
    bench.screen.hands.point({(weight.min.x + weight.max.x) / 2, weight.max.y + 60});
    bench.frames(2);
    for (const bool down : {true, false}) {
        bench.screen.hands.button(down);
        bench.frames(2);
    }
    EXPECT_TRUE(trail().empty());
}

TEST_F(RunDiagram, ACellElsewhereBringsItsLayerAndItsPage) {
    look_at({"layer.feed_forward.hidden", 2, 0, 1, 7});
    EXPECT_TRUE(bench.has("canvas.lit.layer.feed_forward.hidden"));
    EXPECT_EQ(bench.session.view.run.layer, 2);
    look_at({"layer.attention.head.scores", 1, 3, 2, 1});
    EXPECT_TRUE(bench.has("canvas.lit.layer.attention.head.scores"));
    EXPECT_EQ(model_in_view(bench.session).look.here.copy, 3) << "on its own head's page";
}

TEST_F(RunDiagram, TheHeadThatIsLookedAtIsWhereOneIsLed) {
    test::set_run(bench.session, [](RunPlace& place) {
        place.head = 2;
        place.goes = true;
    });
    bench.frames(60);
    const Place& here = model_in_view(bench.session).look.here;
    EXPECT_EQ(here.id, "layer.attention.head");
    EXPECT_EQ(here.copy, 2);
    test::set_run(bench.session, [](RunPlace& place) { place.head = 1; });
    bench.frames(60);
    EXPECT_EQ(model_in_view(bench.session).look.here.copy, 1);
    EXPECT_FALSE(bench.session.view.run.goes) << "one is led there once";
}

TEST_F(RunDiagram, TheComputationIsWatchedCellByCellAndThePictureGoesAlong) {
    test::set_run(bench.session, [](RunPlace& place) { place.layer = 1; });
    bench.frames(3);
    bench.press("run.watch");
    ASSERT_TRUE(bench.session.running.watch);
    const auto step = [&] { return bench.session.running.watch->step; };
    const std::size_t first = step();
    const auto lit = [&] {
        std::set<std::string> all;
        for (const NamedRect& each : bench.screen.recorder.all())
            if (each.name.starts_with("canvas.lit.")) all.insert(std::string(each.name.substr(11)));
        return all;
    };
    std::set<std::string> seen;
    for (int frame = 0; frame < 900 && step() < first + 4; ++frame) {
        bench.frame();
        EXPECT_FALSE(bench.has("run.card")) << "it says nothing while it moves";
        for (const std::string& id : lit()) seen.insert(id);
    }
    EXPECT_EQ(step(), first + 4);
    EXPECT_EQ(bench.session.view.run.layer, 1);
    for (const char* id : {"layer.attention.norm", "layer.attention.queries", "layer.attention.query.weight",
                           "layer.attention.key.weight"})
        EXPECT_TRUE(seen.contains(id)) << id;
    headcount::apply(bench.session, Intents{AtRun{play_intent(bench.session.running)}});
    bench.frames(60);
    EXPECT_TRUE(bench.has("run.card")) << "what is made when it rests";
    const RunWatch rests = *bench.session.running.watch;
    bench.frames(30);
    EXPECT_EQ(*bench.session.running.watch, rests);
    bench.press("run.watch");
    EXPECT_FALSE(bench.session.running.watch);
}

TEST_F(RunDiagram, WhoWatchesFromFurtherAwayStaysThere) {
    bench.ask(AtRun{WatchRun{RunWatch{.step = 4}}});
    bench.frames(60);
    const auto zoom = [&] { return canvas_of(bench.screen.ui(), *diagram_in_view(bench.session)).camera.zoom; };
    const double followed = zoom();
    bench.ask(GoTo{{}});
    bench.frames(60);
    const double whole = zoom();
    ASSERT_LT(whole, followed / 2);
    bench.ask(AtRun{step_intent(bench.session.running, 1)});
    bench.frames(300);
    bench.ask(AtRun{step_intent(bench.session.running, 1)});
    bench.frames(300);
    EXPECT_GT(bench.session.running.watch->step, 4U);
    EXPECT_EQ(zoom(), whole);
}

TEST_F(RunDiagram, TheAnswerIsNotThereBeforeTheLastOperationIsDone) {
    bench.frames(60);
    ASSERT_TRUE(bench.has("canvas.next_words"));
    const std::size_t last = watch_steps(*bench.session.running.shown->values).size() - 1;
    bench.ask(AtRun{WatchRun{RunWatch{.step = 2}}});
    EXPECT_FALSE(has_answered(bench.session.running));
    bench.ask(GoTo{{}});
    bench.frames(60);
    EXPECT_FALSE(bench.has("canvas.next_words"));
    bench.ask(AtRun{WatchRun{RunWatch{.step = last, .done = 1}}});
    EXPECT_TRUE(has_answered(bench.session.running));
}

TEST_F(RunDiagram, ACellThatIsNotThereIsNoHarm) {
    look_at({"no.such.tensor", 9, 9, 9, 9});
    look_at({"layer.attention.queries", 99, 0, 2, 5});
    look_at({"layer.attention.queries", 1, 0, 2000, -5});
    EXPECT_TRUE(bench.has("canvas.layer.attention.queries"));
    bench.session.running = {};
    bench.frames(2);
    EXPECT_FALSE(bench.has("canvas.layer.attention.queries"));
}

TEST(RunPointer, SaysWhichTokenAndWhichMatrix) {
    static RunPointed said;
    const auto draw_both = [](const Ui& ui, const Session& session) {
        Intents intents = draw_shown(ui, session);
        said = pointed_in_run(ui);
        return intents;
    };
    Workbench bench(draw_both, "llama-2-7b", middle);
    test::show_small_run(bench.session);
    finish_run(bench.session);
    bench.ask(GoTo{{"layer.attention.queries", 0, {}}});
    bench.screen.hands.point({2, 2});
    bench.frames(60);
    EXPECT_FALSE(said.token);
    EXPECT_FALSE(said.limit) << "each matrix has its own scale";
    bench.point_at("canvas.layer.attention.queries");
    bench.frames(3);
    EXPECT_EQ(said.token, 1) << "the middle of three rows";
    EXPECT_EQ(said.symbol, "Q");
    ASSERT_TRUE(said.limit);
    EXPECT_GT(*said.limit, 0);
    const float own = *said.limit;
    test::set_run(bench.session, [](RunPlace& place) { place.shared_scale = true; });
    bench.frames(3);
    ASSERT_TRUE(said.limit);
    EXPECT_GT(*said.limit, own) << "the greatest of all";
    bench.ask(GoTo{{"layer.attention.query.weight", 0, {}}});
    bench.screen.hands.point({2, 2});
    bench.frames(60);
    bench.point_at("canvas.layer.attention.query.weight");
    bench.frames(3);
    EXPECT_EQ(said.symbol, "W_q");
    EXPECT_FALSE(said.token) << "a weight is no token's";
}

}  // namespace
}  // namespace headcount
