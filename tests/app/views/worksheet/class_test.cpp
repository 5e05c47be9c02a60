// A class's table as the teacher sees it: who, in which order, with and without names, and where it came from.
#include "tests/app/views/worksheet/student.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using test::Workbench;
using testing_data::Scratch;

class ClassBench {
  public:
    explicit ClassBench(ImVec2 window = ImVec2(1200, 800))
        : bench(test::of_desk<draw_worksheet_class>, "llama-2-7b", window) {
        scratch.file("class/zoe.json", R"({"worksheet": "1-one-head", "student": "Zoe", "answers":
            {"head.queries": "100 x 128", "head.keys": "100 x 128"}})");
        scratch.file("class/adam.json", R"({"worksheet": "1-one-head", "student": "Adam", "answers":
            {"head.queries": "100 x 4096"}})");
        scratch.file("class/broken.json", "{");
        headcount::apply(bench.session, Intents{OpenFile{(scratch.folder() / "class").string()}});
    }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const ClassRow& row : bench.session.desk.pupils.rows()) names.push_back(row.name);
        return names;
    }

    Scratch scratch;
    Workbench bench;
};

TEST(ClassTable, OpensAsAFolderOnTheSheetThatItsAnswersName) {
    ClassBench stage;
    EXPECT_EQ(stage.bench.session.view.workspace, worksheet_view);
    EXPECT_EQ(stage.bench.session.desk.kept.sheet.worksheet, "1-one-head");
    ASSERT_TRUE(stage.bench.session.desk.pupils.answers);
    ASSERT_EQ(stage.bench.session.desk.pupils.answers->grades.failures.size(), 1u);
    EXPECT_NE(stage.bench.session.desk.pupils.answers->grades.failures[0].find("broken.json"), std::string::npos);
    EXPECT_EQ(stage.bench.session.desk.pupils.answers->mistakes.size(), 1u);
    EXPECT_EQ(stage.names(), (std::vector<std::string>{"Adam", "Zoe"}));
    stage.bench.frames(3);
    EXPECT_TRUE(stage.bench.has("worksheet.class.names"));
    headcount::apply(stage.bench.session, Intents{AtDesk{OpenSheet{"2-why-7b", {}}}});
    EXPECT_FALSE(stage.bench.session.desk.pupils.answers) << "they are no answers to another sheet";
}

TEST(ClassTable, IsPresentedWithoutNamesUntilTheyAreAskedFor) {
    ClassBench stage;
    headcount::apply(stage.bench.session, Intents{Present{true}});
    EXPECT_EQ(stage.names(), (std::vector<std::string>{"Student 1", "Student 2"}));
    ClassLook look = stage.bench.session.desk.pupils.look;
    look.names_hidden = false;
    headcount::apply(stage.bench.session, Intents{AtDesk{LookAtClass{look}}});
    EXPECT_EQ(stage.names(), (std::vector<std::string>{"Adam", "Zoe"}));
    headcount::apply(stage.bench.session, Intents{OpenFile{(stage.scratch.folder() / "class").string()}});
    EXPECT_EQ(stage.names().front(), "Student 1") << "another table is another class";
}

TEST(ClassTable, IsInTheOrderOfNamesWhateverTheirLetters) {
    ClassBench stage;
    stage.scratch.file("class/cem.json", R"({"worksheet": "1-one-head", "student": "cem", "answers":
        {"head.queries": "100 x 4096"}})");
    headcount::apply(stage.bench.session, Intents{OpenFile{(stage.scratch.folder() / "class").string()}});
    EXPECT_EQ(stage.names(), (std::vector<std::string>{"Adam", "cem", "Zoe"}));
}

TEST(ClassTable, SaysToWhichSheetAnswersAre) {
    ClassBench stage;
    Scratch other;
    other.file("rows.csv", "student,shared,numbers\nAda,4,1\n");
    headcount::apply(stage.bench.session, Intents{AtDesk{OpenClass{other.folder().string()}}});
    EXPECT_NE(stage.bench.session.view.notice.text.find("they fit “Grouped queries and the KV cache”"),
              std::string::npos)
        << stage.bench.session.view.notice.text;
}

TEST(ClassTable, FewMistakesLeaveTheirRoomToTheStudents) {
    ClassBench stage;
    for (int i = 0; i < 20; ++i)
        stage.scratch.file("class/pupil" + std::to_string(i) + ".json",
                           R"({"worksheet": "1-one-head", "student": "Pupil )" + std::to_string(i) +
                               R"(", "answers": {"head.queries": "100 x 128"}})");
    headcount::apply(stage.bench.session, Intents{OpenFile{(stage.scratch.folder() / "class").string()}});
    stage.bench.frames(3);
    ASSERT_EQ(stage.names().size(), 22U);
    const Recorder& recorder = stage.bench.screen.recorder;
    const NamedRect *const students = recorder.find("worksheet.class"), *const mistakes =
                                                                            recorder.find("worksheet.mistakes");
    ASSERT_TRUE(students && mistakes);
    EXPECT_NE(recorder.find("worksheet.class.row.17"), nullptr) << "in a window of 800 pixels";
    EXPECT_LT(mistakes->min.y - students->max.y, 80) << "nothing is left free between them";
}

TEST(ClassTable, InALowWindowItHasFourRowsAllTheSame) {
    ClassBench stage(ImVec2(800, 340));
    for (int i = 0; i < 4; ++i)
        stage.scratch.file("class/pupil" + std::to_string(i) + ".json",
                           R"({"worksheet": "1-one-head", "student": "Pupil )" + std::to_string(i) +
                               R"(", "answers": {"head.queries": "100 x 128"}})");
    headcount::apply(stage.bench.session, Intents{OpenFile{(stage.scratch.folder() / "class").string()}});
    stage.bench.frames(3);
    const Recorder& recorder = stage.bench.screen.recorder;
    const NamedRect *const last = recorder.find("worksheet.class.row.3"), *const table =
                                                                              recorder.find("worksheet.class");
    ASSERT_TRUE(last && table);
    EXPECT_LE(last->max.y, table->max.y + 1);
}

TEST(ClassTable, AnAnswerToNoQuestionOfTheSheetIsNotedAboveIt) {
    ClassBench stage;
    stage.scratch.file("class/yara.json", R"({"worksheet": "1-one-head", "student": "Yara", "answers":
        {"head.queries": "100 x 128", "head.query": "4"}})");
    headcount::apply(stage.bench.session, Intents{OpenFile{(stage.scratch.folder() / "class").string()}});
    const std::vector<std::string> noted = stage.bench.session.desk.pupils.failures_shown(4);
    ASSERT_EQ(noted.size(), 2U) << "beside the file that is broken";
    EXPECT_NE(noted[1].find("has no question \"head.query\""), std::string::npos) << noted[1];
    EXPECT_NE(noted[1].find("Yara"), std::string::npos);
    stage.bench.frames(3);
    stage.bench.press("worksheet.class.names");
    EXPECT_EQ(stage.bench.session.desk.pupils.failures_shown(4),
              (std::vector<std::string>{"1 could not be graded", "1 answer is to no question"}));
}

// Whether anything in the row of the student is drawn in the colour.
bool has_ink(const ClassBench& stage, int row, ImU32 colour) {
    const NamedRect* const rect = stage.bench.screen.recorder.find("worksheet.class.row." + std::to_string(row));
    if (!rect) return false;
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int i = 0; i < data.CmdListsCount; ++i)
        for (const ImDrawVert& vertex : data.CmdLists[i]->VtxBuffer)
            if (vertex.col == colour && vertex.pos.y >= rect->min.y && vertex.pos.y <= rect->max.y) return true;
    return false;
}

TEST(ClassTable, AQuestionIsGreenOnceAllOfItIsRight) {
    ClassBench stage;
    stage.scratch.file("class/all.json", R"({"worksheet": "1-one-head", "student": "All", "answers":
        {"head.input": "100 x 4096", "head.queries": "100 x 128", "head.keys": "100 x 128", "head.values": "100 x 128",
         "head.scores": "100 x 100", "head.weights": "100 x 100", "head.output": "100 x 4096"}})");
    headcount::apply(stage.bench.session, Intents{OpenFile{(stage.scratch.folder() / "class").string()}});
    stage.bench.frames(3);
    ASSERT_EQ(stage.names(), (std::vector<std::string>{"Adam", "All", "Zoe"}));
    const Theme& theme = stage.bench.screen.theme;
    const ImU32 green = readable(theme, theme.right), red = readable(theme, theme.wrong);
    EXPECT_TRUE(has_ink(stage, 0, red)) << "one wrong";
    EXPECT_TRUE(has_ink(stage, 1, green)) << "all right";
    EXPECT_FALSE(has_ink(stage, 2, green)) << "two right and five empty";
    EXPECT_FALSE(has_ink(stage, 2, red));
}

TEST(ClassTable, HidesNamesWithOnePressAndIsSorted) {
    ClassBench stage;
    stage.bench.frames(3);
    stage.bench.press("worksheet.class.names");
    EXPECT_EQ(stage.names(), (std::vector<std::string>{"Student 1", "Student 2"}));
    EXPECT_EQ(stage.bench.session.desk.pupils.failures_shown(4), (std::vector<std::string>{"1 could not be graded"}))
        << "a file is called after a student";
    EXPECT_EQ(stage.bench.session.desk.pupils.opened_name(), "class");
    stage.bench.press("worksheet.class.names");
    stage.bench.press("worksheet.class.order.1");
    EXPECT_EQ(stage.names(), (std::vector<std::string>{"Zoe", "Adam"})) << "two are right, none is";
    stage.bench.press("worksheet.class.order.2");
    EXPECT_EQ(stage.names(), (std::vector<std::string>{"Adam", "Zoe"}));
    stage.bench.press("worksheet.class.export");
    EXPECT_EQ(stage.bench.session.view.task, FileTask::class_csv);
    headcount::apply(stage.bench.session, Intents{AskForFile{}, AtDesk{OpenClass{stage.scratch.folder().string()}}});
    EXPECT_NE(stage.bench.session.view.notice.text.find("there are no .json"), std::string::npos);
    EXPECT_TRUE(stage.bench.session.desk.pupils.answers) << "what was there stays";
    stage.bench.press("worksheet.class.close");
    EXPECT_FALSE(stage.bench.session.desk.pupils.answers);
}

}  // namespace
}  // namespace headcount
