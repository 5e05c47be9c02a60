// The panels of the Run view. Each fills the window that was opened for it. Their windows leave 16 px
// around the settings and the answers, and nothing around the others.
#pragma once

#include "app/parts/views.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

Intents draw_run_settings(const Ui& ui, const Session& session);   // left: prompt, sampling, which model
Intents draw_run_transport(const Ui& ui, const Session& session);  // above: play, step, speed
Intents draw_run_tokens(const Ui& ui, const Session& session);     // the tokens as chips
Intents draw_run_empty(const Ui& ui, const Session& session);      // instead of the matrices, while there are none
Intents draw_run_answers(const Ui& ui, const Session& session);    // right: the next token, attention, the KV cache
Intents draw_run_layers(const Ui& ui, const Session& session);     // below: every head, the stream, the logit lens

void report_run(const Session& session, nlohmann::ordered_json& report);
std::vector<Action> run_actions();

inline constexpr float run_transport_height = 48, run_tokens_height = 72, run_layers_height = 132;  // unscaled

}  // namespace headcount
