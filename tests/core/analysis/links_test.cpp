// What devices that share a model send to each other, against sums by hand and published ones.
#include "core/analysis/links.hpp"

#include <gtest/gtest.h>

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
std::int64_t sent(const Pass& pass, Phase phase, const Sharding& sharding, bool copies = false) {
    Result<std::vector<LinkUse>> links = link_traffic(pass, phase, sharding, Precision::bf16);
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

// DeepSeek-V3: 58 layers, 8 experts a token, 7,168 numbers, there and back.
TEST(Links, TokensGoToTheirExpertsAndBack) {
    const Input input{.tokens = 4096};
    const Sharding among{.devices = 64, .expert = 64};
    const std::int64_t once = std::int64_t{4096} * 58 * 8 * 7168 * 2 * 2 * 63 / 64;
    EXPECT_EQ(sent(pass("deepseek-v3", input, Phase::prefill), Phase::prefill, among), once);
    EXPECT_EQ(sent(pass("deepseek-v3", input, Phase::training), Phase::training, among), 2 * once);
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
