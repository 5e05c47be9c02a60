// Claims about editing in the architecture panel: drags, typed values, and what is said when it goes wrong.
#include "app/parts/complaints.hpp"
#include "app/views/explore/panels.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::key_of;
using test::telling_presets;
using test::Workbench;

TEST(Architecture, DraggingASliderEditsInEveryFrameAndSettlesAtTheEnd) {
    Workbench bench(draw_architecture_panel);
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
    for (const Preset& preset : telling_presets()) {
        SCOPED_TRACE(preset.id);
        Workbench bench(draw_architecture_panel, preset.id);
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
    Workbench bench(draw_architecture_panel);
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
    Workbench bench(draw_architecture_panel);
    bench.type("architecture.dim.field", "4097");
    EXPECT_TRUE(bench.has("architecture.dim.error"));
    EXPECT_FALSE(bench.has("architecture.heads.error"));
}

TEST(Architecture, TextThatIsNoNumberStaysInItsFieldAndChangesNothing) {
    for (const char* text : {"many", "0", "-5", "99999999999999999999"}) {
        SCOPED_TRACE(text);
        Workbench bench(draw_architecture_panel);
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

TEST(Architecture, WhatIsTypedAfterARefusedTextReplacesIt) {
    for (const char* text : {"0", "many"}) {
        for (const bool pressed : {false, true}) {
            Workbench bench(draw_architecture_panel);
            bench.type("architecture.layers.field", text);
            bench.rest();
            if (pressed) bench.press("architecture.layers.field");
            bench.enter("2*8");
            EXPECT_EQ(bench.arch().layers, 16) << text << pressed;
            EXPECT_FALSE(bench.has("architecture.layers.error"));
        }
    }
}

TEST(Architecture, TextOverAnImpossibleValueIsAnsweredWithOneThatHolds) {
    Workbench bench(draw_architecture_panel);
    bench.type("architecture.heads.field", "30");
    bench.type("architecture.heads.field", "abc");
    ASSERT_TRUE(bench.has("architecture.heads.fix"));
    bench.press("architecture.heads.fix");
    bench.frames(2);
    EXPECT_EQ(bench.arch().layer.attention.heads, 32) << "30 was refused itself";
    EXPECT_FALSE(bench.has("architecture.heads.error"));
}

TEST(Architecture, TakesThousandsAsTheyAreSaid) {
    Workbench bench(draw_architecture_panel);
    for (const char* field : {"architecture.dim", "architecture.context", "architecture.vocab", "architecture.tokens"})
        bench.type(std::string(field) + ".field", "8k");
    const Document& document = bench.session.document;
    EXPECT_EQ(document.architecture.dim, 8192);
    EXPECT_EQ(document.architecture.context, 8192);
    EXPECT_EQ(document.architecture.vocab, 8192);
    EXPECT_EQ(document.input.tokens, 8192);
}

TEST(Architecture, EscapeInAFieldTakesRefusedTextBack) {
    for (const char* field : {"architecture.vocab", "architecture.tokens"}) {
        Workbench bench(draw_architecture_panel);
        const Document before = bench.session.document;
        bench.type(std::string(field) + ".field", "4x");
        ASSERT_TRUE(bench.has(std::string(field) + ".error"));
        bench.press(std::string(field) + ".field");
        bench.screen.hands.key(ImGuiKey_Escape, true);
        bench.frame();
        bench.screen.hands.key(ImGuiKey_Escape, false);
        bench.frames(3);
        EXPECT_FALSE(bench.has(std::string(field) + ".error")) << field;
        EXPECT_EQ(bench.session.document, before);
    }
}

TEST(Architecture, ATypedValueIsTakenAsItIs) {
    Workbench bench(draw_architecture_panel);
    bench.type("architecture.ffn_dim.field", "11,009");
    EXPECT_EQ(field_number(bench.arch(), Field::ffn_dim), 11009);
    bench.type("architecture.layers.field", "100000");
    EXPECT_EQ(bench.arch().layers, 100000);
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, NumbersThatDoNotFitAreSaidBesideTheEditedFieldWithTheValueBefore) {
    Workbench bench(draw_architecture_panel);
    bench.type("architecture.vocab.field", "9000000000000000000");
    EXPECT_FALSE(bench.session.derived.current);
    ASSERT_TRUE(bench.has("architecture.vocab.error"));
    bench.press("architecture.vocab.fix");
    EXPECT_EQ(bench.arch().vocab, 32000);
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, TokensBeyond64BitsAreAnsweredWithTheMostThatArePossible) {
    Workbench bench(draw_architecture_panel, "gpt2");
    bench.type("architecture.tokens.field", "99999999999999999999");
    ASSERT_TRUE(bench.has("architecture.tokens.fix"));
    bench.press("architecture.tokens.fix");
    EXPECT_EQ(bench.session.document.input.tokens, 1024) << "as many as there are learned positions";
    EXPECT_TRUE(bench.session.derived.current);
    EXPECT_FALSE(bench.has("architecture.tokens.error"));
}

TEST(Architecture, AProductThatDoesNotFitIsSaidBesideAFactorOfIt) {
    Workbench bench(draw_architecture_panel, "llama-2-7b", ImVec2(300, 1050));
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
    Workbench bench(draw_architecture_panel, "llama-2-7b", ImVec2(300, 1050));
    bench.type("architecture.layers.field", "9223372036854775807");
    bench.type("architecture.tokens.field", "200");
    ASSERT_TRUE(bench.has("architecture.layers.fix"));
    bench.press("architecture.layers.fix");
    EXPECT_EQ(bench.arch().layers, 32);
    EXPECT_EQ(bench.session.document.input.tokens, 200);
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, TheInputIsEditedAndItsLimitsAreSaid) {
    Workbench bench(draw_architecture_panel, "gpt2");
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
    Workbench bench(draw_architecture_panel);
    bench.point_at("architecture.ffn_dim.track");
    EXPECT_EQ(subject_key(bench.session.look.hover), "field.ffn_dim");
    const NamedRect row = *bench.screen.recorder.find("architecture.vocab");
    bench.screen.press_at(ImVec2(row.min.x + 10, row.min.y + 8), [&](const Ui& ui) {
        headcount::apply(bench.session, draw_architecture_panel(ui, bench.session));
    });
    EXPECT_EQ(subject_key(bench.session.look.selection), "field.vocab");
}

TEST(Architecture, PointingAtTheInputPointsAtWhatItDecides) {
    Workbench bench(draw_architecture_panel);
    const auto pointed = [&](const char* row) {
        bench.point_at(row);
        return bench.session.look.hover;
    };
    EXPECT_EQ(pointed("architecture.tokens"), Subject(Symbol::tokens));
    EXPECT_EQ(pointed("architecture.batch"), Subject(Symbol::batch));
    EXPECT_EQ(pointed("architecture.cached"), Subject(Symbol::cached));
    EXPECT_EQ(pointed("architecture.precision.3"), Subject(Precision::bf16));
}

TEST(Architecture, AFieldSelectedElsewhereTakesTheKeys) {
    Workbench bench(draw_architecture_panel);
    const auto stroke = [&](ImGuiKey key) {
        bench.screen.hands.key(key, true);
        bench.frame();
        bench.screen.hands.key(key, false);
        bench.frames(2);
    };
    bench.session.look.selection = Field::layers;
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
    Workbench bench(draw_architecture_panel, "llama-2-7b", ImVec2(264, 300));
    EXPECT_GT(bench.screen.recorder.find("architecture.context")->min.y, 300);
    bench.session.look.selection = Field::context;
    bench.frames(3);
    EXPECT_LT(bench.screen.recorder.find("architecture.context")->max.y, 300);
}

TEST(Architecture, NewNotesAreScrolledTo) {
    Workbench bench(draw_architecture_panel, "llama-2-7b", ImVec2(264, 300));
    bench.session.look.selection = Field::context;
    bench.frames(3);
    ASSERT_LT(bench.screen.recorder.find("architecture.dim")->max.y, 0);
    bench.session.notes = {"The vocabulary is a guess."};
    bench.frames(3);
    EXPECT_GE(bench.screen.recorder.find("architecture.notes.dismiss")->min.y, 0);
}

TEST(Architecture, NotesOnAFileAreShownUntilTheyAreDismissed) {
    Workbench bench(draw_architecture_panel);
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
