// The choice of the next token, with numbers worked by hand.
#include "core/runtime/sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace headcount {
namespace {

const float ln2 = std::log(2.0f);
constexpr float infinite = std::numeric_limits<float>::infinity(), no_number = std::numeric_limits<float>::quiet_NaN();

// Probabilities 8/15, 4/15, 2/15, 1/15 of tokens 2, 0, 3, 1.
const std::vector<float> halves{2 * ln2, 0, 3 * ln2, ln2};

Distribution of(const Sampling& sampling, const std::vector<float>& logits = halves) {
    const Result<Distribution> all = distribution(logits, sampling);
    EXPECT_TRUE(all) << (all ? "" : sentence(all.error()));
    return all ? *all : Distribution{};
}

std::vector<int> ids(const Distribution& all) {
    std::vector<int> list;
    for (const Candidate& each : all.candidates) list.push_back(each.id);
    return list;
}

std::vector<double> probabilities(const Distribution& all) {
    std::vector<double> list;
    for (const Candidate& each : all.candidates) list.push_back(std::round(each.probability * 1e6) / 1e6);
    return list;
}

TEST(Temperature, OfOneLeavesTheSoftmax) {
    const Distribution all = of({.temperature = 1});
    EXPECT_EQ(ids(all), (std::vector<int>{2, 0, 3, 1}));
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(all.candidates[i].tempered, (8 >> i) / 15.0, 1e-6);
        EXPECT_NEAR(all.candidates[i].plain, (8 >> i) / 15.0, 1e-6);
        EXPECT_EQ(all.candidates[i].cut, Cut::kept);
    }
}

TEST(Temperature, OfAHalfSquaresTheOdds) {
    const Distribution all = of({.temperature = 0.5});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(all.candidates[i].probability, (64 >> 2 * i) / 85.0, 1e-6);
    EXPECT_NEAR(all.candidates[0].plain, 8 / 15.0, 1e-6);
}

TEST(Temperature, OfZeroAlwaysTakesTheLikeliestAndOfEqualsTheFirst) {
    const Distribution all = of({.temperature = 0}, {1, 3, 3, -1});
    EXPECT_EQ(probabilities(all), (std::vector<double>{1, 0, 0, 0}));
    EXPECT_EQ(all.candidates[0].id, 1);
    EXPECT_EQ(all.candidates[1].cut, Cut::impossible);
    for (std::int64_t position = 0; position < 9; ++position)
        EXPECT_EQ(*sample(std::vector<float>{1, 3, 3, -1}, {.temperature = 0}, position), 1);
}

TEST(Temperature, CloseToZeroIsNoDivisionByIt) {
    EXPECT_EQ(probabilities(of({.temperature = 1e-300})), (std::vector<double>{1, 0, 0, 0}));
}

TEST(TopK, KeepsTheLikeliestAndMakesThemAddUpToOne) {
    const Distribution all = of({.temperature = 1, .top_k = 2});
    EXPECT_EQ(all.kept, 2u);
    EXPECT_EQ(probabilities(all), (std::vector<double>{0.666667, 0.333333, 0, 0}));
    EXPECT_EQ(all.candidates[2].cut, Cut::top_k);
    EXPECT_NEAR(all.candidates[2].tempered, 2 / 15.0, 1e-6);
}

TEST(TopK, BeyondTheVocabularyKeepsAll) {
    EXPECT_EQ(of({.temperature = 1, .top_k = 5}).kept, 4u);
    EXPECT_EQ(of({.temperature = 1, .top_k = 0}).kept, 4u);
}

TEST(TopP, KeepsTheTokenThatReachesTheShare) {
    EXPECT_EQ(of({.temperature = 1, .top_p = 0.5}).kept, 1u);   // 8/15 is enough
    EXPECT_EQ(of({.temperature = 1, .top_p = 0.55}).kept, 2u);  // 8/15 is not
    EXPECT_EQ(of({.temperature = 1, .top_p = 0.95}).kept, 4u);  // 14/15 is not
    EXPECT_EQ(of({.temperature = 1, .top_p = 1}).kept, 4u);
    const Distribution least = of({.temperature = 1, .top_p = 0});
    EXPECT_EQ(least.kept, 1u);
    EXPECT_EQ(least.candidates[1].cut, Cut::top_p);
}

TEST(TopP, CountsSharesOfWhatTopKLeft) {
    // Of 2/3 and 1/3 the first reaches 0.6; of 8/15 it would not.
    EXPECT_EQ(of({.temperature = 1, .top_k = 2, .top_p = 0.6}).kept, 1u);
    EXPECT_EQ(of({.temperature = 1, .top_p = 0.6}).kept, 2u);
}

TEST(MinP, CutsWhatIsTooFarBelowTheLikeliest) {
    EXPECT_EQ(of({.temperature = 1, .min_p = 0.3}).kept, 2u);
    EXPECT_EQ(of({.temperature = 1, .min_p = 1}).kept, 1u);
    EXPECT_EQ(of({.temperature = 1, .min_p = 0.3}).candidates[2].cut, Cut::min_p);
    EXPECT_EQ(of({.temperature = 1, .min_p = 1}, {5, 5, 5}).kept, 3u);
}

TEST(Logits, OfMinusInfinityAreNeverChosen) {
    const Distribution all = of({.temperature = 1}, {-infinite, 0, -infinite});
    EXPECT_EQ(all.kept, 1u);
    EXPECT_EQ(all.candidates[1].cut, Cut::impossible);
    EXPECT_EQ(draw(all, 0.999999), 1);
}

TEST(Logits, ThatAreNoNumbersAreASentence) {
    const auto refused = [](const std::vector<float>& logits) { return sentence(distribution(logits, {}).error()); };
    EXPECT_EQ(refused({1, no_number}), "a logit is not a number: token 1: check the weights");
    EXPECT_EQ(refused({infinite, 1}), "a logit is infinite: token 0: check the weights");
    EXPECT_EQ(refused({-infinite}), "every logit is minus infinity: check the weights");
    EXPECT_EQ(refused({}), "there are no logits to choose by: give the model a token first");
    EXPECT_FALSE(sample(std::vector<float>{no_number}, {.temperature = 0}, 0));
}

TEST(Settings, ThatMakeNoSenseAreASentence) {
    EXPECT_EQ(sentence(*wrong_sampling({.temperature = -1})),
              "-1 is no temperature: temperature: give a number from 0 on");
    EXPECT_TRUE(wrong_sampling({.temperature = no_number}));
    EXPECT_EQ(sentence(*wrong_sampling({.top_k = -3})), "-3 tokens cannot be kept: top-k: give 0 for all of them");
    EXPECT_EQ(sentence(*wrong_sampling({.top_p = 1.5})), "1.5 is no share: top-p: give a number from 0 to 1");
    EXPECT_EQ(sentence(*wrong_sampling({.min_p = -0.25})), "-0.25 is no share: min-p: give a number from 0 to 1");
    EXPECT_FALSE(wrong_sampling({}));
}

TEST(Draw, TakesTheCandidateAtWhichTheSumPassesChance) {
    const Distribution all = of({.temperature = 1});
    EXPECT_EQ(draw(all, 0), 2);
    EXPECT_EQ(draw(all, 0.53), 2);
    EXPECT_EQ(draw(all, 0.54), 0);
    EXPECT_EQ(draw(all, 0.85), 3);
    EXPECT_EQ(draw(all, 0.99), 1);
    EXPECT_EQ(draw(of({.temperature = 1, .top_k = 1}), 0.99), 2);
}

// Which sorts no more of a vocabulary than it must.
TEST(Sample, IsTheDrawFromTheWholeDistribution) {
    std::vector<float> logits(5'000);
    for (std::size_t i = 0; i < logits.size(); ++i)
        logits[i] = static_cast<float>(std::round(40 * chance_at(11, static_cast<std::int64_t>(i)))) / 8;  // many equal
    logits[7] = -infinite;
    for (const Sampling& sampling :
         {Sampling{.temperature = 1}, Sampling{.temperature = 0.05}, Sampling{.temperature = 30},
          Sampling{.temperature = 1e-300}, Sampling{.temperature = 1, .top_k = 1},
          Sampling{.temperature = 1, .top_k = 40}, Sampling{.temperature = 2, .top_k = 4'999},
          Sampling{.temperature = 1, .top_p = 0.9}, Sampling{.temperature = 1, .top_k = 300, .top_p = 0.5},
          Sampling{.temperature = 1, .min_p = 0.4},
          Sampling{.temperature = 1, .top_k = 700, .top_p = 0.8, .min_p = 0.9}}) {
        const Distribution all = of(sampling, logits);
        for (std::int64_t position = 0; position < 20; ++position)
            EXPECT_EQ(*sample(logits, sampling, position), draw(all, chance_at(sampling.seed, position)))
                << sampling.temperature << ' ' << sampling.top_k << ' ' << sampling.top_p << ' ' << sampling.min_p;
    }
}

// splitmix64's first numbers for seed 0 are published with it: e220a8397b1dcdaf, 6e789e6aa1b965f4.
TEST(Chance, IsSplitmixOfTheSeed) {
    EXPECT_DOUBLE_EQ(chance_at(0, 0), static_cast<double>(0xe220a8397b1dcdafu >> 11) * 0x1p-53);
    EXPECT_DOUBLE_EQ(chance_at(0, 1), static_cast<double>(0x6e789e6aa1b965f4u >> 11) * 0x1p-53);
    EXPECT_NE(chance_at(1, 0), chance_at(0, 0));
}

TEST(Chance, ChoosesAsOftenAsTheProbabilitiesSay) {
    const Distribution all = of({.temperature = 1});
    std::vector<int> chosen(4);
    for (std::int64_t position = 0; position < 15'000; ++position)
        ++chosen[static_cast<std::size_t>(draw(all, chance_at(7, position)))];
    EXPECT_NEAR(chosen[2], 8000, 200);
    EXPECT_NEAR(chosen[0], 4000, 200);
    EXPECT_NEAR(chosen[3], 2000, 150);
    EXPECT_NEAR(chosen[1], 1000, 120);
}

TEST(Chance, GivesTheSameTokenForTheSameSeedAndPosition) {
    const Sampling sampling{.temperature = 1, .seed = 3};
    EXPECT_EQ(*sample(halves, sampling, 5), *sample(halves, sampling, 5));
    EXPECT_EQ(*sample(halves, sampling, 5), draw(of(sampling), chance_at(3, 5)));
}

}  // namespace
}  // namespace headcount
