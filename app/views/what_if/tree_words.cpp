// Which names of the family tree have room, and what stands below them.
#include "app/views/what_if/tree_words.hpp"

#include <algorithm>
#include <optional>

#include "app/state/subject.hpp"
#include "app/ui/colour.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/veil.hpp"

namespace headcount {
namespace {

using poster::Placed;

constexpr float least_ring = 5, name_gap = 4, ground_behind_words = 0.7F;

}  // namespace

ImVec2 on_screen(const Lens& lens, double x, double y) {
    const Point point = lens.project(WorldPoint{x, y});
    return {point.x, point.y};
}

Rect square_of(const TreePen& pen, std::size_t i) {
    const Placed& model = pen.tree.sheet.models[i];
    return around(pen.lens.project(WorldPoint{model.x, model.y}),
                  pen.lens.project(WorldPoint{model.x + model.side, model.y + model.side}));
}

Rect ring_around(const TreePen& pen, const Rect& square) {
    const float half = std::max(square.width() / 2, pen.ui.px(least_ring)) + pen.ui.px(tree_ring);
    return Rect{square.centre(), square.centre()}.grown(half);
}

namespace {

// Where a whole name has room as the sheet has it.
bool has_room(const TreePen& pen, const Placed& model, float width) {
    const auto zoom = static_cast<float>(pen.lens.camera().zoom);
    return static_cast<float>(model.bottom - model.words_y) * zoom >= pen.ui.fonts.caption_medium.size &&
           width <= static_cast<float>(model.room) * zoom;
}

// Below a name, nearer, what the model cost and what changed. Returns the foot of it.
float draw_lines(const TreePen& pen, std::size_t i, ImVec2 at, std::string_view chosen) {
    const Placed& model = pen.tree.sheet.models[i];
    const auto zoom = static_cast<float>(pen.lens.camera().zoom);
    const float line = static_cast<float>(poster::line_step) * zoom;
    if (line < pen.ui.fonts.caption_medium.size) return at.y;
    std::optional<About> about;
    if (pen.tree.nodes[i].preset->id == chosen) about.emplace(total_key);
    float y = at.y + static_cast<float>(poster::name_step) * zoom;
    for (const std::string& each : model.lines) {
        draw_text(pen.list, pen.ui.fonts.caption, ImVec2(at.x, y), pen.ui.theme.text_mid, each,
                  static_cast<float>(model.room) * zoom);
        y += line;
    }
    return y;
}

// The names that are placed, and what they keep clear of.
class TreeNames {
  public:
    TreeNames(const TreePen& pen, const Rect& sight, std::string_view chosen)
        : pen_(pen), sight_(sight), chosen_(chosen), squares_(pen.tree.nodes.size()) {
        for (std::size_t i = 0; i < squares_.size(); ++i) {
            squares_[i] = is_chosen(i) ? ring_around(pen, square_of(pen, i)) : square_of(pen, i);
            if (squares_[i].overlaps(sight)) taken_.push_back(squares_[i]);
        }
    }

    bool is_chosen(std::size_t i) const { return pen_.tree.nodes[i].preset->id == chosen_; }

    // Where the sheet has it, with its lines; false where it has no room there.
    bool put_in_place(std::size_t i) {
        const Placed& model = pen_.tree.sheet.models[i];
        const ImVec2 at = on_screen(pen_.lens, model.words_x, model.words_y),
                     end = on_screen(pen_.lens, model.words_x + model.room, model.bottom);
        const bool covered = own_ && own_->overlaps({{at.x, at.y}, {end.x, end.y}});
        if (covered || !has_room(pen_, model, width_of(i))) return false;
        put(i, {at.x, at.y});
        taken_.push_back({{at.x, at.y}, {end.x, draw_lines(pen_, i, at, chosen_)}});
        return true;
    }

    // At a side of its square that is free, if any is; the model that is open at the first that is in sight.
    void put_beside(std::size_t i) {
        const Rect& square = squares_[i];
        if (!square.overlaps(sight_)) return;
        const float wide = width_of(i), high = font().size, middle = square.centre().y - high / 2;
        for (const Point at : {Point{square.max.x + between(), middle},
                               {square.min.x, square.min.y - high},
                               {square.min.x, square.max.y},
                               {square.min.x - between() - wide, middle}}) {
            const Rect words{at, {at.x + wide, at.y + high}};
            const auto covers = [&](const Rect& each) { return each.overlaps(words); };
            if (!sight_.holds(words) || (!is_chosen(i) && std::ranges::any_of(taken_, covers))) continue;
            put(i, at);
            if (is_chosen(i)) own_ = words;
            return;
        }
    }

  private:
    const Font& font() const { return pen_.ui.fonts.caption_medium; }
    float between() const { return pen_.ui.px(name_gap); }
    const std::string& name_of(std::size_t i) const { return pen_.tree.nodes[i].preset->architecture.name; }
    float width_of(std::size_t i) const { return text_width(font(), name_of(i)); }

    void put(std::size_t i, Point at) {
        const ImVec2 from(at.x, at.y), to(at.x + width_of(i), at.y + font().size), beside(between(), 0);
        taken_.push_back({{from.x - between(), from.y}, {to.x + between(), to.y}});
        if (!taken_.back().overlaps(sight_)) return;
        pen_.list.AddRectFilled(from - beside, to + beside, with_alpha(pen_.ui.theme.panel, ground_behind_words));
        put_text(pen_.list, font(), from, pen_.ui.theme.text_high, name_of(i));
        pen_.ui.recorder.record("shelf.name", pen_.tree.nodes[i].preset->id, from, to);
    }

    const TreePen& pen_;
    const Rect sight_;
    const std::string_view chosen_;
    std::vector<Rect> squares_, taken_;  // taken: of squares in sight, and of words
    std::optional<Rect> own_;            // the open model's name, out of its place
};

}  // namespace

void draw_tree_words(const TreePen& pen, const Rect& sight, std::string_view chosen) {
    TreeNames names(pen, sight, chosen);
    for (std::size_t i = 0; i < pen.tree.nodes.size(); ++i)
        if (names.is_chosen(i) && !names.put_in_place(i)) names.put_beside(i);
    std::vector<std::size_t> others;
    for (const std::size_t i : pen.tree.by_weight)
        if (!names.is_chosen(i) && !names.put_in_place(i)) others.push_back(i);
    for (const std::size_t i : others) names.put_beside(i);
}

}  // namespace headcount
