// A word of a command line changes what is answered, or is refused: none is passed over.
#include <gtest/gtest.h>

#include "core/base/text.hpp"
#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

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
    EXPECT_TRUE(has(refused_as(bert + "--chunk 128"), "this model reads all tokens at once: --chunk"));
    EXPECT_TRUE(has(refused_as(bert + "--pad 256"), "this model keeps no keys and values: --pad"));
    EXPECT_TRUE(has(refused_as("memory mamba-130m --tokens 512 --scores"), "this model has no attention: --scores"));
    EXPECT_TRUE(has(refused_as("memory mamba-130m --tokens 512 --block 16"), "--block: leave it out"));
    EXPECT_TRUE(
        has(refused_as("memory llama-3-8b --tokens 4k --phase decode --chunk 512"), "a decoding step reads one"));
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
        EXPECT_TRUE(has(refused_as(swept + word), flag + ": add --memory, or --device")) << word;
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

}  // namespace
}  // namespace headcount
