// Claims about the jobs of a run, one after the other on this thread: what it takes is known first, and what was handed
// over never changes.
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "app/state/run/work.hpp"
#include "core/files/config.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

Architecture architecture_of(const nlohmann::json& config) {
    const Result<Architecture> arch = read_config(config, "test");
    if (!arch) throw std::runtime_error(sentence(arch.error()));
    return *arch;
}

// Turns all tokens by other angles from the ninth on.
nlohmann::json small_longrope() {
    return {{"model_type", "phi3"},
            {"hidden_size", 32},
            {"num_hidden_layers", 3},
            {"num_attention_heads", 4},
            {"intermediate_size", 44},
            {"vocab_size", 40},
            {"max_position_embeddings", 64},
            {"original_max_position_embeddings", 8},
            {"rope_scaling",
             {{"type", "longrope"}, {"short_factor", {1.0, 1.5, 2.0, 2.0}}, {"long_factor", {1.1, 3.0, 7.0, 8.0}}}}};
}

Architecture small_hybrid() {
    nlohmann::json config = small_longrope();
    config["model_type"] = "llama";
    config.erase("rope_scaling");
    config.erase("original_max_position_embeddings");
    Architecture arch = architecture_of(config);
    arch.layer.recurrence = test::states_in_two_of_three();
    return arch;
}

RunOrder order_of(const Architecture& arch, const std::string& ids) {
    RunBasis basis{.source = RunSource::random, .architecture = arch};
    RunOrder order;
    order.model = std::make_shared<const RunModel>(run_model(std::move(basis)));
    order.ids = ids;
    return order;
}

std::vector<float> numbers_of(const MatrixView& view) {
    std::vector<float> all;
    for (std::int64_t row = 0; row < view.rows; ++row)
        for (std::int64_t column = 0; column < view.columns; ++column) all.push_back(view.at(row, column));
    return all;
}

TEST(RunWorkTest, ATokenThatTurnsAllOthersAnewChangesNothingThatWasHandedOver) {
    const RunOrder order = order_of(architecture_of(small_longrope()), "1 2 3 4 5 6 7 8");
    std::atomic<bool> stop{false};
    RunWork work([] {}, stop);
    ASSERT_TRUE(work.load(order)) << sentence(*work.now().error);
    ASSERT_TRUE(work.read(order)) << sentence(*work.now().error);
    const RunSnapshot eight = work.now();
    const std::vector<float> before = numbers_of(eight.values->hidden(3));
    stop = true;
    EXPECT_FALSE(work.make_token(order));
    EXPECT_FALSE(work.now().error);
    EXPECT_EQ(work.now().tokens.size(), 8U);
    stop = false;
    ASSERT_TRUE(work.make_token(order)) << sentence(*work.now().error);
    const RunSnapshot nine = work.now();
    EXPECT_EQ(nine.tokens.size(), 9U);
    EXPECT_EQ(nine.values->ids().size(), 9U);
    EXPECT_EQ(numbers_of(eight.values->hidden(3)), before);
    const MatrixView anew = nine.values->hidden(3);
    EXPECT_NE(anew.at(7, 0), eight.values->hidden(3).at(7, 0)) << "all nine are turned by the long angles";

    RunOrder whole = order;
    whole.ids.clear();
    for (const RunToken& token : nine.tokens) whole.ids += std::to_string(token.id) + " ";
    ASSERT_TRUE(work.read(whole));
    EXPECT_EQ(work.now().logits, nine.logits);
}

TEST(RunWorkTest, WhatIsTypedIsReadByAnEncoderAndTheDecoderBeginsItsOwnText) {
    const RunOrder order = order_of(architecture_of({{"model_type", "t5"},
                                                     {"d_model", 24},
                                                     {"d_kv", 10},
                                                     {"d_ff", 44},
                                                     {"num_layers", 3},
                                                     {"num_decoder_layers", 2},
                                                     {"num_heads", 4},
                                                     {"vocab_size", 40},
                                                     {"decoder_start_token_id", 7}}),
                                    "1 2 3 4");
    std::atomic<bool> stop{false};
    RunWork work([] {}, stop);
    ASSERT_TRUE(work.load(order)) << sentence(*work.now().error);
    ASSERT_TRUE(work.read(order)) << sentence(*work.now().error);
    ASSERT_TRUE(work.make_token(order)) << sentence(*work.now().error);
    const RunSnapshot& now = work.now();
    EXPECT_EQ(now.source.size(), 4U);
    ASSERT_EQ(now.tokens.size(), 2U);
    EXPECT_EQ(now.tokens.front().id, 7);
    EXPECT_EQ(now.values->hidden(3, true).rows, 4);
    EXPECT_EQ(now.values->hidden(2).rows, 2);
    const MatrixView own = now.values->attention(1, 3), at_source = now.values->attention(1, 3, true);
    EXPECT_EQ(own.columns, 2);
    ASSERT_EQ(at_source.columns, 4);
    float sum = 0;
    for (std::int64_t key = 0; key < 4; ++key) sum += at_source.at(1, key);
    EXPECT_NEAR(sum, 1, 1e-5);
}

// Of all layers and heads, and of all that convolutions keep.
std::vector<float> states_of(const RunValues& values) {
    const std::vector<Tensor>& tensors = values.model().graph.tensors;
    std::vector<float> all;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        for (std::int64_t layer = 0; layer < values.layers() && tensors[i].role == Role::state; ++layer)
            for (std::int64_t head = 0; head < values.heads_of(layer); ++head)
                for (const float number : numbers_of(values.activation(static_cast<TensorIndex>(i), layer, head)))
                    all.push_back(number);
    return all;
}

TEST(RunWorkTest, AStateThatWasHandedOverStaysAsItsLastTokenLeftIt) {
    const RunOrder order = order_of(small_hybrid(), "1 2 3");
    std::atomic<bool> stop{false};
    RunWork work([] {}, stop);
    ASSERT_TRUE(work.load(order)) << sentence(*work.now().error);
    ASSERT_TRUE(work.read(order)) << sentence(*work.now().error);
    const RunSnapshot three = work.now();
    EXPECT_EQ(three.values->heads_of(0), 6);
    EXPECT_EQ(three.values->heads_of(1), 4);
    const std::vector<float> before = states_of(*three.values);
    // Two layers, each with a state of 5 x 7 a head, and with the last three rows of queries, keys and values.
    EXPECT_EQ(before.size(), 2U * (6 * 5 * 7 + 3 * (2 * 5 + 2 * 5 + 6 * 7)));
    ASSERT_TRUE(work.make_token(order)) << sentence(*work.now().error);
    EXPECT_EQ(states_of(*three.values), before);
    EXPECT_NE(states_of(*work.now().values), before);
}

TEST(RunWorkTest, AModelWithoutScoresForANextTokenSaysSo) {
    Architecture arch = architecture_of(small_longrope());
    arch.output = OutputKind::none;
    const RunOrder order = order_of(arch, "1 2 3");
    std::atomic<bool> stop{false};
    RunWork work([] {}, stop);
    ASSERT_TRUE(work.load(order)) << sentence(*work.now().error);
    ASSERT_TRUE(work.read(order)) << sentence(*work.now().error);
    EXPECT_TRUE(work.now().over);
    EXPECT_EQ(work.now().why_over, "The model has no scores for a next token.");
}

TEST(RunWorkTest, WhereNotAllIsKeptAnEncoderStillHasTheScoresOfAllTokens) {
    Architecture arch = architecture_of(small_longrope());
    arch.dim = arch.layer.attention.heads = 256;  // attention of so many heads is far too much to be kept
    arch.layer.attention.kv_heads = 256;
    arch.layer.attention.head_dim = 1;
    arch.layers = 200;
    arch.positions = Positions::none;
    EXPECT_EQ(order_of(arch, "").model->options.keep, Keep::nothing);
    arch.layer.attention.mask = AttentionMask::full;
    arch.output = OutputKind::masked;
    EXPECT_EQ(order_of(arch, "").model->options.keep, Keep::hidden);
}

TEST(RunWorkTest, TheOperationsOfAPassAreThoseOfItsTokensOneByOne) {
    const RunOrder order = order_of(architecture_of(small_longrope()), "1 2 3");
    const RunModel& model = *order.model;
    EXPECT_GT(model.decode_flops, 0);
    EXPECT_EQ(run_flops(model, 1, 0), model.decode_flops);
    EXPECT_GT(run_flops(model, 1, 9), run_flops(model, 1, 8));
    EXPECT_GT(run_flops(model, 9, 0), 9 * run_flops(model, 1, 0));
}

TEST(RunWorkTest, LayersWithoutEndAreRefusedAtOnce) {
    Architecture arch = architecture_of(small_longrope());
    arch.layers = 1'000'000'000'000;
    const RunOrder order = order_of(arch, "1 2 3");
    ASSERT_TRUE(order.model->wrong);
    EXPECT_EQ(order.model->wrong->fix, "take a smaller model, or fewer tokens");
}

}  // namespace
}  // namespace headcount
