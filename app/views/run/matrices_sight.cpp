// What is asked for comes into sight, and what one looks at stays there when a page is made anew: of more tokens, in a
// window or an interface of another size.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/views/run/matrices_page.hpp"

namespace headcount {
namespace {

constexpr float around_cell = 48;  // design pixels that are seen of what is beside it

// The middle of a cell, in pixels of the page.
std::optional<float> middle_of(const RunPages& pages, const CellAt& cell) {
    for (const RunFigure* const figure : figures_of(pages.lines)) {
        if (!figure->shows(cell)) continue;
        const auto [min, max] = figure->area_of(cell.row, cell.column, cell.row, cell.column);
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

float shift_into_sight(const RunPages& pages, const RunSought& sought, float from, float to) {
    std::vector<std::pair<float, float>> wanted;  // the first that fits is taken
    for (const RunLine& line : pages.lines) {
        if (!wanted.empty()) break;
        if (sought.head && line.head) wanted = {{line.top, line.bottom}};
        for (const RunFigure& figure : line.figures) {
            if (sought.head || !sought.cell || !figure.shows(*sought.cell)) continue;
            const CellAt& at = *sought.cell;
            const auto [min, max] = figure.area_of(at.row, at.column, at.row, at.column);
            wanted = {{line.top, line.bottom},
                      {std::min(figure.label.y, figure.min.y), std::max(figure.label.y, figure.max.y)},
                      {min.y - sought.margin, max.y + sought.margin}};
            break;
        }
    }
    if (wanted.empty()) return 0;
    std::size_t at = 0;
    while (at + 1 < wanted.size() && wanted[at].second - wanted[at].first > to - from) ++at;
    const auto [top, bottom] = wanted[at];
    if (top < from) return top - from;
    return std::max(0.0F, std::min(bottom - to, top - from));
}

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

void keep_sight(const Ui& ui, RunMatricesKept& kept, const PageMade& now, const RunPages& pages) {
    const PageMade& was = kept.made;
    kept.from.reset();
    if (kept.room <= 0) return;
    if (was.sight.part != now.sight.part) kept.from = -ui.px(above_page);  // another part begins at its top
    if (was.sight.part != now.sight.part || was.sight.layer != now.sight.layer) return;
    const float from = ImGui::GetScrollY() - was.scale * above_page;
    const bool resized = was.width != now.width || was.scale != now.scale;
    kept.from = sight_kept(kept.pages, pages,
                           {from, from + kept.room, ImGui::GetWindowHeight(), resized, now.pinned, ui.px(around_cell)});
}

float follow_sight(const Ui& ui, RunMatricesKept& kept, float room) {
    kept.room = room;
    const std::optional<float> from = std::exchange(kept.from, std::nullopt);
    if (!from || kept.scroll != RunMatricesKept::Scroll::none) return 0;
    const float most = std::max(0.0F, kept.pages.height + ui.px(below_page) - room);
    const float to = std::clamp(std::round(*from + ui.px(above_page)), 0.0F, std::floor(most));
    const float by = to - ImGui::GetScrollY();
    if (by != 0) ImGui::SetScrollY(to);
    return by;
}

void bring_into_sight(const Ui& ui, RunMatricesKept& kept, float top, ImVec2 from_to) {
    const RunMatricesKept::Scroll scroll = std::exchange(kept.scroll, RunMatricesKept::Scroll::none);
    if (scroll == RunMatricesKept::Scroll::none) return;
    const RunSought sought{scroll == RunMatricesKept::Scroll::head, kept.made.pinned, ui.px(around_cell)};
    const float edge = ui.px(above_page);
    const float by = shift_into_sight(kept.pages, sought, from_to.x - top + edge, from_to.y - top - edge);
    if (by != 0) ImGui::SetScrollY(std::max(0.0F, ImGui::GetScrollY() + by));
}

}  // namespace headcount
