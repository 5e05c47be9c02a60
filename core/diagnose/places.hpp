// The activations of a run that somebody else's can be compared with, in the order of the forward pass, and their
// numbers, whatever way they lie.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/diagnose/theirs.hpp"
#include "core/runtime/run.hpp"

namespace headcount {

struct Site {
    TensorIndex tensor = 0;
    std::int64_t layer = 0;
    std::optional<std::int64_t> in_layer = {};  // the layer, absent outside of layers
    bool of_encoder = false;                    // beside a decoder
    bool across = false;                        // of attention to the other text
    std::int64_t after = 0;                     // so many layers of all have run when it is made
    std::int64_t copies = 1, rows = 0, columns = 0;
    bool by_head = false;           // each copy is a head's
    bool scores = false;            // only what the mask leaves counts
    std::int64_t head_columns = 0;  // of what lies head by head; 0: it does not
    std::string name;               // "layer.0.attention.queries", as `run --dump` calls it
    std::vector<std::string> also;  // other names for it: "hidden.1"
};

// Of a run that has kept all, of its graph as it stands.
std::vector<Site> places_of(const Run& run);

// The names of what `run --dump` writes besides: of each expert's tokens, which experts those are, and states.
std::set<std::string> dumped_besides(const Run& run);

// (copies, rows, columns) of that place in this run, which may be another model's with the same shapes, and under way;
// empty where it has none.
std::vector<float> numbers_at(const Run& run, const Site& place, TensorIndex tensor);

// How their tensor lies. Sides of 1, such as a batch, do not matter.
enum class Lie {
    plain,        // as ours does; heads' columns may be an axis of their own: (T, h, d_h)
    heads_first,  // (h, T, d_h) where we have (T, h·d_h)
    last_row,     // the last token's alone
};
std::vector<Lie> lies(const Site& place, const std::vector<std::int64_t>& shape);

// How far theirs is from ours, in parts of ours' size: the root of the squares' sum of the differences over that of
// ours. Infinite where one is no finite number.
double difference(const TheirTensor& theirs, Lie lie, const Site& place, std::span<const float> ours);

// The share that was dropped, where theirs is ours with some numbers made 0 and all others divided by what is left;
// absent where it is anything else.
std::optional<double> dropped(const TheirTensor& theirs, Lie lie, const Site& place, std::span<const float> ours);

// Where: of each token, of each head, of each column. Empty where there is no such side.
struct Where {
    std::vector<double> tokens, heads, columns;
};
Where where_different(const TheirTensor& theirs, Lie lie, const Site& place, std::span<const float> ours);

}  // namespace headcount
