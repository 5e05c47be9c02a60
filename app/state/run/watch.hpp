// One token's way through the model, operation by operation in the order of a pass: which of them is under way, how far
// it is, and so which numbers are there. The numbers themselves are those of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "app/state/run/place.hpp"
#include "core/runtime/explain.hpp"

namespace headcount {

class RunValues;  // app/state/run/snapshot.hpp

struct RunWatch {
    std::size_t step = 0;  // of `watch_steps`
    double done = 0;       // of it, 0 to 1; beyond 1 it stays for a moment
    bool playing = false;
    bool once = false;  // it stops behind this step

    bool operator==(const RunWatch&) const = default;
};
struct WatchStep {
    std::size_t node = 0;    // of the graph
    std::int64_t layer = 0;  // 0 outside of layers

    bool operator==(const WatchStep&) const = default;
};

// Every operation of a pass, layer after layer, whose numbers the run has kept.
std::vector<WatchStep> watch_steps(const RunValues& values);
// Where a layer of the decoder, or of the only stack, begins among them.
std::size_t first_step_of(const RunValues& values, const std::vector<WatchStep>& steps, std::int64_t layer);

// Of a matrix only so many columns are there in these rows; of the other rows all.
struct CellsDone {
    std::int64_t first = 0, end = 0, columns = 0;

    bool whole() const { return first >= end; }
    bool has(std::int64_t row, std::int64_t column) const { return row < first || row >= end || column < columns; }
};

// How far it is, for the token at this position.
class Watched {
  public:
    // `values` outlive it. Of no step where the run has kept none.
    Watched(const RunValues& values, const RunWatch& watch, std::int64_t position);

    const std::vector<WatchStep>& steps() const { return steps_; }
    const WatchStep* step() const { return steps_.empty() ? nullptr : &steps_[now_]; }
    CellsDone done(TensorIndex tensor, std::int64_t layer) const;
    // The number that is being made, of this head where one makes it, or of the token's first expert.
    std::optional<CellAt> cell(std::int64_t head) const;

  private:
    struct Sweep {
        std::int64_t first = 0, end = 0;  // rows
        std::int64_t columns = 0;         // that are gone through
    };
    Sweep sweep(TensorIndex tensor, std::int64_t layer) const;

    const RunValues& values_;
    const std::int64_t position_;
    const double done_;
    std::vector<WatchStep> steps_;
    std::size_t now_ = 0;
};

// So many seconds later. Where nothing is to move, a step is done at once, and stays as long as it would have taken.
RunWatch later(RunWatch watch, std::size_t steps, double seconds, RunSpeed speed, bool still);

// Begins, goes on, or ends it.
struct WatchRun {
    std::optional<RunWatch> watch;
};

// So much of a frame's time has gone by, for one that plays: of whatever it is by then, since what was pressed in the
// same frame comes first.
struct WatchOn {
    double seconds = 0;
    bool still = false;  // nothing is to move
};

using RunIntent = std::variant<SetRun, PlayRun, StepRun, StepBackRun, RestartRun, FreeRun, RankRun, TakeRun, WatchRun,
                               WatchOn, LookAtWords>;

}  // namespace headcount
