// Claims about the architecture panel's choices and rules, and the way back to what the preset has.
#include "app/views/explore/panels.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::Workbench;

TEST(Architecture, ADoubleClickResetsToThePreset) {
    Workbench bench(draw_architecture_panel);
    bench.drag("architecture.kv_heads.knob", -80);
    EXPECT_TRUE(bench.arch().layer.attention.kv_heads);
    bench.double_press("architecture.kv_heads.track");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, ADoubleClickBesideTheKnobIsOneEdit) {
    for (const char* row : {"dim", "tokens"}) {
        SCOPED_TRACE(row);
        Workbench bench(draw_architecture_panel);
        const std::string name = std::string("architecture.") + row;
        bench.double_press(name + ".track");
        EXPECT_FALSE(bench.session.history.can_undo()) << "there and back is nothing";
        bench.drag(name + ".knob", 40);
        const Document dragged = bench.session.document;
        bench.double_press(name + ".track");
        EXPECT_NE(bench.session.document, dragged);
        headcount::apply(bench.session, Intents{Undo{}});
        EXPECT_EQ(bench.session.document, dragged);
        headcount::apply(bench.session, Intents{Undo{}});
        EXPECT_FALSE(bench.session.history.can_undo());
    }
}

TEST(Architecture, ADoubleClickOnTheKnobLeavesTheEditBeforeItAlone) {
    Workbench bench(draw_architecture_panel);
    bench.drag("architecture.dim.knob", 40);
    const Document dragged = bench.session.document;
    bench.double_press("architecture.dim.knob");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
    headcount::apply(bench.session, Intents{Undo{}});
    EXPECT_EQ(bench.session.document, dragged);
}

TEST(Architecture, ArrowKeyAfterArrowKeyIsOneEdit) {
    Workbench bench(draw_architecture_panel);
    const auto stroke = [&](ImGuiKey key) {
        bench.screen.hands.key(key, true);
        bench.frame();
        bench.screen.hands.key(key, false);
        bench.frames(2);
    };
    const auto undo = [&] { headcount::apply(bench.session, Intents{Undo{}}); };
    bench.session.look.selection = Field::layers;
    bench.frames(2);
    for (int i = 0; i < 3; ++i) stroke(ImGuiKey_RightArrow);
    EXPECT_EQ(bench.arch().layers, 35);
    bench.session.look.selection = Field::dim;
    bench.frames(2);
    stroke(ImGuiKey_RightArrow);
    stroke(ImGuiKey_RightArrow);
    EXPECT_GT(bench.arch().dim, 4096);
    undo();
    EXPECT_EQ(bench.arch().dim, 4096);
    EXPECT_EQ(bench.arch().layers, 35);
    undo();
    EXPECT_EQ(bench.arch().layers, 32);
    EXPECT_FALSE(bench.session.history.can_undo());
}

TEST(Architecture, TheResetMarkIsThereOnlyForAChange) {
    Workbench bench(draw_architecture_panel);
    EXPECT_FALSE(bench.has("architecture.ffn_dim.reset"));
    bench.type("architecture.ffn_dim.field", "14336");
    ASSERT_TRUE(bench.has("architecture.ffn_dim.reset"));
    bench.press("architecture.ffn_dim.reset");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, ResetAllGivesThePresetBackAndKeepsTheInput) {
    Workbench bench(draw_architecture_panel);
    EXPECT_TRUE(bench.has("architecture.matches"));
    bench.type("architecture.ffn_dim.field", "14336");
    bench.type("architecture.tokens.field", "77");
    bench.type("architecture.kv_heads.field", "8");
    EXPECT_EQ(bench.session.derived.shown.parameters.total, 7241732096);
    ASSERT_TRUE(bench.has("architecture.reset_all"));
    bench.press("architecture.reset_all");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
    EXPECT_EQ(bench.session.document.input.tokens, 77);
}

TEST(Architecture, AnEditedModelRunsOnRandomWeightsByOnePress) {
    Workbench bench(draw_architecture_panel);
    EXPECT_FALSE(bench.has("architecture.run")) << "nothing is edited";
    bench.session.view.run.trail.push_back({});
    bench.type("architecture.kv_heads.field", "8");
    ASSERT_TRUE(bench.has("architecture.run"));
    bench.press("architecture.run");
    EXPECT_EQ(bench.session.view.workspace, run_view);
    EXPECT_EQ(bench.session.view.run.source, RunSource::random);
    EXPECT_TRUE(bench.session.view.run.trail.empty()) << "of another model";
}

TEST(Architecture, ChoicesAndTogglesEditTheirFields) {
    Workbench bench(draw_architecture_panel);
    bench.press("architecture.norm.1");
    EXPECT_EQ(bench.arch().norm.kind, NormKind::layer);
    bench.press("architecture.gated.1");
    EXPECT_FALSE(bench.arch().layer.feed_forward.gated);
    bench.press("architecture.activation.2");
    EXPECT_EQ(bench.arch().layer.feed_forward.activation, Activation::gelu_tanh);
    bench.press("architecture.positions.1");
    EXPECT_EQ(bench.arch().positions, Positions::learned);
    bench.press("architecture.tied.toggle");
    EXPECT_TRUE(bench.arch().tied);
}

TEST(Architecture, TheChoiceOfAnActivationIsExplainedAtItsLabel) {
    Workbench bench(draw_architecture_panel, "gpt2");
    const NamedRect row = *bench.screen.recorder.find("architecture.activation");
    bench.screen.hands.point(ImVec2(row.min.x + 20, row.min.y + 12));
    bench.frames(60);
    EXPECT_GT(bench.screen.memory.tooltip.shown_frame, 0) << "also where its choices stand below";
}

TEST(Architecture, AChangedChoiceOrToggleGoesBackByItsMark) {
    for (const auto& [row, control] :
         {std::pair{"norm", "1"}, {"gated", "1"}, {"activation", "3"}, {"positions", "2"}, {"tied", "toggle"}}) {
        SCOPED_TRACE(row);
        Workbench bench(draw_architecture_panel);
        const std::string name = std::string("architecture.") + row;
        EXPECT_FALSE(bench.has(name + ".reset"));
        const NamedRect before = *bench.screen.recorder.find(name + "." + control);
        bench.press(name + "." + control);
        EXPECT_NE(bench.arch(), bench.session.document.base);
        ASSERT_TRUE(bench.has(name + ".reset"));
        EXPECT_EQ(bench.screen.recorder.find(name + "." + control)->min.x, before.min.x) << "nothing moves";
        const NamedRect mark = *bench.screen.recorder.find(name + ".reset");
        EXPECT_TRUE(mark.max.x <= before.min.x || mark.max.y <= before.min.y) << "beside the choices or above them";
        bench.press(name + ".reset");
        EXPECT_EQ(bench.arch(), bench.session.document.base);
        EXPECT_FALSE(bench.has(name + ".reset"));
    }
}

TEST(Architecture, ADoubleClickOnAChoicesNameResetsIt) {
    Workbench bench(draw_architecture_panel);
    bench.press("architecture.positions.1");
    const NamedRect row = *bench.screen.recorder.find("architecture.positions");
    const auto draw = [&](const Ui& ui) {
        headcount::apply(bench.session, draw_architecture_panel(ui, bench.session));
    };
    for (int i = 0; i < 2; ++i) bench.screen.press_at(ImVec2(row.min.x + 10, row.min.y + 12), draw);
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, AMarkIsReachedByTheKeyboard) {
    Workbench bench(draw_architecture_panel);
    bench.press("architecture.tied.toggle");
    ASSERT_TRUE(bench.arch().tied);
    const auto stroke = [&](ImGuiKey key) {
        bench.screen.hands.key(key, true);
        bench.frame();
        bench.screen.hands.key(key, false);
        bench.frames(2);
    };
    bench.screen.hands.shift(true);
    stroke(ImGuiKey_Tab);  // from the toggle back to its mark
    bench.screen.hands.shift(false);
    stroke(ImGuiKey_Space);
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, TheHeadSizeCanLeaveItsRuleAndComeBack) {
    Workbench bench(draw_architecture_panel);
    EXPECT_FALSE(bench.has("architecture.head_dim.track"));
    bench.press("architecture.head_dim.mode");
    EXPECT_EQ(bench.arch().layer.attention.head_dim, 128);
    bench.type("architecture.head_dim.field", "64");
    EXPECT_EQ(bench.arch().layer.attention.head_dim, 64);
    bench.press("architecture.head_dim.reset");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, TheFeedForwardWidthCanBeLeftToMetasRule) {
    Workbench bench(draw_architecture_panel);
    bench.press("architecture.ffn_dim.mode");
    ASSERT_TRUE(std::holds_alternative<MetaRule>(bench.arch().layer.feed_forward.width));
    EXPECT_EQ(field_number(bench.arch(), Field::ffn_dim), 11008);
    bench.type("architecture.ffn_multiplier.field", "1.3");
    bench.type("architecture.ffn_multiple_of.field", "4096");
    EXPECT_EQ(field_number(bench.arch(), Field::ffn_dim), 16384);
    bench.press("architecture.ffn_dim.mode");
    EXPECT_EQ(std::get<std::int64_t>(bench.arch().layer.feed_forward.width), 16384);
    bench.press("architecture.ffn_dim.reset");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, AnOwnRuleForTheWidthIsResetAsAWhole) {
    Workbench bench(draw_architecture_panel);
    bench.press("architecture.ffn_dim.mode");
    bench.type("architecture.ffn_multiplier.field", "1.3");
    ASSERT_TRUE(bench.has("architecture.ffn_multiple_of.reset"));
    bench.press("architecture.ffn_multiple_of.reset");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, AMultiplierOfTheFilesRuleIsResetAlone) {
    Workbench bench(draw_architecture_panel);
    bench.press("architecture.ffn_dim.mode");
    bench.session.document.base = bench.arch();
    EXPECT_FALSE(bench.has("architecture.ffn_multiplier.reset"));
    bench.type("architecture.ffn_multiple_of.field", "512");
    bench.type("architecture.ffn_multiplier.field", "1.3");
    EXPECT_GT(bench.session.derived.effects.at(Field::ffn_multiplier), 0);
    bench.press("architecture.ffn_multiplier.reset");
    EXPECT_EQ(field_text(bench.arch(), Field::ffn_multiplier), "1");
    EXPECT_EQ(field_text(bench.arch(), Field::ffn_multiple_of), "512");
}

}  // namespace
}  // namespace headcount
