// compute and the like run as a script would: times of what is divided, sent and computed again.
#include <gtest/gtest.h>

#include "app/cli/model.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/base/text.hpp"
#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

TEST(Times, WhatIsComputedAgainAndWhatIsSentTakeTime) {
    const auto train = [](std::vector<std::string> more) {
        std::vector<std::string> all{"compute", "gpt2",    "--tokens", "512",   "--device",
                                     "h100",    "--phase", "train",    "--json"};
        all.insert(all.end(), more.begin(), more.end());
        return run(all).json()["train"];
    };
    const json none = train({}), full = train({"--recompute", "full"});
    const double more = full["flops"].get<double>() / none["flops"].get<double>();
    EXPECT_TRUE(more > 1.2 && more < 4.0 / 3) << more << ": all but the output head";
    EXPECT_GT(full["seconds"], none["seconds"]);
    const json copies = train({"--devices", "8", "--link", "1GB/s"});
    EXPECT_EQ(copies["links"]["data"]["devices"], 8);
    EXPECT_EQ(copies["seconds"], copies["link_seconds"]);
    EXPECT_GE(copies["likely"]["seconds"], copies["link_seconds"]);
    const std::vector<std::string> step{"compute", "gpt2",     "--tokens", "512",    "--batch", "8",     "--device",
                                        "h100",    "--tensor", "4",        "--link", "1GB/s",   "--json"};
    const json served = run(step).json();
    EXPECT_EQ(served["served"]["time_per_token"], served["decode"]["seconds"]);
    EXPECT_GE(served["served"]["likely"]["time_per_token"], served["served"]["time_per_token"]);
}

TEST(Times, ATrainingWhoseHoursAreSaidIsHeldAsOne) {
    const std::vector<std::string> words{"compute",  "llama-3-8b", "--tokens",       "4k",
                                         "--device", "h100",       "--train-tokens", "1T"};
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> all = words;
        all.insert(all.end(), more.begin(), more.end());
        return run(all);
    };
    EXPECT_TRUE(has(with({}).out, "The training does not fit: each device would hold"));
    EXPECT_TRUE(has(run({"compute", "llama-3-8b", "--tokens", "64", "--device", "rtx-4090"}).out,
                    "The training does not fit: each device would hold"))
        << "its time is in the table without being asked for";
    const json all = with({"--json"}).json();
    EXPECT_TRUE(all["fits"] == true && all["train"]["fits"] == false);
    EXPECT_TRUE(has(with({"--dtype", "int4"}).err, "--train-tokens"));
    const Ran split = run({"compute", "llama-3-8b", "--tokens", "4k", "--device", "h100", "--gpu-layers", "10"});
    EXPECT_TRUE(has(split.out, "lies in the host's memory was measured")) << split.out;
}

TEST(Times, EveryCommandKnowsWhatIsSentTakesTime) {
    const std::vector<std::string> how{"--tokens", "512",      "--batch", "8",      "--device",
                                       "h100",     "--tensor", "4",       "--link", "1GB/s"};
    const auto with = [&](std::vector<std::string> words) {
        words.insert(words.end(), how.begin(), how.end());
        return run(words);
    };
    const json computed = with({"compute", "gpt2", "--json"}).json();
    const json point = with({"sweep", "gpt2", "--vary", "layers=12", "--json"}).json()["points"][0];
    EXPECT_EQ(point["seconds"], computed["prefill"]["seconds"]);
    EXPECT_EQ(point["likely_seconds"], computed["prefill"]["likely"]["seconds"]);
    EXPECT_EQ(point["time_per_token"], computed["served"]["time_per_token"]);
    EXPECT_EQ(point["likely_time_per_token"], computed["served"]["likely"]["time_per_token"]);
    const std::string link = with({"link", "gpt2"}).out;
    const json linked = run({"compute", link.substr(0, link.find('\n')), "--json"}).json();
    EXPECT_EQ(linked["prefill"], computed["prefill"]) << "a link says it too";
    EXPECT_EQ(linked["input"]["link"], 1e9);
    EXPECT_TRUE(
        has(with({"ask", "time to first token of gpt2"}).out, seconds_text(computed["served"]["time_to_first_token"])));
    EXPECT_TRUE(has(with({"memory", "gpt2"}).err, "\"memory\" has no use for this: --link"));
    EXPECT_TRUE(has(run({"sweep", "gpt2", "--vary", "layers=1", "--device", "h100", "--link", "1GB/s"}).err,
                    "nothing is sent between devices: --link"));
    EXPECT_EQ(run({"sweep", "gpt2", "--vary", "tensor=1,2", "--device", "h100", "--link", "1GB/s"}).status(), 0);
}

TEST(Times, EveryCommandDividesExperts) {
    const std::vector<std::string> how{"--tokens", "4096",   "--batch",  "64", "--device", "h200",
                                       "--phase",  "decode", "--expert", "8",  "--dtype",  "fp8"};
    const auto with = [&](std::vector<std::string> words, std::vector<std::string> more = {"--json"}) {
        words.insert(words.end(), how.begin(), how.end());
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    };
    const json computed = with({"compute", "deepseek-v3"}).json();
    const json swept = with({"sweep", "deepseek-v3", "--vary", "layers=61", "--show", "seconds,memory"}).json();
    EXPECT_EQ(swept["points"][0]["seconds"], computed["decode"]["seconds"]);
    EXPECT_EQ(swept["points"][0]["memory"], computed["decode"]["on_device"]);
    const json compared = with({"compare", "deepseek-v3", "deepseek-v3"}).json();
    EXPECT_TRUE(has(compared.dump(), computed["decode"]["seconds"].dump())) << compared;
    const testing_data::Scratch scratch;
    EXPECT_EQ(with({"report", "deepseek-v3"}, {"-o", (scratch.folder() / "a.md").string()}).status(), 0);
}

}  // namespace
}  // namespace headcount
