// Disentangled attention: which row a distance has, what scores are of, and which parameters stand where.
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "core/analysis/arithmetic.hpp"
#include "core/files/config.hpp"
#include "core/graph/ops.hpp"
#include "core/graph/written.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;

// transformers, make_log_bucket_position(distance, 256, 512), held within -256 ... 255.
TEST(Distances, HaveTheRowsThatTransformersGivesThem) {
    const RelativeRule rule{.buckets = 512, .farthest = 512, .both_ways = true, .centred = true};
    constexpr std::array<std::pair<std::int64_t, std::int64_t>, 20> rows{
        {{0, 0},     {1, 1},     {-1, -1},     {128, 128},   {129, 129},   {131, 131},  {140, 137},
         {200, 169}, {255, 192}, {256, 192},   {300, 207},   {400, 233},   {500, 254},  {511, 255},
         {512, 255}, {600, 255}, {-129, -129}, {-200, -169}, {-511, -255}, {-600, -256}}};
    for (const auto& [behind, row] : rows) EXPECT_EQ(rule.bucket(-behind), 256 + row) << behind;
    std::int64_t sum = 0;
    for (std::int64_t behind = -600; behind <= 600; ++behind) sum += (behind + 601) * (rule.bucket(-behind) - 256);
    EXPECT_EQ(sum, 80'147'261);
}

TEST(Distances, HaveEachItsRowWhereNoRangesAreSaid) {
    const RelativeRule rule{.buckets = 14, .farthest = 0, .both_ways = true, .centred = true};
    EXPECT_EQ(rule.bucket(0), 7);
    EXPECT_EQ(rule.bucket(3), 4);
    EXPECT_EQ(rule.bucket(-6), 13);
    EXPECT_EQ(rule.bucket(-40), 13);
    EXPECT_EQ(rule.bucket(40), 0);
}

TEST(Distances, AreComparedWithQueriesAndWithKeys) {
    const ModelGraph graph = expand(preset("deberta-v3-base"));
    const Node& scores = *graph.first(Op::scores);
    EXPECT_EQ(written_text(graph, equation_of(graph, scores)),
              "S = (Q_i · K_i^T + Q_i · K_r[β(q − p)]^T + Q_r[β(q − p)] · K_i^T) / √(3·d_h)");
    EXPECT_EQ(expand(preset("bert-base-uncased")).first(Op::scores)->inputs.size(), 2u);
    const Architecture one = *read_config(
        {{"model_type", "deberta"}, {"relative_attention", true}, {"pos_att_type", {"p2c"}}}, "config.json");
    const ModelGraph half = expand(one);
    EXPECT_EQ(written_text(half, equation_of(half, *half.first(Op::scores))),
              "S = (Q_i · K_i^T + Q_r[β(q − p)] · K_i^T) / √(2·d_h)");
}

// transformers, WavLMAttention.forward: a gate of the query's own row, the same way in all heads.
TEST(Distances, CountAsFarAsAGateOfTheQueryLetsThem) {
    const ModelGraph graph = expand(preset("wavlm-base"));
    const auto text = [&](Op op) { return written_text(graph, equation_of(graph, *graph.first(op))); };
    EXPECT_EQ(text(Op::gate_distances), "g_i = sigmoid(4 · mean(A_i)) ⊙ (sigmoid(4 · mean(B_i)) ⊙ s[:, i] − 1) + 2");
    EXPECT_EQ(text(Op::scores), "S = Q_i · K_i^T / √d_h + g_i ⊙ b_dist[β(q − p), i]");
    const Node& scores = *graph.first(Op::scores);
    EXPECT_TRUE(graph.distance_sides(scores).empty());
    EXPECT_EQ(scores.rule<ScoreRule>().relative->farthest, 800);
    const std::int64_t every = *evaluate(graph.copies(graph.find("layer.attention.distance_gate.weight")->block),
                                         bindings(preset("wavlm-base"), {}));
    EXPECT_EQ(every, 12) << "one a layer, whatever the heads";
    EXPECT_FALSE(expand(testing_data::with(preset("wavlm-base"), "positions", "none"))
                     .find("layer.attention.distance_gate.weight"));
}

// transformers, DebertaConfig: what stands between two strokes is a kind, known or not.
TEST(Distances, AreAsManyTermsAsTheFirstVersionIsSaidToHave) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> said{
        {{"", 2}, {"c2p", 2}, {"C2P | p2c", 3}, {"c2p|", 3}}};
    for (const auto& [kinds, terms] : said) {
        const Architecture arch = *read_config(
            {{"model_type", "deberta"}, {"relative_attention", true}, {"pos_att_type", std::string(kinds)}},
            "config.json");
        EXPECT_EQ(expand(arch).first(Op::scores)->rule<ScoreRule>().terms, terms) << kinds;
    }
}

TEST(Distances, ShareTheMatricesOfTokensOrHaveTheirOwn) {
    const ModelGraph shared = expand(preset("deberta-v3-base")), own = expand(preset("deberta-base"));
    EXPECT_FALSE(shared.find("layer.attention.distance_key.weight"));
    EXPECT_EQ(
        shared.producer(static_cast<TensorIndex>(shared.find("layer.attention.distance_keys") - shared.tensors.data()))
            ->parameters,
        shared.product_behind(static_cast<TensorIndex>(shared.find("layer.attention.keys") - shared.tensors.data()))
            ->parameters);
    EXPECT_TRUE(own.find("layer.attention.distance_key.weight"));
    EXPECT_FALSE(own.find("layer.attention.distance_key.bias"));
    EXPECT_TRUE(own.find("layer.attention.distance_query.bias"));
    EXPECT_TRUE(own.find("layer.attention.query.bias"));
    EXPECT_FALSE(own.find("layer.attention.key.bias"));
}

TEST(Distances, OfTheFirstLayerAloneAConvolutionIsAdded) {
    const ModelGraph graph = expand(preset("deberta-v2-xxlarge"));
    ASSERT_EQ(graph.layers.size(), 2u);
    EXPECT_EQ(graph.layers[0].group.count, 1);
    EXPECT_EQ(graph.layers[0].group.label, "first");
    EXPECT_EQ(graph.layers[1].group.label, "plain");
    EXPECT_TRUE(graph.find("layer_first.convolution.stream"));
    EXPECT_FALSE(graph.find("layer.convolution.stream"));
}

// T = 512 tokens, R = 512 rows, d = 768, L = 12, V = 128,100: twice the multiplications of queries, keys, values and
// the way back, of keys and queries of distances, of Q · Kᵀ and A · V, of both products with distances, of the
// feed-forward; then of the head.
TEST(Distances, TakeTheArithmeticOfTheirProducts) {
    const Architecture arch = preset("deberta-v3-base");
    const ModelGraph graph = expand(arch);
    constexpr std::int64_t T = 512, R = 512, d = 768, L = 12, V = 128100, ff = 3072;
    const auto flops = [&](std::int64_t batch) {
        return arithmetic(graph, bindings(arch, {.tokens = T, .batch = batch}), {})->flops.full;
    };
    constexpr std::int64_t of_text =
        2 * (L * (4 * T * d * d + 2 * T * T * d + 2 * T * R * d + 2 * T * d * ff) + T * d * d + T * d * V);
    constexpr std::int64_t of_table = 2 * L * 2 * R * d * d;
    EXPECT_EQ(flops(1), of_text + of_table);
    EXPECT_EQ(flops(3), 3 * of_text + of_table) << "keys and queries of distances are made once for all texts";
}

}  // namespace
}  // namespace headcount
