// Claims about what is said of a recurrence's numbers, and of the few rows that an encoder adds and takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/runtime/explain.hpp"
#include "tests/core/runtime/golden_model.hpp"
#include "tests/core/runtime/recurrent_models.hpp"

namespace headcount {
namespace {

using namespace testing_data;

const std::vector<std::int32_t> words{3, 14, 15, 9, 26, 5, 35, 8, 9, 7, 9, 3};

Explanation explained(const headcount::Run& run, const std::string& id, std::int64_t row, std::int64_t column) {
    const ModelGraph& graph = run.model().graph;
    const auto tensor = static_cast<TensorIndex>(graph.find(id) - graph.tensors.data());
    const std::int64_t copy = graph.is(graph.tensors[tensor].block, BlockKind::head) ? 1 : 0;
    const Result<Explanation> made = explain(numbers_of(run), {tensor, 0, copy, row, column});
    EXPECT_TRUE(made) << sentence(made.error());
    return *made;
}

// As the graph writes a tensor: "K_i".
std::string symbol_of(const headcount::Run& run, const std::string& id) {
    return std::string(run.model().graph.find(id)->symbol);
}

TEST(StateExplained, SaysWhatIsLeftAndWhatIsWritten) {
    headcount::Run run = start(*random_model(small_delta(), 7));
    append(run, std::span(words).first(6));
    const std::string head = "layer.linear_attention.head.";
    const auto cell = [&](std::string_view name, const std::string& at) {
        return symbol_of(run, head + std::string(name)) + at;
    };
    const Explanation state = explained(run, head + "state", 2, 3);
    EXPECT_EQ(state.what,
              "what token 5 leaves of the state before it, and what it writes in the place of what its key had");
    EXPECT_THAT(state.formula, testing::StartsWith(cell("decay", "[5, 0] · ") + cell("state", "_4[2, 3] + ") +
                                                   cell("keys", "[5, 2] · ") + cell("write", "[5, 0] · (") +
                                                   cell("values", "[5, 3] − ")));
    EXPECT_EQ(state.terms.size(), 2u);
    EXPECT_NEAR(state.result, state.kept, 1e-5);
    const Explanation read = explained(run, head + "output", 5, 3);
    EXPECT_EQ(read.formula, cell("queries", "[5, k] · ") + cell("state", "_5[k, 3]"));
    EXPECT_EQ(read.terms.size(), 5u);
    EXPECT_TRUE(read.terms.front().factors[1].cell) << "the state after the last token is there";
    EXPECT_NEAR(read.result, read.kept, 1e-5);
    const Explanation earlier = explained(run, head + "output", 2, 3);
    EXPECT_FALSE(earlier.terms.front().factors[1].cell) << "that after an earlier one is not";
    EXPECT_NEAR(earlier.result, earlier.kept, 1e-5);
}

TEST(StateExplained, ReadsEachHeadsOwnSkip) {
    headcount::Run run = start(*random_model(small_mamba(), 7));
    append(run, words);
    const Explanation read = explained(run, "layer.state_space.head.output", 4, 2);
    ASSERT_EQ(read.after.size(), 1u);
    ASSERT_EQ(read.after.front().operands.size(), 2u);
    EXPECT_EQ(read.after.front().operands.front().cell->column, 1) << "of head 1";
    EXPECT_NEAR(read.result, read.kept, 1e-5);
}

TEST(ConvolutionExplained, AddsUpTheTokensThatThereAre) {
    headcount::Run run = start(*random_model(small_mamba(), 7));
    append(run, words);
    const std::string mixer = "layer.state_space.";
    const Explanation whole = explained(run, mixer + "keys_convolved", 6, 3);
    EXPECT_EQ(whole.formula, symbol_of(run, mixer + "keys") + "[3 + j, 3] · w[j, 3]");
    EXPECT_EQ(whole.terms.size(), 4u);
    EXPECT_NEAR(whole.result, whole.kept, 1e-5);
    EXPECT_EQ(explained(run, mixer + "keys_convolved", 1, 3).terms.size(), 2u);
    EXPECT_EQ(explained(run, mixer + "keys_tail", 0, 3).of.row, 9) << "the row of the projection that it is";
    headcount::Run shorter = start(*random_model(small_mamba(), 7));
    append(shorter, std::span(words).first(1));
    EXPECT_EQ(explained(shorter, mixer + "keys_tail", 0, 3).what, "a row before the first token: all are 0");
}

TEST(FadingExplained, SaysWhatIsLeftOfTheRowBefore) {
    headcount::Run run = start(*random_model(recurrent_models().at("gated_linear"), 7));
    append(run, words);
    const std::string mixer = "layer.linear_recurrence.";
    const auto cell = [&](std::string_view name, const std::string& at) {
        return symbol_of(run, mixer + std::string(name)) + at;
    };
    const Explanation state = explained(run, mixer + "states", 4, 2);
    EXPECT_EQ(state.formula, cell("decays", "[4, 2] · ") + cell("states", "[3, 2] + √(1 − ") +
                                 cell("decays", "[4, 2]²) · ") + cell("written", "[4, 2]"));
    EXPECT_EQ(state.terms.size(), 2u);
    EXPECT_NEAR(state.result, state.kept, 1e-5);
    EXPECT_EQ(explained(run, mixer + "states", 0, 2).what, "of the first token what is added alone");
    const Explanation gate = explained(run, mixer + "raw_steps", 4, 9);  // of the second block of 7
    EXPECT_EQ(gate.terms.size(), 7u);
    EXPECT_EQ(gate.terms.front().factors.front().cell->column, 7);
    EXPECT_NEAR(gate.result, gate.kept, 1e-5);
}

TEST(StateExplained, SaysWhatIsMultipliedForTheTokenItself) {
    headcount::Run run = start(*random_model(recurrent_models().at("dynamic_decay"), 7));
    append(run, words);
    const ModelGraph& graph = run.model().graph;
    const auto own = std::ranges::find(graph.nodes, Op::bonus, &Node::op);
    ASSERT_NE(own, graph.nodes.end());
    const auto symbol = [&](TensorIndex tensor) { return std::string(graph.tensors[tensor].symbol); };
    const Explanation made = explained(run, graph.tensors[own->output].id, 4, 2);
    EXPECT_EQ(made.formula, symbol(own->inputs[0]) + "[4, k] · " + symbol(own->inputs[1]) + "[4, k] · " +
                                symbol(own->parameters[0]) + "[i, k]");
    EXPECT_THAT(made.what, testing::StartsWith("the mean of " + made.formula + " over the "));
    EXPECT_NEAR(made.result, made.kept, 1e-5);
}

// A sum or a product of several numbers first, then what becomes of it.
TEST(TimeExplained, ReadsEveryNumberBeforeItsFunction) {
    headcount::Run run = start(*random_model(small_mamba(), 7));
    append(run, words);
    const Explanation steps = explained(run, "layer.state_space.steps", 4, 2);
    EXPECT_EQ(steps.terms.size(), 2u);
    EXPECT_EQ(steps.after.front().text, "softplus of that");
    EXPECT_NEAR(steps.result, steps.kept, 1e-5);
    const Explanation decay = explained(run, "layer.state_space.decays", 4, 2);
    ASSERT_EQ(decay.terms.size(), 1u);
    EXPECT_EQ(decay.terms.front().factors.size(), 2u);
    EXPECT_NEAR(decay.result, decay.kept, 1e-5);
}

// A matrix of 4 rows for each tensor, in which no two numbers are the same.
struct NumbersByHand {
    explicit NumbersByHand(const Architecture& arch) : model(*random_model(arch, 7)) {
        cells.resize(4 * 32 * model->graph.tensors.size());
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<float>(i) / 64;
        numbers = {model.get(), ids, [this](TensorIndex tensor, std::int64_t, std::int64_t) {
                       return MatrixView{&cells[std::size_t{128} * tensor], 4, 32, 32};
                   }};
    }
    TensorIndex tensor(std::string_view id) const {
        return static_cast<TensorIndex>(model->graph.find(id) - model->graph.tensors.data());
    }

    std::shared_ptr<const Model> model;
    std::vector<std::int32_t> ids{7, 8, 9, 10}, types{0, 0, 1, 1};
    std::vector<float> cells;
    RunNumbers numbers;
};

TEST(TypesExplained, EachTokensOwnOrTheFirst) {
    Architecture arch = architecture_of(small_llama());
    arch.token_types = 2;
    NumbersByHand by_hand(arch);
    const CellAt cell{by_hand.tensor("typed"), 0, 0, 2, 5};
    const auto row_of = [&] {
        const Result<Explanation> made = explain(by_hand.numbers, cell);
        EXPECT_TRUE(made) << sentence(made.error());
        EXPECT_EQ(made->terms.size(), 2u);
        return made->terms.back().factors.front().cell->row;
    };
    EXPECT_EQ(row_of(), 0) << "none were given";
    by_hand.numbers.types = by_hand.types;
    EXPECT_EQ(row_of(), 1);
}

TEST(PoolerExplained, ReadsTheFirstTokensRow) {
    Architecture arch = architecture_of(small_llama());
    arch.output = OutputKind::pooler;
    const NumbersByHand by_hand(arch);
    const Result<Explanation> made = explain(by_hand.numbers, {by_hand.tensor("first"), 0, 0, 0, 5});
    ASSERT_TRUE(made) << sentence(made.error());
    EXPECT_EQ(made->of, (CellAt{by_hand.tensor("final_norm"), 0, 0, 0, 5}));
}

}  // namespace
}  // namespace headcount
