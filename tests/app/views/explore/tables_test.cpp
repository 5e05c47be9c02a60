// Claims about the bottom tables: tabs, rows that select, copies that leave nothing out.
#include <algorithm>
#include <cstdio>

#include "app/views/explore/panels.hpp"
#include "core/base/text.hpp"
#include "tests/support/stage.hpp"

namespace headcount {
namespace {

using test::all_presets;
using test::bottom_size;
using test::session_of;
using test::Stage;

const ImVec2 every_row_size(940, 12000);

std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::string copied_table(Stage& stage, BottomTab tab) {
    stage.session.view.bottom_tab = tab;
    stage.press("tables.copy");
    return stage.copied();
}

TEST(Tables, TabsAskToBeShown) {
    Stage stage(draw_tables_panel, session_of("llama-2-7b"), bottom_size);
    stage.press("tables.tab.tensors");
    ASSERT_NE(stage.last<ShowTab>(), nullptr);
    EXPECT_EQ(stage.last<ShowTab>()->tab, BottomTab::tensors);
    stage.press("tables.tab.head");
    EXPECT_EQ(stage.last<ShowTab>()->tab, BottomTab::head);
}

TEST(Tables, PressingARowSelectsWhatItStandsFor) {
    Stage stage(draw_tables_panel, session_of("llama-2-7b"), every_row_size);
    const Counted shown = stage.session.derived.shown;
    for (const ActivationRow& row : shown.activations) {
        const std::string id = shown.graph.tensors[row.tensor].id;
        stage.press("tables.row." + id);
        EXPECT_EQ(stage.selected(), id);
        EXPECT_EQ(stage.hovered(), id);
    }
    stage.session.view.bottom_tab = BottomTab::tensors;
    stage.press("tables.row.layer.feed_forward.up.weight");
    EXPECT_EQ(stage.selected(), "layer.feed_forward.up.weight");
    stage.press("tables.row.total");
    EXPECT_EQ(stage.selected(), "total");
}

TEST(Tables, EveryTabHasItsRowsForEveryPreset) {
    Stage stage(draw_tables_panel, session_of(all_presets().front().id), every_row_size);
    for (const Preset& preset : all_presets()) {
        SCOPED_TRACE(preset.id);
        stage.session = session_of(preset.id);
        const Counted shown = stage.session.derived.shown;
        stage.session.view.bottom_tab = BottomTab::head;
        stage.frame();
        for (const ActivationRow& row : shown.head)
            EXPECT_TRUE(stage.has("tables.row." + shown.graph.tensors[row.tensor].id));
        stage.session.view.bottom_tab = BottomTab::tensors;
        stage.frame();
        for (const StoredTensor& stored : shown.graph.stored)
            EXPECT_TRUE(stage.has("tables.row." + shown.graph.tensors[stored.parts.front()].id)) << stored.name;
    }
}

TEST(Tables, OneHeadIsShownOfEveryKindOfLayers) {
    Stage stage(draw_tables_panel, session_of("gemma-2-2b"), every_row_size);
    stage.session.view.bottom_tab = BottomTab::head;
    for (const char* id : {"layer.attention.head.weights", "layer_full.attention.head.weights"}) {
        stage.press("tables.row." + std::string(id));
        EXPECT_EQ(stage.selected(), id);
    }
}

TEST(Tables, BuffersAndWhatATokenUsesStandBelowTheTotal) {
    Stage stage(draw_tables_panel, session_of("deepseek-v3"), every_row_size);
    stage.session.view.bottom_tab = BottomTab::tensors;
    stage.frame();
    const auto top = [&](const char* row) { return stage.screen.recorder.find(row)->min.y; };
    for (const char* row :
         {"tables.row.total", "tables.row.active", "tables.row.buffers",
          "tables.row.layer.feed_forward.correction.weight", "tables.row.layer_dense.feed_forward.up.weight"})
        ASSERT_TRUE(stage.has(row)) << row;
    EXPECT_LT(top("tables.row.total"), top("tables.row.active"));
    EXPECT_LT(top("tables.row.active"), top("tables.row.buffers"));
    EXPECT_LT(top("tables.row.buffers"), top("tables.row.layer.feed_forward.correction.weight"));
    stage.press("tables.row.layer.feed_forward.correction.weight");
    EXPECT_EQ(stage.selected(), "layer.feed_forward.correction.weight");
    stage.session = session_of("llama-2-7b");
    stage.session.view.bottom_tab = BottomTab::tensors;
    stage.frame();
    EXPECT_FALSE(stage.has("tables.row.active"));
    EXPECT_FALSE(stage.has("tables.row.buffers"));
}

TEST(Tables, ASelectionFromElsewhereComesIntoView) {
    Stage stage(draw_tables_panel, session_of("llama-2-7b"), bottom_size);
    stage.frame();
    EXPECT_FALSE(stage.has("tables.row.logits"));
    stage.select("output_head.weight");
    stage.frame();  // a list is where it was scrolled to one frame later
    ASSERT_TRUE(stage.has("tables.row.logits")) << "the row whose activation this parameter makes";
    EXPECT_LT(stage.screen.recorder.find("tables.row.logits")->max.y, bottom_size.y);
}

TEST(Tables, TheCopyHasEveryRow) {
    Stage stage(draw_tables_panel, session_of(all_presets().front().id), bottom_size);
    for (const Preset& preset : all_presets()) {
        SCOPED_TRACE(preset.id);
        stage.session = session_of(preset.id);
        const Counted shown = stage.session.derived.shown;
        EXPECT_EQ(lines_of(copied_table(stage, BottomTab::activations)), shown.activations.size() + 1);
        EXPECT_EQ(lines_of(copied_table(stage, BottomTab::head)), shown.head.size() + 1);
        const std::string tensors = copied_table(stage, BottomTab::tensors);
        EXPECT_EQ(lines_of(tensors), shown.parameters.tensors.size() + 2) << "with what it is of";
        EXPECT_TRUE(tensors.starts_with("# " + preset.architecture.name + "\r\n")) << tensors;
        for (const StoredTensor& stored : shown.graph.stored) EXPECT_NE(tensors.find(stored.name), std::string::npos);
    }
}

TEST(Tables, ARightPressCopiesTheNumberUnderThePointer) {
    Stage stage(draw_tables_panel, session_of("llama-2-7b"), every_row_size);
    stage.frame();
    const NamedRect row = *stage.screen.recorder.find("tables.row.layer.feed_forward.up");
    std::string all;
    for (float x = row.min.x + 20; x < row.max.x - 20; x += 40) {
        stage.screen.hands.point(ImVec2(x, (row.min.y + row.max.y) / 2));
        stage.frame();
        ImGui::GetIO().MouseDown[1] = true;
        stage.intents.clear();
        stage.frame();
        all += stage.copied() + "; ";
        ImGui::GetIO().MouseDown[1] = false;
        stage.frame();
    }
    for (const char* cell : {"Up projection; ", "U; ", "100 × 11008; ", "1,100,800; ", "2,201,600; "})
        EXPECT_NE(all.find(cell), std::string::npos) << cell << " in " << all;
}

}  // namespace
}  // namespace headcount
