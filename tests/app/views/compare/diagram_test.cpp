// Two models beside each other: one scale, one place, one light.
#include "app/diagram/view.hpp"
#include "app/state/compare/numbers.hpp"
#include "app/state/in_view.hpp"
#include "app/state/run/runner.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/views/compare/panels.hpp"
#include "tests/support/small_model.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::Workbench;

Intents draw_both(const Ui& ui, const Session& session) {
    Intents intents;
    const std::optional<BothSides> both = both_sides(session);
    if (!both) return intents;
    const std::array<DiagramOf, 2> models = compared_diagrams(session, *both);
    const ImVec2 corner = ImGui::GetWindowPos();
    const auto draw = [&](const char* name, float left, CompareSide side) {
        ImGui::SetCursorScreenPos(ImVec2(corner.x + left, corner.y));
        compat::begin_child(name, ImVec2(500, 560), false, false, 0);
        for (Intent& intent : draw_compare_diagram(ui, models, side)) intents.push_back(std::move(intent));
        ImGui::EndChild();
    };
    draw("a", 0, CompareSide::a);
    draw("b", 501, CompareSide::b);
    return intents;
}

struct PairBench : Workbench {
    explicit PairBench(std::string_view a = "llama-2-7b", std::string_view b = "llama-3-8b")
        : Workbench(draw_both, a, ImVec2(1001, 560)) {
        ask(ShowWorkspace{compare_view});
        ask(AtCompare{CompareWithPreset{std::string(b)}});
    }
    void go_to(std::string_view id, std::int64_t copy = 0) { ask(GoTo{{std::string(id), copy, {}}}); }
    CanvasView& canvas(CompareSide side) {
        return *std::any_cast<CanvasView>(
            &screen.memory.kept[side == CompareSide::a ? "canvas.compare" : "canvas.compare.b"]);
    }
    void wheel(std::string_view over, float notches) {
        screen.hands.point(screen.middle_of(over));
        frame();
        screen.hands.wheel(notches);
        frame();
        screen.hands.wheel(0);
        frames(4);
    }
    std::string place(CompareSide side) { return canvas(side).way.back().id; }
    // Pixels of the screen a row of this matrix.
    double row_of(CompareSide side, std::string_view id) {
        const CanvasView& view = canvas(side);
        const Stop stop = *find_place(view.atlas, id);
        for (const Slab& slab : view.atlas.pages[stop.leaf.page].scene.slabs)
            if (slab.id == id)
                return placement_of(view.atlas, stop.leaf).world(slab.rect).height() / static_cast<double>(slab.rows) *
                       view.camera.zoom;
        return 0;
    }
};

constexpr CompareSide a = CompareSide::a, b = CompareSide::b;

TEST(CompareDiagram, ShowsNothingBeforeThereAreTwoModels) {
    Workbench bench(draw_both, "llama-2-7b", ImVec2(1001, 560));
    EXPECT_FALSE(bench.has("canvas.embedding.weight"));
}

TEST(CompareDiagram, DrawsBothAtOneScale) {
    for (const std::string_view other : {"llama-3-8b", "deepseek-v3", "mixtral-8x7b", "gpt2"}) {
        PairBench bench("llama-2-7b", other);
        const Scene &left = bench.canvas(a).atlas.pages.front().scene,
                    &right = bench.canvas(b).atlas.pages.front().scene;
        EXPECT_EQ(left.model_scale, right.model_scale) << other;
        EXPECT_EQ(left.layer_scale, right.layer_scale) << other;
        EXPECT_EQ(bench.canvas(a).camera, bench.canvas(b).camera) << other;
        EXPECT_EQ(bench.canvas(a).area.width(), bench.canvas(b).area.width());
    }
}

TEST(CompareDiagram, MovesTheOtherSideWithEither) {
    PairBench bench;
    bench.wheel("canvas.layer.feed_forward.up.weight", 2);
    EXPECT_GT(bench.canvas(a).camera.zoom, 1.3);
    EXPECT_EQ(bench.canvas(a).camera, bench.canvas(b).camera);
    bench.wheel("canvas.b.layer.attention.query.weight", 1);
    EXPECT_EQ(bench.canvas(a).camera, bench.canvas(b).camera);
}

TEST(CompareDiagram, GoesToTheSamePlaceAtOneScaleOnBothSides) {
    PairBench bench;
    for (const std::string_view id : {"layer.attention", "layer.feed_forward", "layer.attention.key.weight"}) {
        bench.go_to(id);
        EXPECT_EQ(bench.place(a), id);
        EXPECT_EQ(bench.place(b), id);
        const std::string_view matrix = id.ends_with(".weight")   ? id
                                        : id == "layer.attention" ? "layer.attention.query.weight"
                                                                  : "layer.feed_forward.up.weight";
        EXPECT_NEAR(bench.row_of(a, matrix) / bench.row_of(b, matrix), 1, 3e-3) << id;
    }
    bench.go_to("layer.attention.head", 5);
    EXPECT_EQ(bench.place(b), "layer.attention.head");
}

TEST(CompareDiagram, StaysAtTheNearestPlaceWhereTheOtherSideHasNone) {
    PairBench bench("mixtral-8x7b", "llama-3-8b");
    bench.go_to("layer.feed_forward.expert", 2);
    EXPECT_EQ(bench.place(a), "layer.feed_forward.expert");
    EXPECT_EQ(bench.place(b), "layer.feed_forward");
}

TEST(CompareDiagram, LightsOnBothSidesWhatIsPointedAtOnOne) {
    PairBench bench;
    bench.point_at("canvas.b.layer.feed_forward.up.weight");
    bench.frames(2);
    EXPECT_EQ(subject_key(bench.session.look.hover), "layer.feed_forward.up.weight");
    for (const CompareSide side : {a, b}) {
        const std::vector<Box>& boxes = bench.canvas(side).drawing.boxes;
        const Rgba lit = dark_theme().selection;
        EXPECT_TRUE(std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) { return box.edge == lit; }));
    }
}

TEST(CompareDiagram, SelectsOnBothSidesAndWhatOnlyOneSideHas) {
    PairBench bench("llama-2-7b", "mixtral-8x7b");
    bench.press("canvas.b.layer.feed_forward.expert.up.weight");
    EXPECT_EQ(subject_key(bench.session.look.selection), "layer.feed_forward.expert.up.weight");
    bench.press("canvas.layer.attention.query.weight");
    EXPECT_EQ(subject_key(bench.session.look.selection), "layer.attention.query.weight");
}

TEST(CompareDiagram, FadesWhatIsTheSame) {
    PairBench bench;
    const CanvasView& view = bench.canvas(b);
    const auto same = [&](std::string_view id) {
        return view.fades && std::binary_search(view.alike.begin(), view.alike.end(), id);
    };
    EXPECT_TRUE(same("layer.attention.query.weight"));
    EXPECT_FALSE(same("layer.attention.key.weight"));
    EXPECT_FALSE(same("embedding.weight"));
    PairBench equal("llama-2-7b", "llama-2-7b");
    EXPECT_FALSE(equal.canvas(a).fades) << "nothing stands out where nothing differs";
}

TEST(CompareDiagram, NumbersStandInBothPicturesOrInNeither) {
    const testing_data::Scratch scratch;
    PairBench bench("gpt2");
    bench.ask(OpenFile{write_filled_model(scratch, "a")});
    bench.ask(AtCompare{CompareWithFile{write_filled_model(scratch, "b", "model.norm.weight")}});
    const auto valued = [&](CompareSide side) { return bench.canvas(side).laid.values.has_value(); };
    finish_run(bench.session);
    bench.frames(2);
    EXPECT_FALSE(valued(a)) << "B has not read yet";
    bench.session.comparison.run.runner->wait_until_calm();
    bench.ask(AtCompare{TakeNumbers{}});
    for (const CompareSide side : {a, b}) {
        EXPECT_TRUE(valued(side));
        EXPECT_FALSE(bench.canvas(side).fades) << "their shapes are the same";
    }
    EXPECT_TRUE(bench.has("canvas.next_words"));
    EXPECT_TRUE(bench.has("canvas.b.next_words"));
    bench.ask(AtCompare{ShowCompareTab{CompareTab::numbers}});
    bench.session.comparison.finder->wait_until_calm();
    bench.ask(AtCompare{TakeNumbers{}});
    EXPECT_FALSE(valued(a) || valued(b)) << "colours say how far the weights are apart";
    bench.ask(AtCompare{ShowCompareTab{CompareTab::changed}});
    EXPECT_TRUE(valued(a) && valued(b));
    bench.ask(AtCompare{CompareWithPreset{"llama-2-7b"}});
    EXPECT_FALSE(valued(a) || valued(b));
    EXPECT_FALSE(bench.has("canvas.next_words"));
}

TEST(CompareDiagram, TiltsAndDrawsLogarithmsOnBothSides) {
    PairBench bench;
    bench.ask(Tilt{true});
    EXPECT_FALSE(bench.canvas(a).camera.flat());
    EXPECT_EQ(bench.canvas(a).camera, bench.canvas(b).camera);
    bench.ask(Tilt{false});
    bench.ask(DrawLogSides{true});
    EXPECT_TRUE(bench.canvas(a).laid.log_sides && bench.canvas(b).laid.log_sides);
    EXPECT_EQ(bench.canvas(a).atlas.pages.front().scene.layer_scale,
              bench.canvas(b).atlas.pages.front().scene.layer_scale);
}

TEST(CompareDiagram, FollowsEditsOfEitherSide) {
    PairBench bench;
    Document document = bench.session.document;
    document.architecture.layer.feed_forward.width = 22016;
    bench.ask(Replace{.document = document});
    EXPECT_EQ(bench.canvas(a).laid.architecture, document.architecture);
    EXPECT_EQ(bench.canvas(b).laid.base, document.architecture) << "its outline is that of the edited one";
    EXPECT_EQ(bench.canvas(a).atlas.pages.front().scene.layer_scale,
              bench.canvas(b).atlas.pages.front().scene.layer_scale);
}

// Most layers of Gemma 3n borrow keys and values and have a window; of Gemma 4 most have their own.
TEST(CompareDiagram, ShowsBesideAKindOfLayersTheOneThatIsMostLikeIt) {
    PairBench bench("gemma-3n-e4b", "gemma-4-e4b");
    const auto kind = [&](CompareSide side) {
        const ModelGraph& graph =
            (side == a ? bench.session.derived : bench.session.comparison.other->derived).shown.graph;
        return layer_shown(graph, bench.canvas(side).atlas.layer).group.kind;
    };
    const auto alike = [&] { return kind(a).windowed == kind(b).windowed && kind(a).borrows == kind(b).borrows; };
    EXPECT_TRUE(kind(a).borrows);
    EXPECT_TRUE(alike());
    const ModelGraph& graph = bench.session.derived.shown.graph;
    for (const LayerBlock& layer : graph.layers) {
        bench.go_to(graph.blocks[layer.block].id + ".attention");
        EXPECT_EQ(kind(a), layer.group.kind);
        EXPECT_TRUE(alike()) << layer.group.label;
    }
}

TEST(CompareDiagram, ComesToRest) {
    PairBench bench;
    bench.go_to("layer.attention.head", 3);
    bench.frames(60);
    bench.screen.memory.animating = false;
    bench.frame();
    EXPECT_FALSE(bench.screen.memory.animating);
}

TEST(CompareDiagram, DecodesInTheDocumentFromTheButtonsOnTheRight) {
    PairBench bench;
    bench.press("canvas.zoom.decode");
    EXPECT_TRUE(decoding(bench.session.document.input));
    EXPECT_EQ(bench.canvas(b).laid.input, bench.session.document.input);
}

TEST(CompareDiagram, WordsBesideThePointerStayOnTheirSide) {
    PairBench bench;
    for (const char* id : {"canvas.b.layer.feed_forward.down.weight", "canvas.b.layer.attention.value.weight"}) {
        ASSERT_TRUE(bench.has(id));
        bench.point_at(id);
        bench.frames(40);
        const NamedRect* const words = bench.screen.recorder.find("tooltip");
        ASSERT_TRUE(words) << id;
        EXPECT_GE(words->min.x, 501) << id;
        EXPECT_LE(words->max.x, 1001) << id << ": the sums are beside it";
    }
}

}  // namespace
}  // namespace headcount
