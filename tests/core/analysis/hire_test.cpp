// Hours of devices and their price, beside what was published of trainings.
#include "core/analysis/hire.hpp"

#include <gtest/gtest.h>

#include "core/analysis/amount_text.hpp"
#include "core/files/devices.hpp"
#include "core/files/presets.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/counted.hpp"

namespace headcount {
namespace {

using testing_data::preset;

PassOptions on(const char* device) {
    PassOptions options;
    options.device = *find_device(*shipped_devices(), device);
    return options;
}

Hire trained(const char* id, std::int64_t length, std::int64_t tokens, const char* device,
             std::optional<double> mfu = {}, Precision format = Precision::bf16) {
    const PassOptions options = on(device);
    const Input input{.tokens = length, .precision = format};
    const Result<Pass> pass = pass_of(preset(id), input, Phase::training, options);
    EXPECT_TRUE(pass) << id;
    return hire_of(*pass, Phase::training, input, options, {.train_tokens = tokens, .price = {}, .mfu = mfu}, {})
        .value_or(Hire{});
}

constexpr std::int64_t trillion = 1'000'000'000'000;

// Touvron et al. 2023, "Llama 2" (arXiv:2307.09288), table 2: hours of an A100 80 GB, of 2.0 T tokens each.
TEST(Hire, OfLlama2IsLessThanItTook) {
    for (const auto& [id, hours] :
         {std::pair("llama-2-7b", 184'320), {"llama-2-13b", 368'640}, {"llama-2-70b", 1'720'320}}) {
        const Hire hire = trained(id, 4096, 2 * trillion, "a100");
        EXPECT_LT(hire.least, hours) << id;
        EXPECT_GT(hire.least, hours / 2.6) << id;
    }
}

// The Llama 3 Herd of Models (arXiv:2407.21783): 405 B and 15.6 T tokens at 38 to 43 % of the peak (table 4); the model
// card of Llama 3.1 says 30.84 M hours of an H100 of it, of 39.3 M for all three. It has longer sequences and restarts.
TEST(Hire, OfLlama31AtItsUtilizationIsWhatItTook) {
    const Hire hire = trained("llama-3.1-405b", 8192, 15'600'000'000'000, "h100", 0.38);
    EXPECT_NEAR(hire.likely.value_or(0) / 30.84e6, 1, 0.05);
    EXPECT_LT(hire.least, 0.45 * 30.84e6);
    EXPECT_LT(trained("llama-3.1-8b", 8192, 15 * trillion, "h100").least, 1.46e6);
    EXPECT_LT(trained("llama-3.1-70b", 8192, 15 * trillion, "h100").least, 7.0e6);
}

// DeepSeek-V3 Technical Report (arXiv:2412.19437), table 1: 2.664 M hours of an H800, which multiplies as fast as an
// H100, for 14.8 T tokens in fp8; 2.788 M in all, at 2 $ an hour 5.576 M $.
TEST(Hire, OfDeepSeekV3IsLessThanItTook) {
    EXPECT_LT(trained("deepseek-v3", 4096, 14'800'000'000'000, "h100").least, 2.664e6);
    EXPECT_LT(trained("deepseek-v3", 4096, 14'800'000'000'000, "h100", {}, Precision::fp8).least,
              trained("deepseek-v3", 4096, 14'800'000'000'000, "h100").least);
    EXPECT_EQ(real_text(2.788e6 * *parse_price("$2", "--price")), "5,576,000");
}

TEST(Hire, OfServingIsOfAMillionTokensAndFallsWithTheBatch) {
    const PassOptions options = on("h100");
    double alone = 0;
    for (const std::int64_t batch : {1, 8}) {
        const Input input{.tokens = 1024, .batch = batch};
        const Result<Pass> pass = pass_of(preset("llama-3-8b"), input, Phase::decode, options);
        ASSERT_TRUE(pass);
        const std::optional<Hire> hire = hire_of(*pass, Phase::decode, input, options, {}, {});
        ASSERT_TRUE(hire);
        EXPECT_EQ(hire->tokens, 1'000'000);
        EXPECT_DOUBLE_EQ(hire->least, 1e6 / static_cast<double>(batch) * *pass->seconds / 3600);
        if (batch == 1) alone = hire->least;
        if (batch == 8) {
            EXPECT_LT(hire->least, alone / 4) << "the weights are read once for all";
        }
        EXPECT_FALSE(hire->likely);
    }
    const Input input{.tokens = 1024};
    const Result<Pass> train = pass_of(preset("llama-3-8b"), input, Phase::training, options);
    EXPECT_FALSE(hire_of(*train, Phase::training, input, options, {}, {})) << "no tokens are said";
}

// A part of the peak says how fast is computed, and nothing of memory, which is slower for so few tokens.
TEST(Hire, IsLikelyNoLessThanAtTheRoof) {
    const Hire hire = trained("gpt2", 8, trillion, "h100", 1.0);
    EXPECT_EQ(hire.likely, hire.least);
    EXPECT_GT(*trained("gpt2", 8, trillion, "h100", 0.001).likely, hire.least);
}

// Devices that share a pass are each paid: twice as many at twice the speed take as many hours.
TEST(Hire, CountsEachDevice) {
    PassOptions options = on("h100");
    const Input input{.tokens = 2048};
    const Result<Pass> one = pass_of(preset("llama-2-7b"), input, Phase::prefill, options);
    options.sharding = {.devices = 4, .tensor = 4};
    const Result<Pass> shared = pass_of(preset("llama-2-7b"), input, Phase::prefill, options);
    EXPECT_NEAR(hire_of(*shared, Phase::prefill, input, options, {}, {})->least,
                device_hours(1'000'000, one->tokens, *one->seconds, 1), 1e-9);
}

TEST(Hire, ReadsPricesAndParts) {
    for (const char* text : {"2.5", "$2.5", "$ 2.50"}) EXPECT_DOUBLE_EQ(*parse_price(text, "--price"), 2.5) << text;
    for (const char* text : {"", "$", "free", "0", "-1", "2.5 EUR", "1e99"})
        EXPECT_FALSE(parse_price(text, "--price")) << text;
    EXPECT_DOUBLE_EQ(*parse_part("41%", "--mfu"), 0.41);
    EXPECT_DOUBLE_EQ(*parse_part("0.41", "--mfu"), 0.41);
    for (const char* text : {"", "%", "41", "0", "101%", "-1%"}) EXPECT_FALSE(parse_part(text, "--mfu")) << text;
}

}  // namespace
}  // namespace headcount
