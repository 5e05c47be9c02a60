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

// A command about the model that an answer is.
std::vector<std::string> with_values(std::vector<std::string> words, const json& found, const json& answer) {
    for (std::size_t i = 0; i < found["free"].size(); ++i)
        words.insert(words.end(), {"--set", found["free"][i].get<std::string>() + "=" + answer["values"][i].dump()});
    return words;
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
    EXPECT_EQ(found["free"], (json{"dim", "layers", "heads"})) << "heads go along with the width";
    EXPECT_EQ(found["held"], "total");
    EXPECT_GT(found["answers"].size(), 3u);
    for (const json& answer : found["answers"]) {
        EXPECT_EQ(answer["values"][0].get<std::int64_t>() % 128, 0);
        EXPECT_EQ(answer["difference"].get<std::int64_t>(), answer["total"].get<std::int64_t>() - 13'000'000'000);
        EXPECT_EQ(run(with_values({"count", "llama-3-8b", "--json"}, found, answer)).json()["parameters"]["total"],
                  answer["total"]);
    }
    const json any =
        run({"solve", "llama-3-8b", "--free", "dim,layers", "--total", "13B", "--any-shape", "--json"}).json();
    EXPECT_EQ(any["free"], (json{"dim", "layers"}));
    const json steps =
        run({"solve", "llama-3-8b", "--free", "ffn_dim:1024,layers:4", "--total", "13B", "--json"}).json();
    for (const json& answer : steps["answers"]) {
        EXPECT_EQ(answer["values"][0].get<std::int64_t>() % 1024, 0);
        EXPECT_EQ(answer["values"][1].get<std::int64_t>() % 4, 0);
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

TEST(Solve, KeepsConditionsOfTimeContextAndBatchAtOnce) {
    const std::vector<std::string> input{"--device", "h100", "--tokens", "4k", "--phase", "decode", "--dtype", "int8"};
    std::vector<std::string> words{"solve",   "llama-3-8b",
                                   "--free",  "dim,layers,ffn_dim",
                                   "--total", "6B",
                                   "--where", "tokens_per_second>=300",
                                   "--where", "longest_context>=64k",
                                   "--where", "largest_batch>=8",
                                   "--json"};
    words.insert(words.end(), input.begin(), input.end());
    const json found = run(words).json();
    EXPECT_EQ(found["limits"][1], (json{{"figure", "tokens_per_second"}, {"least", 300.0}}));
    EXPECT_EQ(found["limits"][2], (json{{"figure", "longest_context"}, {"least", 65536}}));
    ASSERT_FALSE(found["answers"].empty());
    for (const json& answer : found["answers"]) {
        std::vector<std::string> asked{"memory", "llama-3-8b", "--json"};
        asked.insert(asked.end(), input.begin(), input.end());
        const json room = run(with_values(asked, found, answer)).json()["devices"][0];
        EXPECT_EQ(room["longest_context"], answer["limited"][2]);
        EXPECT_EQ(room["largest_batch"], answer["limited"][3]);
        EXPECT_GE(room["longest_context"], 65536);
        asked[0] = "compute";
        const json pass = run(with_values(asked, found, answer)).json();
        EXPECT_GE(answer["limited"][1], 300.0);
        EXPECT_TRUE(has(pass.dump(), "\"tokens_per_second\""));
    }
}

TEST(Solve, KeepsToAPriceOfTokensWhereAnHourHasOne) {
    const std::vector<std::string> wish{"solve",    "llama-3-8b", "--free", "layers",  "--where",
                                        "price<=5", "--device",   "h100",   "--phase", "decode"};
    EXPECT_TRUE(has(run(wish).err, "what an hour of a device costs")) << run(wish).err;
    EXPECT_TRUE(has(run({"solve", "gpt2", "--free", "layers", "--total", "1B", "--price", "2"}).err, "--device"));
    std::vector<std::string> priced = wish;
    priced.insert(priced.end(), {"--price", "$2.5", "--json"});
    const json found = run(priced).json();
    ASSERT_FALSE(found["answers"].empty());
    for (const json& answer : found["answers"]) EXPECT_LE(answer["limited"][0].get<double>(), 5.0);
}

TEST(Solve, WithoutASizeTheModelStaysAsLargeAsItIs) {
    const json found =
        run({"solve", "llama-3-8b", "--free", "dim,layers", "--where", "kv_cache_per_token<=100000", "--json"}).json();
    EXPECT_EQ(found["held"], "total");
    EXPECT_EQ(found["wanted"], 8'030'261'248);
    for (const json& answer : found["answers"]) EXPECT_LE(answer["limited"][0], 100'000);
    EXPECT_TRUE(has(run({"solve", "gpt2", "--free", "layers", "--where", "speed>=3"}).err, "is no figure"));
    EXPECT_TRUE(has(run({"solve", "gpt2", "--free", "layers", "--where", "seconds<=1"}).err, "hangs on a device"));
}

TEST(Solve, TheFrontIsWhatNoOtherAnswerBeats) {
    const std::vector<std::string> words{
        "solve", "llama-3-8b", "--free", "dim,layers,ffn_dim", "--front", "kv_cache,seconds", "--total",
        "8B",    "--device",   "h100",   "--tokens",           "4k"};
    std::vector<std::string> as_json = words;
    as_json.emplace_back("--json");
    const json found = run(as_json).json();
    EXPECT_EQ(found["front"], (json{"kv_cache", "seconds"}));
    std::size_t in_front = 0;
    for (const json& a : found["answers"]) {
        bool beaten = false;
        for (const json& b : found["answers"])
            beaten = beaten || (b["figures"]["kv_cache"] <= a["figures"]["kv_cache"] &&
                                b["figures"]["seconds"] < a["figures"]["seconds"]);
        EXPECT_FALSE(beaten && a["front"]);
        in_front += a["front"].get<bool>();
    }
    EXPECT_GT(in_front, 1u);
    EXPECT_LT(in_front, found["answers"].size());
    const Ran text = run(words);
    EXPECT_TRUE(has(text.out, std::to_string(in_front) + " of " + std::to_string(found["answers"].size()) +
                                  " answers, which none beats in kv_cache and seconds:"))
        << text.out << text.err;
    EXPECT_EQ(run({"solve", "gpt2", "--free", "dim", "--total", "1B", "--front", "memory"}).status(), 2);
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
            const json memory = run(with_values({"memory", "llama-3-8b", "--set", "vocab=131072", "--set", "tied=true",
                                                 "--dtype", "int4", "--tokens", "8k", "--json"},
                                                found, answer))
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
    EXPECT_TRUE(
        has(run({"solve", "gpt2", "--free", "dim,heads,layers,ffn_dim,vocab", "--total", "1B"}).err, "free one to 4"));
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
