// The likeliest next words beside the logits of the diagram, where that leaves room for them.
#include <algorithm>
#include <cmath>

#include "app/diagram/view.hpp"
#include "app/parts/words.hpp"
#include "app/state/run/next.hpp"
#include "app/ui/rich_text.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_next = 3;
constexpr float next_height = 16, next_width = 44, next_bars = 44, next_share = 56, next_apart = 6;  // design pixels

bool is_free(const CanvasView& canvas, const Rect& wanted) {
    if (!canvas.area.holds(wanted) || (canvas.map && canvas.map->overlaps(wanted))) return false;
    const auto label_meets = [&](const PlacedLabel& label) {
        return wanted.overlaps({label.at, {label.at.x + label.width, label.at.y + label.height}});
    };
    return std::ranges::none_of(canvas.drawing.labels, label_meets) &&
           std::ranges::none_of(canvas.drawing.regions, [&](const Region& each) { return wanted.overlaps(each.rect); });
}

// Where they stand: below each other, or, where that has no room, in a row of as many as have.
struct NextPlace {
    std::size_t columns = 1, rows = 1;
    Point at;
};

// Right of the logits, as near as words and matrices leave room, and with their feet or their middles in a line.
std::optional<NextPlace> place_beside(const Ui& ui, const CanvasView& canvas, const Rect& logits, Point each,
                                      std::size_t count) {
    const float step = ui.px(next_apart);
    std::vector<NextPlace> shapes{{1, count, {}}};
    for (std::size_t columns = count; columns > 0; --columns) shapes.push_back({columns, 1, {}});
    for (NextPlace& shape : shapes) {
        const Point size{each.x * static_cast<float>(shape.columns), each.y * static_cast<float>(shape.rows)};
        const float middle = (logits.min.y + logits.max.y - size.y) / 2;
        for (float x = logits.max.x + step; x + size.x <= canvas.area.max.x; x += step)
            for (const float y : {middle, logits.max.y - size.y, logits.min.y}) {
                shape.at = {std::round(x), std::round(y)};
                if (is_free(canvas, {shape.at, {x + size.x, y + size.y}})) return shape;
            }
    }
    return std::nullopt;
}

}  // namespace

void draw_next_words(const Ui& ui, const DiagramOf& of, const CanvasView& canvas) {
    const RunNext* const next = of.next.get();
    const auto logits = std::ranges::find_if(
        canvas.drawing.regions, [](const Region& region) { return region.matrix && region.id == "logits"; });
    if (!next || next->wrong || logits == canvas.drawing.regions.end() || !canvas.laid.values) return;
    const std::vector<Candidate>& all = next->distribution.candidates;
    const std::size_t count = std::min(most_next, all.size());
    const Point each{ui.px(next_width + next_bars + next_share + 2 * next_apart), ui.px(next_height)};
    const std::optional<NextPlace> place = place_beside(ui, canvas, logits->rect, each, count);
    if (!place) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < place->columns * place->rows; ++i) {
        const ImVec2 from(place->at.x + each.x * static_cast<float>(i % place->columns),
                          place->at.y + each.y * static_cast<float>(i / place->columns));
        const float middle = from.y + each.y / 2, foot = from.y + each.y;
        const float bars = from.x + ui.px(next_width + next_apart), reach = ui.px(next_bars);
        const double share = all[i].plain;
        draw_text_in(list, ui.fonts.mono_caption, from, {from.x + ui.px(next_width), foot}, ui.theme.text_high,
                     chip_text(piece_of(*next->of, all[i].id)), Align::right);
        list.AddRectFilled({bars, middle - ui.px(4)},
                           {bars + std::max(1.0F, reach * static_cast<float>(share)), middle + ui.px(4)},
                           ui.theme.output_head);
        draw_text_in(list, ui.fonts.mono_caption, {bars + reach + ui.px(next_apart), from.y},
                     {from.x + each.x - ui.px(next_apart), foot}, ui.theme.text_mid, share_text(share));
    }
    ui.recorder.record("run.next_words", {place->at.x, place->at.y}, {place->at.x + each.x, place->at.y + each.y});
}

}  // namespace headcount
