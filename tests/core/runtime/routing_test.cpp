// To which experts tokens are sent, where scores are no numbers: infinite sums of finite weights make some.
#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace headcount
