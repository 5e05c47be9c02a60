// A training's forward pass is a run's.
#include <gtest/gtest.h>

#include "core/analysis/memory.hpp"
#include "core/analysis/memory_passing.hpp"
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

// With recurrences too: their states are made anew on the way back, and kept by neither.
TEST(TrainingPass, TakesWhatIsPredictedForEveryFamily) {
    std::size_t tried = 0;
    MemoryOptions options;
    options.weights = Precision::fp32;
    options.training = Training{.scores = true};
    for (const std::string& name : testing_data::trainable_runs()) {
        SCOPED_TRACE(name);
        const int threads = 1 + static_cast<int>(tried % 3);
        testing_data::GoldenTraining model(name, threads);
        const ModelGraph& graph = model.trainee->graph;
        ++tried;
        const Architecture& arch = model.golden.architecture;
        const Input input{.tokens = model.pass->shape().tokens,
                          .batch = 2,
                          .precision = Precision::fp32,
                          .source = std::max<std::int64_t>(1, model.pass->shape().source)};
        const Result<Memory> predicted = memory(arch, graph, bindings(arch, input), options);
        ASSERT_TRUE(predicted) << sentence(predicted.error());
        const Result<std::int64_t> working = working_bytes(graph, bindings(arch, input), threads);
        ASSERT_TRUE(working) << sentence(working.error());
        EXPECT_EQ(predicted->activations.bytes, model.pass->kept_bytes());
        EXPECT_EQ(predicted->backward.bytes, model.pass->passing_bytes());
        EXPECT_EQ(*working, model.pass->working_bytes());
    }
    EXPECT_GE(tried, 150u);
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
