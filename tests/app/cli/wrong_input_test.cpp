// Wrong input: one sentence on standard error, nothing on standard output, 1 for what cannot be, 2 for wrong usage.
#include <gtest/gtest.h>

#include <ostream>
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
    expect_error({"count", "lama-2-7b"}, 1, "no preset and no file of this name: lama-2-7b: did you mean llama-2-7b");
    expect_error({"count", "something else entirely"}, 1, "\"headcount presets\" lists what there is");
    expect_error({"count", ""}, 1, "no preset and no file without a name: ARCH: \"headcount presets\" lists");
    expect_error({"count", "/nonexistent/config.json"}, 1, "/nonexistent/config.json");
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
        expect_error({command, "gpt2", "--set", "dim=wide"}, 1,
                     "\"wide\" is not a whole number: --set, dim: give a whole number from 1");
        expect_error({command, "gpt2", "--set", "dim="}, 1, "\"\" is not a whole number");
        expect_error({command, "gpt2", "--set", "dim=-768"}, 1, "\"-768\" is negative");
        expect_error({command, "gpt2", "--set", "dim=0"}, 1, "\"0\" is too small");
        expect_error({command, "gpt2", "--set", "dim=7.5"}, 1, "\"7.5\" is not a whole number");
        expect_error({command, "gpt2", "--set", "dim=99999999999999999999"}, 1, "too large for 64 bits");
    }
    expect_error({"count", "gpt2", "--set", "norm=batch"}, 1, "give one of rms, layer");
    expect_error({"count", "gpt2", "--set", "tied=perhaps"}, 1, "give true or false");
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
    expect_error({"tensors", "gpt2", "--layer", "-1"}, 1, "\"-1\" is negative: --layer: the layers are 0 to 11");
    expect_error({"tensors", "gpt2", "--layer", "first"}, 1,
                 "\"first\" is not a whole number: --layer: the layers are 0 to 11");
    expect_error({"shapes", "gpt2", "--tokens", "0"}, 1, "\"0\" is too small: --tokens");
    expect_error({"shapes", "gpt2", "--tokens", "-5"}, 1, "\"-5\" is negative: --tokens");
    expect_error({"shapes", "gpt2", "--tokens", "1025"}, 1, "1025 tokens pass the last of 1024 learned positions");
    expect_error({"shapes", "gpt2", "--tokens", "5", "--batch", "0"}, 1, "--batch");
    expect_error({"shapes", "gpt2", "--tokens", "5", "--cached", "x"}, 1, "--cached");
    expect_error({"shapes", "gpt2", "--tokens", "5", "--dtype", "fp8"}, 1, "give one of fp32, bf16, fp16, int8, int4");
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

TEST(WrongInput, AnUnknownCommandIsAnsweredWithThoseThereAre) {
    const std::string commands =
        "the commands are presets, count, tensors, tree, match, shapes, compare, memory, compute, sweep, "
        "sensitivity, solve, run, claims, export, worksheet, render";
    for (const char* command : {"predict", "chat", "help"}) {
        expect_error({command, "llama-2-7b"}, 2, commands);
        expect_error({command}, 2, commands);
    }
    expect_error({"cuont", "gpt2"}, 2, "did you mean count");
}

TEST(WrongInput, PicturesAndFilesOfOtherKindsAreRefused) {
    expect_error({"render", "gpt2", "-o", "a.svg", "--tilt"}, 1,
                 "an SVG file has the diagram flat, not in perspective: --tilt: leave --tilt out");
    expect_error({"render", "gpt2", "-o", "a.SVG"}, 1, "end it in .png for the whole view or in .svg for the diagram");
    expect_error({"render", "gpt2", "-o", "svg"}, 1, "a picture cannot have this ending: -o svg");
    expect_error({"--screenshot", "a.svg"}, 1, "a screenshot cannot have this ending: --screenshot a.svg");
    expect_error({"render", "gpt2", "-o", "a.jpg"}, 1, "end it in .png");
    expect_error({"render", "gpt2", "-o", "a.png", "--view", "runs"}, 1,
                 "the views are: explore, compare, costs, what-if, run, worksheet, claims");
    expect_error({"render", "gpt2", "-o", "a.png", "--claim", "205-b"}, 1, "give --view claims");
    for (const char* view : {"worksheet", "claims"}) {
        expect_error({"render", "gpt2", "-o", "a.png", "--view", view, "--present"}, 1, "--present: leave --view out");
        expect_error({"render", "gpt2", "-o", "a.png", "--view", view, "--tour", "3-one-attention-head"}, 1,
                     "--tour: leave --view out");
    }
    expect_error({"render", "gpt2", "-o", "a.png", "--view", "claims", "--claim", "205-bb"}, 1, "did you mean 205-b");
    expect_error({"render", "gpt2", "-o", "a.png", "--with", "llama-2-7b"}, 1, "--with: give --view compare");
    expect_error({"render", "gpt2", "-o", "a.png", "--view", "compare", "--with", "llama-2-7"}, 1, "--with");
    expect_error({"render", "gpt2", "-o", "a.png", "--theme", "blue"}, 1, "give dark or light");
    for (const char* size : {"x", "0x0", "10x10", "1600x", "1600x1000x3", "-5x700", "319x1000", "1600x8193", "axb"})
        expect_error({"render", "gpt2", "-o", "a.png", "--size", size}, 1,
                     "--size: give whole numbers from 320 to 8192, such as 1600x1000");
    expect_error({"render", "gpt2", "-o", "a.png", "--size", "1600"}, 1, "\"1600\" is not a size: --size");
    expect_error({"render", "gpt2", "-o", "a.png", "--select", "layer.feed_forward.upp.weight"}, 1,
                 "did you mean layer.feed_forward.up.weight");
    expect_error({"render", "gpt2", "-o", "a.png", "--select", "component.nothing"}, 1, "nothing named");
    expect_error({"render", "gpt2", "-o", "a.png", "--set", "layers=9000000000000000000"}, 1, "does not fit");
    expect_error({"--screenshot", "a.bmp"}, 1, "end it in .png");
    expect_error({"--set", "dim=4"}, 1, "there is no model to change");
    expect_error({"export", "gpt2", "-o", "a.txt"}, 1, "end it in .json");
    expect_error({"export", "gpt2", "-o", "/nonexistent/a.json"}, 1, "cannot be written");
    Scratch scratch;
    expect_error({"export", "hypothetical-405b", "-o", (scratch.folder() / "a.json").string()}, 1,
                 "has no word for this choice of norm_scale");
    EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
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

TEST(WrongInput, ANameCannotSteerTheTerminal) {
    expect_error({"count", "\x1b[31mred\nline"}, 1, "?[31mred?line");
}

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
        CommandLine result = parse_command_line(words, out, err);
        EXPECT_EQ(std::get<int>(result), 1) << words[0];
        EXPECT_NE(err.str().find("the output could not be written"), std::string::npos) << words[0];
    }
}

}  // namespace
}  // namespace headcount
