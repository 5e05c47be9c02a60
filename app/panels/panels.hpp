// The panels of the views, most of them of Explore. Each fills the window that the shell has opened for it, reads
// constants, and returns what should change. The shell's windows leave 16 px around architecture, breakdown and
// inspector, 16 px left and right in the top bar, 24 px around the help, and nothing around canvas and tables, which
// reach their window's edges.
#pragma once

#include "app/canvas/drawing.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

Intents draw_top_bar(const Ui& ui, const Session& session);
Intents draw_architecture(const Ui& ui, const Session& session);  // left: fields and input
// Middle: the model, and the overview strip. Without a painter it has words alone.
Intents draw_canvas(const Ui& ui, const Session& session, const ScenePainter& painter = {});
Intents draw_breakdown(const Ui& ui, const Session& session);    // right, top: where the parameters are
Intents draw_inspector(const Ui& ui, const Session& session);    // right, below: the selection, with its formula
Intents draw_tables(const Ui& ui, const Session& session);       // bottom: activations, one head, tensors
Intents draw_help(const Ui& ui, const Session& session);         // the keys, over everything
Intents draw_file_dialog(const Ui& ui, const Session& session);  // a file to open or to save, over everything

// The Claims view: published statements, and the one that is chosen. Their windows leave 16 px and 24 px around.
Intents draw_claims_list(const Ui& ui, const Session& session);
Intents draw_claim(const Ui& ui, const Session& session);

// The Costs view: what is asked for; memory; arithmetic. Their windows leave 16 px around.
Intents draw_costs_settings(const Ui& ui, const Session& session);
Intents draw_costs_memory(const Ui& ui, const Session& session);
Intents draw_costs_arithmetic(const Ui& ui, const Session& session);

// What the canvas shows, seen from straight above, as an SVG document as large as it. Errors: the view has none, or it
// has not been drawn.
Result<std::string> canvas_svg(const Ui& ui, const Session& session);
// The same for a canvas of this size at the place that the view asks for. It needs no frame, only fonts. Errors: it is
// too small.
Result<std::string> canvas_svg(const Ui& ui, const Session& session, ImVec2 extent);

}  // namespace headcount
