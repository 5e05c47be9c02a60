// Memory divided among devices against published figures.
#include <gtest/gtest.h>

#include "core/files/devices.hpp"
#include "tests/core/analysis/memory_cases.hpp"

namespace headcount {
namespace {

using test::memory_of;
using test::training;
using testing_data::preset;
using testing_data::with;

TEST(Memory, ZeroDividesOptimizerThenGradientsThenWeights) {
    const Architecture arch = preset("llama-2-7b");
    MemoryOptions options = training(Optimizer::adam);
    options.sharding.devices = 8;
    const std::int64_t total = 6'738'415'616;
    const std::int64_t expected[] = {16 * total, 4 * total + 12 * total / 8, 2 * total + 14 * total / 8,
                                     16 * total / 8};
    for (std::int64_t stage = 0; stage <= 3; ++stage) {
        options.sharding.zero = stage;
        const MemoryParts device = memory_of(arch, {}, options).device;
        EXPECT_EQ(device.weights.bytes + device.gradients.bytes + device.optimizer.bytes, expected[stage]) << stage;
    }
}

// Llama 3 8B has 32 layers; the output counts as one more.
TEST(Memory, OfLayersOnTheDeviceTheLastOnesLieThere) {
    const Architecture arch = preset("llama-3-8b");
    const Memory whole = memory_of(arch, {.tokens = 1024});
    const std::int64_t table = std::int64_t{2} * 128256 * 4096, norm = 2 * 4096;
    const std::int64_t layer = (whole.weights.bytes - 2 * table - norm) / 32;
    for (const std::int64_t layers : {0, 1, 2, 20, 33, 99}) {
        MemoryOptions options;
        options.sharding.gpu_layers = layers;
        const Memory found = memory_of(arch, {.tokens = 1024}, options);
        const std::int64_t there = std::clamp<std::int64_t>(layers - 1, 0, 32);
        EXPECT_EQ(found.device.weights.bytes, there * layer + (layers > 0 ? table + norm : 0)) << layers;
        EXPECT_EQ(found.device.cache.bytes, whole.cache.bytes / 32 * there) << layers;
        EXPECT_EQ(found.host, whole.weights.bytes - found.device.weights.bytes + whole.cache.bytes / 32 * (32 - there))
            << layers;
        EXPECT_EQ(found.total, whole.total) << layers;
    }
}

TEST(Memory, ATableThatIsTheOutputHeadTooLiesInBoth) {
    const Architecture arch = preset("gemma-2-2b");
    MemoryOptions options;
    options.sharding.gpu_layers = 99;
    const Memory found = memory_of(arch, {.tokens = 1024}, options);
    EXPECT_EQ(found.device.weights.bytes, found.weights.bytes);
    EXPECT_EQ(found.host, std::int64_t{2} * 256000 * 2304);
}

TEST(Memory, LayersOnTheDeviceAreRefusedWhereNobodyHasThemSo) {
    const auto refusal = [](const char* id, MemoryOptions options) {
        options.sharding.gpu_layers = 4;
        const std::optional<Error> wrong = wrong_options(options, preset(id));
        return wrong ? sentence(*wrong) : "";
    };
    MemoryOptions divided;
    divided.sharding.devices = 2;
    EXPECT_EQ(refusal("llama-3-8b", divided),
              "layers lie on one device, or in the host's memory: gpu-layers: give 1 device");
    EXPECT_EQ(refusal("llama-3-8b", training(Optimizer::adam)),
              "a training has all layers on the device: gpu-layers: leave it out, or look at inference");
    EXPECT_NE(refusal("t5-small", {}), "");
    EXPECT_NE(refusal("albert-base-v2", {}), "");
    EXPECT_EQ(refusal("llama-3-8b", {}), "");
}

TEST(Memory, MoreDevicesThanKeyHeadsDoNotDivideTheCacheFurther) {
    MemoryOptions options;
    options.sharding = {.devices = 16, .tensor = 16};
    const Memory found = memory_of(preset("llama-3-8b"), {.tokens = 1024}, options);
    EXPECT_EQ(found.device.cache.bytes, found.cache.bytes / 8);
    EXPECT_EQ(memory_of(preset("deepseek-v3"), {.tokens = 1024}, options).device.cache.bytes,
              memory_of(preset("deepseek-v3"), {.tokens = 1024}).cache.bytes);
}

// Of 8 key/value heads one of 6 devices has 2, with their queries; of more devices than these each has one.
TEST(Memory, OnADeviceIsThatOfTheFullest) {
    const Architecture arch = preset("qwen3-32b");
    const Input input{.tokens = 65536, .batch = 20};
    const auto held = [&](const Sharding& sharding) {
        MemoryOptions options;
        options.sharding = sharding;
        return memory_of(arch, input, options);
    };
    const Memory six = held({.devices = 6, .tensor = 6});
    EXPECT_EQ(six.device.cache.bytes, six.cache.bytes / 4);
    const std::int64_t layer_of_attention = 2 * 5120 * 64 * 128 + 2 * 5120 * 8 * 128;
    const std::int64_t attention = std::int64_t{2} * 64 * layer_of_attention;
    EXPECT_EQ(six.device.weights.bytes, attention / 4 + (six.weights.bytes - attention + 5) / 6);
    const Memory sixteen = held({.devices = 16, .tensor = 16});
    const std::int64_t of_keys = std::int64_t{2} * 64 * 2 * 5120 * 8 * 128;
    EXPECT_EQ(sixteen.device.cache.bytes, sixteen.cache.bytes / 8);
    EXPECT_EQ(sixteen.device.weights.bytes, of_keys / 8 + (sixteen.weights.bytes - of_keys + 15) / 16);
    const Memory stages = held({.devices = 5, .pipeline = 5});
    EXPECT_EQ(stages.device.cache.bytes, (stages.cache.bytes * 13 + 63) / 64) << "13 of 64 layers";
    EXPECT_GT(stages.device.weights.bytes, stages.weights.bytes / 5);

    MemoryOptions options;
    options.sharding = {.devices = 6, .tensor = 6};
    const CountedModel model = *held_model(arch, input);
    const Room room =
        MemoryFormulas(arch, model.graph, options).room(*find_device(*shipped_devices(), "h100"), model.bindings);
    EXPECT_FALSE(room.fits) << "80 GiB of cache";
    EXPECT_LT(room.largest_batch, 20);
    EXPECT_LT(room.longest_context, 65536);
}

TEST(Memory, ATrainingHasWholeLayersAndHeadsToo) {
    const Architecture arch = preset("qwen3-32b");
    for (const Optimizer optimizer : {Optimizer::adam, Optimizer::muon}) {
        MemoryOptions options = training(optimizer);
        options.sharding = {.devices = 5, .pipeline = 5};
        const Memory found = memory_of(arch, {}, options);
        const std::int64_t outside = 2 * found.weights_by_component[0].bytes + 2 * 5120;
        EXPECT_EQ(found.device.gradients.bytes, ((found.gradients.bytes - outside) * 13 + 63) / 64 + (outside + 4) / 5);
        EXPECT_GT(found.device.optimizer.bytes, found.optimizer.bytes / 5);
        EXPECT_LT(found.device.optimizer.bytes, found.optimizer.bytes * 13 / 64 + 1);
    }
}

TEST(Memory, ExpertsAreDividedByThemselves) {
    const Architecture arch = preset("deepseek-v3");
    MemoryOptions options = training(Optimizer::adam);
    options.sharding = {.devices = 2048, .tensor = 16, .zero = 1};
    const Bindings values = bindings(arch, {.tokens = 4096});
    const Memory alike = *memory(arch, expand(arch), values, options);
    options.sharding.expert = 64;
    const Memory apart = *memory(arch, expand(arch), values, options);
    const std::int64_t experts = std::int64_t{58} * 256 * 3 * 7168 * 2048;
    const std::int64_t rest = alike.weights.bytes - 2 * experts;
    EXPECT_EQ(alike.device.weights.bytes, (alike.weights.bytes + 15) / 16);
    EXPECT_EQ(apart.device.weights.bytes, (rest + 15) / 16 + 2 * experts / (16 * 64));
    EXPECT_EQ(apart.device.gradients.bytes, apart.device.weights.bytes);
    EXPECT_NEAR(static_cast<double>(apart.device.optimizer.bytes), static_cast<double>(alike.device.optimizer.bytes), 2)
        << "ZeRO divides it among all devices either way";
    EXPECT_EQ(apart.weights.bytes, alike.weights.bytes);
    options.sharding.offload = true;
    const Memory off = *memory(arch, expand(arch), values, options);
    EXPECT_EQ(off.host, apart.device.gradients.bytes + apart.device.optimizer.bytes);
    EXPECT_EQ(off.device.total + off.host, apart.device.total);
    EXPECT_EQ(off.total, apart.total);
}

TEST(Memory, AContextGroupDividesTokensAndNotWeights) {
    const Architecture arch = preset("llama-3.1-8b");
    for (MemoryOptions options : {MemoryOptions{}, training(Optimizer::adam)}) {
        options.sharding = {.devices = 4};
        const Bindings values = bindings(arch, {.tokens = 131072});
        const Memory alone = *memory(arch, expand(arch), values, options);
        options.sharding.context = 4;
        const Memory divided = *memory(arch, expand(arch), values, options);
        EXPECT_EQ(divided.device.weights.bytes, alone.device.weights.bytes);
        EXPECT_EQ(divided.device.cache.bytes, alone.device.cache.bytes / 4);
        EXPECT_EQ(divided.device.optimizer.bytes, alone.device.optimizer.bytes);
        if (options.training) {
            EXPECT_EQ(divided.device.activations.bytes, alone.device.activations.bytes / 4);
        }
    }
}

TEST(Memory, ImpossibleGroupsAreRefused) {
    const auto refused = [](const char* id, const Sharding& sharding) {
        MemoryOptions options;
        options.sharding = sharding;
        const std::optional<Error> wrong = wrong_options(options, preset(id));
        return wrong ? sentence(*wrong) : std::string();
    };
    EXPECT_EQ(refused("mixtral-8x7b", {.devices = 8, .expert = 8}), "");
    EXPECT_EQ(refused("mixtral-8x7b", {.devices = 8, .context = 4, .expert = 8}), "");
    EXPECT_EQ(refused("mixtral-8x7b", {.devices = 16, .expert = 16}),
              "8 experts cannot be divided among 16: expert: give at most 8");
    EXPECT_EQ(refused("mixtral-8x7b", {.devices = 8, .tensor = 4, .expert = 4}),
              "2 devices that have the same part of the other weights cannot be divided into groups of 4: expert: give "
              "a divisor of 2");
    EXPECT_EQ(refused("gpt2", {.devices = 2, .expert = 2}), "this model has no experts to divide: expert: give 1");
    EXPECT_EQ(refused("gpt2", {.devices = 4, .context = 3}),
              "4 devices cannot be divided into groups of 1 × 1 × 3: devices: give 6 devices, or other groups");
    EXPECT_EQ(refused("gpt2", {.offload = true}),
              "without training there are no gradients: offload: leave it out, or look at training");
}

TEST(DividedMemory, OfUnevenPartsSaysSo) {
    const auto uneven = [](const char* id, const Sharding& sharding) { return uneven_parts(sharding, preset(id)); };
    EXPECT_EQ(uneven("llama-3.1-70b", {.devices = 16, .tensor = 16}), "");
    EXPECT_EQ(uneven("llama-3.1-70b", {.devices = 3, .tensor = 3}),
              "64 heads among 3 devices, 8 key/value heads among 3 devices");
    EXPECT_EQ(uneven("llama-3.1-70b", {.devices = 3, .pipeline = 3}), "80 layers among 3 stages");
    EXPECT_EQ(uneven("mixtral-8x7b", {.devices = 3, .expert = 3}), "8 experts among 3 devices");
    EXPECT_EQ(sentence(*wrong_sharding({.devices = 200, .tensor = 200}, preset("llama-3.1-70b"))),
              "64 heads cannot be divided among 200 devices: tensor: give at most 64");
}

}  // namespace
}  // namespace headcount
