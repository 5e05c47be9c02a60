// Whatever size the window has, no number that is drawn, named or kept is infinite or none.
#include <cmath>

#include "app/canvas/drawing.hpp"
#include "app/diagram/view.hpp"
#include "core/tours/tour.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

const std::array any_sizes{ImVec2(1, 1),      ImVec2(2, 700),    ImVec2(900, 1),   ImVec2(64, 64),
                           ImVec2(320, 320),  ImVec2(480, 320),  ImVec2(640, 480), ImVec2(300, 1500),
                           ImVec2(1120, 680), ImVec2(3840, 2160)};
bool finite(ImVec2 point) { return std::isfinite(point.x) && std::isfinite(point.y); }

// Of everything that ImGui was given to draw: panels, charts, words.
bool all_drawn_finite() {
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int i = 0; i < data.CmdListsCount; ++i)
        for (const ImDrawVert& vertex : data.CmdLists[i]->VtxBuffer)
            if (!finite(vertex.pos)) return false;
    return true;
}

bool all_named_finite(const Recorder& recorder) {
    return std::all_of(recorder.all().begin(), recorder.all().end(),
                       [](const NamedRect& rect) { return finite(rect.min) && finite(rect.max); });
}

bool finite(const Camera& camera) {
    return std::isfinite(camera.x) && std::isfinite(camera.y) && std::isfinite(camera.zoom) && camera.zoom > 0;
}

void expect_finite(const ExploreStage& stage, const std::string& where) {
    EXPECT_TRUE(all_drawn_finite()) << where;
    EXPECT_TRUE(all_named_finite(stage.screen.recorder)) << where;
    for (const auto& [name, kept] : stage.screen.memory.kept) {
        const auto* const canvas = std::any_cast<CanvasView>(&kept);
        EXPECT_TRUE(!canvas || finite(canvas->camera)) << where << " " << name;
    }
}

std::string at(ImVec2 size) {
    return " at " + std::to_string(static_cast<int>(size.x)) + "x" + std::to_string(static_cast<int>(size.y));
}

void resize(ExploreStage& stage, ImVec2 size) {
    ImGui::GetIO().DisplaySize = size;
    stage.frames(3);
}

TEST(WindowSizes, EverythingThatIsDrawnInAnyViewIsFinite) {
    for (const ImVec2 size : any_sizes) {
        ExploreStage stage("gpt2", size);
        for (const ViewKind& view : shipped_views().kinds) {
            const std::string_view workspace = view.key;
            stage.show(workspace);
            for (const bool points : {false, true}) {
                stage.screen.hands.point(points ? ImVec2(size.x / 2, size.y / 2) : ImVec2(-1000, -1000));
                stage.frames(2);
                expect_finite(stage, std::string(workspace) + at(size));
            }
        }
    }
}

TEST(WindowSizes, APlaceIsLeftAndFoundAgainFromAnySizeToAnyOther) {
    for (const char* place : {"", "layer.attention", "layer.attention.head", "layer.attention.query.weight"})
        for (const ImVec2 from : any_sizes) {
            ExploreStage stage("gpt2", from);
            stage.ask({GoTo{{place, 0, {}}}});
            for (const ImVec2 size : any_sizes) {
                resize(stage, size);
                expect_finite(stage, std::string("'") + place + "'" + at(from) + " to" + at(size));
            }
            resize(stage, ImVec2(1600, 1000));
            EXPECT_EQ(stage.session.look.here.id.empty(), *place == '\0') << place << at(from);
        }
}

TEST(WindowSizes, APresenterAndATourHaveFiniteOnesToo) {
    for (const ImVec2 size : any_sizes) {
        ExploreStage stage("llama-2-7b", size);
        stage.ask({Present{true}});
        expect_finite(stage, "presented" + at(size));
        stage.ask({Present{false}, Tilt{true}});
        expect_finite(stage, "tilted" + at(size));
    }
}

TEST(WindowSizes, EveryChartTableAndSheetIsFinite) {
    for (const ImVec2 size : any_sizes) {
        ExploreStage stage("mixtral-8x7b", size);
        const auto expect = [&](const std::string& what) {
            stage.frames(3);
            expect_finite(stage, what + at(size));
        };
        View& view = stage.session.view;
        for (std::size_t i = 0; i < breakdown_chart_keys.size(); ++i) {
            view.breakdown = static_cast<BreakdownChart>(i);
            expect(std::string(breakdown_chart_keys[i]));
        }
        for (std::size_t i = 0; i < bottom_tab_keys.size(); ++i) {
            view.bottom_tab = static_cast<BottomTab>(i);
            expect(std::string(bottom_tab_keys[i]));
        }
        stage.show(what_if_view);
        for (std::size_t i = 0; i < what_if_tab_keys.size(); ++i) {
            stage.ask({AtWhatIf{ShowWhatIfTab{static_cast<WhatIfTab>(i)}}});
            expect(std::string(what_if_tab_keys[i]));
        }
        stage.ask({ShowManual{std::string(keys_page)}});
        expect("help.page");
        stage.ask({ShowManual{}, Ask{true}});
        expect("ask");
        stage.ask({Ask{false}, AskForFile{FileTask::save}});
        expect("save");
    }
}

TEST(WindowSizes, WhereTheDiagramHasNoRoomASentenceSaysSo) {
    for (const std::string_view workspace : {explore_view, compare_view}) {
        ExploreStage stage("gpt2", ImVec2(480, 200));
        stage.show(workspace);
        EXPECT_NE(stage.screen.recorder.find("canvas.no_room"), nullptr) << workspace;
        for (const ImVec2 size : test::window_sizes) {
            resize(stage, size);
            EXPECT_EQ(stage.screen.recorder.find("canvas.no_room"), nullptr) << workspace << at(size);
        }
    }
}

TEST(WindowSizes, ADiagramThatIsAskedForIsThereInASmallOneToo) {
    for (const ImVec2 size : {ImVec2(320, 320), ImVec2(480, 320), ImVec2(640, 480)}) {
        ExploreStage stage("gpt2", size);
        stage.ask({GoTo{{"layer.attention.head", 0, {}}}});
        EXPECT_EQ(stage.screen.recorder.find("canvas.no_room"), nullptr) << at(size);
    }
}

constexpr std::array bars{"topbar.",         "caption.",         "presenter.",   "worksheet.new_numbers",
                          "worksheet.print", "worksheet.export", "worksheet.key"};

// The parts of the bars, but not one and what stands in it.
void expect_apart(const ExploreStage& stage, const std::string& where) {
    std::vector<NamedRect> parts;
    for (const NamedRect& rect : stage.screen.recorder.all())
        if (rect.max.x > rect.min.x &&
            std::any_of(bars.begin(), bars.end(), [&](const char* bar) { return rect.name.starts_with(bar); }))
            parts.push_back(rect);
    for (const NamedRect& a : parts) {
        EXPECT_GE(a.min.x, 0) << where << ": " << a.name;
        EXPECT_LE(a.max.x, ImGui::GetIO().DisplaySize.x) << where << ": " << a.name;
        for (const NamedRect& b : parts)
            EXPECT_TRUE(a.name.starts_with(b.name) || b.name.starts_with(a.name) || test::apart(a, b))
                << where << ": " << a.name << " and " << b.name;
    }
}

TEST(WindowSizes, WhatHasNoRoomInABarIsLeftOut) {
    for (const ImVec2 size : {ImVec2(320, 320), ImVec2(400, 320), ImVec2(480, 320), ImVec2(640, 480), ImVec2(800, 600),
                              ImVec2(1024, 600), ImVec2(1120, 680), ImVec2(1280, 720), ImVec2(1600, 1000)})
        for (const char* preset : {"gpt2", "deepseek-v3"}) {
            ExploreStage stage(preset, size);
            stage.session.tours = find_tours(HEADCOUNT_ASSETS_DIR "/tours").tours;
            const auto expect = [&](const std::string& what) { expect_apart(stage, preset + (" " + what) + at(size)); };
            for (const ViewKind& view : shipped_views().kinds) {
                const std::string_view workspace = view.key;
                stage.show(workspace);
                expect(std::string(workspace));
            }
            stage.show(explore_view);
            stage.ask({StartTour{"3-one-attention-head"}});
            expect("tour");
            stage.ask({Present{true}});
            expect("presented tour");
            stage.ask({LeaveTour{}, Present{true}});
            expect("presented");
        }
}

TEST(WindowSizes, InASmallOneTheMemoryStandsAboveTheArithmetic) {
    ExploreStage stage("gpt2", ImVec2(320, 320));
    stage.show(costs_view);
    EXPECT_EQ(stage.screen.recorder.find("panel.costs_settings"), nullptr);
    for (const char* panel : {"costs_memory", "costs_arithmetic"}) EXPECT_EQ(stage.panel(panel).max.x, 320) << panel;
    EXPECT_LT(stage.panel("costs_memory").max.y, stage.panel("costs_arithmetic").min.y);
}

TEST(WindowSizes, EverySheetsListHasRoomForItsLastButton) {
    ExploreStage stage("gpt2", ImVec2(1280, 720));
    stage.show(worksheet_view);
    for (const Worksheet& sheet : *stage.session.desk.shipped) {
        stage.ask({AtDesk{OpenSheet{sheet.id, std::nullopt}}});
        const NamedRect* const reset = stage.screen.recorder.find("worksheet.reset");
        ASSERT_TRUE(reset) << sheet.id;
        EXPECT_LE(reset->max.y, 720) << sheet.id;
    }
}

}  // namespace
}  // namespace headcount
