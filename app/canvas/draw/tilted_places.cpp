// Where words of a page seen tilted may stand: not on a line that is another's, nor in a card that they do not belong
// to.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "app/canvas/draw/labels.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

constexpr float above = 22, below = 3, next_line = 14, tilted_line = 16, mark_reach = 7;  // design pixels

// The cards of a page as they are seen tilted, and in which of them words were laid out: they must not come to stand in
// another, which they would seem to name.
class CardsOfWords {
  public:
    CardsOfWords(const PageView& view, const Label& label) {
        const float shift = label.anchor == Anchor::left     ? label.width / 2
                            : label.anchor == Anchor::centre ? 0
                                                             : -label.width / 2;
        const Point flat{label.at.x + shift, label.at.y + view.px(tilted_line) / 2};
        for (const Frame& frame : view.page.scene.frames) {
            if (frame.kind == FrameKind::band || frame.kind == FrameKind::choice || view.clarity(frame.door) <= 0)
                continue;
            cards_.push_back({view.screen_quad(frame.rect), frame.rect.contains(flat)});
        }
    }

    bool keep(const Rect& ink) const {
        return std::ranges::all_of(cards_, [&](const Card& card) {
            return std::ranges::all_of(ink.corners(),
                                       [&](Point corner) { return card.seen.contains(corner) == card.own; });
        });
    }

  private:
    struct Card {
        Quad seen;
        bool own;
    };
    std::vector<Card> cards_;
};

}  // namespace

// Whether any of a straight line from `a` to `b` is in the rectangle: what each side leaves of it.
bool passes(Point a, Point b, const Rect& rect) {
    if (std::max(a.x, b.x) <= rect.min.x || std::min(a.x, b.x) >= rect.max.x || std::max(a.y, b.y) <= rect.min.y ||
        std::min(a.y, b.y) >= rect.max.y)
        return false;
    float from = 0, to = 1;
    const auto keep = [&](float start, float end, float min, float max) {
        const float way = end - start;
        if (way == 0) return start > min && start < max;
        const float first = (min - start) / way, last = (max - start) / way;
        from = std::max(from, std::min(first, last));
        to = std::min(to, std::max(first, last));
        return from < to;
    };
    return keep(a.x, b.x, rect.min.x, rect.max.x) && keep(a.y, b.y, rect.min.y, rect.max.y);
}

TiltedLines::TiltedLines(const PageView& view) {
    const auto add = [&](Point a, Point b) { lines_.emplace_back(view.screen(a), view.screen(b)); };
    for (const Wire& wire : view.page.scene.wires)
        for (std::size_t i = 1; i < wire.points.size() && view.clarity(wire.door) >= clear_enough; ++i)
            add(i == 1 ? wire.tilted_start.value_or(wire.points[0]) : wire.points[i - 1], wire.points[i]);
    for (const Frame& frame : view.page.scene.frames) {
        if (view.clarity(frame.door) < clear_enough) continue;
        if (frame.kind == FrameKind::choice) {
            kept_.push_back(view.screen_box(frame.rect));
            continue;
        }
        const std::array<Point, 4> corners = frame.rect.corners();
        for (std::size_t i = 0; i < corners.size(); ++i) add(corners[i], corners[(i + 1) % corners.size()]);
    }
    for (const FlowMark& mark : view.page.scene.marks)
        if (view.clarity(mark.door) >= clear_enough)
            kept_.push_back(around(view.screen(mark.centre), view.screen(mark.centre)).grown(view.px(mark_reach)));
}

bool TiltedLines::cross(const Rect& ink) const {
    return std::ranges::any_of(lines_, [&](const auto& line) { return passes(line.first, line.second, ink); });
}

bool TiltedLines::covers_kept(const Rect& ink) const {
    return std::ranges::any_of(kept_, [&](const Rect& each) { return ink.overlaps(each); });
}

Aslant TiltedNames::next(const PageView& view, const Label& label, float width) {
    const Rect& matrix = *label.matrix;
    if (!last_ || !(*last_ == matrix)) lines_ = 0;
    last_ = matrix;
    const bool name = is_name(label);
    const Point edge = view.screen({matrix.centre().x, name ? matrix.min.y : matrix.max.y});
    // The edge rises or falls under the label.
    const Point corner = view.screen({matrix.min.x, name ? matrix.min.y : matrix.max.y});
    const float half = std::max(1.0F, std::abs(edge.x - corner.x));
    const float slope = std::abs(edge.y - corner.y) * std::min(1.0F, width / 2 / half);
    const float down = name ? 0 : view.px(next_line * static_cast<float>(lines_++));
    const float y = name ? edge.y - slope - view.px(above) : edge.y + slope + view.px(below) + down;
    return {{std::floor(edge.x - width / 2), std::floor(y)}, down};
}

namespace {

// Above the beginning of its upper edge, which rises or falls under so much.
Point above_layer(const PageView& view, const Frame& layer, float width) {
    const Point from = view.screen(layer.rect.min), to = view.screen(Point{layer.rect.max.x, layer.rect.min.y});
    const float run = std::max(1.0F, std::abs(to.x - from.x));
    const float fall = (to.y - from.y) * std::min(1.0F, width / run);
    const float left = to.x >= from.x ? from.x : from.x - width;
    return {left, from.y + std::min(0.0F, fall) - view.px(tilted_line + 4)};
}

std::optional<Point> behind_layers_name(const PageView& view, const Label& label) {
    if (label.role != TextRole::caption) return std::nullopt;
    const Scene& scene = view.page.scene;
    const auto layer = std::ranges::find_if(
        scene.frames, [&](const Frame& frame) { return frame.kind == FrameKind::layer && frame.id == label.id; });
    const auto name = std::ranges::find_if(
        scene.labels, [&](const Label& each) { return each.role == TextRole::title && each.id == label.id; });
    if (layer == scene.frames.end() || name == scene.labels.end()) return std::nullopt;
    const Point at = above_layer(view, *layer, name->width);
    return Point{at.x + label.at.x - name->at.x, at.y + label.at.y - name->at.y};
}

}  // namespace

bool is_choices(const PageView& view, const Label& label) {
    return std::ranges::any_of(view.page.scene.frames, [&](const Frame& frame) {
        return frame.kind == FrameKind::choice && label.holder == frame.rect;
    });
}

std::vector<TiltedPlace> places_tilted(const PageView& view, const Label& label, const PlacedLabel& placed) {
    if (is_choices(view, label)) {
        // Where its neighbours are wider than they are seen, too, it stands aside as far as it still is on its own.
        const Point middle = view.screen(label.holder->centre());
        constexpr std::array<float, 5> shares{0.5F, 0.4F, 0.6F, 0.25F, 0.75F};
        std::vector<TiltedPlace> places;
        for (const float share : shares)
            places.push_back({.at = {middle.x - placed.width * share, middle.y - placed.height / 2}, .beside = true});
        return places;
    }
    constexpr std::array<float, 6> aside{0, 14, -14, -28, 28, 56};
    constexpr std::array<float, 7> along{0, 8, -8, 16, -16, 24, 32};
    std::vector<TiltedPlace> places;
    // The names of a card that is drawn by those alone stand beside its title, wherever that finds its place.
    const bool title = label.role == TextRole::title, name = title || (label.role == TextRole::name && !label.matrix);
    // What is said beside a layer's name stays there.
    if (const std::optional<Point> behind = behind_layers_name(view, label)) {
        places.push_back({*behind, true});
        return places;
    }
    const CardsOfWords cards(view, label);
    for (const float x : aside)
        for (const float y : along) {
            PlacedLabel tried = placed;
            tried.at = {placed.at.x + view.px(x), placed.at.y + view.px(y)};
            if (!cards.keep(ink_of(tried))) continue;
            places.push_back({tried.at});
            if (!name) return places;
        }
    for (const Frame& frame : view.page.scene.frames) {
        if (!title || frame.id != label.id) continue;
        const Point from = view.screen(frame.rect.min), to = view.screen(Point{frame.rect.max.x, frame.rect.min.y});
        const float run = std::max(1.0F, std::abs(to.x - from.x));
        const float fall = (to.y - from.y) * std::min(1.0F, placed.width / run);
        if (frame.kind == FrameKind::layer) {
            places.insert(places.begin(), {above_layer(view, frame, placed.width), true});
        } else if (frame.kind == FrameKind::component) {
            constexpr int most_tried = 400;  // of a card that is larger than the picture
            for (int i = 0; i < most_tried; ++i) {
                const float way = static_cast<float>(i) * view.px(off_a_line);
                if (way >= run / 2) break;
                PlacedLabel tried = placed;
                tried.at = {std::min(from.x, to.x) + way, std::max(0.0F, fall)};
                tried.at.y += from.y + (to.y - from.y) * (to.x >= from.x ? way / run : 1 - way / run);
                if (cards.keep(ink_of(tried))) places.push_back({tried.at, true});
            }
            // Rather anywhere in it than nowhere.
            const Rect card = view.screen_box(frame.rect);
            constexpr float parts = 12;
            for (float down = 0; down < 1; down += 1 / parts)
                for (float across = 0; across < 1; across += 1 / parts) {
                    PlacedLabel tried = placed;
                    tried.at = {card.min.x + card.width() * across, card.min.y + card.height() * down};
                    if (cards.keep(ink_of(tried))) places.push_back({tried.at, true});
                }
        }
    }
    return places;
}

namespace {

// A matrix as it is seen aslant, and the lines that go in at its left and out at its right.
class SeenAslant {
  public:
    SeenAslant(const PageView& view, const Rect& matrix)
        : box(view.screen_box(matrix)),
          left(view.screen({matrix.min.x, matrix.centre().y})),
          right(view.screen({matrix.max.x, matrix.centre().y})),
          corners_(view.screen_quad(matrix).corners) {}

    Rect box;
    Point left, right;  // the middles of these sides

    // How far up and down it reaches between these two, and the same of the lines.
    std::pair<float, float> reach(float from, float to) const {
        std::pair<float, float> reach{box.max.y, box.min.y};
        for (std::size_t i = 0; i < corners_.size(); ++i) {
            const Point a = corners_[i], b = corners_[(i + 1) % corners_.size()];
            if (std::max(a.x, b.x) < from || std::min(a.x, b.x) > to) continue;
            for (const float x : {from, to}) {
                const float run = b.x - a.x;
                const float share = run == 0 ? 0 : std::clamp((x - a.x) / run, 0.0F, 1.0F);
                const float y = a.y + (b.y - a.y) * share;
                reach = {std::min(reach.first, y), std::max(reach.second, y)};
            }
        }
        return reach;
    }
    float line(float x) const {
        const float run = right.x - left.x, slope = run == 0 ? 0 : (right.y - left.y) / run;
        return left.y + (x - left.x) * slope;
    }
    std::pair<float, float> lines(float from, float to) const { return std::minmax(line(from), line(to)); }

  private:
    std::array<Point, 4> corners_;
};

// Whether words that begin, or end, there stand at the end of their matrix and not at another's that is nearer.
bool nearest_end(const PageView& view, const Label& label, bool right, Point at) {
    const auto away = [&](const Rect& matrix) {
        const Point end = view.screen({right ? matrix.max.x : matrix.min.x, matrix.centre().y});
        return std::hypot(end.x - at.x, end.y - at.y);
    };
    const float own = away(*label.matrix);
    return std::ranges::none_of(view.page.scene.slabs, [&](const Slab& slab) {
        return slab.id != label.id && view.clarity(slab.door) >= clear_enough && away(slab.rect) < own;
    });
}

}  // namespace

std::vector<TiltedPlace> places_aslant(const PageView& view, const Label& label, const PlacedLabel& placed, float down,
                                       bool trained) {
    std::vector<TiltedPlace> places{{placed.at}};
    const CardsOfWords cards(view, label);
    const SeenAslant matrix(view, *label.matrix);
    const Rect ink = ink_of(placed);
    const float gap = view.px(below), head = ink.min.y - placed.at.y, foot = ink.max.y - placed.at.y;
    const float right = matrix.box.max.x + gap, left = matrix.box.min.x - gap - placed.width;
    int way = 0;
    bool on_line = false;
    const auto add = [&](float x, float y) {
        PlacedLabel there = placed;
        there.at = {std::floor(x), std::floor(y)};
        if (!is_name(label)) ++way;
        if (cards.keep(ink_of(there)))
            places.push_back({.at = there.at, .beside = true, .on_line = on_line, .way = way});
    };
    const auto over = [&](float x, const std::pair<float, float>& what) {
        add(x, what.first - view.px(off_a_line) - foot);
    };
    const auto under = [&](float x, const std::pair<float, float>& what) {
        add(x, what.second + view.px(off_a_line) - head + down);
    };
    const std::array<float, 3> along{matrix.box.centre().x - placed.width / 2, matrix.box.min.x,
                                     matrix.box.max.x - placed.width};
    const bool in_card = std::ranges::any_of(view.page.scene.frames, [&](const Frame& frame) {
        return frame.kind == FrameKind::component && frame.rect.holds(*label.matrix);
    });
    const bool beside = trained || !in_card;
    const auto at_end = [&](float x, std::initializer_list<float> lines) {
        // At its end there: the middle of a long one is far from it.
        const Point end = x == right ? matrix.right : matrix.left;
        const float quarter = placed.height / 4;
        const float y = end.y + std::clamp(matrix.box.centre().y - end.y, -quarter, quarter);
        for (const float line : lines)
            if (nearest_end(view, label, x == right,
                            {x == right ? x : x + placed.width, y + (line + 0.5F) * placed.height}))
                add(x, y + line * placed.height);
    };
    // Further along than a neighbour's on the next line, but not behind what comes next on this one.
    const auto comes_between = [&](float from, float to) -> const Slab* {
        const float y = matrix.line((from + to) / 2);
        const Rect between{{from, y - 1}, {to, y + 1}};
        return find_if_in(view.page.scene.slabs, [&](const Slab& slab) {
            return slab.id != label.id && view.screen_quad(slab.rect).overlaps(between);
        });
    };
    // Behind its bias, which is no wider, where that stands beside it.
    const float behind_both = label.matrix->max.x + label.matrix->width() + gap / view.zoom();
    const auto leaves = [&](const Wire& wire) {
        const Point from = wire.tilted_start.value_or(wire.points.front()), next = wire.points[1];
        const float y = label.matrix->centre().y;
        return std::abs(from.y - y) < 1 && std::abs(next.y - y) < 1 && next.x > from.x &&
               from.x >= label.matrix->max.x - 1 && from.x <= behind_both;
    };
    const bool has_line = std::ranges::any_of(view.page.scene.wires, leaves);
    const auto on_its_line = [&] {
        if (!has_line) return;
        on_line = true;
        float begin = right;  // behind what stands close to it, such as a bias
        while (const Slab* const close = comes_between(begin - gap, begin + gap)) {
            const float behind = view.screen_box(close->rect).max.x + gap;
            if (behind <= begin) break;  // its corner alone is so near
            begin = behind;
        }
        constexpr int most_along = 3;
        for (int i = 0; i < most_along; ++i) {
            const float x = begin + static_cast<float>(i) * (placed.width + gap);
            if (comes_between(begin, x)) break;
            add(x, matrix.line(x + placed.width / 2) - placed.height / 2);
        }
        on_line = false;
    };
    if (label.role == TextRole::name && beside) {
        for (const float x : {right, left}) at_end(x, {-1.0F, 0.0F, -0.5F});
        if (in_card) on_its_line();
    }
    if (label.role == TextRole::name && !beside) {
        on_its_line();
        for (const float x : along) over(x, matrix.reach(x, x + placed.width));
        const bool low = matrix.box.height() <= placed.height;
        for (const float x : {left, right})
            if (low) over(x, matrix.lines(x, x + placed.width));
    }
    for (const float x : along) under(x, matrix.reach(x, x + placed.width));
    if (is_name(label)) return places;
    for (const float x : {right, left}) {
        const auto lines = matrix.lines(x, x + placed.width);
        if (lines.second < matrix.box.max.y)
            under(x, lines);
        else
            ++way;  // a shape and its count have the same number for a side
    }
    return places;
}

}  // namespace headcount
