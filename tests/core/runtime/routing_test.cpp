// To which experts tokens are sent, where scores are no numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/runtime/golden_model.hpp"
#include "tests/core/runtime/weight_file.hpp"

namespace headcount {
namespace {

using namespace testing_data;

nlohmann::json mixture_in_groups() {
    nlohmann::json config = read_json_file(golden_folder() / "runtime" / "deepseek_v3.json").at("config");
    config["n_routed_experts"] = 128, config["n_group"] = 2, config["topk_group"] = 1;
    return config;
}

// Finite weights make infinities of both signs, and of these no number: an order of such scores is none.
TEST(Routing, ScoresThatAreNoNumbersSendATokenToExpertsAllTheSame) {
    const Scratch scratch;
    const Architecture arch = architecture_of(mixture_in_groups());
    std::vector<NamedNumbers> weights = drawn_weights(arch, 1);
    for (NamedNumbers& each : weights) {
        if (!each.name.ends_with("mlp.gate.weight")) continue;
        const std::int64_t dim = each.shape[1];
        for (std::int64_t expert = 0; expert < each.shape[0]; ++expert)
            if (expert % 3 != 2)
                for (std::int64_t i = 0; i < dim; ++i)
                    each.numbers[static_cast<std::size_t>(expert * dim + i)] = i % 2 == 0 ? 3e38F : -3e38F;
    }
    for (NamedNumbers& each : weights)
        if (each.name.ends_with("post_attention_layernorm.weight"))
            for (float& number : each.numbers) number = 1e3F;
    const auto model = load(arch, write_safetensors(scratch, "model.safetensors", weights));
    ASSERT_TRUE(model) << sentence(model.error());
    headcount::Run run = start(*model);
    append(run, std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8});
    ASSERT_EQ(run.experts(1).size(), 8u * 3u);
    for (const std::int32_t expert : run.experts(1)) EXPECT_EQ(expert % 3, 2) << expert;  // those of finite weights
}

}  // namespace
}  // namespace headcount
