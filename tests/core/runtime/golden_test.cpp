// Every family computes what transformers computes: hidden states, logits, and the tokens that follow.
#include <gtest/gtest.h>

#include "tests/core/runtime/golden_model.hpp"

namespace headcount {
namespace {

using namespace testing_data;

void expect_agreement(const Run& run, const GoldenModel& golden) {
    const std::vector<double> apart = differences(run, golden);
    for (std::size_t i = 0; i < apart.size(); ++i) {
        const bool logits = i + 1 == apart.size();
        testing::Test::RecordProperty(logits ? "logits" : "layer_" + std::to_string(i), std::to_string(apart[i]));
        EXPECT_LE(apart[i], agreement) << (logits ? "logits" : "hidden states behind " + std::to_string(i) + " layers");
    }
}

class Golden : public testing::TestWithParam<std::string> {
  protected:
    GoldenModel golden = golden_run(GetParam());
};

TEST_P(Golden, HiddenStatesOfEveryLayerAndLogitsAgree) {
    auto run = begin(golden);
    append(run, golden.prompt);
    expect_agreement(run, golden);
}

TEST_P(Golden, TheCacheMakesTheSameTokenByToken) {
    if (golden.architecture.patches) GTEST_SKIP() << "an image is read at once";
    auto run = begin(golden);
    for (const std::int32_t id : golden.prompt) append(run, std::span(&id, 1));
    expect_agreement(run, golden);
}

TEST_P(Golden, TheCacheMakesTheSameInPieces) {
    if (golden.architecture.patches) GTEST_SKIP() << "an image is read at once";
    auto run = begin(golden, 0, 2);
    const std::span<const std::int32_t> prompt(golden.prompt);
    append(run, prompt.first(3));
    append(run, prompt.subspan(3, 9));
    append(run, prompt.subspan(12));
    expect_agreement(run, golden);
}

TEST_P(Golden, TheLikeliestTokensFollow) {
    auto run = begin(golden);
    append(run, golden.prompt);
    std::vector<std::int32_t> followed;
    while (followed.size() < golden.continuation.size()) {
        followed.push_back(likeliest(run.logits()));
        append(run, std::span(&followed.back(), 1));
    }
    EXPECT_EQ(followed, golden.continuation);
}

INSTANTIATE_TEST_SUITE_P(Runtime, Golden, testing::ValuesIn(golden_runs()), [](const auto& instance) {
    std::string name = instance.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(GoldenFiles, ThereIsOneOfEveryFamily) {
    std::set<std::string_view> types;
    for (const std::string& name : golden_runs()) types.insert(golden_run(name).architecture.family->type);
    for (const Family* family : families()) {
        const Result<Architecture> usual = family->read({{"model_type", family->type}}, *family);
        const bool runs = !usual || computation_of(*usual).operator bool();  // else what it computes is refused
        EXPECT_TRUE(types.contains(family->type) || !runs) << family->type;
    }
}

TEST(GoldenFiles, PromptsAreLongerThanTheWindows) {
    for (const std::string& name : golden_runs()) {
        const GoldenModel golden = golden_run(name);
        if (golden.shipped || !golden.architecture.layer.attention.window) continue;
        EXPECT_GT(std::ssize(golden.prompt), 2 * golden.architecture.layer.attention.window->size) << name;
    }
}

}  // namespace
}  // namespace headcount
