// headcount worksheet, run as a teacher would: lists, keys, printed sheets, a folder of answers.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST(WorksheetCommand, ListsAndShows) {
    EXPECT_EQ(run({"worksheet", "list", "--json"}).json().size(), 7u);
    const Ran shown = run({"worksheet", "show", "1-one-head"});
    EXPECT_EQ(shown.status(), 0);
    EXPECT_TRUE(has(shown.out, "head.queries: Queries")) << shown.out;
    EXPECT_FALSE(has(shown.out, "100 × 128"));
    EXPECT_TRUE(has(run({"worksheet", "show", "1-one-head", "--key"}).out, "100 × 128"));
    EXPECT_EQ(run({"worksheet", "show", "1-one-head", "--key", "--seed", "5"}).out,
              run({"worksheet", "show", "1-one-head", "--key", "--seed", "5"}).out);
}

TEST(WorksheetCommand, GradesAFileAndAFolder) {
    const Scratch scratch;
    const std::string file =
        scratch.file("class/ada.csv", "question,answer\nhead.queries,100 x 4096\nhead.input,100 x 4096\n");
    const Ran graded = run({"worksheet", "answer", "1-one-head", "--answers", file});
    EXPECT_EQ(graded.status(), 0) << graded.err;
    EXPECT_TRUE(has(graded.out, "all 32 heads together") && has(graded.out, "1 of 7 right")) << graded.out;
    scratch.file("class/bob.json", R"({"student": "Bob", "answers": {"head.queries": "100 x 128"}})");
    const std::string folder = (scratch.folder() / "class").string();
    const Ran all = run({"worksheet", "answer", "1-one-head", "--answers", folder, "--json"});
    EXPECT_EQ(all.json()["students"][1]["student"], "Bob");
    scratch.file("class/eve.json", "{");
    const Ran one_bad = run({"worksheet", "answer", "1-one-head", "--answers", folder, "--csv"});
    EXPECT_EQ(one_bad.status(), 1);
    EXPECT_TRUE(has(one_bad.out, "Bob") && has(one_bad.err, "1 of 3 files were not graded")) << one_bad.err;
}

TEST(WorksheetCommand, TheKeyAsAFileOfAnswersIsAllRight) {
    const Scratch scratch;
    const std::string file = (scratch.folder() / "key.json").string();
    for (const std::string sheet : {"5-kv-cache", "6-mixtures"}) {
        EXPECT_EQ(run({"worksheet", "export", sheet, "--format", "json", "--key", "--seed", "9", "-o", file}).status(),
                  0);
        const Ran graded = run({"worksheet", "answer", sheet, "--seed", "9", "--answers", file, "--json"});
        EXPECT_EQ(graded.json()["students"][0]["right"], graded.json()["students"][0]["of"]) << sheet << graded.out;
    }
    EXPECT_TRUE(has(run({"worksheet", "export", "6-mixtures"}).out, "<!doctype html>"));
    EXPECT_TRUE(has(run({"worksheet", "export", "6-mixtures", "--format", "md"}).out, "# Mixtures"));
}

TEST(WorksheetCommand, TheKeyAloneHasPicturesAndEachOnce) {
    std::vector<std::string> drawn;
    const auto exported = [&](std::vector<std::string> arguments) {
        drawn.clear();
        std::ostringstream out, err;
        parse_command_line(arguments, out, err, [&](const Architecture& model, const Input&, const std::string& block) {
            drawn.push_back(model.name + ": " + block);
            return "<?xml version=\"1.0\"?>\n<svg data-block=\"" + block + "\"></svg>";
        });
        return out.str();
    };
    const std::string sheet = exported({"worksheet", "export", "1-one-head"});
    EXPECT_TRUE(drawn.empty());  // the shapes that are asked for stand in the picture
    EXPECT_FALSE(has(sheet, "data-block"));
    const std::string key = exported({"worksheet", "export", "1-one-head", "--key"});
    EXPECT_TRUE(has(key, "<figure><svg data-block=\"layer\"></svg></figure>")) << key;
    EXPECT_FALSE(has(key, "<?xml"));
    ASSERT_FALSE(drawn.empty());
    std::sort(drawn.begin(), drawn.end());
    EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end());
    EXPECT_TRUE(has(drawn.front(), "LLaMA 7B: "));
}

TEST(WorksheetCommand, AnswersInAnotherEncodingAreRefusedRatherThanChanged) {
    const Scratch scratch;
    const std::string file = scratch.file("class.csv", "student,head.queries\nJ\xfcrgen,100 x 128\n");
    const Ran graded = run({"worksheet", "answer", "1-one-head", "--answers", file});
    EXPECT_EQ(graded.status(), 1);
    EXPECT_TRUE(has(graded.err, "not UTF-8") && has(graded.err, "CSV UTF-8")) << graded.err;
}

TEST(WorksheetCommand, SaysWhatIsWrong) {
    EXPECT_EQ(run({"worksheet"}).status(), 2);
    EXPECT_EQ(run({"worksheet", "answer", "1-one-head"}).status(), 2);
    const Ran unknown = run({"worksheet", "show", "1-one-hed"});
    EXPECT_EQ(unknown.status(), 1);
    EXPECT_TRUE(has(unknown.err, "did you mean 1-one-head?")) << unknown.err;
    EXPECT_EQ(run({"worksheet", "export", "1-one-head", "--format", "pdf"}).status(), 1);
    EXPECT_EQ(run({"worksheet", "show", "2-why-7b", "--seed", "1"}).status(), 1);
    EXPECT_EQ(run({"worksheet", "show", "1-one-head", "--arch", "gpt2"}).status(), 1);
    const Scratch scratch;
    const Ran broken = run({"worksheet", "show", scratch.file("sheet.json", "{\n\"title\": 1,\n")});
    EXPECT_TRUE(has(broken.err, "line 3")) << broken.err;
}

TEST(RenderCommand, DrawsAnswersAboutTheirOwnNumbersAndNotThoseToAnotherSheet) {
    const Scratch scratch;
    const auto render = [&](const std::string& text) {
        return run({"render", "llama-2-7b", "--view", "worksheet", "--sheet", "1-one-head", "--answers",
                    scratch.file("ada.json", text), "-o", "out.png"});
    };
    const Ran drawn = render(R"({"worksheet": "1-one-head", "seed": 9, "answers": {"head.input": "1 x 2"}})");
    ASSERT_TRUE(std::holds_alternative<RenderOptions>(drawn.result)) << drawn.err;
    EXPECT_EQ(std::get<RenderOptions>(drawn.result).sheet.seed, 9U);
    const Ran other = render(R"({"worksheet": "5-kv-cache", "answers": {}})");
    EXPECT_EQ(other.status(), 1);
    EXPECT_TRUE(has(other.err, "5-kv-cache")) << other.err;
}

}  // namespace
}  // namespace headcount
