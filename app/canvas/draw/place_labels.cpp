// Which of all words are shown: never over each other, never over a foreign matrix, never scaled; on ground of their
// own where the dashed outline of another size, a token's lit row or, tilted, a line would run through them.
#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/draw/labels.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

constexpr float apart_words = 4;       // of the height of a line in sixteenths: between two words beside each other
constexpr float between_lines = 1.5F;  // ... and of two things above each other
constexpr float out_of_place = 8;      // ... and around what does not stand where all of its kind do
// Of a line of text: the part that has ink, from the top of the line.
constexpr float ink_from = 1.5F, ink_to = 13.5F, lowered_to = 15, line = 16;  // lowered: of a subscript

// Of one size, as those of a row are that stand for one thing each.
bool alike(const Rect& a, const Rect& b) {
    return std::abs(a.width() - b.width()) < touching && std::abs(a.height() - b.height()) < touching;
}

// What has found room so far.
class Placed {
  public:
    // Words about something else keep clear of each other above and below, too.
    bool free(const LabelWish& wish, const Rect& ink) const {
        for (std::size_t i = 0; i < inks_.size(); ++i)
            if (!clear_of(i, wish, ink)) return false;
        return true;
    }
    // Whether what this one belongs to is there: a name before all else, a shape before a count.
    bool follows(const LabelWish& wish) const {
        const bool named =
            !wish.of || !wish.of->follows_name || has(wish, [](const LabelWish& other) { return is_name(*other.of); });
        return named && (!wish.follows_shape || has(wish, [&](const LabelWish& other) {
                   return other.of->role == TextRole::number && other.way == wish.way;
               }));
    }
    // Whether the same label has found another place.
    bool placed(const LabelWish& wish) const {
        return wish.of && std::ranges::any_of(wishes_, [&](const LabelWish* other) {
                   return other->of == wish.of && other->page == wish.page;
               });
    }
    void add(const LabelWish& wish, const Rect& ink) {
        inks_.push_back(ink);
        wishes_.push_back(&wish);
    }
    // The labels that are in the way; and as if these were not there.
    std::vector<std::size_t> before(const LabelWish& wish, const Rect& with_gap) const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < wishes_.size(); ++i)
            if (!clear_of(i, wish, with_gap)) found.push_back(i);
        return found;
    }
    const LabelWish& at(std::size_t index) const { return *wishes_[index]; }
    Placed without(const std::vector<std::size_t>& indices) const {
        Placed rest;
        for (std::size_t i = 0; i < wishes_.size(); ++i)
            if (!contains(indices, i)) rest.add(*wishes_[i], inks_[i]);
        return rest;
    }
    bool crosses(Point from, Point to) const {
        return std::ranges::any_of(inks_, [&](const Rect& ink) { return passes(from, to, ink); });
    }
    // Whether all of its pair are there.
    bool complete(const LabelWish& wish) const {
        if (!wish.of || wish.of->pair == 0) return true;
        return std::ranges::count_if(wishes_, [&](const LabelWish* other) {
                   return other->of && other->page == wish.page && other->of->pair == wish.of->pair;
               }) == wish.of->pair_size;
    }
    const std::vector<const LabelWish*>& all() const { return wishes_; }

  private:
    bool clear_of(std::size_t index, const LabelWish& wish, const Rect& ink) const {
        const float clear = wish.label.height * (wish.way > 0 ? out_of_place : between_lines) / line;
        const Rect& other = inks_[index];
        const bool near = ink.overlaps({{other.min.x, other.min.y - clear}, {other.max.x, other.max.y + clear}});
        return !near || (!ink.overlaps(other) && wishes_[index]->label.id == wish.label.id);
    }
    template <class Is>
    bool has(const LabelWish& wish, Is is) const {
        return std::ranges::any_of(wishes_, [&](const LabelWish* other) {
            return other->of && other->page == wish.page && other->label.id == wish.label.id && is(*other);
        });
    }

    std::vector<Rect> inks_;
    std::vector<const LabelWish*> wishes_;
};

}  // namespace

Rect letters_of(const PlacedLabel& label) {
    return {{label.at.x, label.at.y + label.height * ink_from / line},
            {label.at.x + label.width, label.at.y + label.height * ink_to / line}};
}

Rect ink_of(const PlacedLabel& label) {
    Rect ink = letters_of(label);
    const bool lowered = label.role == TextRole::name && label.text.find('_') != std::string::npos;
    if (lowered) ink.max.y = label.at.y + label.height * lowered_to / line;
    return ink;
}

namespace {

// What the labels of one picture keep to.
class Placing {
  public:
    Placing(const std::vector<Obstacle>& slabs, const Rect& area) : slabs_(slabs), area_(area) {}

    Placed placed;

    void place(const LabelWish& wish) {
        if (wish.in_sight || placed.placed(wish) || !placed.follows(wish) || !may_stand(wish)) return;
        if (placed.free(wish, with_gap(wish))) placed.add(wish, ink_of(wish.label));
    }

    // A matrix's name, when it finds its place taken, takes it where the names there have others, or find such in the
    // same way: at most three deep.
    void place_instead(const LabelWish& wish, const std::vector<const LabelWish*>& all) {
        constexpr int most_moves = 3;
        if (wish.in_sight || placed.placed(wish)) return;
        if (std::optional<Placed> moved = with(placed, wish, all, most_moves)) placed = *std::move(moved);
    }

    // Where it is in sight of its matrix; lines of the page end beside it.
    void place_in_sight(const LabelWish& wish, const PageView& view, const Palette& palette, Drawing& drawing) {
        if (!wish.in_sight || placed.placed(wish)) return;
        const Rect matrix = view.screen_box(*wish.of->matrix);
        LabelWish there = wish;
        const auto may = [&](const PlacedLabel& tried) {
            there.label.at = tried.at;
            return may_stand(there) && placed.free(there, with_gap(there));
        };
        const auto near = [&](const Rect& ink) {
            return !lead_of(view, ink, matrix, palette.edge) || sees(ink, matrix, wish);
        };
        const std::optional<TiltedPlace> place = headcount::place_in_sight(view, matrix, wish.label, {may, near});
        if (!place) return;
        there.label.at = place->at;
        const Rect ink = ink_of(there.label);
        if (const std::optional<Line> lead = lead_of(view, ink, matrix, palette.edge)) drawing.add(*lead);
        if (place->crossed) there.label.ground = palette.ground;
        led_.push_back(std::move(there));
        placed.add(led_.back(), ink);
    }

  private:
    bool sees(const Rect& ink, const Rect& matrix, const LabelWish& wish) const {
        const Point from = ink.centre(), to = matrix.centre();
        return !placed.crosses(from, to) && std::ranges::none_of(slabs_, [&](const Obstacle& slab) {
            return slab.id != wish.label.id && slab.seen.crosses(from, to);
        });
    }
    std::optional<Placed> with(const Placed& as_it_is, const LabelWish& wish, const std::vector<const LabelWish*>& all,
                               int moves) const {
        if (!may_stand(wish)) return std::nullopt;
        const std::vector<std::size_t> taken = as_it_is.before(wish, with_gap(wish));
        if (moves == 0 && !taken.empty()) return std::nullopt;
        Placed moved = as_it_is.without(taken);
        moved.add(wish, ink_of(wish.label));
        for (const std::size_t index : taken) {
            const LabelWish& there = as_it_is.at(index);
            std::optional<Placed> next;
            for (int more = 0; more < moves && !next; ++more)
                for (const LabelWish* other : all) {
                    if (!there.of || other->of != there.of || other->page != there.page || other->crossed ||
                        other->in_sight)
                        continue;
                    if ((next = with(moved, *other, all, more))) break;
                }
            if (!next) return std::nullopt;
            moved = *std::move(next);
        }
        return moved;
    }
    static Rect with_gap(const LabelWish& wish) {
        const Rect ink = ink_of(wish.label);
        const float apart = wish.over_slab ? 0 : wish.way > 0 ? out_of_place : apart_words;
        const float gap = wish.label.height * apart / line;
        return {{ink.min.x - gap, ink.min.y}, {ink.max.x + gap, ink.max.y}};
    }
    bool may_stand(const LabelWish& wish) const {
        const Rect ink = ink_of(wish.label);
        const bool inside = ink.min.x >= area_.min.x - 2 && ink.max.x <= area_.max.x - 2 &&
                            ink.min.y >= area_.min.y - 2 && ink.max.y <= area_.max.y + 2;
        // Where what it names is drawn twice, in two sizes, the other one is foreign, too.
        const std::optional<Rect> own = wish.of ? wish.of->matrix : std::nullopt;
        return inside && (wish.over_slab || std::ranges::none_of(slabs_, [&](const Obstacle& slab) {
                              const bool foreign = slab.id != wish.label.id || (own && !alike(*own, slab.rect));
                              return foreign && slab.seen.overlaps(ink.grown(-touching));
                          }));
    }

    const std::vector<Obstacle>& slabs_;
    const Rect& area_;
    std::deque<LabelWish> led_;
};

}  // namespace

void place_labels(const std::vector<LabelWish>& wishes, const std::vector<Obstacle>& slabs,
                  const std::vector<PageView>& views, const Palette& palette, Drawing& drawing) {
    std::vector<const LabelWish*> order;
    order.reserve(wishes.size());
    for (const LabelWish& wish : wishes) order.push_back(&wish);
    std::ranges::stable_sort(order, [](const LabelWish* a, const LabelWish* b) { return a->rank < b->rank; });
    const auto numbers =
        std::ranges::find_if(order, [](const LabelWish* wish) { return wish->label.role == TextRole::number; });
    const std::vector<const LabelWish*> names(order.begin(), numbers), rest(numbers, order.end());
    Placing placing(slabs, drawing.area);
    for (const LabelWish* const name : names) placing.place(*name);
    for (const bool trained : {true, false})
        for (const LabelWish* const name : names)
            if (name->trained == trained && name->of && name->of->matrix) placing.place_instead(*name, names);
    for (const LabelWish* const name : names)
        for (const PageView& view : views)
            if (view.seen.leaf == name->page) placing.place_in_sight(*name, view, palette, drawing);
    for (const LabelWish* const number : rest) placing.place(*number);
    for (const LabelWish* wish : placing.placed.all())
        if (placing.placed.complete(*wish) || wish->trained) drawing.labels.push_back(wish->label);
}

namespace {

bool runs_through(const Rect& outline, const Rect& ink) {
    const bool within = outline.min.x < ink.min.x && outline.min.y < ink.min.y && outline.max.x > ink.max.x &&
                        outline.max.y > ink.max.y;
    return ink.overlaps(outline) && !within;
}

// The colour of what lies on top there; nothing where that is numbers, each in a colour of its own.
std::optional<Rgba> ground_at(Point screen, const Lens& lens, Rgba ground, const Drawing& drawing, bool under_numbers) {
    const std::optional<WorldPoint> at = lens.unproject(screen);
    if (!at) return ground;
    const Camera& camera = lens.camera();
    const auto x = static_cast<float>((at->x - camera.x) * camera.zoom);
    const auto y = static_cast<float>((at->y - camera.y) * camera.zoom);
    const auto top = std::find_if(drawing.boxes.rbegin(), drawing.boxes.rend(), [&](const Box& box) {
        const bool numbers = box.pattern == CellPattern::heat;
        const bool covers = numbers ? !under_numbers : box.fill >> 24U == 0xFFU;
        return covers && x >= box.min_x && x < box.max_x && y >= box.min_y && y < box.max_y;
    });
    if (top == drawing.boxes.rend()) return ground;
    return top->pattern == CellPattern::heat ? std::nullopt : std::optional(top->fill);
}

}  // namespace

void put_ground_behind_labels(const std::vector<PageView>& views, const Lens& lens, const Palette& palette,
                              Drawing& drawing) {
    std::vector<Rect> outlines;
    std::vector<TiltedLines> lines;
    for (const PageView& view : views) {
        for (const Slab& slab : view.page.scene.slabs)
            if (slab.base && view.clarity(slab.door) >= clear_enough) outlines.push_back(view.screen_box(*slab.base));
        if (!view.flat()) lines.emplace_back(view);
    }
    for (PlacedLabel& label : drawing.labels) {
        const Rect ink = ink_of(label);
        const bool crossed =
            std::ranges::any_of(outlines, [&](const Rect& outline) { return runs_through(outline, ink); });
        const bool struck =
            std::ranges::any_of(drawing.lit, [&](const Lit& lit) { return lit.row && runs_through(lit.rect, ink); }) ||
            std::ranges::any_of(lines, [&](const TiltedLines& of) { return of.cross(ink); });
        if (crossed || struck)
            label.ground = ground_at(ink.centre(), lens, palette.ground, drawing, crossed).value_or(0);
    }
}

}  // namespace headcount
