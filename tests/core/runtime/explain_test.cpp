// Claims about explanations: of every op in every family the formula gives the number that the run has, and every
// operand can be followed back, down to a weight or a token's embedding.
#include "core/runtime/explain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/core/runtime/golden_model.hpp"

namespace headcount {
namespace {

using testing_data::golden_run;
using testing_data::GoldenModel;
using testing_data::index_of;

struct Ran {
    std::shared_ptr<const Model> model;
    Run run;
};

// A random model of the family, all of whose numbers are kept.
Ran run_of(const GoldenModel& golden) {
    std::shared_ptr<const Model> model = *random_model(golden.architecture, golden.seed);
    Run run = testing_data::start(model, static_cast<std::int64_t>(golden.prompt.size()));
    give_texts(run, golden);
    EXPECT_FALSE(run.append(golden.prompt));
    return {std::move(model), std::move(run)};
}

float largest_of(const MatrixView& matrix) {
    float largest = 0;
    for (std::int64_t row = 0; row < matrix.rows; ++row)
        for (std::int64_t column = 0; column < matrix.columns; ++column)
            if (std::isfinite(matrix.at(row, column))) largest = std::max(largest, std::abs(matrix.at(row, column)));
    return largest;
}

std::int64_t copies_of(const ModelGraph& graph, const Tensor& tensor, const Bindings& values) {
    return *evaluate(graph.runs_in_layer(tensor.block), values);
}

// Some cells of every activation of the model: at its corners and within.
std::vector<CellAt> cells_of(const Ran& ran) {
    std::vector<CellAt> cells;
    const ModelGraph& graph = ran.model->graph;
    const Bindings values = bindings(ran.model->architecture, Input{});
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        if (tensor.role != Role::activation && tensor.role != Role::cache) continue;
        const auto index = static_cast<TensorIndex>(i);
        const std::optional<std::size_t> group = graph.layer_of(tensor.block);
        const std::int64_t layers = group ? stack_layers(ran.model->architecture, graph.layers[*group].group.kind) : 1;
        const std::int64_t copies = copies_of(graph, tensor, values);
        for (std::int64_t layer = 0; layer < layers; ++layer)
            for (const std::int64_t copy : std::set<std::int64_t>{0, copies - 1}) {
                const MatrixView view = ran.run.activation(index, layer, copy);
                if (!view) continue;
                const std::int64_t rows = view.rows - 1, columns = view.columns - 1;
                for (const auto& [row, column] : {std::pair(std::int64_t{0}, std::int64_t{0}),
                                                  {rows, columns},
                                                  {rows / 2, columns / 3},
                                                  {rows * 3 / 4, columns / 2}})
                    cells.push_back({index, layer, copy, row, column});
            }
    }
    return cells;
}

std::string said(const Model& model, const CellAt& cell) {
    return model.graph.tensors[cell.tensor].id + " of layer " + std::to_string(cell.layer) + ", copy " +
           std::to_string(cell.copy) + ": " + cell_name(model.graph, cell);
}

class Explained : public testing::TestWithParam<const char*> {};

TEST_P(Explained, EveryKindOfCellIsTheSumOfItsTerms) {
    const Ran ran = run_of(golden_run(GetParam()));
    const RunNumbers numbers = numbers_of(ran.run);
    std::size_t explained = 0;
    for (const CellAt& cell : cells_of(ran)) {
        const MatrixView matrix = numbers.matrix(cell.tensor, cell.layer, cell.copy);
        const float kept = matrix.at(cell.row, cell.column);
        const Result<Explanation> made = explain(numbers, cell);
        ASSERT_TRUE(made) << said(*ran.model, cell) << ": " << sentence(made.error());
        const bool score = ran.model->graph.producer(cell.tensor)->op == Op::scores;
        if (score && made->what.starts_with("masked")) continue;  // a pass may have it, and nobody reads it
        EXPECT_NEAR(made->result, static_cast<double>(kept),
                    1e-5 * static_cast<double>(std::max(largest_of(matrix), 1.0F)))
            << said(*ran.model, cell) << ": " << made->formula;
        double sum = 0;
        for (const Term& term : made->terms) {
            sum += term.value;
            double product = 1;
            for (const Operand& factor : term.factors) {
                product *= factor.value;
                if (!factor.cell) continue;
                const std::optional<float> there = numbers.value(*factor.cell);
                ASSERT_TRUE(there) << said(*ran.model, cell) << " reads " << factor.name;
                if (factor.name == cell_name(ran.model->graph, *factor.cell)) {
                    EXPECT_EQ(static_cast<double>(*there), factor.value) << factor.name;
                }
            }
            if (made->products) {
                EXPECT_DOUBLE_EQ(product, term.value);
            }
        }
        EXPECT_NEAR(sum, made->sum, 1e-9 * std::max(1.0, std::abs(sum)));
        ++explained;
    }
    EXPECT_GT(explained, 100U);
}

INSTANTIATE_TEST_SUITE_P(OfFamilies, Explained,
                         testing::Values("llama", "gpt2", "gemma2", "gemma3_text", "bloom", "falcon-alibi", "mpt",
                                         "deepseek_v2", "deepseek_v3", "gpt_oss", "qwen2_moe", "granitemoe", "mixtral",
                                         "llama4_text", "cohere", "olmo2", "phi", "gptj", "glm", "opt", "qwen3", "t5",
                                         "t5-gated", "gemma3n_text", "gemma4_text", "gemma4_text-mixture"),
                         [](const auto& family) {
                             std::string name = family.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

TEST(Explain, ANormSaysWhatItsNumberIsAndAStreamWhichLayersItIs) {
    const Ran ran = run_of(golden_run("llama"));
    const ModelGraph& graph = ran.model->graph;
    const auto at = [&](std::string_view id) { return CellAt{index_of(graph, id), 1, 0, 3, 5}; };
    EXPECT_EQ(symbol_text(ran.model->graph, at("layer.feed_forward.stream")), "X^(2)");
    const Result<Explanation> norm = explain(numbers_of(ran.run), at("layer.attention.norm"));
    ASSERT_TRUE(norm) << sentence(norm.error());
    EXPECT_TRUE(norm->what.starts_with("X^(1)[3, 5] over the root mean square of ")) << norm->what;
}

TEST(Explain, FollowsANumberDownToAWeightOrATokensEmbedding) {
    const GoldenModel golden = golden_run("llama");
    const Ran ran = run_of(golden);
    const RunNumbers numbers = numbers_of(ran.run);
    const ModelGraph& graph = ran.model->graph;
    CellAt cell{index_of(graph, "logits"), 0, 0, 3, 5};
    int steps = 0;
    for (; steps < 1000; ++steps) {
        const Result<Explanation> made = explain(numbers, cell);
        ASSERT_TRUE(made) << sentence(made.error());
        if (made->terms.empty()) break;
        const std::optional<CellAt>& next = made->terms[made->largest.front()].factors.front().cell;
        ASSERT_TRUE(next) << said(*ran.model, made->cell);
        cell = *next;
    }
    EXPECT_GT(steps, 10);
    EXPECT_EQ(graph.tensors[cell.tensor].id, "embedding.weight");
}

TEST(Explain, SaysOfWhatATermIsTheProduct) {
    const Ran ran = run_of(golden_run("llama"));
    const ModelGraph& graph = ran.model->graph;
    const CellAt cell{index_of(graph, "layer.attention.queries"), 1, 0, 2, 3};
    const Result<Explanation> made = explain(numbers_of(ran.run), cell);
    ASSERT_TRUE(made);
    EXPECT_EQ(cell_name(graph, cell), "Q[2, 3]");
    EXPECT_EQ(made->formula, "X_n[2, k] · W_q[k, 3]");
    EXPECT_EQ(std::ssize(made->terms), ran.model->architecture.dim);
}

TEST(Explain, SaysWhyAMaskedWeightIsNothing) {
    const Ran ran = run_of(golden_run("llama"));
    const ModelGraph& graph = ran.model->graph;
    const CellAt cell{index_of(graph, "layer.attention.head.weights"), 0, 0, 1, 3};
    const Result<Explanation> made = explain(numbers_of(ran.run), cell);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->kept, 0);
    EXPECT_EQ(made->what, "masked: token 1 does not see token 3, which comes later");
}

TEST(Explain, SaysWhatARunHasNotKept) {
    const GoldenModel golden = golden_run("llama");
    const std::shared_ptr<const Model> model = *random_model(golden.architecture, 1);
    headcount::Run run = *headcount::Run::start(model, {.capacity = 8, .keep = Keep::hidden});
    ASSERT_FALSE(run.append(std::vector<std::int32_t>{1, 2, 3}));
    const ModelGraph& graph = model->graph;
    const CellAt cell{index_of(graph, "logits"), 0, 0, 1, 3};
    const Result<Explanation> made = explain(numbers_of(run), cell);
    ASSERT_FALSE(made);
    EXPECT_NE(sentence(made.error()).find("has not kept"), std::string::npos) << sentence(made.error());
}

}  // namespace
}  // namespace headcount
