// How much memory a run needs, said before it begins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/core/runtime/golden_model.hpp"
#include "tests/core/runtime/weight_file.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(MemoryOfARun, IsWhatIsSaidBeforehand) {
    const Architecture arch = architecture_of(small_llama());
    const Result<MemoryNeed> need = memory_need(arch, {.capacity = 16});
    ASSERT_TRUE(need);
    EXPECT_EQ(need->weights, (*random_model(arch, 1))->weights.bytes());
    // Two layers' keys by columns of 16 tokens, and values, each of 2 heads of 8.
    EXPECT_EQ(need->caches, 2 * (16 * 16 + 16 * 16) * 4);
    const Result<MemoryNeed> all = memory_need(arch, {.capacity = 16, .keep = Keep::all});
    ASSERT_TRUE(all);
    EXPECT_GT(all->activations, need->activations);
}

TEST(MemoryOfARun, IsKnownAtOnceOfLayersWithoutEnd) {
    const auto need_of = [](Architecture arch, std::int64_t layers) {
        arch.layers = layers;
        return memory_need(arch, {.capacity = 16});
    };
    constexpr std::int64_t most = 1'000'000'000'000;
    const Architecture llama = architecture_of(small_llama());
    const Result<MemoryNeed> one = need_of(llama, 1), two = need_of(llama, 2), many = need_of(llama, most);
    ASSERT_TRUE(many) << sentence(many.error());
    EXPECT_EQ(many->weights, one->weights + (most - 1) * (two->weights - one->weights));
    EXPECT_EQ(many->caches, most * one->caches);
    const Result<MemoryNeed> beyond = need_of(llama, std::int64_t{1} << 60);
    ASSERT_FALSE(beyond);
    EXPECT_THAT(sentence(beyond.error()), testing::StartsWith("the weights do not fit in 64 bits"));
}

// Of layers that differ too.
TEST(MemoryOfARun, HoldsItsWeights) {
    for (const std::string& name : golden_runs()) {
        const GoldenModel golden = golden_run(name);
        if (golden.shipped) continue;
        const auto held = model_of(golden);
        const Model& model = *held;
        const ModelGraph& graph = model.graph;
        std::int64_t end = 0;  // behind the last copy of the last parameter
        const auto reads = [](const Node& node) { return !node.parameters.empty(); };
        const float* const first =
            model.weights.view(std::ranges::find_if(graph.nodes, reads)->parameters.front()).data;
        for (std::size_t i = 0; i < graph.tensors.size(); ++i)
            for (std::int64_t layer = 0; layer < golden.architecture.layers; ++layer)
                for (std::int64_t copy = 0; copy < model.weights.copies(static_cast<TensorIndex>(i)); ++copy)
                    if (const MatrixView view = model.weights.view(static_cast<TensorIndex>(i), layer, copy))
                        end = std::max(end, view.data - first + view.rows * view.columns);
        EXPECT_LE(end * 4, model.weights.bytes()) << name;
        EXPECT_EQ(memory_need(golden.architecture, {.capacity = 4})->weights, model.weights.bytes()) << name;
    }
}

TEST(MemoryOfARun, OfMoreTokensThanCanBeCountedIsASentence) {
    const auto model = random_model(architecture_of(small_llama()), 1);
    // Scores and weights of 4 heads in 2 layers: each fits in 64 bits, all of them in bytes do not.
    for (const std::int64_t capacity : {std::int64_t{390'000'000}, std::numeric_limits<std::int64_t>::max()}) {
        const Result<headcount::Run> run = headcount::Run::start(*model, {.capacity = capacity, .keep = Keep::all});
        ASSERT_FALSE(run);
        EXPECT_EQ(sentence(run.error()), "a run of so many tokens does not fit in 64 bits: take fewer tokens");
    }
}

}  // namespace
}  // namespace headcount
