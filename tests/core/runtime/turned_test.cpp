// Claims about hands: they are the pairs that a run has turned, and a number of a token that stands elsewhere is what
// the run would have made of it there.
#include "core/runtime/turned.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/runtime/run.hpp"
#include "tests/core/runtime/golden_model.hpp"

namespace headcount {
namespace {

using testing_data::golden_run;
using testing_data::GoldenModel;
using testing_data::index_of;

class Turned : public testing::TestWithParam<std::string> {
  protected:
    Turned() {
        give_texts(run, golden);
        EXPECT_FALSE(run.append(golden.prompt));
        numbers = numbers_of(run);
    }
    CellAt cell(std::string_view id, std::int64_t row, std::int64_t column) const {
        return {index_of(model->graph, id), 0, 0, row, column};
    }

    GoldenModel golden = golden_run(GetParam());
    std::shared_ptr<const Model> model = *random_model(golden.architecture, golden.seed);
    headcount::Run run = testing_data::start(model, static_cast<std::int64_t>(golden.prompt.size()));
    RunNumbers numbers;
};

TEST_P(Turned, AHandKeepsItsLengthAndTurnsByItsStepTimesThePosition) {
    const Result<Explanation> said = explain(numbers, cell("layer.attention.queries_rotated", 3, 1));
    ASSERT_TRUE(said);
    const std::optional<TurnedHands> hands = turned_hands(numbers, *said);
    ASSERT_TRUE(hands);
    EXPECT_EQ(hands->position, 3);
    EXPECT_TRUE(hands->other.empty());
    ASSERT_EQ(hands->own.size(), 1U);
    const Hand& hand = hands->own.front();
    EXPECT_NEAR(std::hypot(hand.before[0], hand.before[1]), std::hypot(hand.after[0], hand.after[1]), 1e-5);
    const double turned = std::atan2(hand.after[1], hand.after[0]) - std::atan2(hand.before[1], hand.before[0]);
    EXPECT_NEAR(std::remainder(turned - 3 * hand.step, 2 * 3.14159265358979), 0, 1e-4);
}

TEST_P(Turned, AScoreHasAllPairsOfItsQueryAndOfItsKey) {
    const Result<Explanation> said = explain(numbers, cell("layer.attention.head.scores", 4, 2));
    ASSERT_TRUE(said);
    const std::optional<TurnedHands> hands = turned_hands(numbers, *said);
    ASSERT_TRUE(hands);
    EXPECT_EQ(hands->cell.row, 4);
    EXPECT_EQ(hands->own.size(), hands->other.size());
    if (std::ssize(hands->own) < std::ssize(said->terms) / 2) return;  // other columns are not turned
    double sum = 0;
    for (std::size_t i = 0; i < hands->own.size(); ++i)
        for (const std::size_t side : {0U, 1U}) sum += hands->own[i].after[side] * hands->other[i].after[side];
    EXPECT_NEAR(sum, said->sum, 1e-5) << "what the hands make with each other is the score";
}

TEST_P(Turned, ATokenThatStandsWhereItDoesChangesNothing) {
    const CellAt score = cell("layer.attention.head.scores", 4, 2);
    const std::optional<TurnedHands> hands = turned_hands(numbers, *explain(numbers, score));
    ASSERT_TRUE(hands);
    const RunNumbers same = standing_at(numbers, hands->cell, 4);
    const MatrixView before = numbers.matrix(hands->cell.tensor, 0, 0), after = same.matrix(hands->cell.tensor, 0, 0);
    for (std::int64_t row = 0; row < before.rows; ++row)
        for (std::int64_t column = 0; column < before.columns; ++column)
            EXPECT_EQ(before.at(row, column), after.at(row, column));
    EXPECT_EQ(explain(same, score)->result, explain(numbers, score)->result);
}

TEST_P(Turned, OnlyTheDistanceOfBothIsLeftInAScore) {
    const CellAt score = cell("layer.attention.head.scores", 4, 2);
    const Explanation said = *explain(numbers, score);
    const CellAt query = turned_hands(numbers, said)->cell, key = *said.terms.front().factors[1].cell;
    const RunNumbers one = standing_at(numbers, query, 104);
    EXPECT_GT(std::abs(explain(one, score)->result - said.result), 1e-4);
    const RunNumbers both = standing_at(one, key, 102);
    EXPECT_NEAR(explain(both, score)->result, said.result, 2e-5);
}

TEST_P(Turned, WhatIsSaidOfATurnedNumberIsOfWhereItStands) {
    const CellAt turned = cell("layer.attention.queries_rotated", 3, 1);
    const CellAt made = turned_hands(numbers, *explain(numbers, turned))->cell;
    const RunNumbers there = standing_at(numbers, made, 1);
    const Result<Explanation> said = explain(there, turned);
    ASSERT_TRUE(said);
    EXPECT_NE(said->what.find("turned by 1 · "), std::string::npos) << said->what;
    EXPECT_NEAR(said->result, said->kept, 1e-5);
    EXPECT_EQ(turned_hands(there, *said)->position, 1);
}

INSTANTIATE_TEST_SUITE_P(Runtime, Turned, testing::Values("llama", "gpt_neox"),
                         [](const auto& instance) { return instance.param == "llama" ? "Halves" : "SomeColumns"; });

TEST(TurnedHands, AreNotThereWherePositionTurnsNothing) {
    const GoldenModel golden = golden_run("gpt2");
    const std::shared_ptr<const Model> model = *random_model(golden.architecture, golden.seed);
    headcount::Run run = testing_data::start(model, static_cast<std::int64_t>(golden.prompt.size()));
    ASSERT_FALSE(run.append(golden.prompt));
    const RunNumbers numbers = numbers_of(run);
    for (const char* id : {"layer.attention.queries", "layer.attention.head.scores"})
        EXPECT_FALSE(turned_hands(numbers, *explain(numbers, {index_of(model->graph, id), 0, 0, 2, 1}))) << id;
}

}  // namespace
}  // namespace headcount
