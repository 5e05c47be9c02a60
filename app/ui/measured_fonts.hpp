// Fonts of which text is measured and none is drawn, as for a picture in vectors.
#pragma once

#include <imgui.h>

namespace headcount {

// How wide each letter is, as where they are drawn, without the time that it takes to draw them all.
void measure_fonts(ImFontAtlas& atlas);

}  // namespace headcount
