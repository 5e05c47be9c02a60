// How the model computes with a tensor: its operation as an equation with shapes, and as rectangles to scale.
#pragma once

#include <optional>

#include "app/parts/inspector_parts.hpp"
#include "core/graph/written.hpp"

namespace headcount {

// "U = X_n · W_up", then its shapes in symbols and in numbers, equal inner sizes underlined. Every tensor and every
// dimension in them can be pressed.
void draw_equation(Inspector& inspector, const Node& node);

// The equation alone, in one line.
Runs equation_runs(const Inspector& inspector, const Equation& equation);

// How many query heads share what this node takes: 1 for queries.
std::int64_t sharers(const Inspector& inspector, const Node& node);

// A product of two matrices: linear layers, scores, the mix.
struct Product {
    TensorIndex left, right, output;
    bool transposed = false;  // the right one
};
std::optional<Product> product_of(const Node& node);

// Its three matrices at one scale, meeting at a corner, with their sizes. Returns false, having drawn nothing, where
// the node is no product.
bool draw_product(Inspector& inspector, const Node& node);

// Said where a side would be too thin to see at the picture's scale.
inline constexpr std::string_view thickened_remark = "Sides under 6 px are drawn 6 px wide.";

// What the key/value cache costs, for the tensors that decide it; nothing for others.
void draw_cache_cost(Inspector& inspector, const Tensor& tensor);

// "4 query heads share 1 key and value head", with a picture; 148 px wide from `top` on; the caller makes room for it.
// Returns its lower end.
inline constexpr float sharing_width = 148;
bool heads_share(const Counted& counted);
float draw_sharing(Inspector& inspector, ImVec2 top);

}  // namespace headcount
