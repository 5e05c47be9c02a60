// What the Train view shows: the worker that trains, and what it has handed over. No part of the document.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/state/shown.hpp"
#include "app/state/train/place.hpp"
#include "app/state/train/snapshot.hpp"
#include "core/base/result.hpp"

namespace headcount {

class TrainRunner;  // app/state/train/runner.hpp
struct Session;

struct TrainPage {
    std::optional<Document> small;              // the one that ships and was read last
    TrainSource small_of = TrainSource::small;  // which
    TrainOrder asked;                           // what is to learn
    std::optional<Shown> drawn;                 // that, as the task needs it; nothing where it cannot learn that
    // The training that stands beside: it is played, stepped, begun again and looked back at with the other, and learns
    // what it did when it was kept. Null: none.
    std::shared_ptr<TrainRunner> beside;
    std::shared_ptr<const TrainSnapshot> other;  // its latest that was taken
    bool plays = false;                          // one of them, or both: whoever is ahead waits for the other
    std::optional<std::int64_t> until;           // ... till so many steps are made, as the step of a tour has it
    unsigned saved = 0;                          // how often the worker has saved, of which the session knows
    std::shared_ptr<TrainRunner> runner;         // null before somebody looks
    std::function<void()> wake;                  // it calls this when it has news, from its thread; may be null
    std::shared_ptr<const TrainSnapshot> shown;  // its latest that was taken; null before the first
    std::optional<Error> text_error;             // why one's own text cannot be read
    std::string text, text_of;                   // what was read, and of which file
};

bool has_news(const TrainPage& page);

// In the Train view: what learns follows the view's place and the document. Does nothing where it does already.
void look_at_training(Session& session);
// Out of it nothing learns.
void rest_training(Session& session);

// Errors: there is no place for the files of a model that is to be opened.
std::optional<Error> change_training(TrainPage& page, TrainPlace& place, const TrainIntent& intent);

// What was saved since this was asked last; each is handed out once.
std::optional<TrainSaved> take_saved(TrainPage& page);

// Waits until the worker has nothing left to do but what plays, and takes its news: for pictures and tests.
void finish_training(Session& session);

}  // namespace headcount
