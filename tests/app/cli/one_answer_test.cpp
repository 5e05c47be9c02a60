// One input has one answer: whichever command says a figure, it is the same number.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/text.hpp"
#include "tests/app/cli/session.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/tried_presets.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// As tables say it of what JSON has.
std::string room_of(const json& room) { return room.is_null() ? "any" : room_text(room.get<std::int64_t>()); }

// What is asked of every command alike, drawn for one model.
struct Question {
    Words input, of_scores;  // the latter where scores are counted
    std::string phase;
    std::int64_t batch = 1;
};

Question any_question(std::mt19937_64& random, const Architecture& arch) {
    const auto one_of = [&](std::initializer_list<std::string> words) {
        return words.begin()[random() % words.size()];
    };
    Question question;
    question.batch = std::stoll(one_of({"1", "1", "3", "16"}));
    question.phase = sees_all(arch) ? one_of({"prefill", "train"}) : one_of({"prefill", "decode", "train"});
    const bool trains = question.phase == "train";
    constexpr std::int64_t most_cached = 60;
    std::string tokens = one_of({"1", "7", "64", "500"});
    if (std::stoll(tokens) + most_cached > arch.context) tokens = "7";
    if (arch.patches) tokens = std::to_string(most_tokens(arch));
    question.input = {"--tokens", tokens, "--batch", std::to_string(question.batch)};
    question.input =
        question.input + Words{"--phase", question.phase, "--device", one_of({"rtx-4090", "h100", "a100"})};
    const char* const apart = arch.norm.scale || arch.norm.bias ? "norm=fp32,rest=bf16" : "layers=int8,rest=bf16";
    question.input = question.input +
                     Words{"--dtype", trains ? one_of({"bf16", "fp32"})
                                             : one_of({"bf16", "fp32", "int8", "int4", "q4_k_m", "nf4-double", apart})};
    if (random() % 2 && !sees_all(arch) && !trains)
        question.input = question.input + Words{"--kv-dtype", one_of({"int8", "fp8", "fp32"})};
    if (random() % 3 == 0) question.input = question.input + Words{"--devices", one_of({"2", "8"})};
    if (random() % 2 && !sees_all(arch)) question.input = question.input + Words{"--cached", one_of({"1", "60"})};
    if (arch.encoder && !arch.sound) question.input = question.input + Words{"--source", one_of({"1", "33"})};
    const bool masked = attends(arch) && (!sees_all(arch) || arch.layer.attention.window);
    if (random() % 3 == 0 && masked) question.of_scores = {"--full"};
    return question;
}

// Every figure, by the words of the metrics, with who said it first.
class Figures {
  public:
    void say(const std::string& figure, const json& number, const std::string& who) {
        const auto [at, fresh] = said_.try_emplace(figure, number, who);
        EXPECT_TRUE(fresh || at->second.first == number)
            << figure << ": " << at->second.first << " says " << at->second.second << ", " << number << " says " << who;
    }
    std::int64_t whole(const std::string& figure) const { return said_.at(figure).first.get<std::int64_t>(); }
    std::size_t count() const { return said_.size(); }

  private:
    std::map<std::string, std::pair<json, std::string>> said_;
};

// Exactly, also of seconds: the same operations in the same order.
void expect_one_answer(const std::string& id, const Question& question) {
    const Words all = question.input + question.of_scores;
    std::string told = id;
    for (const std::string& word : all) told += ' ' + word;
    SCOPED_TRACE(told);
    const auto asked = [&](const Words& words, const Words& input) {
        const Ran ran = run(words + input + Words{"--json"});
        EXPECT_EQ(ran.status(), 0) << words.front() << ": " << ran.err;
        return ran.status() == 0 ? ran.json() : json();
    };
    Figures figures;

    const json memory = asked({"memory", id}, question.input);
    ASSERT_TRUE(memory.is_object());
    figures.say("weights", memory["weights"]["total"], "memory");
    figures.say("kv_cache", memory["kv_cache"]["total"], "memory");
    figures.say("kv_cache_per_token", memory["kv_cache"]["per_token"], "memory");
    figures.say("states", memory.value("states", std::int64_t{0}), "memory");
    figures.say("memory", memory["total"], "memory");

    figures.say("longest_context", memory["devices"][0]["longest_context"], "memory");
    figures.say("largest_batch", memory["devices"][0]["largest_batch"], "memory");

    const json compute = asked({"compute", id}, all);
    ASSERT_TRUE(compute.is_object());
    figures.say("flops", compute[question.phase]["flops"], "compute");
    figures.say("seconds", compute[question.phase]["seconds"], "compute");
    figures.say("likely_seconds", compute[question.phase]["likely"]["seconds"], "compute");
    const bool served = compute.contains("served");
    if (served)
        for (const auto& [figure, value] : compute["served"].items())
            if (value.is_number_float()) figures.say(figure, value, "compute");
    std::int64_t sum = 0;
    for (const json& row : compute["operations"]) sum += row["flops"].get<std::int64_t>();
    figures.say("flops", sum, "the operations of compute");

    const json count = run({"count", id, "--dtype", memory["input"]["dtype"].get<std::string>(), "--json"}).json();
    figures.say("total", count["parameters"]["total"], "count");
    figures.say("active", count["parameters"]["active"], "count");
    figures.say("weights", count["weights"]["total"], "count");

    const std::string batch = std::to_string(question.batch);
    Words varied = all;
    const auto said_batch = std::ranges::find(varied, "--batch");
    varied.erase(said_batch, said_batch + 2);
    const json sweep = asked({"sweep", id, "--vary", "batch=" + batch + ".." + batch}, varied);
    ASSERT_TRUE(sweep.is_object());
    const json compare = asked({"compare", id, id}, all);
    ASSERT_TRUE(compare.is_object());
    std::size_t said = 0;
    for (const MetricInfo& metric : metrics) {
        const std::string key(metric.key);
        if (is_served(metric.metric) && !served) continue;
        if (metric.metric == Metric::price) continue;  // of an hour that nobody priced
        if (metric.metric == Metric::longest_context && !sweep["points"][0].contains(key)) {
            ++said;  // an image has as many rows as it has
            continue;
        }
        ++said;
        figures.say(key, sweep["points"][0][key], "sweep");
        for (const json& row : compare["figures"])
            if (row["figure"] == key) figures.say(key, row["b"], "compare");
    }
    EXPECT_EQ(figures.count(), said);
    EXPECT_GE(compare["figures"].size() + 1, said);

    const json ask = asked({"ask", "flops", id}, all);
    ASSERT_TRUE(ask.is_object());
    EXPECT_EQ(ask["number"], grouped(figures.whole("flops")));
    EXPECT_EQ(asked({"ask", "how many parameters", id}, all)["number"], grouped(figures.whole("total")));

    const testing_data::Scratch scratch;
    const std::string file = (scratch.folder() / "report.md").string();
    const Ran report = run(Words{"report", id, "-o", file} + all);
    ASSERT_EQ(report.status(), 0) << report.err;
    const std::string page = testing_data::read_file(file);
    for (const char* figure : {"weights", "memory", "flops", "total", "active"})
        EXPECT_TRUE(has(page, grouped(figures.whole(figure)))) << figure << " in the report";
    EXPECT_TRUE(figures.whole("kv_cache") == 0 || has(page, grouped(figures.whole("kv_cache"))));
}

TEST(OneAnswer, HasEveryFigureOfEveryStructureWhoeverIsAsked) {
    std::mt19937_64 random(22);
    for (const Preset& preset : testing_data::telling_presets())
        expect_one_answer(preset.id, any_question(random, preset.architecture));
}

// What adapters take, trained and unmerged.
TEST(OneAnswer, OfAdaptersIsTheSameWhoeverIsAsked) {
    std::mt19937_64 random(24);
    const testing_data::Scratch scratch;
    const std::string file = (scratch.folder() / "adapters.md").string();
    std::size_t tried = 0;
    for (const Preset& preset : testing_data::telling_presets()) {
        const std::size_t kind = random() % adapter_words.size();
        const Architecture& arch = preset.architecture;
        if (wrong_adapters(expand(arch), adapters_of(static_cast<AdapterKind>(kind)))) continue;
        ++tried;
        const std::string phase = sees_all(arch) || random() % 2 ? "train" : "decode";
        const Words input{"--tokens",  arch.patches ? std::to_string(most_tokens(arch)) : "7",
                          "--device",  "h100",
                          "--adapter", std::string(adapter_words[kind]),
                          "--rank",    "3",
                          "--phase",   phase};
        const auto asked = [&](const Words& words) {
            const Ran ran = run(words + input + Words{"--json"});
            EXPECT_EQ(ran.status(), 0) << preset.id << ' ' << words.front() << ": " << ran.err;
            return ran.status() == 0 ? ran.json() : json();
        };
        const json memory = asked({"memory", preset.id}), compute = asked({"compute", preset.id}),
                   swept = asked({"sweep", preset.id, "--vary", "batch=1", "--show", "weights,memory,flops,seconds"});
        ASSERT_TRUE(memory.is_object() && compute.is_object() && swept.is_object()) << preset.id;
        const json &pass = compute[phase], &point = swept["points"][0];
        for (const auto& [said, same] : {std::pair(point["weights"], memory["weights"]["total"]),
                                         {point["memory"], memory["total"]},
                                         {pass["on_device"], memory["total"]},
                                         {point["flops"], pass["flops"]},
                                         {point["seconds"], pass["seconds"]}})
            EXPECT_EQ(said, same) << preset.id << ' ' << phase;
        std::int64_t sum = 0;
        for (const json& row : compute["operations"]) sum += row["flops"].get<std::int64_t>();
        EXPECT_EQ(sum, pass["flops"]) << preset.id;
        const Ran report = run(Words{"report", preset.id, "-o", file} + input);
        ASSERT_EQ(report.status(), 0) << report.err;
        const std::string page = testing_data::read_file(file);
        for (const json& number : {memory["adapters"]["bytes"], memory["total"], pass["flops"]})
            EXPECT_TRUE(has(page, grouped(number.get<std::int64_t>()))) << preset.id << ' ' << number;
    }
    EXPECT_GT(tried, 5U);
}

// A question has its model and its input from the words beside it, as if they stood in it.
TEST(OneAnswer, OfAQuestionIsThatOfMemory) {
    std::mt19937_64 random(23);
    const std::vector<Preset>& presets = testing_data::all_presets();
    constexpr std::size_t every = 29;  // a question takes as long as opening all presets
    for (std::size_t i = 0; i < presets.size(); i += every) {
        const std::string& id = presets[i].id;
        const Words input = any_question(random, presets[i].architecture).input;
        const auto asked = [&](const Words& words) {
            const Ran ran = run(words + Words{id} + input + Words{"--json"});
            EXPECT_EQ(ran.status(), 0) << words.back() << ' ' << id << ": " << ran.err;
            return ran.status() == 0 ? ran.json() : json();
        };
        const json memory = asked({"memory"}), fits = asked({"ask", "does it fit"});
        const json& device = memory["devices"][0];
        EXPECT_EQ(fits["number"], grouped(memory["total"].get<std::int64_t>())) << id;
        EXPECT_EQ(has(fits["title"], " does not fit in "), !device["fits"].get<bool>()) << fits["title"];
        EXPECT_EQ(asked({"ask", "memory"})["number"], fits["number"]) << id;
        EXPECT_EQ(asked({"ask", "how many users"})["number"], room_of(device["largest_batch"]));
        if (presets[i].architecture.patches) continue;
        EXPECT_EQ(asked({"ask", "longest context"})["number"], room_of(device["longest_context"])) << id;
    }
}

// What is not possible is not possible for any of them, for one reason.
TEST(OneAnswer, IsRefusedByEveryCommandAlike) {
    for (const Words& input :
         {Words{"--phase", "decode"}, Words{"--phase", "train", "--dtype", "int4"}, Words{"--tokens", "513"}}) {
        std::string first;
        for (const Words& words :
             {Words{"memory", "bert-base-uncased", "--tokens", "8"},
              Words{"compute", "bert-base-uncased", "--tokens", "8"},
              Words{"sweep", "bert-base-uncased", "--vary", "layers=12..12"}, Words{"sensitivity", "bert-base-uncased"},
              Words{"solve", "bert-base-uncased", "--free", "layers", "--memory", "1GiB"},
              Words{"compare", "bert-base-uncased", "bert-base-uncased"}, Words{"ask", "flops", "bert-base-uncased"}}) {
            Words asked = words;
            if (input.front() == "--tokens")
                std::erase_if(asked, [](const std::string& word) { return word == "--tokens" || word == "8"; });
            const Ran ran = run(asked + input);
            EXPECT_EQ(ran.status(), 1) << words.front() << ' ' << input.front();
            EXPECT_EQ(ran.out, "") << words.front();
            std::string said = ran.err;
            if (const std::size_t side = said.find("A, "); side != std::string::npos) said.erase(side, 3);
            if (first.empty()) first = said;
            EXPECT_EQ(said, first) << words.front();
        }
    }
}

TEST(OneAnswer, NeedsNoWordThatCannotMatter) {
    const auto refused = [](const Words& words) {
        const Ran ran = run(words);
        EXPECT_EQ(ran.status(), 2) << ran.out;
        return ran.err;
    };
    EXPECT_EQ(refused({"count", "gpt2", "--tokens", "8"}),
              "headcount: \"count\" has no use for this: --tokens: leave it out\n");
    EXPECT_EQ(refused({"shapes", "gpt2", "--tokens", "8", "--hardware", "h100"}),
              "headcount: \"shapes\" has no use for this: --device: leave it out\n");
    EXPECT_EQ(refused({"memory", "gpt2", "--tokens", "8", "--full"}),
              "headcount: \"memory\" has no use for this: --full: leave it out\n");
    EXPECT_EQ(run({"count", "gpt2", "--batch", "2", "--batch", "3"}).err,
              "headcount: \"count\" has no use for this: --batch: leave it out\n");
    EXPECT_FALSE(has(run({"count", "--help"}).out, "--tokens"));
    EXPECT_FALSE(has(run({"completion", "bash"}).out, "'headcount count') commands='' options='--tokens"));
}

TEST(OneAnswer, OfTheWeightsIsTheSumOfTheTensors) {
    const Words words{"llama-3.2-1b", "--dtype", "q4_k_m", "--json"};
    std::int64_t sum = 0;
    std::map<std::string, std::string> formats;
    for (const json& row : run(Words{"tensors"} + words).json()) {
        sum += row["bytes"].get<std::int64_t>();
        formats[row["name"]] = row["format"];
    }
    EXPECT_EQ(run(Words{"count"} + words).json()["weights"]["total"], sum);
    EXPECT_EQ(formats["model.layers.0.mlp.down_proj.weight"], "q6_k");
    EXPECT_EQ(formats["model.layers.2.mlp.down_proj.weight"], "q4_k");
    EXPECT_TRUE(has(run({"tensors", "gpt2", "--layer", "0", "--dtype", "int8"}).out, "int8"));
}

TEST(OneAnswer, OfAPhaseIsOfThatPass) {
    const Words words{"--tokens", "1000", "--json"};
    const json decode = run(Words{"memory", "llama-3-8b", "--phase", "decode"} + words).json(),
               prefill = run(Words{"memory", "llama-3-8b"} + words).json();
    EXPECT_EQ(decode["kv_cache"], prefill["kv_cache"]);
    EXPECT_EQ(decode["activations"]["peak"], 2 * (4096 + 128256)) << "the logits";
    EXPECT_EQ(prefill["activations"]["peak"], 1000 * 2 * (4096 + 3 * 14336));
    EXPECT_EQ(run(Words{"memory", "llama-3-8b", "--phase", "train"} + words).out,
              run(Words{"memory", "llama-3-8b", "--train", "adam"} + words).out);
    // The source is read before the first token is made.
    const json t5 =
        run({"memory", "t5-small", "--tokens", "4", "--source", "500", "--phase", "decode", "--json"}).json();
    EXPECT_LT(t5["activations"]["peak"], 500 * 512);
    const json shapes = run({"shapes", "gpt2", "--tokens", "9", "--phase", "decode", "--json"}).json();
    for (const json& row : shapes)
        EXPECT_TRUE(row["id"] != "layer.attention.head.scores" || (row["rows"] == 1 && row["columns"] == 9));
    EXPECT_EQ(run({"compute", "gpt2", "--tokens", "9", "--phase", "decode", "--json"}).json()["operations"][0]["flops"],
              0);
    EXPECT_TRUE(has(run({"memory", "gpt2", "--tokens", "9", "--phase", "decode", "--train", "adam"}).err,
                    "an optimizer belongs to training: --train"));
}

TEST(OneAnswer, OfACacheInAnotherFormatIsSmallerForSolveToo) {
    const auto layers = [](const Words& more) {
        const Ran ran = run(
            Words{"solve", "llama-3-8b", "--free", "layers", "--device", "h200", "--tokens", "32k", "--json"} + more);
        EXPECT_EQ(ran.status(), 0) << ran.err;
        return ran.json()["answers"][0]["values"][0].get<std::int64_t>();
    };
    EXPECT_GT(layers({"--kv-dtype", "int8"}), layers({}));
    EXPECT_LT(layers({"--phase", "train"}), layers({}));
}

}  // namespace
}  // namespace headcount
