// What all charts share: what is pointed at by the pointer or the arrow keys, the menu, the legend.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/charts/pen.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {

// The numbers of a chart as a table, for spreadsheets.
struct ChartTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};
std::string chart_csv(const ChartTable& table);
std::string chart_number(double value);  // plain: whole where it is whole

// What its menu (a right click, or the menu key) was asked for; app/parts/chart_menu.hpp makes intents of it.
struct ChartAsked {
    enum class What { copy_csv, save_csv, save_svg, save_png };
    What what = What::copy_csv;
    std::string title = {};  // of the chart
    std::string text = {};   // CSV or SVG; empty for a PNG file, which is drawn of it:
    ImGuiID chart = 0;       // its menu
    int pixels = 1;
    bool ground = true;
};

// How a picture may be saved, in the menus of charts and of the diagram: so many of its pixels for each of the screen.
struct PngChoice {
    std::string_view name, group;
    int pixels;
    bool ground;

    // In the menu: with the others of its group in one line.
    MenuEntry entry() const { return {.name = name, .group = group, .beside = pixels > 1}; }
};
inline constexpr std::array<PngChoice, 6> png_choices{{{"1×...", "PNG", 1, true},
                                                       {"2×...", "PNG", 2, true},
                                                       {"4×...", "PNG", 4, true},
                                                       {"1×...", "PNG without ground", 1, false},
                                                       {"2×...", "PNG without ground", 2, false},
                                                       {"4×...", "PNG without ground", 4, false}}};

struct ChartResult {
    std::optional<int> hovered, clicked;  // an index into what the caller gave; the keyboard's also counts
    std::optional<ChartAsked> asked;
};

// Where one item of a chart can be pointed at, and what is said about it.
struct ChartTarget {
    ImVec2 min, max;
    std::string_view name = {};  // recorded as `chart.<this>`; empty: by index
};

// One thing that several items of a chart belong to.
struct ChartSeries {
    std::string name;
    ImU32 colour = 0;
};

// What is written about an item beside the pointer; empty parts are left out.
struct ChartNote {
    std::string value, title, derivation, remark;
    std::vector<std::string> about = {};  // keys of what the numbers in it are about: see app/ui/veil.hpp
};

struct ChartArea {
    ImVec2 min, max;
};

// At the cursor, at the available width; `height` is in pixels.
ChartArea area_here(float height);

// Finds what is pointed at among targets, of which a later one lies over an earlier, and says what `note(index)` has of
// it; `reach` pixels beside a target still count, the nearest first. Takes the room in ImGui's layout, is a stop for
// Tab, draws nothing.
ChartResult explain_chart(const Ui& ui, std::string_view name, const ChartArea& area,
                          std::span<const ChartTarget> targets, const std::function<ChartNote(std::size_t)>& note,
                          float reach = 0);

// The target to go to from `current` with an arrow key; direction (1, 0) is right. What lies in the same place comes
// first, then the nearest in that direction; `current` where there is none. Empty targets are passed by.
int next_target(std::span<const ChartTarget> targets, int current, ImVec2 direction);

// Draws with `draw` on the screen, and once more into a document if its menu, drawn in every frame, asks for that, or
// into a list of its own if that is asked for (UiMemory::slide).
// Without a name the caller is in the chart's ID scope.
ChartResult finish_chart(const Ui& ui, std::string_view name, std::string_view title, const ChartArea& area,
                         ChartResult result, const std::function<void(Pen&)>& draw,
                         const std::function<ChartTable()>& numbers);

// Opens the menu where the right button was pressed in the area; within the ID scope of the chart.
void open_chart_menu(const Ui& ui, const ChartArea& area);

// Swatches and names in lines from `min` on, at most `width` wide. Returns the height they take, also without a pen.
float draw_chart_legend(const Ui& ui, Pen* pen, std::span<const ChartSeries> series, ImVec2 min, float width);

}  // namespace headcount
