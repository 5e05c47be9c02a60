// measured, and what compute says is likely, run as a script would.
#include <gtest/gtest.h>

#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

TEST(MeasuredCommand, ListsEachBesideWhatIsPredicted) {
    const json found = run({"measured", "--json"}).json();
    ASSERT_GE(found["measured"].size(), 60U);
    for (const json& row : found["measured"]) {
        EXPECT_LE(row["tokens_per_second"].get<double>(), row["bound"].get<double>()) << row;
        EXPECT_GT(row["predicted"].get<double>(), 0) << row;
        EXPECT_FALSE(row["source"].get<std::string>().empty());
    }
    const Ran text = run({"measured"});
    EXPECT_TRUE(has(text.out, "127.7") && has(text.out, "rtx-4090") && has(text.out, "arXiv:2407.21783")) << text.err;
}

TEST(MeasuredCommand, ComputeSaysWhatIsLikelyAndOutOfWhat) {
    const json found =
        run({"compute", "llama-3-8b", "--tokens", "512", "--device", "rtx-4090", "--dtype", "fp16", "--json"}).json();
    for (const char* pass : {"prefill", "decode", "train"}) {
        const json& row = found[pass];
        ASSERT_TRUE(row.contains("likely")) << pass;
        EXPECT_GE(row["likely"]["seconds"], row["seconds"]) << pass;
        EXPECT_NEAR(row["likely"]["seconds"].get<double>() * row["likely"]["efficiency"].get<double>(),
                    row["seconds"].get<double>(), 1e-9);
        EXPECT_FALSE(row["likely"]["of"].empty());
    }
    EXPECT_EQ(found["decode"]["likely"]["of"][0]["device"], "rtx-4090");
    // 54.34 tokens a second were measured there.
    EXPECT_NEAR(found["decode"]["likely"]["tokens_per_second"].get<double>(), 54.34, 6);
    EXPECT_TRUE(has(run({"compute", "llama-3-8b", "--tokens", "512", "--device", "rtx-4090"}).out, "measurements: "));
    EXPECT_FALSE(has(run({"compute", "llama-3-8b", "--tokens", "512"}).out, "measurements: "));
    const auto on = [](const char* devices) {
        return run({"compute", "llama-3-8b", "--tokens", "512", "--device", "h100", "--tensor", devices}).out;
    };
    EXPECT_FALSE(has(on("1"), ", of at most ")) << on("1");
    EXPECT_TRUE(has(on("32"), ", of at most ")) << "no pass that so many share was measured";
}

TEST(MeasuredCommand, ComputeSaysWhatUsersWaitFor) {
    const json found =
        run({"compute", "llama-3-8b", "--tokens", "512", "--batch", "8", "--device", "h100", "--json"}).json();
    const json& served = found["served"];
    EXPECT_EQ(served["users"], 8);
    EXPECT_EQ(served["time_to_first_token"], found["prefill"]["seconds"]);
    EXPECT_EQ(served["tokens_per_second_for_all"], found["decode"]["tokens_per_second"]);
    EXPECT_DOUBLE_EQ(8 * served["tokens_per_second_for_one"].get<double>(),
                     served["tokens_per_second_for_all"].get<double>());
    EXPECT_EQ(served["likely"]["time_to_first_token"], found["prefill"]["likely"]["seconds"]);
    EXPECT_EQ(served["likely"]["time_per_token"], found["decode"]["likely"]["seconds"]);
    EXPECT_TRUE(has(run({"compute", "llama-3-8b", "--tokens", "512", "--device", "h100"}).out, "Time to first token"));
    EXPECT_FALSE(run({"compute", "llama-3-8b", "--tokens", "512", "--json"}).json().contains("served"));
}

TEST(MeasuredCommand, ComputeSaysWhyNothingIsLikely) {
    for (const std::string group : {"--pipeline", "--context"}) {
        const Ran text = run({"compute", "llama-3-8b", "--tokens", "512", "--device", "h100", group, "4"});
        EXPECT_TRUE(has(text.out, "How long the decode likely takes is not said: no decode over ")) << text.out;
        EXPECT_EQ(has(text.out, "How long the prefill"), group == "--pipeline");
        const json found =
            run({"compute", "llama-3-8b", "--tokens", "512", "--device", "h100", group, "4", "--json"}).json();
        EXPECT_FALSE(found["decode"].contains("likely"));
        EXPECT_TRUE(has(found["notes"].back().get<std::string>(), "was measured"));
        EXPECT_FALSE(found["served"]["likely"].contains("time_per_token"));
        EXPECT_EQ(found["served"]["likely"].contains("time_to_first_token"), group == "--context");
    }
}

TEST(MeasuredCommand, ReadsOnesOwn) {
    const testing_data::Scratch scratch;
    const std::string file = scratch.file("own.json", R"({"measured": [{"model": "gpt2", "device": "mem=8GB,bw=50GB/s,)"
                                                      R"(fp16=1T", "phase": "decode", "tokens": 512,)"
                                                      R"( "tokens_per_second": 100, "source": "mine"}]})");
    const json listed = run({"measured", "--measured", file, "--json"}).json();
    EXPECT_EQ(listed["measured"][0]["source"], "mine");
    const json found = run({"compute", "gpt2", "--tokens", "512", "--device", "mem=8GB,bw=50GB/s,fp16=1T", "--measured",
                            file, "--json"})
                           .json();
    EXPECT_EQ(found["decode"]["likely"]["of"][0]["source"], "mine");
    const Ran none = run({"compute", "gpt2", "--tokens", "512", "--measured", file});
    EXPECT_EQ(none.status(), 2);
    EXPECT_TRUE(has(none.err, "without a device there is no time")) << none.err;
    EXPECT_EQ(run({"measured", "--measured", "no-such-file.json"}).status(), 1);
}

}  // namespace
}  // namespace headcount
