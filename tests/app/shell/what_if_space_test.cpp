// Claims about the What-if view as a whole: tabs above, settings and a chart below, at every size.
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

TEST(WhatIfSpace, HasTabsSettingsAndAChartAtEverySize) {
    for (const ImVec2 size : {ImVec2(1120, 680), ImVec2(1600, 1000), ImVec2(2560, 1440)})
        for (const WhatIfTab tab : {WhatIfTab::sweep, WhatIfTab::sensitivity, WhatIfTab::front, WhatIfTab::shelf}) {
            SCOPED_TRACE(size.x);
            ExploreStage stage("llama-2-7b", size);
            stage.ask({ShowWorkspace{what_if_view}, AtWhatIf{ShowWhatIfTab{tab}}});
            const NamedRect tabs = stage.panel("what_if_tabs"), settings = stage.panel("what_if_settings"),
                            panel = stage.panel("what_if");
            const NamedRect* const chart =
                stage.screen.recorder.find(tab == WhatIfTab::sweep         ? "sweep.chart"
                                           : tab == WhatIfTab::sensitivity ? "sensitivity.chart"
                                           : tab == WhatIfTab::front       ? "front.chart"
                                                                           : "shelf.chart");
            ASSERT_TRUE(chart);
            EXPECT_EQ(tabs.max.x, size.x);
            EXPECT_EQ(settings.max.x + 1, panel.min.x);
            EXPECT_EQ(panel.max.x, size.x);
            EXPECT_EQ(panel.max.y, size.y);
            EXPECT_GE(chart->min.x, panel.min.x);
            EXPECT_LE(chart->max.x, panel.max.x);
            // A list of every field is scrolled in the smallest window.
            if (tab != WhatIfTab::sensitivity || size.y > 680) {
                EXPECT_LE(chart->max.y, panel.max.y + 1);
            }
        }
}

TEST(WhatIfSpace, ToAClassThereIsButTheChart) {
    for (const ImVec2 size : test::window_sizes)
        for (const WhatIfTab tab :
             {WhatIfTab::sweep, WhatIfTab::sensitivity, WhatIfTab::solve, WhatIfTab::front, WhatIfTab::shelf}) {
            SCOPED_TRACE(size.x);
            ExploreStage stage("llama-2-7b", size);
            stage.ask({ShowWorkspace{what_if_view}, AtWhatIf{ShowWhatIfTab{tab}}, Present{true}});
            EXPECT_FALSE(stage.screen.recorder.find("panel.what_if_tabs"));
            EXPECT_FALSE(stage.screen.recorder.find("panel.what_if_settings"));
            const NamedRect panel = stage.panel("what_if");
            EXPECT_EQ(panel.min.x, 0);
            EXPECT_EQ(panel.max.x, size.x);
            EXPECT_EQ(panel.max.y, size.y);
        }
}

TEST(WhatIfSpace, TheTabsAreGoneThroughByPressing) {
    ExploreStage stage;
    headcount::apply(stage.session, Intents{ShowWorkspace{what_if_view}});
    stage.frames(3);
    stage.click("what_if.tab.shelf");
    EXPECT_EQ(stage.session.view.what_if.tab, WhatIfTab::shelf);
}

}  // namespace
}  // namespace headcount
