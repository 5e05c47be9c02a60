// Claims about what stands around a question: the list, the header, what is printed, the diagram.
#include "app/bars/file_texts.hpp"
#include "core/base/svg_text.hpp"
#include "tests/app/views/worksheet/student.hpp"

namespace headcount {
namespace {

using test::Student;
using test::Workbench;

TEST(WorksheetSheet, TheListLeadsToAQuestionAndKeepsTheName) {
    Student student("1-one-head", 0, test::of_desk<draw_worksheet_list>);
    student.bench.press("worksheet.question.3");
    EXPECT_EQ(student.desk().progress().question, 2U);
    student.bench.press("worksheet.name");
    student.write("Ada");
    student.bench.frames(2);
    EXPECT_EQ(student.desk().kept.student, "Ada");
}

TEST(WorksheetSheet, TheNextStudentsResetIsAskedTwice) {
    Student student("1-one-head", 0, test::of_desk<draw_worksheet_list>);
    headcount::apply(student.bench.session, Intents{AtDesk{NameStudent{"Ada"}}});
    student.bench.press("worksheet.reset");
    EXPECT_EQ(student.desk().kept.student, "Ada");
    student.bench.frames(40);
    student.bench.press("worksheet.reset");
    EXPECT_EQ(student.desk().kept.student, "");
}

TEST(WorksheetSheet, TheKeyAndNewNumbersAreInTheHeader) {
    Workbench bench(test::of_desk<draw_worksheet_header>, "llama-2-7b", ImVec2(1600, 48));
    headcount::apply(bench.session, Intents{ShowWorkspace{worksheet_view}});
    bench.frames(2);
    bench.press("worksheet.key");
    EXPECT_TRUE(bench.session.desk.kept.key);
    bench.press("worksheet.new_numbers");
    EXPECT_TRUE(bench.session.desk.kept.sheet.seed.has_value());
    EXPECT_EQ(bench.session.desk.sheet->seed, bench.session.desk.kept.sheet.seed);
}

TEST(WorksheetSheet, TheKeyOpensWithTheWordThatWasSetWhileItWasOpen) {
    Workbench bench(test::of_desk<draw_worksheet_header>, "llama-2-7b", ImVec2(1600, 48));
    headcount::apply(bench.session, Intents{ShowWorkspace{worksheet_view}});
    bench.frames(2);
    const DeskState& kept = bench.session.desk.kept;
    EXPECT_FALSE(bench.has("worksheet.key_word"));
    bench.press("worksheet.key");
    bench.type("worksheet.key_word", "softmax");
    EXPECT_EQ(kept.key_word, "softmax");
    bench.press("worksheet.key");
    EXPECT_FALSE(kept.key);
    EXPECT_FALSE(bench.has("worksheet.key_word"));

    bench.press("worksheet.key");
    EXPECT_FALSE(kept.key) << "it asks for the word";
    bench.type("worksheet.key_word", "softmin");
    EXPECT_FALSE(kept.key);
    EXPECT_FALSE(file_text(bench.screen.ui(), bench.session, FileTask::key_html));
    ASSERT_TRUE(bench.has("worksheet.key_word")) << "for another try";
    bench.frames(4);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "what is typed next is no key of the view";
    bench.type("worksheet.key_word", "softmax");
    EXPECT_TRUE(kept.key);
    EXPECT_TRUE(file_text(bench.screen.ui(), bench.session, FileTask::key_html));
}

TEST(WorksheetSheet, PrintAndExportAskForAFile) {
    for (const auto& [name, task] :
         {std::pair("worksheet.print", FileTask::key_html), {"worksheet.export", FileTask::answers_csv}}) {
        SCOPED_TRACE(name);
        Workbench bench(test::of_desk<draw_worksheet_header>, "llama-2-7b", ImVec2(1600, 48));
        headcount::apply(bench.session, Intents{ShowWorkspace{worksheet_view}});
        bench.frames(2);
        bench.press(name);
        bench.frames(3);
        const std::string entry = std::string(name) + "." + std::string(info(task).key);
        ASSERT_TRUE(bench.has(entry));
        bench.press(entry);
        EXPECT_EQ(bench.session.view.task, task);
    }
}

TEST(WorksheetSheet, IsExportedForLearningPlatforms) {
    Student student("1-one-head");
    Session& session = student.bench.session;
    const Ui ui = student.bench.screen.ui();
    const Result<std::string> moodle = file_text(ui, session, FileTask::moodle);
    ASSERT_TRUE(moodle);
    EXPECT_NE(moodle->find("<quiz>"), std::string::npos);
    EXPECT_NE(moodle->find("picture.svg"), std::string::npos);
    EXPECT_TRUE(file_text(ui, session, FileTask::qti)->starts_with("PK"));
    EXPECT_EQ(proposed_name(session, FileTask::moodle), "1-one-head.xml");
    EXPECT_EQ(proposed_name(session, FileTask::qti), "1-one-head-qti.zip");
    EXPECT_EQ(proposed_name(session, FileTask::scorm), "1-one-head-scorm.zip");
    EXPECT_NE(file_text(ui, session, FileTask::scorm).error().what.find("no address"), std::string::npos);
    session.view.page = "https://example.org/headcount/";
    const Result<std::string> package = file_text(ui, session, FileTask::scorm);
    ASSERT_TRUE(package);
    EXPECT_NE(package->find("https://example.org/headcount/#v=1&amp;view=worksheet&amp;chrome=0&amp;sheet=1-one-head"),
              std::string::npos);
    session.desk.kept.key_word = "softmax";
    EXPECT_FALSE(file_text(ui, session, FileTask::moodle)) << "it has the answers in it";
}

TEST(WorksheetSheet, TheKeyHasTheAnswersAndTheSheetsPicturesHaveNoNumbers) {
    Student student("5-kv-cache");
    const Ui ui = student.bench.screen.ui();
    const Result<std::string> sheet = file_text(ui, student.bench.session, FileTask::sheet_html);
    const Result<std::string> key = file_text(ui, student.bench.session, FileTask::key_html);
    ASSERT_TRUE(sheet && key);
    EXPECT_NE(key->find("1024"), std::string::npos);
    EXPECT_NE(key->find("data-id=\"layer.attention.key.weight\""), std::string::npos) << "no diagram";
    EXPECT_NE(sheet->find("data-id"), std::string::npos) << "no picture";
    for (const char* number : {"24 × 4096", "1024", "524,288", "KiB"})
        EXPECT_EQ(sheet->find(number), std::string::npos) << number;
    EXPECT_EQ(sheet->find("class=\"right\""), std::string::npos);
}

// Both themes print the same: paper is light, and all of the block is on it.
TEST(WorksheetSheet, TheKeysPictureIsLightAndWhole) {
    Student student("1-one-head");
    const Ui ui = student.bench.screen.ui();
    ASSERT_TRUE(ui.theme.dark);
    const std::string key = *file_text(ui, student.bench.session, FileTask::key_html);
    for (const std::string id : {"layer.attention.norm.weight", "layer.attention.output.weight",
                                 "layer.feed_forward.gate.weight", "layer.feed_forward.down.weight"})
        EXPECT_NE(key.find("data-id=\"" + id + "\""), std::string::npos) << id;
    EXPECT_NE(key.find("width=\"860\" height=\"500\""), std::string::npos);
    EXPECT_EQ(key.find(svg::paint("fill", dark_theme().canvas)), std::string::npos);
    EXPECT_NE(key.find(svg::paint("fill", light_theme().canvas)), std::string::npos);
}

TEST(WorksheetSheet, AHalfFilledRowIsExportedInWords) {
    Student student("1-one-head");
    headcount::apply(student.bench.session, Intents{AtDesk{GiveAnswer{"head.queries", shape_text("100", "")}}});
    const std::string text = *file_text(student.bench.screen.ui(), student.bench.session, FileTask::answers_markdown);
    EXPECT_NE(text.find("the columns are missing"), std::string::npos) << text;
    EXPECT_EQ(text.find("the formula"), std::string::npos) << text;
}

TEST(WorksheetSheet, OwnWordsAreComparedWithAModelAnswerOnceTheyAreThere) {
    Student student("1-one-head", 1);
    ASSERT_EQ(student.desk().question()->kind, QuestionKind::text);
    ASSERT_TRUE(student.has("worksheet.compare"));
    student.bench.press("worksheet.compare");
    EXPECT_FALSE(student.of(student.blank().id).shown) << "nothing was written yet";
    headcount::apply(student.bench.session, Intents{AtDesk{GiveAnswer{student.blank().id, "A query asks."}}});
    student.bench.frames(3);
    student.bench.press("worksheet.compare");
    student.bench.frames(3);
    EXPECT_TRUE(student.of(student.blank().id).shown);
    EXPECT_FALSE(student.has("worksheet.compare")) << "it is there";
    EXPECT_EQ(student.desk().progress().given.at(student.blank().id), "A query asks.") << "and beside it what was said";
}

TEST(WorksheetSheet, AMenuAtTheRightEndStaysWithinTheWindow) {
    for (const float width : {760.0F, 1280.0F}) {
        Workbench bench(test::of_desk<draw_worksheet_header>, "llama-2-7b", ImVec2(width, 48));
        ImGui::GetIO().DisplaySize.x = width;
        headcount::apply(bench.session, Intents{ShowWorkspace{worksheet_view}});
        bench.frames(2);
        for (const auto& [name, tasks] : {std::pair<std::string, std::vector<FileTask>>{
                                              "worksheet.print", {FileTask::sheet_html, FileTask::key_html}},
                                          {"worksheet.export", {FileTask::answers_csv, FileTask::answers_markdown}}}) {
            bench.press(name);
            bench.frames(3);
            for (const FileTask task : tasks) {
                const NamedRect* const entry = bench.screen.recorder.find(name + "." + std::string(info(task).key));
                ASSERT_NE(entry, nullptr) << name;
                EXPECT_LE(entry->max.x, ImGui::GetIO().DisplaySize.x) << name << ' ' << width;
                EXPECT_GE(entry->max.x - entry->min.x, text_width(bench.screen.ui().fonts.body, info(task).menu) + 40)
                    << info(task).menu << " is cut off";
            }
            bench.screen.hands.key(ImGuiKey_Escape, true);
            bench.frame();
            bench.screen.hands.key(ImGuiKey_Escape, false);
            bench.frames(2);
        }
    }
}

TEST(WorksheetSheet, AnAnswerWithAUnitIsDrawnAboveTheModel) {
    Student student("5-kv-cache", 4, test::draw_card);
    EXPECT_FALSE(student.has("worksheet.drawing"));
    EXPECT_TRUE(shows_diagram(student.desk())) << "from the start";
    headcount::apply(student.bench.session,
                     Intents{AtDesk{GiveAnswer{"bytes", "600 MiB"}}, AtDesk{CheckFields{{"bytes"}}}});
    student.bench.frames(2);
    EXPECT_TRUE(student.has("worksheet.drawing"));
    EXPECT_TRUE(student.has("worksheet.asked")) << "what is right is not told";
    headcount::apply(student.bench.session,
                     Intents{AtDesk{GiveAnswer{"bytes", "512 MiB"}}, AtDesk{CheckFields{{"bytes"}}}});
    student.bench.frames(2);
    EXPECT_EQ(student.mark("bytes"), Mark::right);
    EXPECT_TRUE(student.has("worksheet.drawing"));
    EXPECT_TRUE(shows_diagram(student.desk()));
}

TEST(WorksheetSheet, WhatWasShownIsAskedForNoMore) {
    Student student("3-from-7b-to-8b", 0, test::draw_card);
    for (std::size_t at = 0; at < student.desk().sheet->questions.size(); ++at) {
        headcount::apply(student.bench.session, Intents{AtDesk{ShowQuestion{at}}});
        const SheetQuestion& question = *student.desk().question();
        if (question.kind != QuestionKind::count) continue;
        const std::string id = question.blanks.front().id;
        headcount::apply(student.bench.session,
                         Intents{AtDesk{GiveAnswer{id, "3"}}, AtDesk{CheckFields{{id}}}, AtDesk{ShowAnswer{id}}});
        student.bench.frames(2);
        EXPECT_TRUE(student.has("worksheet.drawing")) << id;
        EXPECT_FALSE(student.has("worksheet.asked")) << id;
    }
}

TEST(WorksheetSheet, AnswersAreExportedWithTheNameInTheFilesName) {
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

TEST(WorksheetSheet, TheCardDrawsAWrongAnswerWithoutTellingTheRightOne) {
    Student student("1-one-head", 0, test::draw_card);
    headcount::apply(student.bench.session,
                     Intents{AtDesk{GiveAnswer{"head.queries", shape_text("100", "4096")}},
                             AtDesk{CheckFields{{"head.queries.rows", "head.queries.columns"}}}});
    student.bench.frames(2);
    EXPECT_TRUE(student.has("worksheet.drawing"));
    EXPECT_FALSE(shows_diagram(student.desk()));
}

TEST(WorksheetSheet, TheDiagramComesOnceAllIsFoundOrWithTheKey) {
    Student student("1-one-head");
    EXPECT_FALSE(shows_diagram(student.desk()));
    headcount::apply(student.bench.session, Intents{AtDesk{ShowKey{true}}});
    EXPECT_TRUE(shows_diagram(student.desk()));
}

}  // namespace
}  // namespace headcount
