// The panels of the Train view, and what they are given. Each fills the window that was opened for it; those of the
// settings and the answers leave 16 px around them.
#pragma once

#include <string_view>
#include <utility>

#include "app/state/intent.hpp"
#include "app/state/session.hpp"
#include "app/state/train/page.hpp"
#include "app/state/train/snapshot.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

struct TrainPanel {
    const Ui& ui;
    const TrainPage& page;
    const TrainPlace& place;
    Intents intents = {};

    // Null before it has begun.
    const TrainSnapshot* shown() const { return page.shown && page.shown->begun ? page.shown.get() : nullptr; }
    // That of the training that stands beside it; null where none does, or it has not begun.
    const TrainSnapshot* beside() const { return page.other && page.other->begun ? page.other.get() : nullptr; }
    bool playing() const { return page.plays; }

    // Of the head that is looked at; null where there are no maps.
    const TrainMap* map(const TrainPoint& point) const;

    void ask(TrainIntent intent) { intents.push_back(AtTrain{std::move(intent)}); }
    // Asks for the place with one change: calls change(place).
    template <class Change>
    void set(Change&& change) {
        TrainPlace changed = place;
        std::forward<Change>(change)(changed);
        ask(SetTrain{std::move(changed)});
    }
};

Intents draw_train_settings(TrainPanel panel, const Session& session);  // left: task, model, optimizer, snapshots
// Above: back, play, step, speed. `has_key`: Space plays it, and steps no tour.
Intents draw_train_transport(TrainPanel panel, bool has_key);
Intents draw_train_curves(TrainPanel panel);   // loss, right answers, the knob to look back
Intents draw_train_heads(TrainPanel panel);    // each head's map of one line
Intents draw_train_weights(TrainPanel panel);  // matrices and their gradients; who learns
// Right: answers, milestones, predicted figures; to a class what a tour may speak of comes before the rest, and what it
// does speak of, one of train_parts, before all.
Intents draw_train_answers(TrainPanel panel, bool presented, std::string_view spoken);

// One head's map, `side` pixels wide, from `min` on.
void draw_train_map(const Ui& ui, const TrainMap& map, ImVec2 min, float side);

inline constexpr float train_transport_height = 48, train_heads_height = 178;  // unscaled

}  // namespace headcount
