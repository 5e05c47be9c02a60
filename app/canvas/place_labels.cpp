// Which of a page's words are shown: never over each other, never over a foreign matrix, never scaled.
#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "app/canvas/clear_words.hpp"
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

namespace {

// A page's words as they are when it is seen flat, before it is known whether anything is in their way.
struct Laid {
    const Label* label;
    PlacedLabel placed;
};

Laid laid(const PageView& view, const Label& label) {
    PlacedLabel placed{.at = {},
                       .width = label.width,
                       .height = view.px(line),
                       .role = label.role,
                       .text = label.text,
                       .id = label.id};
    const bool numbered = label.text.find('{') != std::string::npos;
    if (numbered) {
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
    return {&label, std::move(placed)};
}

// Whether they are written on the matrix that they name: then lines end at its edge.
bool on_its_matrix(const Label& label) {
    return label.holder && label.holder == label.matrix;
}

// Where the words of a page may stand, best first: where they were laid out, or, where a line runs there, beside it;
// together with what else is said of the same thing, where that is possible. A name that is in a line's way wherever it
// stands stays; all else gives way.
class PlacesFlat {
  public:
    PlacesFlat(const PageView& view, const std::vector<Laid>& all) : clear_(view) {
        for (const Laid& each : all) {
            if (each.label->id.empty() || on_its_matrix(*each.label)) continue;
            Lines& lines = of_[each.label->id];
            lines.inks.push_back(ink_of(each.placed));
            lines.crossed = lines.crossed || clear_.crossed(each.label->id, lines.inks.back());
        }
        for (auto& [id, lines] : of_)
            if (lines.crossed) lines.ways = clear_.ways_out(lines.inks);
    }

    std::vector<TiltedPlace> places(const Laid& each) const {
        const Point at = each.placed.at;
        if (on_its_matrix(*each.label)) return {{at}};
        std::vector<TiltedPlace> places;
        const auto add = [&](const std::vector<Point>& ways) {
            for (const Point way : ways) places.push_back({{at.x + way.x, at.y + way.y}});
        };
        if (const auto lines = of_.find(each.label->id); lines != of_.end()) add(lines->second.ways);
        const Rect ink = ink_of(each.placed);
        const bool crossed = clear_.crossed(each.label->id, ink);
        if (!crossed) places.push_back({at});
        if (crossed) add(clear_.ways_out(std::span(&ink, 1)));
        if (crossed && is_name(*each.label)) places.push_back({at});
        return places;
    }

  private:
    struct Lines {
        std::vector<Rect> inks;
        bool crossed = false;
        std::vector<Point> ways;
    };
    ClearWords clear_;
    std::map<std::string_view, Lines> of_;
};

}  // namespace

void wish_labels(const PageView& view, const Palette& palette, std::vector<LabelWish>& wishes) {
    const Rect& area = view.lens.area();
    if (view.seen.clarity < clear_enough) return;
    const bool flat = view.lens.camera().flat();
    std::vector<Laid> all;
    for (const Label& label : view.page.scene.labels)
        if (view.clarity(label.door) >= clear_enough) all.push_back(laid(view, label));
    std::optional<PlacesFlat> clear;
    if (flat) clear.emplace(view, all);
    TiltedNames names;
    wishes.reserve(wishes.size() + all.size());
    for (Laid& each : all) {
        const Label& label = *each.label;
        PlacedLabel& placed = each.placed;
        const bool aslant = !flat && label.matrix;
        if (aslant) placed.at = names.next(view, label, placed.width);
        const std::vector<TiltedPlace> places = flat     ? clear->places(each)
                                                : aslant ? std::vector<TiltedPlace>{{placed.at}}
                                                         : places_tilted(view, label, placed);
        const bool on_slab = !aslant && (label.tone == Tone::on_slab || label.tone == Tone::on_slab_low);
        const Palette& light = view.looks.palette_of(label.id, palette);
        placed.colour = faded(aslant ? colour_beside(label, light) : colour_of(label, light), view.clarity(label.door));
        const int rank = static_cast<int>(label.role) * 4 + static_cast<int>(label.tone == Tone::low);
        const bool count = label.matrix && label.role == TextRole::number && label.tone == Tone::low;
        for (const TiltedPlace& place : places) {
            placed.at = {std::floor(place.at.x), std::floor(place.at.y)};
            const Rect ink = ink_of(placed);
            if (!ink.overlaps(area) || (!aslant && !place.beside && sticks_out(view, label, ink))) continue;
            wishes.push_back({placed, rank, on_slab, view.seen.leaf, &label, count && !on_slab});
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
