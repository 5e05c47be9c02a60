// Parts of the Run view's left panel: the text so far; which model runs; the colours of the numbers; what the model
// takes, whether shapes are as predicted.
#pragma once

#include "app/views/run/parts.hpp"

namespace headcount {

void draw_run_text(const Ui& ui, const Session& session);
void draw_run_model(const Ui& ui, const Session& session, Intents& intents);
void draw_run_legend(const Ui& ui, const Session& session, Intents& intents);
void draw_run_sizes(const Ui& ui, const Session& session);  // with a line above, where a model can run

}  // namespace headcount
