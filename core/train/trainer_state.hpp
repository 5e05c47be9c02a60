// What a trainer holds: for its own files alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/text.hpp"
#include "core/train/lines.hpp"
#include "core/train/optimizer.hpp"
#include "core/train/pass.hpp"
#include "core/train/trainer.hpp"

namespace headcount {

struct Trainer::State {
    TrainSettings settings;
    Task task;
    std::shared_ptr<const Model> first;  // whose graph is a run's
    std::shared_ptr<const Trainee> trainee;
    LineForm form;
    BatchPass pass;
    Descent descent;
    // With room behind them that products may read.
    std::vector<float> weights, gradients = {};
    std::int64_t done = 0;
    double learning_rate = 0;
    struct Snapshot {
        std::int64_t step;
        std::vector<float> weights;
    };
    std::vector<Snapshot> snapshots = {};
    std::int64_t snapshot_every = 0;            // steps; grows while it trains
    std::optional<std::size_t> looked_at = {};  // absent: the newest weights

    const std::vector<float>& shown() const { return looked_at ? snapshots[*looked_at].weights : weights; }
    std::vector<TaskLine> lines(std::int64_t first_line, std::int64_t count, bool held_out) const {
        std::vector<TaskLine> lines;
        for (std::int64_t i = 0; i < count; ++i)
            lines.push_back(task.line(settings.seed, static_cast<std::uint64_t>(first_line + i), held_out));
        return lines;
    }
    LineBatch batch_of(std::int64_t number) const {
        return form.batch(task, lines(number * settings.batch, settings.batch, false), settings.batch);
    }
    // The loss of the step's lines, and in `gradients` what each number changes it by. Errors: a loss that is none.
    Result<double> go_through(std::int64_t step, const std::vector<float>& of) {
        std::ranges::fill(gradients, 0.0f);
        double sum = 0;
        for (std::int64_t i = 0; i < settings.passes; ++i) {
            const LineBatch batch = batch_of(step * settings.passes + i);
            const double loss = pass.forward(of.data(), batch);
            if (!std::isfinite(loss))
                return Error{"the loss is no number in step " + grouped(step),
                             pass.first_not_finite(of.data(), batch).value_or("the loss"),
                             "lower the learning rate, or clip the gradient"};
            pass.backward(gradients.data());
            sum += loss;
        }
        if (settings.passes > 1)
            kernels::scale(gradients.data(), std::ssize(gradients), 1 / static_cast<float>(settings.passes));
        return sum / static_cast<double>(settings.passes);
    }
    std::int64_t snapshot_bytes() const {
        return std::ssize(snapshots) * std::ssize(weights) * std::int64_t{sizeof(float)};
    }
    void keep_snapshot() {
        if (snapshot_every <= 0 || done % snapshot_every != 0) return;
        if (!snapshots.empty() && snapshots.back().step >= done) return;
        snapshots.push_back({done, weights});
        while (snapshots.size() > 2 && snapshot_bytes() > settings.most_snapshot_bytes) {
            snapshot_every *= 2;
            std::erase_if(snapshots, [&](const Snapshot& each) { return each.step % snapshot_every != 0; });
        }
    }
};

}  // namespace headcount
