// How a model is trained.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/train/task.hpp"

namespace headcount {

enum class OptimizerKind {
    adamw,  // Loshchilov & Hutter 2019: two moments, decay apart from the gradient
    sgd,    // with momentum
    muon,   // Jordan et al. 2024: matrices of layers by orthogonal steps, all else by AdamW
};
inline constexpr std::array<std::string_view, 3> optimizer_kind_words{"adamw", "sgd", "muon"};

struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::adamw;
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    double momentum = 0.9;      // of SGD and Muon
    double weight_decay = 0.1;  // of matrices, not of vectors; times the learning rate

    bool operator==(const OptimizerSettings&) const = default;
};

struct TrainSettings {
    TaskSettings task;
    std::int64_t steps = 1000;  // at which the learning rate has come down; one may go on
    std::int64_t batch = 32;    // lines of a pass
    std::int64_t passes = 1;    // of a step, whose gradients are averaged
    std::uint64_t seed = 1;     // of the first weights and of the lines
    double learning_rate = 1e-3;
    std::int64_t warm_up = 100;  // steps in which it rises from 0
    double last_share = 0.1;     // of the learning rate that is left at the last step, along a cosine
    double clip = 1;             // longest gradient, all numbers as one vector; 0: none
    OptimizerSettings optimizer;
    int threads = 1;
    std::int64_t snapshot_every = 10;  // steps, at first; 0: none are kept
    // Where snapshots would take more than this every second one is given up, but the first two.
    std::int64_t most_snapshot_bytes = std::int64_t{256} << 20;
    std::int64_t held_out = 256;  // lines

    bool operator==(const TrainSettings&) const = default;
};

}  // namespace headcount
