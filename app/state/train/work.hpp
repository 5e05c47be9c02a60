// What a training has come to, and what is shown of it. All of it is done by one thread at a time.
#pragma once

#include <memory>
#include <optional>

#include "app/state/train/snapshot.hpp"

namespace headcount {

// Where in a training the user looks.
struct TrainLook {
    std::int64_t layer = 0;
    TrainShows shows = TrainShows::mixer;
    std::optional<std::int64_t> step;  // nothing: the newest
    std::optional<GradientCell> cell;

    bool operator==(const TrainLook&) const = default;
};

class TrainWork {
  public:
    // First weights. What is wrong is said in the snapshot.
    void begin(const TrainOrder& order);
    // One step from the newest weights on. Where it cannot be made the snapshot says why.
    void step(double learning_rate);

    // The weights that are looked at as a model's files. What came of it is said in the snapshot.
    void save(const TrainLook& look, TrainFiles files, unsigned number);

    // Gives up what it has: nothing learns.
    void let_go();

    // There was no memory to go on: gives up what it has, and says so.
    void run_out(const TrainOrder& order);

    bool begun() const { return trainer_.has_value(); }
    bool ended() const { return now_.error.has_value(); }
    const TrainOrder& of() const { return now_.of; }
    std::int64_t steps_done() const { return trainer_ ? trainer_->steps_done() : 0; }

    // All that is shown, worked out. While it rests the gradients are those of the weights that are shown, as when one
    // looks back at them; between steps those of the last step, which cost nothing.
    TrainSnapshot shown(const TrainLook& look, bool rests);
    // The same with nothing worked out.
    const TrainSnapshot& now() const { return now_; }

  private:
    void look_at(const TrainLook& look, bool rests);
    std::shared_ptr<const TrainPoint> point_here();
    void read_line(TrainPoint& point) const;
    void thin_points();

    std::optional<Trainer> trainer_;
    std::optional<std::int64_t> gradients_of_;  // the weights of that step; absent: of those before the last step
    TrainSnapshot now_;
};

}  // namespace headcount
