// What is said of a file beside its numbers: with the result, in its JSON, or on standard error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;

constexpr const char* unread = "Not read, though it may change shapes: foo_dim.";
constexpr const char* unread_line = "headcount: note: Not read, though it may change shapes: foo_dim.\n";

json small_llama() {
    return {{"model_type", "llama"},    {"hidden_size", 64}, {"intermediate_size", 96},    {"num_hidden_layers", 2},
            {"num_attention_heads", 4}, {"vocab_size", 100}, {"tie_word_embeddings", true}};
}

// A file with a field that nobody knows.
std::string odd(const Scratch& scratch) {
    json config = small_llama();
    config["foo_dim"] = 8;
    return scratch.file("odd.json", config.dump());
}

TEST(Notes, OfCountAreInItsTextAndInItsJson) {
    const Scratch scratch;
    const Ran text = run({"count", odd(scratch)}), counted = run({"count", odd(scratch), "--json"});
    EXPECT_THAT(text.out, HasSubstr(unread));
    EXPECT_THAT(text.out, HasSubstr("): ≈ "));
    EXPECT_EQ(text.err + counted.err, "");
    EXPECT_EQ(counted.json()["notes"], json::array({unread}));
    EXPECT_EQ(counted.json()["verified"], false);
}

TEST(Notes, EquationsOfWhatIsOnlyAboutKnownSaySo) {
    const Scratch scratch;
    const std::string file = odd(scratch), mark = "odd (≈: not verified)";
    const std::string text = run({"equations", file}).out;
    EXPECT_THAT(text, StartsWith(mark));
    EXPECT_THAT(text, HasSubstr("≈ "));
    const std::string page = run({"equations", file, "--format", "md"}).out;
    EXPECT_THAT(page, StartsWith("# " + mark));
    EXPECT_THAT(page, HasSubstr("| 1 |")) << "a line's number is known";
    EXPECT_THAT(page, HasSubstr("| ≈ "));
    const std::string latex = run({"equations", file, "--format", "tex"}).out;
    EXPECT_THAT(latex, StartsWith("% " + mark));
    EXPECT_THAT(latex, HasSubstr(", $\\approx$ "));
    for (const json& line : run({"equations", file, "--json"}).json()) EXPECT_EQ(line["verified"], false);
    EXPECT_THAT(run({"equations", "gpt2"}).out, Not(HasSubstr("≈")));
    EXPECT_FALSE(run({"equations", "gpt2", "--json"}).json().front().contains("verified"));
}

TEST(Notes, ATotalThatIsConcludedHasItsSignWhereverItIsWritten) {
    const Scratch scratch;
    const std::string file = odd(scratch);
    EXPECT_THAT(run({"ask", "parameters", file}).out, HasSubstr("≈ "));
    EXPECT_THAT(run({"solve", file, "--vary", "layers", "--total", "100000"}).out, HasSubstr("≈ "));
    EXPECT_THAT(run({"solve", file, "--size", "100000"}).out, HasSubstr("≈ "));
}

TEST(Notes, FiguresOfAModelThatIsConcludedAreMarkedByEveryCommand) {
    const Scratch scratch;
    const std::string file = odd(scratch);
    const std::vector<std::vector<std::string>> commands{{"memory", file, "--tokens", "8"},
                                                         {"compute", file, "--tokens", "8"},
                                                         {"sweep", file, "--vary", "layers=1..3"},
                                                         {"sensitivity", file},
                                                         {"tensors", file},
                                                         {"tree", file, "--counts"},
                                                         {"shapes", file, "--tokens", "8"},
                                                         {"count", file},
                                                         {"compare", file, "gpt2"},
                                                         {"diff", "gpt2", file}};
    for (const std::vector<std::string>& command : commands) {
        const Ran ran = run(command);
        EXPECT_EQ(ran.status(), 0) << command.front();
        EXPECT_THAT(ran.out, HasSubstr("≈ ")) << command.front();
        EXPECT_THAT(ran.out, Not(HasSubstr("≈ ≈"))) << command.front();
        if (command.front() == "tree") continue;
        std::vector<std::string> as_json = command;
        as_json.push_back("--json");
        EXPECT_THAT(run(as_json).out, ContainsRegex("\"verified\": ?false")) << command.front();
    }
    const Ran csv = run({"sweep", file, "--vary", "layers=2", "--csv"});
    EXPECT_THAT(csv.out, HasSubstr("(≈: not verified)"));
    EXPECT_THAT(csv.out, HasSubstr("\n2,")) << "numbers stay plain";
    EXPECT_THAT(csv.out, Not(HasSubstr("≈ ")));
}

TEST(Notes, OfTwoModelsOnlyWhatHangsOnTheOneThatIsConcludedIsMarked) {
    const Scratch scratch;
    const std::string file = odd(scratch);
    const std::string two = run({"compare", file, "gpt2"}).out, three = run({"compare", file, "gpt2", "gpt2"}).out;
    EXPECT_THAT(two, ContainsRegex("Total +≈ [0-9,]+ +124,439,808 +≈ [+][0-9,]+"));
    EXPECT_THAT(two, ContainsRegex("\nflops +≈ [^ ]+ [a-zA-Z]+ +[0-9.]+ GFLOP +≈ "));
    EXPECT_THAT(three, ContainsRegex("\nGPT-2 small +124,439,808 +124,439,808"));
    EXPECT_THAT(three, ContainsRegex("\n[^\n]+ +≈ [0-9,]+ +≈ [0-9,]+ ")) << "the active ones, too";
    EXPECT_THAT(run({"compare", "gpt2", "llama-2-7b"}).out, Not(HasSubstr("≈")));
}

TEST(Notes, SayThatTimesOverStagesAreThoseOfAllAtWork) {
    const auto said = [](const char* stages) {
        return run({"compute", "llama-2-7b", "--tokens", "8", "--device", "h100", "--pipeline", stages}).err;
    };
    EXPECT_THAT(said("4"), HasSubstr("all 4 stages at work"));
    EXPECT_THAT(said("4"), HasSubstr("up to 4 times as long"));
    EXPECT_EQ(said("1"), "");
}

TEST(Notes, AreNoneOfAFileThatIsReadWhole) {
    const Scratch scratch;
    const std::string file = scratch.file("plain.json", small_llama().dump());
    const json counted = run({"count", file, "--json"}).json();
    EXPECT_EQ(counted["notes"], json::array());
    EXPECT_EQ(counted["verified"], true);
    EXPECT_EQ(run({"tree", file}).err, "");
}

TEST(Notes, OnAnUnknownTypeAreTheSentencesOfTheText) {
    const Scratch scratch;
    json config = small_llama();
    config["model_type"] = "wurst";
    const std::string file = scratch.file("config.json", config.dump());
    const json counted = run({"count", file, "--json"}).json();
    EXPECT_EQ(counted["verified"], false);
    ASSERT_EQ(counted["notes"].size(), 2u);
    const std::string text = run({"count", file}).out;
    for (const json& note : counted["notes"]) EXPECT_THAT(text, HasSubstr(note.get<std::string>()));
}

TEST(Notes, OfAPresetThatLeavesSomethingOutDoNotMakeItUnverified) {
    const json presets = run({"presets", "--json"}).json();
    for (const json& preset : presets) {
        if (preset["note"] == "") continue;
        const json counted = run({"count", preset["id"], "--json"}).json();
        EXPECT_EQ(counted["notes"], json::array({preset["note"]}));
        EXPECT_EQ(counted["verified"], true);
        EXPECT_EQ(run({"tree", preset["id"]}).err, "");
        return;
    }
}

TEST(Notes, GoToStandardErrorOnceWithEveryOtherCommand) {
    const Scratch scratch;
    const std::string file = odd(scratch), table = (scratch.folder() / "table.csv").string(),
                      picture = (scratch.folder() / "picture.svg").string();
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"tree", file},
                                               {"tensors", file},
                                               {"shapes", file, "--tokens", "8"},
                                               {"tensors", file},
                                               {"shapes", file, "--tokens", "8"},
                                               {"memory", file, "--tokens", "8"},
                                               {"compute", file, "--tokens", "8"},
                                               {"sensitivity", file},
                                               {"sweep", file, "--vary", "layers=1..4"},
                                               {"solve", file, "--vary", "layers", "--total", "1M"},
                                               {"export", file, "-o", table},
                                               {"render", file, "-o", picture}}) {
        const Ran ran = run(words);
        EXPECT_EQ(ran.err, unread_line) << words.front();
        EXPECT_NE(ran.status(), 1) << words.front();
        EXPECT_EQ(ran.out.find("Not read"), std::string::npos) << words.front();
    }
}

TEST(Notes, AreInEveryJsonDocumentThatIsAnObject) {
    const Scratch scratch;
    const std::string file = odd(scratch);
    for (std::vector<std::string> words : std::vector<std::vector<std::string>>{
             {"memory", file, "--tokens", "8"},
             {"compute", file, "--tokens", "8"},
             {"sensitivity", file},
             {"sweep", file, "--vary", "layers=1..4"},
             {"solve", file, "--vary", "layers", "--total", "1M"},
             {"solve", file, "--free", "layers", "--total", "1M"},
             {"solve", file, "--size", "1M"},
             {"solve", file, "--compute", "1e18"},
             {"run", file, "--random-weights", "--prompt-ids", "1", "--tokens", "1"}}) {
        words.emplace_back("--json");
        const Ran ran = run(words);
        ASSERT_EQ(ran.status(), 0) << words.front() << ran.err;
        EXPECT_EQ(ran.json()["notes"], json::array({unread})) << words.front();
    }
}

TEST(Notes, OfTwoModelsSayOfWhichTheyAre) {
    const Scratch scratch;
    const Ran ran = run({"compare", "gpt2", odd(scratch), "--json"});
    EXPECT_EQ(ran.err, "headcount: note: B: Not read, though it may change shapes: foo_dim.\n");
    EXPECT_EQ(ran.json()["notes"].back(), std::string("B: ") + unread);
}

TEST(Notes, AreNotSaidOfWhatFailed) {
    const Scratch scratch;
    const Ran ran = run({"tensors", odd(scratch), "--layer", "9"});
    EXPECT_EQ(ran.status(), 1);
    EXPECT_EQ(ran.err.find("note"), std::string::npos) << ran.err;
}

TEST(Refusal, OfNumbersThatAreTooLargeNamesTheFileAndTheField) {
    const Scratch scratch;
    json config = small_llama();
    config["num_hidden_layers"] = 9223372036854775807;
    const std::string file = scratch.file("tall.json", config.dump());
    EXPECT_THAT(run({"count", file}).err,
                HasSubstr(" does not fit in 64 bits: " + file + ", layers, model.layers.{i}"));
    config["num_hidden_layers"] = 2;
    const std::string tokens = scratch.file("short.json", config.dump());
    EXPECT_THAT(run({"memory", tokens, "--tokens", "1000000000000", "--batch", "1000000000000"}).err,
                HasSubstr(": " + tokens + ", "));
    EXPECT_THAT(run({"count", "llama-2-7b", "--set", "layers=9223372036854775807"}).err,
                HasSubstr("bits: model.layers.{i}"));
}

TEST(Refusal, OfAnOpenVocabularyNamesTheFile) {
    const Scratch scratch;
    const std::string file =
        scratch.file("params.json", R"({"dim": 64, "n_layers": 2, "n_heads": 4, "multiple_of": 32, "vocab_size": -1})");
    EXPECT_THAT(run({"count", file}).err, HasSubstr("the vocabulary is not given: " + file + ", vocab: "));
}

TEST(Match, SaysThatDifferencesAreNoError) {
    EXPECT_THAT(run({"match", "--help"}).out, HasSubstr("The exit status is 0 also where tensors differ"));
}

}  // namespace
}  // namespace headcount
