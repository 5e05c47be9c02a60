// Every parameter's gradient against what the loss does when that parameter is moved, for small models of
// tests/golden/runtime that have every operation with a derivative between them.
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/text.hpp"
#include "core/train/lines.hpp"
#include "tests/core/train/small_training.hpp"

namespace headcount {
namespace {

using testing_data::GoldenTraining;

// To which experts all tokens went, layer by layer.
std::vector<std::int32_t> sent_by(const BatchPass& pass) {
    std::vector<std::int32_t> all;
    for (std::int64_t layer = 0; layer < 64; ++layer)
        all.insert(all.end(), pass.experts(layer).begin(), pass.experts(layer).end());
    return all;
}

// Along a tensor's own gradient the loss rises by that gradient's length.
void expect_gradients(GoldenTraining& model) {
    const double loss = model.pass->forward(model.weights.data(), model.batch);
    ASSERT_TRUE(std::isfinite(loss));
    std::vector<float> gradients(static_cast<std::size_t>(model.trainee->parameters.trained()));
    model.pass->backward(gradients.data());
    const auto sent = sent_by(*model.pass);
    std::size_t compared = 0;
    for (const ParameterCopy& each : model.trainee->parameters.copies()) {
        if (!model.trainee->parameters.is_trained(each.tensor)) continue;
        double squares = 0;
        for (std::int64_t i = 0; i < each.floats(); ++i)
            squares += std::pow(static_cast<double>(gradients[static_cast<std::size_t>(each.offset + i)]), 2);
        const double length = std::sqrt(squares);
        if (length < 1e-3) continue;  // below what float32 lets one see
        bool sent_elsewhere = false;  // what the loss then jumps by is no slope
        const auto moved = [&](double by) {
            std::vector<float> weights = model.weights;
            for (std::int64_t i = 0; i < each.floats(); ++i) {
                const auto at = static_cast<std::size_t>(each.offset + i);
                weights[at] += static_cast<float>(by * static_cast<double>(gradients[at]) / length);
            }
            const double loss_there = model.pass->forward(weights.data(), model.batch);
            sent_elsewhere = sent_elsewhere || sent_by(*model.pass) != sent;
            return loss_there;
        };
        const auto slope_over = [&](double step) { return (moved(step) - moved(-step)) / (2 * step); };
        // What is left of a step's square taken off (Richardson 1911); of smaller steps where that is much.
        const double short_slope = slope_over(2e-3), long_slope = slope_over(4e-3);
        const bool bends = std::abs(long_slope - short_slope) > 0.1 * length;
        const double slope = bends ? (4 * slope_over(2e-4) - slope_over(4e-4)) / 3 : (4 * short_slope - long_slope) / 3;
        if (sent_elsewhere) continue;
        ++compared;
        EXPECT_NEAR(slope, length, 0.02 * length + 1e-3)
            << model.trainee->graph.tensors[each.tensor].id << " of layer " << each.layer << ", copy " << each.copy;
    }
    EXPECT_GT(compared, 0u);
}

class Gradients : public testing::TestWithParam<std::string> {};

TEST_P(Gradients, AreWhatTheLossChangesBy) {
    GoldenTraining model(GetParam());
    expect_gradients(model);
}

TEST(GradientsOfRouters, OfRootsOfSoftplusAreWhatTheLossChangesBy) {
    for (const bool normalized : {false, true}) {
        GoldenTraining model("deepseek_v3", 1, [&](ModelGraph& graph) {
            for (Node& node : graph.nodes)
                if (Routing* const rule = std::get_if<Routing>(&node.attributes))
                    *rule = {.scores = RouterScores::root_softplus, .normalized = normalized, .scaling = 1.5};
        });
        expect_gradients(model);
    }
}

INSTANTIATE_TEST_SUITE_P(OfEveryOperation, Gradients,
                         testing::Values("llama", "gpt2", "bert", "bart", "gemma2", "qwen3", "mixtral", "qwen2_moe",
                                         "deepseek_v3", "mamba", "mamba2", "qwen3_next", "lfm2", "falcon", "bloom",
                                         "mpt", "albert", "apertus", "olmo2", "cohere", "llama4_text", "modernbert",
                                         "dbrx", "recurrent_gemma", "diffllama", "rwkv", "rwkv6", "rwkv7",
                                         "gemma3n_text", "gemma3n_text-own", "gemma4_text", "gemma4_text-mixture"),
                         [](const auto& each) {
                             std::string name = each.param;
                             for (char& letter : name)
                                 if (!is_letter_or_digit(letter)) letter = '_';
                             return name;
                         });

}  // namespace
}  // namespace headcount
