// headcount run, as a script would call it: the model that ships, random weights, and what cannot run.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/cli/run_bench.hpp"
#include "core/checkpoints/safetensors.hpp"
#include "core/tokenizer/tokenizer.hpp"
#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;

const std::string tiny = HEADCOUNT_ASSETS_DIR "/models/tiny-stories";
const std::vector<std::string> small{"--set",   "layers=2",  "--set",           "dim=32", "--set",
                                     "heads=4", "--set",     "kv_heads=4",      "--set",  "ffn_dim=64",
                                     "--set",   "vocab=100", "--random-weights"};

Ran run_small(std::vector<std::string> more) {
    std::vector<std::string> words{"run", "llama-2-7b"};
    words.insert(words.end(), small.begin(), small.end());
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

std::string refusal(std::vector<std::string> more, int status = 1) {
    const Ran ran = run_small(std::move(more));
    EXPECT_EQ(ran.status(), status) << ran.out;
    return ran.err;
}

TEST(RunText, TheModelThatShipsGoesOnFromAPrompt) {
    const Ran ran =
        run({"run", "tiny-stories", "--prompt", "Once upon a time", "--tokens", "20", "--temperature", "0"});
    EXPECT_EQ(ran.status(), 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("Once upon a time")) << ran.out;
    EXPECT_GT(ran.out.size(), 30u);
}

TEST(RunText, SaysIdsTextAndSpeedAsJson) {
    const json found =
        run({"run", tiny, "--prompt", "Once upon a time", "--tokens", "12", "--temperature", "0", "--ids", "--json"})
            .json();
    const Tokenizer tokenizer = *Tokenizer::of_model(tiny, 1 << 20);
    EXPECT_EQ(found["prompt_ids"], json(*tokenizer.encode("Once upon a time")));
    const auto ids = found["ids"].get<std::vector<std::int32_t>>();
    EXPECT_EQ(ids.size(), 12u);
    EXPECT_EQ(found["text"], tokenizer.decode(ids));
    EXPECT_GT(found["tokens_per_second"], 0);
    EXPECT_GT(found["prompt_tokens_per_second"], 0);
}

TEST(RunText, IdsInThePlaceOfAPromptGiveTheSame) {
    const auto ids = *Tokenizer::of_model(tiny, 1 << 20)->encode("She had a ball.");
    std::string list;
    for (const std::int32_t id : ids) list += (list.empty() ? "" : ",") + std::to_string(id);
    const auto made = [&](const char* flag, const std::string& prompt) {
        return run({"run", tiny, flag, prompt, "--tokens", "8", "--seed", "3", "--json"}).json()["ids"];
    };
    EXPECT_EQ(made("--prompt", "She had a ball."), made("--prompt-ids", list));
}

TEST(RunText, TheSeedDecides) {
    const auto made = [&](const char* seed) {
        return run_small({"--prompt-ids", "1,2,3", "--tokens", "10", "--temperature", "1", "--seed", seed, "--json"})
            .json();
    };
    EXPECT_EQ(made("5")["ids"], made("5")["ids"]);
    EXPECT_NE(made("5")["ids"], made("6")["ids"]);
}

TEST(RunText, RandomWeightsNeedNoTokenizer) {
    const Ran ran = run_small({"--prompt-ids", "1, 2,3", "--tokens", "4"});
    EXPECT_EQ(ran.status(), 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("prompt: 1,2,3\nnew: ")) << ran.out;
}

// A small T5: an encoder and a decoder of random weights.
Ran run_both(const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "t5-small", "--random-weights"};
    for (const char* each :
         {"layers=2", "encoder_layers=3", "dim=32", "heads=4", "head_dim=8", "ffn_dim=64", "vocab=100"})
        words.insert(words.end(), {"--set", each});
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

TEST(RunText, ADecoderGoesOnFromWhatItsEncoderReads) {
    const auto made = [](const std::vector<std::string>& more) {
        std::vector<std::string> words{"--tokens", "6", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return run_both(words).json();
    };
    const json one = made({"--source-ids", "5,6,7"});
    EXPECT_EQ(one["source_ids"], json::array({5, 6, 7}));
    EXPECT_EQ(one["prompt_ids"], json::array({0})) << "the token that the file names for it";
    EXPECT_EQ(one["ids"].size(), 6u);
    EXPECT_NE(made({"--source-ids", "5,6,8"})["ids"], one["ids"]);
    const int first = one["ids"][0].get<int>();
    const json on = made({"--source-ids", "5,6,7", "--prompt-ids", "0," + std::to_string(first)});
    EXPECT_EQ(on["ids"][0], one["ids"][1]) << "the same as when it made that token itself";
}

TEST(RunText, WhatIsReadBesideADecoderIsAskedFor) {
    const auto refused = [](const std::vector<std::string>& more) {
        const Ran ran = run_both(more);
        EXPECT_EQ(ran.status(), 1) << ran.out;
        return ran.err;
    };
    EXPECT_TRUE(has(refused({"--prompt-ids", "0"}), "this model's encoder has nothing to read"));
    EXPECT_TRUE(has(refused({"--source-ids", "100"}), "100 is no token: the vocabulary is 100: --source-ids"));
    EXPECT_TRUE(has(refusal({"--source-ids", "1,2"}), "no encoder beside a decoder"));
}

// A small BERT: an encoder of random weights.
Ran run_encoder(std::vector<std::string> more, const std::string& output = "masked") {
    std::vector<std::string> words{"run", "bert-base-uncased", "--random-weights"};
    for (const char* each : {"layers=2", "dim=32", "heads=4", "ffn_dim=64", "vocab=100"}) {
        words.emplace_back("--set");
        words.emplace_back(each);
    }
    words.emplace_back("--set");
    words.push_back("output=" + output);
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

TEST(RunText, AnEncoderSaysWhatEachTokenMayBe) {
    const json found = run_encoder({"--prompt-ids", "1,2,3", "--tokens", "0", "--json"}).json();
    EXPECT_TRUE(found["ids"].empty());
    ASSERT_EQ(found["filled"].size(), 3u);
    double before = 1;
    for (const json& each : found["filled"][1]["likeliest"]) {
        EXPECT_LE(each["probability"], before);
        before = each["probability"];
    }
    const Ran ran = run_encoder({"--prompt-ids", "1,2,3"});
    EXPECT_EQ(ran.status(), 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("token 0: [")) << ran.out;
    EXPECT_TRUE(has(ran.out, "\nprompt: 1,2,3\n")) << ran.out;
}

TEST(RunText, WhatAnEncoderReadsDependsOnWhatComesLater) {
    const auto first = [](const char* ids) {
        return run_encoder({"--prompt-ids", ids, "--json"}).json()["filled"][0]["likeliest"];
    };
    EXPECT_NE(first("1,2,3"), first("1,2,4"));
}

TEST(RunText, TokenTypesCount) {
    const auto made = [](const char* types) {
        return run_encoder({"--prompt-ids", "1,2,3", "--token-types", types, "--json"}).json()["filled"];
    };
    EXPECT_EQ(made("0,0,0"), run_encoder({"--prompt-ids", "1,2,3", "--json"}).json()["filled"]);
    EXPECT_NE(made("0,0,1"), made("0,0,0"));
}

TEST(RunText, APoolerGivesOneRowForTheText) {
    const json found = run_encoder({"--prompt-ids", "1,2,3", "--json"}, "pooler").json();
    EXPECT_EQ(found["pooled"].size(), 32u);
    EXPECT_FALSE(found.contains("filled"));
    EXPECT_TRUE(run_encoder({"--prompt-ids", "1,2,3"}, "pooler").out.starts_with("pooled: "));
    EXPECT_EQ(run_encoder({"--prompt-ids", "1,2,3"}, "none").status(), 0);
}

TEST(RunText, WhatAnEncoderCannotBeAskedForIsASentence) {
    const auto refused = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"--prompt-ids", "1,2,3"});
        const Ran ran = run_encoder(std::move(more));
        EXPECT_EQ(ran.status(), 1) << ran.out;
        return ran.err;
    };
    EXPECT_TRUE(has(refused({"--tokens", "3"}), "this model makes no text: it reads all tokens at once: --tokens"));
    EXPECT_TRUE(has(refused({"--token-types", "0,1"}), "2 types are given for 3 tokens: --token-types"));
    EXPECT_TRUE(has(refused({"--token-types", "0,1,2"}), "there is no token type 2: --token-types"));
    EXPECT_TRUE(has(refusal({"--prompt-ids", "1,2", "--token-types", "0,0"}), "this model has none"));
}

TEST(RunText, TheDumpHasEveryActivationInItsShape) {
    const Scratch scratch;
    const std::string file = (scratch.folder() / "dump.safetensors").string();
    ASSERT_EQ(run_small({"--prompt-ids", "1,2,3", "--tokens", "1", "--dump", file}).status(), 0);
    std::ifstream in(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    const auto read = read_safetensors(std::as_bytes(std::span(bytes.data(), bytes.size())), file);
    ASSERT_TRUE(read) << sentence(read.error());
    std::map<std::string, std::vector<std::int64_t>> shapes;
    for (const CheckpointTensor& tensor : read->tensors) shapes[tensor.name] = tensor.shape;
    EXPECT_EQ(shapes["logits"], (std::vector<std::int64_t>{3, 100}));
    for (const char* hidden : {"hidden.0", "hidden.1", "hidden.2"})
        EXPECT_EQ(shapes[hidden], (std::vector<std::int64_t>{3, 32}));
    EXPECT_EQ(shapes["layer.1.attention.queries"], (std::vector<std::int64_t>{3, 32}));
    EXPECT_EQ(shapes["layer.0.attention.head.weights"], (std::vector<std::int64_t>{4, 3, 3}));
    EXPECT_EQ(shapes["layer.1.feed_forward.hidden"], (std::vector<std::int64_t>{3, 64}));
}

TEST(RunText, WhatIsWrongIsASentence) {
    EXPECT_TRUE(has(refusal({"--prompt-ids", "1,100"}), "100 is no token: the vocabulary is 100: --prompt-ids"));
    EXPECT_TRUE(has(refusal({"--prompt-ids", "1,x"}, 2), "--prompt-ids: give ids of tokens"));
    EXPECT_TRUE(has(refusal({"--prompt-ids", ""}, 2), "an id of a token is missing: --prompt-ids: give ids of tokens"));
    EXPECT_TRUE(has(run_small({"--prompt-ids", "1", "--prompt", "a"}).err,
                    "a prompt is given twice: --prompt-ids: give --prompt or --prompt-ids"));
    EXPECT_TRUE(has(run_small({}).err, "there is no prompt: headcount run: give --prompt TEXT or --prompt-ids 1,2,3"));
    EXPECT_TRUE(has(refusal({"--prompt", "a"}), "there are none: --prompt, llama-2-7b: give ids of tokens"));
    EXPECT_TRUE(
        has(refusal({"--prompt-ids", "1", "--temperature", "hot"}, 2), "\"hot\" is not a number: --temperature"));
    EXPECT_TRUE(has(refusal({"--prompt-ids", "1", "--temperature", "-1"}, 2), "-1 is no temperature: --temperature"));
    EXPECT_TRUE(has(refusal({"--prompt-ids", "1", "--top-p", "2"}, 2), "2 is no share: --top-p"));
    EXPECT_TRUE(has(refusal({"--prompt-ids", "1", "--tokens", "5000"}),
                    "1 tokens of prompt and 5,000 new ones do not fit into the context of 4,096, in which the last one "
                    "needs no place: --tokens: give at most 4,096"));
    EXPECT_TRUE(has(refusal({"--prompt-ids", "1,2,3", "--set", "context=2"}),
                    "the prompt has 3 tokens, the model's context is 2"));
    EXPECT_TRUE(has(run({"run", "llama-2-7b", "--prompt-ids", "1"}).err, "there are no weights in 'llama-2-7b'"));
}

// Seven experts are not given n_group, which no command can change.
TEST(RunText, GroupsThatDoNotDivideTheExpertsNameANumberThatTheyDo) {
    const Scratch scratch;
    const json golden = json::parse(std::ifstream(HEADCOUNT_TESTS_DIR "/golden/runtime/deepseek_v3.json"));
    const std::string config = scratch.file("config.json", golden.at("config").dump());
    const Ran ran = run({"run", config, "--set", "experts=7", "--prompt-ids", "1", "--random-weights"});
    EXPECT_TRUE(has(ran.err, "give a number that does, or as many experts as it divides, such as 8")) << ran.err;
}

TEST(RunText, AFileThatCannotBeWrittenIsKnownBeforeAnythingIsComputed) {
    const Scratch scratch;
    const Ran ran =
        run({"run", tiny, "--prompt", "Once", "--dump", (scratch.folder() / "none" / "a.safetensors").string()});
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(has(ran.err, "cannot be written: No such file or directory: --dump")) << ran.err;
    EXPECT_EQ(run_small({"--prompt-ids", "1,100", "--dump", (scratch.folder() / "a.safetensors").string()}).status(),
              1);
    EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
}

TEST(RunText, ADumpThatTheDiskHasNoRoomForNamesItsOption) {
    EXPECT_TRUE(has(refusal({"--prompt-ids", "1", "--dump", "/dev/full"}),
                    "cannot be written: No space left on device: --dump, /dev/full: choose another place"));
}

// Of 100 tokens 32 wide the table is looked up; the rest is read for every token.
TEST(RunText, TheBenchmarkCountsTheWeightsThatAreRead) {
    const RunSpeeds speeds{.prompt = 1, .made = 1'000'000, .prompt_seconds = 1, .made_seconds = 1};
    std::ostringstream out;
    write_bench(out, {}, {}, 2'500, 1, speeds);
    EXPECT_TRUE(has(out.str(), "which is 10.0 GB of weights a second; from memory this machine reads")) << out.str();
    EXPECT_TRUE(has(out.str(), "activations 0 B, all in float32\n")) << out.str();
    // As they are kept.
    out.str("");
    const std::vector<KeptNumbers> kept{{.type = "Q4_K", .multiplied = true, .numbers = 4'096, .bytes = 2'304},
                                        {.type = "F32", .multiplied = false, .numbers = 32, .bytes = 128}};
    write_bench(out, {.weights = 2'432}, kept, 2'500, 1, speeds);
    EXPECT_TRUE(has(out.str(), "weights 2.38 KiB (Q4_K 2.25 KiB, F32 128 B), caches")) << out.str();
    EXPECT_TRUE(has(out.str(), ", both in float32\n") && has(out.str(), "which is 1.4 GB of weights")) << out.str();
}

TEST(RunText, LongLoadingSaysHowFarItIs) {
    std::ostringstream err;
    const Watch brief = weights_watch(err, 1'000'000), lasting = weights_watch(err, std::int64_t{2} << 30);
    for (const double share : {0.05, 0.1, 0.15, 0.5, 1.0}) brief.at(share), lasting.at(share);
    EXPECT_EQ(err.str(), "weights: 10 % of 2.00 GiB\nweights: 50 % of 2.00 GiB\nweights: 100 % of 2.00 GiB\n");
    err.str("");
    const Watch ranking = rank_watch(err, std::int64_t{2} << 30);
    for (const double share : {0.0, 0.25, 0.5}) ranking.at(share);
    EXPECT_EQ(err.str(), "rank: 20 %\nrank: 50 %\n");
}

TEST(Window, OpensTheModelThatShipsByItsName) {
    const Ran ran = run({"tiny-stories"});
    const auto* options = std::get_if<WindowOptions>(&ran.result);
    ASSERT_TRUE(options) << ran.err;
    ASSERT_TRUE(options->document);
    EXPECT_EQ(options->document->preset, "tiny-stories") << "it is the one of the menus";
    EXPECT_EQ(options->document->architecture.name, "Tiny stories");
}

TEST(RunText, InvalidUtf8IsTokensWhereTheTokenizerHasThem) {
    const Scratch scratch;
    const Ran ran =
        run({"run", testing_data::shipped_with_bytes(scratch), "--prompt", "a\xff", "--tokens", "1", "--json"});
    EXPECT_EQ(ran.status(), 0) << ran.err;
    EXPECT_TRUE(has(run({"run", tiny, "--prompt", "a\xff"}).err, "no tokens for single bytes"));
}

TEST(RunText, ATokenizerOfAnotherModelIsRefused) {
    const Scratch scratch;
    for (const char* name : {"config.json", "model.safetensors"})
        std::filesystem::copy_file(tiny + "/" + name, scratch.folder() / name);
    scratch.file("tokenizer.json", R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})");
    const Ran ran = run({"run", scratch.folder().string(), "--prompt", "a"});
    EXPECT_TRUE(has(ran.err, "the tokenizer has 1 tokens, the model's vocabulary 512")) << ran.err;
}

}  // namespace
}  // namespace headcount
