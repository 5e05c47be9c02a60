// Where the parts of a head's page go, and what its parts share. And where things stand on the
// page that shows which columns of Q, K and V one head takes. Not for other pages.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {

// A number of rows or columns as pixels: at least the least side, at most `longest` of them.
struct Ruler {
    float scale = 0, least = 0;
    double longest = 1e18;
    bool log_sides = false;

    float operator()(double rows_or_columns) const { return std::max(least, unlimited(rows_or_columns)); }
    float unlimited(double rows_or_columns) const {
        return static_cast<float>(drawn_side(std::min(rows_or_columns, longest), log_sides) *
                                  static_cast<double>(scale));
    }
};

// How a tensor is drawn that is not shown whole and upright.
struct Piece {
    Sides sides;
    std::int64_t row_step = 0, column_step = 0;
    bool transposed = false;
    std::optional<Mask> mask = {};
    std::int64_t first_position = 0;
};
struct HeadNumbers;
// What one head has of a tensor that holds all heads side by side.
Piece columns_of_head(double rows, double columns);
Piece rows_of_head(double rows, double columns);
// Scores or weights: what the mask leaves of them.
Piece seen_by_head(const Sketch& sketch, const HeadNumbers& numbers);

// A slab with its upper left corner there; taller than `tallest` pixels it is cut.
Rect draw_piece(Sketch& sketch, std::string_view id, Point corner, const Piece& piece, const Ruler& ruler,
                float tallest = 1e9F);

// "drawn 11× larger": how the second scale compares with the first; empty where they are the same.
std::string drawn_at(float scale, float other);

// Remembers that of a card of the scene, for where there is no room for it in the card: "head 11×".
void note_enlarged(Scene& scene, std::string_view what, const std::string& drawn);

// The first of these wordings that is at most this wide; empty where none is.
std::string fitting(const Sketch& sketch, std::initializer_list<std::string> wordings, TextRole role, float width);

// What the page says of itself in numbers.
struct HeadNumbers {
    explicit HeadNumbers(const Sketch& sketch);

    bool latent;                      // keys and values are made from a bottleneck
    double dim, head_dim, value_dim;  // d; columns of a head's queries and keys, and of its values
    double tokens, seen, kept;  // that ask; that they meet; of these those that are kept, 0 where no later one comes
    double made, bottleneck, shared;  // latent: columns of W_ukv for this head, r_kv, d_r
    double from;                      // what queries are made of: columns of X, or of their bottleneck
    std::int64_t heads, kv_heads;
    Mask mask;                                               // which tokens each looks at
    std::int64_t cached;                                     // tokens before those of this pass
    bool crosses;                                            // they look at another stack's
    std::int64_t group() const { return heads / kv_heads; }  // query heads that share a pair of K and V
};

struct HeadPlan {
    Ruler outer;                          // for all but what the two cards enlarge
    float tallest = 0;                    // activations outside the cards are cut here
    std::array<float, 3> slices{};        // left edges of what W_q, W_k, W_v have for this head
    float weights_top = 0, stream_y = 0;  // X and what is made of it are centred on the stream's line
    Rect input;                           // X, or the bottleneck of the queries
    Rect kept;                            // latent: the bottleneck of keys and values
    Rect memory;                          // what these are made of where that is another stack's; else empty
    Rect card, cache, heads, output;
};
HeadPlan plan_head(Sketch& sketch, const HeadNumbers& numbers);

// Whether the card has room for its matrices at the plan's own scale. By their logarithm all sides of the page have
// one.
bool card_fits(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers);
// How large the cache's matrices and words are at a scale.
Point cache_extent(const Sketch& sketch, const HeadNumbers& numbers, const Ruler& ruler);

// The parts; the card returns where the head's output leaves it, at its lower edge.
void lay_out_projections(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers);
void lay_out_latent_projections(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers);
float lay_out_head_card(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers);
void lay_out_cache(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers);
void lay_out_siblings(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers);
void lay_out_head_output(Sketch& sketch, const HeadPlan& plan, const HeadNumbers& numbers, float leaves);

// Says of the labels that were set last that none of them is shown without the others.
void keep_together(Sketch& sketch, std::size_t count);

// What enters the projections.
std::string attention_input(const Sketch& sketch);
// What latent attention makes queries of: their bottleneck, else the same.
std::string queries_from(const Sketch& sketch);

// A formula's value, if it has one.
std::optional<std::int64_t> value_of(const Sketch& sketch, const Expr& expr);

// One of the three: its weight, what it makes, and what a head takes of that.
struct BandLane {
    std::string_view weight, bias, made, of_head;
};
inline constexpr std::array<BandLane, 3> band_lanes{
    {{"layer.attention.query.weight", "layer.attention.query.bias", "layer.attention.queries",
      "layer.attention.head.queries"},
     {"layer.attention.key.weight", "layer.attention.key.bias", "layer.attention.keys", "layer.attention.head.keys"},
     {"layer.attention.value.weight", "layer.attention.value.bias", "layer.attention.values",
      "layer.attention.head.values"}}};

struct BandPlan {
    std::int64_t heads = 1, kv_heads = 1, head = 0;
    float scale = 0, made_scale = 0;  // pixels a row or column; of what the card enlarges
    float split = 0, weights = 0;     // left edges
    float weights_end = 0;            // right of them and of the names that do not fit inside
    Rect card;                        // Q, K and V, enlarged
    Rect inner;                       // of it, without its title and what is said below
    float pitch = 0;                  // from one of them to the next
    Rect row;                         // below the card: scores and the way out
    bool sums = true;                 // there is room for how many columns all heads have

    std::int64_t group() const { return heads / kv_heads; }  // heads that share a pair of K and V
    std::int64_t heads_in(std::size_t lane) const { return lane == 0 ? heads : kv_heads; }
    std::int64_t head_in(std::size_t lane) const { return lane == 0 ? head : head / group(); }
    // Of a lane's width, what the band leaves on its wider side.
    float beside_band(std::size_t lane) const {
        const auto all = static_cast<float>(heads_in(lane)), before = static_cast<float>(head_in(lane));
        return std::max(before, all - 1 - before) / all;
    }
    // The middle of a weight and of what it makes.
    float lane_y(std::size_t lane) const;
    float tallest() const;
    float line = 0, gap = 0;  // above each of them, and below
};
BandPlan plan_band(const Sketch& sketch);

// Whether its name fits into that share of a weight's width at that scale.
bool names_inside(const Sketch& sketch, std::string_view weight, float scale, float share = 1);

}  // namespace headcount
