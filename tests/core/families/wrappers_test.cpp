// Models that wrap a language model: the tensors of that, and whose word on the output head counts.
#include "core/families/wrappers.hpp"

#include <gtest/gtest.h>

#include "core/analysis/parameters.hpp"
#include "core/graph/graph.hpp"
#include "tests/core/families/reading.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::read;
using reading::refusal;

json sorted(json rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
}

class GoldenWrapper : public testing::TestWithParam<std::string> {
  protected:
    json golden = testing_data::read_json_file(testing_data::golden_folder() / "wrappers" / (GetParam() + ".json"));
};

TEST_P(GoldenWrapper, HasTheTextPartAndTheHeadThatTransformersBuilds) {
    for (const json& head : golden["heads"]) {
        json config = golden["config"];
        if (!head["whole"].is_null()) config["tie_word_embeddings"] = head["whole"];
        if (!head["text"].is_null()) config["text_config"]["tie_word_embeddings"] = head["text"];
        Architecture arch = read(config);
        EXPECT_TRUE(arch.family->verified);
        arch.whole.reset();  // the text part by its own names
        const ModelGraph graph = expand(arch);
        json tensors = json::array(), found = nullptr;
        for (json& row : testing_data::stored_rows(arch, graph, graph.stored))
            if (row["name"] == "lm_head.weight")
                found = row["shape"];
            else
                tensors.push_back(std::move(row));
        EXPECT_EQ(found, head["head"]) << head;
        EXPECT_EQ(sorted(std::move(tensors)), sorted(golden["tensors"])) << head;
    }
}

TEST_P(GoldenWrapper, IsRefusedWithoutATextPart) {
    const json alone{{"model_type", GetParam()}, {"vision_config", {{"hidden_size", 64}}}};
    EXPECT_EQ(refusal(alone), "a model of type \"" + GetParam() +
                                  "\" wraps a language model, of which the file says nothing: config.json: give its "
                                  "text_config, or at the top its hidden_size, num_hidden_layers, "
                                  "num_attention_heads and vocab_size");
}

TEST_P(GoldenWrapper, KnowsTheTypeOfATextPartThatDoesNotSayIt) {
    json config = golden["config"];
    const Architecture said = read(config);
    config["text_config"].erase("model_type");
    EXPECT_EQ(read(config).family, said.family);
}

TEST(Wrappers, AHeadInAnotherSizeThanTheTextPartIsRefused) {
    const json text{{"hidden_size", 64}, {"vocab_size", 131}, {"num_attention_heads", 4}, {"num_key_value_heads", 2}};
    json config{{"model_type", "ovis2"}, {"text_config", text}};
    EXPECT_EQ(refusal(config), "") << "the embedding, whatever the whole says";
    config["tie_word_embeddings"] = false;
    config["vocab_size"] = 131;
    EXPECT_EQ(refusal(config),
              "the output head of this type is sized by 1536, and its text part by 64: config.json, hidden_size: give "
              "both the same, or tie the head (tie_word_embeddings)");
    config["hidden_size"] = 64;
    EXPECT_EQ(refusal(config), "");
}

// LLaVA's own head is a matrix alone; BLIP-2's is its text part's.
TEST(Wrappers, AHeadOfTheWholeHasNoBiases) {
    const json phi{{"model_type", "phi"}, {"hidden_size", 64}, {"num_attention_heads", 4}, {"num_hidden_layers", 2}};
    EXPECT_TRUE(read(phi).head_bias);
    EXPECT_FALSE(read({{"model_type", "llava"}, {"text_config", phi}}).head_bias);
    EXPECT_TRUE(read({{"model_type", "blip-2"}, {"text_config", phi}}).head_bias);
}

// By transformers, of the golden file's sizes.
TEST(Wrappers, StacksShareATableByTheirOwnWordAndTheHeadIsItByThatOfTheWhole) {
    json config = testing_data::read_json_file(testing_data::golden_folder() / "whole" / "florence2.json")["config"];
    const auto total = [&](bool whole, bool text) {
        config["tie_word_embeddings"] = whole;
        config["text_config"]["tie_word_embeddings"] = text;
        return reading::total(config);
    };
    EXPECT_EQ(total(true, true), 261944);
    EXPECT_EQ(total(false, true), 270328);
    EXPECT_EQ(total(false, false), 287096);
    EXPECT_EQ(reading::exported(read(config))["text_config"]["tie_word_embeddings"], false);
    config["tie_word_embeddings"] = true;
    EXPECT_NE(refusal(config).find("stacks with tables of their own"), std::string::npos) << refusal(config);
}

INSTANTIATE_TEST_SUITE_P(Types, GoldenWrapper, testing::ValuesIn(testing_data::files_in("wrappers")),
                         [](const auto& of) { return testing_data::test_name(of.param); });

// transformers, CLIPConfig: the whole of an older file's second word, what it leaves out as the type has it.
TEST(Wrappers, OfClipAreWhatTheirSecondWordsSay) {
    json config = testing_data::read_json_file(testing_data::golden_folder() / "whole" / "clip.json")["config"];
    const Architecture once = read(config);
    for (const char* part : {"text_config", "vision_config"}) {
        json twice = config;
        twice[std::string(part) + "_dict"] = config[part];
        twice[part] = {{"hidden_size", 32}, {"num_attention_heads", 2}};
        EXPECT_EQ(read(twice), once) << part;
        twice[std::string(part) + "_dict"] = nullptr;
        EXPECT_NE(read(twice), once) << part;
    }
    config.erase("text_config");
    EXPECT_EQ(read(config).vocab, 49408);
}

// transformers 5.24, CLIPModel of openai/clip-vit-large-patch14; Radford et al. 2021, table 20, for the sizes.
TEST(Wrappers, OfClipsLargestModelAllParametersAreCounted) {
    const json sizes{
        {"num_hidden_layers", 12}, {"hidden_size", 768}, {"intermediate_size", 3072}, {"num_attention_heads", 12}};
    json images{{"num_hidden_layers", 24},
                {"hidden_size", 1024},
                {"intermediate_size", 4096},
                {"num_attention_heads", 16},
                {"patch_size", 14}};
    const Architecture both = read({{"model_type", "clip"},
                                    {"architectures", {"CLIPModel"}},
                                    {"projection_dim", 768},
                                    {"text_config", sizes},
                                    {"vision_config", images}});
    EXPECT_EQ(count_parameters(expand(both), bindings(both, {}))->total, 427616513);
    images.update({{"model_type", "clip_vision_model"}, {"architectures", {"CLIPVisionModel"}}});
    const Architecture tower = read(images);
    EXPECT_EQ(count_parameters(expand(tower), bindings(tower, {}))->total, 303179776);
}

TEST(Wrappers, OfFlorencePositionsOfFramesAreStoredAndNotCounted) {
    const json golden = testing_data::read_json_file(testing_data::golden_folder() / "whole" / "florence2.json");
    const ModelGraph graph = expand(read(golden["config"]));
    const auto fixed = std::ranges::find_if(graph.buffers, [](const StoredTensor& each) {
        return each.name == "model.multi_modal_projector.visual_temporal_embed.pos_idx_to_embed";
    });
    ASSERT_NE(fixed, graph.buffers.end());
    EXPECT_EQ(shape_in_numbers(fixed->shape, {}), "100 × 24");
}

}  // namespace
}  // namespace headcount
