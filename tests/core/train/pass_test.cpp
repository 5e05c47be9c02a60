// A training's forward pass is a run's.
#include <gtest/gtest.h>

#include "tests/core/train/small_training.hpp"

namespace headcount {
namespace {

TEST(TrainingPass, MakesTheLogitsOfARunForEveryFamily) {
    std::size_t tried = 0;
    for (const std::string& name : testing_data::trainable_runs()) {
        SCOPED_TRACE(name);
        testing_data::GoldenTraining model(name);
        ++tried;
        model.pass->forward(model.weights.data(), model.batch);
        MatrixView first = model.pass->logits();
        first.rows /= 2;
        EXPECT_LE(testing_data::difference(first, model.golden.logits), testing_data::agreement);
    }
    EXPECT_GE(tried, 40u);
}

TEST(TrainingPass, HasTheSameGradientsWithSeveralThreads) {
    for (const std::string name : {"llama", "gpt2", "mixtral", "t5"}) {
        SCOPED_TRACE(name);
        std::vector<std::vector<float>> all;
        for (const int threads : {1, 3}) {
            testing_data::GoldenTraining model(name, threads);
            model.pass->forward(model.weights.data(), model.batch);
            all.emplace_back(static_cast<std::size_t>(model.trainee->parameters.trained()));
            model.pass->backward(all.back().data());
        }
        EXPECT_EQ(all[0], all[1]);
    }
}

}  // namespace
}  // namespace headcount
