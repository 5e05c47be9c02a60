// Claims about the matrices of a run: all are there, to scale, and each number says where it comes from.
#include "app/panels/run_matrices.hpp"

#include <cmath>
#include <set>

#include "app/panels/run_figures.hpp"
#include "tests/app/panels/workbench.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

using test::Workbench;

Intents draw(const Ui& ui, const Session& session) {
    return draw_run_matrices(ui, session);
}

const ImVec2 middle(940, 730);

class RunMatrices : public testing::Test {
  protected:
    RunMatrices() : bench(draw, "llama-2-7b", middle) {
        test::show_small_run(bench.session);
        finish_run(bench.session);
        bench.frames(3);
    }

    const std::vector<RunCell>& trail() const { return bench.session.view.run.trail; }
    void look_at(const RunCell& cell) {
        RunPlace place = bench.session.view.run;
        place.trail = {cell};
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

TEST_F(RunMatrices, ACellThatIsNotThereIsNoHarm) {
    look_at({"no.such.tensor", 9, 9, 9, 9});
    look_at({"layer.attention.queries", 99, 0, 2, 5});
    look_at({"layer.attention.queries", 1, 0, 2000, -5});
    EXPECT_TRUE(bench.has("run.matrix.layer.attention.queries"));
    bench.session.running = {};
    bench.frames(2);
    EXPECT_FALSE(bench.has("run.matrix.layer.attention.queries"));
}

TEST(RunFigures, EveryTensorWithNumbersIsOnAPageAndNoneOverlap) {
    for (const char* id : {"llama-2-7b"}) {
        SCOPED_TRACE(id);
        const Result<std::shared_ptr<const Model>> model =
            random_model(test::small_architecture(find_preset(test::all_presets(), id)->architecture), 1);
        ASSERT_TRUE(model) << sentence(model.error());
        Result<headcount::Run> run = headcount::Run::start(*model, {.capacity = 8, .keep = Keep::all});
        ASSERT_TRUE(run) << sentence(run.error());
        ASSERT_FALSE(run->append(std::vector<std::int32_t>{1, 2, 3, 4}));
        const RunValues values(*model, std::make_shared<const headcount::Run>(std::move(*run)));
        std::set<TensorIndex> shown;
        for (std::int64_t layer = 0; layer < values.layers(); ++layer)
            for (const RunPart part : {RunPart::ends, RunPart::attention, RunPart::feed_forward}) {
                const RunPages pages =
                    place_lines(run_lines(values, {.part = part, .layer = layer}, {}),
                                {.width = 900, .scale = 1, .card = {300, 250}, .text = [](const std::string& text) {
                                     return 7 * static_cast<float>(text.size());
                                 }});
                std::vector<const RunFigure*> all;
                for (const RunLine& line : pages.lines)
                    for (const RunFigure& figure : line.figures) all.push_back(&figure);
                for (const RunFigure* figure : all) {
                    shown.insert(figure->tensor);
                    EXPECT_GE(figure->min.x, 0);
                    EXPECT_LE(figure->max.x, 901);
                    EXPECT_LE(figure->max.y, pages.height);
                    for (const RunFigure* other : all) {
                        const bool apart = figure->max.x <= other->min.x || other->max.x <= figure->min.x ||
                                           figure->max.y <= other->min.y || other->max.y <= figure->min.y;
                        EXPECT_TRUE(figure == other || apart) << (*model)->graph.tensors[figure->tensor].id << " and "
                                                              << (*model)->graph.tensors[other->tensor].id;
                    }
                }
            }
        const ModelGraph& graph = (*model)->graph;
        for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
            if (graph.tensors[i].role == Role::input) continue;
            EXPECT_TRUE(shown.count(static_cast<TensorIndex>(i))) << graph.tensors[i].id;
        }
    }
}

}  // namespace
}  // namespace headcount
