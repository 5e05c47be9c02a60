// compare, memory, compute, sweep and solve, run as a script would.
#include <gtest/gtest.h>

#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::Ran;
using testing_data::run;

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST(Compare, SaysWhereTheDifferenceComesFrom) {
    Ran text = run({"compare", "llama-2-7b", "llama-3-8b"});
    EXPECT_EQ(text.status(), 0) << text.err;
    for (const char* part : {"+1,291,845,632", "+394,264,576", "-805,306,368", "+1,308,622,848", "+788,529,152",
                             "model.layers.{i}.self_attn.k_proj.weight"})
        EXPECT_TRUE(has(text.out, part)) << part << "\n" << text.out;
}

TEST(Compare, IsOneJsonDocumentThatSums) {
    const json found = run({"compare", "llama-2-7b", "llama-3-8b", "--json"}).json();
    EXPECT_EQ(found["a"]["total"], 6738415616);
    EXPECT_EQ(found["b"]["total"], 8030261248);
    EXPECT_EQ(found["difference"]["total"], 1291845632);
    EXPECT_EQ(found["difference"]["by_component"]["attention"], -805306368);
    EXPECT_EQ(found["only_a"], json::array());
    EXPECT_TRUE(std::any_of(found["changed"].begin(), found["changed"].end(), [](const json& row) {
        return row["name"] == "lm_head.weight" && row["a"] == json({32000, 4096}) && row["b"] == json({128256, 4096});
    }));
    std::int64_t fields = found["interaction"];
    for (const json& row : found["fields"]) fields += row["own"].get<std::int64_t>();
    EXPECT_EQ(fields, 1291845632);
}

TEST(Compare, SetChangesTheSecondModel) {
    const json found = run({"compare", "llama-2-7b", "llama-2-7b", "--set", "layers=33", "--json"}).json();
    EXPECT_EQ(found["difference"]["total"], 202383360);
    EXPECT_EQ(found["repeated"].size(), 9u);
    EXPECT_TRUE(has(run({"compare", "gpt2", "gpt2"}).out, "They do not differ."));
}

TEST(Compare, NeedsTwoModels) {
    EXPECT_EQ(run({"compare", "llama-2-7b"}).status(), 2);
    Ran unknown = run({"compare", "llama-2-7b", "llama-9"});
    EXPECT_EQ(unknown.status(), 1);
    EXPECT_TRUE(has(unknown.err, "llama-9")) << unknown.err;
}

TEST(Memory, SaysWhatEachPartTakesAndWhatItFits) {
    Ran text = run({"memory", "llama-2-7b", "--tokens", "2048"});
    EXPECT_EQ(text.status(), 0) << text.err;
    for (const char* part : {"1,073,741,824", "1.00 GiB", "12.6 GiB", "rtx-4090", "512 KiB"})
        EXPECT_TRUE(has(text.out, part)) << part << "\n" << text.out;
    EXPECT_FALSE(has(text.out, " GB ") && has(text.out, "Weights  GB"));
}

TEST(Memory, SaysWhatTheCacheReallyGrowsByBehindAWindow) {
    const Ran text = run({"memory", "gemma-3-4b", "--tokens", "8192"});
    EXPECT_TRUE(has(text.out, "inside the window: 139,264 bytes")) << text.out;
    EXPECT_TRUE(has(text.out, "after 8,192: 20,480 bytes")) << text.out;
    EXPECT_EQ((run({"memory", "gemma-3-4b", "--tokens", "8192", "--json"}).json()["kv_cache"]["next_token"]), 20480);
}

TEST(Memory, IsOneJsonDocumentOfWholeBytes) {
    const json found = run({"memory", "llama-3-8b", "--tokens", "8192", "--json"}).json();
    EXPECT_EQ(found["weights"]["total"], 2 * 8030261248);
    EXPECT_EQ(found["kv_cache"]["per_token"], 131072);
    EXPECT_EQ(found["kv_cache"]["total"], 8192ll * 131072);
    EXPECT_EQ(found["gradients"], 0);
    EXPECT_EQ(found["optimizer"], 0);
    for (const json& device : found["devices"]) {
        if (device["id"] != "rtx-4090") continue;
        EXPECT_EQ(device["fits"], true);
        EXPECT_GT(device["longest_context"], 8192);
    }
    const json trained = run({"memory", "llama-3-8b", "--tokens", "8192", "--train", "adam", "--json"}).json();
    EXPECT_EQ(trained["optimizer"], 12 * 8030261248);
    EXPECT_EQ(trained["kv_cache"]["total"], 0);
}

TEST(Memory, OfManyDevicesSaysWhatOneHolds) {
    const json found =
        run({"memory", "llama-2-7b", "--tokens", "8", "--train", "adam", "--devices", "8", "--zero", "3", "--json"})
            .json();
    EXPECT_EQ(found["per_device"]["optimizer"], 12 * 6738415616 / 8);
    Ran text = run({"memory", "llama-2-7b", "--tokens", "8", "--tensor", "4"});
    EXPECT_TRUE(has(text.out, "4 devices") && has(text.out, "on one device, at least")) << text.out;
}

TEST(Memory, WrongOptionsAreSentences) {
    const auto said = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"memory", "llama-2-7b", "--tokens", "8"});
        Ran ran = run(words);
        EXPECT_EQ(ran.status(), 1);
        EXPECT_EQ(ran.out, "");
        return ran.err;
    };
    EXPECT_EQ(said({"--devices", "0"}),
              "headcount: \"0\" is too small: --devices: give a whole number from 1 to 9,223,372,036,854,775,807\n");
    EXPECT_EQ(said({"--train", "adamw"}),
              "headcount: \"adamw\" is not known: --train: give one of adam, adam8, sgd, muon\n");
    EXPECT_EQ(said({"--recompute", "full"}),
              "headcount: only training keeps activations: --recompute: add --train OPTIMIZER\n");
    EXPECT_TRUE(has(said({"--kv-dtype", "fp12"}), "--kv-dtype: give one of fp32"));
    Ran endless = run({"memory", "llama-2-7b", "--tokens", "4611686018427387904"});
    EXPECT_EQ(endless.status(), 1);
    EXPECT_TRUE(has(endless.err, "64 bits") && has(endless.err, "give at most ")) << endless.err;
}

TEST(Compute, SaysThePassesAndEveryOperation) {
    const json found = run({"compute", "gpt2", "--tokens", "1024", "--json"}).json();
    const std::int64_t d = 768, l = 12, v = 50257, t = 1024;
    EXPECT_EQ(found["train"]["flops"], 72 * t * l * d * d + 12 * t * t * l * d + 6 * t * d * v);
    EXPECT_EQ(found["prefill"]["flops"], 24 * t * l * d * d + 4 * t * t * l * d + 2 * t * d * v);
    EXPECT_LT(found["prefill"]["flops_causal"], found["prefill"]["flops"]);
    std::int64_t flops = 0, bytes = 0;
    for (const json& row : found["operations"]) {
        flops += row["flops"].get<std::int64_t>();
        bytes += row["bytes"].get<std::int64_t>();
    }
    EXPECT_EQ(found["prefill"]["flops"], flops);
    EXPECT_EQ(found["prefill"]["bytes"], bytes);
    EXPECT_FALSE(found.contains("hardware"));
    Ran text = run({"compute", "llama-3-8b", "--tokens", "1024", "--hardware", "rtx-4090"});
    EXPECT_EQ(text.status(), 0) << text.err;
    for (const char* part : {"165 TFLOP/s", "1008 GB/s", "decode", "arithmetic", "memory", "2·N"})
        EXPECT_TRUE(has(text.out, part)) << part << "\n" << text.out;
    EXPECT_GT(run({"compute", "llama-3-8b", "--tokens", "1024", "--hardware", "h100", "--json"})
                  .json()["decode"]["tokens_per_second"],
              100);
}

TEST(Compute, DevicesItDoesNotKnowAreNamed) {
    Ran unknown = run({"compute", "gpt2", "--tokens", "8", "--hardware", "rtx-4080"});
    EXPECT_EQ(unknown.err, "headcount: there is no such device: --hardware, rtx-4080: did you mean rtx-4090?\n");
    Ran phone = run({"compute", "gpt2", "--tokens", "8", "--hardware", "phone"});
    EXPECT_EQ(phone.err, "headcount: how fast it is, is not published: phone: use another, such as rtx-4090\n");
    EXPECT_EQ(run({"compute", "gpt2", "--tokens", "1024"}).status(), 0) << "the last position can be decoded";
}

TEST(Sweep, PrintsATableCsvOrJson) {
    Ran text = run({"sweep", "llama-2-7b", "--vary", "layers=8..32:8"});
    EXPECT_EQ(text.status(), 0) << text.err;
    EXPECT_TRUE(has(text.out, "6,738,415,616")) << text.out;
    Ran values = run({"sweep", "llama-2-7b", "--vary", "layers=32..33", "--csv"});
    EXPECT_TRUE(
        values.out.starts_with("layers,total,active,weights,kv_cache,kv_cache_per_token,flops\r\n32,6738415616") ||
        values.out.starts_with("layers,total,active,weights,kv_cache,kv_cache_per_token,flops\n32,6738415616"))
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
    EXPECT_EQ(backwards.status(), 1);
    EXPECT_EQ(backwards.err, "headcount: the range layers=32..8 runs backwards: --vary: write it as layers=8..32\n");
    EXPECT_EQ(run({"sweep", "llama-2-7b"}).status(), 2);
    EXPECT_EQ(run({"sweep", "llama-2-7b", "--vary", "layers=1..2", "--csv", "--json"}).status(), 1);
}

TEST(Solve, SaysTheNearestValues) {
    const json found = run({"solve", "llama-2-7b", "--vary", "layers", "--total", "6738415616", "--json"}).json();
    EXPECT_EQ(found["answers"][0], (json{{"value", 32}, {"total", 6738415616}, {"difference", 0}}));
    Ran text = run({"solve", "llama-2-7b", "--vary", "dim", "--total", "8,000,000,000"});
    EXPECT_EQ(text.status(), 0) << text.err;
    EXPECT_TRUE(has(text.out, "for a total of 8,000,000,000: dim=")) << text.out;
    Ran wrong = run({"solve", "llama-2-7b", "--vary", "activation", "--total", "1"});
    EXPECT_EQ(wrong.err, "headcount: activation is no number: --vary: vary a number, such as layers=1..64\n");
    EXPECT_EQ(run({"solve", "llama-2-7b", "--vary", "dim"}).status(), 2);
}

TEST(Solve, ReadsAmountsAsPeopleTypeThem) {
    for (const char* total : {"8B", "8,000,000,000", "8e9", "8000M"})
        EXPECT_EQ(run({"solve", "llama-2-7b", "--vary", "dim", "--total", total, "--json"}).json()["wanted"],
                  8'000'000'000)
            << total;
    EXPECT_EQ(run({"solve", "llama-2-7b", "--vary", "dim", "--total", "8 apples"}).err,
              "headcount: \"8 apples\" is no amount: --total: write it as 8B, 8.03B or 8030261248\n");
}

TEST(Solve, FreesTwoFieldsAndKeepsTheirMultiples) {
    const json found = run({"solve", "llama-3-8b", "--free", "dim,layers", "--total", "13B", "--json"}).json();
    EXPECT_EQ(found["free"], (json{"dim", "layers"}));
    EXPECT_EQ(found["held"], "total");
    EXPECT_GT(found["answers"].size(), 3u);
    for (const json& answer : found["answers"]) {
        EXPECT_EQ(answer["values"][0].get<std::int64_t>() % 128, 0);
        EXPECT_EQ(answer["difference"].get<std::int64_t>(), answer["total"].get<std::int64_t>() - 13'000'000'000);
        const std::string dim = "dim=" + answer["values"][0].dump(), layers = "layers=" + answer["values"][1].dump();
        EXPECT_EQ(run({"count", "llama-3-8b", "--set", dim, "--set", layers, "--json"}).json()["parameters"]["total"],
                  answer["total"]);
    }
}

TEST(Solve, StaysWithinTheMemoryThatMemoryCounts) {
    const json found =
        run({"solve", "llama-3-8b", "--free", "layers", "--hardware", "rtx-4090", "--tokens", "4096", "--json"}).json();
    EXPECT_EQ(found["held"], "memory");
    const json& best = found["answers"][0];
    const auto counted = [&](std::int64_t layers) {
        return run({"memory", "llama-3-8b", "--tokens", "4096", "--set", "layers=" + std::to_string(layers), "--json"})
            .json()["total"]
            .get<std::int64_t>();
    };
    EXPECT_EQ(counted(best["values"][0]), best["amount"].get<std::int64_t>());
    EXPECT_LE(best["amount"].get<std::int64_t>(), found["wanted"].get<std::int64_t>());
    EXPECT_GT(counted(best["values"][0].get<std::int64_t>() + 1), found["wanted"].get<std::int64_t>());
    Ran text = run({"solve", "llama-3-8b", "--free", "layers", "--memory", "24GiB", "--tokens", "4096"});
    EXPECT_TRUE(has(text.out, "for at most 24.0 GiB: layers=")) << text.out << text.err;
}

TEST(Solve, SaysTheNearestWhereNothingMeetsABudget) {
    EXPECT_EQ(
        run({"solve", "gpt2", "--free", "layers", "--memory", "1MiB", "--tokens", "8"})
            .err.find("headcount: nothing with layers free stays within 1.00 MiB: --memory: the nearest possible is "),
        0u);
    EXPECT_TRUE(has(run({"solve", "gpt2", "--free", "layers", "--flops", "1e21"}).err, "use --compute"));
    EXPECT_TRUE(has(run({"solve", "gpt2", "--free", "layers", "--memory", "0"}).err, "too small"));
    EXPECT_TRUE(has(run({"solve", "gpt2", "--free", "dim,dim", "--total", "1B"}).err, "dim is free twice"));
    EXPECT_TRUE(has(run({"solve", "gpt2", "--free", "dim,heads,layers", "--total", "1B"}).err, "free one or two"));
}

TEST(Solve, FindsTheSameShapeInAnotherSize) {
    const json found = run({"solve", "llama-2-7b", "--size", "13B", "--json"}).json();
    EXPECT_EQ(found["answers"][0]["total"], 13'015'864'320);
    EXPECT_EQ(found["answers"][0]["fields"]["dim"], 5120);
    EXPECT_GT(found["published_sizes"], 2);
    EXPECT_TRUE(has(run({"solve", "llama-2-7b", "--size", "13B"}).out, "sizes of its family"));
    EXPECT_TRUE(has(run({"solve", "llama-2-7b", "--size", "9"}).err, "the nearest possible is"));
}

TEST(Solve, SaysTheTokensThatABudgetIsBestSpentOn) {
    const json found = run({"solve", "llama-3-8b", "--compute", "5.76e23", "--json"}).json();
    EXPECT_NEAR(found["best"]["parameters"].get<double>() / 1e9, 69.3, 0.1);
    EXPECT_NEAR(found["model"]["tokens"].get<double>(), 5.76e23 / (6.0 * 8030261248.0), 1e9);
    EXPECT_TRUE(has(run({"solve", "llama-3-8b", "--compute", "5.76e23"}).out, "Hoffmann et al. 2022"));
    EXPECT_TRUE(has(run({"solve", "llama-3-8b", "--compute", "much"}).err, "is no amount"));
}

TEST(Solve, OfNothingOrOfTwoThingsIsWrongUsage) {
    EXPECT_EQ(run({"solve", "gpt2", "--total", "1B"}).status(), 2);
    EXPECT_EQ(run({"solve", "gpt2", "--free", "dim"}).status(), 2);
    EXPECT_EQ(run({"solve", "gpt2", "--free", "dim", "--total", "1B", "--memory", "1GiB"}).status(), 2);
    EXPECT_EQ(run({"solve", "gpt2", "--free", "dim", "--size", "1B"}).status(), 2);
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
    EXPECT_TRUE(run({"sensitivity", "gpt2", "--csv"}).out.starts_with("field,from,to,total,active,weights,kv_cache,"));
}

TEST(Sensitivity, SortsByWhatIsAskedFor) {
    EXPECT_EQ(run({"sensitivity", "gpt2", "--by", "speed"}).err,
              "headcount: \"speed\" is not known: --by: give one of total, active, weights, kv_cache, "
              "kv_cache_per_token, memory, flops, seconds\n");
    EXPECT_TRUE(has(run({"sensitivity", "gpt2", "--by", "seconds"}).err, "--hardware"));
    const json found = run({"sensitivity", "gpt2", "--by", "seconds", "--hardware", "rtx-4090", "--json"}).json();
    EXPECT_TRUE(found["steps"][0]["seconds"].is_number_float());
    EXPECT_EQ(run({"sensitivity", "gpt2", "--csv", "--json"}).status(), 1);
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
    Ran wrong = run({"render", "gpt2", "--view", "what-if:soup", "-o", "x.png"});
    EXPECT_TRUE(has(wrong.err, "what-if:solve")) << wrong.err;
    EXPECT_TRUE(has(run({"render", "gpt2", "--view", "costs:solve", "-o", "x.png"}).err, "what-if:solve"));
}

TEST(Solve, NamesTheOptionThatWasGiven) {
    const std::string said = run({"solve", "llama-2-7b", "--free", "foo", "--total", "8B"}).err;
    EXPECT_TRUE(has(said, "--free")) << said;
    EXPECT_FALSE(has(said, "--vary")) << said;
    EXPECT_TRUE(has(run({"sweep", "llama-2-7b", "--vary", "layers=8.."}).err, "key=FROM..TO"));
}

TEST(Solve, SaysThatATotalIsTooSmall) {
    const Ran ran = run({"solve", "llama-2-7b", "--free", "layers", "--total", "5"});
    EXPECT_EQ(ran.status(), 1);
    EXPECT_TRUE(has(ran.err, "the nearest possible is")) << ran.err;
}

TEST(WhatIf, ReadsCountsAsTheyAreSaidWhereTheyAreExact) {
    EXPECT_EQ(run({"memory", "llama-2-7b", "--tokens", "2k", "--json"}).out,
              run({"memory", "llama-2-7b", "--tokens", "2000", "--json"}).out);
    EXPECT_EQ(run({"memory", "llama-2-7b", "--tokens", "1.5e3", "--json"}).out,
              run({"memory", "llama-2-7b", "--tokens", "1500", "--json"}).out);
    EXPECT_TRUE(has(run({"memory", "llama-2-7b", "--tokens", "1.0005k"}).err, "is not a whole number"));
    EXPECT_TRUE(has(run({"memory", "llama-2-7b", "--tokens", "8 apples"}).err, "is not a whole number"));
}

}  // namespace
}  // namespace headcount
