// Claims about what those wait for who use a model together.
#include <gtest/gtest.h>

#include <tuple>

#include "core/analysis/links.hpp"
#include "core/analysis/sweep.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using testing_data::preset;

Device fast() {
    return {.id = "fast", .name = "Fast", .memory = std::int64_t{80} << 30, .bandwidth = 3e12, .flops_16 = 1e15};
}

TEST(Served, IsThePrefillAndTheDecodeWhicheverPassIsMeant) {
    const Architecture arch = preset("llama-3-8b");
    const Input input{.tokens = 500, .batch = 6};
    for (const Phase phase : {Phase::prefill, Phase::decode, Phase::training}) {
        PassOptions pass;
        pass.device = fast();
        pass.phase = phase;
        const Result<SweepPoint> point = PointMaker(input, wants_for_all(pass)).at(arch);
        ASSERT_TRUE(point);
        const auto seconds = [&](Phase of) { return *pass_of(arch, input, of, pass)->seconds; };
        EXPECT_EQ(value_of(*point, Metric::first_token), seconds(Phase::prefill));
        EXPECT_EQ(value_of(*point, Metric::next_token), seconds(Phase::decode));
        EXPECT_DOUBLE_EQ(*value_of(*point, Metric::rate_for_one), 1 / seconds(Phase::decode));
        EXPECT_DOUBLE_EQ(*value_of(*point, Metric::rate_for_all), 6 * *value_of(*point, Metric::rate_for_one));
    }
}

// Of whole copies, and of what is copied where experts are divided; a tensor-parallel group is one.
TEST(Served, AllUsersAreThoseOfAllCopies) {
    const auto served = [](const char* id, const Sharding& sharding) {
        PassOptions pass;
        pass.device = fast();
        pass.sharding = sharding;
        return *served_of(preset(id), {.tokens = 500, .batch = 6}, pass);
    };
    for (const auto& [id, sharding, copies] : {std::tuple("llama-3-8b", Sharding{.devices = 8, .tensor = 8}, 1),
                                               {"llama-3-8b", Sharding{.devices = 8, .tensor = 4}, 2},
                                               {"mixtral-8x7b", Sharding{.devices = 8, .expert = 8}, 8},
                                               {"mixtral-8x7b", Sharding{.devices = 8, .tensor = 2, .expert = 4}, 4}}) {
        const Served found = served(id, sharding);
        EXPECT_EQ(found.copies, copies) << id;
        EXPECT_EQ(found.users, 6 * copies) << id;
        EXPECT_DOUBLE_EQ(*value_of(found, Metric::rate_for_all), static_cast<double>(6 * copies) / *found.next_token);
        EXPECT_DOUBLE_EQ(*value_of(found, Metric::rate_for_one), 1 / *found.next_token);
    }
}

// A token passes all stages, and each device of a context's group reads all weights.
TEST(Served, OneSequenceIsNoFasterOverStagesOrAContext) {
    const Architecture arch = preset("llama-3-8b");
    const auto waited = [&](const Sharding& sharding, std::int64_t batch) {
        PassOptions pass;
        pass.device = fast();
        pass.sharding = sharding;
        const std::optional<Served> served = served_of(arch, {.tokens = 1000, .batch = batch}, pass);
        return served ? served->next_token.value_or(0) : 0;
    };
    const double alone = waited({}, 1);
    EXPECT_EQ(waited({.devices = 8, .pipeline = 8}, 1), alone);
    EXPECT_EQ(waited({.devices = 8, .pipeline = 8}, 16), waited({}, 2)) << "two of them in each stage";
    EXPECT_LT(waited({.devices = 8, .tensor = 8}, 1), alone / 7);
    const double weights = 2 * 7.5e9 / 3e12;
    EXPECT_LT(waited({.devices = 4, .context = 4}, 1), alone);
    EXPECT_GT(waited({.devices = 4, .context = 4}, 1), 0.9 * weights);
}

// Dividing experts takes nothing from what all devices of a context read of the other weights.
TEST(Served, AContextReadsAllWeightsWhereExpertsAreDividedToo) {
    PassOptions pass;
    pass.device = fast();
    pass.sharding = {.devices = 2, .context = 2};
    const Input input{.tokens = 4096};
    const Architecture arch = preset("mixtral-8x7b");
    const Pass shared = *device_pass_of(arch, input, Phase::decode, pass);
    pass.sharding.expert = 2;
    const Pass divided = *device_pass_of(arch, input, Phase::decode, pass);
    const std::int64_t experts = std::int64_t{2} * 2 * 32 * 3 * 4096 * 14336;  // of a token, in 16 bits
    EXPECT_EQ(shared.work.bytes - divided.work.bytes, experts) << "one of two devices reads each";
    EXPECT_GT(*divided.seconds, *pass_of(arch, input, Phase::decode, {.device = fast()})->seconds / 2);
}

TEST(Served, WhatIsSentTakesTimeToo) {
    PassOptions pass;
    pass.device = fast();
    pass.sharding = {.devices = 8, .tensor = 8};
    const Input input{.tokens = 1000, .batch = 4};
    const Architecture arch = preset("llama-3-8b");
    const Served free = *served_of(arch, input, pass);
    pass.link = 1e6;
    const Served slow = *served_of(arch, input, pass);
    const Pass step = *device_pass_of(arch, input, Phase::decode, pass);
    EXPECT_EQ(*slow.next_token, *step.sending);
    EXPECT_EQ(*free.next_token, *step.computing());
    pass.link = 1e15;
    EXPECT_EQ(served_of(arch, input, pass), free);
}

TEST(Served, IsNoneWithoutADeviceAndOfWhatSeesAllAtOnce) {
    PassOptions pass;
    EXPECT_FALSE(PointMaker({.tokens = 8}, wants_for_all(pass)).at(preset("gpt2"))->served);
    pass.device = fast();
    EXPECT_TRUE(PointMaker({.tokens = 8}, wants_for_all(pass)).at(preset("gpt2"))->served);
    EXPECT_FALSE(PointMaker({.tokens = 8}, wants_for_all(pass)).at(preset("bert-base-uncased"))->served);
}

TEST(Served, IsLikelyWhereBothPassesAre) {
    const Reached half = [](const Workload& run) { return std::optional(run.phase == Phase::decode ? 0.5 : 0.25); };
    const Served bound{.users = 4, .first_token = 1, .next_token = 0.01};
    PassOptions pass;
    pass.device = fast();
    const BoundWith step = [](std::int64_t batch) {
        return std::optional(0.008 + 0.0005 * static_cast<double>(batch));
    };
    const Served likely = likely_served(bound, step, {.tokens = 100, .batch = 4}, pass, half);
    EXPECT_EQ(likely.first_token, 4);
    EXPECT_EQ(likely.next_token, 0.02);
    EXPECT_EQ(value_of(likely, Metric::rate_for_all), 200);
    // Where four reach so much more than three that they would be quicker, they take as long as three.
    const Reached alone = [](const Workload& run) { return std::optional(run.input.batch < 4 ? 0.25 : 0.5); };
    EXPECT_DOUBLE_EQ(*likely_served(bound, step, {.tokens = 100, .batch = 4}, pass, alone).next_token, 0.0095 / 0.25);
    for (const Sharding& turns : {Sharding{.devices = 4, .pipeline = 4}, Sharding{.devices = 4, .context = 4}}) {
        pass.sharding = turns;
        const Served some = likely_served(bound, step, {.tokens = 100, .batch = 4}, pass, half);
        EXPECT_EQ(some.first_token.has_value(), turns.pipeline == 1);
        EXPECT_FALSE(some.next_token) << "nothing like it was measured";
        const Result<Workload> run = workload_of(Phase::decode, {.tokens = 100}, pass);
        ASSERT_FALSE(run);
        EXPECT_NE(run.error().what.find("was measured"), std::string::npos);
    }
}

// Of the memory that a device has, less what is left to other things.
TEST(Served, HasTheRoomThatMemoryHas) {
    const Architecture arch = preset("gpt2");
    const Input input{.tokens = 100, .batch = 3};
    PassOptions pass;
    pass.device = fast();
    const SweepPoint point = *PointMaker(input, wants_for_all(pass)).at(arch);
    const Result<CountedModel> held = held_model(arch, input);
    const Room room = MemoryFormulas(arch, held->graph, pass.held(input)).room(fast(), held->bindings);
    EXPECT_EQ(point.longest_context, room.longest_context);
    EXPECT_EQ(point.longest_context, 1024) << "its positions end there";
    EXPECT_EQ(point.largest_batch, room.largest_batch);
    EXPECT_FALSE(PointMaker(input, wants_for_all(pass)).at(preset("vit-base-patch16-224"))->longest_context)
        << "an image has as many rows as it has";
}

}  // namespace
}  // namespace headcount
