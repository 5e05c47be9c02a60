// The numbers in the canvas's cells: those of the last run, where that is of the model that is shown.
#pragma once

#include <string>
#include <string_view>

#include "app/canvas/draw/compose.hpp"
#include "app/diagram/panels.hpp"

namespace headcount {

// `layer` is the block of the kind of layers that the canvas shows: numbers are of the layer that the Run view looks at
// where that is one of them, else of their first. Empty where no run is of this model. Holds on to the run.
NumberSource numbers_of_run(const DiagramOf& of, std::string_view layer);

// What the last run of the model that is shown has read or drawn at a position: "“time”"; empty where there is none.
std::string token_of_run(const DiagramOf& of, std::int64_t position);

}  // namespace headcount
