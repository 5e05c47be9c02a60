// What makes two models differ in size: a published pair, and sums that are exact for every pair.
#include "core/analysis/difference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "core/analysis/parameters.hpp"
#include "core/files/config.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/counted.hpp"

namespace headcount {
namespace {

using testing_data::CountedArchitecture;
using testing_data::preset;
using testing_data::with;

Difference between(const Architecture& a, const Architecture& b) {
    const CountedArchitecture first(a), second(b);
    const Result<Difference> found = difference(first, second);
    if (!found) throw std::runtime_error(sentence(found.error()));
    return *found;
}

const TensorDifference* find(const Difference& found, std::string_view name) {
    for (const TensorDifference& row : found.tensors)
        if (row.name == name) return &row;
    return nullptr;
}

TEST(Difference, FromLlama2ToLlama3IsAsPublished) {
    const Difference found = between(preset("llama-2-7b"), preset("llama-3-8b"));
    EXPECT_EQ(found.total, 1'291'845'632);
    EXPECT_EQ(found.of(Component::embedding), 394'264'576);
    EXPECT_EQ(found.of(Component::output), 394'264'576);
    EXPECT_EQ(found.of(Component::attention), -805'306'368);
    EXPECT_EQ(found.of(Component::feed_forward), 1'308'622'848);
    EXPECT_EQ(found.of(Component::norm), 0);
}

TEST(Difference, EachFieldOfLlama3HasItsOwnPartAndNoneIsInteraction) {
    const Difference found = between(preset("llama-2-7b"), preset("llama-3-8b"));
    std::vector<std::pair<Field, std::int64_t>> own;
    for (const FieldDifference& row : found.fields) own.emplace_back(row.field, row.own.value_or(-1));
    EXPECT_EQ(own, (std::vector<std::pair<Field, std::int64_t>>{{Field::kv_heads, -805'306'368},
                                                                {Field::ffn_dim, 1'308'622'848},
                                                                {Field::vocab, 788'529'152},
                                                                {Field::context, 0}}));
    EXPECT_EQ(found.fields.front().a, "32");
    EXPECT_EQ(found.fields.front().b, "8");
    EXPECT_EQ(found.interaction, 0);
}

TEST(Difference, SaysAChoiceAsTheFormDoesAndGivesItAsFilesDo) {
    const Architecture own = preset("llama-2-7b");
    const Difference found = between(own, with(with(own, "norm_placement", "after_sum"), "tied", "true"));
    ASSERT_EQ(found.fields.size(), 2U);
    for (const FieldDifference& row : found.fields) {
        const bool tied = row.field == Field::tied;
        EXPECT_EQ(row.a, tied ? "no" : "Before");
        EXPECT_EQ(row.b, tied ? "yes" : "After sum");
        EXPECT_EQ(row.a_given, tied ? "false" : "before");
        EXPECT_EQ(row.b_given, tied ? "true" : "after_sum");
    }
}

TEST(Difference, KeepsTowerAndConnectorApart) {
    const nlohmann::json config =
        testing_data::read_json_file(testing_data::golden_folder() / "whole" / "llava.json")["config"];
    const Result<Architecture> whole = read_config(config, "config.json");
    ASSERT_TRUE(whole) << sentence(whole.error());
    Architecture text = *whole;
    text.whole.reset();
    const CountedArchitecture a(text), b(*whole);
    const Difference found = between(text, *whole);
    std::vector<ChangeFormula> formulas;
    for (const Component component : {Component::tower, Component::connector}) {
        const auto kind = std::find_if(found.kinds.begin(), found.kinds.end(), [&](const KindDifference& each) {
            return each.label == component_name(component);
        });
        ASSERT_NE(kind, found.kinds.end()) << component_name(component);
        EXPECT_EQ(kind->difference(), b.parameters.of(component));
        formulas.push_back(kind_change(a, b, *kind));
    }
    EXPECT_NE(formulas.front().numbers, formulas.back().numbers);
}

TEST(Difference, WidthAndLayersTogetherMakeMoreThanEachAlone) {
    const Architecture base = preset("llama-2-7b");
    const Difference found = between(base, with(with(base, "dim", "8192"), "layers", "64"));
    ASSERT_EQ(found.fields.size(), 2u);
    EXPECT_GT(found.interaction, 0);
    EXPECT_EQ(*found.fields[0].own + *found.fields[1].own + found.interaction, found.total);
}

TEST(Difference, AWidthGoesTogetherWithTheHeadsWithoutWhichItIsImpossible) {
    const Difference found = between(preset("gpt2"), preset("llama-2-7b"));
    const FieldDifference& width = found.fields.front();
    ASSERT_EQ(width.field, Field::dim);
    EXPECT_EQ(width.with, std::vector{Field::heads}) << "12 heads do not divide 4096";
    const CountedArchitecture wide(with(with(preset("gpt2"), "heads", "32"), "dim", "4096"));
    EXPECT_EQ(width.own, wide.parameters.total - 124'439'808);
    EXPECT_EQ(width.adds, width.own) << "nothing has changed before it";
    const FieldDifference& heads = found.fields[2];
    ASSERT_EQ(heads.field, Field::heads);
    EXPECT_EQ(heads.counted_at, Field::dim);
    EXPECT_FALSE(heads.own || heads.adds || heads.interaction());
}

TEST(Difference, EachFieldAddsWhatItDoesUponThoseBeforeIt) {
    const Difference found = between(preset("gpt2"), preset("llama-2-7b"));
    const FieldDifference& layers = found.fields[1];
    ASSERT_EQ(layers.field, Field::layers);
    const Architecture wide = with(with(preset("gpt2"), "heads", "32"), "dim", "4096");
    EXPECT_EQ(layers.own, CountedArchitecture(with(preset("gpt2"), "layers", "32")).parameters.total - 124'439'808);
    EXPECT_EQ(layers.adds, CountedArchitecture(with(wide, "layers", "32")).parameters.total -
                               CountedArchitecture(wide).parameters.total);
    EXPECT_EQ(layers.interaction(), *layers.adds - *layers.own);
    EXPECT_GT(*layers.interaction(), 0);
}

// Whether its models count something that no field says, or leave out what one says: fixed positions, a bias that
// nothing trains, what a family has besides, also where a field takes its encoder away; what layers share; tables of
// distances, and gates of these; an encoder's feed-forward without a gate; tower and connector; CLIP's norm of the
// first row; a bias for balance that counts as a parameter (ERNIE).
bool counts_otherwise(const Architecture& arch) {
    if (arch.family->shared || (arch.family->distances && arch.family->distances(arch))) return true;
    if (arch.family->gated_distances || arch.family->ungated_encoder) return true;
    Architecture alone = arch;
    alone.encoder.reset();
    for (const Architecture& each : {arch, alone})
        if (each.whole || (each.family->besides && !each.family->besides(each).empty())) return true;
    if (arch.output == OutputKind::masked && !arch.tied) return true;  // BERT stores a bias twice there
    return std::ranges::any_of(arch.family->modules, [](const Module& module) {
        const auto is_of = [&](Part part) {
            return std::find(module.parts.begin(), module.parts.end(), part) != module.parts.end();
        };
        return module.kind == ModuleKind::frozen || module.kind == ModuleKind::buffer_row || is_of(Part::first_norm) ||
               (is_of(Part::router_correction) && module.kind != ModuleKind::buffer);
    });
}

// Whether all of it that a model has is stored alone.
bool nothing_reads(const CountedModel& model, const KindDifference& kind) {
    return std::ranges::all_of(model.graph.tensors,
                               [&](const Tensor& tensor) { return tensor.idle || !kind.holds(tensor); });
}

TEST(Difference, WhatTheFieldsAddAndWhatFamiliesHaveBesidesIsAllOfTheDifferenceForEveryPairOfPresets) {
    const std::vector<Preset> presets = testing_data::all_presets();
    for (std::size_t i = 0; i < presets.size(); ++i)
        for (const std::size_t other : {(i * 7 + 3) % presets.size(), (i * 11 + 5) % presets.size()}) {
            const std::string pair = presets[i].id + " to " + presets[other].id;
            const CountedArchitecture a(presets[i].architecture), b(presets[other].architecture);
            const Result<Difference> found = difference(a, b);
            ASSERT_TRUE(found) << pair;
            std::int64_t named = 0;
            for (const KindDifference& kind : found->fieldless) named += kind.difference();
            EXPECT_EQ(named, found->unnamed) << pair;
            if (counts_otherwise(presets[i].architecture) || counts_otherwise(presets[other].architecture)) continue;
            EXPECT_TRUE(std::ranges::all_of(
                found->fieldless,
                [&](const KindDifference& kind) { return nothing_reads(a, kind) && nothing_reads(b, kind); }))
                << pair << ": " << fieldless_text(*found);
        }
}

TEST(Difference, NamesTheLargestOfWhatIsInNoField) {
    const Difference found = between(preset("llama-3-8b"), preset("zamba2-7b"));
    ASSERT_GT(found.fieldless.size(), 8U);
    EXPECT_EQ(fieldless_text(found), "way to the mixer, query projection, key projection and 9 others");
    Difference one = found;
    std::erase_if(one.fieldless, [](const KindDifference& kind) { return kind.label != "FFN norm"; });
    EXPECT_EQ(fieldless_text(one), "FFN norm");
}

TEST(Difference, WhoseInteractionDoesNotFitIsASentence) {
    Architecture small = preset("llama-2-7b");
    for (const auto& [key, text] : {std::pair{"layers", "1000000000"}, {"dim", "64"}, {"ffn_dim", "64"}})
        small = with(small, key, text);
    small = with(with(small, "heads", "1"), "kv_heads", "1");
    // Each alone makes 8.5·10^18 and more of a thousand million layers; together, in one layer, next to nothing.
    const Architecture wide = with(with(with(small, "layers", "1"), "dim", "46000"), "ffn_dim", "45000000");
    const CountedArchitecture a(small), b(wide);
    const Result<Difference> found = difference(a, b);
    ASSERT_FALSE(found);
    EXPECT_EQ(
        sentence(found.error()),
        "the sum of what each changed field makes by itself does not fit in 64 bits: compare: compare models that "
        "differ less");
}

TEST(Difference, ListsTensorsAddedRemovedReshapedAndRepeated) {
    const Difference found = between(preset("llama-2-7b"), with(preset("llama-3-8b"), "tied", "true"));
    const TensorDifference* keys = find(found, "model.layers.{i}.self_attn.k_proj.weight");
    ASSERT_TRUE(keys);
    EXPECT_EQ(keys->change, TensorChange::reshaped);
    EXPECT_EQ(keys->a_shape, (std::vector<std::int64_t>{4096, 4096}));
    EXPECT_EQ(keys->b_shape, (std::vector<std::int64_t>{1024, 4096}));
    EXPECT_EQ(keys->difference(), -32 * (4096 - 1024) * 4096);
    ASSERT_TRUE(find(found, "lm_head.weight"));
    EXPECT_EQ(find(found, "lm_head.weight")->change, TensorChange::removed);
    EXPECT_FALSE(find(found, "model.layers.{i}.self_attn.q_proj.weight")) << "it is the same in both";

    const Difference longer = between(preset("llama-2-7b"), with(preset("llama-2-7b"), "layers", "33"));
    EXPECT_EQ(longer.tensors.size(), 9u);
    for (const TensorDifference& row : longer.tensors) {
        EXPECT_EQ(row.change, TensorChange::repeated) << row.name;
        EXPECT_EQ(row.b_copies, 33) << row.name;
    }
    const Difference biased = between(preset("llama-2-7b"), with(preset("llama-2-7b"), "qkv_bias", "true"));
    EXPECT_EQ(biased.tensors.size(), 3u);
    for (const TensorDifference& row : biased.tensors) EXPECT_EQ(row.change, TensorChange::added) << row.name;
}

TEST(Difference, PairsWhatFamiliesNameOtherwiseByItsPlace) {
    const Difference masked = between(preset("bert-base-uncased"), preset("roberta-base"));
    EXPECT_TRUE(std::ranges::all_of(masked.tensors, [](const TensorDifference& row) {
        return row.change == TensorChange::reshaped && !row.b_name.empty();
    }));
    // GPT-2 stores what is linear the other way round, and queries, keys and values in one.
    const Difference causal = between(preset("bert-base-uncased"), preset("gpt2"));
    EXPECT_FALSE(find(causal, "bert.encoder.layer.{i}.intermediate.dense.weight")) << "it is the same";
    const TensorDifference* const positions = find(causal, "bert.embeddings.position_embeddings.weight");
    ASSERT_TRUE(positions);
    EXPECT_EQ(positions->b_name, "transformer.wpe.weight");
    EXPECT_EQ(positions->difference(), (1024 - 512) * 768);
    // A decoder goes with a decoder, and an encoder beside it with none.
    const Difference stacks = between(preset("t5-base"), preset("llama-2-7b"));
    const TensorDifference* const decoder = find(stacks, "decoder.block.{i}.layer.0.SelfAttention.q.weight");
    const TensorDifference* const encoder = find(stacks, "encoder.block.{i}.layer.0.SelfAttention.q.weight");
    ASSERT_TRUE(decoder && encoder);
    EXPECT_EQ(decoder->b_name, "model.layers.{i}.self_attn.q_proj.weight");
    EXPECT_EQ(encoder->change, TensorChange::removed);
}

TEST(Difference, TellsKindsOfOneLabelApartByTheirComponent) {
    const Difference found = between(preset("llama-2-7b"), preset("qwen3-next-80b-a3b"));
    std::vector<std::string> labels;
    for (const KindDifference& kind : found.kinds) labels.push_back(kind.label);
    for (const char* const label : {"Query projection, attention", "Query projection, recurrence"})
        EXPECT_EQ(std::ranges::count(labels, label), 1) << label;
    std::ranges::sort(labels);
    EXPECT_TRUE(std::ranges::adjacent_find(labels) == labels.end()) << *std::ranges::adjacent_find(labels);
}

TEST(Difference, OfAModelToItselfIsNothing) {
    for (const Preset& each : testing_data::all_presets()) {
        const Difference found = between(each.architecture, each.architecture);
        EXPECT_EQ(found.total, 0) << each.id;
        EXPECT_TRUE(found.tensors.empty() && found.fields.empty()) << each.id;
    }
}

TEST(Difference, EveryWayOfSplittingSumsToTheDifferenceOfTotals) {
    const std::vector<Preset> presets = testing_data::all_presets();
    std::mt19937_64 random(7);
    const auto any = [&] {
        return random() % 2 == 0 ? testing_data::random_architecture(random)
                                 : presets[random() % presets.size()].architecture;
    };
    for (int i = 0; i < 400; ++i) {
        const CountedArchitecture a(any()), b(any());
        const Result<Difference> whole = difference(a, b);
        ASSERT_TRUE(whole) << sentence(whole.error());
        const Difference& found = *whole;
        const std::string where = a.architecture.name + " to " + b.architecture.name;
        EXPECT_EQ(found.total, b.parameters.total - a.parameters.total) << where;
        EXPECT_EQ(std::accumulate(found.by_component.begin(), found.by_component.end(), std::int64_t{0}), found.total)
            << where;
        std::int64_t kinds = 0, tensors = 0, fields = found.interaction, added = found.unnamed;
        for (const KindDifference& row : found.kinds) kinds += row.difference();
        for (const TensorDifference& row : found.tensors) tensors += row.difference();
        for (const FieldDifference& row : found.fields) {
            fields += row.own.value_or(0);
            added += row.adds.value_or(0);
            EXPECT_TRUE(row.adds || row.counted_at) << where << ": " << info(row.field).key;
        }
        EXPECT_EQ(added, found.total) << where;
        EXPECT_EQ(kinds, found.total) << where;
        EXPECT_EQ(tensors, found.total) << where;
        EXPECT_EQ(fields, found.total) << where;
    }
}

TEST(TotalFormulas, AreTheCountsOfEveryPreset) {
    for (const Preset& each : testing_data::all_presets()) {
        const CountedArchitecture model(each.architecture);
        const Result<Totals> totals = TotalFormulas(model.graph).at(model.bindings);
        ASSERT_TRUE(totals) << each.id;
        EXPECT_EQ(*totals, (Totals{model.parameters.total, model.parameters.active})) << each.id;
    }
}

TEST(TotalFormulas, OfMoreExpertsThanFitIn64BitsAreAnErrorAndTheTotalStays) {
    const Architecture arch = preset("mixtral-8x7b");
    const CountedArchitecture model(arch);
    const TotalFormulas formulas(model.graph);
    Bindings values = model.bindings;
    values.set(Symbol::experts_per_token, std::int64_t{1} << 60);
    const Result<Totals> found = formulas.at(values);
    ASSERT_FALSE(found) << found->active;
    EXPECT_NE(sentence(found.error()).find("does not fit in 64 bits"), std::string::npos);
    EXPECT_EQ(*formulas.total_at(values), 46'702'792'704);
}

TEST(TotalFormulas, HoldForEveryNumberOfARandomArchitectureThatChanges) {
    std::mt19937_64 random(11);
    int alike = 0;
    for (int i = 0; i < 300; ++i) {
        const Architecture arch = testing_data::random_architecture(random);
        const CountedArchitecture first(arch);
        const TotalFormulas formulas(first.graph);
        for (const FieldInfo& field : fields()) {
            if (field.kind != FieldKind::number) continue;
            const std::optional<std::int64_t> now = field_number(arch, field.field);
            if (!now) continue;
            const Result<Architecture> changed = with_field(arch, field.field, std::to_string(2 * *now));
            if (!changed || !possible(*changed) || !same_formulas(arch, *changed)) continue;
            const CountedArchitecture second(*changed);
            EXPECT_EQ(formulas.at(second.bindings)->total, second.parameters.total)
                << field.key << " doubled: " << arch.family->type;
            ++alike;
        }
    }
    EXPECT_GT(alike, 1000);
}

// Zamba 2, whose layers are each of a kind of their own, too: of fewer of them no kind is missing.
TEST(ShapedTotals, HoldForOtherNumbersOfLayersOfTheSameKinds) {
    int others = 0, fewer_of_zamba = 0;
    for (const Preset& each : testing_data::all_presets()) {
        const Architecture& arch = each.architecture;
        const ShapedTotals known(arch, expand(arch));
        for (const std::int64_t layers :
             {arch.layers / 3, arch.layers / 2, arch.layers - 1, arch.layers + 1, arch.layers + 2, 2 * arch.layers}) {
            const Result<Architecture> changed = with_field(arch, Field::layers, std::to_string(layers));
            if (!changed || !possible(*changed)) continue;
            const auto depths = known.depths_in(*changed, formula_shape(*changed));
            if (!depths || depths->empty()) continue;
            const CountedArchitecture counted(*changed);
            EXPECT_EQ(*known.formulas.at(counted.bindings, *depths),
                      (Totals{counted.parameters.total, counted.parameters.active}))
                << each.id << ", " << layers;
            ++others;
            fewer_of_zamba += each.id.starts_with("zamba") ? 1 : 0;
        }
    }
    EXPECT_GT(others, 100);
    EXPECT_GT(fewer_of_zamba, 4);
}

TEST(TotalFormulas, OfOneArchitectureHoldForAllThatDifferInNumbers) {
    const std::vector<Preset> presets = testing_data::all_presets();
    std::vector<FormulaShape> shapes;
    for (const Preset& each : presets) shapes.push_back(formula_shape(each.architecture));
    int alike = 0;
    for (const Preset& a : presets) {
        const CountedArchitecture first(a.architecture);
        const TotalFormulas formulas(first.graph);
        const FormulaShape shape = formula_shape(a.architecture);
        for (std::size_t i = 0; i < presets.size(); ++i) {
            const Preset& b = presets[i];
            if (a.id == b.id || shape != shapes[i]) continue;
            const CountedArchitecture second(b.architecture);
            EXPECT_EQ(formulas.at(second.bindings)->total, second.parameters.total) << a.id << ", " << b.id;
            ++alike;
        }
    }
    EXPECT_GT(alike, 100) << "hardly any two models were said to have the same formulas";
}

}  // namespace
}  // namespace headcount
