// Where the layers of a model differ: which kinds there are, and which layer is of which.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/arch/architecture.hpp"

namespace headcount {

// How a layer has what layers share (SharedLayer): as which of all that have it, from 0, and with which set of weights.
struct SharedUse {
    std::int64_t which = 0, set = 0;

    bool operator==(const SharedUse&) const = default;
};

// What one layer has of that in which layers differ.
struct LayerKind {
    bool windowed = false;                 // attention sees a window only
    bool rotated = true;                   // queries and keys are turned by position
    bool mixture = false;                  // experts in the feed-forward's place
    bool attention = true;                 // there is one
    bool recurrent = false;                // a mixer with a state, in attention's place or beside it
    bool feed_forward = true;              // there is one, dense or of experts
    bool borrows = false;                  // keys and values of an earlier layer
    bool indexed = false;                  // chooses which keys are looked at
    bool encoder = false;                  // of the encoder beside the decoder
    bool unnormed = false;                 // no norm before its mixer
    bool convolved = false;                // a convolution of what enters it is added to what it makes
    bool sparse = false;                   // of the feed-forward's gate the largest numbers alone count
    bool gives_values = false;             // some of which later layers take (RWKV-7)
    std::optional<SharedUse> shared = {};  // what layers share stands before its mixer
    std::uint32_t besides = 0;  // a bit for each set of layers that has something besides (Extra::layers), if in it

    bool operator==(const LayerKind&) const = default;
};

struct LayerGroup;

// The kinds of the layers of the decoder, or of the only stack; else of the encoder beside it.
class LayerKinds {
  public:
    // `arch` must outlive it.
    explicit LayerKinds(const Architecture& arch, bool encoder = false);
    LayerKind operator[](std::int64_t layer) const;

    // The layers before the pattern's cycle, and the cycle's length.
    struct Pattern {
        std::int64_t first = 0, cycle = 1;
    };
    Pattern pattern() const;

    // How many layers the group has, as a formula: L, L - 3, or a number.
    Expr count(const LayerGroup& group) const;

  private:
    std::vector<const LayerSet*> sets() const;
    std::optional<std::int64_t> first_recurrent() const;

    const Architecture& arch_;
    bool encoder_;
    // What only the layers of some families have: the sets of layers that have some of what there is besides, but for
    // what all layers have; and what layers share.
    std::vector<LayerSet> besides_;
    std::optional<SharedLayer> shared_;
    bool convolves_ = false;              // the first layer, beside what it makes
    std::optional<std::int64_t> giving_;  // the layer whose values later ones take some of
};
// Of one layer; of many, LayerKinds asks the family once.
LayerKind layer_kind(const Architecture& arch, std::int64_t layer, bool encoder = false);

// How many layers the stack has that has layers of this kind, and whether this one of them, from 0, is of it.
std::int64_t stack_layers(const Architecture& arch, const LayerKind& kind);
bool is_of_kind(const Architecture& arch, std::int64_t layer, const LayerKind& kind);

// Whether layers of both kinds are built alike, though each may share weights with others.
bool are_built_alike(const LayerKind& a, const LayerKind& b);

// The layers of one kind.
struct LayerGroup {
    LayerKind kind;
    std::int64_t first;  // the first layer of this kind, in its stack
    std::int64_t count;
    std::string name;       // of its block: "layer" of the largest group of a stack; else "layer_dense", ...
    std::string label;      // what tells it apart: "sliding", "full", "dense", "mixture"; empty where all are alike
    bool main = false;      // the largest group that is not of an encoder beside a decoder
    std::string look = {};  // the label, which all have in common that are built alike
    bool operator==(const LayerGroup&) const = default;
};

// The kinds in the order of their first layers, an encoder's before the decoder's. Costs the length of the pattern's
// cycle, not the number of layers; longer cycles than `longest_pattern` are for `validate` to refuse.
std::vector<LayerGroup> layer_groups(const Architecture& arch);
inline constexpr std::int64_t longest_pattern = 65536;

// After how many layers of a stack their pattern has shown all that it has: the first ones and one whole cycle.
std::int64_t pattern_length(const Architecture& arch, bool encoder = false);

// Those that the group has, in their order. Costs the number of layers.
std::vector<std::int64_t> layers_of(const Architecture& arch, const LayerGroup& group);

}  // namespace headcount
