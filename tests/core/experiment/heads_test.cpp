// Claims about what heads of the model that ships look at, against what PyTorch measures.
#include "core/experiment/heads.hpp"

#include <gtest/gtest.h>

#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

TEST(ShippedHeads, AreThoseThatPyTorchFinds) {
    const std::filesystem::path golden = std::filesystem::path(HEADCOUNT_TESTS_DIR) / "golden/heads.json";
    for (const nlohmann::json& each : testing_data::read_json_file(golden)) {
        const Result<std::vector<HeadFound>> heads = find_shipped_heads(each["text"].get<std::string>());
        ASSERT_TRUE(heads) << sentence(heads.error());
        EXPECT_GE(heads->size(), 4U);
        for (const HeadFound& head : *heads) {
            const nlohmann::json& expected = each["heads"][head_role_keys[static_cast<std::size_t>(head.role)]];
            EXPECT_EQ(head.layer, expected["layer"]);
            EXPECT_EQ(head.head, expected["head"]);
            EXPECT_EQ(head.tokens, expected["tokens"]);
            EXPECT_NEAR(head.share, expected["share"].get<double>(), 1e-4);
            EXPECT_NEAR(head.even, expected["even"].get<double>(), 1e-4);
        }
    }
}

TEST(ShippedHeads, AreSaidInASentence) {
    EXPECT_EQ(sentence_on({HeadRole::stop, 2, 7, 0.2732, 0.1107, 22}),
              "Layer 2, head 7 does so most: with 27.3 % of its attention. Spread evenly that would be 11.1 %.");
}

}  // namespace
}  // namespace headcount
