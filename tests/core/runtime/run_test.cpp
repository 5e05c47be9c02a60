// A run's manners: what it keeps has the graph's shapes, the cache changes nothing, and bad input changes nothing
// either.
#include "core/runtime/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/counted_model.hpp"
#include "core/runtime/dump.hpp"
#include "tests/core/runtime/golden_model.hpp"
#include "tests/core/runtime/weight_file.hpp"

namespace headcount {
namespace {

using namespace testing_data;

std::shared_ptr<const Model> small_model() { return *random_model(architecture_of(small_llama()), 1); }

const std::vector<std::int32_t> prompt{1, 2, 3, 4, 5, 6, 7};

class KeptShapes : public testing::TestWithParam<std::string> {};

// Of every family's small model: what came in pieces has the shapes of one pass.
TEST_P(KeptShapes, AreTheGraphs) {
    const GoldenModel golden = golden_run(GetParam());
    headcount::Run run = begin(golden);
    append(run, std::span(golden.prompt).first(5));
    for (std::size_t i = 5; i < 9; ++i) append(run, std::span(golden.prompt).subspan(i, 1));
    const ModelGraph& graph = run.model().graph;
    const Result<std::vector<ActivationRow>> rows =
        activations(graph, bindings(golden.architecture, Input{.tokens = 9, .source = std::ssize(golden.source)}), {});
    ASSERT_TRUE(rows);
    for (const ActivationRow& row : *rows) {
        const std::optional<std::size_t> group = graph.layer_of(graph.tensors[row.tensor].block);
        const std::int64_t layer = group ? graph.layers[*group].group.first : 0;
        for (std::int64_t copy = 0; copy < row.in_layer; ++copy) {
            const MatrixView view = run.activation(row.tensor, layer, copy);
            ASSERT_TRUE(view) << graph.tensors[row.tensor].id << " of copy " << copy;
            EXPECT_EQ(view.rows, row.rows) << graph.tensors[row.tensor].id;
            EXPECT_EQ(view.columns, row.columns) << graph.tensors[row.tensor].id;
        }
        EXPECT_FALSE(run.activation(row.tensor, layer, row.in_layer));
    }
}

INSTANTIATE_TEST_SUITE_P(Run, KeptShapes, testing::ValuesIn(golden_runs_of_text()), [](const auto& instance) {
    std::string name = instance.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(RunOfTokens, WeightsOfEveryRowSumToOneAndSeeNoFuture) {
    headcount::Run run = start(small_model());
    append(run, prompt);
    append(run, prompt);
    for (std::int64_t head = 0; head < 4; ++head) {
        const MatrixView view = activation_of(run, "layer.attention.head.weights", 1, head);
        for (std::int64_t row = 0; row < view.rows; ++row) {
            double sum = 0;
            for (std::int64_t column = 0; column < view.columns; ++column) {
                sum += view.at(row, column);
                if (column <= row) continue;
                EXPECT_EQ(view.at(row, column), 0);
            }
            EXPECT_NEAR(sum, 1, 1e-5);
        }
    }
}

TEST(RunOfTokens, ALongPromptInSeveralPassesIsTheSame) {
    nlohmann::json config = small_llama();
    config["max_position_embeddings"] = 1400;
    const auto model = *random_model(architecture_of(config), 1);
    std::vector<std::int32_t> many(1300);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int32_t>(i * 7 % 50);
    headcount::Run whole = *headcount::Run::start(model, {.threads = 2}), parts = *headcount::Run::start(model, {});
    append(whole, many);
    append(parts, std::span(many).first(1299));
    append(parts, std::span(many).last(1));
    EXPECT_THAT(std::vector(whole.logits().begin(), whole.logits().end()),
                testing::Pointwise(testing::FloatNear(1e-3f), parts.logits()));
}

TEST(RunOfTokens, GoingBackForgetsWhatCameAfter) {
    headcount::Run run = start(small_model()), fresh = start(small_model());
    append(run, prompt);
    run.keep_first(3);
    EXPECT_EQ(run.tokens(), 3);
    EXPECT_TRUE(run.logits().empty());
    const std::vector<std::int32_t> other{9, 9}, all{1, 2, 3, 9, 9};
    append(run, other);
    append(fresh, all);
    for (std::int64_t layer = 0; layer <= 2; ++layer)
        for (std::int64_t row = 0; row < 5; ++row)
            for (std::int64_t column = 0; column < 32; ++column)
                EXPECT_NEAR(run.hidden(layer).at(row, column), fresh.hidden(layer).at(row, column), 1e-5);
}

// Every score is that of its two tokens, or 0 where nobody looks: nothing is left of tokens that are gone, wherever the
// blocks of rows began that came before.
TEST(RunOfTokens, NoScoreIsOfTokensThatAreGone) {
    nlohmann::json windowed = small_llama();
    windowed["model_type"] = "mistral";
    windowed["sliding_window"] = 9;
    std::vector<std::int32_t> first(40), second(40);
    for (std::size_t i = 0; i < first.size(); ++i) {
        first[i] = static_cast<std::int32_t>(i * 7 % 50);
        second[i] = static_cast<std::int32_t>((i * 11 + 3) % 50);
    }
    for (const nlohmann::json& config : {small_llama(), windowed}) {
        headcount::Run run = start(*random_model(architecture_of(config), 1));
        append(run, first);
        run.keep_first(17);
        append(run, std::span(second).first(2));
        append(run, std::span(second).subspan(2, 20));
        const MatrixView queries = activation_of(run, "layer.attention.queries_rotated", 1);
        const MatrixView keys = activation_of(run, "layer.attention.keys_rotated", 1);
        ASSERT_TRUE(queries && keys);
        for (std::int64_t head = 0; head < 4; ++head) {
            const MatrixView scores = activation_of(run, "layer.attention.head.scores", 1, head);
            ASSERT_EQ(scores.columns, 39);
            for (std::int64_t row = 0; row < 39; ++row)
                for (std::int64_t column = 0; column < 39; ++column) {
                    float sum = 0;
                    for (std::int64_t i = 0; i < 8; ++i)
                        sum += queries.at(row, head * 8 + i) * keys.at(column, head / 2 * 8 + i) / std::sqrt(8.0f);
                    if (column > row && scores.at(row, column) == 0) continue;
                    if (config == windowed && column <= row - 9 && scores.at(row, column) == 0) continue;
                    EXPECT_NEAR(scores.at(row, column), sum, 1e-4) << "row " << row << ", column " << column;
                }
        }
    }
}

// Half a page and whole ones: rows that lie so far apart would push each other out of the processor's cache.
TEST(RunOfTokens, WideRowsLieNoWholePagesApartAndAreTheSame) {
    nlohmann::json config = small_llama();
    config["hidden_size"] = 512;
    config["intermediate_size"] = 1024;
    const auto model = *random_model(architecture_of(config), 1);
    headcount::Run whole = start(model), parts = start(model);
    append(whole, prompt);
    append(parts, std::span(prompt).first(3));
    append(parts, std::span(prompt).subspan(3));
    const MatrixView stream = whole.hidden(2), other = parts.hidden(2);
    EXPECT_NE(stream.row_step % 512, 0);
    for (std::int64_t row = 0; row < 7; ++row)
        for (std::int64_t column = 0; column < 512; ++column)
            EXPECT_NEAR(stream.at(row, column), other.at(row, column), 1e-4);
}

TEST(RunOfTokens, BadInputIsASentenceAndNothingIsLost) {
    headcount::Run run = *headcount::Run::start(small_model(), {.capacity = 8});
    append(run, prompt);
    const std::vector<float> before(run.logits().begin(), run.logits().end());
    const std::vector<std::int32_t> unknown{1, 50}, negative{-1}, two{1, 2};
    EXPECT_EQ(sentence(*run.append(unknown)),
              "token 50 is not in the vocabulary of 50: token 2 of the prompt: give ids from 0 to 49");
    EXPECT_TRUE(run.append(negative));
    EXPECT_THAT(sentence(*run.append(two)), testing::StartsWith("9 tokens are more than the 8 that there is room for"));
    EXPECT_EQ(run.tokens(), 7);
    EXPECT_EQ(std::vector(run.logits().begin(), run.logits().end()), before);
    std::atomic<bool> stop{true};
    EXPECT_EQ(run.append(std::span(two).first(1), {.progress = {}, .stop = &stop}), stopped_error());
    EXPECT_EQ(run.tokens(), 7);
    EXPECT_FALSE(run.append(std::span(two).first(1)));
    EXPECT_EQ(run.tokens(), 8);
    EXPECT_FALSE(headcount::Run::start(small_model(), {.threads = 0}));
}

TEST(RunOfTokens, ASourceIsReadOnceAndAnotherForgetsWhatWasMade) {
    const GoldenModel golden = golden_run("t5");
    headcount::Run run = start(model_of(golden), 12);
    EXPECT_EQ(sentence(*run.append(std::span(golden.prompt).first(1))),
              "the encoder has nothing to read: source: give it at least one token");
    const std::vector<std::int32_t> unknown{1, 40};
    EXPECT_THAT(sentence(*run.set_source(unknown)), testing::StartsWith("token 40 is not in the vocabulary of 40"));
    EXPECT_TRUE(start(small_model()).set_source(golden.source)) << "a decoder alone reads no source";

    ASSERT_FALSE(run.set_source(golden.source));
    append(run, std::span(golden.prompt).first(6));
    const std::vector<float> with_one(run.logits().begin(), run.logits().end());
    const std::vector<std::int32_t> other{3, 2, 1};
    ASSERT_FALSE(run.set_source(other));
    EXPECT_EQ(run.tokens(), 0);
    EXPECT_EQ(run.encoder_output().rows, 0) << "of a text that is not read yet";
    append(run, std::span(golden.prompt).first(6));
    EXPECT_NE(std::vector(run.logits().begin(), run.logits().end()), with_one);
    EXPECT_EQ(run.encoder_output().rows, 3);
    ASSERT_FALSE(run.set_source(golden.source));
    append(run, std::span(golden.prompt).first(6));
    EXPECT_EQ(std::vector(run.logits().begin(), run.logits().end()), with_one);
}

TEST(RunOfTokens, WhatIsNotKeptIsNotThere) {
    headcount::Run run = *headcount::Run::start(small_model(), {.keep = Keep::attention});
    append(run, prompt);
    EXPECT_TRUE(activation_of(run, "layer.attention.head.weights", 0));
    EXPECT_TRUE(activation_of(run, "logits", 0));
    EXPECT_TRUE(activation_of(run, "layer.attention.key_cache", 1));
    EXPECT_FALSE(activation_of(run, "layer.attention.queries", 0));
    EXPECT_FALSE(activation_of(run, "layer.attention.head.weights", 2));
    EXPECT_TRUE(run.hidden(2));
    EXPECT_FALSE(run.hidden(3));
}

// Beyond the first 8 tokens this model turns all of them by other angles.
TEST(RunOfTokens, LongerTextsOfLongropeAreReadAnewByAnotherRun) {
    const GoldenModel golden = golden_run("phi3-longrope");
    const auto model = model_of(golden);
    const std::span<const std::int32_t> prompt_ids(golden.prompt);
    headcount::Run run = start(model), stopped = start(model);
    EXPECT_FALSE(run.turns_anew(20)) << "there is nothing to turn anew";
    append(run, prompt_ids.first(7));
    EXPECT_FALSE(run.turns_anew(1));
    EXPECT_TRUE(run.turns_anew(2));
    append(run, prompt_ids.subspan(7, 1));
    EXPECT_TRUE(run.turns_anew(1));
    // One that cannot read them all takes nothing from the one that is there.
    const std::vector<float> before(run.logits().begin(), run.logits().end());
    std::atomic<bool> stop{true};
    EXPECT_EQ(stopped.append(prompt_ids.first(9), {.progress = {}, .stop = &stop}), stopped_error());
    EXPECT_EQ(run.tokens(), 8);
    EXPECT_EQ(std::vector(run.logits().begin(), run.logits().end()), before);
    append(stopped, prompt_ids);
    EXPECT_FALSE(stopped.turns_anew(1));
    stopped.keep_first(4);
    EXPECT_TRUE(stopped.turns_anew(1)) << "which are short again";
}

TEST(Dump, HoldsEveryActivationUnderTheGraphsNames) {
    const Scratch scratch;
    headcount::Run run = start(small_model());
    append(run, prompt);
    const std::string path = (scratch.folder() / "dump.safetensors").string();
    ASSERT_FALSE(write_activations(run, path));
    const Result<Checkpoint> file = read_checkpoint(path);
    ASSERT_TRUE(file) << sentence(file.error());
    const auto shape_of = [&](const std::string& name) {
        for (const CheckpointTensor& each : file->tensors)
            if (each.name == name) return each.shape;
        return std::vector<std::int64_t>{};
    };
    EXPECT_THAT(shape_of("hidden.0"), testing::ElementsAre(7, 32));
    EXPECT_THAT(shape_of("hidden.2"), testing::ElementsAre(7, 32));
    EXPECT_THAT(shape_of("logits"), testing::ElementsAre(7, 50));
    EXPECT_THAT(shape_of("layer.1.attention.queries_rotated"), testing::ElementsAre(7, 32));
    EXPECT_THAT(shape_of("layer.0.attention.head.weights"), testing::ElementsAre(4, 7, 7));
    EXPECT_THAT(floats_of(*file, "hidden.2").back(), run.hidden(2).at(6, 31));
    EXPECT_TRUE(write_activations(run, scratch.folder() / "no" / "folder"));
}

}  // namespace
}  // namespace headcount
