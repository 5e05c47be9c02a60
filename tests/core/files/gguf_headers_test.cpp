// GGUF files of models with states and of encoders, as llama.cpp's converters write them (tests/golden/gguf_headers):
// each opens as the model that it was made from, and every tensor is found.
#include <gtest/gtest.h>

#include "core/analysis/checkpoint_match.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/checkpoints/infer.hpp"
#include "core/files/config.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using namespace testing_data;

struct Header {
    nlohmann::json config;
    Checkpoint file;
};

Header header(const std::string& name) {
    const nlohmann::json golden = read_json_file(golden_folder() / "gguf_headers" / (name + ".json"));
    Header made{golden.at("config"), {}};
    made.file.format = "GGUF v3";
    made.file.files = {name + ".gguf"};
    made.file.metadata = golden.at("metadata");
    for (const auto& [tensor, shape] : golden.at("tensors").items()) {
        std::int64_t elements = 1;
        for (const std::int64_t side : shape.get<std::vector<std::int64_t>>()) elements *= side;
        made.file.tensors.push_back({tensor, shape, {"F32", 1, 4}, elements, 4 * elements, 0, 0});
    }
    return made;
}

Architecture read(const nlohmann::json& config, const std::string& name) {
    const Result<Architecture> arch = read_config(config, name);
    if (!arch) throw std::runtime_error(sentence(arch.error()));
    return *arch;
}

class GgufHeaders : public testing::TestWithParam<std::string> {};

TEST_P(GgufHeaders, OpenAsTheModelThatTheyWereMadeFrom) {
    const Header golden = header(GetParam());
    const Result<nlohmann::json> config = config_of_gguf(golden.file);
    ASSERT_TRUE(config) << sentence(config.error());
    Architecture own = read(*config, GetParam());
    nlohmann::json published = golden.config;
    if (published["model_type"] == "bert") published["add_pooling_layer"] = false;  // which is not converted
    const Architecture expected = read(published, GetParam());
    const ModelGraph graph = expand(own), other = expand(expected);
    ASSERT_EQ(graph.stored.size(), other.stored.size());
    const Bindings values = bindings(own, Input{}), others = bindings(expected, Input{});
    for (std::size_t i = 0; i < graph.stored.size(); ++i) {
        EXPECT_EQ(graph.stored[i].name, other.stored[i].name);
        EXPECT_EQ(shape_in_numbers(graph.stored[i].shape, values), shape_in_numbers(other.stored[i].shape, others))
            << graph.stored[i].name;
    }
    EXPECT_EQ(layer_groups(own).size(), layer_groups(expected).size());
    EXPECT_FLOAT_EQ(static_cast<float>(own.norm.epsilon), static_cast<float>(expected.norm.epsilon));
}

TEST_P(GgufHeaders, HaveEveryTensor) {
    const Header golden = header(GetParam());
    const Result<nlohmann::json> config = config_of_gguf(golden.file);
    ASSERT_TRUE(config) << sentence(config.error());
    const Architecture arch = read(*config, GetParam());
    const Result<Counted> counted = count(arch, {.tokens = 1, .source = 1});
    ASSERT_TRUE(counted);
    const Result<CheckpointMatch> match = match_checkpoint(golden.file, arch, counted->graph, counted->parameters);
    ASSERT_TRUE(match) << sentence(match.error());
    for (const MatchRow& row : match->rows)
        EXPECT_TRUE(row.state == MatchState::ignored)
            << match_word(row.state) << " " << row.name << " " << row.file_name;
    EXPECT_EQ(match->differences, 0);
    EXPECT_EQ(match->parameters, counted->parameters.total);
}

INSTANTIATE_TEST_SUITE_P(Files, GgufHeaders, testing::ValuesIn(files_in("gguf_headers")), [](const auto& instance) {
    std::string name = instance.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace headcount
