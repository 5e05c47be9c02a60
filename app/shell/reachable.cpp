// Moves what is out of reach.
#include "app/shell/reachable.hpp"

#include <algorithm>

namespace headcount {
namespace {

constexpr int hold = 120;      // of the title bar's width
constexpr int title_bar = 40;  // above what is drawn

// How much of the screen's width the window takes; 0 where its top is not on the screen.
int shared_width(const ScreenArea& screen, const std::array<int, 2>& corner, int width) {
    const bool there = corner[1] >= screen.y - title_bar && corner[1] < screen.y + screen.height;
    const int right = std::min(corner[0] + width, screen.x + screen.width);
    return there ? std::max(0, right - std::max(corner[0], screen.x)) : 0;
}

}  // namespace

WindowPlace reachable(WindowPlace left, std::span<const ScreenArea> screens) {
    if (!left.corner) return left;
    const int width = left.size ? (*left.size)[0] : hold;
    const auto more = [&](const ScreenArea& a, const ScreenArea& b) {
        return shared_width(a, *left.corner, width) < shared_width(b, *left.corner, width);
    };
    const auto screen = std::max_element(screens.begin(), screens.end(), more);
    if (screen == screens.end() || shared_width(*screen, *left.corner, width) == 0) {
        left.corner.reset();
        return left;
    }
    if (left.size) *left.size = {std::min(width, screen->width), std::min((*left.size)[1], screen->height)};
    auto& [x, y] = *left.corner;
    const int wide = left.size ? (*left.size)[0] : hold, held = std::min(hold, wide);
    x = std::clamp(x, screen->x - wide + held, screen->x + screen->width - held);
    if (y < screen->y) y = screen->y + title_bar;
    y = std::min(y, screen->y + std::max(0, screen->height - title_bar));
    return left;
}

}  // namespace headcount
