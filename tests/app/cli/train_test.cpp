// headcount train: what it says before and behind a training, what it saves, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing::HasSubstr;
using testing_data::Ran;
using testing_data::run;

Ran train(std::vector<std::string> more) {
    std::vector<std::string> words{"train",   "gpt2",    "--set",      "dim=16",     "--set",     "layers=1",
                                   "--set",   "heads=2", "--set",      "ffn_dim=32", "--letters", "2",
                                   "--batch", "4",       "--held-out", "8",          "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

TEST(TrainCommand, SaysWhatItTakesAndWhatItLearned) {
    const nlohmann::json made = train({"--task", "copy", "--steps", "5", "--json"}).json();
    EXPECT_EQ(made["vocab"], 28);
    EXPECT_EQ(made["steps"], 5);
    EXPECT_EQ(made["answers"].size(), 8u);
    for (const auto& [kind, bytes] : made["memory"].items()) {
        if (!bytes.contains("predicted")) continue;
        EXPECT_EQ(bytes["predicted"], bytes["measured"]) << kind;
    }
    EXPECT_NEAR(made["rows"][0]["loss"].get<double>(), made["knows_nothing"].get<double>(), 0.2);
}

TEST(TrainCommand, GoesOnFromWhatItSaved) {
    const testing_data::Scratch scratch;
    const std::string folder = (scratch.folder() / "model").string();
    const nlohmann::json whole = train({"--steps", "6", "--json"}).json();
    EXPECT_EQ(train({"--steps", "6", "--save-every", "3", "-o", folder}).status(), 0);
    std::filesystem::remove(folder + "/model.safetensors");
    const nlohmann::json again = train({"--steps", "6", "--resume", "-o", folder, "--json"}).json();
    EXPECT_EQ(again["rows"].back()["held_out_loss"], whole["rows"].back()["held_out_loss"]);
    EXPECT_TRUE(std::filesystem::exists(folder + "/model.safetensors"));
    EXPECT_TRUE(std::filesystem::exists(folder + "/config.json"));
    EXPECT_THAT(train({"--steps", "6", "--resume", "-o", folder, "--seed", "7"}).err, HasSubstr("seed 1, not 7"));
}

// As the model that ships was made.
TEST(TrainCommand, LearnsATextInTheTokensOfATokenizer) {
    const testing_data::Scratch scratch;
    std::string text;
    for (int i = 0; i < 60; ++i) text += "Once upon a time there was a dog. The end.\n";
    const std::string folder = (scratch.folder() / "model").string(), file = scratch.file("text.txt", text);
    const std::string shipped = HEADCOUNT_ASSETS_DIR "/models/tiny-stories";
    const Ran made = train(
        {"--text", file, "--tokenizer", shipped, "--tokens", "8", "--steps", "3", "--dtype", "bf16", "-o", folder});
    EXPECT_EQ(made.status(), 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("vocab=512"));
    EXPECT_EQ(run({"run", folder, "--prompt", "Once upon a", "--tokens", "2"}).status(), 0);
    // Of three layers' worth of numbers in 16 bits, and the header.
    const std::uintmax_t bytes = std::filesystem::file_size(folder + "/model.safetensors");
    const auto count = run({"count", folder, "--json"}).json()["parameters"]["total"].get<std::uintmax_t>();
    EXPECT_GT(bytes, 2 * count);
    EXPECT_LT(bytes, 2 * count + 8192);
    EXPECT_EQ(train({"--text", file, "--tokenizer", shipped, "--tokens", "8", "--steps", "4", "--dtype", "bf16", "-o",
                     folder, "--resume"})
                  .status(),
              0);
    EXPECT_THAT(train({"--tokenizer", shipped}).err, HasSubstr("--text FILE"));
    EXPECT_THAT(train({"--text", file, "--tokenizer", file}).err, HasSubstr("no tokenizer.json"));
    EXPECT_THAT(train({"--dtype", "bf16"}).err, HasSubstr("-o DIR"));
}

TEST(TrainCommand, RefusesWhatCannotBeLearned) {
    EXPECT_THAT(train({"--task", "text"}).err, HasSubstr("there is no text"));
    EXPECT_THAT(train({"--text", "nowhere.txt"}).err, HasSubstr("nowhere.txt"));
    EXPECT_THAT(train({"--resume"}).err, HasSubstr("-o DIR"));
    EXPECT_THAT(train({"--lr", "fast"}).err, HasSubstr("is not a number from 0 up: --lr"));
    const testing_data::Scratch scratch;
    EXPECT_THAT(train({"--text", scratch.file("short.txt", "abc")}).err, HasSubstr("too short for windows"));
    EXPECT_THAT(train({"--resume", "-o", (scratch.folder() / "none").string()}).err, HasSubstr("--resume"));
    // What its config.json has no word for is known before anything is learned.
    EXPECT_THAT(train({"--set", "positions=rope", "-o", (scratch.folder() / "m").string()}).err,
                HasSubstr("positions"));
}

}  // namespace
}  // namespace headcount
