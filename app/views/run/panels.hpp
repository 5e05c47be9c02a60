// The panels of the Run view, and what they are given. Each fills the window that was opened for it. Their windows
// leave 16 px around the settings and the answers, and nothing around the others.
#pragma once

#include <utility>

#include "app/canvas/drawing.hpp"
#include "app/state/intent.hpp"
#include "app/state/run/page.hpp"
#include "app/state/run/snapshot.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// What is there to see; null where nothing has run.
const RunSnapshot* run_of(const RunPage& page);

// Whether Play means anything: something is chosen, fits, and could be loaded where that was tried.
bool can_run(const RunPage& page);

// What runs, how it is looked at, and what the panel asks for.
struct RunPanel {
    const Ui& ui;
    const RunPage& page;
    const RunPlace& place;
    bool presents = false;     // to a class
    bool card_beside = false;  // the card of a pinned cell stands beside the diagram, and does not lie over it
    Intents intents = {};

    const RunSnapshot* run() const { return run_of(page); }

    // The layer and the head that are looked at, inside the model that runs; the position.
    std::int64_t layer() const;
    std::int64_t head() const;
    std::int64_t position() const;
    // Of the token whose cell is pointed at or pinned, else the position that is looked at.
    std::int64_t lit_position() const;

    // Words only of a text whose attention is there.
    RunShows shows() const;

    void ask(RunIntent intent) { intents.push_back(AtRun{std::move(intent)}); }
    // Asks for the place with one change: calls change(place). Of the run: see SetRun.
    template <class Change>
    void set(Change&& change, unsigned run = 0) {
        RunPlace changed = place;
        std::forward<Change>(change)(changed);
        ask(SetRun{std::move(changed), run});
    }
};

// Left: prompt, sampling, which model; `recent` are paths of files that were open before.
Intents draw_run_settings(RunPanel panel, const Shown& own, std::span<const std::string> recent);
Intents draw_run_transport(RunPanel panel);  // above: play, step, speed
Intents draw_run_tokens(RunPanel panel);     // the tokens as chips
Intents draw_run_empty(RunPanel panel);      // in the middle, while nothing has run
// Right: the next token, attention, the KV cache; to a class what belongs to the words' map, too, which has its room.
Intents draw_run_answers(RunPanel panel);
Intents draw_run_layers(RunPanel panel);  // below: every head, the stream, the logit lens
// In the middle, below the way to what is shown: the words; or the diagram with the run's numbers, and where a cell's
// comes from. Without a painter it has words and cells that answer, and no colours. `session`'s run is the panel's.
Intents draw_run_shown(RunPanel panel, const Session& session, const ScenePainter& painter = {});

// In their places while changes are looked at: two runs beside each other; how far they have moved from each other, and
// how high that is, in pixels; what both say next, and what each part matters.
Intents draw_run_beside(RunPanel panel);
Intents draw_run_moved(RunPanel panel);
float run_moved_height(const Ui& ui, const RunPage& page);
Intents draw_run_weighed(RunPanel panel);
// Where what has moved has no room below: both, without the tokens, one below the other.
Intents draw_run_weighed_and_moved(RunPanel panel);

// Unscaled; the way is above what is shown.
inline constexpr float run_transport_height = 48, run_tokens_height = 72, run_layers_height = 132, run_way_height = 40;

}  // namespace headcount
