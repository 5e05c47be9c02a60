// What belongs together in a scene: summaries and the doors that they stand for, labels and what they name.
#include "app/canvas/scene.hpp"

#include <cmath>
#include <utility>

namespace headcount {
namespace {

constexpr float line_height = 14;  // design pixels

// Where a stretch from `from` to `to` hangs on one from `min` to `max`: on the edge that it lies beyond, else in the
// middle, so that lines above each other stay together.
float hold(float from, float to, float min, float max) {
    if (to <= min) return min;
    if (from >= max) return max;
    return (min + max) / 2;
}

// The smallest matrix or frame that the label lies in as a whole; else the page, where it has ground of its own.
std::optional<Rect> holder_of(const Scene& scene, const Label& label, const std::optional<Rect>& ground, float line) {
    const float left = label.at.x - left_of_anchor(label.anchor, label.width);
    std::optional<Rect> holder;
    const auto consider = [&](const Rect& rect) {
        const bool inside = rect.min.x <= left && left + label.width <= rect.max.x && rect.min.y <= label.at.y &&
                            label.at.y + line <= rect.max.y;
        if (inside && (!holder || rect.width() * rect.height() < holder->width() * holder->height())) holder = rect;
    };
    for (const Slab& slab : scene.slabs) consider(slab.rect);
    for (const Frame& frame : scene.frames) consider(frame.rect);
    return holder ? holder : ground;
}

// The edge that a label above or below is set at, or the middle.
float nearest(float x, const Rect& slab) {
    float best = slab.centre().x;
    for (float edge : {slab.min.x, slab.max.x})
        if (std::abs(x - edge) < std::abs(x - best)) best = edge;
    return best;
}

// What a label names of these, the nearest where several have its id.
template <class Thing>
std::optional<Rect> named(const std::vector<Thing>& things, const Label& label) {
    std::optional<Rect> found;
    float best = 0;
    for (const Thing& thing : things) {
        if (thing.id != label.id) continue;
        const float across = std::max({thing.rect.min.x - label.at.x, label.at.x - thing.rect.max.x, 0.0F});
        const float down = std::max({thing.rect.min.y - label.at.y, label.at.y - thing.rect.max.y, 0.0F});
        if (found && across + down >= best) continue;
        found = thing.rect;
        best = across + down;
    }
    return found;
}

}  // namespace

bool is_name(const Label& label) { return label.role == TextRole::title || label.role == TextRole::name; }

float left_of_anchor(Anchor anchor, float width) {
    return anchor == Anchor::left ? 0 : anchor == Anchor::centre ? width / 2 : width;
}

void pin_labels(Scene& scene, const Rect& page, bool own_ground, float unit) {
    const float line = line_height * unit;
    const Label* above = nullptr;  // the one before
    for (Label& label : scene.labels) {
        const Label* before = std::exchange(above, &label);
        label.pivot = label.at;
        const auto together = [&](const Label& other) { return other.pair == label.pair; };
        label.pair_size = label.pair > 0 ? static_cast<int>(std::ranges::count_if(scene.labels, together)) : 0;
        label.follows_name =
            !is_name(label) && !label.id.empty() && std::ranges::any_of(scene.labels, [&](const Label& other) {
                return is_name(other) && other.id == label.id;
            });
        label.holder = holder_of(scene, label, own_ground ? std::optional(page) : std::nullopt, line);
        if (label.id.empty()) continue;
        if (label.id.starts_with("component.")) label.pivot = page.min;
        if (const std::optional<Rect> slab = named(scene.slabs, label)) {
            label.matrix = slab;
            const float left = label.at.x - left_of_anchor(label.anchor, label.width);
            const bool beside = left + label.width <= slab->min.x || left >= slab->max.x;
            label.pivot = {
                beside ? hold(left, left + label.width, slab->min.x, slab->max.x) : nearest(label.at.x, *slab),
                hold(label.at.y, label.at.y + line, slab->min.y, slab->max.y)};
            // In the upper corner of a matrix words stay there, line by line, as far as it is seen smaller too.
            const bool inside = !beside && label.at.y >= slab->min.y && label.at.y + line_height <= slab->max.y;
            const bool follows = before && before->id == label.id && before->at.y < label.at.y &&
                                 before->pivot == Point{label.pivot.x, slab->min.y};
            if (inside && (follows || label.at.y + line_height <= slab->centre().y)) label.pivot.y = slab->min.y;
            continue;
        }
        // What stands in a row under its name.
        for (const Slab& slab : scene.slabs)
            if (is_name(label) && slab.named_by == label.id && !label.matrix) label.matrix = slab.rect;
        // A frame's words stay in the corner that they are nearest to.
        if (const std::optional<Rect> frame = named(scene.frames, label))
            label.pivot = {label.anchor == Anchor::right ? frame->max.x : frame->min.x,
                           label.at.y < frame->centre().y ? frame->min.y : frame->max.y};
    }
}

Rect Door::cell(std::int64_t index) const {
    const float width = rect.width() / static_cast<float>(columns), height = rect.height() / static_cast<float>(rows());
    const std::int64_t whole_rows = index / columns;
    const auto column = static_cast<float>(index % columns), row = static_cast<float>(whole_rows);
    return {{rect.min.x + column * width, rect.min.y + row * height},
            {rect.min.x + (column + 1) * width, rect.min.y + (row + 1) * height}};
}

void put_behind_doors(Scene& scene) {
    for (std::size_t i = 0; i < scene.doors.size(); ++i) {
        const Rect& inside = scene.doors[i].rect;
        const auto door = static_cast<DoorIndex>(i);
        for (Slab& slab : scene.slabs)
            if (inside.contains(slab.rect.centre())) slab.door = door;
        for (Label& label : scene.labels)
            if (inside.contains({label.at.x, label.at.y + line_height / 2})) label.door = door;
        for (Frame& frame : scene.frames)
            if ((frame.kind == FrameKind::card || frame.kind == FrameKind::band) && inside.holds(frame.rect))
                frame.door = door;
        for (FlowMark& mark : scene.marks)
            if (inside.contains(mark.centre)) mark.door = door;
        // A wire that only passes is none of it; one that comes in or goes out is drawn by the page to the same end.
        for (Wire& wire : scene.wires)
            if (inside.contains(wire.points.front()) || inside.contains(wire.points.back())) wire.door = door;
    }
}

}  // namespace headcount
