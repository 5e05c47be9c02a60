// Scrolls the window of the matrices.
#include "app/views/run/matrices_scroll.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headcount {
namespace {

constexpr float around_cell = 48;

}  // namespace

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
