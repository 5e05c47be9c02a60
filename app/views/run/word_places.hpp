// Where the words of a map stand, and which of them have room for their name.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/parts/words.hpp"
#include "app/state/run/snapshot.hpp"
#include "app/ui/ui.hpp"
#include "core/runtime/row_map.hpp"

namespace headcount {

constexpr float word_dot = 4, word_name_height = 16, word_map_inset = 14;  // unscaled; the first of a lit dot, a radius

struct NamePlace {
    ImVec2 min, max;

    bool touches(const NamePlace& other) const {
        return min.x < other.max.x && other.min.x < max.x && min.y < other.max.y && other.min.y < max.y;
    }
    float away(ImVec2 dot) const {
        const ImVec2 way(std::max({min.x - dot.x, dot.x - max.x, 0.0F}),
                         std::max({min.y - dot.y, dot.y - max.y, 0.0F}));
        return std::hypot(way.x, way.y);
    }
};

// Where the words are in a box of this size: of those that would cover each other the first.
struct PlacedWords {
    std::vector<std::int32_t> ids;
    std::vector<ImVec2> at;  // from the box's corner
    struct Named {
        std::size_t word = 0;
        NamePlace place;
        bool own = false;  // of the prompt
    };
    std::vector<Named> named;
    ChipTexts texts{{}};  // of all on the map
    ImVec2 zero;
    int beyond = 0;  // at the edge, and in truth further out

    std::optional<std::size_t> find(std::int32_t id) const {
        const auto found = std::ranges::lower_bound(ids, id);
        return found != ids.end() && *found == id ? std::optional(std::size_t(found - ids.begin())) : std::nullopt;
    }
};

PlacedWords place_words(const Ui& ui, const RunSnapshot& run, const RowMap& map, ImVec2 box);

}  // namespace headcount
