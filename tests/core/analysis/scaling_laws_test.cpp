// Scaling laws: their best sizes and losses beside what their papers say.
#include "core/analysis/scaling_laws.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/files/presets.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/counted.hpp"

namespace headcount {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing_data::preset;

const ScalingLaw& law(std::string_view name) {
    const auto all = scaling_laws();
    return *std::find_if(all.begin(), all.end(), [&](const ScalingLaw& each) { return each.name == name; });
}

LawSays says(std::string_view name, const Architecture& arch, double flops) {
    const std::vector<LawSays> all = laws_say(arch, count_model(arch)->parameters, flops);
    return *std::find_if(all.begin(), all.end(), [&](const LawSays& each) { return each.law->name == name; });
}

// The published constants, two digits of each exponent, are far from what Chinchilla was trained with.
TEST(ScalingLaws, AsPublishedAskForMoreTokensThanAsCorrected) {
    const LawSays published = says("Hoffmann 2022, approach 3", preset("llama-2-7b"), 5.76e23);
    EXPECT_NEAR(published.best.plan.parameters / 1e9, 32.2, 0.1);
    EXPECT_NEAR(published.best.plan.tokens_each(), 93, 1);
    // Besiroglu et al. 2024, section 4: about 20 tokens a parameter at Chinchilla's budget.
    const LawSays corrected = says("the same, corrected 2024", preset("llama-2-7b"), 5.76e23);
    EXPECT_NEAR(corrected.best.plan.tokens_each(), 20, 2);
    EXPECT_NEAR(corrected.best.plan.parameters / 1e9, 72, 1);
    EXPECT_NEAR(*corrected.best.loss, 1.97, 0.01);
}

// With C = 6·N·D the best size of E + A / N^α + B / D^β is G·(C / 6)^(β / (α + β)) (Hoffmann et al. 2022, equation 4).
TEST(ScalingLaws, FindTheBestSizeThatHasAClosedForm) {
    for (const char* name : {"Hoffmann 2022, approach 3", "the same, corrected 2024", "Krajewski 2024, dense"}) {
        const LossSurface& of = *law(name).surface;
        const double factor = std::pow(of.alpha * of.A / (of.beta * of.B), 1 / (of.alpha + of.beta));
        for (const double flops : {1e18, 5.76e23, 1e26}) {
            const double best = factor * std::pow(flops / 6, of.beta / (of.alpha + of.beta));
            EXPECT_NEAR(says(name, preset("llama-3-8b"), flops).best.plan.parameters / best, 1, 1e-4) << name;
        }
    }
}

// Kaplan et al. 2020: a budget of 1 petaFLOP-day has 1.3e9 parameters (table 6), and the loss (3.1e8 / C)^0.050; its
// learning curves have their best sizes along C^(0.054 / 0.077) (equations 1.7 and 1.8).
TEST(ScalingLaws, OfKaplanAreItsTables) {
    const Architecture arch = preset("gpt2");
    constexpr double day = 8.64e19;
    const LawSays sizes = says("Kaplan 2020, best sizes", arch, day);
    EXPECT_NEAR(sizes.best.plan.parameters, 1.3e9, 1);
    EXPECT_NEAR(*sizes.best.loss, std::pow(3.1e8, 0.05), 1e-9);
    EXPECT_EQ(sizes.counted, "all, without embeddings");
    EXPECT_NEAR(sizes.here.plan.parameters, 85e6, 1e5) << "12 layers of 12·768², as GPT-2 small is said to have";
    EXPECT_FALSE(sizes.here.loss) << "sizes alone were fitted";
    const std::string_view curves = "Kaplan 2020, learning curves";
    const double once = says(curves, arch, day).best.plan.parameters,
                 more = says(curves, arch, 100 * day).best.plan.parameters;
    EXPECT_NEAR(std::log10(more / once) / 2, 1 / (1 / 0.76 + 1 / 0.21 + 1 / 0.077) / 0.077, 0.03);
    EXPECT_NEAR(*says(curves, arch, 1000 * day).best.loss, *says("Kaplan 2020, best sizes", arch, 1000 * day).best.loss,
                0.03);
}

// Krajewski et al. 2024, table 2, with N of 64 experts of which a token passes one's width: 43 times what is active.
TEST(ScalingLaws, OfMixturesCountAllExperts) {
    struct Row {
        double active, tokens, granularity, loss;
    };
    const LossSurface& of = *law("Krajewski 2024, mixtures").surface;
    for (const Row& row : {Row{100e6, 4.37e9, 8, 3.133},
                           {1e9, 28.94e9, 16, 2.491},
                           {3e9, 72.90e9, 16, 2.245},
                           {7e9, 137.60e9, 32, 2.076},
                           {70e9, 941.07e9, 32, 1.694},
                           {1e12, 7.94e12, 64, 1.367}})
        EXPECT_NEAR(loss_of(of, 43 * row.active, row.tokens, row.granularity), row.loss, 0.025) << row.active;
    const Architecture mixtral = preset("mixtral-8x7b");
    const LawSays said = says("Krajewski 2024, mixtures", mixtral, 1e24);
    EXPECT_NEAR(said.here.plan.parameters / 1e9, 46.4, 0.1);
    EXPECT_NEAR(said.here.plan.tokens, 1e24 / (6 * 12.6e9), 0.01 * said.here.plan.tokens) << "12.6 B are active";
    EXPECT_THAT(said.best.outside, Contains("4 experts for each that is active, not 64"));
    const LawSays dense = says("Hoffmann 2022, approach 3", mixtral, 1e24);
    EXPECT_EQ(dense.counted, "active");
    EXPECT_THAT(dense.here.outside, Contains("a mixture"));
    for (const LawSays& each : laws_say(preset("gpt2"), count_model(preset("gpt2"))->parameters, 1e20))
        EXPECT_FALSE(each.law->of_mixtures()) << each.law->name;
}

TEST(ScalingLaws, SayWhereTheyAreAskedAboutMoreThanTheyWereFittedOn) {
    const LawSays far = says("Hoffmann 2022, approach 3", preset("llama-3-8b"), 1e24);
    EXPECT_THAT(far.best.outside, testing::ElementsAre("N above 16.0 B", "D above 500 B"));
    EXPECT_THAT(far.here.outside, testing::ElementsAre("D above 500 B"));
    EXPECT_THAT(says("Hoffmann 2022, approach 3", preset("gpt2"), 6e19).here.outside, IsEmpty());
    EXPECT_THAT(says("Krajewski 2024, dense", preset("gpt2"), 6e19).here.outside,
                testing::ElementsAre("N below 129 M"));
}

TEST(ScalingLaws, WereFittedOnDecodersOfText) {
    for (const auto& [id, kind] : {std::pair("bert-base-uncased", "an encoder"),
                                   {"t5-small", "an encoder beside the decoder"},
                                   {"mamba2-130m", "layers with states"}})
        for (const LawSays& each : laws_say(preset(id), count_model(preset(id))->parameters, 1e19))
            EXPECT_THAT(each.here.outside, Contains(kind)) << id << ", " << each.law->name;
}

TEST(ScalingLaws, AreBestWithTheirOwnBudget) {
    for (const char* id : {"gpt2", "llama-3-8b", "deepseek-v3"}) {
        const Architecture arch = preset(id);
        const Parameters parameters = count_model(arch)->parameters;
        for (const LawSays& each : laws_say(arch, parameters, 1e22)) {
            for (const LawSays& own : laws_say(arch, parameters, each.own.plan.flops))
                if (own.law == each.law) {
                    EXPECT_NEAR(own.best.plan.parameters / own.here.plan.parameters, 1, 1e-3) << each.law->name;
                }
            if (each.here.loss && each.best.loss) {
                EXPECT_LE(*each.best.loss, *each.here.loss + 1e-9) << id << ", " << each.law->name;
            }
        }
    }
}

}  // namespace
}  // namespace headcount
