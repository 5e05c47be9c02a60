// The module tree: to the last character as transformers prints it, and honest where that form hides something.
#include "core/report/tree.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/text.hpp"
#include "core/files/config.hpp"
#include "tests/core/report/tree.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;
using testing_data::tree;
using testing_data::with;

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

class GoldenTree : public testing::TestWithParam<std::string> {};

TEST_P(GoldenTree, IsPrintedToTheLastCharacter) {
    EXPECT_EQ(tree(preset(GetParam())),
              testing_data::read_file(testing_data::golden_folder() / "trees" / (GetParam() + ".txt")));
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenTree, testing::ValuesIn(testing_data::files_in("trees")),
                         [](const auto& of) { return testing_data::test_name(of.param); });

TEST(Tree, CallsLayersThatShareOneByTheirOwnClass) {
    const Result<Architecture> read =
        read_config({{"model_type", "zamba2"},
                     {"hidden_size", 32},
                     {"num_hidden_layers", 4},
                     {"num_attention_heads", 4},
                     {"intermediate_size", 44},
                     {"layers_block_type", {"linear_attention", "linear_attention", "hybrid", "linear_attention"}}},
                    "config.json");
    ASSERT_TRUE(read);
    const std::string all = tree(*read);
    EXPECT_TRUE(has(all, "(0-1): 2 x Zamba2MambaDecoderLayer(")) << all;
    EXPECT_TRUE(has(all, "(2): Zamba2HybridLayer(")) << all;
}

TEST(Tree, OfStacksThatTheFamilyHasAndThisModelHasNotTheLastIsPrinted) {
    const std::string alone = tree(with(preset("t5-small"), "encoder_layers", "none"));
    EXPECT_FALSE(has(alone, "(encoder)") || has(alone, "CrossAttention")) << alone;
    EXPECT_TRUE(has(alone, "(decoder): T5Stack(")) << alone;
    EXPECT_TRUE(has(alone, "(q): Linear(in_features=512, out_features=512, bias=False)")) << alone;
    const std::string reads = tree(*read_config({{"model_type", "t5"}, {"architectures", {"T5EncoderModel"}}}, "test"));
    EXPECT_TRUE(reads.starts_with("T5EncoderModel(\n  (shared): Embedding(32128, 512)\n  (encoder): T5Stack("))
        << reads;
    EXPECT_TRUE(has(reads, "(0): T5Block(") && has(reads, "(1-5): 5 x T5Block(")) << reads;
    EXPECT_FALSE(has(reads, "decoder") || has(reads, "lm_head")) << reads;
    const std::string beside = tree(with(with(preset("llama-2-7b"), "positions", "relative"), "encoder_layers", "2"));
    EXPECT_TRUE(has(beside, "(encoder.layer): 2 x (")) << beside;
    EXPECT_TRUE(has(beside, "attention.query.weight")) << beside;
}

TEST(Tree, OfBlocksOfColumnsShowsAMatrixOfEach) {
    const Result<Architecture> read = read_config({{"model_type", "recurrent_gemma"}}, "config.json");
    ASSERT_TRUE(read);
    const std::string text = tree(*read);
    EXPECT_TRUE(has(text, "(recurrent_gate): Parameter(10, 256, 256) + Parameter(10, 256)")) << text;
}

TEST(Tree, TheBaseModelIsTheTreeWithoutItsHead) {
    std::string whole = tree(preset("llama-7b")), base = tree(preset("llama-7b"), {.base = true});
    EXPECT_TRUE(base.starts_with("LlamaModel(\n  (embed_tokens): Embedding(32000, 4096)\n"));
    EXPECT_TRUE(base.ends_with("  (rotary_emb): LlamaRotaryEmbedding()\n)\n"));
    EXPECT_FALSE(has(base, "lm_head"));
    EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), std::count(base.begin(), base.end(), '\n') + 3);
}

TEST(Tree, Gpt2ShowsTheBiasesThatConv1dHides) {
    std::string gpt2 = tree(preset("gpt2"));
    EXPECT_TRUE(has(gpt2, "      (0-11): 12 x GPT2Block(\n"));
    EXPECT_TRUE(has(gpt2, "(c_attn): Conv1D(nf=2304, nx=768, bias=True)"));
    EXPECT_TRUE(has(gpt2, "(c_proj): Conv1D(nf=768, nx=3072, bias=True)"));
    EXPECT_TRUE(has(gpt2, "(ln_1): LayerNorm((768,), eps=1e-05, elementwise_affine=True, bias=True)\n"));
    EXPECT_TRUE(has(gpt2, "  (drop): Dropout(p=0.1, inplace=False)\n"));
    EXPECT_TRUE(has(gpt2, "(resid_dropout): Dropout(p=0.1, inplace=False)\n"));
    EXPECT_TRUE(has(gpt2, "(act): NewGELUActivation()"));
    EXPECT_TRUE(has(gpt2, "(lm_head): Linear(in_features=768, out_features=50257, bias=False)"));
    EXPECT_FALSE(has(gpt2, "rotary"));
    EXPECT_TRUE(has(tree(with(preset("gpt2"), "qkv_bias", "false")), "Conv1D(nf=2304, nx=768, bias=False)"));
}

TEST(Tree, ShowsWhichPartsOfANormAreTrained) {
    Architecture llama = preset("llama-7b"), layered = with(llama, "norm", "layer");
    EXPECT_TRUE(has(tree(with(llama, "norm_bias", "true")), "LlamaRMSNorm((4096,), eps=1e-06, bias=True)"));
    EXPECT_TRUE(has(tree(with(llama, "norm_scale", "false")), "LlamaRMSNorm((4096,), eps=1e-06, weight=False)"));
    EXPECT_TRUE(has(tree(layered), "LayerNorm((4096,), eps=1e-06, elementwise_affine=True, bias=False)"));
    EXPECT_TRUE(has(tree(with(layered, "norm_bias", "true")),
                    "LayerNorm((4096,), eps=1e-06, elementwise_affine=True, bias=True)"));
    EXPECT_TRUE(has(tree(with(layered, "norm_scale", "false")),
                    "LayerNorm((4096,), eps=1e-06, elementwise_affine=False, bias=False)"));
}

TEST(Tree, LeavesOutWhatTheArchitectureDoesNotHave) {
    Architecture llama = preset("llama-7b");
    EXPECT_FALSE(has(tree(with(llama, "gated", "false")), "gate_proj"));
    EXPECT_FALSE(has(tree(llama), "embed_positions"));
    std::string learned = tree(with(llama, "positions", "learned"));
    EXPECT_TRUE(has(learned, "(embed_positions): Embedding(2048, 4096)"));
    EXPECT_FALSE(has(learned, "rotary_emb"));
    std::string after = tree(with(llama, "norm_placement", "after"));
    EXPECT_FALSE(has(after, "input_layernorm"));
    EXPECT_TRUE(has(after, "(post_attention_layernorm)"));
    EXPECT_TRUE(has(after, "(post_feedforward_layernorm)"));
    EXPECT_TRUE(
        has(tree(with(llama, "qkv_bias", "true")), "(q_proj): Linear(in_features=4096, out_features=4096, bias=True)"));
    EXPECT_TRUE(has(tree(with(llama, "activation", "gelu")), "(act_fn): GELUActivation()"));
    EXPECT_TRUE(has(tree(with(llama, "activation", "relu")), "(act_fn): ReLU()"));
}

TEST(Tree, ManyLayersAreOneLineAndOneLayerHasNoRange) {
    std::string many = tree(with(preset("smollm2-135m"), "layers", "1000000000000"), {.counts = true});
    EXPECT_TRUE(has(many, "(0-999999999999): 1000000000000 x LlamaDecoderLayer("));
    EXPECT_LT(many.size(), 4000u);
    EXPECT_TRUE(has(tree(with(preset("llama-7b"), "layers", "1")), "      (0): LlamaDecoderLayer(\n"));
}

TEST(Tree, CountsStandBehindEachLineAndSumToTheTotal) {
    std::string counted = tree(preset("llama-2-7b"), {.counts = true});
    EXPECT_TRUE(has(counted.substr(0, counted.find('\n')), "6,738,415,616"));
    EXPECT_TRUE(has(counted, "202,383,360  x 32 = 6,476,267,520"));
    std::string tied = tree(preset("llama-3.2-1b"), {.counts = true});
    EXPECT_TRUE(has(tied.substr(0, tied.find('\n')), "1,235,814,400"));
    EXPECT_TRUE(has(tied, " 0  the table of model.embed_tokens, counted there"));
    for (const Preset& each : testing_data::all_presets()) {
        std::string all = tree(each.architecture, {.counts = true});
        std::string plain = tree(each.architecture);
        EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), std::count(plain.begin(), plain.end(), '\n')) << each.id;
    }
}

TEST(Tree, ShowsEveryParameterThatIsCounted) {
    const auto expect_all = [](const Architecture& arch, const std::string& name) {
        const ModelGraph graph = expand(arch);
        const Parameters parameters = *count_parameters(graph, bindings(arch, {}));
        const std::string all = module_tree(arch, graph, parameters, {.counts = true});
        const std::string first = all.substr(0, all.find('\n'));
        EXPECT_TRUE(has(first, " " + grouped(parameters.total))) << name << ": " << first;
    };
    for (const Preset& each : testing_data::all_presets()) expect_all(each.architecture, each.id);
    for (const std::string& name : testing_data::files_in("runtime")) {
        const auto file = testing_data::golden_folder() / "runtime" / (name + ".json");
        const nlohmann::json config = testing_data::read_json_file(file).at("config");
        if (!config.is_null()) expect_all(*read_config(config, name), name);
    }
}

TEST(PythonFloat, PrintsWhatReprPrints) {
    for (auto [value, text] : {std::pair(1e-6, "1e-06"),
                               {1e-5, "1e-05"},
                               {1e-12, "1e-12"},
                               {0.0001, "0.0001"},
                               {0.00012, "0.00012"},
                               {1.25e-5, "1.25e-05"},
                               {0.1, "0.1"},
                               {1.0, "1.0"},
                               {0.0, "0.0"},
                               {1e15, "1000000000000000.0"},
                               {1e16, "1e+16"},
                               {1e-300, "1e-300"},
                               {123.5, "123.5"}})
        EXPECT_EQ(python_float(value), text);
}

}  // namespace
}  // namespace headcount
