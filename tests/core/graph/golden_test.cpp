// The graph's checkpoint against published models: every tensor's name, shape, copies and order.
#include "tests/golden/golden.hpp"

#include <gtest/gtest.h>

#include "core/analysis/parameters.hpp"
#include "core/files/config.hpp"
#include "core/graph/graph.hpp"

namespace headcount {
namespace {

using nlohmann::json;

class GoldenModel : public testing::TestWithParam<std::string> {};

TEST_P(GoldenModel, EitherConfigurationExpandsToThePublishedTensors) {
    const json model = testing_data::golden_model(GetParam());
    for (const char* which : {"config", "config_sparse"}) {
        Result<Architecture> arch = read_config(model[which], which);
        ASSERT_TRUE(arch) << sentence(arch.error());
        EXPECT_EQ(testing_data::published(*arch, model), testing_data::published(model)) << which;
        EXPECT_EQ(count_parameters(expand(*arch), bindings(*arch, {}))->total, model["total"].get<std::int64_t>());
    }
}

TEST_P(GoldenModel, PresetExpandsToThePublishedTensors) {
    const json model = testing_data::golden_model(GetParam());
    EXPECT_EQ(testing_data::published(testing_data::golden_architecture(GetParam()), model),
              testing_data::published(model));
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenModel, testing::ValuesIn(testing_data::files_in("models")),
                         [](const auto& of) { return testing_data::test_name(of.param); });

}  // namespace
}  // namespace headcount
