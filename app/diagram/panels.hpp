// The diagram: the model as a picture that one goes into, on the screen and as an SVG document. Its window leaves
// nothing around it.
#pragma once

#include <string>

#include "app/canvas/drawing.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// The model, and the overview strip. Without a painter it has words alone.
Intents draw_canvas(const Ui& ui, const Session& session, const ScenePainter& painter = {});

// What the canvas shows, seen from straight above, as an SVG document as large as it. Errors: the view has none, or it
// has not been drawn.
Result<std::string> canvas_svg(const Ui& ui, const Session& session);
// The same for a canvas of this size at the place that the view asks for. It needs no frame, only fonts. Errors: it is
// too small.
Result<std::string> canvas_svg(const Ui& ui, const Session& session, ImVec2 extent);

}  // namespace headcount
