// Finds the screen that shows the most of a window, and moves the window wholly onto it.
#include "app/shell/reachable.hpp"

#include <algorithm>
#include <array>

#include "app/parts/explore_layout.hpp"

namespace headcount {
namespace {

constexpr int title_bar = 40;  // above what is drawn
constexpr std::array least{static_cast<int>(least_width), static_cast<int>(least_height)};

// How much of the screen's width the window takes; 0 where its top is not on the screen.
int shared_width(const ScreenArea& screen, const std::array<int, 2>& corner, int width) {
    const bool there = corner[1] >= screen.y - title_bar && corner[1] < screen.y + screen.height;
    const int right = std::min(corner[0] + width, screen.x + screen.width);
    return there ? std::max(0, right - std::max(corner[0], screen.x)) : 0;
}

// Where it sticks out at the far end it becomes shorter, so that it stays beside another window, else it moves.
void keep_within(int& from, int& extent, int screen_from, int screen_extent, int least_extent) {
    extent = std::min(extent, screen_extent);
    const int room = screen_from + screen_extent - from;
    if (room >= least_extent) extent = std::min(extent, room);
    from = std::clamp(from, screen_from, screen_from + screen_extent - extent);
}

}  // namespace

WindowPlace reachable(WindowPlace left, std::span<const ScreenArea> screens) {
    if (!left.corner) return left;
    auto& [x, y] = *left.corner;
    std::array<int, 2> extent = left.size.value_or(least);
    const auto more = [&](const ScreenArea& a, const ScreenArea& b) {
        return shared_width(a, *left.corner, extent[0]) < shared_width(b, *left.corner, extent[0]);
    };
    const auto screen = std::ranges::max_element(screens, more);
    if (screen == screens.end() || shared_width(*screen, *left.corner, extent[0]) == 0) {
        left.corner.reset();
        return left;
    }
    if (y < screen->y) y = screen->y + title_bar;
    keep_within(x, extent[0], screen->x, screen->width, least[0]);
    keep_within(y, extent[1], screen->y, screen->height, least[1]);
    if (left.size) left.size = extent;
    return left;
}

}  // namespace headcount
