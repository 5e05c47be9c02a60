// A word of a command line changes what is answered, or is refused: none is passed over.
#include <gtest/gtest.h>

#include "core/base/text.hpp"
#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

using Words = std::vector<std::string>;

Words line_words(const std::string& line) {
    Words words;
    std::istringstream read(line);
    for (std::string word; read >> word;) words.push_back(word);
    return words;
}

// What is wrong with a command line that may not be answered.
std::string refused_as(const std::string& line) {
    const Ran ran = run(line_words(line));
    EXPECT_NE(ran.status(), 0) << line;
    EXPECT_EQ(ran.out, "") << line;
    return ran.err;
}

TEST(IdleWords, OfMemoryAreRefusedWhereThePassOrTheModelHasNoUseForThem) {
    const std::string trained = "memory llama-3-8b --tokens 4k --train adam ",
                      bert = "memory bert-base-uncased --tokens 512 ";
    EXPECT_EQ(refused_as(trained + "--chunk 512"),
              "headcount: training reads all tokens at once: --chunk: leave it out\n");
    EXPECT_EQ(refused_as(trained + "--block 16"), "headcount: training keeps no cache: --block: leave it out\n");
    EXPECT_TRUE(has(refused_as(trained + "--fused"), "attention is fused"));
    EXPECT_TRUE(has(refused_as(trained + "--kv-dtype int8"), "training keeps no cache: --kv-dtype"));
    EXPECT_TRUE(has(refused_as(bert + "--chunk 128"), "this model reads all tokens at once: --chunk"));
    EXPECT_TRUE(has(refused_as(bert + "--pad 256"), "this model keeps no keys and values: --pad"));
    EXPECT_TRUE(has(refused_as("memory mamba-130m --tokens 512 --scores"), "this model has no attention: --scores"));
    EXPECT_TRUE(has(refused_as("memory mamba-130m --tokens 512 --block 16"), "--block: leave it out"));
    EXPECT_TRUE(
        has(refused_as("memory llama-3-8b --tokens 4k --phase decode --chunk 512"), "a decoding step reads one"));
    EXPECT_TRUE(has(refused_as("memory jamba-v0.1 --tokens 4k --phase decode --block 16 --chunk 512"),
                    "a decoding step reads one"));
    EXPECT_EQ(run(line_words("memory gemma-3-27b --tokens 4k --phase decode --chunk 512 --block 16")).status(), 0);
    EXPECT_EQ(run(line_words("memory mamba-130m --tokens 4k --chunk 512")).status(), 0);
}

TEST(IdleWords, OfMemoryAreRefusedWhereNoneIsShown) {
    const std::string alone = "compute llama-3-8b --tokens 4k ",
                      swept = "sweep llama-3-8b --tokens 4k --vary layers=8,16 ";
    for (const std::string word : {"--chunk 512", "--block 16", "--pad 256", "--scores", "--gpu-layers 5"}) {
        const std::string flag = word.substr(0, word.find(' '));
        EXPECT_EQ(refused_as(alone + word),
                  "headcount: it is of memory, and none is shown: " + flag + ": add --device, such as --device h100\n");
        const bool of_cache = flag == "--block" || flag == "--pad";
        EXPECT_TRUE(
            has(refused_as(swept + word + (of_cache ? " --show flops" : "")), flag + ": add --memory, or --device"))
            << word;
        EXPECT_EQ(run(line_words(swept + word + " --memory")).status(), 0) << word;
        EXPECT_EQ(run(line_words(alone + word + " --device h100")).status(), 0) << word;
    }
    for (const std::string& line : {alone, swept})
        EXPECT_TRUE(has(refused_as(line + "--reserve 30"), "what is left free is a device's: --reserve"));
    EXPECT_TRUE(has(refused_as(swept + "--reserve 30 --memory"), "--reserve: add --device"));
    EXPECT_TRUE(has(refused_as(alone + "--phase train --recompute full"), "none is shown: --recompute"));
}

TEST(IdleWords, WhatVariedDevicesDivideIsNoneOfThem) {
    const std::string swept = "sweep llama-3-8b --tokens 4k --train adam --device h100 ";
    EXPECT_EQ(run(line_words(swept + "--vary devices=2,4 --zero 3")).status(), 0);
    EXPECT_EQ(run(line_words(swept + "--vary tensor=2,4 --sequence")).status(), 0);
    EXPECT_TRUE(has(refused_as(swept + "--vary layers=8,16 --zero 3"), "--zero: add --devices N"));
}

TEST(IdleWords, OfTheInputAreRefusedWhereTheModelHasNoUseForThem) {
    const std::string bert = "compute bert-base-uncased --tokens 512 ";
    EXPECT_EQ(refused_as(bert + "--kv-dtype int8"),
              "headcount: this model keeps nothing of earlier tokens: --kv-dtype: leave it out\n");
    EXPECT_EQ(refused_as(bert + "--full"),
              "headcount: in this model no key is masked from a query: --full: leave it out\n");
    EXPECT_TRUE(has(refused_as("compute mamba-130m --tokens 512 --full"), "no key is masked"));
    EXPECT_TRUE(has(refused_as("memory vit-base-patch16-224 --tokens 5"), "as 197 rows: --tokens: give 197"));
    EXPECT_EQ(run(line_words("memory mamba-130m --tokens 512 --kv-dtype int8")).status(), 0);
    EXPECT_EQ(run(line_words("compute modernbert-base --tokens 512 --full")).status(), 0);
    EXPECT_TRUE(
        has(refused_as("sweep bert-base-uncased --vary kv_dtype=bf16,int8"), "of earlier tokens: --vary kv_dtype"));
    EXPECT_TRUE(has(refused_as("sweep llama-3-8b --vary source=10,20"),
                    "no encoder beside a decoder, which could read a source: --vary source"));
}

TEST(IdleWords, AnEncoderOfSoundReadsAsManyPositionsAsItHas) {
    const std::string whisper = "memory whisper-large-v3 --tokens 448 ";
    EXPECT_EQ(refused_as(whisper + "--source 5000"),
              "headcount: the encoder of this model always reads 1,500 positions of sound: --source: leave it out, or "
              "give 1,500\n");
    EXPECT_TRUE(has(run(line_words(whisper)).out, "S = 1,500 source tokens"));
    EXPECT_EQ(run(line_words(whisper + "--source 1500")).out, run(line_words(whisper)).out);
    EXPECT_TRUE(has(refused_as("sweep whisper-large-v3 --tokens 100 --vary source=1500,5000"),
                    "1,500 positions of sound: --vary source"));
    // The link's own number is not computed either.
    const Ran linked = run({"memory", "#v=1&m=whisper-large-v3&tokens=100&source=50", "--json"});
    ASSERT_EQ(linked.status(), 0) << linked.err;
    EXPECT_EQ(linked.json()["input"]["source"], 1500);
}

TEST(IdleWords, OfSeveralModelsOneThatHasAUseForThemIsEnough) {
    EXPECT_EQ(run(line_words("compare bert-base-uncased gpt2 --kv-dtype int8")).status(), 0);
    EXPECT_EQ(run(line_words("compare gpt2 mixtral-8x7b llama-3-8b --dtype experts=mxfp4")).status(), 0);
    EXPECT_EQ(run(line_words("sweep gpt2 t5-small --vary batch=1,2 --source 50")).status(), 0);
    EXPECT_TRUE(has(refused_as("compare bert-base-uncased vit-base-patch16-224 --kv-dtype int8"), "--kv-dtype: leave"));
    EXPECT_TRUE(has(refused_as("compare gpt2 llama-3-8b llama-2-7b --source 50"), "--source: leave it out"));
    EXPECT_TRUE(has(refused_as("sweep gpt2 llama-3-8b --vary batch=1,2 --dtype experts=mxfp4"), "\"experts\""));
}

TEST(IdleWords, AreFormatsOfWhatTheModelDoesNotHave) {
    const std::string dense = "memory llama-3-8b --tokens 64 --dtype ";
    for (const char* part : {"experts", "router", "recurrence"})
        EXPECT_EQ(refused_as(dense + part + "=fp8"), "headcount: this model has no weights of \"" + std::string(part) +
                                                         "\" by themselves: --dtype: leave it out\n");
    EXPECT_TRUE(has(refused_as("memory gpt2 --tokens 64 --dtype output=fp8"), "\"output\""));
    EXPECT_TRUE(
        has(refused_as(dense + "model.layers.[30-33].mlp.up_proj.weight=int4"), "in all of these layers: --dtype"));
    EXPECT_TRUE(has(refused_as(dense + "nonexist.weight=int4,rest=bf16"), "no tensor \"nonexist.weight\""));
    EXPECT_TRUE(
        has(refused_as("sweep llama-3-8b --vary dtype=experts=int4"), "\"experts\" by themselves: --vary dtype"));
    for (const char* text : {"layers=fp8", "layers=fp8,attention=int8", "EXPERTS=MXFP4"}) {
        const std::string model = text[0] == 'E' ? "mixtral-8x7b" : "llama-3-8b";
        EXPECT_EQ(run(line_words("memory " + model + " --tokens 64 --dtype " + text)).status(), 0) << text;
    }
    EXPECT_EQ(run(line_words(dense + "model.layers.[0-3+31].mlp.up_proj.weight=int4")).status(), 0);
}

TEST(IdleWords, AreWordsThatAreSaidTwice) {
    const std::string dense = "memory llama-3-8b --tokens 64 --dtype ";
    EXPECT_TRUE(has(refused_as(dense + "attention=fp8,attention=int4"),
                    "\"attention\" says anew what was said before: --dtype"));
    EXPECT_TRUE(has(refused_as(dense + "attention=fp8,layers=int4"), "write layers before its parts"));
    EXPECT_TRUE(has(refused_as(dense + "rest=fp8,rest=int4"), "\"rest\" says anew"));
    EXPECT_TRUE(has(refused_as("sweep gpt2 --vary batch=1,2 --batch 7"), "the number of them is varied: --batch"));
}

TEST(IdleWords, AContextsGroupHasATokenForEachDevice) {
    EXPECT_EQ(refused_as("memory llama-3-8b --tokens 4k --context 5000"),
              "headcount: 4,096 tokens cannot be divided among 5,000 devices: context: give at most 4,096, or more "
              "tokens\n");
    EXPECT_TRUE(has(refused_as("compare llama-3-8b llama-2-7b --tokens 8 --context 16"), "8 tokens cannot be divided"));
    EXPECT_EQ(run(line_words("sweep llama-3-8b --vary tokens=8,64 --context 16 --memory --json")).json()["left_out"],
              1);
    EXPECT_TRUE(has(refused_as("sweep llama-3-8b --tokens 8 --vary context_parallel=16,32 --memory"),
                    "8 tokens cannot be divided"));
}

TEST(IdleWords, AreThoseThatNothingShownHangsOn) {
    EXPECT_TRUE(has(refused_as("sweep llama-3-8b --vary layers=8,16 --tensor 2"), "--tensor: leave it out, or show"));
    EXPECT_TRUE(
        has(refused_as("sweep llama-3-8b --vary layers=8,16 --show total --tokens 4k"), "depends on this: --tokens"));
    EXPECT_TRUE(
        has(refused_as("sweep llama-3-8b --vary layers=8,16 --show total --train adam"), "depends on this: --train"));
    EXPECT_TRUE(
        has(refused_as("sweep llama-3-8b --vary layers=8,16 --show flops --dtype int8"), "depends on this: --dtype"));
    EXPECT_EQ(run(line_words("sweep llama-3-8b --vary layers=8,16 --show weights --dtype int8")).status(), 0);
    EXPECT_EQ(run(line_words("sweep llama-3-8b --vary layers=8,16 --tensor 2 --memory")).status(), 0);
    // Which form of latent attention is counted hangs on the roof.
    EXPECT_EQ(run(line_words("sweep deepseek-v3 --vary layers=8,16 --show flops --dtype int8")).status(), 0);
    for (const char* word : {"--batch 4", "--dtype int8", "--tensor 2", "--phase decode", "--full"})
        for (const char* searched : {"--vary layers --total 9B", "--size 9B", "--compute 1e23"})
            EXPECT_TRUE(has(refused_as("solve llama-3-8b " + std::string(searched) + " " + word),
                            "nothing that is shown depends on this: --"))
                << word;
    EXPECT_TRUE(has(refused_as("solve llama-3-8b --vary layers --memory 24GiB --full"), "depends on this: --full"));
    EXPECT_TRUE(has(refused_as("solve llama-3-8b --vary layers --total 9B --device h100 --price 2"),
                    "no price is asked: --price"));
    for (const char* word : {"--multiple 256", "--any-shape", "--answers 2"})
        EXPECT_EQ(run(line_words("solve llama-3-8b --size 9B " + std::string(word))).status(), 2) << word;
    EXPECT_EQ(run(line_words("solve llama-3-8b --vary layers --total 9B --any-shape")).status(), 2);
}

TEST(IdleWords, OfAQuestionAreNoted) {
    const auto asked = [](const std::string& question, const std::string& words) {
        std::vector<std::string> line = line_words("ask llama-3-8b " + words);
        line.insert(line.begin() + 1, question);
        return run(line).out;
    };
    EXPECT_TRUE(has(asked("how many parameters", "--tokens 8"), "--tokens plays no part in this answer."));
    EXPECT_TRUE(has(asked("kv cache", "--tokens 8 --tensor 2"), "--tensor plays no part in this answer."));
    EXPECT_FALSE(has(asked("kv cache", "--tokens 8 --kv-dtype int8"), "plays no part"));
    EXPECT_FALSE(has(asked("tokens per second", "--device h100 --tokens 4k"), "--device plays no part"));
    EXPECT_TRUE(has(asked("tokens per second", "--device h100 --source 50"), "--source plays no part"));
}

TEST(IdleWords, DevicesMadeByHandAreAmongThoseThatAreVaried) {
    const json swept =
        run(line_words(
                "sweep gpt2 --vary device=h100,mem=80GB,bw=1TB/s,fp16=100T,a100,MEM=40GB --show largest_batch --json"))
            .json();
    ASSERT_EQ(swept["points"].size(), 4U);
    EXPECT_LT(swept["points"][3]["largest_batch"], swept["points"][1]["largest_batch"]);
    const Ran formats = run(line_words("sweep gpt2 --vary kv_dtype=q4_0,bf16"));
    EXPECT_TRUE(has(formats.out, "q4_0") && !has(formats.out, "rest=")) << formats.out;
    EXPECT_TRUE(has(refused_as("sweep gpt2 --vary device=h100,bw=1TB/s --show seconds"), "the device has no memory"));
}

TEST(IdleWords, AReserveIsSaidInWholePercent) {
    EXPECT_EQ(refused_as("memory gpt2 --tokens 8 --reserve 12.5%"),
              "headcount: --reserve must be a whole number of percent from 0 to 99, not \"12.5%\"\n");
    EXPECT_EQ(run(line_words("memory gpt2 --tokens 8 --reserve 12%")).out,
              run(line_words("memory gpt2 --tokens 8 --reserve 12")).out);
}

}  // namespace
}  // namespace headcount
