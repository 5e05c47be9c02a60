// The panels of the Run view. Each fills the window that the shell has opened for it. The shell's windows leave 16 px
// around the settings and the answers, and nothing around the others.
#pragma once

#include <optional>
#include <string>

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

Intents draw_run_settings(const Ui& ui, const Session& session);   // left: prompt, sampling, which model
Intents draw_run_transport(const Ui& ui, const Session& session);  // above: play, step, speed
Intents draw_run_tokens(const Ui& ui, const Session& session);     // the tokens as chips
Intents draw_run_empty(const Ui& ui, const Session& session);      // instead of the matrices, while there are none
Intents draw_run_answers(const Ui& ui, const Session& session);    // right: the next token, attention, the KV cache
Intents draw_run_layers(const Ui& ui, const Session& session);     // below: every head, the stream, the logit lens

// What the panels tell each other: which token's chip is under the pointer; and the page of matrices, of the cell that
// is, or that is pinned.
struct RunPointed {
    std::optional<std::int64_t> chip;
    std::optional<std::int64_t> token;  // in whose row it is
    std::optional<TensorIndex> matrix;  // of the model that runs
    std::string symbol;                 // of that matrix, "W_q"
    std::optional<float> limit;         // the magnitude at which its colours are strongest; of all with one scale

    bool operator==(const RunPointed&) const = default;
};
inline RunPointed& pointed_in_run(const Ui& ui) {
    return kept<RunPointed>(ui, "run.pointed");
}

inline constexpr float run_transport_height = 48, run_tokens_height = 72, run_layers_height = 132;  // unscaled

// Another model to run: what was looked at in the one before is let go.
Intent run_from(const Session& session, RunSource source);

}  // namespace headcount
