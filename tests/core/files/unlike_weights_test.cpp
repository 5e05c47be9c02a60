// Claims about weights whose tensors are other ones than the configuration beside them says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files/documents.hpp"
#include "tests/support/small_model.hpp"

namespace headcount {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing_data::Bf16Tensor;
using testing_data::Scratch;
using testing_data::SmallModel;
using testing_data::write_weights;

struct Seen {
    Opened opened;
    std::string doubt;
};

Seen opened_with(const Scratch& scratch, const std::string& config, const std::vector<Bf16Tensor>& tensors) {
    scratch.file("model/config.json", config);
    const std::string path = write_weights(scratch, "model/model.safetensors", tensors);
    Result<Opened> opened = open_architecture(path, {});
    if (!opened) {
        ADD_FAILURE() << sentence(opened.error());
        return {};
    }
    const Result<Document> document = document_of(*opened, path, Input{});
    return {*std::move(opened), document ? doubt_on(*document) : "it cannot be counted"};
}

TEST(UnlikeWeights, OfThoseThatAreCountedThereIsNoDoubt) {
    const Scratch scratch;
    const Seen seen = opened_with(scratch, SmallModel{}.config(), SmallModel{}.tensors());
    EXPECT_EQ(seen.doubt, "");
    EXPECT_TRUE(seen.opened.notes.empty());
}

TEST(UnlikeWeights, ContradictTheConfigurationBesideThem) {
    struct Case {
        const char* what;
        void (*change)(std::vector<Bf16Tensor>&);
        const char* said;
    };
    const std::vector<Case> cases{
        {"another shape",
         [](auto& all) {
             all[2].shape = {32, 64};
         },
         "self_attn.k_proj.weight is [32, 64], and [64, 64] is"},
        {"missing", [](auto& all) { all.erase(all.begin() + 2); }, "layers.0.self_attn.k_proj.weight is missing in it"},
        {"left over",
         [](auto& all) {
             all.push_back({"model.layers.0.extra.weight", {64}});
         },
         "model.layers.0.extra.weight is not counted"}};
    for (const Case& each : cases) {
        const Scratch scratch;
        std::vector<Bf16Tensor> tensors = SmallModel{}.tensors();
        each.change(tensors);
        const Seen seen = opened_with(scratch, SmallModel{}.config(), tensors);
        EXPECT_THAT(seen.doubt, HasSubstr(each.said)) << each.what;
        EXPECT_THAT(seen.opened.notes, Contains(HasSubstr(each.said))) << each.what;
    }
}

TEST(UnlikeWeights, OfPartsThatAreSaidNotToBeCountedContradictNothing) {
    const Scratch scratch;
    const std::string config = R"({"model_type": "gemma3", "vision_config": {"model_type": "of another kind"},
        "text_config": {"model_type": "gemma3_text", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 4, "head_dim": 16, "intermediate_size": 128, "vocab_size": 100}})";
    std::vector<Bf16Tensor> tensors = SmallModel{}.tensors();
    for (Bf16Tensor& each : tensors) each.name = "language_model." + each.name;
    tensors.push_back({"vision_tower.patch.weight", {8, 8}});
    const Seen seen = opened_with(scratch, config, tensors);
    EXPECT_EQ(seen.doubt.find("vision_tower"), std::string::npos) << seen.doubt;
}

// One that is missing does not make all others what the configuration says.
TEST(UnlikeWeights, AreStillStoredAsTheyAre) {
    const Scratch scratch;
    std::vector<Bf16Tensor> tensors = SmallModel{}.tensors();
    tensors.erase(tensors.begin() + 2);
    scratch.file("model/config.json", SmallModel{}.config().insert(1, R"("torch_dtype": "float32", )"));
    const Result<Opened> opened = open_architecture(write_weights(scratch, "model/model.safetensors", tensors), {});
    ASSERT_TRUE(opened) << sentence(opened.error());
    EXPECT_EQ(opened->precision, Formats(Precision::bf16));
}

}  // namespace
}  // namespace headcount
