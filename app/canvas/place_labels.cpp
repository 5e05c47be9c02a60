// Which of a page's words are shown: never over each other, never over a foreign matrix, never scaled.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "app/canvas/tilted_labels.hpp"

namespace headcount {
namespace {

constexpr float holder_edge = 2, frame_edge = 2;  // design pixels
constexpr float apart_words = 4;       // of the height of a line in sixteenths: between two words beside each other
constexpr float between_lines = 1.5F;  // ... and of two things above each other
// Of a line of text: the part that has ink, from the top of the line.
constexpr float ink_from = 1.5F, ink_to = 13.5F, line = 16;

void substitute(std::string& text, std::string_view what, std::int64_t number) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
        text.replace(at, what.size(), std::to_string(number));
}

Rgba colour_of(const Label& label, const Palette& palette) {
    switch (label.tone) {
        case Tone::high:
            return palette.text_high;
        case Tone::mid:
            return palette.text_mid;
        case Tone::low:
            return palette.text_low;
        case Tone::on_slab:
        case Tone::on_slab_low:
            return palette.parts[static_cast<std::size_t>(label.part)].ink;
        case Tone::cached:
            return palette.cache_text;
    }
    return palette.text_high;
}

// The same where it stands beside its matrix instead of on it.
Rgba colour_beside(const Label& label, const Palette& palette) {
    if (label.tone == Tone::on_slab) return palette.text_high;
    return label.tone == Tone::on_slab_low ? palette.text_mid : colour_of(label, palette);
}

// Where a page's wires run on the screen.
std::vector<Rect> wires_of(const PageView& view) {
    std::vector<Rect> lines;
    for (const Wire& wire : view.page.scene.wires) {
        if (view.clarity(wire.door) < clear_enough) continue;
        for (std::size_t i = 1; i < wire.points.size(); ++i) {
            const Point a = wire.points[i - 1], b = wire.points[i];
            lines.push_back(
                view.screen_box({{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}}));
        }
    }
    return lines;
}

// Inside a sub-block's page, and not through its edge, which is its frame on the page around.
bool keeps_to_page(const PageView& view, const Rect& ink) {
    if (!view.page.around || view.page.own_ground) return true;
    const Rect page = view.screen_box(view.page.bounds);
    const float edge = view.px(frame_edge);
    return ink.min.x >= page.min.x + edge && ink.max.x <= page.max.x - edge && ink.min.y >= page.min.y + edge &&
           ink.max.y <= page.max.y - edge;
}

// Seen smaller than it was laid out, a page's words no longer fit into what they stand in, or run into a card.
bool sticks_out(const PageView& view, const Label& label, const Rect& ink) {
    if (view.zoom() >= 1) return false;
    if (!keeps_to_page(view, ink)) return true;
    for (const Frame& frame : view.page.scene.frames) {
        const bool card = frame.kind == FrameKind::card || frame.kind == FrameKind::cache;
        const bool within = label.holder && frame.rect.holds(*label.holder);
        if (card && !within && ink.overlaps(view.screen_box(frame.rect))) return true;
    }
    if (!label.holder) return false;
    const Rect holder = view.screen_box(*label.holder);
    const float edge = view.px(holder_edge);
    return ink.min.x < holder.min.x + edge || ink.max.x > holder.max.x - edge || ink.min.y < holder.min.y ||
           ink.max.y > holder.max.y;
}

// What has found room so far.
class Placed {
  public:
    // Words about something else keep clear of each other above and below, too.
    bool free(const LabelWish& wish, const Rect& ink) const {
        const float clear = wish.label.height * between_lines / line;
        for (std::size_t i = 0; i < inks_.size(); ++i) {
            const Rect& other = inks_[i];
            const bool near = ink.overlaps({{other.min.x, other.min.y - clear}, {other.max.x, other.max.y + clear}});
            if (near && (ink.overlaps(other) || wishes_[i]->label.id != wish.label.id)) return false;
        }
        return true;
    }
    // Whether what this one belongs to is there: a name before all else, a shape before a count.
    bool follows(const LabelWish& wish) const {
        const bool named = !wish.of || !wish.of->follows_name || has(wish, is_name);
        return named &&
               (!wish.follows_shape || has(wish, [](const Label& label) { return label.role == TextRole::number; }));
    }
    // Whether the same label has found another place.
    bool placed(const LabelWish& wish) const {
        return wish.of && std::any_of(wishes_.begin(), wishes_.end(), [&](const LabelWish* other) {
                   return other->of == wish.of && other->page == wish.page;
               });
    }
    void add(const LabelWish& wish, const Rect& ink) {
        inks_.push_back(ink);
        wishes_.push_back(&wish);
    }
    // Whether all of its pair are there.
    bool complete(const LabelWish& wish) const {
        if (!wish.of || wish.of->pair == 0) return true;
        return std::count_if(wishes_.begin(), wishes_.end(), [&](const LabelWish* other) {
                   return other->of && other->page == wish.page && other->of->pair == wish.of->pair;
               }) == wish.of->pair_size;
    }
    const std::vector<const LabelWish*>& all() const { return wishes_; }

  private:
    template <class Is>
    bool has(const LabelWish& wish, Is is) const {
        return std::any_of(wishes_.begin(), wishes_.end(), [&](const LabelWish* other) {
            return other->of && other->page == wish.page && other->label.id == wish.label.id && is(*other->of);
        });
    }

    std::vector<Rect> inks_;
    std::vector<const LabelWish*> wishes_;
};

}  // namespace

Rect ink_of(const PlacedLabel& label) {
    return {{label.at.x, label.at.y + label.height * ink_from / line},
            {label.at.x + label.width, label.at.y + label.height * ink_to / line}};
}

void wish_labels(const PageView& view, const Palette& palette, std::vector<LabelWish>& wishes) {
    const Rect& area = view.lens.area();
    if (view.seen.clarity < clear_enough) return;
    const bool flat = view.lens.camera().flat();
    // Seen smaller than they were laid out, numbers and remarks may come to lie on a wire: they give way.
    const std::vector<Rect> wires = flat && view.zoom() < 1 ? wires_of(view) : std::vector<Rect>{};
    const auto on_wire = [&](const Label& label, const Rect& ink) {
        if (is_name(label) || label.holder) return false;
        return std::any_of(wires.begin(), wires.end(), [&](const Rect& wire) { return ink.overlaps(wire); });
    };
    TiltedNames names;
    wishes.reserve(wishes.size() + view.page.scene.labels.size());
    for (const Label& label : view.page.scene.labels) {
        const float clarity = view.clarity(label.door);
        if (clarity < clear_enough) continue;
        PlacedLabel placed{
            .at = {}, .width = label.width, .height = view.px(line), .role = label.role, .text = {}, .id = {}};
        const bool numbered = label.text.find('{') != std::string::npos;
        if (numbered) {
            placed.text = label.text;
            substitute(placed.text, "{i}", view.seen.leaf.copy);
            substitute(placed.text, "{kv}", view.seen.leaf.copy / view.group);
            placed.width = view.looks.text_width(placed.text, label.role);
        }
        const Point pivot = view.screen(label.pivot);
        const float shift = label.anchor == Anchor::left     ? 0
                            : label.anchor == Anchor::centre ? placed.width / 2
                                                             : placed.width;
        placed.at = {std::floor(pivot.x + label.at.x - label.pivot.x - shift),
                     std::floor(pivot.y + label.at.y - label.pivot.y)};
        const bool aslant = !flat && label.matrix;
        if (aslant) placed.at = names.next(view, label, placed.width);
        const TiltedPlace here{placed.at};
        std::vector<TiltedPlace> tilted;
        if (!flat && !aslant) tilted = places_tilted(view, label, placed);
        const std::span<const TiltedPlace> places = flat || aslant ? std::span(&here, 1) : std::span(tilted);
        if (!numbered) placed.text = label.text;
        placed.id = label.id;
        const bool on_slab = !aslant && (label.tone == Tone::on_slab || label.tone == Tone::on_slab_low);
        const Palette& light = view.looks.palette_of(label.id, palette);
        placed.colour = faded(aslant ? colour_beside(label, light) : colour_of(label, light), clarity);
        const int rank = static_cast<int>(label.role) * 4 + static_cast<int>(label.tone == Tone::low);
        const bool count = label.matrix && label.role == TextRole::number && label.tone == Tone::low;
        for (const TiltedPlace& place : places) {
            placed.at = {std::floor(place.at.x), std::floor(place.at.y)};
            const Rect ink = ink_of(placed);
            const bool in_the_way = !aslant && !place.beside && (sticks_out(view, label, ink) || on_wire(label, ink));
            if (!ink.overlaps(area) || in_the_way) continue;
            const bool last = &place == &places.back();
            wishes.push_back(
                {last ? std::move(placed) : placed, rank, on_slab, view.seen.leaf, &label, count && !on_slab});
        }
    }
}

void place_labels(const std::vector<LabelWish>& wishes, const std::vector<Region>& slabs, const Rect& area,
                  Drawing& drawing) {
    std::vector<const LabelWish*> order;
    order.reserve(wishes.size());
    for (const LabelWish& wish : wishes) order.push_back(&wish);
    std::stable_sort(order.begin(), order.end(),
                     [](const LabelWish* a, const LabelWish* b) { return a->rank < b->rank; });
    Placed placed;
    for (const LabelWish* const each : order) {
        const LabelWish& wish = *each;
        const Rect ink = ink_of(wish.label);
        const bool inside = ink.min.x >= area.min.x - 2 && ink.max.x <= area.max.x - 2 && ink.min.y >= area.min.y - 2 &&
                            ink.max.y <= area.max.y + 2;
        const float gap = wish.label.height * apart_words / line;
        const Rect with_gap{{ink.min.x - gap, ink.min.y}, {ink.max.x + gap, ink.max.y}};
        if (!inside || placed.placed(wish) || !placed.free(wish, with_gap) || !placed.follows(wish)) continue;
        const bool on_foreign = !wish.over_slab && std::any_of(slabs.begin(), slabs.end(), [&](const Region& slab) {
            return ink.overlaps(slab.rect) && slab.id != wish.label.id;
        });
        if (!on_foreign) placed.add(wish, ink);
    }
    for (const LabelWish* wish : placed.all())
        if (placed.complete(*wish)) drawing.labels.push_back(wish->label);
}

}  // namespace headcount
