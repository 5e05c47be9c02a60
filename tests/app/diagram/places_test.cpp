// How one goes from place to place on the canvas, with clicks, keys, the map and the breadcrumb.
#include "tests/app/diagram/bench.hpp"

namespace headcount {
namespace {

using test::attention;
using test::CanvasBench;
using test::head;
using test::query;

TEST(CanvasPlaces, ADoubleClickGoesInAndSelectsWhatWasClicked) {
    CanvasBench bench;
    bench.double_click(bench.corner_of("canvas.block.layer.attention"));
    EXPECT_EQ(bench.look().here.id, attention);
    EXPECT_EQ(bench.selection(), "component.attention");
    bench.double_click(bench.corner_of("canvas.layer.attention.head.scores"));
    EXPECT_EQ(bench.look().here.id, head);
    EXPECT_EQ(bench.look().here.copy, 0);
    bench.double_click(bench.middle_of("canvas.layer.attention.query.weight"));
    EXPECT_EQ(bench.look().here.id, query);
    EXPECT_EQ(bench.canvas().way.back().kind, Stop::Kind::matrix);
    bench.double_click(bench.middle_of("canvas.layer.attention.query.weight"));
    EXPECT_EQ(bench.canvas().way.back().kind, Stop::Kind::cells);
}

TEST(CanvasPlaces, EscapeAndBackspaceGoUpOnePlaceAtATime) {
    CanvasBench bench;
    bench.go_to(head, 5);
    bench.key(ImGuiKey_Escape);
    EXPECT_EQ(bench.look().here.id, attention);
    bench.key(ImGuiKey_Backspace);
    EXPECT_NE(bench.look().here.id, attention);
    bench.key(ImGuiKey_Escape);
    EXPECT_EQ(bench.look().here.id, "");
}

TEST(CanvasPlaces, APressOnAHeadSelectsThatHeadAndNotTheOneThatOneIsAt) {
    CanvasBench bench;
    bench.go_to(attention);
    const WorldRect tenth = find_place(bench.canvas().atlas, head, 10)->rect;
    const Point at = bench.canvas().lens().project({(tenth.min.x + tenth.max.x) / 2, (tenth.min.y + tenth.max.y) / 2});
    bench.click({at.x, at.y});
    EXPECT_EQ(copies_of(bench.look().selection).head, 10);
    bench.go_to(head, 3);
    EXPECT_EQ(copies_of(bench.look().selection).head, 3) << "in another head's place it is that one's";
}

TEST(CanvasPlaces, ArrowKeysStepBetweenNeighbours) {
    CanvasBench bench;
    bench.go_to(head, 5);
    bench.point({bench.canvas().area.centre().x, bench.canvas().area.centre().y});
    bench.key(ImGuiKey_RightArrow);
    EXPECT_EQ(bench.look().here.copy, 6);
    bench.key(ImGuiKey_LeftArrow);
    bench.key(ImGuiKey_LeftArrow);
    EXPECT_EQ(bench.look().here.copy, 4);
    bench.go_to(attention);
    bench.key(ImGuiKey_DownArrow);
    EXPECT_EQ(bench.look().here.id, "layer.feed_forward");
}

TEST(CanvasPlaces, ArrowKeysStepFromCellToCell) {
    CanvasBench bench;
    bench.ask(GoTo{{std::string(query), 0, std::array<std::int64_t, 2>{100, 200}}});
    bench.point({bench.canvas().area.centre().x, bench.canvas().area.centre().y});
    const Cell before = bench.canvas().way.back().cell;
    bench.key(ImGuiKey_RightArrow);
    bench.key(ImGuiKey_DownArrow);
    bench.key(ImGuiKey_DownArrow);
    EXPECT_EQ(bench.canvas().way.back().cell, (Cell{before.row + 2, before.column + 1}));
}

TEST(CanvasPlaces, ArrowKeysElsewhereAreNotItsOwn) {
    CanvasBench bench;
    bench.go_to(head, 5);
    bench.point(ImVec2(-1000, -1000));
    bench.key(ImGuiKey_RightArrow);
    EXPECT_EQ(bench.look().here.copy, 5);
}

TEST(CanvasPlaces, EnterGoesToWhatIsSelected) {
    CanvasBench bench;
    bench.click(bench.middle_of("canvas.layer.attention.query.weight"));
    bench.key(ImGuiKey_Enter);
    EXPECT_EQ(bench.look().here.id, query);
}

TEST(CanvasPlaces, AskedToItGoesFurtherInAsEnterDoes) {
    CanvasBench bench;
    bench.ask(GoIn{});
    EXPECT_TRUE(bench.look().here.id.starts_with("layer.")) << bench.look().here.id;
    bench.ask(GoTo{});
    bench.ask(Select{TensorSubject{std::string(query)}});
    bench.ask(GoIn{});
    EXPECT_EQ(bench.look().here.id, query);
}

TEST(CanvasPlaces, TheMapMovesTheCameraThere) {
    CanvasBench bench;
    bench.go_to(attention);
    const double zoom = bench.camera().zoom;
    bench.click(bench.middle_of("canvas.map"));
    const Point middle = bench.canvas().atlas.pages.front().bounds.centre();
    EXPECT_NEAR(bench.camera().x, static_cast<double>(middle.x), 8);
    EXPECT_NEAR(bench.camera().y, static_cast<double>(middle.y), 8);
    EXPECT_EQ(bench.camera().zoom, zoom);
}

TEST(CanvasPlaces, TheBreadcrumbLeadsBack) {
    CanvasBench bench;
    bench.go_to(head, 3);
    bench.click(bench.middle_of("canvas.way.2"));
    EXPECT_EQ(bench.look().here.id, attention);
    bench.click(bench.middle_of("canvas.way.0"));
    EXPECT_EQ(bench.camera(), home(bench.canvas().atlas));
}

TEST(CanvasPlaces, AWindowOfAnotherSizeShowsTheSamePlace) {
    CanvasBench bench;
    for (const char* id : {"layer.attention", "layer.feed_forward", "layer.attention.head",
                           "layer.attention.query.weight", "layer.feed_forward.down.weight"}) {
        bench.go_to(id);
        for (const ImVec2 window : {ImVec2(660, 480), ImVec2(1700, 1000), ImVec2(700, 900), ImVec2(940, 700)}) {
            bench.resize(window);
            EXPECT_EQ(bench.look().here.id, id) << window.x;
        }
    }
}

TEST(CanvasPlaces, AnotherPresetKeepsThePlace) {
    CanvasBench bench;
    bench.go_to(head, 20);
    bench.ask(OpenPreset{"gpt2"});
    EXPECT_EQ(bench.look().here.id, head);
    EXPECT_EQ(bench.look().here.copy, 11);
}

TEST(CanvasPlaces, TheMapCoversNoPartOfAMatrix) {
    int placed = 0, elsewhere = 0;
    for (const char* preset : {"llama-2-7b", "gpt2", "mixtral-8x7b", "deepseek-v3", "gemma-3-27b"}) {
        CanvasBench bench(preset);
        for (const ImVec2 window : {ImVec2(700, 520), ImVec2(940, 700), ImVec2(1100, 900)})
            for (const char* id : {"layer.attention", "layer.feed_forward", "layer.attention.head",
                                   "layer.feed_forward.down.weight", "embedding.weight"}) {
                bench.resize(window);
                bench.go_to(id);
                bench.frames(3);
                const NamedRect* const map = bench.rect_of("canvas.map");
                if (!map) continue;
                ++placed;
                if (map->max.x < bench.canvas().area.max.x || map->max.y < bench.canvas().area.max.y) ++elsewhere;
                const Rect card{{map->min.x, map->min.y}, {map->max.x, map->max.y}};
                for (const Region& region : bench.canvas().drawing.regions) {
                    const bool around = region.rect.holds(bench.canvas().area);
                    EXPECT_TRUE(!region.matrix || around || !region.rect.overlaps(card))
                        << preset << " " << id << " " << window.x << ": " << region.id;
                }
            }
    }
    EXPECT_GT(placed, 20);
    EXPECT_GT(elsewhere, 0) << "the lower right corner is not always free";
}

TEST(CanvasPlaces, TheMapCoversNoWordsWhereAnEdgeHasRoomForIt) {
    int placed = 0;
    CanvasBench bench("llama-3-8b");
    for (const float width : {460.0F, 480.0F, 500.0F, 540.0F})
        for (const float height : {540.0F, 560.0F, 580.0F}) {
            bench.resize({width, height});
            bench.go_to("layer.attention");
            bench.frames(3);
            const NamedRect* const map = bench.rect_of("canvas.map");
            if (!map) continue;
            ++placed;
            const Rect card{{map->min.x, map->min.y}, {map->max.x, map->max.y}};
            for (const PlacedLabel& label : bench.canvas().drawing.labels)
                EXPECT_FALSE(card.overlaps({label.at, {label.at.x + label.width, label.at.y + label.height}}))
                    << label.text << " at " << width << " x " << height;
        }
    EXPECT_GT(placed, 0);
}

TEST(CanvasPlaces, OnlyWhatIsSeenIsSaidToBeNotToScale) {
    CanvasBench bench;
    EXPECT_TRUE(bench.has("canvas.remark")) << "thin sides are on the screen";
    bench.ask(GoTo{{"layer.attention.query.weight", 0, std::array<std::int64_t, 2>{100, 100}}});
    bench.frames(3);
    ASSERT_EQ(bench.canvas().way.back().kind, Stop::Kind::cells);
    EXPECT_FALSE(bench.has("canvas.remark"));
}

}  // namespace
}  // namespace headcount
