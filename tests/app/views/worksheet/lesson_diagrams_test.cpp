// Claims about the diagrams beside lessons: a press in a worksheet's is an answer, one in a claim's looks around.
#include "tests/app/views/worksheet/student.hpp"

namespace headcount {
namespace {

using test::Student;

Intents draw_flat_diagram(const Ui& ui, const Session& session) {
    return draw_worksheet_diagram(ui, session.desk, session.view, {});
}

constexpr std::string_view pointed = "canvas.layer.feed_forward.up.weight";

std::size_t question_to_point_at(std::string_view sheet) {
    Desk desk;
    desk.kept.sheet.worksheet = sheet;
    open_desk(desk, test::all_presets(), test::all_presets().front().architecture);
    for (std::size_t i = 0; i < desk.sheet->questions.size(); ++i)
        if (desk.sheet->questions[i].kind == QuestionKind::select) return i;
    ADD_FAILURE() << "nothing is pointed at in " << sheet;
    return 0;
}

TEST(LessonDiagrams, APressIsTheAnswerOnceItIsSureThatItIsNoDoubleClick) {
    Student student("7-first-matrix", question_to_point_at("7-first-matrix"), draw_flat_diagram);
    const std::string id = student.blank().id;
    ASSERT_TRUE(student.has(pointed));
    student.bench.press(pointed);
    EXPECT_EQ(student.of(id).fields[0].text, "") << "a second press may follow";
    student.bench.frames(60);
    EXPECT_EQ(student.of(id).fields[0].text, "layer.feed_forward.up.weight");
    EXPECT_EQ(student.mark(id), Mark::right);
}

TEST(LessonDiagrams, ADoubleClickGoesNearerAndAnswersNothing) {
    Student student("7-first-matrix", question_to_point_at("7-first-matrix"), draw_flat_diagram);
    const std::string id = student.blank().id;
    student.bench.double_press(pointed);
    student.bench.frames(60);
    EXPECT_EQ(student.of(id).fields[0].text, "");
}

TEST(LessonDiagrams, WhoHasTheAnswerOnlyLooksAround) {
    Student student("7-first-matrix", question_to_point_at("7-first-matrix"), draw_flat_diagram);
    const std::string id = student.blank().id;
    headcount::apply(student.bench.session, Intents{AtDesk{ShowAnswer{id}}});
    student.bench.frames(60);
    if (student.has(pointed)) student.bench.press(pointed);
    student.bench.frames(60);
    EXPECT_EQ(student.of(id).fields[0].text, "");
}

// Grouped queries are heads in groups, and no bar of length 4.
TEST(LessonDiagrams, WhatAQuestionSaysIsLitFromTheStart) {
    Student student("5-kv-cache", 0, test::draw_card);
    ASSERT_EQ(student.blank().id, "shared");
    EXPECT_TRUE(shows_diagram(student.desk()));
    EXPECT_EQ(student.bench.session.desk.model->look.asked_for.id, "layer.attention")
        << "all heads, and not how many share";
    headcount::apply(student.bench.session,
                     Intents{AtDesk{GiveAnswer{"shared", "3"}}, AtDesk{CheckFields{{"shared"}}}});
    student.bench.frames(2);
    EXPECT_FALSE(student.has("worksheet.drawing"));
    headcount::apply(student.bench.session, Intents{AtDesk{OpenSheet{"1-one-head", {}}}, AtDesk{ShowQuestion{2}}});
    student.bench.frames(2);
    EXPECT_EQ(subject_key(student.bench.session.desk.model->look.selection), "layer.attention.head.scores");
}

TEST(LessonDiagrams, APressInAQuestionOfNumbersAnswersNothing) {
    Student student("1-one-head", 0, draw_flat_diagram);
    ASSERT_TRUE(student.has("canvas.layer.attention.query.weight"));
    student.bench.press("canvas.layer.attention.query.weight");
    student.bench.frames(60);
    EXPECT_TRUE(student.desk().progress().given.empty());
}

// The list of sheets has those with other numbers that have answers, and leads back to them.
TEST(SeedMenu, LeadsBackToTheNumbersThatWereAnswered) {
    Student student("1-one-head", 0, test::of_desk<draw_worksheet_list>);
    Session& session = student.bench.session;
    headcount::apply(session, Intents{AtDesk{OpenSheet{"1-one-head", 7}}, AtDesk{GiveAnswer{"head.input", "1 × 2"}},
                                      AtDesk{OpenSheet{"1-one-head", {}}}});
    student.bench.frames(2);
    ASSERT_FALSE(student.desk().kept.sheet.seed);
    student.bench.press("worksheet.sheets");
    student.bench.frames(3);
    ASSERT_TRUE(student.has("worksheet.sheets.1")) << "the sheet as written, then with the numbers of 7";
    student.bench.press("worksheet.sheets.1");
    student.bench.frames(2);
    EXPECT_EQ(student.desk().kept.sheet, (SheetChoice{"1-one-head", 7}));
    EXPECT_EQ(student.of("head.input").fields[0].text, "1");
    ASSERT_TRUE(student.has("worksheet.own_numbers"));
    student.bench.frames(60);
    student.bench.press("worksheet.own_numbers");
    EXPECT_FALSE(student.desk().kept.sheet.seed);
}

}  // namespace
}  // namespace headcount
