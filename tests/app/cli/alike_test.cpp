// Figures that several commands say: where one had words or numbers of its own for them.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/analysis/amount_text.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

Ran ran_well(const std::vector<std::string>& words) {
    Ran ran = run(words);
    EXPECT_EQ(ran.status(), 0) << ran.err;
    return ran;
}

// Nothing that Mamba holds grows with the text.
TEST(Alike, RoomForAnyContextIsSaidInOneWay) {
    const auto with = [](std::vector<std::string> words) {
        words.insert(words.end(), {"--tokens", "4k", "--device", "t4", "--dtype", "q4_k_m"});
        return ran_well(words);
    };
    EXPECT_TRUE(has(with({"memory", "mamba-2.8b"}).out, "any"));
    EXPECT_TRUE(with({"memory", "mamba-2.8b", "--json"}).json()["devices"][0]["longest_context"].is_null());
    const std::vector<std::string> sweep{"sweep",     "mamba-2.8b", "--vary",
                                         "batch=1,2", "--show",     "longest_context,largest_batch"};
    std::vector<std::string> in_json = sweep;
    in_json.emplace_back("--json");
    EXPECT_TRUE(has(with(sweep).out, "any")) << with(sweep).out;
    EXPECT_TRUE(with(in_json).json()["points"][0]["longest_context"].is_null());
    const std::string beside = with({"compare", "mamba-2.8b", "llama-3-8b"}).out;
    EXPECT_FALSE(has(beside, "-any") || has(beside, "2,305,843,009,213")) << beside;
    const json figures = with({"compare", "mamba-2.8b", "llama-3-8b", "--json"}).json()["figures"];
    for (const json& row : figures)
        if (row["figure"] == "longest_context") {
            EXPECT_TRUE(row["a"].is_null() && row["difference"].is_null()) << row;
            EXPECT_TRUE(row["b"].is_number()) << row;
        }
    EXPECT_TRUE(with({"sensitivity", "mamba-2.8b", "--json"}).json()["now"]["longest_context"].is_null());
}

TEST(Alike, WeightsOfATrainingAreAsItsRecipeKeepsThem) {
    for (const std::vector<std::string>& how : {std::vector<std::string>{}, {"--recipe", "pytorch"}}) {
        std::vector<std::string> memory{"memory", "llama-3-8b", "--tokens", "512", "--phase", "train", "--json"};
        std::vector<std::string> sweep{"sweep", "llama-3-8b", "--vary", "tokens=512", "--phase", "train", "--json"};
        for (std::vector<std::string>* words : {&memory, &sweep}) words->insert(words->end(), how.begin(), how.end());
        sweep.emplace_back("--memory");
        EXPECT_EQ(ran_well(sweep).json()["points"][0]["weights"], ran_well(memory).json()["weights"]["total"]);
    }
    EXPECT_TRUE(has(ran_well({"memory", "llama-3-8b", "--tokens", "512", "--train", "adam", "--recipe", "pytorch"}).out,
                    "weights in fp32, computed in bf16"));
}

// The document that one hands on for a training.
TEST(Alike, AReportSaysWhatMemorySaysOfATraining) {
    const testing_data::Scratch scratch;
    const std::vector<std::string> how{"llama-3-8b", "--tokens", "4096", "--train",     "adam8", "--devices",
                                       "8",          "--zero",   "2",    "--recompute", "full"};
    std::vector<std::string> memory{"memory", "--json"}, report{"report"};
    const std::string file = (scratch.folder() / "budget.md").string();
    for (std::vector<std::string>* words : {&memory, &report}) words->insert(words->end(), how.begin(), how.end());
    report.insert(report.end(), {"-o", file});
    ran_well(report);
    const std::string text = *read_text(file);
    const json held = ran_well(memory).json();
    for (const char* part : {"gradients", "optimizer", "total"})
        EXPECT_TRUE(has(text, grouped(held[part].get<std::int64_t>()))) << part << '\n' << text;
    EXPECT_TRUE(has(text, "trained with adam8, in the formats of zero, computed again: full")) << text;
    EXPECT_TRUE(has(run({"report", "gpt2", "--zero", "1", "-o", file}).err, "add --train OPTIMIZER"));
}

// What a device has to hold and how long it works, in what words it was asked for, and which call makes it again.
TEST(Alike, AReportSaysWhatTrainingAdaptersTakes) {
    const testing_data::Scratch scratch;
    const std::vector<std::string> how{"llama-2-7b", "--tokens", "512",      "--adapter", "qlora",
                                       "--rank",     "64",       "--device", "rtx-4090",  "--train-tokens",
                                       "10M",        "--price",  "0.5"};
    const std::string file = (scratch.folder() / "adapters.md").string();
    std::vector<std::string> compute{"compute", "--json"}, report{"report"};
    for (std::vector<std::string>* words : {&compute, &report}) words->insert(words->end(), how.begin(), how.end());
    report.insert(report.end(), {"-o", file});
    ran_well(report);
    const std::string text = *read_text(file);
    const json step = ran_well(compute).json();
    EXPECT_TRUE(has(text,
                    "beside them adapters of rank 64 beside all linear layers in fp32, these alone trained with "
                    "adam, computed again: none"))
        << text;
    EXPECT_TRUE(has(text, grouped(4 * 159'907'840))) << "PEFT's own count of them, in 32 bits";
    EXPECT_TRUE(has(text, grouped(step["train"]["flops"].get<std::int64_t>())));
    const auto hire = std::ranges::find(step["hire"], "train", [](const json& row) { return row["phase"]; });
    ASSERT_NE(hire, step["hire"].end());
    EXPECT_TRUE(has(text, real_text((*hire)["device_hours"]["least"].get<double>()))) << *hire;
    EXPECT_TRUE(has(text, "On one device the training takes "));
    EXPECT_TRUE(has(text, "This makes it again: headcount report llama-2-7b --tokens 512 --adapter qlora --rank 64"));
}

TEST(Alike, WhatASweepVariesIsNoInputOfAllPoints) {
    const json input = ran_well({"sweep", "gpt2", "--vary", "tokens=8,16", "--batch", "3", "--json"}).json()["input"];
    EXPECT_FALSE(input.contains("tokens")) << input;
    EXPECT_EQ(input["batch"], 3);
}

// With experts divided each device has a batch of its own, as the price and what is read of experts have it.
TEST(Alike, AllUsersAreThoseOfAllDevices) {
    const std::vector<std::string> asked{"compute", "deepseek-v3", "--tokens", "512",  "--batch",  "16",
                                         "--phase", "decode",      "--device", "h200", "--expert", "8"};
    std::vector<std::string> in_json = asked;
    in_json.emplace_back("--json");
    const json served = ran_well(in_json).json()["served"];
    EXPECT_EQ(served["users"], 128);
    EXPECT_EQ(served["copies"], 8);
    EXPECT_DOUBLE_EQ(served["tokens_per_second_for_all"].get<double>(), 128 / served["time_per_token"].get<double>());
    const Ran text = ran_well(asked);
    EXPECT_TRUE(has(text.out, "for 8 × 16 = 128 users at once")) << text.out;
    EXPECT_TRUE(has(text.out, "for each of 8 devices")) << text.out;
    EXPECT_TRUE(has(text.err, "8 devices hold 8 copies of all but the experts, which are divided among 8")) << text.err;
}

}  // namespace
}  // namespace headcount
