// Claims about the Worksheet view: a student types, presses and asks, and the panels answer.
#include <imgui_internal.h>

#include "app/panels/file_texts.hpp"
#include "app/panels/worksheet_view.hpp"
#include "tests/app/panels/workbench.hpp"

namespace headcount {
namespace {

using test::Workbench;

const ImVec2 middle(700, 900);

// The question in the middle, of a sheet, as a student sees it.
class Student {
  public:
    explicit Student(const std::string& sheet, std::size_t question = 0, test::DrawPanel draw = draw_worksheet_question)
        : bench(draw, "llama-2-7b", middle) {
        headcount::apply(bench.session, Intents{ShowWorkspace{Workspace::worksheet}, AtDesk{OpenSheet{sheet, {}}},
                                                AtDesk{ShowQuestion{question}}});
        bench.frames(3);
    }

    const Desk& desk() const { return bench.session.desk; }
    const Blank& blank(std::size_t at = 0) const { return desk().question()->blanks.at(at); }
    const AnsweredBlank& of(const std::string& id) const { return desk().of(*desk().sheet->find(id)); }
    Mark mark(const std::string& id, std::size_t field = 0) const { return of(id).fields.at(field).mark; }
    void stroke(ImGuiKey key) {
        bench.screen.hands.key(key, true);
        bench.frame();
        bench.screen.hands.key(key, false);
        bench.frames(3);
    }
    void write(std::string_view text) {
        bench.screen.hands.text(text);
        bench.frame();
    }
    bool has(std::string_view name) const { return bench.has(name); }

    Workbench bench;
};

TEST(Worksheet, AWrongShapeIsExplainedBelowItAndTheRightOneIsMarked) {
    Student student("1-one-head");
    student.bench.press("worksheet.head.queries.rows");
    student.write("100");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.mark("head.queries"), Mark::right);
    student.write("4096");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.mark("head.queries", 1), Mark::wrong);
    EXPECT_TRUE(student.has("worksheet.hint.head.queries"));
    student.bench.press("worksheet.head.queries.columns");
    student.stroke(ImGuiKey_End);
    for (int i = 0; i < 4; ++i) student.stroke(ImGuiKey_Backspace);
    student.write("128");
    student.stroke(ImGuiKey_Enter);
    EXPECT_TRUE(student.of("head.queries").right()) << student.of("head.queries").fields[1].text;
    EXPECT_FALSE(student.has("worksheet.hint.head.queries"));
}

TEST(Worksheet, TabGoesFromFieldToFieldAndChecksWhatItLeaves) {
    Student student("1-one-head");
    student.bench.press("worksheet.head.input.rows");
    student.write("100");
    student.stroke(ImGuiKey_Tab);
    student.write("4096");
    student.stroke(ImGuiKey_Tab);
    EXPECT_TRUE(student.of("head.input").right());
    student.write("100");
    EXPECT_EQ(student.of("head.queries").fields[0].text, "100");
}

TEST(Worksheet, AWholeShapeTypedIntoTheFirstFieldIsTakenApart) {
    Student student("1-one-head");
    student.bench.press("worksheet.head.input.rows");
    student.write("100 x 4096");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.of("head.input").fields[1].text, "4096");
    EXPECT_TRUE(student.of("head.input").right());
}

TEST(Worksheet, ShowMeGivesTheDerivation) {
    Student student("1-one-head");
    student.bench.press("worksheet.head.queries.columns");
    student.write("4096");
    student.stroke(ImGuiKey_Enter);
    ASSERT_TRUE(student.has("worksheet.hint.head.queries.show"));
    student.bench.press("worksheet.hint.head.queries.show");
    student.bench.frames(2);
    EXPECT_TRUE(student.of("head.queries").shown);
    EXPECT_TRUE(student.has("worksheet.answer.head.queries"));
}

TEST(Worksheet, AtTheEndNothingIsMarkedBeforeOneAsks) {
    Student student("1-one-head");
    headcount::apply(student.bench.session, Intents{AtDesk{CheckAtEnd{true}}});
    student.bench.frames(2);
    student.bench.press("worksheet.head.input.rows");
    student.write("7");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.mark("head.input"), Mark::typed);
    student.bench.press("worksheet.check");
    EXPECT_EQ(student.mark("head.input"), Mark::wrong);
}

TEST(Worksheet, ANumberIsTypedInAnyForm) {
    Student student("2-why-7b");
    const std::string id = student.blank().id;
    student.bench.press("worksheet." + id);
    student.write("10923");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.mark(id), Mark::wrong);
    EXPECT_TRUE(student.has("worksheet.hint." + id));
    student.bench.press("worksheet." + id);
    student.stroke(ImGuiKey_End);
    for (int i = 0; i < 5; ++i) student.stroke(ImGuiKey_Backspace);
    student.write("11,008");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.mark(id), Mark::right) << student.of(id).fields[0].text;
}

std::size_t question_of(std::string_view sheet, QuestionKind kind) {
    Desk desk;
    desk.kept.sheet.worksheet = sheet;
    open_desk(desk, test::all_presets(), test::all_presets().front().architecture);
    for (std::size_t i = 0; i < desk.sheet->questions.size(); ++i)
        if (desk.sheet->questions[i].kind == kind) return i;
    ADD_FAILURE() << "no such question in " << sheet;
    return 0;
}

TEST(Worksheet, OneOfSeveralIsChosenByAPress) {
    Student student("2-why-7b", question_of("2-why-7b", QuestionKind::choice));
    const std::string id = student.blank().id, right = right_answer(*student.desk().question(), student.blank());
    const std::string wrong = right == "a" ? "b" : "a";
    student.bench.press("worksheet." + id + "." + wrong);
    EXPECT_EQ(student.mark(id), Mark::wrong);
    student.bench.frames(60);
    student.bench.press("worksheet." + id + "." + right);
    EXPECT_EQ(student.mark(id), Mark::right);
}

TEST(Worksheet, StepsArePutInOrderWithTheirButtons) {
    Student student("7-first-matrix", question_of("7-first-matrix", QuestionKind::order));
    const Blank& blank = student.blank();
    const std::vector<std::size_t> right = std::get<OrderAnswer>(blank.answer).right;
    std::vector<std::size_t> now(right.size());
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = i;
    for (std::size_t at = 0; at < right.size(); ++at) {
        auto from = static_cast<std::size_t>(std::find(now.begin(), now.end(), right[at]) - now.begin());
        for (; from > at; --from) {
            student.bench.press("worksheet.step." + std::to_string(from) + ".up");
            student.bench.frames(40);
            std::swap(now[from], now[from - 1]);
        }
    }
    student.bench.press("worksheet.check");
    EXPECT_EQ(student.mark(blank.id), Mark::right) << student.of(blank.id).fields[0].text;
}

TEST(Worksheet, AFormulaIsTypedInSymbols) {
    Student student("2-why-7b", question_of("2-why-7b", QuestionKind::formula));
    const std::string id = student.blank().id;
    student.bench.press("worksheet." + id);
    student.write("2*V*d");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.mark(id), Mark::right) << student.of(id).grade.hint;
}

TEST(Worksheet, OwnWordsAreKeptAsTheyAreTyped) {
    Student student("1-one-head", 1);
    const std::string id = student.blank().id;
    std::string words;
    for (int i = 0; i < 40; ++i) words += "each token asks ";
    words += "and answers";
    student.bench.press("worksheet." + id);
    student.write(words);
    student.bench.frames(2);
    EXPECT_EQ(student.of(id).fields[0].text, words) << "breaks that nobody typed are not kept";
}

TEST(Worksheet, SomethingIsPointedAtOrNamed) {
    Student student("7-first-matrix", question_of("7-first-matrix", QuestionKind::select));
    const std::string id = student.blank().id;
    student.bench.press("worksheet." + id);
    student.write("layer.feed_forward.down.weight");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.mark(id), Mark::wrong);
    headcount::apply(student.bench.session, Intents{AtDesk{GiveAnswer{id, "layer.feed_forward.up.weight"}}});
    student.bench.frames(2);
    student.bench.press("worksheet.check");
    EXPECT_EQ(student.mark(id), Mark::right);
}

TEST(Worksheet, StartingOverIsAskedTwice) {
    Student student("1-one-head");
    student.bench.press("worksheet.head.input.rows");
    student.write("100");
    student.stroke(ImGuiKey_Enter);
    student.bench.press("worksheet.start_over");
    EXPECT_EQ(student.mark("head.input"), Mark::right);
    student.bench.frames(40);
    student.bench.press("worksheet.start_over");
    EXPECT_EQ(student.mark("head.input"), Mark::empty);
}

TEST(Worksheet, TheListLeadsToAQuestionAndKeepsTheName) {
    Student student("1-one-head", 0, draw_worksheet_list);
    student.bench.press("worksheet.question.3");
    EXPECT_EQ(student.desk().progress().question, 2U);
    student.bench.press("worksheet.name");
    student.write("Ada");
    student.bench.frames(2);
    EXPECT_EQ(student.desk().kept.student, "Ada");
}

TEST(Worksheet, TheNextStudentsResetIsAskedTwice) {
    Student student("1-one-head", 0, draw_worksheet_list);
    headcount::apply(student.bench.session, Intents{AtDesk{NameStudent{"Ada"}}});
    student.bench.press("worksheet.reset");
    EXPECT_EQ(student.desk().kept.student, "Ada");
    student.bench.frames(40);
    student.bench.press("worksheet.reset");
    EXPECT_EQ(student.desk().kept.student, "");
}

TEST(Worksheet, TheKeyAndNewNumbersAreInTheHeader) {
    Workbench bench(draw_worksheet_header, "llama-2-7b", ImVec2(1600, 48));
    headcount::apply(bench.session, Intents{ShowWorkspace{Workspace::worksheet}});
    bench.frames(2);
    bench.press("worksheet.key");
    EXPECT_TRUE(bench.session.desk.kept.key);
    bench.press("worksheet.new_numbers");
    EXPECT_TRUE(bench.session.desk.kept.sheet.seed.has_value());
    EXPECT_EQ(bench.session.desk.sheet->seed, bench.session.desk.kept.sheet.seed);
}

TEST(Worksheet, PrintAndExportAskForAFile) {
    for (const auto& [name, task] :
         {std::pair("worksheet.print", FileTask::key_html), {"worksheet.export", FileTask::answers_csv}}) {
        SCOPED_TRACE(name);
        Workbench bench(draw_worksheet_header, "llama-2-7b", ImVec2(1600, 48));
        headcount::apply(bench.session, Intents{ShowWorkspace{Workspace::worksheet}});
        bench.frames(2);
        bench.press(name);
        bench.frames(3);
        const std::string entry = std::string(name) + "." + std::string(info(task).key);
        ASSERT_TRUE(bench.has(entry));
        bench.press(entry);
        EXPECT_EQ(bench.session.view.task, task);
    }
}

TEST(Worksheet, TheKeyHasTheAnswersAndTheDiagramAndTheSheetHasNeither) {
    Student student("5-kv-cache");
    const Ui ui = student.bench.screen.ui();
    const Result<std::string> sheet = file_text(ui, student.bench.session, FileTask::sheet_html);
    const Result<std::string> key = file_text(ui, student.bench.session, FileTask::key_html);
    ASSERT_TRUE(sheet && key);
    EXPECT_NE(key->find("1024"), std::string::npos);
    EXPECT_NE(key->find("data-id=\"layer.attention.key.weight\""), std::string::npos) << "no diagram";
    EXPECT_EQ(sheet->find("data-id"), std::string::npos);
    EXPECT_EQ(sheet->find("class=\"right\""), std::string::npos);
}

TEST(Worksheet, AnswersAreExportedWithTheNameInTheFilesName) {
    Student student("1-one-head");
    headcount::apply(student.bench.session, Intents{AtDesk{NameStudent{"Ada L."}},
                                                    AtDesk{GiveAnswer{"head.input", shape_text("100", "4096")}}});
    const Ui ui = student.bench.screen.ui();
    EXPECT_EQ(proposed_name(student.bench.session, FileTask::answers_csv), "1-one-head-answers-ada-l.csv");
    EXPECT_NE(file_text(ui, student.bench.session, FileTask::answers_csv)->find("head.input,100"), std::string::npos);
    EXPECT_NE(file_text(ui, student.bench.session, FileTask::answers_json)->find("Ada L."), std::string::npos);
    EXPECT_NE(file_text(ui, student.bench.session, FileTask::answers_markdown)->find("1 of 7 right"), std::string::npos)
        << *file_text(ui, student.bench.session, FileTask::answers_markdown);
}

TEST(Worksheet, TheTotalIsCoveredWhileASheetAsksForIt) {
    Student student("2-why-7b");
    {
        const HiddenAnswers hidden(student.bench.session);
        EXPECT_EQ(covered_text("6,738,415,616"), "?");
    }
    EXPECT_EQ(covered_text("6,738,415,616"), "6,738,415,616");
    headcount::apply(student.bench.session, Intents{AtDesk{ShowKey{true}}});
    const HiddenAnswers hidden(student.bench.session);
    EXPECT_EQ(covered_text("6,738,415,616"), "6,738,415,616");
}

TEST(Worksheet, TheCardDrawsAWrongAnswerWithoutTellingTheRightOne) {
    Student student("1-one-head", 0, draw_worksheet_card);
    headcount::apply(student.bench.session,
                     Intents{AtDesk{GiveAnswer{"head.queries", shape_text("100", "4096")}},
                             AtDesk{CheckFields{{"head.queries.rows", "head.queries.columns"}}}});
    student.bench.frames(2);
    EXPECT_TRUE(student.has("worksheet.drawing"));
    EXPECT_FALSE(shows_diagram(student.desk()));
}

TEST(Worksheet, TheDiagramComesOnceAllIsFoundOrWithTheKey) {
    Student student("1-one-head");
    EXPECT_FALSE(shows_diagram(student.desk()));
    headcount::apply(student.bench.session, Intents{AtDesk{ShowKey{true}}});
    EXPECT_TRUE(shows_diagram(student.desk()));
}

}  // namespace
}  // namespace headcount
