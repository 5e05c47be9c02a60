// Small models in which every switch of a configuration is tried: the tensors that transformers builds, and the way
// through an export and back.
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "core/files/config.hpp"
#include "core/graph/graph.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;

const std::regex other_layer("((?:encoder|L_module|model)[.]layers?|rwkv[.]blocks)[.][0-9]+");

// How many tensors there are of each "name [shape]".
using TensorCounts = std::map<std::string, std::int64_t>;

TensorCounts counts_of(const json& golden_rows) {
    TensorCounts counts;
    for (const json& row : golden_rows)
        counts[row["name"].get<std::string>() + " " + row["shape"].dump()] += row["count"].get<std::int64_t>();
    return counts;
}

// Golden files have a row for each head of a norm that is there once a head: "{h}" stands for its number.
TensorCounts counts_of(const std::vector<StoredTensor>& stored, const Architecture& arch) {
    const Bindings values = bindings(arch, {});
    TensorCounts counts;
    for (const StoredTensor& tensor : stored) {
        json shape = json::array();
        for (const Expr& dimension : tensor.shape.dimensions()) shape.push_back(*evaluate(dimension, values));
        const std::int64_t copies = *evaluate(tensor.copies, values);
        const std::size_t head = tensor.name.find("{h}");
        const std::int64_t heads = head == std::string::npos ? 1 : *evaluate(tensor.in_layer, values);
        for (std::int64_t i = 0; i < heads; ++i) {
            // Layers that are besides, and what the first has for all, say their numbers themselves.
            std::string name = std::regex_replace(tensor.name, other_layer, "$1.{i}");
            if (head != std::string::npos) name.replace(head, 3, std::to_string(i));
            counts[name + " " + shape.dump()] += copies / heads;
        }
    }
    return counts;
}

class Switch : public testing::TestWithParam<std::string> {
  protected:
    json model = testing_data::read_json_file(testing_data::golden_folder() / "switches" / (GetParam() + ".json"));
};

TEST_P(Switch, GivesTheTensorsThatTransformersBuilds) {
    Result<Architecture> arch = read_config(model["config"], "config");
    ASSERT_TRUE(arch) << sentence(arch.error());
    const ModelGraph graph = expand(*arch);
    EXPECT_EQ(counts_of(graph.stored, *arch), counts_of(model["tensors"]));
    EXPECT_EQ(counts_of(graph.buffers, *arch), counts_of(model["buffers"]));
    EXPECT_EQ(arch->tied, model["tied"].get<bool>());
}

TEST_P(Switch, SurvivesAnExport) {
    Architecture arch = *read_config(model["config"], "config");
    Result<nlohmann::ordered_json> written = write_config(arch);
    ASSERT_TRUE(written) << sentence(written.error());
    Result<Architecture> back = read_config(json(*written), "export");
    ASSERT_TRUE(back) << sentence(back.error());
    EXPECT_EQ(counts_of(expand(*back).stored, *back), counts_of(expand(arch).stored, arch));
    EXPECT_EQ(back->tied, arch.tied);
}

INSTANTIATE_TEST_SUITE_P(Models, Switch, testing::ValuesIn(testing_data::files_in("switches")),
                         [](const auto& of) { return testing_data::test_name(of.param); });

}  // namespace
}  // namespace headcount
