// compute and report with hours of devices and prices, run as a script would.
#include <gtest/gtest.h>

#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

TEST(HireCommand, SaysHoursAndPricesOfEveryPass) {
    const json found = run({"compute", "llama-3-8b", "--tokens", "2048", "--batch", "8", "--device", "h100",
                            "--train-tokens", "15T", "--price", "2", "--json"})
                           .json();
    ASSERT_EQ(found["hire"].size(), 4u);
    for (const json& row : found["hire"]) {
        EXPECT_LE(row["device_hours"]["least"], row["device_hours"]["likely"]);
        EXPECT_DOUBLE_EQ(row["price"]["least"].get<double>(), 2 * row["device_hours"]["least"].get<double>());
    }
    EXPECT_EQ(found["hire"][1]["sequences"], 8);
    EXPECT_EQ(found["hire"][2]["sequences"], 1);
    EXPECT_LT(found["hire"][1]["price"]["least"], found["hire"][2]["price"]["least"]);
    const double hours = 15e12 / found["train"]["tokens_per_second"].get<double>() / 3600;
    EXPECT_NEAR(found["hire"][3]["device_hours"]["least"].get<double>() / hours, 1, 1e-9);
}

// With a batch the row for one sequence is that of a batch of one, of which each device reads its share of the experts.
TEST(HireCommand, OneSequenceIsThatOfABatchOfOneWhereExpertsAreDivided) {
    const auto hires = [](const char* batch) {
        return run({"compute", "deepseek-v3", "--tokens", "4096", "--batch", batch, "--devices", "8", "--expert", "8",
                    "--device", "h100", "--price", "2", "--json"})
            .json()["hire"];
    };
    EXPECT_EQ(hires("8").at(2)["device_hours"]["least"], hires("1").at(1)["device_hours"]["least"]);
}

// Touvron et al. 2023, LLaMA (arXiv:2302.13971), table 15: 1,022,362 hours of an A100 for 1.4 T tokens with 65 B, which
// had 380 tokens a second; and Llama 2's 70 B, 1,720,320 hours for 2.0 T (arXiv:2307.09288, table 2).
TEST(HireCommand, TheLikelyHoursAreThoseThatTrainingsTook) {
    const auto likely = [](const char* id, const char* length, const char* tokens) {
        return run({"compute", id, "--tokens", length, "--batch", "4", "--device", "a100", "--devices", "2048",
                    "--tensor", "8", "--train-tokens", tokens, "--json"})
            .json()["hire"]
            .back()["device_hours"]["likely"]
            .get<double>();
    };
    EXPECT_NEAR(likely("llama-65b", "2048", "1.4T") / 1'022'362, 1, 0.35);
    EXPECT_NEAR(likely("llama-2-70b", "4096", "2T") / 1'720'320, 1, 0.35);
}

// 16,384 devices, as Llama 3.1 405B had: 54 days of pre-training are what its report counts interruptions in.
TEST(HireCommand, SaysHowManyDaysThatIs) {
    const Ran ran = run({"compute", "llama-3.1-405b", "--tokens", "8192", "--device", "h100", "--devices", "16384",
                         "--tensor", "8", "--pipeline", "16", "--train-tokens", "15.6T", "--mfu", "38%"});
    EXPECT_TRUE(has(ran.out, "On 16,384 devices the training takes ")) << ran.out.substr(0, 2000) << ran.err;
    EXPECT_TRUE(has(ran.out, " days at least, likely 76.95.")) << ran.out.substr(0, 2500);
}

TEST(HireCommand, SaysWhatIsMissing) {
    EXPECT_TRUE(has(run({"compute", "gpt2", "--tokens", "8", "--price", "2"}).err, "add --device"));
    EXPECT_TRUE(
        has(run({"compute", "gpt2", "--tokens", "8", "--device", "h100", "--mfu", "40%"}).err, "add --train-tokens"));
    EXPECT_TRUE(has(run({"compute", "gpt2", "--tokens", "8", "--device", "h100", "--price", "cheap"}).err, "no price"));
    EXPECT_FALSE(run({"compute", "gpt2", "--tokens", "8", "--device", "h100", "--json"}).json().contains("hire"));
    EXPECT_TRUE(has(run({"report", "gpt2", "--price", "2", "-o", "x.md"}).err, "add --device"));
    EXPECT_TRUE(has(run({"report", "gpt2", "--device", "phone", "--price", "2", "-o", "x.md"}).err, "not published"));
    EXPECT_TRUE(has(run({"report", "gpt2", "--device", "h100", "--price", "2", "-o", "x.xlsx"}).err,
                    "a spreadsheet has no hours"));
}

TEST(HireCommand, DevicesThatAreVariedHaveAPriceEach) {
    const auto swept = [](const std::string& prices) {
        return run({"sweep", "gpt2", "--vary", "device=H100,rtx-4090", "--show", "price", "--price", prices, "--json"});
    };
    const json alike = swept("2").json()["points"], each = swept("RTX-4090=0.5,h100=2").json()["points"];
    EXPECT_EQ(alike[0]["price"], each[0]["price"]);
    EXPECT_DOUBLE_EQ(alike[1]["price"].get<double>(), 4 * each[1]["price"].get<double>());
    EXPECT_TRUE(has(swept("h100=2").err, "no price of an hour of rtx-4090 is said: --price: add rtx-4090=PRICE"));
    EXPECT_TRUE(has(swept("h100=2,rtx-4090=1,a100=1").err, "not varied"));
    EXPECT_TRUE(has(swept("2,rtx-4090=1").err, "\"2\" says no device"));
}

}  // namespace
}  // namespace headcount
