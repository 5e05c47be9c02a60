// To which experts tokens are sent, where scores are no numbers: infinite sums of finite weights make some.
#include <gtest/gtest.h>

#include <cmath>

#include "core/runtime/explain.hpp"
#include "tests/core/runtime/golden_model.hpp"
#include "tests/core/runtime/weight_file.hpp"

namespace headcount {
namespace {

using namespace testing_data;

// A small model of the family with so many experts, of which every third alone has scores that are numbers.
std::shared_ptr<const Model> model_with(const std::string& golden, const nlohmann::json& fields) {
    nlohmann::json config = read_json_file(golden_folder() / "runtime" / (golden + ".json")).at("config");
    config.update(fields);
    const auto model = std::const_pointer_cast<Model>(*random_model(architecture_of(config), 1));
    const ModelGraph& graph = model->graph;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        if (graph.tensors[i].part != Part::router || graph.tensors[i].shape.rank() != 2) continue;
        for (std::int64_t layer = 0; layer < model->architecture.layers; ++layer) {
            float* const first = model->weights.floats(static_cast<TensorIndex>(i), layer, 0);
            const MatrixView view = model->weights.view(static_cast<TensorIndex>(i), layer);
            for (std::int64_t expert = 0; first && expert < view.columns; ++expert)
                if (expert % 3 != 2) first[view.offset(0, expert)] = NAN;
        }
    }
    return model;
}

TEST(Routing, TokensGoToExpertsWhoseScoresAreNumbers) {
    const std::shared_ptr<const Model> models[] = {
        model_with("deepseek_v3", {{"n_routed_experts", 128}, {"n_group", 2}, {"topk_group", 1}}),
        model_with("mixtral", {{"num_local_experts", 32}})};
    for (const auto& model : models) {
        headcount::Run run = start(model);
        append(run, std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8});
        const std::int64_t layer = model->architecture.layers - 1,
                           each = model->architecture.layer.mixture->experts_per_token;
        ASSERT_EQ(std::ssize(run.experts(layer)), 8 * each);
        for (const std::int32_t expert : run.experts(layer)) EXPECT_EQ(expert % 3, 2) << expert;
    }
}

// DeepSeek V4's scores, in another model that runs.
TEST(Routing, RootsOfSoftplusAreExplainedAsTheyAreComputed) {
    const GoldenModel golden = golden_run("deepseek_v3");
    const auto model = std::const_pointer_cast<Model>(model_of(golden));
    Computation computation = *computation_of(golden.architecture);
    computation.routing = {.scores = RouterScores::root_softplus, .scaling = 1.5};
    model->graph = expand(golden.architecture, computation, Cache::filled);
    headcount::Run run = start(model);
    append(run, golden.prompt);
    const std::int64_t layer = golden.architecture.layers - 1;
    const TensorIndex weights = model->graph.first(Op::route)->output;
    const TensorIndex scores = model->graph.first(Op::route)->inputs.front();
    const MatrixView made = run.activation(weights, layer), read = run.activation(scores, layer);
    for (std::int64_t row = 0; row < made.rows; ++row)
        for (std::int64_t i = 0; i < made.columns; ++i) {
            const float score = read.at(row, run.experts(layer)[static_cast<std::size_t>(row * made.columns + i)]);
            EXPECT_NEAR(made.at(row, i), 1.5 * std::sqrt(std::log1p(std::exp(score))), 1e-5);
            const Result<Explanation> explained = explain(numbers_of(run), {weights, layer, 0, row, i});
            ASSERT_TRUE(explained) << sentence(explained.error());
            EXPECT_NEAR(explained->result, made.at(row, i), 1e-5);
            EXPECT_EQ(explained->formula.rfind("√softplus(R[", 0), 0u) << explained->formula;
        }
}

}  // namespace
}  // namespace headcount
