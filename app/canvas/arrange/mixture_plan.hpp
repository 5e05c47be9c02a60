// Where the parts of a mixture of experts go in a layer, at a scale.
#pragma once

#include <string>
#include <string_view>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount::mixture {

inline constexpr std::string_view router = "layer.feed_forward.router.weight",
                                  router_bias = "layer.feed_forward.router.bias",
                                  shared_weight = "layer.feed_forward.shared.weight.weight";
// Design pixels.
inline constexpr float shared_header = 20, inset = 8, inner = 12, words_below = 20, mark_room = 30;
inline constexpr float deck_behind = 10;              // what is seen of the cards behind the first
inline constexpr float pair_gap = 5, named_gap = 20;  // between gate and up: without a name between them, or with one
inline constexpr float name_inside = 18;              // how tall a matrix is at least that its name stands in

// What the mixture is measured by, taken from the graph once, because many scales are tried: of one feed-forward, of
// all.
struct ExpertMeasures {
    Sides up, down, bias;
    bool gated = false;
};
struct Measures {
    explicit Measures(const Sketch& sketch);

    ExpertMeasures expert, shared;
    Sides router, shared_weight;
    float router_words = 0, up_words = 0, down_words = 0;
    bool has_shared() const { return shared.up.columns > 0; }
};

// One feed-forward of the mixture: the expert that stands for all, or the shared ones side by side.
struct Group {
    std::string_view prefix;
    std::string id(std::string_view rest) const { return std::string(prefix) + std::string(rest); }
};
inline constexpr Group expert{"layer.feed_forward.expert."}, shared{"layer.feed_forward.shared."};

// Whether the squares of all experts stand beside the deck's words instead of below them.
bool is_low(const Sketch& sketch, const Plan& plan);
float header_of(const Sketch& sketch, const Plan& plan);
// How far below the deck's upper edge the router begins: its name is above it, or beside.
float above_router(const Sketch& sketch, const Plan& plan);

// How gate and up stand, and where the shared experts are: whatever is larger.
struct Form {
    bool stacked, shared_below;
};

// How wide and tall its matrices are, in pixels.
struct Extent {
    float up_width, up_height, bias, gap, hidden, down_width, down_height, width, height;
};

struct At {
    float split, router, deck, end;  // left edges, and where the last group ends
    Extent one, others;
    float router_width, gate_width;
    float height;  // of all
};

At measured(const Sketch& sketch, const Measures& the, const Plan& plan, float scale, Form form, bool words);
bool fits(const Sketch& sketch, const Measures& the, const Plan& plan, float scale, Form form, bool words);
Form form_at(const Sketch& sketch, const Measures& the, const Plan& plan, float scale);

// A group's matrices: where they begin, and where their input comes from, `from` and at which height.
struct Matrices {
    const Group& group;
    const Extent& extent;
    Point corner;
    float input_y, from;
    bool stacked;     // gate above up, else beside it
    float split;      // where the sub-block's input branches
    float card_foot;  // of the card around them; 0 where there is none
    float until;      // no words below
};
// Gate and up from `from`, the hidden activation, down; returns where the output leaves.
Point lay_out_matrices(Sketch& sketch, const Plan& plan, const Matrices& at, std::string_view input);

}  // namespace headcount::mixture
