// What the canvas says after an edit has settled.
#include "app/diagram/edit_ribbon.hpp"

#include "app/diagram/panels.hpp"
#include "app/diagram/view.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::Workbench;

Intents draw_plain_canvas(const Ui& ui, const Session& session) { return draw_canvas(ui, session); }

struct RibbonBench : Workbench {
    explicit RibbonBench(float width = 940) : Workbench(draw_plain_canvas, "llama-2-7b", ImVec2(width, 700)) {}

    Document with_ffn(std::int64_t size) const {
        Document document = session.document;
        document.architecture.layer.feed_forward.width = size;
        return document;
    }
    void edit_ffn(std::int64_t size) { ask(Replace{.document = with_ffn(size)}); }
    bool says() const { return has("canvas.ribbon"); }
};

const EditRibbon::Figure& figure(const EditRibbon& ribbon, std::string_view key) {
    return *std::find_if(ribbon.figures.begin(), ribbon.figures.end(),
                         [&](const EditRibbon::Figure& each) { return each.key == key; });
}

Counted counted(const Architecture& architecture) { return *count(architecture, Input{}); }

TEST(EditRibbon, SaysWhatAnEditChangesInAllThree) {
    const Architecture before = test::session_of("llama-2-7b").document.architecture;
    Architecture after = before;
    after.layer.feed_forward.width = 14336;
    const auto ribbon = ribbon_of(counted(before), counted(after));
    ASSERT_TRUE(ribbon);
    EXPECT_EQ(ribbon->what, "d_ff 11008 → 14336");
    EXPECT_EQ(figure(*ribbon, "parameters").words, "+1.31 B (+19.4 %)");
    EXPECT_EQ(figure(*ribbon, "parameters").exact, "+1,308,622,848");
    EXPECT_EQ(figure(*ribbon, "parameters").formula, "8,047,038,464 - 6,738,415,616");
    EXPECT_EQ(figure(*ribbon, "cache").words, "the same");
    EXPECT_EQ(figure(*ribbon, "arithmetic").words, "+2.62 GFLOP a token");
    EXPECT_EQ(figure(*ribbon, "arithmetic").exact, "+2,617,245,696 FLOP") << "two operations a parameter more";
    const auto doubted = ribbon_of(counted(before), counted(after), "This model_type is not known.");
    EXPECT_EQ(figure(*doubted, "parameters").words, "≈ +1.31 B (+19.4 %)");
    EXPECT_EQ(figure(*doubted, "cache").words, "the same");
}

TEST(EditRibbon, SaysHowTheCacheOfATokenShrinks) {
    const Architecture before = test::session_of("llama-2-7b").document.architecture;
    Architecture after = before;
    after.layer.attention.kv_heads = 8;
    const auto ribbon = ribbon_of(counted(before), counted(after));
    ASSERT_TRUE(ribbon);
    EXPECT_EQ(figure(*ribbon, "cache").words, "-384 KiB a token") << "512 KiB before, 128 KiB now";
    EXPECT_EQ(figure(*ribbon, "cache").brief, "-384 KiB a token") << "or it would read as the whole cache";
    EXPECT_EQ(figure(*ribbon, "cache").exact, "-393,216 bytes a token");
    EXPECT_EQ(figure(*ribbon, "parameters").words, "-805 M (-12.0 %)");
}

TEST(EditRibbon, HasNothingToSayOfEqualModels) {
    const Counted model = counted(test::session_of("llama-2-7b").document.architecture);
    EXPECT_FALSE(ribbon_of(model, model));
}

TEST(EditRibbon, ComesWhenADragHasSettled) {
    RibbonBench bench;
    EXPECT_FALSE(bench.says());
    bench.ask(Replace{.document = bench.with_ffn(12288), .settled = false});
    EXPECT_FALSE(bench.says()) << "the slider is still held";
    bench.ask(Replace{.document = bench.with_ffn(14336), .settled = false});
    bench.ask(Settle{});
    EXPECT_TRUE(bench.says());
    for (const char* part : {"canvas.ribbon.parameters", "canvas.ribbon.cache", "canvas.ribbon.arithmetic"})
        EXPECT_TRUE(bench.has(part)) << part;
}

TEST(EditRibbon, GoesWithTheNextPress) {
    RibbonBench bench;
    bench.edit_ffn(14336);
    ASSERT_TRUE(bench.says());
    bench.frames(30);
    EXPECT_TRUE(bench.says()) << "it waits";
    bench.press("canvas.layer.attention.query.weight");
    EXPECT_FALSE(bench.says());
}

TEST(EditRibbon, GoesWithEscapeWhichThenDoesNothingElse) {
    RibbonBench bench;
    bench.ask(GoTo{{"layer.attention", 0, {}}});
    bench.edit_ffn(14336);
    const auto camera = [&] { return std::any_cast<CanvasView>(&bench.screen.memory.kept["canvas.explore"])->camera; };
    const Camera before = camera();
    bench.screen.hands.key(ImGuiKey_Escape, true);
    bench.frame();
    bench.screen.hands.key(ImGuiKey_Escape, false);
    bench.frames(2);
    EXPECT_FALSE(bench.says());
    EXPECT_EQ(camera(), before);
}

TEST(EditRibbon, SaysNothingOfOtherModelsOrOfWhatIsUndone) {
    RibbonBench bench;
    bench.ask(OpenPreset{"llama-3-8b"});
    EXPECT_FALSE(bench.says());
    bench.edit_ffn(11008);
    EXPECT_TRUE(bench.says());
    bench.ask(Undo{});
    EXPECT_FALSE(bench.says());
}

TEST(EditRibbon, SaysNothingOfWhatIsRedone) {
    RibbonBench bench;
    bench.edit_ffn(14336);
    bench.ask(Undo{});
    bench.ask(Redo{});
    EXPECT_EQ(bench.arch(), bench.with_ffn(14336).architecture);
    EXPECT_FALSE(bench.says());
}

TEST(EditRibbon, SumsNothingThatWasEditedInOtherViews) {
    RibbonBench bench;
    bench.session.view.workspace = costs_view;
    headcount::apply(bench.session, std::array<Intent, 1>{Replace{.document = bench.with_ffn(12288)}});
    bench.session.view.workspace = explore_view;
    bench.frames(2);
    EXPECT_FALSE(bench.says()) << "it was made elsewhere";
    bench.edit_ffn(14336);
    ASSERT_TRUE(bench.says());
    EXPECT_EQ(bench.session.edit->before.layer.feed_forward.width, (std::variant<std::int64_t, MetaRule>(12288)))
        << "the last edit alone";
}

TEST(EditRibbon, ComparesWithTheLastPossibleModel) {
    RibbonBench bench;
    Document document = bench.session.document;
    document.architecture.layer.attention.heads = 30;
    bench.ask(Replace{.document = document});
    EXPECT_FALSE(bench.says());
    document.architecture.layer.attention.heads = 16;
    bench.ask(Replace{.document = document});
    EXPECT_TRUE(bench.says());
    EXPECT_EQ(bench.session.edit->before.layer.attention.heads, 32);
}

TEST(EditRibbon, HidesNoNumberThatAClassIsToGuess) {
    RibbonBench bench;
    bench.ask(Hide{subject_from_key("layer.feed_forward.up.weight")});
    bench.edit_ffn(14336);
    EXPECT_FALSE(bench.says()) << "what has changed would give it away";
}

TEST(EditRibbon, FiguresGiveWayBeforeWhatWasEdited) {
    for (const float width : {560.0F, 620.0F, 702.0F, 760.0F, 820.0F, 940.0F}) {
        RibbonBench bench(width);
        Document document = bench.session.document;
        document.architecture.layers = 100;
        bench.ask(Replace{.document = document});
        if (bench.has("canvas.ribbon.cache")) {
            EXPECT_TRUE(bench.has("canvas.ribbon.what")) << width;
        }
        if (width >= 702) {
            EXPECT_TRUE(bench.has("canvas.ribbon.what")) << width;
            EXPECT_TRUE(bench.has("canvas.ribbon.parameters")) << width;
        }
    }
}

TEST(EditRibbon, CoversNothingHoweverNarrowTheCanvasIs) {
    for (const float width : {420.0F, 560.0F, 702.0F, 940.0F, 1760.0F}) {
        RibbonBench bench(width);
        bench.edit_ffn(14336);
        const NamedRect* const zoom = bench.screen.recorder.find("canvas.zoom");
        const NamedRect* const ribbon = bench.screen.recorder.find("canvas.ribbon");
        const NamedRect* const strip = bench.screen.recorder.find("canvas.strip.embedding");
        ASSERT_TRUE(zoom);
        if (width >= 560) {
            ASSERT_TRUE(ribbon) << width;
        }
        if (width >= 702) {
            EXPECT_TRUE(bench.has("canvas.ribbon.what")) << width << ": as in a window of 1280 × 720";
            EXPECT_TRUE(bench.has("canvas.ribbon.arithmetic")) << width << ": what stays the same gives way first";
        }
        if (!ribbon) continue;
        EXPECT_LE(ribbon->max.x, zoom->min.x) << width;
        EXPECT_GE(ribbon->min.y, std::any_cast<CanvasView>(&bench.screen.memory.kept["canvas.explore"])->area.max.y)
            << width;
        if (strip) {
            EXPECT_LE(ribbon->max.y, strip->min.y) << width;
        }
    }
}

}  // namespace
}  // namespace headcount
