// Where the parts of the model's page go once a scale for the model has been chosen.
#pragma once

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {

// Design pixels.
inline constexpr float layer_deck = 14, embedding_x = 92, least_gap_to_layer = 88;

// From the area's left to the embedding, where there is room for tokens.
float tokens_room(const Sketch& sketch, Rect area);

// Everything but the scales' choice: where the parts go at the model's scale that the plan has.
void place(const LayerPencils& pencils, Rect area, Plan& plan);
// The same with the layers of two stacks beside each other; both plans have the same scale.
void place_stacks(const StackPencils& pencils, Rect area, StackPlans& plans);

}  // namespace headcount
