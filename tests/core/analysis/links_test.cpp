// What devices that share a model send to each other, against sums by hand and published ones.
#include "core/analysis/links.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "core/analysis/rates.hpp"
#include "core/analysis/sweep.hpp"
#include "core/files/devices.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;

Pass pass(const char* id, const Input& input, Phase phase) {
    Result<Pass> found = pass_of(preset(id), input, phase);
    EXPECT_TRUE(found) << sentence(found.error());
    return found ? *std::move(found) : Pass{};
}

// By each device, in groups that share a pass, or in that of copies.
std::int64_t sent(Pass pass, Phase phase, const Sharding& sharding, bool copies = false,
                  const Formats& weights = Precision::bf16) {
    EXPECT_FALSE(divide_experts(pass, sharding));
    Result<std::vector<LinkUse>> links = link_traffic(pass, phase, sharding, weights);
    EXPECT_TRUE(links) << sentence(links.error());
    if (!links) return 0;
    std::erase_if(*links, [&](const LinkUse& each) { return (each.key == "data") != copies; });
    return sent_by_each(*links);
}

// Two sums a layer forwards and two backwards, each of T·d numbers, handed on in 2·(t - 1)/t of their bytes
// (Megatron-LM, section 3).
TEST(Links, TensorParallelDevicesHandOnTwoSumsALayer) {
    const Input input{.tokens = 2048, .batch = 3};
    const Sharding eight{.devices = 8, .tensor = 8};
    const std::int64_t once = 2 * 7 * (80 * 2 * std::int64_t{3} * 2048 * 8192) * 2 / 8;
    EXPECT_EQ(sent(pass("llama-2-70b", input, Phase::prefill), Phase::prefill, eight), once);
    EXPECT_EQ(sent(pass("llama-2-70b", input, Phase::training), Phase::training, eight), 2 * once);
    // Where attention and feed-forward stand side by side their sums are one.
    const std::int64_t beside = 2 * 7 * (32 * std::int64_t{3} * 2048 * 4544) * 2 / 8;
    EXPECT_EQ(sent(pass("falcon-7b", input, Phase::prefill), Phase::prefill, eight), beside);
}

// With 8 key/value heads of 128 beside 64 of queries: 2·8·128 numbers a token and layer to all others.
TEST(Links, AContextHandsOnKeysAndValuesOrQueries) {
    const Input input{.tokens = 131'072};
    const Sharding four{.devices = 4, .context = 4};
    const std::int64_t rows = std::int64_t{131'072} * 3 / 4;
    EXPECT_EQ(sent(pass("llama-2-70b", input, Phase::prefill), Phase::prefill, four), rows * 80 * 2 * 8 * 128 * 2);
    EXPECT_EQ(sent(pass("llama-2-70b", input, Phase::training), Phase::training, four),
              3 * rows * 80 * 2 * 8 * 128 * 2);
    // Behind that many tokens a single one's query and its answer are less than what is in the cache.
    EXPECT_EQ(sent(pass("llama-2-70b", input, Phase::decode), Phase::decode, four), 3 * 80 * 2 * 64 * 128 * 2 / 4);
}

// Rajbhandari et al. 2020, section 7: 2 times the parameters in stages 1 and 2, 3 times in stage 3, of which each
// device keeps its own part.
TEST(Links, CopiesSumTheirGradients) {
    const Pass train = pass("llama-2-7b", {.tokens = 8}, Phase::training);
    constexpr std::int64_t bytes = 2 * std::int64_t{6'738'415'616};
    for (const std::int64_t stage : {0, 1, 2, 3}) {
        const Sharding sixteen{.devices = 16, .zero = stage};
        EXPECT_EQ(sent(train, Phase::training, sixteen, true), (stage == 3 ? 3 : 2) * bytes / 16 * 15) << stage;
    }
    EXPECT_EQ(sent(train, Phase::training, {.devices = 16, .tensor = 4}, true), 2 * bytes / 4 / 4 * 3);
    EXPECT_EQ(sent(train, Phase::prefill, {.devices = 16}, true), 0);
    EXPECT_EQ(sent(train, Phase::decode, {.devices = 16, .zero = 3}, true), bytes / 16 * 15) << "gathered once";
    // Experts that are divided among all of them have no copies.
    const Pass mixture = pass("mixtral-8x7b", {.tokens = 8}, Phase::training);
    const std::int64_t all = 46'702'792'704, experts = std::int64_t{32} * 8 * 3 * 4096 * 14336;
    EXPECT_EQ(sent(mixture, Phase::training, {.devices = 8, .expert = 8}, true), 2 * 2 * (all - experts) / 8 * 7);
}

// How many of `devices` hold some of the experts that tokens are sent to, drawn at random: the best groups, and of
// their experts as many as a token is sent to.
double devices_drawn(std::size_t experts, std::size_t used, std::size_t groups, std::size_t best, std::size_t devices) {
    std::mt19937 random(7);
    std::vector<std::size_t> all_groups(groups), all_experts(experts);
    std::iota(all_groups.begin(), all_groups.end(), 0);
    std::iota(all_experts.begin(), all_experts.end(), 0);
    constexpr int times = 4'000;
    std::size_t reached = 0;
    for (int i = 0; i < times; ++i) {
        std::vector<std::size_t> chosen, in_these, of_token;
        std::ranges::sample(all_groups, std::back_inserter(chosen), static_cast<std::ptrdiff_t>(best), random);
        const auto may = [&](std::size_t expert) {
            return std::ranges::find(chosen, expert / (experts / groups)) != chosen.end();
        };
        std::ranges::copy_if(all_experts, std::back_inserter(in_these), may);
        std::ranges::sample(in_these, std::back_inserter(of_token), static_cast<std::ptrdiff_t>(used), random);
        std::set<std::size_t> at;
        for (const std::size_t expert : of_token) at.insert(expert / (experts / devices));
        reached += at.size();
    }
    return static_cast<double>(reached) / times;
}

// DeepSeek-V3: 58 layers, 8 of 256 experts a token, in the best 4 of 8 groups; 7,168 numbers, there and back. Its
// program, too, sends a token but once to where several of its experts are, in 8 bits, and 16 come back.
TEST(Links, TokensGoOnceToWhereTheirExpertsAreAndBack) {
    const Input input{.tokens = 4096};
    const Pass prefill = pass("deepseek-v3", input, Phase::prefill),
               train = pass("deepseek-v3", input, Phase::training);
    constexpr double numbers = 4096.0 * 58 * 7168;
    for (const std::int64_t devices : {2, 4, 8, 32, 64, 256}) {
        const Sharding among{.devices = devices, .expert = devices};
        const double others = devices_drawn(256, 8, 8, 4, static_cast<std::size_t>(devices)) *
                              static_cast<double>(devices - 1) / static_cast<double>(devices);
        const std::int64_t once = sent(prefill, Phase::prefill, among);
        EXPECT_NEAR(static_cast<double>(once) / (numbers * 4), others, 0.02 * others) << devices;
        EXPECT_NEAR(static_cast<double>(sent(train, Phase::training, among)), 2 * static_cast<double>(once), 2);
        EXPECT_NEAR(static_cast<double>(sent(prefill, Phase::prefill, among, false, Precision::fp8)),
                    static_cast<double>(once) * 3 / 4, 2)
            << devices;
    }
    // Mixtral's router knows no groups: of 2 devices a token needs the other one in 4·4 of 8·7/2 ways, or for both.
    const Pass mixtral = pass("mixtral-8x7b", input, Phase::prefill);
    EXPECT_NEAR(static_cast<double>(sent(mixtral, Phase::prefill, {.devices = 2, .expert = 2})),
                4096.0 * 32 * 4096 * 4 * (16 + 6) / 28, 4096.0 * 32 * 4096 * 4 / 1000);
    EXPECT_EQ(sent(pass("llama-2-7b", input, Phase::prefill), Phase::prefill, {}), 0);
}

TEST(Links, APipelineHandsOnItsTokens) {
    const Input input{.tokens = 2048};
    EXPECT_EQ(sent(pass("llama-2-7b", input, Phase::prefill), Phase::prefill, {.devices = 4, .pipeline = 4}),
              std::int64_t{2048} * 4096 * 2 * 3 / 4);
}

// 64 devices with a token each send 512 tokens to 256·(1 - (1 - 8/256)^64) = 222.4 experts, of which each has 4; alone
// each would read 8.
TEST(Links, DividedExpertsAreReadByFewerDevices) {
    const std::vector<Device> devices = *shipped_devices();
    const Device h200 = *find_device(devices, "h200");
    const PassOptions options{.device = h200};
    const Input input{.tokens = 4096, .precision = Precision::fp8};
    Pass alone = *pass_of(preset("deepseek-v3"), input, Phase::decode, options);
    Pass divided = alone;
    ASSERT_FALSE(divide_experts(divided, {.devices = 64, .expert = 64}));
    const std::int64_t expert = std::int64_t{3} * 7168 * 2048;
    constexpr double read = 222.442;
    EXPECT_NEAR(static_cast<double>(alone.work.bytes - divided.work.bytes),
                static_cast<double>(58 * expert) * (8 - read / 64), 4);
    EXPECT_EQ(alone.work.flops, divided.work.flops);
    EXPECT_LT(*divided.seconds, *alone.seconds);
    std::int64_t sum = 0;
    for (const OperationWork& each : divided.work.operations) sum += each.bytes;
    EXPECT_EQ(sum, divided.work.bytes);
}

// Whatever the model: nothing is sent where nothing is divided, and more devices never send less in all.
TEST(Links, OfAllPresetsMoreDevicesSendMore) {
    for (const Preset& each : testing_data::all_presets()) {
        const Result<Pass> found = pass_of(each.architecture, Input{.tokens = 64}, Phase::prefill);
        if (!found) continue;
        EXPECT_EQ(sent(*found, Phase::prefill, {}), 0) << each.id;
        std::int64_t before = 0;
        for (const std::int64_t devices : {2, 4, 8}) {
            const std::int64_t all = devices * sent(*found, Phase::prefill, {.devices = devices, .tensor = devices});
            EXPECT_GE(all, before) << each.id;
            before = all;
        }
    }
}

// What a sweep says of a model is what its pass takes.
TEST(Links, DividedExpertsTakeTheSameTimeInASweep) {
    const std::vector<Device> devices = *shipped_devices();
    const Input input{.tokens = 4096, .batch = 4, .precision = Precision::fp8};
    PointWants wants;
    wants.pass.device = *find_device(devices, "h200");
    wants.pass.phase = Phase::decode;
    wants.pass.sharding = {.devices = 32, .expert = 32};
    for (const char* const id : {"deepseek-v3", "mixtral-8x7b"}) {
        wants.pass.sharding.devices = wants.pass.sharding.expert = id == std::string_view("mixtral-8x7b") ? 8 : 32;
        const Pass pass = *device_pass_of(preset(id), input, Phase::decode, wants.pass);
        const Result<SweepPoint> point = PointMaker(input, wants).at(preset(id));
        ASSERT_TRUE(point) << sentence(point.error());
        EXPECT_EQ(value_of(*point, Metric::tokens_per_second), tokens_per_second(pass.tokens, *pass.seconds)) << id;
    }
}

}  // namespace
}  // namespace headcount
