// Pictures stay even where there is little room: ways end at what they lead to and pass beside matrices, a card's room
// goes to those that need it, words keep clear of signs and edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/canvas/draw/labels.hpp"
#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

TEST(Even, ABlockWithManyMatricesGetsWhatTheOthersHaveToSpare) {
    for (const char* const id : {"kimi-linear-48b-a3b", "olmo-hybrid-7b", "apertus-70b"}) {
        const Scene scene = layout_model(layout_input(Model(preset(id)), small_canvas));
        EXPECT_EQ(std::ranges::count_if(scene.doors, &Door::closed), 0) << id;
    }
}

}  // namespace
}  // namespace headcount
