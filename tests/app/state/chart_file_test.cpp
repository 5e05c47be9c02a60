// Claims about charts in the state: the breakdown is remembered, a chart is handed to the file dialog.
#include <gtest/gtest.h>

#include "app/state/session.hpp"
#include "app/state/storage.hpp"
#include "core/files/assets.hpp"

namespace headcount {
namespace {

Session session() {
    std::vector<Preset> presets = *load_presets(*assets_directory() / "presets");
    Document document = document_of(presets.front());
    return start_session(std::move(presets), std::move(document));
}

TEST(BreakdownChart, IsRestoredAndADonutWhereItIsNotKnown) {
    Session shown = session();
    for (std::size_t i = 0; i < breakdown_chart_keys.size(); ++i) {
        const auto chart = static_cast<BreakdownChart>(i);
        headcount::apply(shown, Intents{ShowBreakdown{chart}});
        EXPECT_EQ(shown.view.breakdown, chart);
        const Saved saved{shown.document, shown.view};
        EXPECT_EQ(saved_from_text(saved_text(saved), "document.json")->view.breakdown, chart);
    }
    std::string text = saved_text({shown.document, shown.view});
    text.replace(text.find("\"bars\""), 6, "\"pies\"");
    EXPECT_EQ(saved_from_text(text, "document.json")->view.breakdown, BreakdownChart::donut);
}

TEST(ChartFile, StaysWhileTheDialogIsOpenAndItsPictureIsCut) {
    Session shown = session();
    headcount::apply(shown, Intents{AskForFile{FileTask::chart_png, {"Sweep", "", {1, 2, 3, 4}}}});
    EXPECT_EQ(shown.view.chart.name, "Sweep");
    const Effects effects = headcount::apply(shown, Intents{WritePicture{"/tmp/sweep.png", shown.view.chart.cut}});
    EXPECT_EQ(effects.picture, "/tmp/sweep.png");
    EXPECT_EQ(effects.cut, (std::array<float, 4>{1, 2, 3, 4}));
    headcount::apply(shown, Intents{AskForFile{FileTask::png}});
    EXPECT_TRUE(shown.view.chart.name.empty());
}

}  // namespace
}  // namespace headcount
