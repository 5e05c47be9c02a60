// solve, run as a script would.
#include <gtest/gtest.h>

#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

TEST(Solve, SaysTheNearestValues) {
    const json found = run({"solve", "llama-2-7b", "--vary", "layers", "--total", "6738415616", "--json"}).json();
    EXPECT_EQ(found["answers"][0], (json{{"value", 32}, {"total", 6738415616}, {"difference", 0}}));
    Ran text = run({"solve", "llama-2-7b", "--vary", "dim", "--total", "8,000,000,000"});
    EXPECT_EQ(text.status(), 0) << text.err;
    EXPECT_TRUE(has(text.out, "for a total of 8,000,000,000: dim=")) << text.out;
    Ran wrong = run({"solve", "llama-2-7b", "--vary", "activation", "--total", "1"});
    EXPECT_EQ(wrong.err, "headcount: activation is no number: --vary: name a number, such as layers\n");
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

TEST(Solve, MeetsATotalWithinLimits) {
    const std::vector<std::string> words{"solve",   "llama-3-8b", "--free",       "dim,layers", "--total",
                                         "3B",      "--set",      "vocab=131072", "--set",      "tied=true",
                                         "--dtype", "int4",       "--tokens",     "8k",         "--json"};
    const auto asked = [&](const std::string& memory) {
        std::vector<std::string> all = words;
        all.insert(all.end(), {"--memory", memory});
        return run(all).json();
    };
    const json loose = asked("4GiB"), tight = asked("2.3GiB");
    EXPECT_EQ(loose["limits"], (json{{{"figure", "memory"}, {"most", std::int64_t{4} << 30}}}));
    EXPECT_LT(std::abs(loose["answers"][0]["difference"].get<std::int64_t>()), 30'000'000);
    for (const json& found : {loose, tight})
        for (const json& answer : found["answers"]) {
            EXPECT_LE(answer["limited"][0], found["limits"][0]["most"]);
            const json memory = run({"memory", "llama-3-8b", "--set", "dim=" + answer["values"][0].dump(), "--set",
                                     "layers=" + answer["values"][1].dump(), "--set", "vocab=131072", "--set",
                                     "tied=true", "--dtype", "int4", "--tokens", "8k", "--json"})
                                    .json();
            EXPECT_EQ(memory["total"], answer["limited"][0]);
        }
    // Where nothing near the total is within it, what is as large as it may be.
    const json least = run({"solve", "llama-3-8b", "--free", "layers", "--total", "8B", "--memory", "10GiB", "--flops",
                            "1e15", "--tokens", "1k", "--json"})
                           .json();
    const json by_memory =
        run({"solve", "llama-3-8b", "--free", "layers", "--memory", "10GiB", "--tokens", "1k", "--json"}).json();
    EXPECT_EQ(least["answers"][0]["values"], by_memory["answers"][0]["values"]);
    EXPECT_TRUE(has(run({"solve", "gpt2", "--free", "layers", "--total", "1B", "--memory", "1MiB"}).err,
                    "stays within 1.00 MiB: --memory: the nearest possible is 90.3 MiB, with layers=1"));
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

TEST(Solve, OfNothingOrOfWhatStandsAloneIsWrongUsage) {
    EXPECT_EQ(run({"solve", "gpt2", "--total", "1B"}).status(), 2);
    EXPECT_EQ(run({"solve", "gpt2", "--free", "dim"}).status(), 2);
    EXPECT_EQ(run({"solve", "gpt2", "--total", "1B", "--size", "1B"}).status(), 2);
    EXPECT_EQ(run({"solve", "gpt2", "--free", "dim", "--size", "1B"}).status(), 2);
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

TEST(Solve, SetsScalingLawsBesideEachOther) {
    const json found = run({"solve", "mixtral-8x7b", "--compute", "1e24", "--json"}).json();
    ASSERT_GE(found["laws"].size(), 7u);
    for (const json& law : found["laws"]) {
        EXPECT_FALSE(law["source"].get<std::string>().empty());
        EXPECT_NEAR(law["best"]["flops"].get<double>(), 1e24, 1);
        EXPECT_FALSE(law["best"]["outside"].empty()) << law["law"] << " was fitted on no such budget";
    }
    EXPECT_EQ(found["laws"].back()["counts"], "all, without embeddings");
    const Ran text = run({"solve", "llama-3-8b", "--compute", "5.76e23"});
    EXPECT_TRUE(has(text.out, "the same, corrected 2024")) << text.out;
    EXPECT_TRUE(has(text.out, "arXiv:2404.10102")) << text.out;
    EXPECT_FALSE(has(text.out, "Krajewski 2024, mixtures")) << "Llama 3 8B is none";
}

}  // namespace
}  // namespace headcount
