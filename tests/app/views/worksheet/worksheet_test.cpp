// Claims about a question of the Worksheet view: a student types, presses and asks, and is answered.
#include "app/ui/veil.hpp"
#include "tests/app/views/worksheet/student.hpp"

namespace headcount {
namespace {

using test::Student;

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

TEST(Worksheet, SevenShapesAndCheckAreInSightTogetherInAWindowOf1280By720) {
    Student student("1-one-head");
    const auto rect = [&](const char* name) { return *student.bench.screen.recorder.find(name); };
    const float roomy = rect("worksheet.row.head.queries").max.y - rect("worksheet.row.head.queries").min.y;
    student.bench.screen.window = ImVec2(558, 622);
    student.bench.frames(3);
    EXPECT_GE(rect("worksheet.ask").min.y, 0);
    EXPECT_LE(rect("worksheet.check").max.y, 622);
    EXPECT_LT(rect("worksheet.row.head.queries").max.y - rect("worksheet.row.head.queries").min.y, roomy);
    Student few("5-kv-cache", 1);
    few.bench.screen.window = ImVec2(558, 622);
    few.bench.frames(3);
    const NamedRect row = *few.bench.screen.recorder.find("worksheet.row.shapes.queries");
    EXPECT_EQ(row.max.y - row.min.y, roomy) << "four have room";
}

TEST(Worksheet, SevenShapesAndCheckAreInSightTogetherBeforeAClassToo) {
    Student student("1-one-head");
    const ImVec2 size(603, 478);  // of a window of 1280x720, whose interface is larger then
    student.bench.screen.window = size;
    student.bench.frames(3);
    for (const char* const name : {"worksheet.ask", "worksheet.row.head.output", "worksheet.check"}) {
        const NamedRect rect = *student.bench.screen.recorder.find(name);
        EXPECT_GE(rect.min.y, 0) << name;
        EXPECT_LE(rect.max.y, size.y) << name;
    }
    EXPECT_TRUE(student.has("worksheet.about")) << "further below";
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

TEST(Worksheet, TabGoesFromAWrongFieldToTheNextAndToShowMeBehindTheLast) {
    Student student("1-one-head");
    student.bench.press("worksheet.head.queries.columns");
    student.write("4096");
    student.stroke(ImGuiKey_Enter);
    ASSERT_TRUE(student.has("worksheet.hint.head.queries.show"));
    student.bench.press("worksheet.head.queries.columns");
    student.stroke(ImGuiKey_Tab);
    student.write("7");
    EXPECT_EQ(student.of("head.keys").fields[0].text, "7");
    student.bench.press("worksheet.head.output.columns");
    student.stroke(ImGuiKey_Tab);
    student.stroke(ImGuiKey_Enter);
    EXPECT_TRUE(student.of("head.queries").shown);
}

TEST(Worksheet, AWholeShapeTypedIntoTheFirstFieldIsTakenApart) {
    Student student("1-one-head");
    student.bench.press("worksheet.head.input.rows");
    student.write("100 x 4096");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.of("head.input").fields[1].text, "4096");
    EXPECT_TRUE(student.of("head.input").right());
}

TEST(Worksheet, BehindAWholeShapeTabGoesToTheNextRow) {
    Student student("1-one-head");
    student.bench.press("worksheet.head.input.rows");
    student.write("100 x 4096");
    student.stroke(ImGuiKey_Tab);
    EXPECT_TRUE(student.of("head.input").right());
    student.write("100");
    EXPECT_EQ(student.of("head.input").fields[1].text, "4096");
    EXPECT_EQ(student.of("head.queries").fields[0].text, "100");
    student.stroke(ImGuiKey_Tab);
    student.write("12");
    EXPECT_EQ(student.of("head.queries").fields[1].text, "12") << "one side leads to the other";
}

TEST(Worksheet, EnterStaysInALastFieldThatIsNotRight) {
    Student student("2-why-7b");
    const std::string id = student.blank().id;
    student.bench.press("worksheet." + id);
    student.write("10923");
    student.stroke(ImGuiKey_Enter);
    ASSERT_EQ(student.mark(id), Mark::wrong);
    student.write("11,008");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.mark(id), Mark::right) << student.of(id).fields[0].text;
    student.write("7");
    EXPECT_EQ(student.of(id).fields[0].text, "11,008") << "what is right is left";
    Student shapes("1-one-head");
    shapes.bench.press("worksheet.head.output.columns");
    shapes.write("128");
    shapes.stroke(ImGuiKey_Enter);
    shapes.write("4096");
    shapes.stroke(ImGuiKey_Enter);
    EXPECT_EQ(shapes.mark("head.output", 1), Mark::right) << shapes.of("head.output").fields[1].text;
}

TEST(Worksheet, AWholeShapeTypedAgainIsTakenApartAgain) {
    Student student("1-one-head");
    student.bench.press("worksheet.head.queries.rows");
    student.write("100 x 4096");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.mark("head.queries", 1), Mark::wrong);
    student.bench.press("worksheet.head.queries.rows");
    student.stroke(ImGuiKey_End);
    for (int i = 0; i < 3; ++i) student.stroke(ImGuiKey_Backspace);
    student.write("100 x 128");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.of("head.queries").fields[0].text, "100");
    EXPECT_TRUE(student.of("head.queries").right()) << student.of("head.queries").fields[1].text;
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

TEST(Worksheet, ACheckWithoutAnAnswerSaysThatOneIsMissing) {
    for (const char* sheet : {"7-first-matrix", "2-why-7b", "5-kv-cache"}) {
        Student student(sheet);
        student.bench.press("worksheet.check");
        EXPECT_EQ(student.bench.session.view.notice.text, "Give an answer first: there is none to be checked.")
            << sheet;
    }
    Student order("7-first-matrix", question_of("7-first-matrix", QuestionKind::order));
    order.bench.press("worksheet.check");
    EXPECT_EQ(order.bench.session.view.notice.text, "") << "the order that is shown is an answer";
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
    student.bench.press("worksheet.ask");  // a press in the diagram leaves the field, too
    headcount::apply(student.bench.session, Intents{AtDesk{GiveAnswer{id, "layer.feed_forward.up.weight"}}});
    student.bench.frames(2);
    student.bench.press("worksheet.check");
    EXPECT_EQ(student.mark(id), Mark::right);
}

TEST(Worksheet, TheFirstQuestionHasTheSheetsIntroduction) {
    Student student("1-one-head");
    EXPECT_TRUE(student.has("worksheet.about"));
    Student later("1-one-head", 1);
    EXPECT_FALSE(later.has("worksheet.about"));
}

TEST(Worksheet, AHintIsOfTheRowThatOneIsIn) {
    Student student("1-one-head");
    student.bench.press("worksheet.head.keys.rows");
    student.bench.press("worksheet.ask_hint");
    student.bench.frames(2);
    EXPECT_TRUE(student.has("worksheet.told.head.keys"));
    EXPECT_FALSE(student.has("worksheet.told.head.values"));
    EXPECT_TRUE(student.has("worksheet.hint")) << "what is said of the whole question";
    student.bench.press("worksheet.ask_hint");
    student.bench.frames(2);
    EXPECT_TRUE(student.has("worksheet.told.head.input")) << "the next that is open";
    headcount::apply(student.bench.session, Intents{AtDesk{StartOver{}}});
    student.bench.frames(2);
    EXPECT_FALSE(student.has("worksheet.told.head.keys"));
}

TEST(Worksheet, NoHintButtonStandsThereThatDoesNothing) {
    Student student("1-one-head", 1);  // own words, without a hint
    EXPECT_FALSE(student.has("worksheet.ask_hint"));
    Student shapes("1-one-head");
    for (const Blank& blank : shapes.desk().question()->blanks) {
        shapes.bench.frames(2);
        EXPECT_TRUE(shapes.has("worksheet.ask_hint")) << blank.id;
        headcount::apply(shapes.bench.session, Intents{AtDesk{AskHint{blank.id}}});
    }
    shapes.bench.frames(2);
    EXPECT_FALSE(shapes.has("worksheet.ask_hint"));
}

TEST(Worksheet, AFormulaHasAHintThatDoesNotSayIt) {
    Student student("2-why-7b", question_of("2-why-7b", QuestionKind::formula));
    const std::string id = student.blank().id;
    student.bench.press("worksheet." + id);
    student.write("V*d");
    student.stroke(ImGuiKey_Enter);
    EXPECT_EQ(student.mark(id), Mark::wrong);
    ASSERT_TRUE(student.has("worksheet.hint." + id));
    EXPECT_NE(student.of(id).grade.hint.find("131,072,000"), std::string::npos) << student.of(id).grade.hint;
    EXPECT_EQ(student.of(id).grade.hint.find("2·V·d"), std::string::npos) << student.of(id).grade.hint;
}

TEST(Worksheet, APastedShapeWithItsSignIsTakenApart) {
    for (const char* pasted : {"100 × 4096", "100×4,096"}) {
        Student student("1-one-head");
        student.bench.press("worksheet.head.input.rows");
        student.write(pasted);
        student.stroke(ImGuiKey_Enter);
        EXPECT_TRUE(student.of("head.input").right()) << pasted;
    }
}

TEST(Worksheet, WordsThatAreTooLongEndWithAWholeLetter) {
    Student student("1-one-head", 1);
    const std::string id = student.blank().id;
    std::string words(19'999, 'a');
    headcount::apply(student.bench.session, Intents{AtDesk{GiveAnswer{id, words}}});
    student.bench.frames(2);
    student.bench.press("worksheet." + id);
    student.stroke(ImGuiKey_End);
    student.write("ü");  // two bytes, of which one has room
    student.bench.frames(2);
    EXPECT_EQ(student.of(id).fields[0].text, words);
}

TEST(Worksheet, WhatWasPointedAtIsShownByItsName) {
    Student student("7-first-matrix", question_of("7-first-matrix", QuestionKind::select));
    const std::string id = student.blank().id;
    headcount::apply(student.bench.session, Intents{AtDesk{GiveAnswer{id, "layer.feed_forward.up.weight"}}});
    student.bench.frames(2);
    std::string text;
    Veil nothing_hidden;
    student.bench.screen.frame([&](const Ui& ui) {
        nothing_hidden.beside = &text;
        const VeilOver over(nothing_hidden);
        draw_worksheet_question(ui, student.desk());
    });
    EXPECT_EQ(text.find("layer.feed_forward"), std::string::npos) << text;
    EXPECT_NE(text.find(": Lifts each token"), std::string::npos) << text;
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

}  // namespace
}  // namespace headcount
