// Claims about recurrences: a state is what a plain loop over the tokens makes, however they came in pieces, and going
// back is as if what came after had never been.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/runtime/dump.hpp"
#include "core/runtime/lens.hpp"
#include "tests/core/runtime/golden_model.hpp"
#include "tests/core/runtime/recurrent_models.hpp"

namespace headcount {
namespace {

using namespace testing_data;

const std::vector<std::int32_t> text{3, 14, 15, 9, 26, 5, 35, 8, 9, 7, 9, 3};

MatrixView kept_at(const headcount::Run& run, std::string_view id, std::int64_t layer = 0, std::int64_t copy = 0) {
    const ModelGraph& graph = run.model().graph;
    const Tensor* tensor = graph.find(id);
    EXPECT_TRUE(tensor) << id;
    return tensor ? run.activation(static_cast<TensorIndex>(tensor - graph.tensors.data()), layer, copy) : MatrixView{};
}

void expect_same(const MatrixView& a, const MatrixView& b, std::string_view what) {
    ASSERT_TRUE(a && b) << what;
    ASSERT_EQ(a.rows, b.rows) << what;
    ASSERT_EQ(a.columns, b.columns) << what;
    for (std::int64_t row = 0; row < a.rows; ++row)
        for (std::int64_t column = 0; column < a.columns; ++column)
            ASSERT_NEAR(a.at(row, column), b.at(row, column), 3e-4) << what << " at " << row << ", " << column;
}

// Everything that is kept of both, states included.
void expect_same(const headcount::Run& a, const headcount::Run& b) {
    const ModelGraph& graph = a.model().graph;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Node* made = graph.producer(static_cast<TensorIndex>(i));
        if (made && made->op == Op::scores) continue;  // no pass needs those of later tokens
        const std::optional<std::size_t> group = graph.layer_of(graph.tensors[i].block);
        const std::int64_t layer = group ? graph.layers[*group].group.first : 0;
        for (std::int64_t copy = 0;; ++copy) {
            const auto tensor = static_cast<TensorIndex>(i);
            const MatrixView one = a.activation(tensor, layer, copy), other = b.activation(tensor, layer, copy);
            EXPECT_EQ(static_cast<bool>(one), static_cast<bool>(other)) << graph.tensors[i].id;
            if (!one || !other) break;
            expect_same(one, other, graph.tensors[i].id);
        }
    }
    EXPECT_THAT(std::vector(a.logits().begin(), a.logits().end()),
                testing::Pointwise(testing::FloatNear(3e-4f), b.logits()));
}

std::string mixer_of(const Architecture& arch) {
    return arch.layer.recurrence->kind == RecurrenceKind::mamba2 ? "layer.state_space." : "layer.linear_attention.";
}

class AnyRecurrent : public testing::TestWithParam<std::string> {
  protected:
    Architecture arch = recurrent_models().at(GetParam());
    std::shared_ptr<const Model> model = *random_model(arch, 7);
};

// Those whose heads have a state each.
class Recurrent : public AnyRecurrent {
  protected:
    std::string mixer = mixer_of(arch);
};

TEST_P(AnyRecurrent, TokensOneByOneAreOnePrompt) {
    headcount::Run whole = start(model), parts = start(model), pair = start(model);
    append(whole, text);
    for (const std::int32_t& id : text) append(parts, std::span(&id, 1));
    for (std::size_t i = 0; i < text.size(); i += 2) append(pair, std::span(text).subspan(i, 2));
    expect_same(whole, parts);
    expect_same(whole, pair);
}

// And with several threads, of which each has some heads.
TEST_P(AnyRecurrent, ALongPromptInSeveralPassesIsTheSame) {
    Architecture longer = arch;
    longer.context = 2000;
    const auto own = *random_model(longer, 1);
    std::vector<std::int32_t> many(1300);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int32_t>(i * 7 % 50);
    headcount::Run whole = *headcount::Run::start(own, {.threads = 3}), parts = *headcount::Run::start(own, {});
    append(whole, many);
    append(parts, std::span(many).first(1299));
    append(parts, std::span(many).last(1));
    EXPECT_THAT(std::vector(whole.logits().begin(), whole.logits().end()),
                testing::Pointwise(testing::FloatNear(1e-3f), parts.logits()));
}

TEST_P(AnyRecurrent, GoingBackIsAsIfTheRestHadNeverBeen) {
    headcount::Run back = start(model), fresh = start(model);
    append(back, text);
    back.keep_first(5);
    for (std::size_t i = 0; i < model->graph.tensors.size(); ++i) {
        if (model->graph.tensors[i].role != Role::state) continue;
        EXPECT_FALSE(back.activation(static_cast<TensorIndex>(i))) << "it is that of tokens which are gone";
    }
    const std::vector<std::int32_t> other{1, 2, 30};
    std::vector<std::int32_t> all(text.begin(), text.begin() + 5);
    all.insert(all.end(), other.begin(), other.end());
    append(back, other);
    append(fresh, all);
    EXPECT_EQ(std::vector(back.ids().begin(), back.ids().end()), all);
    expect_same(back, fresh);
    back.keep_first(0);
    append(back, all);
    expect_same(back, fresh);
}

TEST_P(AnyRecurrent, WhatWasStoppedHasNotBeen) {
    headcount::Run stopped = start(model), fresh = start(model);
    append(stopped, std::span(text).first(6));
    std::atomic<bool> stop = false;  // behind the first layer
    const Watch watch{.progress = [&](double share) { stop = share > 0; }, .stop = &stop};
    EXPECT_TRUE(stopped.append(std::span(text).subspan(6, 2), watch));
    EXPECT_EQ(stopped.tokens(), 6);
    stop = false;  // and while its states are made anew
    EXPECT_TRUE(stopped.append(std::span(text).subspan(6, 2), watch));
    EXPECT_EQ(std::vector(stopped.ids().begin(), stopped.ids().end()), std::vector(text.begin(), text.begin() + 6));
    append(stopped, std::span(text).subspan(6, 3));
    append(fresh, std::span(text).first(9));
    expect_same(stopped, fresh);
}

TEST_P(Recurrent, StatesAreWhatALoopOverTheTokensMakes) {
    headcount::Run run = start(model);
    append(run, text);
    const RecurrenceKind kind = arch.layer.recurrence->kind;
    const bool replaces = kind == RecurrenceKind::gated_delta || kind == RecurrenceKind::kimi_delta;
    const bool fixed = kind == RecurrenceKind::lightning;
    const auto rows = static_cast<std::size_t>(arch.layer.recurrence->state_dim);
    for (std::int64_t head = 0; head < arch.layer.recurrence->heads; ++head) {
        const auto cells = [&](std::string_view name) {
            return kept_at(run, mixer + "head." + std::string(name), 0, head);
        };
        const MatrixView queries = cells("queries"), keys = cells("keys"), values = cells("values");
        const MatrixView decay = fixed ? MatrixView{} : cells("decay"), write = fixed ? MatrixView{} : cells("write");
        const MatrixView state = cells("state"), output = cells("output");
        const auto left = [&](std::int64_t t, std::size_t i) -> double {
            if (fixed) return FixedFading{arch.layer.recurrence->heads, arch.layers}.left(head, 0);
            return decay.at(t, decay.columns > 1 ? static_cast<std::int64_t>(i) : 0);
        };
        const MatrixView skip = replaces || fixed
                                    ? MatrixView{}
                                    : model->weights.view(static_cast<TensorIndex>(
                                          model->graph.find(mixer + "skip.weight") - model->graph.tensors.data()));
        ASSERT_EQ(state.rows, arch.layer.recurrence->state_dim);
        ASSERT_EQ(state.columns, arch.layer.recurrence->head_dim);
        for (std::int64_t column = 0; column < state.columns; ++column) {
            std::vector<double> own(rows);
            for (std::int64_t t = 0; t < run.tokens(); ++t) {
                double found = 0, read = 0;
                for (std::size_t i = 0; i < rows; ++i) {
                    own[i] *= left(t, i);
                    found += own[i] * keys.at(t, static_cast<std::int64_t>(i));
                }
                const double value = values.at(t, column),
                             written = (fixed ? 1 : write.at(t, 0)) * (replaces ? value - found : value);
                for (std::size_t i = 0; i < rows; ++i) {
                    own[i] += written * keys.at(t, static_cast<std::int64_t>(i));
                    read += own[i] * queries.at(t, static_cast<std::int64_t>(i));
                }
                const double made = replaces ? read / std::sqrt(rows) : fixed ? read : read + skip.at(0, head) * value;
                EXPECT_NEAR(output.at(t, column), made, 1e-4);
            }
            for (std::size_t i = 0; i < rows; ++i)
                EXPECT_NEAR(state.at(static_cast<std::int64_t>(i), column), own[i], 1e-4);
        }
    }
}

TEST_P(Recurrent, TheTailIsTheLastRowsAndNothingBeforeTheFirst) {
    if (arch.layer.recurrence->kind == RecurrenceKind::lightning) GTEST_SKIP() << "nothing is convolved";
    headcount::Run run = start(model);
    append(run, std::span(text).first(2));
    const auto tail = [&] { return kept_at(run, mixer + "keys_tail"); };
    const auto keys = [&] { return kept_at(run, mixer + "keys"); };
    ASSERT_EQ(tail().rows, 3);
    for (std::int64_t column = 0; column < tail().columns; ++column) {
        EXPECT_EQ(tail().at(0, column), 0);
        EXPECT_EQ(tail().at(1, column), keys().at(0, column));
        EXPECT_EQ(tail().at(2, column), keys().at(1, column));
    }
    append(run, std::span(text).subspan(2, 2));
    for (std::int64_t row = 0; row < 3; ++row) EXPECT_EQ(tail().at(row, 1), keys().at(row + 1, 1));
}

TEST_P(Recurrent, TheLensReadsWhatTheLastLayerLeaves) {
    headcount::Run run = start(model);
    append(run, text);
    const Result<std::vector<float>> read = logits_of(*model, run.hidden(arch.layers), run.tokens() - 1);
    ASSERT_TRUE(read) << sentence(read.error());
    EXPECT_THAT(*read, testing::Pointwise(testing::FloatNear(1e-4f), run.logits()));
}

TEST_P(Recurrent, StatesAreWrittenToAFileAsTheLastTokenLeavesThem) {
    headcount::Run run = start(model);
    append(run, text);
    const Scratch scratch;
    const std::string path = (scratch.folder() / "all.safetensors").string();
    ASSERT_FALSE(write_activations(run, path));
    const Result<Checkpoint> file = read_checkpoint(path);
    ASSERT_TRUE(file) << sentence(file.error());
    std::string first = mixer;
    first.insert(first.find('.') + 1, "0.");
    const auto shape_of = [&](const std::string& name) {
        for (const CheckpointTensor& tensor : file->tensors)
            if (tensor.name == name) return tensor.shape;
        return std::vector<std::int64_t>{};
    };
    const Recurrence& recurrence = *arch.layer.recurrence;
    EXPECT_EQ(shape_of(first + "head.state"),
              (std::vector{recurrence.heads, recurrence.state_dim, recurrence.head_dim}));
    if (arch.layer.recurrence->kind == RecurrenceKind::lightning) return;
    EXPECT_EQ(shape_of(first + "values_tail"), (std::vector{std::int64_t{3}, recurrence.heads * recurrence.head_dim}));
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& [name, arch] : recurrent_models()) all.push_back(name);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Models, AnyRecurrent, testing::ValuesIn(names()), [](const auto& name) { return name.param; });
INSTANTIATE_TEST_SUITE_P(Models, Recurrent,
                         testing::Values("mamba", "mamba_of_one_group", "delta", "delta_wide", "kimi", "lightning"),
                         [](const auto& name) { return name.param; });

TEST(ColumnsThatFade, AreWhatALoopOverTheTokensMakes) {
    headcount::Run run = start(*random_model(recurrent_models().at("gated_linear"), 7));
    append(run, text);
    const std::string mixer = "layer.linear_recurrence.";
    const MatrixView decays = kept_at(run, mixer + "decays"), added = kept_at(run, mixer + "written"),
                     states = kept_at(run, mixer + "states"), last = kept_at(run, mixer + "state");
    ASSERT_EQ(states.columns, 4 * 7);
    for (std::int64_t column = 0; column < states.columns; ++column) {
        double made = added.at(0, column);
        EXPECT_EQ(states.at(0, column), added.at(0, column)) << "the first has nothing before it";
        for (std::int64_t t = 1; t < run.tokens(); ++t) {
            const double left = decays.at(t, column);
            made = left * made + std::sqrt(1 - left * left) * added.at(t, column);
            EXPECT_NEAR(states.at(t, column), made, 1e-5);
        }
        EXPECT_EQ(last.at(0, column), states.at(run.tokens() - 1, column));
    }
}

TEST(MemoryOfStates, DoesNotGrowWithTokens) {
    const Architecture arch = small_mamba();
    const std::int64_t few = memory_need(arch, {.capacity = 8})->caches,
                       many = memory_need(arch, {.capacity = 800})->caches;
    EXPECT_EQ(few, many);
    // Of each of 2 layers 4 heads' 5 rows of 7, and the last 3 tokens' 4 · 7 values and twice 2 · 5 queries and keys;
    // rows are whole lines of 16 numbers.
    EXPECT_EQ(few, 2 * (4 * 5 * 16 + 3 * (32 + 16 + 16)) * 4);
}

}  // namespace
}  // namespace headcount
