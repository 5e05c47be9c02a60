// The size of every activation: worksheets, caches, batches, precisions, and what must hold for all of them.
#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/parameters.hpp"
#include "tests/core/analysis/by_hand.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::preset;
using testing_data::with;

struct Sized {
    ModelGraph graph;
    Bindings values;
    std::vector<ActivationRow> rows, head;

    const ActivationRow& row(std::string_view id) const {
        for (const std::vector<ActivationRow>* list : {&rows, &head})
            for (const ActivationRow& row : *list)
                if (graph.tensors[row.tensor].id == id) return row;
        throw std::runtime_error("no activation " + std::string(id));
    }
};

Sized sized(const Architecture& arch, const Input& input) {
    Sized all{expand(arch, input), bindings(arch, input), {}, {}};
    all.rows = *activations(all.graph, all.values, input);
    all.head = *head_activations(all.graph, all.values, input);
    return all;
}

TEST(Activations, OneHeadHasTheRowsOfTheWorksheet) {
    const std::vector<std::string> order{"input",  "queries", "keys",        "values",
                                         "scores", "weights", "head_output", "projected_output"};
    for (const json& fact : testing_data::published_facts("shapes")) {
        Sized all = sized(preset(fact["preset"].get<std::string>()), {.tokens = fact["tokens"].get<std::int64_t>()});
        ASSERT_EQ(all.head.size(), order.size());
        std::size_t at = std::find(order.begin(), order.end(), fact["what"].get<std::string>()) - order.begin();
        ASSERT_LT(at, order.size()) << fact["what"];
        EXPECT_EQ(json::array({all.head[at].rows, all.head[at].columns}), fact["value"]) << fact["claim"];
    }
}

TEST(Activations, CachedTokensLengthenKeysValuesAndScores) {
    Sized all = sized(preset("llama-2-7b"), {.tokens = 1, .cached = 999});
    EXPECT_EQ(all.row("layer.attention.queries").rows, 1);
    EXPECT_EQ(all.row("layer.attention.key_cache").rows, 1000);
    EXPECT_EQ(all.row("layer.attention.value_cache").rows, 1000);
    EXPECT_EQ(all.row("layer.attention.head.scores").rows, 1);
    EXPECT_EQ(all.row("layer.attention.head.scores").columns, 1000);
    EXPECT_EQ(all.row("layer.attention.head.output").rows, 1);
    EXPECT_EQ(all.row("logits").rows, 1);
}

TEST(Activations, TheCacheOfLlama2With4096TokensTakesTwoGibibytes) {
    Sized all = sized(preset("llama-2-7b"), {.tokens = 4096});
    const ActivationRow& keys = all.row("layer.attention.key_cache");
    const ActivationRow& values = all.row("layer.attention.value_cache");
    EXPECT_EQ(keys.bytes * keys.copies + values.bytes * values.copies, std::int64_t{2} << 30);
}

TEST(Activations, GroupedQueriesShrinkTheCacheAndNotTheScores) {
    Sized multi = sized(preset("llama-2-7b"), {}), grouped = sized(with(preset("llama-2-7b"), "kv_heads", "8"), {});
    EXPECT_EQ(multi.row("layer.attention.key_cache").columns, 4 * grouped.row("layer.attention.key_cache").columns);
    EXPECT_EQ(multi.row("layer.attention.head.scores"), grouped.row("layer.attention.head.scores"));
}

TEST(Activations, CopiesCountHeadsLayersAndTheBatch) {
    Sized all = sized(preset("llama-2-7b"), {.tokens = 10, .batch = 3});
    EXPECT_EQ(all.row("layer.attention.head.scores").copies, 32 * 32 * 3);
    EXPECT_EQ(all.row("layer.attention.head.scores").in_layer, 32 * 3);
    EXPECT_EQ(all.row("layer.attention.queries").copies, 32 * 3);
    EXPECT_EQ(all.row("layer.attention.queries").in_layer, 3);
    EXPECT_EQ(all.row("logits").copies, 3);
    EXPECT_EQ(all.row("logits").rows, 10);
}

TEST(Activations, HeadsThatShareKeysHaveThemOnce) {
    const Result<CountedModel> model = count_model(preset("llama-3-8b"), {.tokens = 100});
    std::int64_t keys = 0, queries = 0;
    for (const ActivationRow& row : *head_activations(model->graph, model->bindings, model->input)) {
        const std::string_view id = model->graph.tensors[row.tensor].id;
        if (id.ends_with(".head.keys")) keys = row.copies;
        if (id.ends_with(".head.queries")) queries = row.copies;
    }
    EXPECT_EQ(keys, 8 * 32);
    EXPECT_EQ(queries, 32 * 32);
}

TEST(Activations, BytesFollowThePrecision) {
    for (auto [precision, bytes] : {std::pair(Precision::fp32, 1200),
                                    {Precision::bf16, 600},
                                    {Precision::fp16, 600},
                                    {Precision::int8, 300},
                                    {Precision::int4, 180}})
        EXPECT_EQ(bytes_of(300, precision), bytes);
    EXPECT_EQ(bytes_of(3, Precision::int4), 18) << "a group of 32 and its scale";
    EXPECT_EQ(bytes_of(std::numeric_limits<std::int64_t>::max(), Precision::bf16), std::nullopt);
    EXPECT_TRUE(bytes_of(std::numeric_limits<std::int64_t>::max(), Precision::int8));
}

TEST(Activations, WhatDoesNotFitIsNamed) {
    Architecture arch = preset("llama-2-7b");
    Input input{.tokens = 9'000'000'000'000'000'000};
    Result<std::vector<ActivationRow>> rows = activations(expand(arch), bindings(arch, input), input);
    ASSERT_FALSE(rows);
    EXPECT_NE(rows.error().what.find("9000000000000000000·4096 does not fit in 64 bits"), std::string::npos);
    input = {.tokens = 1'000'000'000, .batch = 1'000'000'000};
    EXPECT_FALSE(activations(expand(arch), bindings(arch, input), input));
}

void expect_rows_are_sound(const Architecture& arch, const Input& input) {
    Sized all = sized(arch, input);
    ASSERT_FALSE(all.rows.empty());
    if (arch.output != OutputKind::none) {
        EXPECT_EQ(all.graph.tensors[all.rows.back().tensor].id, has_head(arch)                            ? "logits"
                                                                : test::narrowed_inside_by_hand(arch) > 0 ? "narrowed"
                                                                                                          : "pooled");
    }
    std::size_t of_heads = 0;  // of a state the head's decay and what it writes besides
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    const bool of_states = recurrence && recurrence->kind != RecurrenceKind::short_convolution &&
                           recurrence->kind != RecurrenceKind::gated_linear &&
                           recurrence->kind != RecurrenceKind::weighted_mean;
    const std::size_t of_state = !of_states                                          ? 0
                                 : recurrence->kind == RecurrenceKind::lightning     ? 7
                                 : recurrence->kind == RecurrenceKind::dynamic_decay ? 8
                                 : recurrence->kind == RecurrenceKind::general_delta ? 10
                                                                                     : 9;
    const Node* const scores = all.graph.first(Op::scores);
    // Of those of distances, too; of a gate of these its share of a row and what is made of it on the way.
    const std::size_t of_head = 8 + (scores ? scores->inputs.size() - 2 : 0) + (arch.family->gated_distances ? 4 : 0);
    for (const LayerBlock& layer : all.graph.layers)
        of_heads += (layer.group.kind.attention ? of_head : 0) + (layer.group.kind.recurrent ? of_state : 0) +
                    (layer.group.kind.shared ? 8 : 0);
    // Of a layer that looks at a source two heads, of an encoder one in the pass that reads it.
    if (arch.encoder)
        for (const LayerBlock& layer : all.graph.layers) {
            if (!layer.group.kind.encoder) of_heads += 8;
            if (layer.group.kind.encoder && input.cached > 0) of_heads -= 8;
        }
    EXPECT_EQ(all.head.size(), of_heads);
    for (const std::vector<ActivationRow>* list : {&all.rows, &all.head})
        for (const ActivationRow& row : *list) {
            SCOPED_TRACE(all.graph.tensors[row.tensor].id);
            EXPECT_EQ(row.rows * row.columns, row.elements);
            EXPECT_EQ(bytes_of(row.elements, row.kept), row.bytes);
            EXPECT_EQ(row.copies % row.in_layer, 0);
            if (!is_of_distances(all.graph.tensors[row.tensor].part)) {  // which all texts have in common
                EXPECT_EQ(row.copies % input.batch, 0);
            }
            EXPECT_GE(row.rows, 1);
            EXPECT_GE(row.columns, 1);
        }
    for (const ActivationRow& row : all.rows) EXPECT_FALSE(all.graph.tensors[row.tensor].view);
}

TEST(Activations, RowsTimesColumnsAreElementsInEveryPreset) {
    for (const Preset& each : testing_data::all_presets())
        for (std::int64_t cached : {0, 3}) {
            SCOPED_TRACE(each.id);
            if (cached > 0 && sees_all(each.architecture)) continue;
            expect_rows_are_sound(each.architecture, {.tokens = 9, .batch = 2, .cached = cached});
        }
}

TEST(Activations, RowsTimesColumnsAreElementsInRandomArchitectures) {
    std::mt19937_64 random(23);
    for (int i = 0; i < 300 && !testing::Test::HasFailure(); ++i) {
        Architecture arch = testing_data::random_architecture(random);
        expect_rows_are_sound(arch,
                              {.tokens = 1 + i % 7, .batch = 1 + i % 3, .cached = i % 2, .precision = Precision::int4});
    }
}

TEST(Work, LeavesOutOfACausalHeadsScoresWhatIsInTheFuture) {
    for (auto [cached, visible] : {std::pair{0, 5'050}, std::pair{28, 5'050 + 28 * 100}}) {
        const Sized all = sized(preset("llama-2-7b"), {.tokens = 100, .cached = cached});
        for (const Node& node : all.graph.nodes)
            if (node.op == Op::scores) {
                EXPECT_EQ(*evaluate(unmasked_twice(all.graph, node.output), all.values), 2 * visible);
            }
    }
}

TEST(Activations, AddToTheCacheWhatIsPublishedForEachToken) {
    auto kibibytes = [](std::string_view id) {
        Sized all = sized(preset(id), {});
        return *evaluate(cache_per_token(all.graph, Precision::bf16), all.values) / 1024;
    };
    EXPECT_EQ(kibibytes("llama-2-7b"), 512);
    EXPECT_EQ(kibibytes("llama-3-8b"), 128);
}

TEST(Activations, AddNothingToTheCacheOfAnEncodersTextWithEachToken) {
    const Sized all = sized(preset("t5-small"), {});  // 6 layers of keys and values, each 8 · 64 numbers
    EXPECT_EQ(*evaluate(cache_per_token(all.graph, Precision::bf16), all.values), 2 * 6 * 2 * 8 * 64);
}

TEST(Activations, LatentAttentionKeepsABottleneckAndOneKey) {
    const Sized all = sized(preset("deepseek-v3"), {});  // 61 layers of 512 and 64 numbers
    EXPECT_EQ(*evaluate(cache_per_token(all.graph, Precision::bf16), all.values), 70272);
    EXPECT_EQ(all.row("layer.attention.latent_cache").columns, 512);
    EXPECT_EQ(all.row("layer.attention.key_cache").columns, 64);
}

TEST(Work, OfAMatrixIsTwoOperationsAMultiplyAdd) {
    Sized all = sized(preset("llama-2-7b"), {.tokens = 100});
    for (const Node& node : all.graph.nodes) {
        std::optional<Expr> formula = work_formula(all.graph, node);
        if (all.graph.tensors[node.output].id == "layer.feed_forward.up") {
            EXPECT_EQ(*evaluate(*formula, all.values), 2LL * 100 * 4096 * 11008);
        }
        if (node.op == Op::scores) {
            EXPECT_EQ(in_symbols(*formula), "T·(T + 1)·d_h");
            EXPECT_EQ(in_symbols(*work_formula(all.graph, node, Pairs::full)), "2·T·T·d_h");
        }
        if (node.op == Op::norm || node.op == Op::embed) {
            EXPECT_FALSE(formula);
        }
    }
}

TEST(Work, OfAllParametersIsTwiceTheMultipliedOnesForEachToken) {
    for (const char* id : {"llama-2-7b", "llama-2-70b", "llama-3.2-1b", "mistral-7b"}) {
        Architecture arch = preset(id);
        Sized all = sized(arch, {.tokens = 10, .batch = 2});
        Parameters parameters = *count_parameters(all.graph, all.values);
        double work = 0;
        for (std::size_t i = 0; i < all.graph.tensors.size(); ++i)
            if (all.graph.tensors[i].role == Role::parameter)
                work += work_of_parameter(all.graph, static_cast<TensorIndex>(i), all.values);
        auto multiplied = static_cast<double>(parameters.active_multiplied - parameters.of(Component::norm));
        EXPECT_DOUBLE_EQ(work, 2 * 10 * 2 * multiplied) << id;
    }
}

TEST(Activations, OfOneHeadAreThereForEveryKindOfLayers) {
    for (const auto& [id, kinds] : {std::pair("llama-2-7b", 1), {"gemma-2-2b", 2}, {"deepseek-v3", 2}}) {
        const Architecture arch = testing_data::preset(id);
        const ModelGraph graph = expand(arch);
        const std::vector<ActivationRow> rows = *head_activations(graph, bindings(arch, {}), Input{});
        EXPECT_EQ(rows.size(), static_cast<std::size_t>(8 * kinds)) << id;
        std::int64_t scores = 0;
        for (const ActivationRow& row : rows)
            if (graph.tensors[row.tensor].id.ends_with(".head.scores")) scores += row.copies;
        EXPECT_EQ(scores, arch.layers * arch.layer.attention.heads) << id;
    }
}

TEST(Activations, SayHowAModelScalesItsScores) {
    auto meaning = [](const Architecture& arch) {
        return std::string(expand(arch).find("layer.attention.head.scores")->meaning);
    };
    EXPECT_EQ(expand(testing_data::preset("llama-2-7b")).own_score_factor(), std::nullopt);
    EXPECT_NE(meaning(testing_data::preset("llama-2-7b")).find("divided by the root of {d_h}"), std::string::npos);
    const Architecture gemma = testing_data::preset("gemma-2-27b");  // query_pre_attn_scalar 144, head size 128
    ASSERT_TRUE(expand(gemma).own_score_factor());
    EXPECT_NEAR(*expand(gemma).own_score_factor(), 1.0 / 12, 1e-12);
    EXPECT_EQ(meaning(gemma).find("root"), std::string::npos);
    EXPECT_EQ(expand(testing_data::preset("gemma-2-2b")).own_score_factor(), std::nullopt) << "256 is its head size";
    const std::optional<double> sharpened = expand(testing_data::preset("deepseek-v3")).own_score_factor();
    ASSERT_TRUE(sharpened);
    EXPECT_NEAR(*sharpened, 1.8739 / std::sqrt(192), 1e-5) << "its context was stretched 40 times";
}

}  // namespace
}  // namespace headcount
