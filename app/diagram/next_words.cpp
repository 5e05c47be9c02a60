// The likeliest next words beside the logits of the diagram, where that leaves room for them.
#include <algorithm>
#include <cmath>

#include "app/diagram/view.hpp"
#include "app/parts/words.hpp"
#include "app/state/run/next.hpp"
#include "app/ui/fonts.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

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

// What scores them: the logits, or where a page shows none the output head, of which a tied one is the embedding that
// is drawn a second time.
std::optional<Rect> place_of_scores(const DiagramOf& diagram, const CanvasView& canvas) {
    const ModelGraph& graph = diagram.counted().graph;
    const bool tied = graph.tied_head.has_value();
    const std::string_view head = tied ? std::string_view(graph.tensors[*graph.tied_head].id) : "output_head.weight";
    std::optional<Rect> last;
    int seen = 0;
    for (const Region& region : canvas.drawing.regions) {
        if (region.matrix && region.id == "logits") return region.rect;
        if (!region.matrix || region.id != head) continue;
        last = region.rect;
        ++seen;
    }
    return seen > (tied ? 1 : 0) ? last : std::nullopt;
}

// Where they stand: below each other, or, where that has no room, in a row of as many as have.
struct NextPlace {
    std::size_t columns = 1, rows = 1;
    Point at;
};

// Right of these, as near as words and matrices leave room, and with their feet or their middles in a line.
std::optional<NextPlace> place_beside(const Ui& ui, const CanvasView& canvas, const Rect& scores, Point each,
                                      std::size_t count) {
    const float step = ui.px(next_apart);
    std::vector<NextPlace> shapes{{1, count, {}}};
    for (std::size_t columns = count; columns > 0; --columns) shapes.push_back({columns, 1, {}});
    for (NextPlace& shape : shapes) {
        const Point size{each.x * static_cast<float>(shape.columns), each.y * static_cast<float>(shape.rows)};
        const float middle = (scores.min.y + scores.max.y - size.y) / 2;
        for (float x = scores.max.x + step; x + size.x <= canvas.area.max.x; x += step)
            for (const float y : {middle, scores.max.y - size.y, scores.min.y}) {
                shape.at = {std::round(x), std::round(y)};
                if (is_free(canvas, {shape.at, {x + size.x, y + size.y}})) return shape;
            }
    }
    return std::nullopt;
}

// So much of it as has room.
std::string fitted(const Font& font, std::string text, float room) {
    std::size_t bytes = text.size();
    std::string whole = text;
    while (bytes > 0 && text_width(font, text) > room) text = std::string(whole_letters(whole, --bytes)) + "...";
    return text;
}

// A bar as it lies in the plane, where it has as many pixels.
Box bar_at(const Lens& lens, Point corner, Point extent, Rgba colour) {
    const WorldPoint in_plane = lens.unproject(corner).value_or(WorldPoint{});
    const Camera& camera = lens.camera();
    Box box;
    box.min_x = static_cast<float>((in_plane.x - camera.x) * camera.zoom);
    box.min_y = static_cast<float>((in_plane.y - camera.y) * camera.zoom);
    box.max_x = box.min_x + extent.x;
    box.max_y = box.min_y + extent.y;
    box.fill = colour;
    return box;
}

}  // namespace

void add_next_words(const Ui& ui, const DiagramOf& diagram, CanvasView& canvas) {
    canvas.next_words.reset();
    const RunNext* const next = diagram.next.get();
    if (!next || next->wrong || !canvas.laid.values) return;
    const std::optional<Rect> scores = place_of_scores(diagram, canvas);
    if (!scores) return;
    const std::vector<Candidate>& all = next->distribution.candidates;
    const std::size_t count = std::min(most_next, all.size());
    const Point each{ui.px(next_width + next_bars + next_share + 2 * next_apart), ui.px(next_height)};
    const std::optional<NextPlace> place = place_beside(ui, canvas, *scores, each, count);
    if (!place) return;
    const Font& font = font_of(ui.fonts, TextRole::number);
    std::vector<std::string> pieces;
    for (std::size_t i = 0; i < place->columns * place->rows; ++i) pieces.push_back(piece_of(*next->of, all[i].id));
    const ChipTexts texts(pieces);
    Drawing& drawing = canvas.drawing;
    for (std::size_t i = 0; i < place->columns * place->rows; ++i) {
        const Point from{place->at.x + each.x * static_cast<float>(i % place->columns),
                         place->at.y + each.y * static_cast<float>(i / place->columns)};
        const float middle = from.y + each.y / 2;
        const auto say = [&](std::string text, float right, Rgba colour) {
            const float width = text_width(font, text);
            drawing.labels.push_back({.at = {right - width, text_top(font, middle)},
                                      .width = width,
                                      .height = font.size,
                                      .role = TextRole::number,
                                      .colour = colour,
                                      .text = std::move(text),
                                      .id = "logits"});
        };
        const float bars = from.x + ui.px(next_width + next_apart), reach = ui.px(next_bars);
        const double share = all[i].plain;
        say(fitted(font, texts.of(pieces[i]), ui.px(next_width)), from.x + ui.px(next_width), ui.theme.text_high);
        say(share_text(share), from.x + each.x - ui.px(next_apart), ui.theme.text_mid);
        drawing.add(bar_at(canvas.lens(), {bars, middle - ui.px(4)},
                           {std::max(1.0F, reach * static_cast<float>(share)), 2 * ui.px(4)}, ui.theme.output_head));
    }
    canvas.next_words = Rect{place->at, {place->at.x + each.x, place->at.y + each.y}};
}

}  // namespace headcount
