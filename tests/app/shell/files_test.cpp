// Files in the whole view: the dialog over everything, the question about a file that changed, the looks at it.
#include "app/shell/pacing.hpp"
#include "core/base/write_file.hpp"
#include "tests/app/shell/explore_stage.hpp"
#include "tests/support/small_model.hpp"

namespace headcount {
namespace {

using test::ExploreStage;
using testing_data::Scratch;
using testing_data::SmallModel;

void open(ExploreStage& stage, const std::string& path) { headcount::apply(stage.session, Intents{OpenFile{path}}); }

TEST(Files, TheDialogFitsEveryWindowInBothThemesAndAtEveryScale) {
    for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(1600, 1000), ImVec2(2560, 1440)})
        for (const float scale : {1.0F, 1.5F})
            for (const Theme& theme : {dark_theme(), light_theme()})
                for (const FileTask task : {FileTask::open, FileTask::csv}) {
                    ExploreStage stage("llama-2-7b", size, theme, scale);
                    headcount::apply(stage.session, Intents{AskForFile{task}});
                    stage.frames(4);
                    const NamedRect* const sheet = stage.screen.recorder.find("panel.files");
                    ASSERT_TRUE(sheet);
                    EXPECT_GE(sheet->min.y, 0);
                    EXPECT_LE(sheet->max.y, size.y);
                    for (const char* name : {"files.field", "files.confirm", "files.cancel", "files.words", "files"}) {
                        const NamedRect* const part = stage.screen.recorder.find(name);
                        ASSERT_TRUE(part) << name;
                        EXPECT_GE(part->min.x, sheet->min.x) << name;
                        EXPECT_LE(part->max.x, sheet->max.x) << name;
                        EXPECT_LE(part->max.y, sheet->max.y) << name;
                    }
                    EXPECT_LE(stage.screen.recorder.find("files.words")->max.x,
                              stage.screen.recorder.find("files.cancel")->min.x);
                }
}

TEST(Files, TheKeysOpenTheDialogAndGoNowhereElseWhileItIsOpen) {
    ExploreStage stage;
    stage.frames(2);
    stage.control("O");
    EXPECT_EQ(stage.session.view.task, FileTask::open);
    stage.frames(3);
    const View before = stage.session.view;
    stage.type("t");
    stage.type("f");
    stage.control(ImGuiKey_Z);
    stage.press("F1");
    stage.frames(2);
    EXPECT_EQ(stage.session.view.theme, before.theme);
    EXPECT_FALSE(stage.session.view.manual);
    EXPECT_EQ(stage.session.view.task, FileTask::open);
    stage.press(ImGuiKey_Escape);
    EXPECT_EQ(stage.session.view.task, std::nullopt);
    stage.frames(3);
    EXPECT_FALSE(ImGui::GetIO().WantTextInput);
    EXPECT_FALSE(ImGui::GetIO().NavVisible);
    stage.control("S");
    EXPECT_EQ(stage.session.view.task, FileTask::save);
}

TEST(Files, AVocabularyThatIsLeftOpenIsMendedWhereItIsAskedFor) {
    const Scratch scratch;
    ExploreStage stage("llama-2-7b", ImVec2(1280, 720));
    stage.frames(2);
    open(stage, scratch.file("params.json",
                             R"({"dim": 64, "n_layers": 2, "n_heads": 4, "norm_eps": 1e-5, "vocab_size": -1})"));
    stage.frames(6);
    const NamedRect* const fix = stage.screen.recorder.find("architecture.vocab.fix");
    ASSERT_TRUE(fix);
    EXPECT_LT(fix->max.y, 720) << "it has come into view";
    EXPECT_EQ(title_of(stage.session.document).find("edited"), std::string::npos);
    stage.click("architecture.vocab.fix");
    stage.frames(2);
    EXPECT_EQ(stage.session.document.architecture.vocab, 32000);
    EXPECT_TRUE(stage.session.derived.current);
}

TEST(Files, APressBesideTheDialogReachesNothingBelow) {
    ExploreStage stage;
    headcount::apply(stage.session, Intents{AskForFile{FileTask::open}});
    stage.frames(3);
    stage.click("topbar.theme");
    EXPECT_EQ(stage.session.view.theme, ThemeChoice::dark);
    EXPECT_EQ(stage.session.view.task, FileTask::open);
}

TEST(Files, AChangedFileIsAskedAboutWithinTheCanvasAndEitherAnswerEndsIt) {
    const Scratch scratch;
    const std::string path = scratch.file(std::string(120, 'n') + ".json", SmallModel{}.config());
    for (const char* answer : {"file_question.reload", "file_question.keep"}) {
        ExploreStage stage("llama-2-7b", ImVec2(1280, 720));
        open(stage, path);
        headcount::apply(stage.session, Intents{FileChanged{}});
        stage.frames(2);
        const NamedRect* const question = stage.screen.recorder.find("file_question");
        const NamedRect* const canvas = stage.screen.recorder.find("panel.canvas");
        ASSERT_TRUE(question && canvas);
        EXPECT_GE(question->min.x, canvas->min.x);
        EXPECT_LE(question->max.x, canvas->max.x);
        stage.click(answer);
        stage.frames(2);
        EXPECT_FALSE(stage.session.view.file_changed);
        EXPECT_FALSE(stage.screen.recorder.find("file_question"));
        EXPECT_TRUE(nothing(stage.session.look.selection)) << "nothing below was pressed";
    }
}

TEST(FileWatch, LooksEveryTwoSecondsAndOnlyWhereThereIsAFile) {
    const Scratch scratch;
    ExploreStage stage;
    FileWatch watch;
    EXPECT_EQ(watch.due_in(stage.session, 100), std::nullopt);
    const std::string path = scratch.file("config.json", SmallModel{}.config());
    open(stage, path);
    EXPECT_EQ(watch.due_in(stage.session, 100), 0.0);
    EXPECT_FALSE(watch.look(stage.session, 100));
    const auto time = std::filesystem::last_write_time(path);
    ASSERT_TRUE(write_text(path, SmallModel{.layers = 3}.config()));
    std::filesystem::last_write_time(path, time + std::chrono::seconds(5));
    EXPECT_FALSE(watch.look(stage.session, 101)) << "not yet";
    EXPECT_DOUBLE_EQ(watch.due_in(stage.session, 101).value_or(-1), 1);
    EXPECT_TRUE(watch.look(stage.session, 102));
    headcount::apply(stage.session, Intents{FileChanged{}});
    EXPECT_EQ(watch.due_in(stage.session, 200), std::nullopt) << "the user has been asked";
}

}  // namespace
}  // namespace headcount
