// What one looks at stays in sight when a page is made anew: of more tokens, in a window or an interface of another
// size.
#include <algorithm>
#include <cmath>

#include "app/views/run/figures.hpp"

namespace headcount {
namespace {

// The middle of a cell, in pixels of the page.
std::optional<float> middle_of(const RunPages& pages, const CellAt& cell) {
    for (const RunLine& line : pages.lines)
        for (const RunFigure& figure : line.figures) {
            if (!figure.shows(cell)) continue;
            const auto [min, max] = figure.area_of(cell.row, cell.column, cell.row, cell.column);
            return (min.y + max.y) / 2;
        }
    return std::nullopt;
}

// The line at this height, or the nearest.
std::size_t line_at(const RunPages& pages, float y) {
    const auto away = [&](const RunLine& line) { return std::max({line.top - y, y - line.bottom, 0.0F}); };
    const auto nearest = std::min_element(pages.lines.begin(), pages.lines.end(),
                                          [&](const RunLine& a, const RunLine& b) { return away(a) < away(b); });
    return static_cast<std::size_t>(nearest - pages.lines.begin());
}

// Where the same height of the same matrix is: that of the line's matrix that is nearest to it.
float same_height(const RunLine& before, const RunLine& now, float y, bool resized) {
    const auto away = [&](const RunFigure& figure) { return std::max({figure.min.y - y, y - figure.max.y, 0.0F}); };
    const auto nearest = std::min_element(before.figures.begin(), before.figures.end(),
                                          [&](const RunFigure& a, const RunFigure& b) { return away(a) < away(b); });
    const auto index = static_cast<std::size_t>(nearest - before.figures.begin());
    if (nearest == before.figures.end() || index >= now.figures.size()) return now.top + y - before.top;
    const RunFigure& there = now.figures[index];
    const float high = std::max(1.0F, nearest->max.y - nearest->min.y);
    return there.min.y + (y - nearest->min.y) * (resized ? (there.max.y - there.min.y) / high : 1);
}

// Where its last rows are, above the names.
float foot_of(const RunLine& line) {
    float foot = line.top;
    for (const RunFigure& figure : line.figures) foot = std::max(foot, figure.max.y);
    return foot;
}

}  // namespace

float sight_kept(const RunPages& before, const RunPages& now, const RunKept& kept) {
    if (before.lines.empty() || now.lines.empty()) return kept.from;
    const float room = kept.to - kept.from, middle = (kept.from + kept.to) / 2;
    if (kept.pinned) {
        const std::optional<float> was = middle_of(before, *kept.pinned), is = middle_of(now, *kept.pinned);
        const bool in_sight = was && *was >= kept.from && *was <= kept.to;
        if (is && in_sight && !kept.resized) return *is - (*was - kept.from);
        // One whose card is there is brought back where all else is elsewhere.
        if (is && kept.resized) {
            const float share = in_sight ? (*was - kept.from) / room : 0.5F;
            const float least = std::min(kept.margin, kept.room / 2);
            return *is - std::clamp(share * kept.room, least, kept.room - least);
        }
    }
    const std::size_t at = line_at(before, middle);
    const RunLine& was = before.lines[at];
    if (at >= now.lines.size()) return kept.from;
    const RunLine& is = now.lines[at];
    constexpr float rounding = 2;  // one scrolls in whole pixels
    if (kept.resized || foot_of(was) > kept.to + rounding)
        return same_height(was, is, middle, kept.resized) - kept.room / 2;
    // What a line makes is at its foot: its newest rows stay in sight, and all of it while there is room.
    const bool fits = is.bottom - is.top <= kept.room;
    const bool wanted_so = was.top < kept.from && was.bottom - was.top <= room;  // its head was scrolled away
    const bool leaves = is.bottom > kept.from + kept.room || is.bottom < kept.from;
    return leaves || (fits && is.top < kept.from && !wanted_so) ? is.bottom - kept.room : kept.from;
}

}  // namespace headcount
