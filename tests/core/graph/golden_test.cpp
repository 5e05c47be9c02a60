// The graph's checkpoint against published models: every tensor's name, shape, copies and order.
#include "tests/golden/golden.hpp"

#include <gtest/gtest.h>

#include "core/files/config.hpp"
#include "core/graph/graph.hpp"

namespace headcount {
namespace {

using nlohmann::json;

class GoldenModel : public testing::TestWithParam<std::string> {};

void expect_published_tensors(const Architecture& arch, const json& model) {
    ModelGraph graph = expand(arch);
    Bindings values = bindings(arch, {});
    ASSERT_EQ(graph.stored.size(), model["tensors"].size());
    for (std::size_t i = 0; i < graph.stored.size(); ++i) {
        const StoredTensor& tensor = graph.stored[i];
        const json& expected = model["tensors"][i];
        EXPECT_EQ(tensor.name, expected["name"].get<std::string>()) << "in place " << i;
        json shape = json::array();
        for (const Expr& dimension : tensor.shape.dimensions()) shape.push_back(*evaluate(dimension, values));
        EXPECT_EQ(shape, expected["shape"]) << tensor.name;
        EXPECT_EQ(*evaluate(tensor.copies, values), expected["count"].get<std::int64_t>()) << tensor.name;
        if (expected.contains("layers")) {
            EXPECT_EQ(expected["layers"], json::array({{0, arch.layers - 1}})) << tensor.name;
        }
    }
    EXPECT_EQ(graph.tied_head.has_value(), model["tied"].get<bool>());
}

TEST_P(GoldenModel, ConfigurationExpandsToThePublishedTensorsInTheirOrder) {
    json model = testing_data::golden_model(GetParam());
    expect_published_tensors(*read_config(model["config"], "test"), model);
}

TEST_P(GoldenModel, PresetExpandsToThePublishedTensorsInTheirOrder) {
    expect_published_tensors(testing_data::preset(GetParam()), testing_data::golden_model(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenModel, testing::ValuesIn(testing_data::files_in("models")),
                         [](const auto& of) { return testing_data::test_name(of.param); });

}  // namespace
}  // namespace headcount
