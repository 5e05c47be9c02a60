// A command never destroys what it reads: whatever the name of its output, and whichever command it is.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "core/base/utf8.hpp"
#include "tests/app/cli/session.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/small_model.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;
using testing_data::SmallModel;

// The command is refused, and the file is as it was.
void expect_kept(const fs::path& file, const std::vector<std::string>& words) {
    const std::string before = testing_data::read_file(file);
    const Ran ran = run(words);
    EXPECT_EQ(ran.status(), 1) << words.front() << ' ' << file;
    EXPECT_TRUE(has(ran.err, "this is one of the files that are read for it")) << ran.err;
    EXPECT_TRUE(testing_data::read_file(file) == before) << file;
}

TEST(Output, IsNeverAFileOfTheModel) {
    const Scratch scratch;
    const fs::path folder = scratch.folder() / "model";
    fs::copy(fs::path(HEADCOUNT_ASSETS_DIR) / "models/tiny-stories", folder);
    const std::vector<std::string> words{"run", folder.string(), "--prompt-ids", "1", "--tokens", "1", "--dump"};
    const auto dump = [&](const fs::path& file) {
        std::vector<std::string> all = words;
        all.push_back(file.string());
        return all;
    };
    for (const char* name : {"model.safetensors", "config.json", "tokenizer.json"})
        expect_kept(folder / name, dump(folder / name));
    fs::create_symlink("model/model.safetensors", scratch.folder() / "dump.safetensors");
    expect_kept(folder / "model.safetensors", dump(scratch.folder() / "dump.safetensors"));
    expect_kept(folder / "config.json", {"export", folder.string(), "-o", (folder / "config.json").string()});
    EXPECT_EQ(run(dump(folder / "dump.safetensors")).status(), 0);
    EXPECT_EQ(run(dump(folder / "dump.safetensors")).status(), 0) << "what it did not read it may write again";
}

TEST(Output, IsNeverWhatIsReadOfAnyCommand) {
    const Scratch scratch;
    const std::string config = scratch.file("model.json", SmallModel{}.config());
    const std::string other = scratch.file("other.json", SmallModel{.layers = 3}.config());
    const std::string sheet = (scratch.folder() / "sheet.json").string();
    const std::string answers = (scratch.folder() / "answers.json").string();
    fs::copy(fs::path(HEADCOUNT_ASSETS_DIR) / "worksheets/1-one-head.json", sheet);
    ASSERT_EQ(run({"worksheet", "export", "1-one-head", "-o", answers}).status(), 0);
    const auto picture_of = [&](const std::string& file) {
        const fs::path link = file + ".png";
        fs::create_symlink(file, link);
        return link.string();
    };
    expect_kept(config, {"export", config, "-o", config});
    expect_kept(sheet, {"worksheet", "export", sheet, "-o", sheet});
    expect_kept(config, {"render", config, "-o", picture_of(config)});
    expect_kept(other, {"render", config, "--view", "compare", "--with", other, "-o", picture_of(other)});
    expect_kept(answers, {"render", config, "--view", "worksheet", "--sheet", "1-one-head", "--answers", answers, "-o",
                          picture_of(answers)});
    expect_kept(config, {config, "--report-ui", config});
    expect_kept(config, {config, "--screenshot", config + ".png"});
    const fs::path preset = fs::path(HEADCOUNT_ASSETS_DIR) / "presets/gpt2.json";
    expect_kept(preset, {"export", "gpt2", "-o", preset.string()});
}

// In a folder of presets of somebody's own.
TEST(Presets, ADamagedOneFailsOnlyWhoNeedsIt) {
    const Scratch scratch;
    const fs::path presets = scratch.folder() / "presets";
    fs::copy(fs::path(HEADCOUNT_ASSETS_DIR) / "presets", presets);
    std::ofstream(presets / "gpt2.json") << "{";
    const char* const named = std::getenv("HEADCOUNT_ASSETS");
    const std::string before = named ? named : "";
    setenv("HEADCOUNT_ASSETS", scratch.folder().c_str(), 1);
    const Ran other = run({"tree", "llama-2-7b"}), itself = run({"tree", "gpt2"}), all = run({"presets"});
    if (named)
        setenv("HEADCOUNT_ASSETS", before.c_str(), 1);
    else
        unsetenv("HEADCOUNT_ASSETS");
    EXPECT_EQ(other.status(), 0) << other.err;
    EXPECT_EQ(other.err, "") << "what is not read is not spoken of";
    EXPECT_EQ(all.status(), 0) << all.err;
    EXPECT_TRUE(has(all.err, "headcount: note: The preset \"gpt2\" is left out: this is not JSON")) << all.err;
    EXPECT_EQ(itself.status(), 1);
    EXPECT_TRUE(has(itself.err, "gpt2.json, line ")) << itself.err;
}

TEST(Output, NothingButUtf8IsPrinted) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"count", "a\xFF"},
                                                  {"count", "gpt2", "--set", "\xFF=1"},
                                                  {"\xFF"},
                                                  {"count", "gpt2", "\xFF"}}) {
        const Ran ran = run(words);
        EXPECT_NE(ran.status(), 0);
        EXPECT_TRUE(is_utf8(ran.err)) << ran.err;
    }
}

TEST(Output, ItsFormatIsAskedForWhereTheNameSaysNone) {
    const Scratch scratch;
    const auto exported = [&](const char* name, std::vector<std::string> more) {
        more.insert(more.begin(), {"export", "gpt2", "-o", (scratch.folder() / name).string()});
        return run(more);
    };
    for (const auto& [format, begin] :
         {std::pair("json", "{"), {"csv", "# GPT-2 small\r\ntensor,"}, {"md", "# "}, {"headcount", "{"}}) {
        const Ran ran = exported("bare", {"--format", format});
        EXPECT_EQ(ran.out, "wrote " + (scratch.folder() / "bare").string() + "\n") << ran.err;
        EXPECT_TRUE(testing_data::read_file(scratch.folder() / "bare").starts_with(begin)) << format;
    }
    const Ran silent = exported("none", {});
    EXPECT_EQ(silent.status(), 2);
    EXPECT_TRUE(has(silent.err, "or give --format")) << silent.err;
    const Ran contradicts = exported("a.csv", {"--format", "md"});
    EXPECT_EQ(contradicts.status(), 2);
    EXPECT_TRUE(has(contradicts.err, "the file's name says csv, --format md")) << contradicts.err;
    const Ran picture = run({"render", "gpt2", "--format", "svg", "-o", "/dev/stdout"});
    ASSERT_TRUE(std::holds_alternative<RenderOptions>(picture.result)) << picture.err;
    EXPECT_EQ(std::get<RenderOptions>(picture.result).format, PictureFormat::svg);
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"export"}, {"render"}, {"worksheet", "export"}}) {
        std::vector<std::string> help = words;
        help.emplace_back("--help");
        EXPECT_TRUE(has(run(help).out, "--format ")) << words.front();
    }
}

TEST(Output, IntoAStreamIsTheTextAlone) {
    const Ran ran = run({"worksheet", "export", "1-one-head", "--format", "md", "-o", "/dev/null"});
    EXPECT_EQ(ran.status(), 0) << ran.err;
    EXPECT_EQ(ran.out, "") << "it may be the stream that the text goes to";
}

}  // namespace
}  // namespace headcount
