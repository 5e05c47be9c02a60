// The module tree of further types: what transformers prints, and of mixtures what that hides, spelled out.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/core/report/tree.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;
using testing_data::tree;

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

// The tree without what print(model) hides: each expert's matrices, the routers' sizes, sinks, buffers and tensors of
// all experts; and with Mixtral's module as newer code calls it.
std::string as_transformers_hides_it(const std::string& text) {
    std::vector<std::string> kept;
    std::string inside, experts;
    for (std::string line : lines_of(text)) {
        const std::string indent = line.substr(0, line.find_first_not_of(' '));
        if (line.starts_with(indent + "(experts): ")) experts = indent;
        const bool first = line.starts_with(indent + "(0): ") || line.starts_with(indent + "(0-");
        if (inside.empty() && !experts.empty() && indent.size() == experts.size() + 2 && first && line.ends_with("("))
            inside = indent;
        const bool hidden = !inside.empty() || line.find(": Parameter(") != std::string::npos ||
                            line.find(": Buffer(") != std::string::npos;
        if (!inside.empty() && line == inside + ")") inside.clear();
        if (hidden) continue;
        const std::size_t router = line.find("Router(in_features=");
        if (router != std::string::npos && line.find("Llama4Router") == std::string::npos)
            line = line.substr(0, router) + "Router()";
        const std::string mixtral = "(block_sparse_moe)";
        if (const std::size_t at = line.find(mixtral); at != std::string::npos)
            line.replace(at, mixtral.size(), "(mlp)");
        if (!kept.empty() && line == indent + ")" && kept.back().ends_with("(") &&
            kept.back().starts_with(indent + "("))
            kept.back() += ")";  // nothing is left in it
        else
            kept.push_back(line);
    }
    std::string all;
    for (const std::string& line : kept) all += line + "\n";
    return all;
}

class PrintedModel : public testing::TestWithParam<std::string> {};

TEST_P(PrintedModel, IsWhatTransformersPrintsAndWhatItHides) {
    const std::string printed =
        testing_data::read_file(testing_data::golden_folder() / "printed" / (GetParam() + ".txt"));
    EXPECT_EQ(as_transformers_hides_it(tree(preset(GetParam()))), printed);
}

INSTANTIATE_TEST_SUITE_P(Models, PrintedModel, testing::ValuesIn(testing_data::files_in("printed")),
                         [](const auto& of) { return testing_data::test_name(of.param); });

TEST(MixtureTree, SpellsOutWhatTransformersHides) {
    for (const auto& [id, line] : {
             std::pair("mixtral-8x7b", "            (0-7): 8 x MixtralBlockSparseTop2MLP(\n"),
             {"mixtral-8x7b", "              (w2): Linear(in_features=14336, out_features=4096, bias=False)\n"},
             {"mixtral-8x7b", "(gate): MixtralTopKRouter(in_features=4096, out_features=8, bias=False)\n"},
             {"deepseek-v3", "          (gate.e_score_correction_bias): Buffer(256)\n"},
             {"deepseek-v3", "            (0-255): 256 x DeepseekV3MLP(\n"},
             {"gpt-oss-20b", "          (sinks): Parameter(64)\n"},
             {"gpt-oss-20b", "(gate_up_proj): Parameter(32, 2880, 5760) + Parameter(32, 5760)\n"},
             {"llama-4-maverick-text", "(down_proj): Parameter(128, 8192, 5120)\n"},
             {"qwen1.5-moe-a2.7b", "(shared_expert_gate): Linear(in_features=2048, out_features=1, bias=False)\n"},
         })
        EXPECT_NE(tree(preset(id)).find(line), std::string::npos) << id << ": " << line;
}

TEST(MixtureTree, CountsEveryExpertAndNoBuffer) {
    for (const Preset& each : testing_data::all_presets()) {
        if (!each.architecture.layer.mixture) continue;
        const ModelGraph graph = expand(each.architecture);
        const Parameters parameters = *count_parameters(graph, bindings(each.architecture, {}));
        const std::string top = lines_of(module_tree(each.architecture, graph, parameters, {.counts = true})).front();
        std::string total;
        for (char letter : top)
            if (letter >= '0' && letter <= '9') total += letter;
        EXPECT_TRUE(total.ends_with(std::to_string(parameters.total))) << each.id << ": " << top;
    }
}

}  // namespace
}  // namespace headcount
