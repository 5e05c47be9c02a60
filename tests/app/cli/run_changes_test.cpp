// headcount run with parts of the model off, scaled or another run's, and how much each matters.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;

Ran run_tiny(std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "tiny-stories", "--prompt", "Once upon a time there was"});
    return run(more);
}

// A small mixture of random weights.
Ran run_mixture(std::vector<std::string> more) {
    std::vector<std::string> words{"run", "mixtral-8x7b", "--random-weights", "--prompt-ids", "1,2,3,4"};
    for (const char* each : {"layers=2", "dim=32", "heads=4", "kv_heads=2", "head_dim=8", "ffn_dim=64", "expert_dim=24",
                             "experts=4", "vocab=100"})
        words.insert(words.end(), {"--set", each});
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

std::string refusal(const Ran& ran, int status = 1) {
    EXPECT_EQ(ran.status(), status) << ran.out;
    EXPECT_TRUE(ran.err.starts_with("headcount: ")) << ran.err;
    return ran.err;
}

TEST(RunChanges, AreNamedWhereverNumbersAre) {
    const json found = run_tiny({"--tokens", "8", "--off", "layer.1.attention.head:2", "--off", "layer.0.feed_forward",
                                 "--scale", "layer.2.attention=0.5", "--json"})
                           .json();
    EXPECT_EQ(found["changes"], json::parse(R"([
        {"place": "layer.2.attention", "change": "scale", "factor": 0.5},
        {"place": "layer.1.attention.head:2", "change": "off"},
        {"place": "layer.0.feed_forward", "change": "off"}])"));
    EXPECT_NE(found["ids"], run_tiny({"--tokens", "8", "--json"}).json()["ids"]);
    const Ran text = run_tiny({"--tokens", "2", "--off", "layer.0.feed_forward"});
    EXPECT_TRUE(text.out.starts_with("changed: layer.0.feed_forward off\nOnce upon a time")) << text.out;
    EXPECT_FALSE(run_tiny({"--tokens", "2", "--json"}).json().contains("changes"));
}

// Each token anew from all before it is what is cached between them.
TEST(RunChanges, HoldForEveryTokenThatIsMade) {
    std::vector<std::string> off{"--off", "layer.1.attention.head:2", "--scale", "layer.0.feed_forward=0.3"};
    const auto made = [&](const std::string& ids, const char* tokens) {
        std::vector<std::string> words{"run", "tiny-stories", "--prompt-ids", ids, "--tokens", tokens, "--json"};
        words.insert(words.end(), off.begin(), off.end());
        return run(words).json()["ids"].get<std::vector<int>>();
    };
    const std::vector<int> all = made("1,20,30", "6");
    std::string ids = "1,20,30";
    for (const int each : all) {
        EXPECT_EQ(made(ids, "1").front(), each) << "behind " << ids;
        ids += "," + std::to_string(each);
    }
}

TEST(RunChanges, ATokensStreamIsCountedFromTheTextsBeginning) {
    const auto made = [](const char* place) {
        return run_mixture({"--tokens", "4", "--json", "--scale", std::string(place) + "=-3"}).json()["ids"];
    };
    EXPECT_EQ(made("stream.1@3")[0] == run_mixture({"--tokens", "4", "--json"}).json()["ids"][0], false);
    // The fifth token is the first that is made: what it leads to changes, and not itself.
    EXPECT_EQ(made("stream.1@4")[0], run_mixture({"--tokens", "4", "--json"}).json()["ids"][0]);
    EXPECT_TRUE(has(refusal(run_mixture({"--tokens", "4", "--off", "stream.1@7"})),
                    "there is no token 7 among 7: --off, stream.1@7: count from 0 to 6"));
}

TEST(RunChanges, AnotherRunsNumbersAreReadFromItsDump) {
    const Scratch scratch;
    const std::string file = (scratch.folder() / "other.safetensors").string();
    const auto other = [&](std::vector<std::string> more) {
        more.insert(more.end(), {"--prompt-ids", "9,8,7,6"});
        std::vector<std::string> words{"run", "tiny-stories", "--tokens", "1", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words).json();
    };
    const json there = other({"--dump", file});
    const auto here = [&](const std::string& place) {
        return run({"run", "tiny-stories", "--tokens", "1", "--json", "--prompt-ids", "1,2,3,4", "--patch",
                    place + "=" + file});
    };
    const json patched = here("stream.3@3").json();
    EXPECT_EQ(patched["ids"], there["ids"]) << "what leaves the last layer decides";
    EXPECT_EQ(patched["changes"][0]["file"], file);
    EXPECT_TRUE(
        has(refusal(run({"run", "tiny-stories", "--prompt-ids", "1,2", "--patch", "layer.0.attention=" + file})),
            "has the shape [4, 128], not [2, 128]: --patch, layer.0.attention, " + file));
    EXPECT_EQ(run({"run", "tiny-stories", "--prompt-ids", "1,2", "--patch", "layer.0.attention@1=" + file}).status(),
              0);
    EXPECT_TRUE(has(refusal(run({"run", "tiny-stories", "--prompt-ids", "1,2,3,4", "--patch", "stream.0@0=" + file,
                                 "--dump", file})),
                    "--dump"))
        << "what is read is not written over";
}

TEST(RunChanges, WhatIsNotThereIsASentence) {
    const auto off = [](const char* place) { return refusal(run_mixture({"--off", place})); };
    EXPECT_EQ(off("layer.0.attention.head:4"),
              "headcount: there is no head 4 among 4: --off, layer.0.attention.head:4: count from 0 to 3\n");
    EXPECT_TRUE(has(off("layer.5.attention"), "there is no layer 5 among 2: --off, layer.5.attention"));
    EXPECT_TRUE(has(off("layer.1.feed_forward.expert:9"), "there is no expert 9 among 4: --off"));
    EXPECT_TRUE(has(refusal(run_mixture({"--off", "layer.1"}), 2),
                    "\"layer.1\" is no place in a run: --off: name layer.I.attention, "));
    EXPECT_TRUE(has(refusal(run_mixture({"--scale", "layer.0.attention=a"}), 2),
                    "\"a\" is no factor: --scale, layer.0.attention: give a number such as 0.5"));
    EXPECT_TRUE(has(refusal(run_mixture({"--scale", "layer.0.attention"}), 2), "there is no factor: --scale"));
    EXPECT_TRUE(has(refusal(run_mixture({"--patch", "layer.0.attention=/no/file"})), "--patch, layer.0.attention"));
    EXPECT_TRUE(has(refusal(run_mixture({"--patch", "layer.0.attention"}), 2), "there is no file: --patch"));
}

TEST(RunRank, SaysWhatEachPartMattersForTheLikeliestToken) {
    const json found = run_mixture({"--tokens", "1", "--rank", "--json"}).json();
    const json& rank = found["rank"];
    EXPECT_EQ(rank["token"], found["ids"][0]) << "without a temperature";
    ASSERT_EQ(rank["heads"].size(), 2u);
    for (const json& layer : rank["heads"]) EXPECT_EQ(layer.size(), 4u);
    EXPECT_EQ(rank["attention"].size(), 2u);
    EXPECT_EQ(rank["feed_forward"].size(), 2u);
    EXPECT_LT(rank["log_probability"], 0);
    // Off meanwhile, a head matters no more.
    const json off = run_mixture({"--tokens", "0", "--rank", "--json", "--off", "layer.1.attention.head:2"}).json();
    EXPECT_EQ(off["rank"]["heads"][1][2], 0);
    EXPECT_NE(rank["heads"][1][2], 0);
    const Ran text = run_mixture({"--tokens", "0", "--rank"});
    EXPECT_TRUE(has(text.out, "; with a part off it changes by\n")) << text.out;
    EXPECT_TRUE(has(text.out, "layer  attention  feed_forward  heads")) << text.out;
}

TEST(RunRank, OfTwoStacksAndOfLayersWithoutHeads) {
    std::vector<std::string> words{"run", "t5-small", "--random-weights", "--rank", "--tokens", "0"};
    for (const char* each :
         {"layers=1", "encoder_layers=2", "dim=32", "heads=4", "head_dim=8", "ffn_dim=64", "vocab=100"})
        words.insert(words.end(), {"--set", each});
    words.insert(words.end(), {"--source-ids", "5,6,7"});
    EXPECT_TRUE(has(run(words).out, "encoder\nlayer")) << run(words).out;
    EXPECT_TRUE(has(run(words).out, "decoder\nlayer"));
    words.emplace_back("--json");
    const json rank = run(words).json()["rank"];
    EXPECT_EQ(rank["encoder"]["heads"].size(), 2u);
    EXPECT_EQ(rank["heads"].size(), 1u);
    EXPECT_EQ(rank["cross_attention"].size(), 1u);
    EXPECT_EQ(rank["cross_attention_heads"][0].size(), 4u);

    std::vector<std::string> states{"run", "mamba2-130m", "--random-weights", "--rank", "--tokens", "0", "--json"};
    for (const char* each : {"layers=2", "dim=32", "vocab=100"}) states.insert(states.end(), {"--set", each});
    states.insert(states.end(), {"--prompt-ids", "5,6,7"});
    const Ran ran = run(states);
    ASSERT_EQ(ran.status(), 0) << ran.err;
    const json of_states = ran.json()["rank"];
    EXPECT_EQ(of_states["heads"], json::parse("[[], []]"));
    EXPECT_EQ(of_states["attention"], json::parse("[null, null]"));
    EXPECT_TRUE(of_states["state_space"][1].is_number());
}

TEST(RunRank, AModelThatMakesNoTextHasNone) {
    std::vector<std::string> words{"run", "bert-base-uncased", "--random-weights", "--rank", "--prompt-ids", "1,2"};
    EXPECT_TRUE(has(refusal(run(words)), "this model says no next token that its parts could matter for: --rank"));
}

}  // namespace
}  // namespace headcount
