// Two models beside each other, laid out for canvases of one size.
#pragma once

#include <utility>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {

inline LayoutInput pair_input(const Model& model, const Model& other, const Size& size, bool second,
                              std::vector<PageScale> scales = {}) {
    LayoutInput input = layout_input(model, size, &other);
    input.beside = Beside{second, std::string(main_layer)};
    input.page_scales = std::move(scales);
    return input;
}

struct PairStage {
    PairStage(const Model& a, const Model& b, const Size& size)
        : size(size),
          scales(
              shared_scales(lay_out_atlas(pair_input(a, b, size, false)), lay_out_atlas(pair_input(b, a, size, true)))),
          a(lay_out_atlas(pair_input(a, b, size, false, scales))),
          b(lay_out_atlas(pair_input(b, a, size, true, scales))) {}

    Size size;
    std::vector<PageScale> scales;
    Atlas a, b;
};

// Sides of a canvas in the Compare view: of the smallest window, of the design's, of a large one; by logarithm.
inline constexpr Size pair_sizes[] = {{{{8, 40}, {348, 420}}, 1},
                                      {{{16, 40}, {484, 560}}, 1},
                                      {{{24, 60}, {1174, 1260}}, 1.5F},
                                      {{{16, 40}, {484, 560}}, 1, true}};

}  // namespace headcount
