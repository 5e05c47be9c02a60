// Claims about charts in the state: the breakdown is remembered, a chart is handed to the file dialog.
#include <gtest/gtest.h>

#include "app/state/storage.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using test::ask;
using test::session_of;

TEST(BreakdownChart, IsRestoredAndADonutWhereItIsNotKnown) {
    Session shown = session_of("llama-2-7b");
    for (std::size_t i = 0; i < breakdown_chart_keys.size(); ++i) {
        const auto chart = static_cast<BreakdownChart>(i);
        ask(shown, ShowBreakdown{chart});
        EXPECT_EQ(shown.view.breakdown, chart);
        const Saved saved{shown.document, shown.view};
        EXPECT_EQ(saved_from_text(saved_text(saved), "document.json")->view.breakdown, chart);
    }
    std::string text = saved_text({shown.document, shown.view});
    text.replace(text.find("\"bars\""), 6, "\"pies\"");
    EXPECT_EQ(saved_from_text(text, "document.json")->view.breakdown, BreakdownChart::donut);
}

TEST(ChartFile, StaysWhileTheDialogIsOpenAndItsPictureIsAsAskedFor) {
    Session shown = session_of("llama-2-7b");
    const Slide slide{.of = Slide::Of::chart, .chart = 17, .pixels = 4, .ground = false};
    ask(shown, AskForFile{FileTask::chart_png, {"Sweep", "", slide}});
    EXPECT_EQ(shown.view.chart.name, "Sweep");
    const Effects effects = ask(shown, WritePicture{"/tmp/sweep.png", shown.view.chart.slide});
    EXPECT_EQ(effects.picture, "/tmp/sweep.png");
    EXPECT_EQ(effects.slide, slide);
    ask(shown, AskForFile{FileTask::png});
    EXPECT_TRUE(shown.view.chart.name.empty());
}

}  // namespace
}  // namespace headcount
