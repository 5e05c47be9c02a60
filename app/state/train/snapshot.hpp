// A training as the frame reads it: handed over by the worker, and never changed again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/train/place.hpp"
#include "core/train/trainer.hpp"

namespace headcount {

// What is to be trained.
struct TrainOrder {
    Architecture architecture;
    TrainSettings settings;

    bool operator==(const TrainOrder&) const = default;
    // Whether the other learns the same in the same way: the learning rate may change on the way.
    bool goes_on_as(const TrainOrder& other) const;
};

// In what the one differs from the other, as it has it itself: "Layers 1, batch 8"; "the same" where in nothing.
std::string difference_words(const TrainOrder& of, const TrainOrder& than);

// One head's attention on the line that is read: (tokens, tokens).
struct TrainMap {
    std::int64_t layer = 0, head = 0, tokens = 0;
    std::vector<float> shares;
};

// At one step: what held-out lines say, and each head's map.
struct TrainPoint {
    std::int64_t step = 0;
    HeldOut held_out;
    std::vector<TrainMap> maps;
};

// A matrix and its gradient, no larger than can be seen: of several numbers that share a cell the largest is shown,
// whatever its sign.
struct TrainMatrix {
    TensorIndex tensor = 0;
    std::int64_t rows = 0, columns = 0;              // of the matrix
    std::int64_t shown_rows = 0, shown_columns = 0;  // of the cells
    std::vector<float> weights, gradients;           // the cells; the latter empty before the first step
    std::vector<std::array<std::int64_t, 2>> shown;  // by cell: which row and column its gradient is of
    float largest_weight = 0, largest_gradient = 0;
};

// How large the gradient of a part of the model is: the length of all its numbers as one vector.
struct TrainLearner {
    std::string name, brief;  // "Layer 0 attention", "L 0 attention"
    Component component = Component::norm;
    double length = 0;
};

// Where the weights that are looked at are to be saved.
struct TrainFiles {
    std::string folder;
    bool opens = false;  // they are the program's own, and opened: their step stands behind the folder's name
    bool operator==(const TrainFiles&) const = default;
};

// That they were, or why not.
struct TrainSaved {
    unsigned number = 0;  // of all that this worker saved
    TrainFiles files;
    std::string prompt;  // a question to begin with
    std::optional<Error> error;
};

struct TrainSnapshot {
    TrainOrder of;               // as asked
    Architecture architecture;   // with the vocabulary and the context that the task needs
    std::optional<Error> error;  // why it cannot begin, or why it ended; the rest is then as it was before
    bool begun = false, playing = false, rested = false;

    std::shared_ptr<const ModelGraph> graph;  // null before it has begun
    std::vector<std::string> tokens;          // of the task, as they are written
    std::optional<double> floor;              // of the loss: what nobody can know
    std::string floor_words;
    std::vector<StepFigures> history;
    std::vector<std::shared_ptr<const TrainPoint>> points;  // ascending; the first before any step
    std::vector<std::int64_t> kept;                         // steps that can be looked at, the newest last
    std::int64_t step = 0;                                  // that is looked at
    std::shared_ptr<const TrainPoint> now;                  // of that one
    std::vector<TaskAnswer> answers;                        // of its weights
    std::string line;                                       // that the maps are of
    std::vector<std::int32_t> line_ids;
    std::vector<TrainMatrix> matrices;
    std::optional<Result<Explanation>> cell;  // of the gradient's number that is asked for
    std::vector<TrainLearner> learners;       // the largest first
    double gradient_length = 0;               // of all
    TrainMemory predicted, measured;
    StepWork work;
    std::int64_t parameters = 0;
    std::int64_t snapshots = 0, snapshot_every = 0, snapshot_bytes = 0;  // how many, each so many steps
    double steps_per_second = 0;
    double roof = 0;                  // operations a second that this machine reaches with nothing but products
    std::optional<TrainSaved> saved;  // the last time

    std::int64_t newest() const { return kept.empty() ? 0 : kept.back(); }
    // Nats a token of who knows nothing.
    double knows_nothing() const;
};

}  // namespace headcount
