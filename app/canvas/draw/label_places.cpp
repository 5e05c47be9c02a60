// Where words may stand: flat off the lines, tilted not in a card that they do not belong to.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/canvas/draw/labels.hpp"

namespace headcount {
namespace {

constexpr float apart = 2, most = 44;  // design pixels: between words and a line, and from where they were laid out
constexpr float touching = 0.5F;       // pixels that no one sees

Rect moved(const Rect& rect, Point by) {
    return {{rect.min.x + by.x, rect.min.y + by.y}, {rect.max.x + by.x, rect.max.y + by.y}};
}

bool lies_on(const Rect& ink, const Rect& other) {
    return ink.min.x + touching < other.max.x && other.min.x + touching < ink.max.x &&
           ink.min.y + touching < other.max.y && other.min.y + touching < ink.max.y;
}

// A line has no width.
bool strikes(const Rect& line, const Rect& ink) {
    return line.min.x < ink.max.x - touching && line.max.x > ink.min.x + touching &&
           line.min.y < ink.max.y - touching && line.max.y > ink.min.y + touching;
}

// How far along `way`, one of the four directions, until the words are behind it.
float until_behind(const Rect& ink, const Rect& other, Point way) {
    if (way.x != 0) return way.x < 0 ? ink.max.x - other.min.x : other.max.x - ink.min.x;
    return way.y < 0 ? ink.max.y - other.min.y : other.max.y - ink.min.y;
}

}  // namespace

ClearWords::ClearWords(const PageView& view) : gap_(view.px(apart)), furthest_(view.px(most)) {
    const Scene& scene = view.page.scene;
    const auto add = [&](Point a, Point b) { lines_.push_back(around(view.screen(a), view.screen(b))); };
    const auto add_swatch = [&](Point card) {
        const Point corner = view.screen(card);
        const auto at = [&](Point of) { return Point{corner.x + view.px(of.x), corner.y + view.px(of.y)}; };
        swatches_.push_back({at(title_swatch.min), at(title_swatch.max)});
    };
    // Of a sub-block's page its frame is on the page around.
    if (view.page.around && !view.page.own_ground) add_swatch(view.page.bounds.min);
    for (const Wire& wire : scene.wires) {
        if (view.clarity(wire.door) < clear_enough) continue;
        for (std::size_t i = 1; i < wire.points.size(); ++i) add(wire.points[i - 1], wire.points[i]);
    }
    for (const Frame& frame : scene.frames) {
        if (view.clarity(frame.door) < clear_enough) continue;
        if (frame.kind == FrameKind::choice) {
            choices_.push_back(view.screen_box(frame.rect));
            continue;
        }
        const Point min = frame.rect.min, max = frame.rect.max;
        if (frame.kind == FrameKind::component) add_swatch(min);
        add(min, {max.x, min.y});
        add({max.x, min.y}, max);
        add({min.x, max.y}, max);
        add(min, {min.x, max.y});
    }
    for (const Slab& slab : scene.slabs)
        if (view.clarity(slab.door) >= clear_enough) matrices_.emplace_back(slab.id, view.screen_box(slab.rect));
}

bool ClearWords::crossed(std::string_view id, const Rect& ink) const {
    return std::any_of(lines_.begin(), lines_.end(), [&](const Rect& line) { return strikes(line, ink); }) ||
           std::any_of(matrices_.begin(), matrices_.end(),
                       [&](const auto& matrix) { return matrix.first == id && lies_on(ink, matrix.second); }) ||
           (!id.empty() &&
            std::any_of(choices_.begin(), choices_.end(), [&](const Rect& choice) { return lies_on(ink, choice); }));
}

bool ClearWords::on_swatch(const Rect& ink) const {
    return std::ranges::any_of(swatches_, [&](const Rect& swatch) { return lies_on(ink, swatch); });
}

std::vector<Point> ClearWords::ways_out(std::span<const Rect> inks) const {
    constexpr std::array<Point, 4> directions{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
    std::vector<Point> ways;
    for (const Point way : directions) {
        float far = 0;
        for (bool clear = false; !clear && far <= furthest_;) {
            float more = 0;
            for (const Rect& ink : inks) {
                const Rect there = moved(ink, {way.x * far, way.y * far});
                const auto keep_clear = [&](const Rect& other) {
                    more = std::max(more, until_behind(there, other, way) + gap_);
                };
                for (const Rect& line : lines_)
                    if (strikes(line, there)) keep_clear(line);
                for (const auto& [id, rect] : matrices_)
                    if (lies_on(there, rect)) keep_clear(rect);
                for (const Rect& rect : choices_)
                    if (lies_on(there, rect)) keep_clear(rect);
            }
            clear = more == 0;
            far += more;
        }
        if (far > 0 && far <= furthest_) ways.push_back({way.x * std::ceil(far), way.y * std::ceil(far)});
    }
    const auto length = [](Point way) { return std::abs(way.x) + std::abs(way.y); };
    std::stable_sort(ways.begin(), ways.end(), [&](Point a, Point b) { return length(a) < length(b); });
    return ways;
}

namespace {

constexpr float above = 22, below = 3, next_line = 14, tilted_line = 16, mark_reach = 7;  // design pixels

// Whether a place of the screen is inside a rectangle of the plane, however that is seen.
bool in_quad(const PageView& view, const Rect& rect, Point at) {
    std::array<Point, 4> corners = rect.corners();
    for (Point& corner : corners) corner = view.screen(corner);
    int left = 0, right = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point a = corners[i], b = corners[(i + 1) % corners.size()];
        const float side = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
        left += side > 0 ? 1 : 0;
        right += side < 0 ? 1 : 0;
    }
    return left == 0 || right == 0;
}

// Tilted, words of a card must not come to stand in another, which they would seem to name.
bool stays_in_its_cards(const PageView& view, const Label& label, const Rect& ink) {
    const float shift = label.anchor == Anchor::left     ? label.width / 2
                        : label.anchor == Anchor::centre ? 0
                                                         : -label.width / 2;
    const Point flat{label.at.x + shift, label.at.y + view.px(tilted_line) / 2};
    return std::all_of(view.page.scene.frames.begin(), view.page.scene.frames.end(), [&](const Frame& frame) {
        if (frame.kind == FrameKind::band || frame.kind == FrameKind::choice || view.clarity(frame.door) <= 0)
            return true;
        const bool own = frame.rect.contains(flat);
        const std::array<Point, 4> corners = ink.corners();
        return std::all_of(corners.begin(), corners.end(),
                           [&](Point corner) { return in_quad(view, frame.rect, corner) == own; });
    });
}

// Whether any of a straight line from `a` to `b` is in the rectangle: what each side leaves of it.
bool passes(Point a, Point b, const Rect& rect) {
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

}  // namespace

TiltedLines::TiltedLines(const PageView& view) {
    const auto add = [&](Point a, Point b) { lines_.emplace_back(view.screen(a), view.screen(b)); };
    for (const Wire& wire : view.page.scene.wires)
        for (std::size_t i = 1; i < wire.points.size() && view.clarity(wire.door) >= clear_enough; ++i)
            add(i == 1 ? wire.tilted_start.value_or(wire.points[0]) : wire.points[i - 1], wire.points[i]);
    for (const Frame& frame : view.page.scene.frames) {
        const bool choice = frame.kind == FrameKind::choice && view.clarity(frame.door) >= clear_enough;
        if (choice) kept_.push_back(view.screen_box(frame.rect));
        const std::array<Point, 4> corners = frame.rect.corners();
        for (std::size_t i = 0; i < corners.size() && view.clarity(frame.door) >= clear_enough; ++i)
            add(corners[i], corners[(i + 1) % corners.size()]);
    }
    for (const FlowMark& mark : view.page.scene.marks)
        if (view.clarity(mark.door) >= clear_enough)
            kept_.push_back(around(view.screen(mark.centre), view.screen(mark.centre)).grown(view.px(mark_reach)));
}

bool TiltedLines::cross(const Rect& ink) const {
    return std::ranges::any_of(lines_, [&](const auto& line) { return passes(line.first, line.second, ink); });
}

bool TiltedLines::covers_kept(const Rect& ink) const {
    return std::ranges::any_of(kept_, [&](const Rect& each) { return lies_on(ink, each); });
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

std::vector<TiltedPlace> places_tilted(const PageView& view, const Label& label, const PlacedLabel& placed) {
    constexpr std::array<float, 6> aside{0, 14, -14, -28, 28, 56};
    constexpr std::array<float, 7> along{0, 8, -8, 16, -16, 24, 32};
    std::vector<TiltedPlace> places;
    const bool name = label.role == TextRole::title;
    // What is said beside a layer's name stays there.
    if (const std::optional<Point> behind = behind_layers_name(view, label)) {
        places.push_back({*behind, true});
        return places;
    }
    for (const float x : aside)
        for (const float y : along) {
            PlacedLabel tried = placed;
            tried.at = {placed.at.x + view.px(x), placed.at.y + view.px(y)};
            if (!stays_in_its_cards(view, label, ink_of(tried))) continue;
            places.push_back({tried.at});
            if (!name) return places;
        }
    for (const Frame& frame : view.page.scene.frames) {
        if (!name || frame.id != label.id) continue;
        const Point from = view.screen(frame.rect.min), to = view.screen(Point{frame.rect.max.x, frame.rect.min.y});
        const float run = std::max(1.0F, std::abs(to.x - from.x));
        const float fall = (to.y - from.y) * std::min(1.0F, placed.width / run);
        if (frame.kind == FrameKind::layer) {
            places.insert(places.begin(), {above_layer(view, frame, placed.width), true});
        } else if (frame.kind == FrameKind::component) {
            constexpr int most_tried = 400;  // of a card that is larger than the picture
            for (int i = 0; i < most_tried; ++i) {
                const float way = static_cast<float>(i) * view.px(apart);
                if (way >= run / 2) break;
                PlacedLabel tried = placed;
                tried.at = {std::min(from.x, to.x) + way, std::max(0.0F, fall)};
                tried.at.y += from.y + (to.y - from.y) * (to.x >= from.x ? way / run : 1 - way / run);
                if (stays_in_its_cards(view, label, ink_of(tried))) places.push_back({tried.at, true});
            }
            // Rather anywhere in it than nowhere.
            const Rect card = view.screen_box(frame.rect);
            constexpr float parts = 12;
            for (float down = 0; down < 1; down += 1 / parts)
                for (float across = 0; across < 1; across += 1 / parts) {
                    PlacedLabel tried = placed;
                    tried.at = {card.min.x + card.width() * across, card.min.y + card.height() * down};
                    if (stays_in_its_cards(view, label, ink_of(tried))) places.push_back({tried.at, true});
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
          corners_(matrix.corners()) {
        for (Point& corner : corners_) corner = view.screen(corner);
    }

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
    std::pair<float, float> lines(float from, float to) const {
        const float run = right.x - left.x, slope = run == 0 ? 0 : (right.y - left.y) / run;
        const float a = left.y + (from - left.x) * slope, b = left.y + (to - left.x) * slope;
        return std::minmax(a, b);
    }

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
        if (stays_in_its_cards(view, label, ink_of(there)))
            places.push_back({.at = there.at, .beside = true, .on_line = on_line, .way = way});
    };
    const auto over = [&](float x, const std::pair<float, float>& what) { add(x, what.first - view.px(apart) - foot); };
    const auto under = [&](float x, const std::pair<float, float>& what) {
        add(x, what.second + view.px(apart) - head + down);
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
    // Further along than a neighbour's on the next line.
    const auto on_its_line = [&] {
        on_line = true;
        for (float x = right; x < right + 3 * (placed.width + gap); x += placed.width + gap) {
            const auto [a, b] = matrix.lines(x, x + placed.width);
            add(x, (a + b - placed.height) / 2);
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
