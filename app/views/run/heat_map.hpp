// Heat maps of many matrices as one drawing: values are copied when they change, those of weights once, boxes every
// frame.
#pragma once

#include <memory>

#include "app/canvas/drawing.hpp"
#include "app/ui/theme.hpp"
#include "app/views/run/figures.hpp"

namespace headcount {

struct RunHeat {
    // A weight, or the piece of it that is shown, as it was copied.
    struct Weight {
        const float* data = nullptr;
        bool transposed = false;
        std::int64_t first_row = 0, first_column = 0, rows = 0, columns = 0;

        bool operator==(const Weight&) const = default;
    };

    Drawing drawing;                      // its values: first those of weights, then those of activations
    std::vector<std::size_t> starts;      // of each figure's values, line by line
    std::vector<float> limits;            // the magnitude at which each figure's colours are strongest
    std::shared_ptr<const RunValues> of;  // whose numbers they are
    std::vector<Weight> weights;
    std::vector<float> weight_limits;
    std::int64_t weights_copied = 0;  // how often: for tests
};

// Of the newest token only what the run has been shown to have made.
void copy_values(RunHeat& heat, const RunSnapshot& run, const std::vector<RunLine>& lines, bool shared);

// What a figure's colours mean: where they are strongest, and their hue.
ImU32 heat_hue(const Theme& theme, const Tensor& tensor);

// `corner` is where the page begins, `min` to `max` what is seen of it, all in pixels of the screen.
void compose_heat(RunHeat& heat, const Theme& theme, const ModelGraph& graph, const std::vector<RunLine>& lines,
                  ImVec2 corner, ImVec2 min, ImVec2 max);

}  // namespace headcount
