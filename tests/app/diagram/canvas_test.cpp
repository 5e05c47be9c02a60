// What the wheel, drags and clicks do to the canvas, without a window.
#include "app/state/window_options.hpp"
#include "tests/app/diagram/bench.hpp"

namespace headcount {
namespace {

using test::attention;
using test::CanvasBench;
using test::head;
using test::query;

// What is drawn is composed anew only where something else is seen.
TEST(Canvas, StaysAsItIsUntilSomethingElseIsSeen) {
    CanvasBench bench;
    bench.point(ImVec2(-100, -100));
    bench.frames(3);
    const auto composed_in = [&](auto what) {
        bench.canvas().drawing.values.assign(1, 0.5F);  // which composing clears
        what();
        return bench.canvas().drawing.values.empty();
    };
    EXPECT_FALSE(composed_in([&] { bench.frames(2); }));
    EXPECT_TRUE(composed_in([&] {
        bench.point(bench.middle_of("canvas.layer.attention.query.weight"));
        bench.frames(2);
    }));
    EXPECT_FALSE(composed_in([&] { bench.frames(2); }));
    EXPECT_TRUE(composed_in([&] { bench.wheel(2); }));
    EXPECT_TRUE(composed_in([&] { bench.ask(Select{TensorSubject{std::string(query)}}); }));
    EXPECT_TRUE(composed_in([&] { bench.ask(DrawLogSides{true}); }));
    EXPECT_TRUE(composed_in([&] { bench.resize(ImVec2(900, 640)); }));
    EXPECT_FALSE(composed_in([&] { bench.frames(2); }));
}

// Where there is room for its number alone, a kind of layers is named beside the pointer.
TEST(Canvas, AKindOfLayersIsNamedWhereItIsPointedAt) {
    CanvasBench bench("gemma-3n-e4b");
    bench.point(ImVec2(-100, -100));
    bench.frames(3);
    int kinds = 0;
    for (const Frame& frame : bench.canvas().atlas.pages.front().scene.frames) {
        if (frame.kind != FrameKind::choice) continue;
        const WorldRect rect = placement_of(bench.canvas().atlas, Leaf{}).world(frame.rect);
        const Point at = bench.canvas().lens().project({(rect.min.x + rect.max.x) / 2, (rect.min.y + rect.max.y) / 2});
        bench.point(ImVec2(at.x, at.y));
        bench.frames(40);
        ASSERT_TRUE(bench.canvas().explained) << frame.id;
        EXPECT_EQ(bench.canvas().explained->id, frame.id);
        EXPECT_TRUE(bench.rect_of("tooltip")) << frame.id;
        ++kinds;
    }
    EXPECT_EQ(kinds, 6);
}

TEST(Canvas, ABarThatIsLongerThanAnyMatrixIsNoScale) {
    int none = 0;
    for (const auto& [model, place] : {std::pair{"mamba2-130m", "layer.state_space"},
                                       {"qwen3-next-80b-a3b", "layer.linear_attention"},
                                       {"deepseek-v3.2", "layer.attention"}}) {
        CanvasBench bench(model);
        EXPECT_GT(bench.rect_of("canvas.scale_bar")->max.x - bench.rect_of("canvas.scale_bar")->min.x, 40) << model;
        Input step = bench.input();
        step.tokens = 1;
        step.cached = 8192;
        bench.ask(SetInput{step});
        for (float width = 200; width < 460; width += 20) {
            bench.resize(ImVec2(width, 420));
            bench.go_to(place);
            const NamedRect* const bar = bench.rect_of("canvas.scale_bar");
            if (bar && bar->max.x - bar->min.x < 1) ++none;
        }
    }
    EXPECT_GT(none, 0) << "it said 50,000,000,000,000";
}

TEST(Canvas, TheWheelZoomsAtThePointer) {
    CanvasBench bench;
    const ImVec2 at = bench.corner_of("canvas.embedding.weight");
    bench.point(at);
    const auto before = bench.canvas().lens().unproject({at.x, at.y});
    bench.wheel(3);
    const auto after = bench.canvas().lens().unproject({at.x, at.y});
    EXPECT_NEAR(bench.camera().zoom, 1.2 * 1.2 * 1.2, 1e-5);
    EXPECT_NEAR(before->x, after->x, 1e-3);
    EXPECT_NEAR(before->y, after->y, 1e-3);
}

TEST(Canvas, AMatrixStaysUnderThePointerFromThePictureToItsPage) {
    CanvasBench bench;
    for (const char* name : {"canvas.layer.attention.key.weight", "canvas.layer.attention.output.weight",
                             "canvas.layer.feed_forward.down.weight"}) {
        bench.go_to("");
        const ImVec2 at = bench.middle_of(name);
        bench.point(at);
        for (int notch = 0; notch < 12; ++notch) {
            bench.wheel(1);
            const NamedRect& rect = *bench.rect_of(name);
            EXPECT_NEAR((at.x - rect.min.x) / (rect.max.x - rect.min.x), 0.5, 0.04) << name << " after " << notch;
            EXPECT_NEAR((at.y - rect.min.y) / (rect.max.y - rect.min.y), 0.5, 0.04) << name << " after " << notch;
        }
    }
}

TEST(Canvas, TheWheelLeadsFromAnyPlaceAmongTheHeadsIntoOne) {
    CanvasBench bench;
    const NamedRect heads = *bench.rect_of("canvas.layer.attention.head.scores");
    for (const float across : {0.1F, 0.37F, 0.6F, 0.83F})
        for (const float down : {0.2F, 0.55F, 0.9F}) {
            bench.go_to("");
            bench.point({std::lerp(heads.min.x, heads.max.x, across), std::lerp(heads.min.y, heads.max.y, down)});
            for (int notch = 0; notch < 60; ++notch) bench.wheel(1);
            EXPECT_GT(bench.camera().zoom, 100) << across << ", " << down;
        }
}

TEST(Canvas, ThePictureNeverBecomesADotAndIsNeverLost) {
    CanvasBench bench;
    const ImVec2 at = bench.corner_of("canvas.embedding.weight");
    bench.point(at);
    bench.wheel(-60);
    EXPECT_NEAR(bench.camera().zoom, 0.4, 1e-9);
    for (int i = 0; i < 5; ++i) bench.drag(at, ImVec2(600, 500));
    const Rect& model = bench.canvas().atlas.pages.front().bounds;
    EXPECT_EQ(bench.camera().x, static_cast<double>(model.min.x));
    EXPECT_EQ(bench.camera().y, static_cast<double>(model.min.y));
}

TEST(Canvas, EscapeOverTheWholeModelBringsAllOfItBack) {
    CanvasBench bench;
    bench.point(bench.corner_of("canvas.embedding.weight"));
    bench.wheel(-2);
    bench.key(ImGuiKey_Escape);
    EXPECT_EQ(bench.camera(), home(bench.canvas().atlas));
}

TEST(Canvas, ADragPansAndSelectsNothing) {
    CanvasBench bench;
    bench.go_to(attention);
    const Camera before = bench.camera();
    bench.drag(bench.middle_of("canvas.layer.attention.query.weight"), ImVec2(60, -40));
    EXPECT_NEAR((before.x - bench.camera().x) * before.zoom, 60, 0.1);
    EXPECT_NEAR((before.y - bench.camera().y) * before.zoom, -40, 0.1);
    EXPECT_EQ(bench.camera().zoom, before.zoom);
    EXPECT_EQ(bench.selection(), "");
}

TEST(Canvas, AfterADragThingsArePointedAtAgain) {
    CanvasBench bench;
    bench.go_to(attention);
    bench.drag(bench.middle_of("canvas.layer.attention.query.weight"), ImVec2(40, 0));
    bench.point(bench.middle_of("canvas.layer.attention.query.weight"));
    bench.frames(2);
    EXPECT_EQ(subject_key(bench.look().hover), query);
}

TEST(Canvas, AMovementOfTwoPixelsIsAClick) {
    CanvasBench bench;
    const Camera before = bench.camera();
    bench.drag(bench.middle_of("canvas.layer.attention.query.weight"), ImVec2(2, 0));
    EXPECT_EQ(bench.camera(), before);
    EXPECT_EQ(bench.selection(), query);
}

TEST(Canvas, AClickOnTheGroundLetsGoOfTheSelection) {
    CanvasBench bench;
    bench.click(bench.middle_of("canvas.layer.attention.query.weight"));
    ASSERT_EQ(bench.selection(), query);
    bench.click(ImVec2(bench.canvas().area.min.x + 2, bench.canvas().area.max.y - 2));
    EXPECT_EQ(bench.selection(), "");
}

TEST(Canvas, TheWheelTurnsAfterAKeyThoughThePointerHasNotMoved) {
    CanvasBench bench;
    bench.go_to(head, 5);
    bench.point({bench.canvas().area.centre().x, bench.canvas().area.centre().y});
    bench.key(ImGuiKey_RightArrow);
    const double zoom = bench.camera().zoom;
    bench.wheel(1);
    EXPECT_GT(bench.camera().zoom, zoom);
}

TEST(Canvas, ZoomButtonsArePressedAndNotThePictureBelow) {
    CanvasBench bench;
    const Camera whole = bench.camera();
    bench.click(bench.middle_of("canvas.zoom.in"));
    EXPECT_NEAR(bench.camera().zoom, 1.5, 1e-9);
    bench.click(bench.middle_of("canvas.zoom.out"));
    EXPECT_NEAR(bench.camera().zoom, 1, 1e-9);
    bench.go_to(attention);
    bench.click(bench.middle_of("canvas.zoom.fit"));
    EXPECT_EQ(bench.camera(), whole);
}

TEST(Canvas, TheWordsBesideTheZoomChangeHowTheModelIsDrawn) {
    CanvasBench bench;
    bench.click(bench.middle_of("canvas.zoom.tilt"));
    EXPECT_TRUE(bench.look().tilted);
    bench.click(bench.middle_of("canvas.zoom.tilt"));
    EXPECT_FALSE(bench.look().tilted);
    bench.click(bench.middle_of("canvas.zoom.log"));
    EXPECT_TRUE(bench.look().log_sides);
    bench.click(bench.middle_of("canvas.zoom.decode"));
    EXPECT_EQ(bench.input().tokens, 1);
    EXPECT_EQ(bench.input().cached, 100);
    bench.click(bench.middle_of("canvas.zoom.decode"));
    EXPECT_EQ(bench.input().tokens, 100);
}

TEST(Canvas, TheZoomBarStaysInsideANarrowCanvas) {
    CanvasBench bench;
    for (const float width : {620.0F, 400.0F}) {
        bench.resize({width, 440});
        const NamedRect* const bar = bench.rect_of("canvas.zoom");
        ASSERT_TRUE(bar);
        EXPECT_GE(bar->min.x, 16) << width;
        EXPECT_LE(bar->max.x, width - 16) << width;
    }
}

TEST(Canvas, TheOtherButtonOffersWhatCanBeDoneWithAMatrix) {
    CanvasBench bench;
    bench.click(bench.middle_of("canvas.layer.attention.query.weight"), 1);
    ASSERT_TRUE(bench.has("canvas.menu.0"));
    EXPECT_EQ(bench.selection(), query);
    bench.click(bench.middle_of("canvas.menu.0"));
    EXPECT_FALSE(bench.has("canvas.menu.0"));
    EXPECT_EQ(bench.view().notice.text, "Copied 16,777,216");
    bench.click(bench.middle_of("canvas.layer.attention.query.weight"), 1);
    bench.click(bench.middle_of("canvas.menu.9"));
    EXPECT_EQ(bench.view().task, FileTask::svg) << "the picture as a file";
    EXPECT_FALSE(bench.view().chart.slide.crop);
}

TEST(Canvas, TheOtherButtonSavesItsPictureForSlides) {
    CanvasBench bench;
    const auto choose = [&](int entry) {
        bench.ask(AskForFile{});
        bench.click(bench.middle_of("canvas.layer.attention.query.weight"), 1);
        bench.click(bench.middle_of("canvas.menu." + std::to_string(entry)));
    };
    choose(10);
    EXPECT_EQ(bench.view().task, FileTask::svg);
    EXPECT_TRUE(bench.view().chart.slide.crop);
    choose(11);
    EXPECT_EQ(bench.view().task, FileTask::diagram_png);
    EXPECT_EQ(bench.view().chart.slide, (Slide{.of = Slide::Of::diagram}));
    choose(13);
    EXPECT_EQ(bench.view().chart.slide, (Slide{.of = Slide::Of::diagram, .pixels = 4}));
}

TEST(Canvas, TheOtherButtonOffersAGifWhereThisBuildWritesOne) {
    CanvasBench bench;
    bench.go_to(attention);
    const auto chosen = [&](int from_last) {
        bench.ask(AskForFile{});
        bench.click(bench.middle_of("canvas.block.layer.attention"), 1);
        int last = 0;
        while (bench.has("canvas.menu." + std::to_string(last + 1))) ++last;
        bench.click(bench.middle_of("canvas.menu." + std::to_string(last - from_last)));
        return bench.view().task;
    };
    EXPECT_EQ(chosen(0), FileTask::frames);
    EXPECT_EQ(chosen(1), writes_gif() ? FileTask::gif : FileTask::diagram_png);
}

TEST(Canvas, TheMenuOfAMatrixIsSeenToItsEnd) {
    CanvasBench bench;
    bench.go_to(attention);
    bench.click(bench.middle_of("canvas." + std::string(query)), 1);
    int last = 0;
    while (bench.has("canvas.menu." + std::to_string(last + 1))) ++last;
    const NamedRect *const first = bench.rect_of("canvas.menu.0"), *const end = bench.rect_of("canvas.menu." +
                                                                                              std::to_string(last));
    ASSERT_TRUE(first && end);
    EXPECT_LE(end->max.y - first->min.y, 560 - 26) << "with its heading";
    bench.click(bench.middle_of("canvas.menu." + std::to_string(last)));
    EXPECT_EQ(bench.view().task, FileTask::frames) << "nothing is to be scrolled to";
}

TEST(Canvas, TheOtherButtonTurnsATiltedPictureAndOpensNoMenu) {
    CanvasBench bench;
    bench.ask(Tilt{true});
    const Camera before = bench.camera();
    EXPECT_GT(before.tilt, 0);
    bench.drag(bench.middle_of("canvas.embedding.weight"), ImVec2(50, 20), 1);
    EXPECT_NE(bench.camera().turn, before.turn);
    EXPECT_NE(bench.camera().tilt, before.tilt);
    EXPECT_FALSE(bench.has("canvas.menu.0"));
    bench.ask(Tilt{false});
    EXPECT_EQ(bench.camera(), home(bench.canvas().atlas));
}

}  // namespace
}  // namespace headcount
