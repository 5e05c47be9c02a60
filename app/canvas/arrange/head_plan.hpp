// Where the parts of a head's page go, and what its parts share. Not for other pages.
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
    bool causal = false, transposed = false, chunked = false;
    std::int64_t window = 0, first_position = 0;
};
struct HeadNumbers;
// What one head has of a tensor that holds all heads side by side.
Piece columns_of_head(double rows, double columns);
Piece rows_of_head(double rows, double columns);
// Scores or weights: nothing of the future, and of a window what is in it.
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
    double tokens, seen, kept;        // T; tokens that the queries meet; those that are kept
    double made, bottleneck, shared;  // latent: columns of W_ukv for this head, r_kv, d_r
    double from;                      // what queries are made of: columns of X, or of their bottleneck
    std::int64_t heads, kv_heads, cached;
    std::int64_t window;                                     // 0: none
    std::int64_t group() const { return heads / kv_heads; }  // query heads that share a pair of K and V
};

struct HeadPlan {
    Ruler outer;                          // for all but what the two cards enlarge
    float tallest = 0;                    // activations outside the cards are cut here
    std::array<float, 3> slices{};        // left edges of what W_q, W_k, W_v have for this head
    float weights_top = 0, stream_y = 0;  // X and what is made of it are centred on the stream's line
    Rect input;                           // X, or the bottleneck of the queries
    Rect kept;                            // latent: the bottleneck of keys and values
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

}  // namespace headcount
