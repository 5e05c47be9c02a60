// The overview strip: the whole model as one bar to scale, so that 32 layers look like 32 times one layer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/ui/ui.hpp"

namespace headcount {

// One coloured part; parts with the same `group` (at least 0) that follow one another form a cell that is repeated.
struct StripPart {
    double size = 0;  // of one repetition, in any unit: parameters
    ImU32 colour = 0;
    int id = 0;
    std::int64_t repeat = 1;     // of the cell; the same for all parts of a group
    int group = -1;              // below 0: stands alone
    std::string_view name = {};  // recorded as `name.part.<this>`, at its first repetition
    // Below the cell: which kind it is of where there are several, told by shape (0: none, 1: a dot, 2: a bar, 3:
    // both).
    int mark = 0;
    bool shown = false;  // the kind that is looked at: its mark is bright, and a line joins its cells
};

struct StripRun {
    float from = 0, to = 0;  // pixels from the left end
    int part = 0;            // index of the part; in a merged run the first of the group
    std::int64_t layer = 0;  // repetition
    bool merged = false;     // cells under two pixels: drawn as one band of the group's mixture, with stripes
};

// Runs from left to right; every pixel is proportional to its size. A group's cells are separated by a gap where a
// cell is at least six pixels wide, and merged into one band where it is under two.
std::vector<StripRun> strip_runs(std::span<const StripPart> parts, float width);

struct StripHit {
    int id = 0;
    std::int64_t layer = 0;
    bool operator==(const StripHit&) const = default;
};
// Which of the parts, and which of its repetitions.
struct StripPlace {
    std::size_t part = 0;
    std::int64_t layer = 0;
    bool operator==(const StripPlace&) const = default;
};
std::optional<StripPlace> strip_place(std::span<const StripPart> parts, float width, float x);

struct Strip {
    std::span<const StripPart> parts = {};
    std::optional<StripHit> selected, lit;  // lit with layer -1: in every repetition
    float height = 12;                      // unscaled
    float marks = 0;                        // unscaled: room below it for the marks of kinds
};

inline constexpr int strip_marks = 4;
// One of those marks, so that words can say what it means.
void draw_strip_mark(const Ui& ui, ImDrawList& list, int mark, ImVec2 centre, float most, ImU32 colour);

struct StripResult {
    std::optional<StripHit> hovered, clicked;
    std::size_t part = 0;  // the part that is hovered or clicked
};
// At the cursor, at the available width.
StripResult strip(const Ui& ui, std::string_view name, const Strip& chart);

}  // namespace headcount
