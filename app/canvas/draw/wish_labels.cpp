// What a page's words wish for: where each may stand, best first, and what it looks like there.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/canvas/draw/labels.hpp"

namespace headcount {
namespace {

constexpr float holder_edge = 2, card_edge = 4, frame_edge = 2, line_height = 16;  // design pixels
constexpr float ground_on_numbers = 0.75F;                                         // how much of the ground is seen
constexpr float behind_matrix = 4, before_matrix = 14;                             // an arrow ends before it

void substitute(std::string& text, std::string_view what, std::int64_t number) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
        text.replace(at, what.size(), std::to_string(number));
}

Rgba colour_of(const Label& label, const Palette& palette) {
    switch (label.tone) {
        case Tone::high: return palette.text_high;
        case Tone::mid: return palette.text_mid;
        case Tone::low: return palette.text_low;
        case Tone::on_slab:
        case Tone::on_slab_low: return palette.parts[static_cast<std::size_t>(label.part)].ink;
        case Tone::cached: return palette.cache_text;
    }
    return palette.text_high;
}

// The same where it stands beside its matrix instead of on it.
Rgba colour_beside(const Label& label, const Palette& palette) {
    if (label.tone == Tone::on_slab) return palette.text_high;
    return label.tone == Tone::on_slab_low ? palette.text_mid : colour_of(label, palette);
}

// Whether the words lie on their matrix, and that has a run's numbers in its cells: no ink is readable on all of their
// colours.
bool on_numbers(const PageView& view, std::string_view id, const Rect& ink) {
    return view.looks.numbers && std::ranges::any_of(view.page.scene.slabs, [&](const Slab& slab) {
               return slab.id == id && shown_numbers(view, slab) && view.screen_box(slab.rect).overlaps(ink);
           });
}

// Inside a sub-block's page, and not through its edge, which is its frame on the page around.
bool keeps_to_page(const PageView& view, const Rect& ink) {
    if (!view.page.around || view.page.own_ground) return true;
    const Rect page = view.screen_box(view.page.bounds);
    const float edge = view.px(frame_edge);
    return ink.min.x >= page.min.x + edge && ink.max.x <= page.max.x - edge && ink.min.y >= page.min.y + edge &&
           ink.max.y <= page.max.y - edge;
}

// Words for which a sub-block's page kept no room run through its edge; and seen smaller than it was laid out, a page's
// words no longer fit into what they stand in, or run into a card.
bool sticks_out(const PageView& view, const Label& label, const Rect& ink) {
    if (!keeps_to_page(view, ink)) return true;
    if (view.zoom() >= 1) return false;
    for (const Frame& frame : view.page.scene.frames) {
        const bool card = frame.kind == FrameKind::card || frame.kind == FrameKind::cache;
        const bool within = label.holder && frame.rect.holds(*label.holder);
        if (card && !within && ink.overlaps(view.screen_box(frame.rect))) return true;
    }
    if (!label.holder) return false;
    const Rect holder = view.screen_box(*label.holder);
    const float edge = view.px(label.holder == label.matrix ? holder_edge : card_edge);
    return ink.min.x < holder.min.x + edge || ink.max.x > holder.max.x - edge || ink.min.y < holder.min.y ||
           ink.max.y > holder.max.y;
}

// A page's words as they are when it is seen flat, before it is known whether anything is in their way.
struct Laid {
    const Label* label;
    PlacedLabel placed;
};

// Whether they are written on the matrix that they name: then lines end at its edge.
bool on_its_matrix(const Label& label) { return label.holder && label.holder == label.matrix; }

constexpr float hangs = 3;  // design pixels: a lowered letter such as q below its line, with what keeps it apart

// How far up a name above its matrix has to be for the mark along that side, and for the ring around one that is
// selected.
float off_its_mark(const PageView& view, const Label& label, const PlacedLabel& placed) {
    if (!is_name(label) || !label.matrix || on_its_matrix(label)) return 0;
    const float edge = view.screen_box(*label.matrix).min.y, foot = ink_of(placed).max.y;
    const float ring = view.looks.glow(label.id) == Glow::selected ? view.px(selection_ring + hangs) : 0;
    const float mark = std::min(with_side_marks(view, *label.matrix).min.y, edge - ring);
    return foot <= edge && foot > mark ? std::ceil(foot - mark) : 0;
}

Laid laid(const PageView& view, const Label& label, const std::string& text) {
    PlacedLabel placed{.at = {},
                       .width = label.width,
                       .height = view.px(line_height),
                       .role = label.role,
                       .text = text,
                       .id = label.id,
                       .counts = label.counts};
    const bool numbered = label.text.find('{') != std::string::npos;
    if (numbered) {
        substitute(placed.text, "{i}", view.seen.leaf.copy);
        substitute(placed.text, "{kv}", view.seen.leaf.copy / view.group);
    }
    if (placed.text != label.text) placed.width = view.looks.text_width(placed.text, label.role);
    const Point pivot = view.screen(label.pivot);
    const float shift = left_of_anchor(label.anchor, placed.width);
    placed.at = {std::floor(pivot.x + label.at.x - label.pivot.x - shift),
                 std::floor(pivot.y + label.at.y - label.pivot.y)};
    placed.at.y -= off_its_mark(view, label, placed);
    return {&label, std::move(placed)};
}

// Outside of the card that its matrix is in a name would seem to be another's, and so in one that its matrix is not in.
bool stays_in_its_card(const PageView& view, const Rect& matrix, const Rect& ink) {
    return keeps_to_page(view, ink) && std::ranges::all_of(view.page.scene.frames, [&](const Frame& frame) {
               if (frame.kind != FrameKind::component && frame.kind != FrameKind::card) return true;
               const Rect card = view.screen_box(frame.rect);
               return card.holds(matrix) ? card.holds(ink) : !card.overlaps(ink);
           });
}

// Where the words of a page may stand, best first: where they were laid out, or, where a line runs there, beside it;
// together with what else is said there of the same thing, where that is possible. A name that is in a line's way
// wherever it stands stays; all else gives way.
class PlacesFlat {
  public:
    PlacesFlat(const PageView& view, const std::vector<Laid>& all) : clear_(view) {
        for (const Laid& each : all) {
            if (each.label->id.empty() || on_its_matrix(*each.label)) continue;
            Lines& lines = of_[place_of(*each.label)];
            lines.inks.push_back(ink_of(each.placed));
            lines.crossed = lines.crossed || clear_.crossed(each.label->id, lines.inks.back());
        }
        for (auto& [place, lines] : of_)
            if (lines.crossed) lines.ways = clear_.ways_out(lines.inks);
        for (const Slab& slab : view.page.scene.slabs)
            if (std::ranges::any_of(all, [&](const Laid& each) { return headcount::names(*each.label, slab); }))
                named_.push_back({slab.id, view.screen_box(slab.rect)});
    }

    // Those on a swatch come after the others, then those where words would seem to be another's, and in the end those
    // that a line runs through.
    std::vector<TiltedPlace> places(const PageView& view, const Laid& each) const {
        std::vector<TiltedPlace> places = in_order(view, each);
        const auto last = [&](const TiltedPlace& place) {
            PlacedLabel there = each.placed;
            there.at = place.at;
            return place.crossed ? 3 : place.astray ? 2 : clear_.on_swatch(ink_of(there)) ? 1 : 0;
        };
        std::ranges::stable_sort(places, {}, last);
        return places;
    }

    // What is there then is not seen through the letters.
    bool on_swatch(const Rect& ink) const { return clear_.on_swatch(ink); }

  private:
    std::vector<TiltedPlace> in_order(const PageView& view, const Laid& each) const {
        const Point at = each.placed.at;
        std::vector<TiltedPlace> places;
        if (on_its_matrix(*each.label)) {
            places.push_back({at});
            if (each.label->role == TextRole::name) add_beside(view, each, places);
            return places;
        }
        const Rect ink = ink_of(each.placed);
        const auto moved = [&](Point way) {
            return Rect{{ink.min.x + way.x, ink.min.y + way.y}, {ink.max.x + way.x, ink.max.y + way.y}};
        };
        const auto stays = [&](Point way) {
            return !each.label->matrix || stays_in_its_card(view, view.screen_box(*each.label->matrix), moved(way));
        };
        // Far from its name a number would seem to be another's.
        const float furthest = is_name(*each.label) ? FLT_MAX : view.px(line_height);
        const auto add = [&](const std::vector<Point>& ways, float most = FLT_MAX) {
            for (const Point way : ways) {
                if (!stays(way) || std::abs(way.x) + std::abs(way.y) > most) continue;
                const bool astray = is_astray(view, *each.label, moved(way));
                if (is_name(*each.label) || !astray)
                    places.push_back({.at = {at.x + way.x, at.y + way.y}, .astray = astray});
            }
        };
        if (const auto lines = of_.find(place_of(*each.label)); lines != of_.end()) add(lines->second.ways);
        const bool crossed = clear_.crossed(each.label->id, ink);
        if (!crossed) places.push_back({at});
        if (crossed) add(clear_.ways_out(std::span(&ink, 1)), furthest);
        if (each.label->role == TextRole::name && each.label->matrix) add_beside(view, each, places);
        if (!crossed || !is_name(*each.label)) return places;
        // Rather a line through a subscript than through all of a name.
        const Rect letters = letters_of(each.placed);
        if (!clear_.crossed(each.label->id, letters)) places.push_back({.at = at, .crossed = true});
        for (const Point way : clear_.ways_out(std::span(&letters, 1)))
            if (stays(way)) places.push_back({.at = {at.x + way.x, at.y + way.y}, .crossed = true});
        places.push_back({.at = at, .crossed = true});
        return places;
    }

    // Whether words there are nearer to what has another name.
    bool is_astray(const PageView& view, const Label& label, const Rect& ink) const {
        if (!label.matrix) return false;
        const float own = away(ink, view.screen_box(*label.matrix));
        return std::ranges::any_of(
            named_, [&](const Named& other) { return other.id != label.id && away(ink, other.rect) < own; });
    }

    // At each side of its matrix where no line runs: better than nowhere.
    void add_beside(const PageView& view, const Laid& each, std::vector<TiltedPlace>& places) const {
        const Rect matrix = with_side_marks(view, *each.label->matrix);
        PlacedLabel name = each.placed;
        const float behind = view.px(behind_matrix), before = view.px(before_matrix);
        const float middle = matrix.centre().y - name.height / 2;
        for (const Point at : {Point{matrix.min.x, matrix.min.y - name.height},
                               {matrix.max.x + behind, middle},
                               {matrix.min.x, matrix.max.y},
                               {matrix.min.x - before - name.width, middle},
                               {matrix.max.x - name.width, matrix.min.y - name.height},
                               {matrix.max.x - name.width, matrix.max.y}}) {
            name.at = {std::floor(at.x), std::floor(at.y)};
            const Rect ink = ink_of(name);
            if (!clear_.crossed(name.id, ink) && stays_in_its_card(view, matrix, ink))
                places.push_back({.at = name.at, .beside = true});
        }
    }

    struct Lines {
        std::vector<Rect> inks;
        bool crossed = false;
        std::vector<Point> ways;
    };
    // What is said of a thing at one edge of it.
    using Place = std::pair<std::string_view, float>;
    static Place place_of(const Label& label) { return {label.id, label.pivot.y}; }

    struct Named {
        std::string_view id;
        Rect rect;
    };

    ClearWords clear_;
    std::map<Place, Lines> of_;
    std::vector<Named> named_;  // on the screen, what has a name of its own
};

// Tilted: first the places through which no line runs; a number has no others. None covers what is chosen from, or a
// sign.
void off_lines(const TiltedLines& lines, const PlacedLabel& words, bool name, std::vector<TiltedPlace>& places) {
    const auto ink = [&](const TiltedPlace& place) {
        PlacedLabel there = words;
        there.at = place.at;
        return ink_of(there);
    };
    const auto free = [&](const TiltedPlace& place) { return place.on_line || !lines.cross(ink(place)); };
    std::erase_if(places, [&](const TiltedPlace& place) {
        return (place.on_line && !lines.cross(ink(place))) || lines.covers_kept(ink(place));
    });
    const auto struck = std::stable_partition(places.begin(), places.end(), free);
    if (!name) places.erase(struck, places.end());
}

}  // namespace

void wish_labels(const PageView& view, const Palette& palette, std::vector<LabelWish>& wishes) {
    const Rect& area = view.lens.area();
    if (view.seen.clarity < clear_enough) return;
    const bool flat = view.flat();
    std::vector<Laid> all;
    for (const Label& label : view.page.scene.labels)
        if (view.clarity(label.door) >= clear_enough) all.push_back(laid(view, label, label.text));
    std::optional<PlacesFlat> clear;
    std::optional<TiltedLines> lines;
    if (flat)
        clear.emplace(view, all);
    else
        lines.emplace(view);
    TiltedNames names;
    wishes.reserve(wishes.size() + all.size());
    for (Laid& each : all) {
        const Label& label = *each.label;
        const PlacedLabel& placed = each.placed;
        const bool aslant = !flat && label.matrix, choice = is_choices(view, label);
        const bool trained =
            label.role == TextRole::name && std::ranges::any_of(view.page.scene.slabs, [&](const Slab& slab) {
                return headcount::names(label, slab) && (slab.look == SlabLook::parameter || slab.grid_columns > 0);
            });
        const bool in_sight = trained && label.matrix && area.holds(view.screen_box(*label.matrix));
        const auto places_of = [&](Laid& said) {
            if (flat) {
                std::vector<TiltedPlace> places = clear->places(view, said);
                // Rather in sight of its matrix, with a line to that, than nearer to another one.
                if (in_sight && std::ranges::any_of(places, &TiltedPlace::astray))
                    std::erase_if(places, [](const TiltedPlace& place) { return place.astray || place.crossed; });
                // What flows rather has no name than one that hides what another title begins with.
                if (label.role == TextRole::name && !trained)
                    std::erase_if(places, [&](const TiltedPlace& place) {
                        PlacedLabel there = said.placed;
                        there.at = place.at;
                        return clear->on_swatch(ink_of(there));
                    });
                return places;
            }
            const Aslant foot = aslant ? names.next(view, label, said.placed.width) : Aslant{said.placed.at};
            said.placed.at = foot.at;
            std::vector<TiltedPlace> places = aslant ? places_aslant(view, label, said.placed, foot.down, trained)
                                                     : places_tilted(view, label, said.placed);
            if (!choice) off_lines(*lines, said.placed, is_name(label), places);
            return places;
        };
        std::vector<TiltedPlace> places = places_of(each);
        if (label.crowded && flat)
            std::erase_if(places, [&](const TiltedPlace& place) { return place.crossed || !place.beside; });
        const bool on_slab = !aslant && (choice || label.tone == Tone::on_slab || label.tone == Tone::on_slab_low);
        const Palette& light = view.looks.palette_of(label.id, palette);
        const int rank = static_cast<int>(label.role) * 4 + static_cast<int>(label.tone == Tone::low);
        const bool count = label.matrix && label.role == TextRole::number && label.tone == Tone::low;
        const auto wish = [&](const Laid& said, const TiltedPlace& place) {
            PlacedLabel words = said.placed;
            const bool beside = aslant || (flat && place.beside);
            const bool moved = !(place.at == words.at);
            words.at = {std::floor(place.at.x), std::floor(place.at.y)};
            words.colour =
                faded(beside ? colour_beside(label, light) : colour_of(label, light), view.clarity(label.door));
            const Rect ink = ink_of(words);
            words.ground = flat && clear->on_swatch(ink) ? faded(light.deck, view.clarity(label.door)) : 0;
            if (!aslant && on_numbers(view, label.id, ink)) {
                words.colour = light.text_high;
                words.ground = faded(light.ground, ground_on_numbers);
            }
            // Out of a line's way, but never over what is said around the page.
            const bool left = flat && moved && !keeps_to_page(view, ink);
            const bool out = left || (!place.beside && sticks_out(view, label, ink));
            if (!ink.overlaps(area) || (!aslant && out)) return;
            wishes.push_back({.label = std::move(words),
                              .rank = rank,
                              .over_slab = on_slab && !beside,
                              .page = view.seen.leaf,
                              .of = &label,
                              .follows_shape = count && !on_slab,
                              .crossed = place.crossed,
                              .way = place.way,
                              .trained = trained});
        };
        // What changed is said where that was laid out; elsewhere the name alone has room sooner.
        std::optional<Laid> bare;
        if (label.matrix && !label.brief.empty()) bare = laid(view, label, label.brief);
        const bool fits = !on_its_matrix(label) || placed.width <= view.screen_box(*label.matrix).width();
        for (const TiltedPlace& place : places)
            if (!bare || (fits && !place.crossed && place.at == placed.at)) wish(each, place);
        if (bare)
            for (const TiltedPlace& place : places_of(*bare)) wish(*bare, place);
        if (!in_sight) continue;
        PlacedLabel words = bare ? bare->placed : placed;
        words.colour = faded(colour_beside(label, light), view.clarity(label.door));
        wishes.push_back({.label = std::move(words),
                          .rank = rank,
                          .page = view.seen.leaf,
                          .of = &label,
                          .trained = true,
                          .in_sight = true});
    }
}

}  // namespace headcount
