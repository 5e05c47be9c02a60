// A mistake that is planted in the model that ships, and the numbers of it that a student is shown.
#pragma once

#include <cstdint>
#include <string>

namespace headcount {

struct PlantedMistake {
    std::string prompt;     // that it reads
    std::string shows;      // an activation, as `run --dump` calls it: "layer.0.attention.head.weights"
    std::int64_t head = 0;  // of heads this one
    bool beside = false;    // the model's own numbers stand above them

    bool operator==(const PlantedMistake&) const = default;
};

}  // namespace headcount
