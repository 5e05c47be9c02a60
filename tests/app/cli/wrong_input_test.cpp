// Wrong input: one sentence on standard error, nothing on standard output, 1 for what cannot be, 2 for wrong usage.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <regex>
#include <set>
#include <streambuf>

#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;

void expect_error(const std::vector<std::string>& arguments, int status, const std::string& part) {
    Ran ran = run(arguments);
    std::string line;
    for (const std::string& argument : arguments) line += " " + argument.substr(0, 60);
    EXPECT_EQ(ran.status(), status) << line << "\n" << ran.err;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_TRUE(ran.err.starts_with("headcount: ")) << line << "\n" << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line << "\n" << ran.err;
    EXPECT_NE(ran.err.find(part), std::string::npos) << line << "\n" << ran.err;
}

TEST(WrongInput, AnUnknownPresetIsAnsweredWithTheNearest) {
    expect_error({"count", "/no/such/llama-2-7b"}, 1, "there is no file of this name: /no/such/llama-2-7b");
    expect_error({"count", "lama-2-7b"}, 1, "no preset and no file of this name: lama-2-7b: did you mean llama-2-7b");
    expect_error({"count", "something else entirely"}, 1, "\"headcount presets\" lists what there is");
    expect_error({"count", ""}, 1, "no preset and no file without a name: ARCH: \"headcount presets\" lists");
    expect_error({"count", "/nonexistent/config.json"}, 1, "/nonexistent/config.json");
}

TEST(WrongInput, AWordThatOthersUseIsAnsweredWithOurs) {
    expect_error({"count", "llama-2-7b", "--set", "hidden_size=5"}, 2, "did you mean dim?");
    expect_error({"memory", "llama-2-7b", "--tok", "512"}, 2, "unexpected \"--tok\"");
    expect_error({"memory", "llama-2-7b"}, 2, "--tokens is required");
}

TEST(WrongInput, AnUnknownKeyIsAnsweredWithTheNearest) {
    expect_error({"count", "gpt2", "--set", "layer=3"}, 2, "unknown field \"layer\": --set: did you mean layers");
    expect_error({"count", "gpt2", "--set", "=3"}, 2, "unknown field \"\"");
    expect_error({"count", "gpt2", "--set", "layers"}, 2, "\"layers\" is not a change: --set: write it as key=value");
    expect_error({"gpt2", "--set", "layer=3"}, 2, "unknown field \"layer\"");
    expect_error({"run", "gpt2"}, 2, "there is no prompt: headcount run: give --prompt TEXT or --prompt-ids 1,2,3");
    expect_error({"run", "gpt2", "--prompt", "a", "--prompt-ids", "1"}, 2, "a prompt is given twice");
}

TEST(WrongInput, AValueThatIsNoneSaysWhatIsAllowed) {
    for (const char* command : {"count", "tensors", "tree"}) {
        expect_error({command, "gpt2", "--set", "dim=wide"}, 2,
                     "dim must be a whole number from 1 up, not \"wide\": --set");
        expect_error({command, "gpt2", "--set", "dim="}, 2, "dim must be a whole number from 1 up, not \"\"");
        expect_error({command, "gpt2", "--set", "dim=-768"}, 2, "dim must be a whole number from 1 up, not \"-768\"");
        expect_error({command, "gpt2", "--set", "dim=0"}, 2, "dim must be a whole number from 1 up, not \"0\"");
        expect_error({command, "gpt2", "--set", "dim=7.5"}, 2, "dim must be a whole number from 1 up, not \"7.5\"");
        expect_error({command, "gpt2", "--set", "dim=99999999999999999999"}, 2,
                     "dim must be at most 9,223,372,036,854,775,807");
    }
    expect_error({"count", "gpt2", "--set", "norm=batch"}, 2, "norm must be one of rms, layer, not");
    expect_error({"count", "gpt2", "--set", "tied=perhaps"}, 2, "tied must be true or false, not");
}

TEST(WrongInput, AnImpossibleCombinationEndsWithWhatWouldMendIt) {
    expect_error(
        {"count", "llama-2-7b", "--set", "heads=30"}, 1,
        "30 heads do not divide width 4096 evenly: heads: give a number of heads that divides the width, or a head "
        "size of its own (head_dim), for example --set heads=32 or --set dim=4080");
    expect_error({"count", "llama-2-70b", "--set", "kv_heads=7"}, 1, "7 key/value heads do not divide 64 heads evenly");
    expect_error({"count", "llama-2-7b", "--set", "head_dim=127"}, 1, "head size 127 is odd");
    EXPECT_EQ(run({"count", "llama-2-7b", "--set", "heads=30", "--set", "dim=4080"}).status(), 0) << "which then works";
}

TEST(WrongInput, WhatDoesNotFitNamesTheProduct) {
    expect_error({"count", "llama-2-7b", "--set", "layers=9000000000000000000"}, 1,
                 "L·h·d_h·d = 9000000000000000000·32·128·4096 does not fit in 64 bits");
    expect_error({"tree", "llama-2-7b", "--set", "vocab=9000000000000000000"}, 1, "V·d = 9000000000000000000·4096");
    expect_error({"shapes", "llama-2-7b", "--tokens", "9000000000000000000"}, 1, "T·d = 9000000000000000000·4096");
}

TEST(WrongInput, HugeNumbersOfLayersAreCountedAndNotListed) {
    EXPECT_EQ(run({"count", "smollm2-135m", "--set", "layers=1000000000000"}).status(), 0);
    EXPECT_EQ(run({"tree", "smollm2-135m", "--set", "layers=1000000000000", "--counts"}).status(), 0);
    EXPECT_EQ(run({"tensors", "smollm2-135m", "--set", "layers=1000000000000", "--layer", "999999999999"}).status(), 0);
    expect_error({"count", "smollm2-135m", "--set", "layers=1000000000000", "--json"}, 1, "longer than 1,000,000");
    expect_error({"tensors", "smollm2-135m", "--set", "layers=1000000000000", "--json"}, 1, "--layer N");
}

TEST(WrongInput, LayersAndInputsOutOfRangeAreRefused) {
    expect_error({"tensors", "gpt2", "--layer", "12"}, 1, "there is no layer 12: --layer: the layers are 0 to 11");
    expect_error({"tensors", "gpt2", "--layer", "-1"}, 2, "--layer must be a whole number from 0 up, not \"-1\"");
    expect_error({"tensors", "gpt2", "--layer", "first"}, 2, "--layer must be a whole number from 0 up, not \"first\"");
    expect_error({"shapes", "gpt2", "--tokens", "0"}, 2, "--tokens must be a whole number from 1 up, not \"0\"");
    expect_error({"shapes", "gpt2", "--tokens", "-5"}, 2, "--tokens must be a whole number from 1 up, not \"-5\"");
    expect_error({"shapes", "gpt2", "--tokens", "1025"}, 1, "1025 tokens pass the last of 1024 learned positions");
    expect_error({"shapes", "gpt2", "--tokens", "5", "--batch", "0"}, 2, "--batch");
    expect_error({"shapes", "gpt2", "--tokens", "5", "--cached", "x"}, 2, "--cached");
    expect_error({"shapes", "gpt2", "--tokens", "5", "--dtype", "bf17"}, 2, "did you mean bf16");
}

TEST(WrongInput, WrongUsageExitsWithTwo) {
    expect_error({"count"}, 2, "ARCH is required");
    expect_error({"count", "gpt2", "gpt2-xl"}, 2, "unexpected \"gpt2-xl\"");
    expect_error({"count", "gpt2", "--verbose"}, 2, "unexpected \"--verbose\"");
    expect_error({"count", "gpt2", "--set"}, 2, "--set needs a value");
    expect_error({"shapes", "gpt2"}, 2, "--tokens is required");
    expect_error({"shapes", "gpt2", "--tokens", "1", "--tokens", "2"}, 2, "--tokens is given twice");
    expect_error({"export", "gpt2"}, 2, "-o FILE (--output) is required: headcount export");
    expect_error({"render", "gpt2"}, 2, "-o FILE (--output) is required: headcount render");
    expect_error({"--nonsense"}, 2, "unexpected \"--nonsense\"");
    expect_error({"--theme", "dark", "count", "gpt2"}, 2, "does not belong before a command");
}

// As the help lists them.
std::vector<std::string> commands() {
    std::istringstream help(run({"--help"}).out);
    std::vector<std::string> names;
    bool listed = false;
    for (std::string line; std::getline(help, line);) {
        if (listed && !line.starts_with("  ")) break;
        if (listed) names.push_back(line.substr(2, line.find(' ', 2) - 2));
        listed = listed || line == "Subcommands:";
    }
    return names;
}

// Every option that takes a number or a choice, of every command, as its help lists them. What a name stands for is
// looked up, and a text can be any.
TEST(WrongInput, ANonsenseValueOfAnyOptionIsWrongUsage) {
    const std::set<std::string> names{"TEXT", "FILE", "DIR", "ID", "ARCH", "PLACE", "DEVICE", "TOUR", "CLAIM", "SHEET"};
    const std::regex option(R"(^  (?:-\w, ?)?(--[\w-]+) ([^\s]+))");
    int tried = 0;
    const auto try_all = [&](std::vector<std::string> command) {
        command.emplace_back("--help");
        std::istringstream help(run(command).out);
        command.pop_back();
        for (std::string line; std::getline(help, line);) {
            std::smatch found;
            if (!std::regex_search(line, found, option) || names.count(found[2]) > 0) continue;
            std::vector<std::string> words = command;
            if (!words.empty()) words.emplace_back("gpt2");
            words.insert(words.end(), {found[1], "?!"});
            expect_error(words, 2, found[1]);
            expect_error(words, 2, "\"?!\"");
            ++tried;
        }
    };
    try_all({});
    for (const std::string& command : commands()) try_all({command});
    for (const char* part : {"list", "show", "answer", "export"}) try_all({"worksheet", part});
    EXPECT_GT(tried, 60) << "the help is read";
}

TEST(WrongInput, WhatOnlyTheModelOrTheDiskRefusesIsAnErrorAndNoWrongUsage) {
    expect_error({"count", "gpt2", "--set", "heads=7"}, 1, "do not divide");
    expect_error({"run", "tiny-stories", "--prompt-ids", "99999"}, 1, "is no token");
    expect_error({"memory", "gpt2", "--tokens", "8", "--pipeline", "13"}, 1, "12 layers cannot be cut into 13 stages");
    expect_error({"compute", "gpt2", "--tokens", "8", "--hardware", "rtx-1"}, 1, "--device");
}

TEST(WrongInput, AnUnknownCommandIsAnsweredWithThoseThereAre) {
    const std::string commands =
        "the commands are presets, ask, count, tensors, tree, match, shapes, equations, compare, diff, memory, "
        "compute, devices, measured, "
        "sweep, "
        "sensitivity, solve, run, tokenize, diagnose, train, claims, export, report, worksheet, render, link, lessons, "
        "poster, "
        "serve, "
        "completion, manual";
    for (const char* command : {"predict", "chat", "help"}) {
        expect_error({command, "llama-2-7b"}, 2, commands);
        if (std::string_view(command) != "help") expect_error({command}, 2, commands);
    }
    expect_error({"cuont", "gpt2"}, 2, "did you mean count");
}

TEST(WrongInput, PicturesAndFilesOfOtherKindsAreRefused) {
    expect_error({"render", "gpt2", "-o", "a.svg", "--tilt"}, 2,
                 "an SVG file has the diagram flat, not in perspective: --tilt: leave --tilt out");
    expect_error({"render", "gpt2", "-o", "a.svg", "--phase", "decode"}, 2,
                 "the Explore view shows no single pass: --phase: give --view costs");
    expect_error({"render", "gpt2", "-o", "a.svg", "--pixels", "2"}, 2, "an SVG file has no pixels: --pixels");
    expect_error({"render", "gpt2", "-o", "a.png", "--pixels", "5"}, 2, "--pixels");
    expect_error({"render", "gpt2", "-o", "a.png", "--crop", "--tilt"}, 2, "leave --crop or --tilt out");
    expect_error({"render", "gpt2", "--frames", "a", "--at", "model"}, 2, "nothing moves here: --frames");
    expect_error({"render", "gpt2", "--frames", "a", "--at", "layer", "-o", "a.png"}, 2, "leave -o or --frames out");
    expect_error({"render", "gpt2", "--frames", "a", "--at", "layer", "--crop"}, 2, "leave --crop out");
    expect_error({"render", "gpt2", "--frames", "a.gif", "--at", "layer", "--no-ground"}, 2, "a GIF has a ground");
    expect_error({"render", "gpt2", "-o", "a.SVG"}, 2,
                 "end it in .png (the whole view), .svg (the diagram alone), or give --format");
    expect_error({"render", "gpt2", "-o", "svg"}, 2, "the ending of this name says no format: -o svg");
    expect_error({"render", "gpt2", "-o", "-"}, 2,
                 "standard output has no ending that says a format: -o: give --format");
    expect_error({"--screenshot", "a.svg"}, 2, "a screenshot cannot have this ending: --screenshot a.svg");
    expect_error({"render", "gpt2", "-o", "a.jpg"}, 2, "end it in .png");
    expect_error({"render", "gpt2", "-o", "a.png", "--view", "runs"}, 2,
                 "the views are: explore, compare, costs, what-if, run, train, worksheet, claims");
    expect_error({"render", "gpt2", "-o", "a.png", "--claim", "205-b"}, 2, "give --view claims");
    for (const char* view : {"worksheet", "claims"})
        expect_error({"render", "gpt2", "-o", "a.png", "--view", view, "--tour", "3-one-attention-head"}, 2,
                     "--tour: leave --view out");
    expect_error({"render", "gpt2", "-o", "a.png", "--view", "claims", "--claim", "205-bb"}, 1, "did you mean 205-b");
    expect_error({"render", "gpt2", "-o", "a.png", "--with", "llama-2-7b"}, 2, "--with: give --view compare");
    expect_error({"render", "gpt2", "-o", "a.png", "--view", "compare", "--with", "llama-2-7"}, 1, "--with");
    expect_error({"render", "gpt2", "-o", "a.png", "--theme", "blue"}, 2, "--theme: give one of dark, light");
    for (const char* size : {"x", "0x0", "10x10", "1600x", "1600x1000x3", "-5x700", "319x1000", "1600x8193", "axb"})
        expect_error({"render", "gpt2", "-o", "a.png", "--size", size}, 2,
                     "--size: give whole numbers from 320 to 8192, such as 1600x1000");
    expect_error({"render", "gpt2", "-o", "a.png", "--size", "1600"}, 2, "\"1600\" is not a size: --size");
    expect_error({"render", "gpt2", "-o", "a.png", "--select", "layer.feed_forward.upp.weight"}, 1,
                 "did you mean layer.feed_forward.up.weight");
    expect_error({"render", "gpt2", "-o", "a.png", "--select", "component.nothing"}, 1, "nothing named");
    expect_error({"render", "gpt2", "-o", "a.png", "--set", "layers=9000000000000000000"}, 1, "does not fit");
    expect_error({"--screenshot", "a.bmp"}, 2, "end it in .png");
    expect_error({"--set", "dim=4"}, 2, "there is no model to change");
    expect_error({"export", "gpt2", "-o", "a.txt"}, 2, "end it in .json");
    expect_error({"export", "gpt2", "-o", "/nonexistent/a.json"}, 1, "cannot be written");
    Scratch scratch;
    expect_error({"export", "hypothetical-405b", "-o", (scratch.folder() / "a.json").string()}, 1,
                 "has no word for this choice of norm_scale");
    EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
}

TEST(WrongInput, ALinkThatLeadsNowhereIsNamed) {
    Scratch scratch;
    const std::filesystem::path circle = scratch.folder() / "circle", nowhere = scratch.folder() / "nowhere";
    std::filesystem::create_symlink("circle", circle);
    std::filesystem::create_symlink("nothing", nowhere);
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"count"}, {"worksheet", "show"}, {"claims"}, {"render", "gpt2", "-o", "a.png", "--tour"}}) {
        std::vector<std::string> round = words, away = words;
        round.push_back(circle.string());
        away.push_back(nowhere.string());
        expect_error(round, 1, "Too many levels of symbolic links: ");
        expect_error(away, 1,
                     words.front() == "count" || words.front() == "worksheet" ? "this link leads nowhere: "
                                                                              : "No such file or directory: ");
    }
}

TEST(WrongInput, AFileOfAnotherKindIsCalledWhatItIs) {
    Scratch scratch;
    const std::string config =
        scratch.file("a.json", R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama"})");
    const std::string sheet = std::string(HEADCOUNT_ASSETS_DIR) + "/worksheets/1-one-head.json";
    expect_error({"worksheet", "export", config}, 1,
                 "this is a model's configuration, no worksheet: " + config + ": \"headcount count\" reads it");
    expect_error({"claims", config}, 1, "this is a model's configuration, no file of claims");
    expect_error({"render", "gpt2", "-o", "a.png", "--tour", config}, 1, "this is a model's configuration, no tour");
    expect_error({"count", sheet}, 1, "this is a worksheet, no model's configuration");
    expect_error({"claims", sheet}, 1, "this is a worksheet, no file of claims");
}

TEST(WrongInput, DamagedFilesAreRefusedWithTheirPlace) {
    Scratch scratch;
    struct Case {
        const char* text;
        const char* part;
    };
    for (auto [text, part] :
         {Case{"", "there is nothing in it"}, Case{"{\"model_type\": ", "this is not JSON"},
          Case{"[]", "a JSON object was expected, not array"}, Case{"{}", "there is no model_type"},
          Case{"{\"model_type\": \"wurst\"}", "model_type \"wurst\" is not known yet"},
          Case{"{\"model_type\": \"llama\", \"hidden_size\": \"x\"}", "\"x\" is not a whole number"},
          Case{"{\"model_type\": \"llama\", \"rms_norm_eps\": 1e999}", "a number is too large"},
          Case{"{\"model_type\": \"gpt2\", \"n_embd\": 4611686018427387904}", "n_embd"}}) {
        std::string path = scratch.file("config.json", text);
        expect_error({"count", path}, 1, part);
        expect_error({"count", scratch.folder().string()}, 1, part);
        expect_error({path}, 1, part);
    }
    for (const char* name : {"nothing.json", "nothing.gguf"}) {
        const std::string path = scratch.file(name, "");
        expect_error({"count", path}, 1, "there is nothing in it: " + path + ": copy the whole file again");
    }
    expect_error({"count", scratch.file("deep.json", "{\"a\": " + std::string(1'000'000, '['))}, 1,
                 "nested more than 64 deep");
    expect_error({"count", (scratch.folder() / "nothing").string()}, 1, "nothing");
    std::filesystem::create_directory(scratch.folder() / "empty");
    expect_error({"count", (scratch.folder() / "empty").string()}, 1, "there is no config.json");
}

TEST(WrongInput, AFileThatCannotBeCountedIsRefusedWhateverIsSet) {
    Scratch scratch;
    std::string path = scratch.file("config.json", R"({"model_type": "llama", "hidden_size": 4611686018427387904})");
    std::vector<std::string> smaller{path, "--set", "dim=64", "--set", "heads=2", "--set", "kv_heads=2"};
    expect_error(smaller, 1, "does not fit in 64 bits");
    for (const char* command : {"count", "render"}) {
        std::vector<std::string> words = smaller;
        words.insert(words.begin(), command);
        if (command == std::string("render")) words.insert(words.end(), {"-o", (scratch.folder() / "a.png").string()});
        expect_error(words, 1, "does not fit in 64 bits");
    }
}

TEST(WrongInput, APictureOfActivationsThatDoNotFitIsRefused) {
    expect_error({"render", "llama-2-7b", "-o", "a.png", "--tokens", "4000000000"}, 1, "does not fit in 64 bits");
}

TEST(WrongInput, ANameCannotSteerTheTerminal) { expect_error({"count", "\x1b[31mred\nline"}, 1, "?[31mred?line"); }

// A place that takes a few bytes and then no more, as a full disk does.
class FullDisk : public std::streambuf {
  protected:
    int overflow(int c) override { return left_-- > 0 ? c : traits_type::eof(); }

  private:
    int left_ = 100;
};

TEST(WrongInput, OutputThatCannotBeWrittenIsAnError) {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"presets"},
                                               {"count", "gpt2", "--json"},
                                               {"--help"},
                                               {"tree", "gpt2"},
                                               {"tensors", "gpt2", "--set", "layers=1000000000000"},
                                               {"tensors", "gpt2", "--set", "layers=100000", "--json"}}) {
        FullDisk disk;
        std::ostream out(&disk);
        std::ostringstream err;
        CommandLine result = parse_command_line(words, out, err, testing_data::views);
        EXPECT_EQ(std::get<int>(result), 1) << words[0];
        EXPECT_NE(err.str().find("the output could not be written"), std::string::npos) << words[0];
    }
}

}  // namespace
}  // namespace headcount
