// What the wheel, drags, clicks and keys do to the canvas, without a window.
#include "app/panels/canvas_view.hpp"
#include "tests/app/panels/workbench.hpp"

namespace headcount {
namespace {

Intents draw(const Ui& ui, const Session& session) {
    return draw_canvas(ui, session);
}

// The canvas as it is worked with; motion is reduced, so that the camera is where it goes.
class CanvasBench {
  public:
    explicit CanvasBench(std::string_view preset = "llama-2-7b") : bench_(draw, preset, ImVec2(940, 700)) {}

    CanvasView& canvas() { return *std::any_cast<CanvasView>(&bench_.screen.memory.kept["canvas"]); }
    const Camera& camera() { return canvas().camera; }
    const View& view() const { return bench_.session.view; }
    const Input& input() const { return bench_.session.document.input; }
    std::string selection() const { return subject_key(view().selection); }

    bool has(std::string_view name) const { return bench_.has(name); }
    ImVec2 corner_of(std::string_view name) const {
        const NamedRect* const rect = bench_.screen.recorder.find(name);
        return rect ? ImVec2(rect->min.x + 4, rect->min.y + 4) : ImVec2(-1000, -1000);
    }
    const NamedRect* rect_of(std::string_view name) const { return bench_.screen.recorder.find(name); }
    ImVec2 middle_of(std::string_view name) const { return bench_.screen.middle_of(name); }

    void point(ImVec2 at) {
        bench_.screen.hands.point(at);
        bench_.frame();
    }
    void hold(bool down, int button = 0) {
#if IMGUI_VERSION_NUM >= 18700
        ImGui::GetIO().AddMouseButtonEvent(button, down);
#else
        ImGui::GetIO().MouseDown[button] = down;
#endif
        bench_.frame();
    }
    void click(ImVec2 at, int button = 0) {
        point(at);
        hold(true, button);
        hold(false, button);
        bench_.frames(60);  // the next click is no second one
    }
    void double_click(ImVec2 at) {
        point(at);
        for (const bool down : {true, false, true, false}) hold(down);
        bench_.frames(60);
    }
    void drag(ImVec2 from, ImVec2 by, int button = 0) {
        point(from);
        hold(true, button);
        for (int step = 1; step <= 4; ++step) {
            const float share = static_cast<float>(step) / 4;
            point(ImVec2(from.x + by.x * share, from.y + by.y * share));
        }
        hold(false, button);
        bench_.frames(60);
    }
    void wheel(float notches) {
        bench_.screen.hands.wheel(notches);
        bench_.frame();
        bench_.screen.hands.wheel(0);
        bench_.frame();
    }
    void key(ImGuiKey which) {
        bench_.screen.hands.key(which, true);
        bench_.frame();
        bench_.screen.hands.key(which, false);
        bench_.frames(2);
    }
    void ask(const Intent& intent) {
        headcount::apply(bench_.session, std::array{intent});
        bench_.frames(3);
    }
    void go_to(std::string_view id, std::int64_t copy = 0) {
        ask(GoTo{{std::string(id), copy, {}}});
    }
    void resize(ImVec2 window) {
        bench_.screen.window = window;
        bench_.frames(3);
    }
    void frames(int count) {
        bench_.frames(count);
    }

  private:
    test::Workbench bench_;
};

constexpr std::string_view query = "layer.attention.query.weight", attention = "layer.attention",
                           head = "layer.attention.head";

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
    EXPECT_EQ(subject_key(bench.view().hover), query);
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

TEST(Canvas, ADoubleClickGoesInAndSelectsWhatWasClicked) {
    CanvasBench bench;
    bench.double_click(bench.corner_of("canvas.block.layer.attention"));
    EXPECT_EQ(bench.view().here.id, attention);
    EXPECT_EQ(bench.selection(), "component.attention");
    bench.double_click(bench.corner_of("canvas.layer.attention.head.scores"));
    EXPECT_EQ(bench.view().here.id, head);
    EXPECT_EQ(bench.view().here.copy, 0);
    bench.double_click(bench.middle_of("canvas.layer.attention.query.weight"));
    EXPECT_EQ(bench.view().here.id, query);
    EXPECT_EQ(bench.canvas().way.back().kind, Stop::Kind::matrix);
    bench.double_click(bench.middle_of("canvas.layer.attention.query.weight"));
    EXPECT_EQ(bench.canvas().way.back().kind, Stop::Kind::cells);
}

TEST(Canvas, EscapeAndBackspaceGoUpOnePlaceAtATime) {
    CanvasBench bench;
    bench.go_to(head, 5);
    bench.key(ImGuiKey_Escape);
    EXPECT_EQ(bench.view().here.id, attention);
    bench.key(ImGuiKey_Backspace);
    EXPECT_NE(bench.view().here.id, attention);
    bench.key(ImGuiKey_Escape);
    EXPECT_EQ(bench.view().here.id, "");
}

TEST(Canvas, ArrowKeysStepBetweenNeighbours) {
    CanvasBench bench;
    bench.go_to(head, 5);
    bench.point({bench.canvas().area.centre().x, bench.canvas().area.centre().y});
    bench.key(ImGuiKey_RightArrow);
    EXPECT_EQ(bench.view().here.copy, 6);
    bench.key(ImGuiKey_LeftArrow);
    bench.key(ImGuiKey_LeftArrow);
    EXPECT_EQ(bench.view().here.copy, 4);
    bench.go_to(attention);
    bench.key(ImGuiKey_DownArrow);
    EXPECT_EQ(bench.view().here.id, "layer.feed_forward");
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

TEST(Canvas, ArrowKeysStepFromCellToCell) {
    CanvasBench bench;
    bench.ask(GoTo{{std::string(query), 0, std::array<std::int64_t, 2>{100, 200}}});
    bench.point({bench.canvas().area.centre().x, bench.canvas().area.centre().y});
    const Cell before = bench.canvas().way.back().cell;
    bench.key(ImGuiKey_RightArrow);
    bench.key(ImGuiKey_DownArrow);
    bench.key(ImGuiKey_DownArrow);
    EXPECT_EQ(bench.canvas().way.back().cell, (Cell{before.row + 2, before.column + 1}));
}

TEST(Canvas, ArrowKeysElsewhereAreNotItsOwn) {
    CanvasBench bench;
    bench.go_to(head, 5);
    bench.point(ImVec2(-1000, -1000));
    bench.key(ImGuiKey_RightArrow);
    EXPECT_EQ(bench.view().here.copy, 5);
}

TEST(Canvas, EnterGoesToWhatIsSelected) {
    CanvasBench bench;
    bench.click(bench.middle_of("canvas.layer.attention.query.weight"));
    bench.key(ImGuiKey_Enter);
    EXPECT_EQ(bench.view().here.id, query);
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
    EXPECT_TRUE(bench.view().tilted);
    bench.click(bench.middle_of("canvas.zoom.tilt"));
    EXPECT_FALSE(bench.view().tilted);
    bench.click(bench.middle_of("canvas.zoom.log"));
    EXPECT_TRUE(bench.view().log_sides);
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

TEST(Canvas, TheMapMovesTheCameraThere) {
    CanvasBench bench;
    bench.go_to(attention);
    const double zoom = bench.camera().zoom;
    bench.click(bench.middle_of("canvas.map"));
    const Point middle = bench.canvas().atlas.pages.front().bounds.centre();
    EXPECT_NEAR(bench.camera().x, static_cast<double>(middle.x), 8);
    EXPECT_NEAR(bench.camera().y, static_cast<double>(middle.y), 8);
    EXPECT_EQ(bench.camera().zoom, zoom);
}

TEST(Canvas, TheBreadcrumbLeadsBack) {
    CanvasBench bench;
    bench.go_to(head, 3);
    bench.click(bench.middle_of("canvas.way.2"));
    EXPECT_EQ(bench.view().here.id, attention);
    bench.click(bench.middle_of("canvas.way.0"));
    EXPECT_EQ(bench.camera(), home(bench.canvas().atlas));
}

TEST(Canvas, TheOtherButtonOffersWhatCanBeDoneWithAMatrix) {
    CanvasBench bench;
    bench.click(bench.middle_of("canvas.layer.attention.query.weight"), 1);
    ASSERT_TRUE(bench.has("canvas.menu.0"));
    EXPECT_EQ(bench.selection(), query);
    bench.click(bench.middle_of("canvas.menu.0"));
    EXPECT_FALSE(bench.has("canvas.menu.0"));
    EXPECT_EQ(bench.view().notice, "Copied 16,777,216");
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

TEST(Canvas, AWindowOfAnotherSizeShowsTheSamePlace) {
    CanvasBench bench;
    for (const char* id : {"layer.attention", "layer.feed_forward", "layer.attention.head",
                           "layer.attention.query.weight", "layer.feed_forward.down.weight"}) {
        bench.go_to(id);
        for (const ImVec2 window : {ImVec2(660, 480), ImVec2(1700, 1000), ImVec2(700, 900), ImVec2(940, 700)}) {
            bench.resize(window);
            EXPECT_EQ(bench.view().here.id, id) << window.x;
        }
    }
}

TEST(Canvas, AnotherPresetKeepsThePlace) {
    CanvasBench bench;
    bench.go_to(head, 20);
    bench.ask(OpenPreset{"gpt2"});
    EXPECT_EQ(bench.view().here.id, head);
    EXPECT_EQ(bench.view().here.copy, 11);
}

}  // namespace
}  // namespace headcount
