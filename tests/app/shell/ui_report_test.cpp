// Claims about the report for tests outside the process.
#include "app/shell/ui_report.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using test::ExploreStage;

TEST(UiReport, SaysWhatTheViewShows) {
    ExploreStage stage;
    stage.frame();
    const json report = json::parse(ui_report(stage.session, stage.screen.recorder, stage.screen.memory,
                                              {.mouse = {3, 4}, .events = 7, .rests = true}));
    EXPECT_EQ(report["total"], 6738415616);
    EXPECT_EQ(report["preset"], "llama-2-7b");
    EXPECT_EQ(report["fields"]["dim"], 4096);
    EXPECT_EQ(report["fields"]["head_dim"], 128);
    EXPECT_EQ(report["effects"], json::object());
    EXPECT_EQ(report["errors"], json::array());
    EXPECT_EQ(report["messages"], json::array());
    EXPECT_TRUE(report["selection"].is_null());
    EXPECT_EQ(report["mouse"], json({3, 4}));
    EXPECT_EQ(report["input"], 7);
    EXPECT_EQ(report["rests"], true);
    EXPECT_TRUE(report["rects"].contains("architecture.dim.track"));
    EXPECT_EQ(report["rects"]["panel.top_bar"], json({0, 0, 1600, 48}));
}

TEST(UiReport, SaysAClashBesideTheFieldThatWasEdited) {
    ExploreStage stage;
    Document document = stage.session.document;
    document.architecture.layer.attention.heads = 30;
    headcount::apply(stage.session, Intents{Replace{document, Field::heads}});
    const json report = stage.report();
    EXPECT_EQ(report["total"], 6738415616) << "the last good one";
    EXPECT_EQ(report["fields"]["heads"], 30) << "what was typed";
    bool beside = false;
    for (const json& error : report["errors"]) beside |= error["field"] == "heads";
    EXPECT_TRUE(beside) << report["errors"];
}

TEST(UiReport, SaysWhatWasTypedAndIsNoNumber) {
    ExploreStage stage;
    stage.frames(2);
    const auto errors = [&] { return stage.report()["errors"]; };
    for (const char* row : {"vocab", "batch", "tokens"}) {
        SCOPED_TRACE(row);
        const std::string name = std::string("architecture.") + row;
        stage.click(name + ".field");
        stage.frame();
        stage.type("abc");
        stage.press(ImGuiKey_Enter);
        stage.frames(60);
        const json said = errors();
        ASSERT_EQ(said.size(), 1U) << said;
        EXPECT_EQ(said[0]["field"], row);
        const std::string message = said[0]["message"];
        EXPECT_TRUE(message.ends_with(" must be a whole number from 1 up, not \"abc\".")) << message;
        stage.click(name + ".fix");
        stage.frames(60);
        EXPECT_EQ(errors(), json::array());
    }
}

TEST(UiReport, IsWrittenOnlyWhenSomethingChanged) {
    ExploreStage stage;
    stage.frame();
    const auto file = std::filesystem::path(testing::TempDir()) / "headcount_ui_report_test.json";
    UiReporter reporter(file);
    const auto first = reporter.update(stage.session, stage.screen.recorder, stage.screen.memory, {});
    ASSERT_TRUE(first) << sentence(first.error());
    EXPECT_TRUE(*first);
    EXPECT_FALSE(*reporter.update(stage.session, stage.screen.recorder, stage.screen.memory, {}));
    stage.session.look.selection = Component::attention;
    EXPECT_TRUE(*reporter.update(stage.session, stage.screen.recorder, stage.screen.memory, {}));
    std::ifstream in(file);
    EXPECT_EQ(json::parse(in)["selection"], "component.attention");
    std::filesystem::remove(file);
}

TEST(UiReport, ThatCannotBeWrittenIsAnErrorThatNamesTheFile) {
    ExploreStage stage;
    UiReporter reporter("/nonexistent/report.json");
    const auto written = reporter.update(stage.session, stage.screen.recorder, stage.screen.memory, {});
    ASSERT_FALSE(written);
    EXPECT_NE(sentence(written.error()).find("/nonexistent/report.json"), std::string::npos);
}

}  // namespace
}  // namespace headcount
