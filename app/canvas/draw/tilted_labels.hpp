// Words on the canvas seen tilted: upright as always, but not where they are when it is flat.
#pragma once

#include <vector>

#include "app/canvas/draw/labels.hpp"

namespace headcount {

// A matrix stands aslant: its name is put over the middle of its far edge, the rest below its near one.
class TiltedNames {
  public:
    // The top left corner of the next label of its matrix.
    Point next(const PageView& view, const Label& label, float width);

  private:
    std::optional<Rect> last_;
    int lines_ = 0;
};

// Where words of a card may stand, best first: near their place, inside of what they are inside of when it is flat; a
// layer's name also above it. Names have several, of which the first that is free is taken; others one, or none.
struct TiltedPlace {
    Point at;              // top left
    bool beside = false;   // outside of what the words are of
    bool crossed = false;  // by a line
};
std::vector<TiltedPlace> places_tilted(const PageView& view, const Label& label, const PlacedLabel& placed);

}  // namespace headcount
