// Counts against published numbers, and what must hold for every architecture.
#include "core/analysis/parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/core/analysis/by_hand.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using test::besides_by_hand;
using test::counted_by_hand;
using test::idle_by_hand;
using test::output_by_hand;
using testing_data::preset;
using testing_data::with;

Parameters count(const Architecture& arch) {
    Result<Parameters> parameters = count_parameters(expand(arch), bindings(arch, {}));
    EXPECT_TRUE(parameters) << sentence(parameters.error());
    return parameters ? *parameters : Parameters{};
}

TEST(Parameters, EveryPresetHasItsPublishedTotal) {
    json totals = testing_data::published_facts("totals");
    std::vector<Preset> presets = testing_data::all_presets();
    EXPECT_EQ(totals.size(), presets.size()) << "a preset has no published total, or a total no preset";
    for (const json& entry : totals)
        EXPECT_EQ(count(preset(entry["preset"].get<std::string>())).total, entry["total"].get<std::int64_t>())
            << entry["preset"];
}

TEST(Parameters, MixturesHaveTheirPublishedActiveParameters) {
    for (const json& entry : testing_data::published_facts("active")) {
        const Architecture arch = preset(entry["preset"].get<std::string>());
        const Parameters parameters = count(arch);
        EXPECT_EQ(parameters.active, entry["active"].get<std::int64_t>()) << entry["preset"];
        EXPECT_EQ(parameters.active_multiplied,
                  entry[arch.tied ? "active" : "active_without_embedding"].get<std::int64_t>())
            << entry["preset"];
    }
}

TEST(Parameters, EveryGoldenModelHasItsExactTotal) {
    for (const std::string& id : testing_data::files_in("models"))
        EXPECT_EQ(count(testing_data::golden_architecture(id)).total,
                  testing_data::golden_model(id)["total"].get<std::int64_t>())
            << id;
}

std::int64_t published_value(const Architecture& arch, const std::string& what) {
    Parameters parameters = count(arch);
    std::int64_t norms = parameters.of(Component::norm);
    std::int64_t norm = (arch.norm.scale ? arch.dim : 0) + (arch.norm.bias ? arch.dim : 0);
    if (what == "total") return parameters.total;
    if (what == "total_without_norms") return parameters.total - norms;
    if (what == "total_without_final_norm") return parameters.total - norm;
    if (what == "total_without_output_head") return parameters.total - parameters.of(Component::output);
    if (what == "layer") return parameters.per_layer;
    if (what == "layer_norms") return (norms - norm) / arch.layers;
    if (what == "layers_without_norms") return parameters.in_layers - (norms - norm);
    for (const FieldInfo& field : fields())
        if (field.key == what) return *field_number(arch, field.field);
    ADD_FAILURE() << "published.json asks for " << what;
    return -1;
}

TEST(Parameters, AgreeWithStatementsFromArticlesAndWorkedExamples) {
    for (const json& fact : testing_data::published_facts("facts")) {
        Architecture arch = preset(fact["preset"].get<std::string>());
        if (fact.contains("set"))
            for (const auto& [key, value] : fact["set"].items()) arch = with(arch, key, value.dump());
        std::int64_t value = published_value(arch, fact["what"]);
        if (fact.contains("minus")) value -= published_value(preset(fact["minus"].get<std::string>()), fact["what"]);
        EXPECT_EQ(value, fact["value"].get<std::int64_t>()) << fact["claim"];
    }
}

// The tables of which a token takes a row: all but the one that is the output head too.
std::int64_t looked_up_in(const ModelGraph& graph, const Parameters& parameters) {
    constexpr std::array tables{Part::token_embedding, Part::position_embedding, Part::token_type_embedding,
                                Part::layer_embedding};
    std::int64_t sum = 0;
    for (const ParameterRow& row : parameters.tensors) {
        const TensorIndex first = graph.stored[row.stored].parts.front();
        const bool table = std::ranges::find(tables, graph.tensors[first].part) != tables.end();
        if (table && graph.tied_head != first) sum += row.total;
    }
    return sum;
}

void expect_sums_agree(const Architecture& arch) {
    ModelGraph graph = expand(arch);
    Bindings values = bindings(arch, {});
    Parameters parameters = count(arch);
    std::int64_t tensors = 0, in_components = 0, in_layers = 0;
    for (const ParameterRow& row : parameters.tensors) {
        std::int64_t product = 1;
        for (std::int64_t size : row.shape) product *= size;
        EXPECT_EQ(product, row.count) << graph.stored[row.stored].name;
        EXPECT_EQ(row.count * row.copies, row.total);
        EXPECT_EQ(*evaluate(tensor_formula(graph.stored[row.stored]), values), row.count);
        tensors += row.total;
        const StoredTensor& stored = graph.stored[row.stored];
        if (stored.layer || graph.first_sharing(stored)) in_layers += row.total;
    }
    for (Component component : components) {
        in_components += parameters.of(component);
        EXPECT_EQ(*evaluate(component_formula(graph, component), values), parameters.of(component));
    }
    EXPECT_EQ(tensors, parameters.total);
    EXPECT_EQ(in_components, parameters.total);
    EXPECT_EQ(in_layers, parameters.in_layers);
    std::int64_t layers = 0, in_groups = 0;
    for (std::size_t i = 0; i < graph.layers.size(); ++i) {
        layers += graph.layers[i].group.count;
        in_groups += parameters.by_layer[i] * graph.layers[i].group.count;
        EXPECT_EQ(*evaluate(layer_formula(graph, i), values), parameters.by_layer[i]);
    }
    EXPECT_EQ(layers, arch.layers + (arch.encoder ? arch.encoder->layers : 0));
    EXPECT_EQ(in_groups + parameters.shared_by_layers, parameters.in_layers);
    EXPECT_EQ(*evaluate(shared_formula(graph), values), parameters.shared_by_layers);
    EXPECT_EQ(*evaluate(layer_formula(graph), values), parameters.per_layer);
    EXPECT_EQ(*evaluate(total_formula(graph), values), parameters.total);
    EXPECT_EQ(parameters.active_multiplied, parameters.active - looked_up_in(graph, parameters));
    const std::int64_t table = arch.vocab * *values[Symbol::embedding_dim];
    EXPECT_EQ(parameters.total - parameters.active, idle_by_hand(arch));
    if (reads_numbers(arch)) {  // what is scored is each class, or each letter
        if (has_head(arch)) {
            const std::int64_t scored = arch.output == OutputKind::classes ? arch.classes : arch.vocab;
            EXPECT_EQ(parameters.of(Component::output), (arch.dim + 1) * scored);
        }
        return;
    }
    const std::int64_t of_copies = (arch.layer.stream_copies.value_or(1) - 1) * arch.dim * arch.dim;
    EXPECT_EQ(parameters.of(Component::output),
              output_by_hand(arch, table) + besides_by_hand(arch, Component::output) + of_copies);
}

TEST(Parameters, OfTensorsAndOfComponentsSumToTheTotalInEveryPreset) {
    for (const Preset& each : testing_data::all_presets()) {
        SCOPED_TRACE(each.id);
        expect_sums_agree(each.architecture);
    }
}

TEST(Parameters, OfTensorsAndOfComponentsSumToTheTotalInRandomArchitectures) {
    std::mt19937_64 random(11);
    for (int i = 0; i < 500 && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(i);
        expect_sums_agree(testing_data::random_architecture(random));
    }
}

TEST(Parameters, AgreeWithTheDefinitionsInRandomArchitectures) {
    std::mt19937_64 random(5);
    for (int i = 0; i < 1000; ++i) {
        Architecture arch = testing_data::random_architecture(random);
        ASSERT_EQ(count(arch).total, counted_by_hand(arch)) << i << ", " << arch.family->type;
    }
}

TEST(Parameters, GroupedQueriesShrinkOnlyKeysAndValues) {
    Architecture multi = preset("llama-2-7b");
    Architecture grouped = with(multi, "kv_heads", "8");
    Parameters before = count(multi), after = count(grouped);
    ASSERT_EQ(before.tensors.size(), after.tensors.size());
    ModelGraph graph = expand(multi);
    for (std::size_t i = 0; i < before.tensors.size(); ++i) {
        const std::string& name = graph.stored[i].name;
        bool key_or_value = name.find("k_proj") != std::string::npos || name.find("v_proj") != std::string::npos;
        EXPECT_EQ(after.tensors[i].count * (key_or_value ? 4 : 1), before.tensors[i].count) << name;
    }
}

TEST(Parameters, ATiedOutputHeadCountsOnce) {
    Architecture untied = with(preset("llama-3.2-1b"), "tied", "false");
    EXPECT_EQ(count(untied).total - count(preset("llama-3.2-1b")).total, 128256 * 2048);
    EXPECT_EQ(count(preset("llama-3.2-1b")).active_multiplied, 1235814400);
}

// Learned positions and types are added: 1,024 × 768 of GPT-2, 512 × 768 and 2 × 768 of BERT, whose table is its head,
// too.
TEST(Parameters, RowsThatAreAddedMultiplyNothing) {
    EXPECT_EQ(count(preset("gpt2")).active_multiplied, 124439808 - 1024 * 768);
    const Parameters bert = count(preset("bert-base-uncased"));
    EXPECT_EQ(bert.total - bert.active_multiplied, (512 + 2) * 768);
    const Parameters vit = count(preset("vit-base-patch16-224"));
    EXPECT_EQ(vit.total - vit.active_multiplied, 197 * 768);
}

TEST(Parameters, WhatLayersShareIsInThemOnce) {
    const Parameters albert = count(preset("albert-base-v2"));
    EXPECT_EQ(albert.shared_by_layers, 7087872);
    EXPECT_EQ(albert.in_layers, 7087872);
    EXPECT_EQ(albert.per_layer, 0) << "no layer has any of its own";
    const Architecture arch = preset("albert-base-v2");
    EXPECT_EQ(*evaluate(shared_formula(expand(arch)), bindings(arch, {})), 7087872);
    EXPECT_EQ(count(preset("bert-base-uncased")).shared_by_layers, 0);
}

TEST(Parameters, ContextCountsOnlyWherePositionsAreLearned) {
    Architecture gpt2 = preset("gpt2");
    EXPECT_EQ(count(with(gpt2, "context", "2048")).total - count(gpt2).total, 1024 * 768);
    Architecture llama = preset("llama-2-7b");
    EXPECT_EQ(count(with(llama, "context", "100000")).total, count(llama).total);
}

TEST(Parameters, AnyTotalThatFitsSixtyFourBitsIsCounted) {
    // The narrowest model with as many layers as bring its total just below 2^63.
    Architecture arch = preset("llama-2-7b");
    for (const auto& [key, text] : {std::pair("dim", "1"),
                                    {"heads", "1"},
                                    {"head_dim", "1"},
                                    {"positions", "none"},
                                    {"vocab", "1"},
                                    {"gated", "false"},
                                    {"ffn_dim", "1"},
                                    {"norm_scale", "false"}})
        arch = with(arch, key, text);
    std::int64_t each = count(arch).per_layer, outside = count(arch).total - count(arch).in_layers;
    std::int64_t most = (std::numeric_limits<std::int64_t>::max() - outside) / each;
    arch.layers = most;
    EXPECT_EQ(count(arch).total, most * each + outside);
    arch.layers = most + 1;
    Result<Parameters> too_many = count_parameters(expand(arch), bindings(arch, {}));
    ASSERT_FALSE(too_many);
    EXPECT_NE(too_many.error().what.find("does not fit in 64 bits"), std::string::npos);
}

TEST(Parameters, WhatDoesNotFitIsNamed) {
    Architecture arch = with(preset("llama-2-7b"), "layers", "9000000000000000000");
    Result<Parameters> parameters = count_parameters(expand(arch), bindings(arch, {}));
    ASSERT_FALSE(parameters);
    EXPECT_EQ(parameters.error().what, "L·h·d_h·d = 9000000000000000000·32·128·4096 does not fit in 64 bits");
    EXPECT_TRUE(parameters.error().where.starts_with("model.layers.{i}.self_attn.q_proj.weight"));
}

TEST(Parameters, FormulasReadAsPeopleWriteThem) {
    ModelGraph graph = expand(preset("llama-2-7b"));
    EXPECT_EQ(in_symbols(component_formula(graph, Component::embedding)), "d·V");
    EXPECT_EQ(in_symbols(component_formula(graph, Component::feed_forward)), "L·3·d·d_ff");
    EXPECT_EQ(in_symbols(component_formula(graph, Component::norm)), "d + L·2·d");
    ModelGraph tied = expand(preset("llama-3.2-1b"));
    EXPECT_EQ(in_symbols(component_formula(tied, Component::output)), "0");
}

TEST(Parameters, OneHeadHasItsShareOfEveryProjection) {
    Architecture arch = preset("llama-2-7b");
    ModelGraph graph = expand(arch);
    std::int64_t sum = 0;
    for (const Tensor& tensor : graph.tensors)
        if (std::optional<Expr> share = head_share(tensor)) sum += *evaluate(*share, bindings(arch, {}));
    EXPECT_EQ(sum, 4 * 524'288);
}

}  // namespace
}  // namespace headcount
