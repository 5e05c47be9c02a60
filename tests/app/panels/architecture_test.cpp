// Claims about editing in the architecture panel: drags, typed values, choices, and what is said when it goes wrong.
#include "app/panels/complaints.hpp"
#include "tests/app/panels/workbench.hpp"

namespace headcount {
namespace {

using test::all_presets;
using test::Workbench;

std::string key_of(Field field) {
    return "architecture." + std::string(info(field).key);
}

TEST(Architecture, DraggingASliderEditsInEveryFrameAndSettlesAtTheEnd) {
    Workbench bench(draw_architecture);
    bench.begin_drag("architecture.dim.knob", 40);
    const std::vector<Replace> edits = bench.all<Replace>();
    ASSERT_FALSE(edits.empty());
    for (const Replace& edit : edits) {
        EXPECT_FALSE(edit.settled);
        EXPECT_EQ(edit.edited, Field::dim);
    }
    EXPECT_GT(bench.arch().dim, 4096);
    EXPECT_FALSE(bench.session.history.can_undo());
    bench.screen.hands.button(false);
    bench.frames(2);
    EXPECT_EQ(bench.all<Settle>().size(), 1U);
    EXPECT_TRUE(bench.session.history.can_undo());
}

TEST(Architecture, NoDragMakesAnImpossibleArchitecture) {
    for (const Preset& preset : all_presets()) {
        SCOPED_TRACE(preset.id);
        Workbench bench(draw_architecture, preset.id);
        const Session fresh = bench.session;
        for (const Field field :
             {Field::dim, Field::layers, Field::heads, Field::kv_heads, Field::ffn_dim, Field::vocab, Field::context}) {
            for (const float along : {-97.0F, 61.0F}) {
                bench.session = fresh;
                bench.frame();
                bench.drag(key_of(field) + ".knob", along);
                EXPECT_TRUE(bench.session.derived.problems.empty())
                    << info(field).key << " " << field_text(bench.arch(), field).value_or("");
                if (field == Field::layers) {
                    EXPECT_NE(bench.arch().layers, preset.architecture.layers);
                }
            }
        }
    }
}

TEST(Architecture, AnImpossibleValueIsExplainedBesideItsRowAndOneClickMendsIt) {
    Workbench bench(draw_architecture);
    const std::int64_t total = bench.session.derived.shown.parameters.total;
    bench.type("architecture.heads.field", "30");
    EXPECT_EQ(bench.arch().layer.attention.heads, 30);
    ASSERT_TRUE(bench.has("architecture.heads.error"));
    EXPECT_FALSE(bench.has("architecture.dim.error"));
    EXPECT_EQ(bench.session.derived.shown.parameters.total, total);

    const std::vector<Complaint> said = complaints(bench.session);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].sentence, "30 heads do not divide width 4096 evenly.");
    ASSERT_TRUE(said[0].mending);
    EXPECT_EQ(said[0].mending->label, "Use 32");
    bench.press("architecture.heads.fix");
    EXPECT_EQ(bench.arch().layer.attention.heads, 32);
    EXPECT_FALSE(bench.has("architecture.heads.error"));
}

TEST(Architecture, TheFieldEditedLastSaysTheProblem) {
    Workbench bench(draw_architecture);
    bench.type("architecture.dim.field", "4097");
    EXPECT_TRUE(bench.has("architecture.dim.error"));
    EXPECT_FALSE(bench.has("architecture.heads.error"));
}

TEST(Architecture, TextThatIsNoNumberStaysInItsFieldAndChangesNothing) {
    for (const char* text : {"many", "0", "-5", "99999999999999999999"}) {
        SCOPED_TRACE(text);
        Workbench bench(draw_architecture);
        const Document before = bench.session.document;
        bench.type("architecture.vocab.field", text);
        EXPECT_EQ(bench.session.document, before);
        EXPECT_TRUE(bench.has("architecture.vocab.error"));
        ASSERT_EQ(bench.screen.memory.rejected.size(), 1U);
        EXPECT_EQ(bench.screen.memory.rejected[0].text, text);
        EXPECT_TRUE(bench.has("architecture.refused"));
        EXPECT_FALSE(bench.has("architecture.matches"));
        bench.press("architecture.vocab.fix");
        bench.frame();
        EXPECT_TRUE(bench.has("architecture.matches"));
        EXPECT_FALSE(bench.has("architecture.vocab.error"));
        EXPECT_EQ(bench.session.document, before);
    }
}

TEST(Architecture, ATypedValueIsTakenAsItIs) {
    Workbench bench(draw_architecture);
    bench.type("architecture.ffn_dim.field", "11,009");
    EXPECT_EQ(field_number(bench.arch(), Field::ffn_dim), 11009);
    bench.type("architecture.layers.field", "100000");
    EXPECT_EQ(bench.arch().layers, 100000);
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, NumbersThatDoNotFitAreSaidBesideTheEditedFieldWithTheValueBefore) {
    Workbench bench(draw_architecture);
    bench.type("architecture.vocab.field", "9000000000000000000");
    EXPECT_FALSE(bench.session.derived.current);
    ASSERT_TRUE(bench.has("architecture.vocab.error"));
    bench.press("architecture.vocab.fix");
    EXPECT_EQ(bench.arch().vocab, 32000);
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, AProductThatDoesNotFitIsSaidBesideAFactorOfIt) {
    Workbench bench(draw_architecture);
    bench.type("architecture.layers.field", "9223372036854775807");
    ASSERT_TRUE(bench.has("architecture.layers.fix"));
    bench.type("architecture.tokens.field", "9999999999");
    EXPECT_TRUE(bench.has("architecture.layers.error"));
    EXPECT_FALSE(bench.has("architecture.tokens.error"));
    EXPECT_FALSE(bench.has("architecture.layers.fix"));  // 32 layers would not make so many tokens possible
    bench.type("architecture.layers.field", "32");
    ASSERT_TRUE(bench.has("architecture.tokens.error"));
    bench.press("architecture.tokens.fix");
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, AnUnchangedInputIsNotBlamedForAnotherFieldsProduct) {
    Workbench bench(draw_architecture);
    bench.type("architecture.layers.field", "9223372036854775807");
    bench.type("architecture.tokens.field", "200");
    ASSERT_TRUE(bench.has("architecture.layers.fix"));
    bench.press("architecture.layers.fix");
    EXPECT_EQ(bench.arch().layers, 32);
    EXPECT_EQ(bench.session.document.input.tokens, 200);
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, ADoubleClickResetsToThePreset) {
    Workbench bench(draw_architecture);
    bench.drag("architecture.kv_heads.knob", -80);
    EXPECT_TRUE(bench.arch().layer.attention.kv_heads);
    bench.double_press("architecture.kv_heads.track");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, ADoubleClickBesideTheKnobIsOneEdit) {
    for (const char* row : {"dim", "tokens"}) {
        SCOPED_TRACE(row);
        Workbench bench(draw_architecture);
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
    Workbench bench(draw_architecture);
    bench.drag("architecture.dim.knob", 40);
    const Document dragged = bench.session.document;
    bench.double_press("architecture.dim.knob");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
    headcount::apply(bench.session, Intents{Undo{}});
    EXPECT_EQ(bench.session.document, dragged);
}

TEST(Architecture, ArrowKeyAfterArrowKeyIsOneEdit) {
    Workbench bench(draw_architecture);
    const auto stroke = [&](ImGuiKey key) {
        bench.screen.hands.key(key, true);
        bench.frame();
        bench.screen.hands.key(key, false);
        bench.frames(2);
    };
    const auto undo = [&] { headcount::apply(bench.session, Intents{Undo{}}); };
    bench.session.view.selection = Field::layers;
    bench.frames(2);
    for (int i = 0; i < 3; ++i) stroke(ImGuiKey_RightArrow);
    EXPECT_EQ(bench.arch().layers, 35);
    bench.session.view.selection = Field::dim;
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
    Workbench bench(draw_architecture);
    EXPECT_FALSE(bench.has("architecture.ffn_dim.reset"));
    bench.type("architecture.ffn_dim.field", "14336");
    ASSERT_TRUE(bench.has("architecture.ffn_dim.reset"));
    bench.press("architecture.ffn_dim.reset");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, ResetAllGivesThePresetBackAndKeepsTheInput) {
    Workbench bench(draw_architecture);
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

TEST(Architecture, ChoicesAndTogglesEditTheirFields) {
    Workbench bench(draw_architecture);
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

TEST(Architecture, AChangedChoiceOrToggleGoesBackByItsMark) {
    for (const auto& [row, control] :
         {std::pair{"norm", "1"}, {"gated", "1"}, {"activation", "3"}, {"positions", "2"}, {"tied", "toggle"}}) {
        SCOPED_TRACE(row);
        Workbench bench(draw_architecture);
        const std::string name = std::string("architecture.") + row;
        EXPECT_FALSE(bench.has(name + ".reset"));
        const NamedRect before = *bench.screen.recorder.find(name + "." + control);
        bench.press(name + "." + control);
        EXPECT_NE(bench.arch(), bench.session.document.base);
        ASSERT_TRUE(bench.has(name + ".reset"));
        EXPECT_EQ(bench.screen.recorder.find(name + "." + control)->min.x, before.min.x) << "nothing moves";
        EXPECT_LE(bench.screen.recorder.find(name + ".reset")->max.x, before.min.x);
        bench.press(name + ".reset");
        EXPECT_EQ(bench.arch(), bench.session.document.base);
        EXPECT_FALSE(bench.has(name + ".reset"));
    }
}

TEST(Architecture, ADoubleClickOnAChoicesNameResetsIt) {
    Workbench bench(draw_architecture);
    bench.press("architecture.positions.1");
    const NamedRect row = *bench.screen.recorder.find("architecture.positions");
    const auto draw = [&](const Ui& ui) { headcount::apply(bench.session, draw_architecture(ui, bench.session)); };
    for (int i = 0; i < 2; ++i) bench.screen.press_at(ImVec2(row.min.x + 10, row.min.y + 12), draw);
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, AMarkIsReachedByTheKeyboard) {
    Workbench bench(draw_architecture);
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

TEST(Architecture, RarerChoicesAreInGroupsThatFold) {
    Workbench bench(draw_architecture, "llama-2-7b", ImVec2(300, 2400));
    EXPECT_FALSE(bench.has("architecture.qkv_bias"));
    for (const char* group : {"attention", "feed_forward", "residual", "ends"})
        bench.press(std::string("architecture.") + group);
    for (const Field field : {Field::qkv_bias, Field::attention_output_bias, Field::ffn_bias, Field::norm_bias})
        bench.press(key_of(field) + ".toggle");
    bench.press("architecture.norm_placement.1");
    bench.type("architecture.norm_epsilon.field", "1e-5");
    const Architecture& arch = bench.arch();
    EXPECT_TRUE(arch.layer.attention.qkv_bias && arch.layer.attention.output_bias && arch.layer.feed_forward.bias);
    EXPECT_EQ(arch.norm.placement, NormPlacement::after);
    EXPECT_TRUE(arch.norm.bias);
    EXPECT_DOUBLE_EQ(arch.norm.epsilon, 1e-5);
    bench.type("architecture.norm_epsilon.field", "tiny");
    EXPECT_TRUE(bench.has("architecture.norm_epsilon.error"));
    EXPECT_DOUBLE_EQ(bench.arch().norm.epsilon, 1e-5);
}

TEST(Architecture, TheHeadSizeCanLeaveItsRuleAndComeBack) {
    Workbench bench(draw_architecture);
    EXPECT_FALSE(bench.has("architecture.head_dim.track"));
    bench.press("architecture.head_dim.mode");
    EXPECT_EQ(bench.arch().layer.attention.head_dim, 128);
    bench.type("architecture.head_dim.field", "64");
    EXPECT_EQ(bench.arch().layer.attention.head_dim, 64);
    bench.press("architecture.head_dim.reset");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, TheFeedForwardWidthCanBeLeftToMetasRule) {
    Workbench bench(draw_architecture);
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
    Workbench bench(draw_architecture);
    bench.press("architecture.ffn_dim.mode");
    bench.type("architecture.ffn_multiplier.field", "1.3");
    ASSERT_TRUE(bench.has("architecture.ffn_multiple_of.reset"));
    bench.press("architecture.ffn_multiple_of.reset");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, AMultiplierOfTheFilesRuleIsResetAlone) {
    Workbench bench(draw_architecture);
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

TEST(Architecture, TheInputIsEditedAndItsLimitsAreSaid) {
    Workbench bench(draw_architecture, "gpt2");
    bench.type("architecture.batch.field", "many");
    EXPECT_TRUE(bench.has("architecture.batch.error"));
    bench.press("architecture.batch.fix");
    bench.press("architecture.batch.more");
    EXPECT_EQ(bench.session.document.input.batch, 2);
    bench.press("architecture.precision.3");
    EXPECT_EQ(bench.session.document.input.precision, Precision::int8);
    bench.type("architecture.cached.field", "24");
    EXPECT_EQ(bench.session.document.input.cached, 24);
    bench.type("architecture.tokens.field", "2000");
    ASSERT_TRUE(bench.has("architecture.tokens.error"));
    bench.press("architecture.tokens.fix");
    EXPECT_EQ(bench.session.document.input.tokens, 1000);
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, PointingAtARowPointsAtItsFieldAndPressingItsNameSelectsIt) {
    Workbench bench(draw_architecture);
    bench.point_at("architecture.ffn_dim.track");
    EXPECT_EQ(subject_key(bench.session.view.hover), "field.ffn_dim");
    const NamedRect row = *bench.screen.recorder.find("architecture.vocab");
    bench.screen.press_at(ImVec2(row.min.x + 10, row.min.y + 8),
                          [&](const Ui& ui) { headcount::apply(bench.session, draw_architecture(ui, bench.session)); });
    EXPECT_EQ(subject_key(bench.session.view.selection), "field.vocab");
}

TEST(Architecture, PointingAtTheInputPointsAtWhatItDecides) {
    Workbench bench(draw_architecture);
    const auto pointed = [&](const char* row) {
        bench.point_at(row);
        return bench.session.view.hover;
    };
    EXPECT_EQ(pointed("architecture.tokens"), Subject(Symbol::tokens));
    EXPECT_EQ(pointed("architecture.batch"), Subject(Symbol::batch));
    EXPECT_EQ(pointed("architecture.cached"), Subject(Symbol::cached));
    EXPECT_EQ(pointed("architecture.precision.3"), Subject(Precision::bf16));
}

TEST(Architecture, AFieldSelectedElsewhereTakesTheKeys) {
    Workbench bench(draw_architecture);
    const auto stroke = [&](ImGuiKey key) {
        bench.screen.hands.key(key, true);
        bench.frame();
        bench.screen.hands.key(key, false);
        bench.frames(2);
    };
    bench.session.view.selection = Field::layers;
    bench.frames(2);
    stroke(ImGuiKey_RightArrow);
    EXPECT_EQ(bench.arch().layers, 33);
    stroke(ImGuiKey_Enter);
    bench.screen.hands.text("40");
    bench.frame();
    stroke(ImGuiKey_Enter);
    EXPECT_EQ(bench.arch().layers, 40);
}

TEST(Architecture, AFieldSelectedElsewhereIsScrolledTo) {
    Workbench bench(draw_architecture, "llama-2-7b", ImVec2(264, 300));
    EXPECT_GT(bench.screen.recorder.find("architecture.context")->min.y, 300);
    bench.session.view.selection = Field::context;
    bench.frames(3);
    EXPECT_LT(bench.screen.recorder.find("architecture.context")->max.y, 300);
}

const ImVec2 tall(300, 3200);

TEST(Architecture, OneSwitchBringsExpertsInAndTakesThemAwayAsOneChange) {
    Workbench bench(draw_architecture, "llama-2-7b", tall);
    EXPECT_FALSE(bench.has("architecture.experts.part"));
    bench.press("architecture.feed_forward");
    EXPECT_FALSE(bench.has("architecture.experts.track")) << "what is not there is one row";
    bench.press("architecture.experts.part.toggle");
    bench.frame();
    ASSERT_TRUE(bench.arch().layer.mixture);
    EXPECT_EQ(bench.arch().layer.mixture->experts, 8);
    EXPECT_EQ(bench.arch().layer.mixture->expert_dim, 11008);
    EXPECT_TRUE(bench.session.derived.current);
    EXPECT_EQ(bench.session.derived.changed, std::vector{Field::experts});
    EXPECT_TRUE(bench.has("architecture.experts.track"));
    EXPECT_FALSE(bench.has("architecture.ffn_dim.track")) << "no layer has the dense one";
    bench.type("architecture.experts_per_token.field", "9");
    ASSERT_TRUE(bench.has("architecture.experts_per_token.error"));
    bench.press("architecture.experts_per_token.fix");
    EXPECT_EQ(bench.arch().layer.mixture->experts_per_token, 8);
    bench.press("architecture.experts.part.toggle");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
    headcount::apply(bench.session, Intents{Undo{}});
    EXPECT_TRUE(bench.arch().layer.mixture);
}

TEST(Architecture, ExpertsThatWereTakenAwayComeBackAsTheyWere) {
    Workbench bench(draw_architecture, "deepseek-v3", tall);
    ASSERT_TRUE(bench.has("architecture.experts.part.toggle")) << "the group of a mixture is open";
    bench.press("architecture.experts.part.toggle");
    bench.frame();
    EXPECT_FALSE(bench.arch().layer.mixture);
    EXPECT_EQ(bench.session.derived.changed, std::vector{Field::experts});
    bench.press("architecture.experts.part.reset");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, LayersAreSetByCellsByWordsAndByText) {
    Workbench bench(draw_architecture, "deepseek-v3", tall);
    const auto layers = [&] { return bench.arch().layer.mixture->layers.text(); };
    EXPECT_EQ(layers(), "000|1");
    bench.press("architecture.mixture_layers.cell.1");
    EXPECT_EQ(layers(), "010|1");
    bench.press("architecture.mixture_layers.pattern.1");
    EXPECT_EQ(layers(), "01");
    bench.type("architecture.mixture_layers.field", "0|1");
    EXPECT_EQ(layers(), "0|1");
    bench.press("architecture.mixture_layers.cell.1");
    EXPECT_EQ(layers(), "0|0") << "the bar is no cell";
    bench.type("architecture.mixture_layers.field", "every second");
    EXPECT_EQ(layers(), "0|0");
    EXPECT_TRUE(bench.has("architecture.mixture_layers.error"));
    bench.press("architecture.mixture_layers.fix");
    bench.press("architecture.mixture_layers.reset");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, LatentAttentionTakesThePlaceOfKeyValueHeads) {
    Workbench bench(draw_architecture, "llama-2-7b", tall);
    EXPECT_TRUE(bench.has("architecture.kv_heads.track"));
    bench.press("architecture.attention");
    bench.press("architecture.kv_rank.part.toggle");
    bench.frame();
    EXPECT_FALSE(bench.has("architecture.kv_heads.track"));
    EXPECT_TRUE(bench.has("architecture.kv_rank.track"));
    EXPECT_EQ(bench.session.derived.changed, std::vector{Field::kv_rank});
    EXPECT_FALSE(bench.has("architecture.query_rank.track"));
    bench.press("architecture.query_rank.part.toggle");
    bench.frame();
    EXPECT_TRUE(bench.has("architecture.query_rank.track"));
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, AProblemOpensTheGroupThatMendsIt) {
    Workbench bench(draw_architecture, "llama-2-7b", tall);
    Document document = bench.session.document;
    document.architecture = *with_field(document.architecture, Field::joining, "parallel_shared");
    document.architecture = *with_field(document.architecture, Field::norm_placement, "after");
    headcount::apply(bench.session, Intents{Replace{document, Field::joining, true}});
    bench.frames(2);
    EXPECT_FALSE(bench.session.derived.current);
    ASSERT_TRUE(bench.has("architecture.joining.fix"));
    bench.press("architecture.joining.fix");
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, AFieldSelectedElsewhereOpensItsGroup) {
    Workbench bench(draw_architecture, "deepseek-v3", ImVec2(264, 300));
    bench.session.view.selection = Field::value_dim;
    bench.frames(3);
    ASSERT_TRUE(bench.has("architecture.value_dim"));
    EXPECT_LT(bench.screen.recorder.find("architecture.value_dim")->max.y, 300);
}

TEST(Architecture, NoDragInAGroupMakesAnImpossibleArchitecture) {
    for (const char* id : {"deepseek-v3", "gpt-oss-20b", "phi-2", "mixtral-8x7b"}) {
        SCOPED_TRACE(id);
        Workbench bench(draw_architecture, id, tall);
        bench.session.view.selection = Field::qkv_bias;  // opens the group
        bench.frames(3);
        const Session fresh = bench.session;
        for (const Field field : {Field::experts, Field::experts_per_token, Field::expert_dim, Field::shared_experts,
                                  Field::window, Field::kv_rank, Field::query_rank, Field::rope_dim, Field::nope_dim,
                                  Field::value_dim, Field::rotary_dim, Field::heads, Field::dim, Field::head_dim}) {
            if (!bench.has(key_of(field) + ".knob")) continue;
            for (const float along : {-140.0F, -31.0F, 77.0F, 160.0F}) {
                bench.session = fresh;
                bench.frame();
                bench.drag(key_of(field) + ".knob", along);
                EXPECT_TRUE(bench.session.derived.problems.empty())
                    << info(field).key << " " << field_text(bench.arch(), field).value_or("");
            }
        }
    }
}

TEST(Architecture, NotesOnAFileAreShownUntilTheyAreDismissed) {
    Workbench bench(draw_architecture);
    EXPECT_FALSE(bench.has("architecture.notes"));
    bench.session.notes = {"\"vision_config\" is not read.", "The vocabulary is a guess."};
    bench.frames(2);
    ASSERT_TRUE(bench.has("architecture.notes.dismiss"));
    bench.press("architecture.notes.dismiss");
    bench.frame();
    EXPECT_TRUE(bench.session.notes.empty());
    EXPECT_FALSE(bench.has("architecture.notes.dismiss"));
}

}  // namespace
}  // namespace headcount
