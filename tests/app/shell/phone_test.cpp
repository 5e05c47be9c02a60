// On a phone held upright: what has no room beside the diagram is below it, and the views are in a menu.
#include "app/shell/interface.hpp"
#include "app/ui/measured_fonts.hpp"
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

TEST(Phone, TheTablesHaveTheirTabsToThemselves) {
    for (const ImVec2 size : phones) {
        ExploreStage stage("llama-2-7b", size);
        stage.frames(3);
        const NamedRect* const last = stage.screen.recorder.find("tables.tab.compute");
        ASSERT_NE(last, nullptr);
        const NamedRect* const copy = stage.screen.recorder.find("tables.copy");
        EXPECT_TRUE(!copy || apart(*last, *copy)) << size.x;
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

// The strip of tabs above what is folded, and the menu of the views, in lengths.
std::vector<ImVec4> places(ImVec2 phone, float density) {
    Session session = start_session(test::all_presets(), document_of(*find_preset(test::all_presets(), "llama-2-7b")));
    Interface interface;
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(phone.x * density, phone.y * density);
    io.DeltaTime = 1.0F / 60;
    interface.prepare(session.view, density, io.DisplaySize);
    measure_fonts(*ImGui::GetIO().Fonts);
    for (int frame = 0; frame < 3; ++frame) headcount::apply(session, interface.draw(session));
    std::vector<ImVec4> found;
    for (const char* name : {"panel.folds", "topbar.views"})
        if (const NamedRect* const rect = interface.recorder().find(name))
            found.emplace_back(rect->min.x / density, rect->min.y / density, rect->max.x / density,
                               rect->max.y / density);
    return found;
}

TEST(Phone, OfMoreDotsALengthIsTheSame) {
    const auto few = places(phones[0], 1);
    ASSERT_EQ(few.size(), 2U);
    for (const float density : {2.0F, 3.0F}) {
        const auto many = places(phones[0], density);
        ASSERT_EQ(many.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_NEAR(many[i].x, few[i].x, 1.5F);
            EXPECT_NEAR(many[i].y, few[i].y, 1.5F);
            EXPECT_NEAR(many[i].z, few[i].z, 1.5F);
            EXPECT_NEAR(many[i].w, few[i].w, 1.5F);
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
