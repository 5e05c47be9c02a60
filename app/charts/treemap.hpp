// A rectangle divided into tiles whose areas are what they stand for, grouped, as near to squares as may be.
#pragma once

#include "app/charts/chart.hpp"

namespace headcount {

struct Tile {
    double value = 0;
    ImU32 colour = 0;
    int group = 0;       // tiles of one group lie together
    std::string label;   // dropped where it does not fit
    std::string symbol;  // in its place, with scripts: "W_down"
    std::string text;    // below it: "4,328,521,728"
    ChartNote note = {};
    std::string name = {};  // recorded as `<chart>.<this>`; empty: by index
    bool selected = false, lit = false, faded = false;
};

struct Treemap {
    std::string title;
    std::span<const Tile> tiles;
    float height = 195;  // unscaled
};

// One rectangle for each tile, covering the area; empty ones for values that are not above 0. Groups first, then the
// tiles of each within its group's rectangle. Bruls, Huizing, van Wijk: Squarified Treemaps, 2000.
std::vector<ChartArea> tile_areas(std::span<const Tile> tiles, const ChartArea& area);

// At the cursor, at the available width; indices are of tiles.
ChartResult treemap(const Ui& ui, std::string_view name, const Treemap& chart);

}  // namespace headcount
