// On a phone held upright: what has no room beside the diagram is below it, and the views are in a menu.
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::apart;
using test::ExploreStage;

const ImVec2 phones[] = {{390, 844}, {360, 640}, {430, 932}};

TEST(Phone, PanelsFoldUnderTheDiagram) {
    for (const ImVec2 size : phones)
        for (const bool cached : {false, true}) {
            PanelCache cache;
            ExploreStage stage("llama-2-7b", size);
            stage.cache = cached ? &cache : nullptr;
            stage.frames(3);
            const char* panels[] = {"tables", "architecture", "breakdown", "inspector"};
            for (std::size_t i = 0; i < std::size(panels); ++i) {
                stage.click("folds." + std::to_string(i));
                stage.frames(3);
                const NamedRect canvas = stage.panel("canvas"), strip = stage.panel("folds"),
                                shown = stage.panel(panels[i]);
                for (std::size_t j = 0; j < std::size(panels); ++j)
                    EXPECT_EQ(stage.screen.recorder.find("panel." + std::string(panels[j])) != nullptr, i == j);
                EXPECT_TRUE(apart(canvas, strip) && apart(strip, shown) && apart(canvas, shown));
                EXPECT_EQ(shown.max.y, size.y);
                EXPECT_GE(shown.max.y - shown.min.y, size.y * 0.35F) << "enough to be read";
                EXPECT_GE(canvas.max.y - canvas.min.y, size.y * 0.35F);
            }
        }
}

TEST(Phone, TheBarFitsAndHasEveryViewInAMenu) {
    for (const ImVec2 size : phones) {
        ExploreStage stage("llama-2-7b", size);
        stage.frames(3);
        std::vector<NamedRect> parts;
        for (const char* name : {"topbar.preset", "topbar.views", "topbar.tours", "topbar.theme", "topbar.help"}) {
            const NamedRect* const part = stage.screen.recorder.find(name);
            if (!part) continue;
            EXPECT_LE(part->max.x, size.x) << name;
            for (const NamedRect& before : parts) EXPECT_TRUE(apart(before, *part)) << before.name << " " << name;
            parts.push_back(*part);
        }
        for (std::size_t i = stage.views->kinds.size(); i-- > 0;) {
            stage.click("topbar.views");
            stage.frames(2);
            stage.click("topbar.views." + std::to_string(i));
            stage.frames(3);
            EXPECT_EQ(stage.session.view.workspace, stage.views->kinds[i].key);
        }
    }
}

TEST(Phone, ALargeWindowHasNoFoldsAndNoMenuOfViews) {
    ExploreStage stage;
    stage.frames(3);
    EXPECT_EQ(stage.screen.recorder.find("panel.folds"), nullptr);
    EXPECT_EQ(stage.screen.recorder.find("topbar.views"), nullptr);
}

}  // namespace
}  // namespace headcount
