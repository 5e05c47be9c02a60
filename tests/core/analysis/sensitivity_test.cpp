// What one step more of every number adds.
#include "core/analysis/sensitivity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/analysis/parameters.hpp"
#include "core/analysis/sweep.hpp"
#include "core/arch/family.hpp"
#include "core/arch/matters.hpp"
#include "core/arch/validate.hpp"
#include "core/files/presets.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;
using testing_data::with;

const FieldStep* step_of(const Sensitivity& all, Field field) {
    for (const FieldStep& step : all.steps)
        if (step.field == field) return &step;
    return nullptr;
}

TEST(Sensitivity, OneLayerMoreIsOneLayer) {
    const Result<Sensitivity> all = sensitivity(preset("llama-2-7b"), Input{});
    ASSERT_TRUE(all);
    const FieldStep* const layers = step_of(*all, Field::layers);
    ASSERT_TRUE(layers);
    EXPECT_EQ(layers->to, 33);
    EXPECT_EQ(whole_change_of(*all, *layers, Metric::total), 202'383'360);
    EXPECT_FALSE(change_of(*all, *layers, Metric::memory)) << "was not asked for";
}

TEST(Sensitivity, EqualsTheDifferenceOfCountsOfRandomPresets) {
    const Result<std::vector<Preset>> presets = shipped_presets();
    ASSERT_TRUE(presets);
    std::mt19937 random(7);
    for (int i = 0; i < 12; ++i) {
        const Preset& each = (*presets)[random() % presets->size()];
        const Architecture& arch = each.architecture;
        const std::int64_t before = count_parameters(expand(arch), bindings(arch, {}))->total;
        const Result<Sensitivity> all = sensitivity(arch, Input{.tokens = 16});
        ASSERT_TRUE(all) << each.id << ": " << sentence(all.error());
        EXPECT_GT(all->steps.size(), 3u) << each.id;
        for (const FieldStep& step : all->steps) {
            const Architecture changed = with_step(arch, step);
            EXPECT_TRUE(validate(changed).empty()) << each.id << " " << info(step.field).key;
            EXPECT_EQ(whole_change_of(*all, step, Metric::total),
                      count_parameters(expand(changed), bindings(changed, {}))->total - before)
                << each.id << " " << info(step.field).key;
            EXPECT_EQ(step.to % kept_multiple(step.field, step.from), 0) << each.id << " " << info(step.field).key;
        }
    }
}

// Such steps are not counted anew.
TEST(Sensitivity, WhatPlaysNoPartInAModelChangesNoPointOfIt) {
    const Input input{.tokens = 16};
    const PointWants wants{.memory = true, .pass = {}, .reached = {}};
    int idle = 0;
    for (const Preset& preset : testing_data::all_presets()) {
        const Architecture& arch = preset.architecture;
        const bool one_of_many = idle % 8 != 0 && !arch.family->shared && !arch.sound && !arch.layer.recurrence;
        PointMaker maker(input, wants);
        const Result<SweepPoint> now = maker.at(arch);
        ASSERT_TRUE(now) << preset.id;
        for (const FieldInfo& field : fields()) {
            if (field.kind != FieldKind::flag || matters(arch, field.field)) continue;
            const std::optional<std::string> text = field_text(arch, field.field);
            if (!text) continue;
            const Architecture changed = with(arch, field.key, *text == "true" ? "false" : "true");
            if (matters(changed, field.field) || maker.refusal(changed)) continue;
            if (++idle; one_of_many) continue;
            EXPECT_EQ(*maker.at(changed), *now) << preset.id << ", " << field.key;
        }
    }
    EXPECT_GT(idle, 1000);
}

TEST(Sensitivity, KeepsHeadsThatDivideAndMultiples) {
    const Result<Sensitivity> all = sensitivity(preset("llama-2-7b"), Input{});
    ASSERT_TRUE(all);
    EXPECT_EQ(step_of(*all, Field::dim)->to, 4224);
    EXPECT_EQ(step_of(*all, Field::ffn_dim)->to, 11264);
    EXPECT_EQ(step_of(*all, Field::vocab)->to, 32128);
    const Result<Sensitivity> odd = sensitivity(preset("gpt2"), Input{});
    EXPECT_EQ(step_of(*odd, Field::vocab)->to, 50258) << "50,257 is a multiple of nothing";
    EXPECT_EQ(step_of(*odd, Field::heads)->to, 16) << "the next that divides 768";
    EXPECT_EQ(kept_multiple(Field::ffn_dim, 11008), 256);
    EXPECT_EQ(kept_multiple(Field::dim, 4096), 128);
    EXPECT_EQ(kept_multiple(Field::layers, 32), 1);
    EXPECT_EQ(kept_multiple(Field::vocab, 0), 1);
}

TEST(Sensitivity, FlagsChoicesAndAHeadSizeThatFollowsHaveAStepToo) {
    const Result<Sensitivity> all = sensitivity(preset("llama-2-7b"), Input{});
    ASSERT_TRUE(all);
    const FieldStep *const tied = step_of(*all, Field::tied), *const gate = step_of(*all, Field::gated),
                           *const head = step_of(*all, Field::head_dim), *const norm = step_of(*all, Field::norm);
    ASSERT_TRUE(tied && gate && head && norm);
    EXPECT_EQ(whole_change_of(*all, *tied, Metric::total), -32000 * 4096);
    EXPECT_EQ(tied->text(tied->to), "true");
    EXPECT_EQ(whole_change_of(*all, *gate, Metric::total), -32ll * 4096 * 11008);
    EXPECT_EQ(head->to, 144);
    EXPECT_EQ(whole_change_of(*all, *head, Metric::total), 32ll * 4 * 4096 * 32 * 16);
    EXPECT_EQ(norm->words(norm->from) + " " + norm->words(norm->to), "RMSNorm LayerNorm");
    EXPECT_FALSE(step_of(*all, Field::router_bias)) << "there are no experts";
}

TEST(Sensitivity, GoesDownWhereNoMoreIsPossible) {
    const Result<Sensitivity> all = sensitivity(with(preset("llama-2-7b"), "kv_heads", "32"), Input{});
    const FieldStep* const kv = step_of(*all, Field::kv_heads);
    ASSERT_TRUE(kv);
    EXPECT_EQ(kv->to, 16);
    EXPECT_LT(*whole_change_of(*all, *kv, Metric::total), 0);
}

TEST(Sensitivity, SortsByWhatMovesMost) {
    const Result<Sensitivity> all =
        sensitivity(preset("mixtral-8x7b"), Input{}, {true, {.device = Device{.bandwidth = 1e12, .flops_16 = 1e14}}});
    ASSERT_TRUE(all);
    for (const MetricInfo& metric : metrics) {
        const std::vector<std::size_t> places = sorted_steps(*all, metric.metric);
        ASSERT_EQ(places.size(), all->steps.size());
        for (std::size_t i = 1; i < places.size(); ++i)
            EXPECT_GE(std::abs(*change_of(*all, all->steps[places[i - 1]], metric.metric)),
                      std::abs(*change_of(*all, all->steps[places[i]], metric.metric)))
                << metric.key;
    }
    EXPECT_EQ(all->steps[sorted_steps(*all, Metric::total).front()].field, Field::gated) << "a third of all experts";
}

TEST(Sensitivity, OfWhatIsImpossibleIsASentence) {
    EXPECT_EQ(sentence(sensitivity(with(preset("llama-2-7b"), "heads", "30"), Input{}).error()).find("30 heads"), 0u);
    EXPECT_NE(sentence(sensitivity(preset("gpt2"), Input{.tokens = 4096}).error()).find("learned positions"),
              std::string::npos);
}

TEST(Sensitivity, OfTheSameModelIsTheSameHoweverItsHeadsWereGiven) {
    const Architecture follows = preset("llama-2-7b"), given = with(follows, "kv_heads", "32");
    const Result<Sensitivity> a = sensitivity(follows, Input{}), b = sensitivity(given, Input{});
    ASSERT_TRUE(a);
    ASSERT_TRUE(b);
    ASSERT_EQ(a->steps.size(), b->steps.size());
    for (std::size_t i = 0; i < a->steps.size(); ++i) {
        const FieldStep &one = a->steps[i], &other = b->steps[i];
        EXPECT_EQ(one.field, other.field);
        EXPECT_EQ(one.to, other.to) << info(one.field).key;
        EXPECT_EQ(whole_change_of(*a, one, Metric::total), whole_change_of(*b, other, Metric::total))
            << info(one.field).key;
        for (const Architecture& arch : {follows, given})
            EXPECT_EQ(count_parameters(expand(with_step(arch, one)), bindings(with_step(arch, one), {}))->total,
                      one.after.parameters.total)
                << info(one.field).key;
    }
    ASSERT_TRUE(step_of(*a, Field::kv_heads));
    EXPECT_EQ(whole_change_of(*a, *step_of(*a, Field::kv_heads), Metric::total), -536'870'912);
    EXPECT_EQ(whole_change_of(*a, *step_of(*a, Field::heads), Metric::total), 0);
}

}  // namespace
}  // namespace headcount
