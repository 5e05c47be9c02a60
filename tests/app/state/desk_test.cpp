// Claims about a student's desk: what is graded, what is kept, what undo leaves alone.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/state/in_view.hpp"
#include "app/state/saved_fields.hpp"
#include "app/state/storage.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using test::all_presets;
using test::session_of;

// At the worksheet of one head, as a student sits down.
class AtTheDesk : public ::testing::Test {
  protected:
    AtTheDesk() : session(session_of("llama-2-7b")) {
        headcount::apply(session, Intents{ShowWorkspace{worksheet_view}});
    }

    void ask(DeskIntent what) { effects = headcount::apply(session, Intents{AtDesk{std::move(what)}}); }
    void answer(const std::string& blank, const std::string& rows, const std::string& columns) {
        ask(GiveAnswer{blank, shape_text(rows, columns)});
        ask(CheckFields{{blank + ".rows", blank + ".columns"}});
    }
    const AnsweredBlank& of(const std::string& blank) const { return desk().of(*desk().sheet->find(blank)); }
    const Desk& desk() const { return session.desk; }

    Session session;
    Effects effects;
};

TEST_F(AtTheDesk, TheFirstSheetLiesThereAtFirst) {
    ASSERT_TRUE(desk().sheet) << desk().problem;
    EXPECT_EQ(desk().sheet->id, "1-one-head");
    EXPECT_EQ(desk().score(*desk().question()).of, 14) << "seven shapes have two sides each";
}

TEST_F(AtTheDesk, NothingIsGradedBeforeItIsChecked) {
    ask(GiveAnswer{"head.queries", shape_text("100", "4096")});
    EXPECT_EQ(of("head.queries").fields[1].mark, Mark::typed);
    EXPECT_TRUE(of("head.queries").grade.hint.empty());
}

TEST_F(AtTheDesk, AllHeadsTogetherAreToldFromOne) {
    answer("head.queries", "100", "4096");
    const AnsweredBlank& queries = of("head.queries");
    EXPECT_EQ(queries.fields[0].mark, Mark::right);
    EXPECT_EQ(queries.fields[1].mark, Mark::wrong);
    EXPECT_NE(queries.grade.hint.find("32 heads"), std::string::npos) << queries.grade.hint;
    EXPECT_EQ(queries.grade.hint.find("128"), std::string::npos) << "the hint says the answer";
}

TEST_F(AtTheDesk, OneSideIsGradedWhileTheOtherIsEmpty) {
    ask(GiveAnswer{"head.keys", shape_text("100", "")});
    ask(CheckFields{{"head.keys.rows", "head.keys.columns"}});
    EXPECT_EQ(of("head.keys").fields[0].mark, Mark::right);
    EXPECT_EQ(of("head.keys").fields[1].mark, Mark::empty);
    EXPECT_FALSE(of("head.keys").right());
    EXPECT_TRUE(of("head.keys").grade.hint.empty());
}

TEST_F(AtTheDesk, ASideMayBeAFormula) {
    answer("head.output", "T", "h*d_h");
    EXPECT_TRUE(of("head.output").right()) << of("head.output").grade.hint;
}

TEST_F(AtTheDesk, ATextThatChangesIsUncheckedAgainButNotTheOtherSide) {
    answer("head.queries", "100", "4096");
    ask(GiveAnswer{"head.queries", shape_text("100", "12")});
    EXPECT_EQ(of("head.queries").fields[0].mark, Mark::right);
    EXPECT_EQ(of("head.queries").fields[1].mark, Mark::typed);
}

TEST_F(AtTheDesk, TheDiagramShowsTheQuestionsModelAtWhatAllOfItsBlanksAreIn) {
    const std::optional<Shown>& side = session.desk.model;
    ASSERT_TRUE(side);
    EXPECT_EQ(side->document.input.tokens, 100);
    EXPECT_FALSE(shows_diagram(desk())) << "what was found so far is drawn there";
    ask(ShowQuestion{0});
    for (const Blank& blank : desk().question()->blanks) {
        const auto [rows, columns] = shape_sides(right_answer(*desk().question(), blank));
        answer(blank.id, rows, columns);
    }
    EXPECT_TRUE(desk().solved(*desk().question()));
    EXPECT_TRUE(shows_diagram(desk()));
    EXPECT_EQ(desk().lit(), "layer.attention");
    EXPECT_EQ(session.desk.model->look.asked_for.id, "layer.attention");
    EXPECT_EQ(session.document.preset, "llama-2-7b") << "the user's own model stays";
}

TEST_F(AtTheDesk, WhereAnAnswerIsInTheModelIsSeenFromTheStart) {
    ask(OpenSheet{"5-kv-cache", std::nullopt});
    for (const auto& [question, blank, text] :
         {std::tuple(3U, "numbers", "268435456"), std::tuple(4U, "bytes", "512 MiB")}) {
        ask(ShowQuestion{question});
        for (const bool found : {false, true}) {
            if (found) ask(GiveAnswer{blank, text}), ask(CheckFields{{blank}});
            EXPECT_EQ(desk().solved(*desk().question()), found);
            EXPECT_TRUE(shows_diagram(desk())) << blank;
            EXPECT_EQ(desk().lit(), "layer.attention") << "both caches are in it";
        }
    }
    ask(OpenSheet{"2-why-7b", std::nullopt});
    ask(ShowQuestion{1});
    EXPECT_EQ(desk().lit(), "layer.attention.output.weight");
    EXPECT_EQ(subject_key(session.desk.model->look.selection), "layer.attention.output.weight");
}

TEST_F(AtTheDesk, UndoTakesBackNoAnswer) {
    Document edited = session.document;
    edited.architecture.layers = 5;
    headcount::apply(session, Intents{Replace{edited, Field::layers}});
    answer("head.input", "100", "4096");
    headcount::apply(session, Intents{Undo{}});
    EXPECT_EQ(session.document.architecture.layers, 32);
    EXPECT_TRUE(of("head.input").right());
    headcount::apply(session, Intents{Redo{}});
    EXPECT_TRUE(of("head.input").right());
}

TEST_F(AtTheDesk, EverySheetAndEverySetOfNumbersKeepsItsOwnAnswers) {
    answer("head.input", "100", "4096");
    ask(OpenSheet{"1-one-head", 7});
    EXPECT_EQ(of("head.input").fields[0].mark, Mark::empty);
    EXPECT_NE(desk().sheet->model->bindings[Symbol::tokens], 100);
    ask(OpenSheet{"7-first-matrix", {}});
    ask(OpenSheet{"1-one-head", {}});
    EXPECT_TRUE(of("head.input").right());
}

TEST_F(AtTheDesk, AnswersSurviveSavingAndRestoring) {
    answer("head.queries", "100", "4096");
    ask(NameStudent{"Ada"});
    ask(ShowAnswer{"head.queries"});
    const Result<Saved> saved = saved_from_text(saved_text({session.document, session.view, {}, desk().kept}), "here");
    ASSERT_TRUE(saved);
    EXPECT_EQ(saved->desk, desk().kept);
    Session again = start_session(all_presets(), saved->document);
    again.desk.kept = saved->desk;
    again.view.workspace = worksheet_view;
    headcount::apply(again, {});
    EXPECT_EQ(again.desk.answered, desk().answered);
}

TEST_F(AtTheDesk, AnAnswerIsAChangeThatIsSaved) {
    ask(GiveAnswer{"head.input", shape_text("1", "")});
    EXPECT_TRUE(effects.view_changed);
    EXPECT_FALSE(effects.document_changed);
}

TEST_F(AtTheDesk, DamagedProgressCostsNothingElse) {
    nlohmann::json json = json_of(desk().kept);
    json["progress"] = nlohmann::json::parse(
        R"([3, {"sheet": 5}, {"sheet": "1-one-head", "given": {"head.input": 7, "head.keys": "9 × 9"}, "checked": 2}])");
    json["student"] = {1, 2};
    const DeskState read = value_from<DeskState>(json);
    ASSERT_EQ(read.progress.size(), 1U);
    EXPECT_EQ(read.progress.begin()->second.given.at("head.keys"), "9 × 9");
    EXPECT_FALSE(read.progress.begin()->second.given.contains("head.input"));
}

TEST_F(AtTheDesk, StartingOverEmptiesOneQuestionAlone) {
    answer("head.input", "100", "4096");
    ask(GiveAnswer{"own-words", "They look for something."});
    ask(StartOver{"head"});
    EXPECT_EQ(of("head.input").fields[0].mark, Mark::empty);
    EXPECT_EQ(of("own-words").fields[0].text, "They look for something.");
    ask(StartOver{std::nullopt});
    EXPECT_EQ(of("own-words").fields[0].mark, Mark::empty);
}

TEST_F(AtTheDesk, AClassSetIsResetForTheNextStudent) {
    ask(NameStudent{"Ada"});
    answer("head.input", "100", "4096");
    ask(OpenSheet{"1-one-head", 3});
    ask(ResetDesk{});
    EXPECT_TRUE(desk().kept.student.empty());
    ask(OpenSheet{"1-one-head", {}});
    EXPECT_EQ(of("head.input").fields[0].mark, Mark::empty);
}

TEST_F(AtTheDesk, AVanishedSheetIsSaidAndItsAnswersStay) {
    testing_data::Scratch scratch;
    std::ifstream file(HEADCOUNT_ASSETS_DIR "/worksheets/1-one-head.json");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::string path = scratch.file("own.json", text);
    headcount::apply(session, Intents{OpenFile{path}});
    ASSERT_TRUE(desk().sheet) << session.view.notice.text;
    EXPECT_EQ(desk().sheet->id, "own");
    answer("head.input", "100", "4096");
    std::filesystem::remove(path);
    Session again = start_session(all_presets(), session.document);
    again.desk.kept = desk().kept;
    headcount::apply(again, Intents{ShowWorkspace{worksheet_view}});
    EXPECT_FALSE(again.desk.sheet);
    EXPECT_NE(again.desk.problem.find("own.json"), std::string::npos) << again.desk.problem;
    EXPECT_EQ(again.desk.kept, desk().kept);
}

TEST_F(AtTheDesk, AFileWithQuestionsIsOpenedHereAndADamagedOneIsExplained) {
    testing_data::Scratch scratch;
    const std::string damaged = scratch.file("bad.json", R"({"title": "x", "questions": [{"id": "a"}]})");
    headcount::apply(session, Intents{OpenFile{damaged}});
    EXPECT_NE(session.view.notice.text.find("bad.json"), std::string::npos) << session.view.notice.text;
    ASSERT_TRUE(desk().sheet);
    EXPECT_EQ(desk().sheet->id, "1-one-head") << "what was there stays";
}

TEST_F(AtTheDesk, AnswersAreExportedAsGraderReadsThem) {
    answer("head.input", "100", "4096");
    answer("head.queries", "100", "4096");
    ask(NameStudent{"Ada"});
    const Result<GradedSheet> graded = grade_all(*desk().sheet, answers_of(desk()));
    ASSERT_TRUE(graded);
    EXPECT_EQ(graded->student, "Ada");
    EXPECT_EQ(graded->right, 1);
}

std::string sheet_text(const std::string& model, const std::string& of_question, const std::string& ask) {
    return R"({"title": "T", "architecture": )" + model +
           R"(, "questions": [{"id": "a", "title": "A", "kind": "count", "ask": ")" + ask + R"(", )" + of_question +
           R"("answer": "d"}]})";
}

TEST_F(AtTheDesk, ASheetThatTheOwnModelCannotHaveIsTriedAgainWithTheNextModel) {
    testing_data::Scratch scratch;
    const Architecture whole = session.document.architecture;
    Architecture broken = whole;
    broken.dim = 0;
    Desk mine;
    mine.kept.sheet.worksheet = scratch.file("mine.json", sheet_text("\"own\"", "", "How wide?"));
    open_desk(mine, all_presets(), whole);
    ASSERT_TRUE(mine.sheet) << mine.problem;
    open_desk(mine, all_presets(), broken);
    EXPECT_FALSE(mine.sheet);
    open_desk(mine, all_presets(), whole);
    EXPECT_TRUE(mine.sheet) << mine.problem;
}

TEST_F(AtTheDesk, ASingleQuestionMayBeAboutTheOwnModel) {
    testing_data::Scratch scratch;
    Architecture narrow = find_preset(all_presets(), "gpt2")->architecture;
    Desk mine;
    mine.kept.sheet.worksheet =
        scratch.file("mine.json", sheet_text("\"llama-2-7b\"", R"("architecture": "own", )", "How wide?"));
    open_desk(mine, all_presets(), narrow);
    ASSERT_TRUE(mine.sheet) << mine.problem;
    EXPECT_EQ(mine.sheet->questions[0].model->architecture.dim, narrow.dim);
}

TEST_F(AtTheDesk, ASheetIsLeftAndFoundAgainWithItsNumbers) {
    ask(OpenSheet{"1-one-head", 7});
    ask(OpenSheet{"7-first-matrix", {}});
    EXPECT_EQ(desk().kept.as_left("1-one-head").seed, 7U);
    EXPECT_EQ(value_from<DeskState>(nlohmann::json(json_of(desk().kept))).as_left("1-one-head").seed, 7U);
    ask(OpenSheet{"1-one-head", {}});
    ask(OpenSheet{"7-first-matrix", {}});
    EXPECT_FALSE(desk().kept.as_left("1-one-head").seed);
}

TEST_F(AtTheDesk, AWholeShapeInOneSideStaysThere) {
    for (const char* typed : {"100 × 4096", "100 x 4096", "100 × "}) {
        const auto [rows, columns] = shape_sides(shape_text(typed, ""));
        EXPECT_EQ(columns, "") << typed;
        EXPECT_TRUE(rows.starts_with("100")) << rows;
    }
    for (const char* typed : {"(100 × 4096)", "100 x 4096", "100 × 4096"}) {
        ask(GiveAnswer{"head.input", typed});
        EXPECT_EQ(of("head.input").fields[0].text, "100") << typed;
        EXPECT_EQ(of("head.input").fields[1].text, "4096") << typed;
    }
}

TEST_F(AtTheDesk, ASheetReadAgainFromAnEditedFileIsAChangeOfTheView) {
    testing_data::Scratch scratch;
    const std::string path = scratch.file("mine.json", sheet_text("\"llama-2-7b\"", "", "How wide?"));
    headcount::apply(session, Intents{OpenFile{path}});
    ASSERT_TRUE(desk().sheet) << session.view.notice.text;
    scratch.file("mine.json", sheet_text("\"llama-2-7b\"", "", "How wide is it?"));
    EXPECT_TRUE(headcount::apply(session, Intents{OpenFile{path}}).view_changed);
    EXPECT_EQ(desk().question()->ask, "How wide is it?");
}

TEST_F(AtTheDesk, TheFlowOfAQuestionIsWorkedOutOnce) {
    const Flow* const flow = &desk().flow();
    EXPECT_FALSE(flow->boxes.empty());
    ask(NameStudent{"Ada"});
    EXPECT_EQ(&desk().flow(), flow);
}

}  // namespace
}  // namespace headcount
