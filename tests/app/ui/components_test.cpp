// Claims about choices, buttons, menus, tabs and formulas, made by pressing them.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/formula_line.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/swatch.hpp"
#include "app/ui/tabs.hpp"
#include "app/ui/typed_row.hpp"
#include "tests/support/screen.hpp"

namespace headcount {
namespace {

using test::Screen;

constexpr std::array<std::string_view, 2> norms = {"RMSNorm", "LayerNorm"};

TEST(Segmented, PressingAnotherSegmentChoosesIt) {
    Screen screen;
    int current = 0, changes = 0;
    const auto draw = [&](const Ui& ui) {
        const ChoiceResult result = segmented_row(ui, "norm", {.label = "Norm"}, norms, current);
        if (result.chosen) {
            current = *result.chosen;
            ++changes;
        }
    };
    screen.press("norm.1", draw);
    EXPECT_EQ(current, 1);
    screen.press("norm.1", draw);
    EXPECT_EQ(changes, 1) << "the current one again is no change";
}

TEST(Segmented, GoesBelowTheLabelWhereItDoesNotFit) {
    Screen screen;
    const auto draw = [&](const Ui& ui) {
        segmented_row(ui, "norm", {.label = "How the sub-blocks are normalized"}, norms, 0);
        segmented_row(ui, "short", {.label = "Norm"}, norms, 0);
    };
    screen.frame(draw);
    const NamedRect wide = *screen.recorder.find("norm"), narrow = *screen.recorder.find("short");
    EXPECT_EQ(wide.max.y - wide.min.y, 2 * (narrow.max.y - narrow.min.y));
    EXPECT_LE(screen.recorder.find("norm.1")->max.x, wide.max.x + 1);
}

TEST(Toggle, TheWholeRowSwitches) {
    Screen screen;
    bool tied = false;
    const auto draw = [&](const Ui& ui) {
        if (const auto result = toggle_row(ui, "tied", {.label = "Tied embeddings"}, tied); result.value)
            tied = *result.value;
    };
    screen.press("tied.toggle", draw);
    EXPECT_TRUE(tied);
    screen.press("tied", draw);
    EXPECT_FALSE(tied);
}

TEST(Stepper, StepsAndStopsAtItsEnds) {
    Screen screen;
    std::int64_t batch = 1;
    const auto draw = [&](const Ui& ui) {
        const std::string text = std::to_string(batch);
        const auto result = typed_row(
            ui, "batch", {.label = "Batch", .symbol = "B", .text = text, .stepper = true, .may_step_down = batch > 1});
        batch += result.step;
        if (result.typed) batch = std::stoll(*result.typed);
    };
    screen.press("batch.less", draw);
    EXPECT_EQ(batch, 1);
    for (int i = 0; i < 2; ++i) screen.press("batch.more", draw);
    EXPECT_EQ(batch, 3);
    screen.press("batch.field", draw);
    screen.frame(draw);
    screen.type("2", draw);
    screen.key(ImGuiKey_Enter, draw);
    EXPECT_EQ(batch, 2);
}

TEST(Button, IsPressedByPointerSpaceAndEnterUnlessDisabled) {
    Screen screen;
    int presses = 0;
    bool disabled = false;
    const auto draw = [&](const Ui& ui) {
        if (button(ui, "reset", {.label = "Reset all", .icon = Icon::reset, .disabled = disabled})) ++presses;
    };
    screen.press("reset", draw);
    EXPECT_EQ(presses, 1);
    screen.key(ImGuiKey_Tab, draw);
    screen.key(ImGuiKey_Space, draw);
    screen.frame(draw);
    EXPECT_EQ(presses, 2);
    screen.key(ImGuiKey_Enter, draw);
    screen.frame(draw);
    EXPECT_EQ(presses, 3);
    disabled = true;
    screen.press("reset", draw);
    EXPECT_EQ(presses, 3);
}

TEST(Copyable, PutsTheWholeTextOnTheClipboardEvenWhereItIsCut) {
    Screen screen;
    const std::string name = "model.layers.0.self_attn.a_very_long_name_that_cannot_fit_a_panel.weight";
    const auto draw = [&](const Ui& ui) { copyable(ui, "name", name, ui.fonts.mono, ui.theme.text_mid); };
    screen.press("name", draw);
    EXPECT_EQ(screen.hands.clipboard, name);
    EXPECT_LE(screen.recorder.find("name")->max.x, 300);
}

const std::vector<MenuEntry> presets = {{"LLaMA 7B", "6,738,415,616", "LLaMA"},
                                        {"Llama 2 7B", "6,738,415,616", "Llama 2"},
                                        {"Llama 2 70B", "68,976,648,192", "Llama 2"},
                                        {"GPT-2", "124,439,808", "GPT-2"}};

class MenuTest : public ::testing::Test {
  protected:
    auto drawing() {
        return [this](const Ui& ui) {
            if (const auto chosen = menu_button(ui, "preset", {.label = "Llama 2 7B", .current = 1}, presets))
                picked = *chosen;
        };
    }
    Screen screen;
    int picked = -1;
};

TEST_F(MenuTest, TypingFiltersAndEnterChooses) {
    screen.press("preset", drawing());
    screen.frames(3, drawing());
    ASSERT_NE(screen.recorder.find("preset.3"), nullptr);
    screen.type("2 70", drawing());
    screen.frame(drawing());
    EXPECT_EQ(screen.recorder.find("preset.3"), nullptr);
    ASSERT_NE(screen.recorder.find("preset.2"), nullptr);
    screen.key(ImGuiKey_Enter, drawing());
    EXPECT_EQ(picked, 2);
    screen.frames(2, drawing());
    EXPECT_EQ(screen.recorder.find("preset.2"), nullptr) << "the list has closed";
}

TEST_F(MenuTest, ArrowsMoveFromTheCurrentEntry) {
    screen.press("preset", drawing());
    screen.frames(3, drawing());
    screen.key(ImGuiKey_DownArrow, drawing());
    screen.key(ImGuiKey_DownArrow, drawing());
    screen.key(ImGuiKey_Enter, drawing());
    EXPECT_EQ(picked, 3);
}

TEST_F(MenuTest, AnEntryCanBePressed) {
    screen.press("preset", drawing());
    screen.frames(3, drawing());
    screen.press("preset.0", drawing());
    EXPECT_EQ(picked, 0);
}

TEST_F(MenuTest, EscapeClosesWithoutChoosing) {
    screen.press("preset", drawing());
    screen.frames(3, drawing());
    screen.key(ImGuiKey_Escape, drawing());
    screen.frames(3, drawing());
    EXPECT_EQ(screen.recorder.find("preset.0"), nullptr);
    EXPECT_EQ(picked, -1);
}

// A button at this height of a window of 1280 by 720, whose list is opened.
void open_low(Screen& screen, float y, bool searchable, int entries) {
    screen.window = ImVec2(1280, 720);
    ImGui::GetIO().DisplaySize = screen.window;
    const std::vector<MenuEntry> many(static_cast<std::size_t>(entries), MenuEntry{.name = "Entry"});
    const auto draw = [&](const Ui& ui) {
        ImGui::SetCursorScreenPos(ImVec2(20, y));
        menu_button(ui, "low", {.label = "Low", .searchable = searchable}, many);
    };
    screen.press("low", draw);
    screen.frames(3, draw);
}

TEST(MenuPlace, EveryEntryIsInTheWindowWhereverTheButtonIs) {
    constexpr int entries = 5;
    for (const bool searchable : {false, true})
        for (const float y : {0.0F, 360.0F, 560.0F, 626.0F, 688.0F}) {
            Screen screen;
            open_low(screen, y, searchable, entries);
            const NamedRect* const button = screen.recorder.find("low");
            for (int i = 0; i < entries; ++i) {
                const NamedRect* const entry = screen.recorder.find("low." + std::to_string(i));
                ASSERT_NE(entry, nullptr) << y << ' ' << i;
                EXPECT_GE(entry->min.y, 0) << y << ' ' << i;
                EXPECT_LE(entry->max.y, 720) << y << ' ' << i;
                EXPECT_TRUE(entry->max.y <= button->min.y || entry->min.y >= button->max.y) << "beside its button";
            }
        }
}

TEST(MenuPlace, AListThatFitsNowhereIsWhereThereIsMoreRoomAndScrolls) {
    Screen screen;
    open_low(screen, 500, false, 100);
    const NamedRect* const first = screen.recorder.find("low.0");
    ASSERT_NE(first, nullptr);
    EXPECT_GE(first->min.y, 0);
    EXPECT_LT(first->max.y, screen.recorder.find("low")->min.y);
    for (int i = 0; i < 100; ++i) {
        const NamedRect* const entry = screen.recorder.find("low." + std::to_string(i));
        EXPECT_TRUE(!entry || entry->min.y < screen.recorder.find("low")->min.y) << i;
    }
}

TEST(MenuMatches, EveryWordMustOccurInNameOrGroup) {
    EXPECT_TRUE(menu_matches(presets[2], ""));
    EXPECT_TRUE(menu_matches(presets[2], "llama 70b"));
    EXPECT_TRUE(menu_matches(presets[2], "  70B  LLAMA "));
    EXPECT_FALSE(menu_matches(presets[2], "llama 7c"));
    EXPECT_FALSE(menu_matches(presets[3], "llama"));
}

TEST(MenuMatches, ASizeIsAWholeNumber) {
    const MenuEntry whole{.name = "Qwen2.5 7B", .words = "qwen2.5-7b 7.62 B 7.62B"};
    const MenuEntry larger{.name = "Qwen2.5 72B", .words = "qwen2.5-72b 72.7 B 72.7B"};
    const MenuEntry decimal{.name = "OPT 2.7B", .words = "opt-2.7b 2.65 B 2.65B"};
    for (const char* typed : {"7b", "qwen 7b", "qwen2.5 7b", "7.62b", "7"})
        EXPECT_TRUE(menu_matches(whole, typed)) << typed;
    EXPECT_FALSE(menu_matches(larger, "qwen 7b"));
    EXPECT_TRUE(menu_matches(larger, "72.7b"));
    EXPECT_FALSE(menu_matches(decimal, "7b"));
    EXPECT_TRUE(menu_matches(decimal, "2.7b"));
}

TEST(Tabs, PressingOneReportsItsIndex) {
    Screen screen;
    screen.window = ImVec2(600, 300);
    constexpr std::array<std::string_view, 3> names = {"Activations", "Tensors", "Memory"};
    int bottom = 0, top = 0, crumb = -1;
    const auto draw = [&](const Ui& ui) {
        if (const auto chosen = tab_bar(ui, "bottom", names, bottom)) bottom = *chosen;
        if (const auto chosen = tab_box(ui, "views", names, top).chosen) top = *chosen;
        if (const auto chosen = breadcrumb(ui, "path", names)) crumb = *chosen;
    };
    screen.press("bottom.2", draw);
    screen.press("views.1", draw);
    screen.press("path.0", draw);
    EXPECT_EQ(bottom, 2);
    EXPECT_EQ(top, 1);
    EXPECT_EQ(crumb, 0);
    screen.press("path.2", draw);
    EXPECT_EQ(crumb, 0) << "one is there already";
}

TEST(FormulaLine, AFactorCanBePointedAtAndPressed) {
    Screen screen;
    std::optional<int> hovered, clicked;
    const std::vector<TextRun> runs = {{.text = "d", .id = 7}, {.text = " x "}, {.text = "d_ff", .id = 8}};
    const auto draw = [&](const Ui& ui) {
        const auto result = formula_line(ui, "formula", runs, ui.fonts.mono_body, ui.theme.text_high);
        hovered = result.hovered;
        if (result.clicked) clicked = result.clicked;
    };
    screen.press("formula.8", draw);
    EXPECT_EQ(clicked, 8);
    EXPECT_EQ(hovered, 8);
    screen.press("formula.7", draw);
    EXPECT_EQ(clicked, 7);
}

TEST(FormulaLine, WrapsBetweenRunsWhereTheRoomEnds) {
    Screen screen;
    std::vector<TextRun> runs;
    for (int i = 0; i < 30; ++i) runs.push_back({.text = "4096 x ", .id = i});
    const auto draw = [&](const Ui& ui) { formula_line(ui, "f", runs, ui.fonts.mono_body, ui.theme.text_high); };
    screen.frame(draw);
    EXPECT_GT(screen.recorder.find("f.29")->min.y, screen.recorder.find("f.0")->max.y);
    for (int i = 0; i < 30; ++i) EXPECT_LE(screen.recorder.find("f." + std::to_string(i))->max.x, screen.window.x);
}

TEST(Legend, ARowIsHoveredAndPressed) {
    Screen screen;
    int presses = 0;
    const auto draw = [&](const Ui& ui) {
        if (legend_row(
                ui, "legend.attention",
                {.name = "Attention", .percent = "31.9 %", .count = "2,147,483,648", .colour = ui.theme.attention})
                .clicked)
            ++presses;
    };
    screen.press("legend.attention", draw);
    EXPECT_EQ(presses, 1);
}

TEST(Card, AdaptsItsHeightToItsContent) {
    Screen screen;
    int lines = 1;
    const auto draw = [&](const Ui& ui) {
        const Card card(ui, "card");
        for (int i = 0; i < lines; ++i) text_line(ui, ui.fonts.body, ui.theme.text_high, "one line");
    };
    screen.frame(draw);
    const auto height = [&] { return screen.recorder.find("card")->max.y - screen.recorder.find("card")->min.y; };
    const float one = height();
    lines = 3;
    screen.frame(draw);
    EXPECT_GT(height(), one + 20);
    EXPECT_TRUE(screen.memory.animating) << "its surface follows in the next frame";
    screen.frame(draw);
    EXPECT_FALSE(screen.memory.animating);
}

TEST(Keyboard, TabVisitsEveryComponentInOrderAndShiftTabGoesBack) {
    Screen screen;
    std::string pressed;
    const auto draw = [&](const Ui& ui) {
        for (const std::string_view name : {"one", "two", "three"})
            if (button(ui, name, {.label = name})) pressed += std::string(name) + " ";
    };
    screen.frame(draw);
    for (int i = 0; i < 4; ++i) {
        screen.key(ImGuiKey_Tab, draw);
        screen.key(ImGuiKey_Space, draw);
        screen.frame(draw);
    }
    EXPECT_EQ(pressed, "one two three one ");
    screen.hands.shift(true);
    screen.key(ImGuiKey_Tab, draw);
    screen.hands.shift(false);
    screen.key(ImGuiKey_Space, draw);
    screen.frame(draw);
    EXPECT_EQ(pressed, "one two three one three ");
}

TEST(Keyboard, NeverTwoHaveTheFocusInOneFrame) {
    Screen screen;
    int focused = 0, most = 0;
    const auto draw = [&](const Ui& ui) {
        focused = 0;
        for (int i = 0; i < 3; ++i) {
            const auto top = static_cast<float>(40 * i);
            const std::string name = "##" + std::to_string(i);
            if (press_area(ui, name.c_str(), ImVec2(0, top), ImVec2(30, top + 30), 4).focused) ++focused;
        }
        most = std::max(most, focused);
    };
    screen.frames(2, draw);
    for (int i = 0; i < 7; ++i) screen.key(ImGuiKey_Tab, draw);
    EXPECT_EQ(focused, 1);
    EXPECT_EQ(most, 1);
}

TEST(Keyboard, TabCrossesPanels) {
    Screen screen;
    std::string pressed;
    const auto draw = [&](const Ui& ui) {
        for (const std::string_view name : {"left", "right"}) {
            const Panel panel(ui, name, ImVec2(120, 200));
            if (button(ui, "go", {.label = name})) pressed += std::string(name) + " ";
        }
    };
    screen.frame(draw);
    for (int i = 0; i < 3; ++i) {
        screen.key(ImGuiKey_Tab, draw);
        screen.key(ImGuiKey_Space, draw);
        screen.frame(draw);
    }
    EXPECT_EQ(pressed, "left right left ");
}

}  // namespace
}  // namespace headcount
