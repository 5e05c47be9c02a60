// What a file leaves to its type, and the count follows from.
#include "core/files/tried_fields.hpp"

#include <gtest/gtest.h>

#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;

std::string unsaid(const json& config) {
    std::string all;
    for (const std::string& each : unsaid_fields(config)) all += (all.empty() ? "" : ", ") + each;
    return all;
}

json llama() {
    return {{"model_type", "llama"}, {"num_hidden_layers", 2}, {"vocab_size", 100}, {"tie_word_embeddings", false}};
}

TEST(TriedFields, NameWhatIsNotThereOrNull) {
    const std::string sizes = "hidden_size 4,096, intermediate_size 11,008";
    EXPECT_EQ(unsaid(llama()), sizes) << "as many heads of keys as of queries, which change no count";
    json null = llama();
    null.update({{"hidden_size", nullptr}, {"tie_word_embeddings", nullptr}});
    EXPECT_EQ(unsaid(null), sizes + ", tie_word_embeddings false");
}

TEST(TriedFields, LeaveOutWhatFollowsFromWhatIsSaid) {
    json file = llama();
    file.update({{"hidden_size", 64}, {"num_attention_heads", 2}});
    EXPECT_EQ(unsaid(file), "intermediate_size 11,008") << "nor is it worth a word that there are no biases";
    file["intermediate_size"] = 11008;
    EXPECT_EQ(unsaid(file), "");
    EXPECT_EQ(unsaid({{"model_type", "gpt_neo"},
                      {"hidden_size", 64},
                      {"num_heads", 4},
                      {"num_layers", 2},
                      {"attention_types", {{{"global", "local"}, 1}}},
                      {"vocab_size", 100}}),
              "max_position_embeddings 2,048")
        << "its feed-forward is four times as wide";
}

TEST(TriedFields, AreThoseOfEveryKindOfModel) {
    EXPECT_EQ(unsaid({{"model_type", "qwen3_moe"},
                      {"hidden_size", 64},
                      {"num_hidden_layers", 2},
                      {"num_attention_heads", 4},
                      {"vocab_size", 100},
                      {"head_dim", 16},
                      {"num_key_value_heads", 2},
                      {"tie_word_embeddings", true}}),
              "decoder_sparse_step 1, moe_intermediate_size 768, num_experts 128");
    EXPECT_EQ(unsaid({{"model_type", "mamba2"},
                      {"hidden_size", 64},
                      {"num_heads", 8},
                      {"head_dim", 16},
                      {"num_hidden_layers", 2},
                      {"vocab_size", 100},
                      {"tie_word_embeddings", true}}),
              "conv_kernel 4, n_groups 8, state_size 128, use_conv_bias true");
    EXPECT_EQ(unsaid({{"model_type", "whisper"}, {"d_model", 384}, {"num_mel_bins", 80}}),
              "decoder_ffn_dim 1,536, decoder_layers 4, encoder_ffn_dim 1,536, encoder_layers 4, "
              "max_source_positions 1,500, max_target_positions 448, vocab_size 51,865");
    EXPECT_EQ(unsaid({{"model_type", "clip"},
                      {"architectures", {"CLIPForImageClassification"}},
                      {"num_labels", 2},
                      {"vision_config", {{"hidden_size", 768}, {"image_size", 32}, {"num_hidden_layers", 2}}}}),
              "vision_config.intermediate_size 3,072, vision_config.num_channels 3, vision_config.patch_size 32");
}

TEST(TriedFields, NameWhatNoFieldOfTheModelHas) {
    EXPECT_TRUE(unsaid({{"model_type", "longcat_flash"}}).ends_with(", the type's own zero_expert_num"));
}

TEST(TriedFields, AreNoSizesOfThePresets) {
    for (const Preset& preset : testing_data::all_presets()) {
        const auto file = json::parse(testing_data::read_file(preset.file));
        if (!file.contains("config")) continue;  // it is that of weights
        for (const char* size : {"hidden_size ", "num_hidden_layers ", "vocab_size "})
            EXPECT_EQ(unsaid(file["config"]).find(size), std::string::npos) << preset.id;
    }
}

}  // namespace
}  // namespace headcount
