// The small models of tests/golden/runtime as something to be trained on their prompt.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/train/pass.hpp"
#include "tests/core/runtime/golden_model.hpp"

namespace headcount::testing_data {

// Two lines: the prompt, and the prompt backwards.
struct GoldenTraining {
    // `change` makes of the rules of the graph's nodes others.
    explicit GoldenTraining(
        const std::string& name, int threads = 1, const std::function<void(ModelGraph&)>& change = [](ModelGraph&) {})
        : golden(golden_run(name)) {
        const auto changed = std::make_shared<Trainee>(golden.architecture);
        change(changed->graph);
        trainee = changed;
        const std::int64_t tokens = std::ssize(golden.prompt), source = std::ssize(golden.source);
        Result<BatchPass> made =
            BatchPass::make(trainee, {.sequences = 2, .tokens = tokens, .source = source, .threads = threads});
        if (!made) throw std::runtime_error(name + ": " + sentence(made.error()));
        pass.emplace(*std::move(made));
        weights.resize(static_cast<std::size_t>(trainee->parameters.floats() + panel_columns));
        model = model_of(golden);
        trainee->parameters.copy_from(model->weights, weights);
        std::vector<std::int32_t> backwards(golden.prompt.rbegin(), golden.prompt.rend());
        batch.ids = golden.prompt;
        batch.ids.insert(batch.ids.end(), backwards.begin(), backwards.end());
        // The next token of each, and behind the last the first.
        for (std::size_t line = 0; line < 2; ++line)
            for (std::size_t i = 0; i < golden.prompt.size(); ++i)
                batch.targets.push_back(batch.ids[line * golden.prompt.size() + (i + 1) % golden.prompt.size()]);
        batch.source = golden.source;
        batch.source.insert(batch.source.end(), golden.source.rbegin(), golden.source.rend());
        batch.types = golden.types;
        batch.types.insert(batch.types.end(), golden.types.rbegin(), golden.types.rend());
    }

    GoldenModel golden;
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Trainee> trainee;
    std::optional<BatchPass> pass;
    std::vector<float> weights;
    LineBatch batch;
};

// Those that can be trained.
inline std::vector<std::string> trainable_runs() {
    std::vector<std::string> names = golden_runs();
    std::erase_if(names, [](const std::string& name) {
        const GoldenModel golden = golden_run(name);
        return golden.shipped ||
               cannot_train(golden.architecture, expand(golden.architecture, Cache::empty)).has_value();
    });
    return names;
}

}  // namespace headcount::testing_data
