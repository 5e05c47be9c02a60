// sweep and sensitivity, run as a script would, and what they share with solve.
#include <gtest/gtest.h>

#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

TEST(Sweep, PrintsATableCsvOrJson) {
    Ran text = run({"sweep", "llama-2-7b", "--vary", "layers=8..32:8"});
    EXPECT_EQ(text.status(), 0) << text.err;
    EXPECT_TRUE(has(text.out, "6,738,415,616")) << text.out;
    Ran values = run({"sweep", "llama-2-7b", "--vary", "layers=32..33", "--csv"});
    EXPECT_TRUE(has(values.out, "\nlayers,total,active,weights,kv_cache,kv_cache_per_token,flops\r\n32,6738415616"))
        << values.out;
    const json found =
        run({"sweep", "llama-2-7b", "--vary", "layers=31..32", "--vary", "dim=4096..4100", "--json"}).json();
    EXPECT_EQ(found["points"].size(), 2u);
    EXPECT_EQ(found["left_out"], 8);
    EXPECT_EQ(found["points"][1]["total"], 6738415616);
}

TEST(Sweep, HasTheCacheThatMemoryHas) {
    for (const char* precision : {"fp32", "bf16", "int8", "int4"}) {
        const json swept =
            run({"sweep", "gpt2", "--vary", "layers=12..12", "--tokens", "64", "--dtype", precision, "--json"}).json();
        const json alone = run({"memory", "gpt2", "--tokens", "64", "--dtype", precision, "--json"}).json();
        EXPECT_EQ(swept["points"][0]["kv_cache"], alone["kv_cache"]["total"]) << precision;
        EXPECT_EQ(swept["points"][0]["weights"], alone["weights"]["total"]) << precision;
    }
}

TEST(Sweep, BadRangesAreSentences) {
    Ran backwards = run({"sweep", "llama-2-7b", "--vary", "layers=32..8"});
    EXPECT_EQ(backwards.status(), 2);
    EXPECT_EQ(backwards.err, "headcount: the range layers=32..8 runs backwards: --vary: write it as layers=8..32\n");
    EXPECT_EQ(run({"sweep", "llama-2-7b"}).status(), 2);
    EXPECT_EQ(run({"sweep", "llama-2-7b", "--vary", "layers=1..2", "--csv", "--json"}).status(), 2);
}

TEST(Sensitivity, SaysWhatOneStepMoreAdds) {
    const json found = run({"sensitivity", "llama-2-7b", "--tokens", "64", "--json"}).json();
    EXPECT_EQ(found["by"], "total");
    EXPECT_EQ(found["now"]["total"], 6738415616);
    bool layers = false;
    for (const json& step : found["steps"]) {
        if (step["field"] != "layers") continue;
        layers = true;
        EXPECT_EQ(step["to"], 33);
        EXPECT_EQ(step["total"], 202383360);
        EXPECT_EQ(step["kv_cache_per_token"], 16384);
    }
    EXPECT_TRUE(layers);
    Ran text = run({"sensitivity", "llama-2-7b"});
    EXPECT_TRUE(has(text.out, "+202,383,360")) << text.out;
    EXPECT_TRUE(has(run({"sensitivity", "gpt2", "--csv"}).out, "\r\nfield,from,to,total,active,weights,kv_cache,"));
}

TEST(Sensitivity, SortsByWhatIsAskedFor) {
    EXPECT_EQ(run({"sensitivity", "gpt2", "--by", "speed"}).err,
              "headcount: \"speed\" is not known: --by: give one of total, active, weights, kv_cache, "
              "kv_cache_per_token, states, memory, flops, seconds, flops_per_token, tokens_per_second, likely_seconds, "
              "time_to_first_token, time_per_token, likely_time_to_first_token, likely_time_per_token, "
              "tokens_per_second_for_one, tokens_per_second_for_all, "
              "longest_context, largest_batch, price\n");
    for (const char* by : {"longest_context", "likely_seconds", "tokens_per_second_for_one"}) {
        const json steps = run({"sensitivity", "gpt2", "--device", "h100", "--by", by, "--json"}).json()["steps"];
        EXPECT_NE(steps[0].value(by, 0.0), 0) << by << " of " << steps[0];
    }
    EXPECT_TRUE(has(run({"sensitivity", "gpt2", "--by", "price", "--device", "h100"}).err, "add --price"));
    EXPECT_TRUE(has(run({"sensitivity", "gpt2", "--price", "2"}).err, "a price is a device's"));
    const json priced =
        run({"sensitivity", "gpt2", "--by", "price", "--device", "h100", "--price", "2", "--json"}).json();
    EXPECT_GT(priced["steps"][0]["price"].get<double>(), 0);
    EXPECT_TRUE(has(run({"sensitivity", "gpt2", "--by", "seconds"}).err, "--device"));
    const json found = run({"sensitivity", "gpt2", "--by", "seconds", "--hardware", "rtx-4090", "--json"}).json();
    EXPECT_TRUE(found["steps"][0]["seconds"].is_number_float());
    EXPECT_EQ(run({"sensitivity", "gpt2", "--csv", "--json"}).status(), 2);
}

TEST(Sweep, HasTimeAndMemoryForADevice) {
    const json found =
        run({"sweep", "gpt2", "--vary", "layers=12..13", "--tokens", "64", "--hardware", "rtx-4090", "--json"}).json();
    const json alone = run({"memory", "gpt2", "--tokens", "64", "--json"}).json();
    EXPECT_EQ(found["points"][0]["memory"], alone["total"]);
    const json compute = run({"compute", "gpt2", "--tokens", "64", "--hardware", "rtx-4090", "--json"}).json();
    EXPECT_DOUBLE_EQ(found["points"][0]["seconds"].get<double>(), compute["prefill"]["seconds"].get<double>());
    EXPECT_TRUE(has(run({"sweep", "gpt2", "--vary", "layers=1..2", "--hardware", "rtx-5"}).err, "no such device"));
}

TEST(Render, ShowsATabOfWhatIf) {
    const Ran compared = run({"render", "gpt2", "--view", "compare:soup", "-o", "x.png"});
    EXPECT_TRUE(has(compared.err, "compare:numbers") && !has(compared.err, "what-if")) << compared.err;
    Ran wrong = run({"render", "gpt2", "--view", "what-if:soup", "-o", "x.png"});
    EXPECT_TRUE(has(wrong.err, "what-if:solve")) << wrong.err;
    EXPECT_TRUE(has(run({"render", "gpt2", "--view", "costs:solve", "-o", "x.png"}).err, "what-if:solve"));
}

TEST(WhatIf, ReadsCountsAsTheyAreSaidWhereTheyAreExact) {
    EXPECT_EQ(run({"memory", "llama-2-7b", "--tokens", "2k", "--json"}).out,
              run({"memory", "llama-2-7b", "--tokens", "2048", "--json"}).out);
    EXPECT_EQ(run({"memory", "llama-2-7b", "--tokens", "1.5e3", "--json"}).out,
              run({"memory", "llama-2-7b", "--tokens", "1500", "--json"}).out);
    EXPECT_TRUE(has(run({"memory", "llama-2-7b", "--tokens", "1.0005k"}).err,
                    "--tokens must be a whole number from 1 up, not"));
    EXPECT_TRUE(has(run({"memory", "llama-2-7b", "--tokens", "8 apples"}).err,
                    "--tokens must be a whole number from 1 up, not"));
}

}  // namespace
}  // namespace headcount
