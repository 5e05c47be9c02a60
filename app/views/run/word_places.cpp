// Tries words one after another: none that would cover another's name, or be read as another dot's.
#include "app/views/run/word_places.hpp"

#include <array>
#include <functional>
#include <numeric>

#include "app/ui/rich_text.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

constexpr float between_dots = 3;         // unscaled
constexpr std::size_t few_out = 50;       // one word in so many may lie beyond either end of a direction
constexpr std::size_t most_tried = 6000;  // words that are tried whether their names have room

class PlaceWords {
  public:
    PlaceWords(const Ui& ui, const RunSnapshot& run, ImVec2 box) : ui_(ui), run_(run), box_(box) {}

    PlacedWords of(const RowMap& map) {
        scale(map);
        const auto across = static_cast<std::size_t>(box_.x / ui_.px(between_dots)) + 1;
        std::vector<bool> taken(across * (static_cast<std::size_t>(box_.y / ui_.px(between_dots)) + 1));
        for (std::size_t i = 0; i < map.rows.size(); ++i) {
            const auto id = static_cast<std::int32_t>(map.rows[i]);
            if (!std::isfinite(map.points[i][0]) || !std::isfinite(map.points[i][1])) continue;
            const ImVec2 at = place_at(map.points[i]);
            const std::size_t cell = static_cast<std::size_t>(at.y / ui_.px(between_dots)) * across +
                                     static_cast<std::size_t>(at.x / ui_.px(between_dots));
            if (taken[cell] && !in_prompt(id)) continue;
            taken[cell] = true;
            placed_.ids.push_back(id);
            placed_.at.push_back(at);
        }
        placed_.texts = candidate_texts(run_, map.rows, std::identity());
        name();
        return std::move(placed_);
    }

  private:
    bool in_prompt(std::int32_t id) const { return contains(run_.tokens, id, &RunToken::id); }

    // Each direction has a scale of its own, that of most words: a few that are far out do not press all others
    // together.
    void scale(const RowMap& map) {
        for (std::size_t side = 0; side < 2; ++side) {
            std::vector<float> sorted;
            for (const std::array<float, 2>& each : map.points)
                if (std::isfinite(each[side])) sorted.push_back(each[side]);
            if (sorted.empty()) continue;
            std::ranges::sort(sorted);
            const std::size_t out = sorted.size() / few_out;
            const float least = sorted[out], most = sorted[sorted.size() - 1 - out];
            const float all = side == 0 ? box_.x : box_.y, free = all - 2 * ui_.px(word_map_inset);
            scale_[side] = free / std::max(most - least, 1e-6F);
            (side == 0 ? placed_.zero.x : placed_.zero.y) = all / 2 - (least + most) / 2 * scale_[side];
        }
        placed_.zero.y = box_.y - placed_.zero.y;
    }
    // At the edge where it is beyond.
    ImVec2 place_at(const std::array<float, 2>& point) {
        const ImVec2 at(placed_.zero.x + point[0] * scale_[0], placed_.zero.y - point[1] * scale_[1]);
        const float inset = ui_.px(word_dot);
        const ImVec2 seen(std::clamp(at.x, inset, box_.x - inset), std::clamp(at.y, inset, box_.y - inset));
        placed_.beyond += seen.x != at.x || seen.y != at.y ? 1 : 0;
        return seen;
    }

    // The prompt's first, at whichever side there is room; then here and there among all. None where it would be read
    // as another dot's: a lit one is nearer to it, or any to where it begins.
    void name() {
        std::vector<std::size_t> own;
        for (std::size_t i = 0; i < placed_.ids.size(); ++i)
            if (in_prompt(placed_.ids[i])) own.push_back(i);
        for (const std::size_t i : own) {
            const auto places = places_of(i);
            const auto free = std::ranges::find_if(
                places, [&](const NamePlace& each) { return has_room(each) && !is_nearer(own, i, each, each); });
            if (free != places.end()) placed_.named.push_back({i, *free, true});
        }
        std::vector<std::size_t> all(placed_.ids.size());
        std::iota(all.begin(), all.end(), 0);
        const std::size_t step = std::max<std::size_t>(1, all.size() / most_tried);
        for (std::size_t i = 0; i < all.size(); i += step) {
            const NamePlace place = places_of(i).front();
            const NamePlace begin{place.min, {place.min.x, place.max.y}};
            if (!in_prompt(placed_.ids[i]) && has_room(place) && !is_nearer(own, i, place, place) &&
                !is_nearer(all, i, begin, place))
                placed_.named.push_back({i, place, false});
        }
    }
    bool has_room(const NamePlace& place) const {
        const ImVec2 apart(ui_.px(4), 0);
        const NamePlace around{place.min - apart, place.max + apart};
        return place.min.x >= 0 && place.max.x <= box_.x && place.min.y >= 0 && place.max.y <= box_.y &&
               std::ranges::none_of(placed_.named, [&](const auto& each) { return each.place.touches(around); });
    }
    // Whether any of these is nearer to this part of its name than the word's own dot is to the name.
    bool is_nearer(const std::vector<std::size_t>& dots, std::size_t word, const NamePlace& part,
                   const NamePlace& name) const {
        const float own = name.away(placed_.at[word]);
        return std::ranges::any_of(dots, [&](std::size_t i) {
            const ImVec2 at = placed_.at[i];
            const bool there = at.x != placed_.at[word].x || at.y != placed_.at[word].y;
            return there && i != word && part.away(at) < own;
        });
    }
    // Behind its dot, before it, above and below.
    std::array<NamePlace, 4> places_of(std::size_t i) const {
        const float width = text_width(ui_.fonts.mono_caption, placed_.texts.of(piece_of(run_, placed_.ids[i])));
        const float away = ui_.px(word_dot + 3), half = ui_.px(word_name_height / 2 - 2);
        const ImVec2 at = placed_.at[i];
        const auto around = [&](ImVec2 middle) {
            return NamePlace{middle - ImVec2(width / 2, half), middle + ImVec2(width / 2, half)};
        };
        const ImVec2 aside(away + width / 2, 0), over(0, away + half);
        return {around(at + aside), around(at - aside), around(at - over), around(at + over)};
    }

    const Ui& ui_;
    const RunSnapshot& run_;
    const ImVec2 box_;
    std::array<float, 2> scale_{};
    PlacedWords placed_;
};

}  // namespace

PlacedWords place_words(const Ui& ui, const RunSnapshot& run, const RowMap& map, ImVec2 box) {
    return PlaceWords(ui, run, box).of(map);
}

}  // namespace headcount
