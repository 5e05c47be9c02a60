// Measured speeds: those that ship against the bounds, against each other, and what is wrong with one's own.
#include "core/files/measured.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "core/analysis/links.hpp"
#include "core/analysis/rates.hpp"
#include "core/analysis/sweep.hpp"
#include "core/files/devices.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;

std::vector<Measurement> shipped() {
    Result<std::vector<Measurement>> all = load_measured(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "measured.json");
    EXPECT_TRUE(all) << sentence(all.error());
    return all ? *std::move(all) : std::vector<Measurement>{};
}

// The one property that a lower bound must have. And a measurement far below it would be another quantity.
TEST(Measured, NothingThatSomebodyMeasuredIsFasterThanItsBound) {
    Measured measured(shipped());
    std::set<Phase> phases;
    std::set<std::string> devices;
    for (std::size_t i = 0; i < measured.all().size(); ++i) {
        const Measurement& each = measured.all()[i];
        const Result<MeasuredTime> time = measured.time(i);
        ASSERT_TRUE(time) << each.model << ": " << sentence(time.error());
        EXPECT_LE(time->efficiency(), 1) << each.model << " on " << each.run.device.id << ", " << each.source;
        EXPECT_GE(time->efficiency(), 0.1) << each.model << " on " << each.run.device.id << ", " << each.source;
        EXPECT_FALSE(each.source.empty() || each.with.empty()) << each.model;
        phases.insert(each.run.phase);
        devices.insert(each.run.device.id);
    }
    EXPECT_EQ(phases.size(), phase_words.size());
    EXPECT_GE(measured.all().size(), 60U);
    EXPECT_GE(devices.size(), 15U);
}

// Each is predicted out of the others alone: half of them within 15 %, nine in ten within a factor of 1.6.
TEST(Measured, PredictsEachMeasurementOutOfTheOthers) {
    Measured measured(shipped());
    std::vector<double> off;
    for (std::size_t i = 0; i < measured.all().size(); ++i) {
        const std::optional<Efficiency> others = measured.efficiency(measured.all()[i].run, i);
        ASSERT_TRUE(others);
        EXPECT_EQ(std::ranges::count(others->of, i), 0);
        EXPECT_LE(others->least, others->likely);
        EXPECT_LE(others->likely, others->most);
        off.push_back(std::abs(std::log(others->likely / measured.time(i)->efficiency())));
    }
    std::ranges::sort(off);
    EXPECT_LT(off[off.size() / 2], std::log(1.15));
    EXPECT_LT(off[off.size() * 9 / 10], std::log(1.6));
}

// MFU as Llama 3's paper has it: 43 % of 128 GPUs are 128 · 0.43 · 989.4 TFLOP a second.
TEST(Measured, ModelFlopsUtilizationIsAShareOfThePeak) {
    Measured measured(shipped());
    for (std::size_t i = 0; i < measured.all().size(); ++i) {
        const Measurement& each = measured.all()[i];
        if (each.rate.mfu != 0.43) continue;
        const Result<MeasuredTime> time = measured.time(i);
        ASSERT_TRUE(time);
        const Pass pass = *pass_of(testing_data::preset("llama-3.1-405b"), each.run.input, Phase::training);
        EXPECT_NEAR(static_cast<double>(pass.work.flops.full) / time->seconds / 128 / 1e12, 0.43 * 989.4, 0.01);
        // The paper says 430 TFLOP a second of each GPU, and counts as 6·N a token and scores.
        EXPECT_NEAR(static_cast<double>(pass.work.flops.full) / time->seconds / 128 / 1e12, 430, 430 * 0.02);
        return;
    }
    FAIL() << "it does not ship";
}

constexpr const char* own = R"({"measured": [{"model": "llama-2-7b", "device": "mem=24GB,bw=1TB/s,fp16=100T",
    "phase": "decode", "tokens": 512, "tokens_per_second": 30, "source": "mine"}]})";

TEST(Measured, OnesOwnCountsForTheSameDeviceAndInput) {
    const Scratch scratch;
    const Result<std::vector<Measurement>> all = all_measured(scratch.file("own.json", own));
    ASSERT_TRUE(all) << sentence(all.error());
    Measured measured(*all);
    ASSERT_EQ(measured.all().front().source, "mine");
    const std::vector<Alike> alike = most_alike(measured.all(), measured.all().front().run);
    ASSERT_FALSE(alike.empty());
    EXPECT_EQ(alike.front().place, 0U);
    // 13.2 GB of weights and the cache at 1 TB/s are 13.5 ms, measured were 33.3.
    EXPECT_NEAR(measured.time(0)->efficiency(), 0.0135 * 30, 0.01);
    for (const Alike& each : alike) EXPECT_EQ(measured.all()[each.place].run.phase, Phase::decode);
    // All other measurements are of other devices: what was measured here is nearly what is likely here.
    EXPECT_NEAR(measured.efficiency(measured.all().front().run)->likely, measured.time(0)->efficiency(), 0.02);
}

TEST(Measured, OneTokenBehindOthersIsADecodingStepWhateverItIsCalled) {
    const Architecture arch = testing_data::preset("llama-3.1-8b");
    Measured measured(*all_measured());
    PassOptions options;
    options.device = *find_device(*shipped_devices(), "rtx-4090");
    const Input step{.tokens = 1, .cached = 8191};
    const auto likely = [&](Phase phase) {
        return measured.likely(*pass_of(arch, step, phase, options), phase, {}, step, options)->seconds();
    };
    EXPECT_EQ(likely(Phase::prefill), likely(Phase::decode));
}

// And a sweep says the same.
TEST(Measured, MoreUsersNeverMakeADecodingStepQuicker) {
    const auto measured = std::make_shared<Measured>(*all_measured());
    const std::vector<Device> devices = *shipped_devices();
    for (const char* const id : {"llama-3.1-8b", "mixtral-8x7b", "deepseek-v3"})
        for (const char* const device : {"h100", "a100", "l40s", "rtx-4090"}) {
            const Architecture arch = testing_data::preset(id);
            PassOptions options;
            options.phase = Phase::decode;
            options.device = *find_device(devices, device);
            double before = 0, first = 0;
            for (const std::int64_t batch : {1, 2, 3, 5, 8, 13, 32, 64, 100, 300, 1000}) {
                const Input input{.tokens = 2048, .batch = batch, .precision = Precision::fp8};
                const Result<Likely> likely =
                    measured->likely(*pass_of(arch, input, Phase::decode, options), Phase::decode,
                                     step_bound(arch, input, options), input, options);
                ASSERT_TRUE(likely) << sentence(likely.error());
                EXPECT_GE(likely->seconds(), before) << id << " " << device << " " << batch;
                before = likely->seconds();
                const Result<SweepPoint> point =
                    PointMaker(input, wants_for_all(options, reached_by(measured))).at(arch);
                ASSERT_TRUE(point);
                EXPECT_EQ(point->likely, before);
                EXPECT_EQ(point->likely_served->next_token, before);
                const Input step{.tokens = 1, .batch = batch, .cached = 2047, .precision = Precision::fp8};
                const Served served = likely_served(*served_of(arch, step, options), step_bound(arch, step, options),
                                                    step, options, *reached_by(measured));
                EXPECT_GE(served.first_token, first) << "of a prompt that is a step, too";
                first = *served.first_token;
            }
        }
}

TEST(Measured, WhatIsSentHidesNoFewerUsers) {
    const Architecture arch = testing_data::preset("mixtral-8x7b");
    Measured measured(*all_measured());
    const Input input{.tokens = 2048, .batch = 64};
    PassOptions options;
    options.phase = Phase::decode;
    options.device = *find_device(*shipped_devices(), "h100");
    options.sharding = {.devices = 2, .tensor = 2};
    const auto likely = [&] {
        return *measured.likely(*device_pass_of(arch, input, Phase::decode, options), Phase::decode,
                                step_bound(arch, input, options), input, options);
    };
    const double alone = likely().seconds();
    for (const double link : {1e9, 450e9}) {
        options.link = link;
        const Likely sent = likely();
        EXPECT_GT(sent.sending, 0);
        EXPECT_EQ(sent.seconds(), std::max(alone, sent.sending)) << link;
    }
}

TEST(Measured, NothingIsLikelyOfATokenThatStagesTakeTurnsWith) {
    const Architecture arch = testing_data::preset("llama-3.1-8b");
    Measured measured(*all_measured());
    const Input input{.tokens = 8192};
    for (std::int64_t Sharding::*const group : {&Sharding::tensor, &Sharding::pipeline, &Sharding::context}) {
        PassOptions options;
        options.device = *find_device(*shipped_devices(), "h100");
        options.sharding.devices = options.sharding.*group = 4;
        const auto likely = [&](Phase phase) {
            return bool(measured.likely(*pass_of(arch, input, phase, options), phase, {}, input, options));
        };
        EXPECT_EQ(likely(Phase::prefill), group != &Sharding::pipeline);
        EXPECT_EQ(likely(Phase::decode), group == &Sharding::tensor);
    }
}

TEST(Measured, SaysWhatIsWrongWithAFileAndWhere) {
    const Scratch scratch;
    const auto said = [&](const std::string& one) {
        const std::string path = scratch.file("own.json", R"({"measured": [)" + one + "]}");
        const Result<std::vector<Measurement>> all = load_measured(path);
        EXPECT_FALSE(all) << one;
        if (all) return std::string();
        std::string text = sentence(all.error());
        return text.replace(text.find(path), path.size(), "FILE");
    };
    const std::string start = R"({"model": "gpt2", "source": "mine", "device": "rtx-4090", "phase": "decode")";
    EXPECT_EQ(said(start + "}"),
              "nothing says how fast it was: FILE, measured[0]: give one of tokens_per_second, "
              "seconds and mfu");
    EXPECT_EQ(said(start + R"(, "seconds": 1, "mfu": 0.5})"),
              "there are two speeds: FILE, measured[0]: give one of tokens_per_second, seconds and mfu");
    EXPECT_EQ(said(start + R"(, "mfu": 43})"),
              "this is no such number: FILE, measured[0].mfu: give a part of 1, such as 0.4");
    EXPECT_NE(said(R"({"model": "gpt2", "source": "mine", "device": "rtx-4091", "phase": "decode", "seconds": 1})")
                  .find("there is no such device"),
              std::string::npos);
    EXPECT_NE(said(R"({"model": "gpt2", "source": "m", "device": "rtx-4090", "phase": "rest", "seconds": 1})")
                  .find("give prefill, decode or train"),
              std::string::npos);
}

}  // namespace
}  // namespace headcount
