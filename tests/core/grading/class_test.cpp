// A folder of answers graded as one: who is in it, what could not be graded, and the table as a file.
#include "core/grading/class.hpp"

#include "tests/support/class.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(Class, OneBadFileKeepsNoOtherFromItsGrades) {
    const Scratch scratch;
    const Sheet sheet = shipped("1-one-head");
    scratch.file("class/bob.json", R"({"worksheet": "1-one-head", "student": "Bob", "answers":
        {"head.queries": "100 x 4096"}})");
    scratch.file("class/ada.csv", "question,answer\nhead.queries,100 x 128\n");
    scratch.file("class/eve.json", "{");
    const Result<ClassGrades> grades = grade_class(sheet, scratch.folder() / "class");
    ASSERT_TRUE(grades) << sentence(grades.error());
    ASSERT_EQ(grades->all.size(), 2u);
    EXPECT_EQ(grades->all[0].student, "ada");
    EXPECT_EQ(grades->all[0].right, 1);
    EXPECT_EQ(grades->all[1].right, 0);
    ASSERT_EQ(grades->failures.size(), 1u);
    EXPECT_NE(grades->failures[0].find("eve.json"), std::string::npos);
    EXPECT_EQ(grades->failed, 1u);
    const std::vector<MadeMistake> mistakes = mistakes_of(grades->all);
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_EQ(mistakes[0].students, 1);
    EXPECT_EQ(worksheet_of_answers(scratch.folder() / "class"), "1-one-head");
    const std::string text = class_csv(sheet, grades->all);
    EXPECT_EQ(text.substr(0, text.find('\n') + 1).find("student,right,of,head.input"), 0u) << text;
    EXPECT_NE(text.find("\r\nada,1,"), std::string::npos) << text;
}

TEST(Class, StudentsOfOneNameHaveTheirFilesBehindIt) {
    const Scratch scratch;
    for (const char* file : {"class/one.json", "class/two.json"})
        scratch.file(file, R"({"student": "Ada", "answers": {"head.queries": "100 x 128"}})");
    scratch.file("class/bob.json", R"({"student": "Bob", "answers": {"head.queries": "1"}})");
    const Result<ClassGrades> grades = grade_class(shipped("1-one-head"), scratch.folder() / "class");
    ASSERT_TRUE(grades) << sentence(grades.error());
    std::vector<std::string> students;
    for (const GradedSheet& each : grades->all) students.push_back(each.student);
    EXPECT_EQ(students, (std::vector<std::string>{"Bob", "Ada (one.json)", "Ada (two.json)"}));
}

TEST(Class, AFileThatIsCalledJsonIsExplainedAsThat) {
    const Scratch scratch;
    scratch.file("list.json", R"([{"student": "Eve", "answers": {}}])");
    scratch.file("words.json", "head.queries: 100 x 128");
    for (const char* name : {"list.json", "words.json"}) {
        SCOPED_TRACE(name);
        const Result<ClassGrades> grades = grade_class(shipped("1-one-head"), scratch.folder() / name);
        ASSERT_TRUE(grades && grades->failures.size() == 1);
        EXPECT_NE(grades->failures[0].find("JSON"), std::string::npos) << grades->failures[0];
        EXPECT_EQ(grades->failures[0].find("columns"), std::string::npos) << grades->failures[0];
        EXPECT_EQ(grades->failures[0].find("first line"), std::string::npos) << grades->failures[0];
    }
}

TEST(Class, OnlyAFolderOfAnswersIsOne) {
    const Scratch scratch;
    scratch.file("notes/todo.json", R"({"buy": "milk"})");
    EXPECT_EQ(worksheet_of_answers(scratch.folder() / "notes"), std::nullopt);
    EXPECT_EQ(worksheet_of_answers(scratch.folder()), std::nullopt) << "nothing in it";
    EXPECT_EQ(worksheet_of_answers(scratch.folder() / "nowhere"), std::nullopt);
    scratch.file("forms/class.csv", "student,head.queries\nAda,100 x 128\n");
    EXPECT_EQ(worksheet_of_answers(scratch.folder() / "forms"), "") << "it does not say to which sheet";
}

}  // namespace
}  // namespace headcount
