// Where in the model a question is: the block whose picture shows everything that it asks about.
#pragma once

#include <optional>
#include <string>

#include "core/worksheet/sheet.hpp"

namespace headcount {

// The id of the smallest block that is drawn as a picture and has every tensor and block of its answers in it: a head
// ("layer.attention.head"), an expert, a layer; empty for the whole model. Nothing of a question whose answers name
// none, and of one that compares two models.
std::optional<std::string> block_of(const SheetQuestion& question);

}  // namespace headcount
