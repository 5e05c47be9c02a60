// Editing as a person does it: changes, undo, impossible values, effects.
#include <gtest/gtest.h>

#include <array>

#include "core/base/write_file.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using test::ask;
using test::edit;
using test::session_of;

std::int64_t total(const Session& session) { return session.derived.shown.parameters.total; }

TEST(Session, FollowsAnEditAtOnceAndUndoesAndRedoesIt) {
    Session session = session_of("llama-2-7b");
    ask(session, edit(session, Field::ffn_dim, "14336"));
    EXPECT_EQ(total(session), 6'738'415'616 + 32LL * 3 * 4096 * (14336 - 11008));
    ask(session, Undo{});
    EXPECT_EQ(total(session), 6'738'415'616);
    ask(session, Redo{});
    EXPECT_EQ(total(session), 8'047'038'464);
}

TEST(Session, MakesOneUndoStepOfADrag) {
    Session session = session_of("llama-2-7b");
    for (std::string_view width : {"12000", "13000", "14336"})
        ask(session, edit(session, Field::ffn_dim, width, false));
    ask(session, Settle{});
    ask(session, Undo{});
    EXPECT_EQ(session.document, document_of(*find_preset(session.presets, "llama-2-7b")));
    EXPECT_FALSE(session.history.can_undo());
}

TEST(Session, MakesOneUndoStepOfEditsOfOneRun) {
    Session session = session_of("llama-2-7b");
    const auto step = [&](std::string_view layers, unsigned run) {
        Replace replace = edit(session, Field::layers, layers);
        replace.run = run;
        ask(session, replace);
    };
    for (std::string_view layers : {"33", "34", "35"}) step(layers, 1);
    step("36", 2);
    ask(session, Undo{});
    EXPECT_EQ(session.document.architecture.layers, 35);
    step("36", 2);  // what came before the undo is over
    ask(session, Undo{});
    EXPECT_EQ(session.document.architecture.layers, 35);
    ask(session, Undo{});
    EXPECT_EQ(session.document.architecture.layers, 32);
    EXPECT_FALSE(session.history.can_undo());
}

TEST(Session, MakesNoUndoStepOfARunThatComesBackToWhereItBegan) {
    Session session = session_of("llama-2-7b");
    ask(session, edit(session, Field::layers, "40"));
    ask(session, edit(session, Field::layers, "41", false));
    ask(session, Settle{7});
    Replace back = edit(session, Field::layers, "40");
    back.run = 7;
    ask(session, back);
    Replace on = edit(session, Field::layers, "42");
    on.run = 7;
    ask(session, on);
    ask(session, Undo{});
    EXPECT_EQ(session.document.architecture.layers, 40);
    ask(session, Undo{});
    EXPECT_EQ(session.document.architecture.layers, 32);
}

TEST(Session, KeepsTheLastGoodPictureWhileAValueIsImpossible) {
    Session session = session_of("llama-2-7b");
    ask(session, edit(session, Field::kv_heads, "8"));
    std::int64_t before = total(session);
    ask(session, edit(session, Field::heads, "30"));
    EXPECT_FALSE(session.derived.current);
    EXPECT_EQ(session.document.architecture.layer.attention.heads, 30);
    EXPECT_EQ(total(session), before);
    ASSERT_FALSE(session.derived.problems.empty());
    EXPECT_EQ(session.derived.problems.front().fixes.front(), (Fix{Field::heads, "32", "Use 32"}));
}

TEST(Session, TellsWhatEachChangeAddsToTheTotal) {
    Session session = session_of("llama-2-7b");
    ask(session, edit(session, Field::kv_heads, "8"));
    ask(session, edit(session, Field::ffn_dim, "14336"));
    EXPECT_EQ(session.derived.effects.at(Field::kv_heads), -805'306'368);
    EXPECT_EQ(session.derived.effects.at(Field::ffn_dim), 1'308'622'848);
    EXPECT_EQ(session.derived.effects.size(), 2u);
    EXPECT_EQ(changed_fields(session.document), (std::vector{Field::kv_heads, Field::ffn_dim}));
}

TEST(Session, CountsNoChangeWhereTheValueInEffectIsThePresets) {
    Session session = session_of("llama-2-7b");
    ask(session, edit(session, Field::kv_heads, "32"));
    EXPECT_TRUE(changed_fields(session.document).empty());
    ask(session, edit(session, Field::ffn_multiple_of, "256"));
    EXPECT_EQ(total(session), 6'738'415'616);
}

TEST(Session, NamesTheProductThatDoesNotFit) {
    Session session = session_of("llama-2-7b");
    ask(session, edit(session, Field::vocab, "9000000000000000"));
    EXPECT_FALSE(session.derived.current);
    ASSERT_EQ(session.derived.errors.size(), 1u);
    EXPECT_NE(session.derived.errors.front().what.find("9000000000000000"), std::string::npos)
        << session.derived.errors.front().what;
    EXPECT_EQ(total(session), 6'738'415'616);
}

TEST(Session, KeepsTheInputWhenAnotherPresetIsOpened) {
    Session session = session_of("llama-2-7b");
    Document document = session.document;
    document.input.tokens = 7;
    ask(session, Replace{document, {}, true});
    ask(session, OpenPreset{"gpt2"});
    EXPECT_EQ(total(session), 124'439'808);
    EXPECT_EQ(session.document.input.tokens, 7);
    ask(session, Undo{});
    EXPECT_EQ(total(session), 6'738'415'616);
}

TEST(Session, DropsASelectionThatTheEditedModelNoLongerHas) {
    Session session = session_of("llama-2-7b");
    ask(session, Select{TensorSubject{"layer.feed_forward.gate.weight"}});
    ask(session, edit(session, Field::gated, "false"));
    EXPECT_TRUE(nothing(session.look.selection));
}

TEST(Session, SelectingIsNoEdit) {
    Session session = session_of("llama-2-7b");
    ask(session, Select{Component::attention});
    EXPECT_FALSE(session.history.can_undo());
}

TEST(Session, RefusesAFileThatCannotBeCounted) {
    Session session = session_of("llama-2-7b");
    Architecture huge = *with_field(session.document.architecture, Field::vocab, "9000000000000000");
    Result<Document> document = document_of(huge, Input{});
    ASSERT_FALSE(document);
    EXPECT_NE(document.error().what.find("64 bits"), std::string::npos);
}

TEST(Session, OpensAConfigurationAndKeepsTheDocumentWhereItCannot) {
    Session session = session_of("llama-2-7b");
    std::string path = testing::TempDir() + "headcount-session-config.json";
    ASSERT_TRUE(write_text(path, R"({"model_type": "gpt2", "n_layer": 24, "n_embd": 1024, "n_head": 16})"));
    ask(session, OpenFile{path});
    EXPECT_EQ(total(session), 354'823'168);  // GPT-2 medium
    EXPECT_TRUE(session.document.preset.empty());
    ASSERT_TRUE(write_text(path, R"({"model_type": "oracle"})"));
    ask(session, OpenFile{path});
    EXPECT_EQ(total(session), 354'823'168);
    EXPECT_NE(session.view.notice.text.find("\"oracle\" is not known"), std::string::npos) << session.view.notice.text;
    std::filesystem::remove(path);
}

TEST(Session, CountsAPartThatComesOrGoesAsOneChange) {
    Session session = session_of("deepseek-v3");
    Document document = session.document;
    document.architecture = *with_field(document.architecture, Field::experts, "none");
    ask(session, Replace{document, Field::experts, true});
    EXPECT_EQ(session.derived.changed, std::vector{Field::experts});
    EXPECT_LT(session.derived.effects.at(Field::experts), -600'000'000'000);
    document.architecture = *with_field_of(document.architecture, document.base, Field::experts);
    EXPECT_EQ(document.architecture, document.base);
    document.architecture = *with_field(document.architecture, Field::kv_rank, "none");
    ask(session, Replace{document, Field::kv_rank, true});
    EXPECT_EQ(session.derived.changed, std::vector{Field::kv_rank});
}

TEST(Session, KeepsNotesOnAFileUntilAnotherModelIsOpened) {
    Session session = session_of("llama-2-7b");
    std::string path = testing::TempDir() + "headcount-session-notes.json";
    ASSERT_TRUE(write_text(path, R"({"model_type": "something_new", "hidden_size": 64, "num_hidden_layers": 2,
        "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 1000})"));
    ask(session, OpenFile{path});
    std::filesystem::remove(path);
    ASSERT_FALSE(session.notes.empty()) << session.view.notice.text;
    EXPECT_FALSE(session.document.architecture.family->verified);
    ask(session, edit(session, Field::layers, "3"));
    EXPECT_FALSE(session.notes.empty());
    ask(session, DismissNotes{});
    EXPECT_TRUE(session.notes.empty());
    session.notes = {"a note"};
    ask(session, OpenPreset{"gpt2"});
    EXPECT_TRUE(session.notes.empty());
}

TEST(History, ForgetsTheOldestBeyondItsLength) {
    Session session = session_of("llama-2-7b");
    for (int i = 1; i <= 600; ++i) ask(session, edit(session, Field::layers, std::to_string(i)));
    int undone = 0;
    for (; session.history.can_undo(); ++undone) ask(session, Undo{});
    EXPECT_EQ(undone, 499);
    EXPECT_EQ(session.document.architecture.layers, 101);
}

TEST(Title, SaysOnceThatAModelIsEdited) {
    Architecture arch;
    arch.name = "A model";
    Document document{arch, arch, "", {}};
    EXPECT_EQ(title_of(document), "A model");
    document.architecture.layers += 1;
    EXPECT_EQ(title_of(document), "A model, edited");
    document.base.name = title_of(document);
    EXPECT_EQ(title_of(document), "A model, edited");
}

}  // namespace
}  // namespace headcount
