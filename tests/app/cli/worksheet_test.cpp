// headcount worksheet, run as a teacher would: lists, keys, printed sheets, a folder of answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <regex>
#include <sstream>

#include "core/base/json_file.hpp"
#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::has;
using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;

TEST(WorksheetCommand, ListsAndShows) {
    EXPECT_EQ(run({"worksheet", "list", "--json"}).json().size(), 13u);
    const Ran shown = run({"worksheet", "show", "1-one-head"});
    EXPECT_EQ(shown.status(), 0);
    EXPECT_TRUE(has(shown.out, "head.queries: Queries")) << shown.out;
    EXPECT_FALSE(has(shown.out, "100 × 128"));
    EXPECT_TRUE(has(run({"worksheet", "show", "1-one-head", "--key"}).out, "100 × 128"));
    EXPECT_EQ(run({"worksheet", "show", "1-one-head", "--key", "--seed", "5"}).out,
              run({"worksheet", "show", "1-one-head", "--key", "--seed", "5"}).out);
}

TEST(WorksheetCommand, AsksForTheWordThatOpensAKey) {
    const Scratch scratch;
    const std::string file = scratch.file("sheet.json", R"({"title": "One", "key_word": "softmax",
        "architecture": "llama-7b", "questions": [{"id": "q", "kind": "count", "ask": "How wide?", "answer": "d"}]})");
    EXPECT_EQ(run({"worksheet", "show", file}).status(), 0);
    const Ran none = run({"worksheet", "show", file, "--key"});
    EXPECT_EQ(none.status(), 1);
    EXPECT_TRUE(has(none.err, "give it with --key-word") && !has(none.out, "4096")) << none.err;
    EXPECT_TRUE(has(run({"worksheet", "export", file, "--key", "--key-word", "softmin", "-o",
                         (scratch.folder() / "key.html").string()})
                        .err,
                    "\"softmin\" is not the word"));
    EXPECT_TRUE(has(run({"worksheet", "show", file, "--key", "--key-word", "softmax"}).out, "4096"));
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
    scratch.file("class/cid.json",
                 R"({"student": "Cid", "answers": {"head.queries": "100 x 4096", "head.keys": "1 x 2"}})");
    const auto mistakes = run({"worksheet", "answer", "1-one-head", "--answers", folder, "--json"}).json()["mistakes"];
    EXPECT_EQ(mistakes.size(), 2U);
    EXPECT_EQ(mistakes[0]["question"], "head.queries");
    EXPECT_EQ(mistakes[0]["mistake"], "all_heads");
    EXPECT_EQ(mistakes[0]["students"], 2);
    EXPECT_TRUE(has(run({"worksheet", "answer", "1-one-head", "--answers", folder}).out, "all heads for one"));
    scratch.file("class/eve.json", "{");
    const Ran one_bad = run({"worksheet", "answer", "1-one-head", "--answers", folder, "--csv"});
    EXPECT_EQ(one_bad.status(), 1);
    std::istringstream lines(one_bad.err);
    for (std::string line; std::getline(lines, line);) EXPECT_TRUE(line.starts_with("headcount: ")) << line;
    EXPECT_TRUE(has(one_bad.out, "Bob") && has(one_bad.err, "1 of 4 files were not graded")) << one_bad.err;
}

TEST(WorksheetCommand, WritesAQuestionBank) {
    const Ran bank = run({"worksheet", "export", "1-one-head", "--format", "moodle", "--variants", "3"});
    EXPECT_EQ(bank.status(), 0) << bank.err;
    EXPECT_TRUE(has(bank.out, "<quiz>") && has(bank.out, "numbers 1</text>") && has(bank.out, "numbers 2</text>"));
    const auto said = [&](std::vector<std::string> options) {
        std::vector<std::string> all{"worksheet", "export"};
        all.insert(all.end(), options.begin(), options.end());
        return run(all).err;
    };
    EXPECT_TRUE(has(said({"2-why-7b", "--format", "moodle", "--variants", "2"}), "leave --variants out"));
    EXPECT_TRUE(has(said({"1-one-head", "--format", "moodle", "--key"}), "leave --key out"));
    EXPECT_TRUE(has(said({"1-one-head", "--variants", "2"}), "--format moodle"));
    EXPECT_TRUE(has(said({"1-one-head", "--format", "moodle", "--variants", "0"}), "--variants"));
}

TEST(WorksheetCommand, WritesAPackageForLearningPlatforms) {
    const std::string page = "https://example.org/headcount/";
    const auto package = [&](const std::string& sheet) {
        return run({"worksheet", "export", sheet, "--format", "scorm", "--base", page, "--seed", "5"});
    };
    const Ran shipped = package("1-one-head");
    EXPECT_EQ(shipped.status(), 0) << shipped.err;
    EXPECT_TRUE(shipped.out.starts_with("PK\x03\x04"));
    EXPECT_TRUE(has(shipped.out, "<schemaversion>1.2</schemaversion>"));
    EXPECT_TRUE(
        has(shipped.out, "src=\"" + page + "#v=1&amp;view=worksheet&amp;chrome=0&amp;sheet=1-one-head&amp;seed=5\""));
    const std::string file = std::string(HEADCOUNT_ASSETS_DIR) + "/worksheets/1-one-head.json";
    EXPECT_TRUE(has(package(file).out, "chrome=0&amp;lesson=lessons/1-one-head.json&amp;seed=5"));
    const Scratch scratch;
    std::filesystem::copy(file, scratch.folder() / "my sheet.json");
    const std::string spaced = package((scratch.folder() / "my sheet.json").string()).out;
    EXPECT_TRUE(has(spaced, "<manifest identifier=\"headcount.my-sheet\"")) << "XML takes no space there";
    EXPECT_TRUE(has(spaced, "data-sheet=\"my sheet\""));
    const auto said = [&](std::vector<std::string> options) {
        std::vector<std::string> all{"worksheet", "export", "1-one-head"};
        all.insert(all.end(), options.begin(), options.end());
        return run(all).err;
    };
    EXPECT_TRUE(has(said({"--format", "scorm"}), "--base https://example.org/headcount/"));
    EXPECT_TRUE(has(said({"--base", page}), "add --format scorm"));
    EXPECT_TRUE(has(said({"--format", "scorm", "--base", page, "--key"}), "leave --key out"));
}

TEST(WorksheetCommand, WritesAPackageOfQtiUnderItsNameAlone) {
    const Scratch scratch;
    const std::string file = (scratch.folder() / "heads.zip").string();
    const Ran wrote = run({"worksheet", "export", "1-one-head", "--format", "qti", "--variants", "2", "-o", file});
    EXPECT_EQ(wrote.status(), 0) << wrote.err;
    const std::string text = *read_text(file);
    for (const char* name : {"imsmanifest.xml", "test.xml", "items/item_head.xml", "items/item_head.2.xml"})
        EXPECT_TRUE(has(text, name)) << name;
    EXPECT_TRUE(has(run({"worksheet", "export", "1-one-head", "-o", file}).err, "which page"))
        << "the ending alone is the other package's";
}

TEST(LessonsCommand, ListsAFolderForThePage) {
    const Scratch scratch;
    const std::filesystem::path assets(HEADCOUNT_ASSETS_DIR), folder = scratch.folder() / "week 1";
    std::filesystem::create_directory(folder);
    EXPECT_TRUE(has(run({"lessons", "index", folder.string()}).err, "put tours and worksheets there"));
    std::filesystem::copy(assets / "worksheets/1-one-head.json", folder / "heads.json");
    std::filesystem::copy(assets / "tours/2-where-7-b-come-from.json", folder / "sizes.json");
    EXPECT_EQ(run({"lessons", "index", folder.string()}).status(), 0);
    const std::string text = *read_text(folder / "index.html");
    EXPECT_TRUE(has(text, "href=\"../#v=1&amp;lesson=week+1/heads.json\">"));
    EXPECT_TRUE(has(text, "href=\"../#v=1&amp;lesson=week+1/sizes.json\">"));
    EXPECT_TRUE(has(text, "a worksheet of 6 questions") && has(text, "a tour<")) << text;
    scratch.file("week 1/wrong.json", R"({"questions": 7})");
    const Ran wrong = run({"lessons", "index", folder.string()});
    EXPECT_EQ(wrong.status(), 1);
    EXPECT_TRUE(has(wrong.err, "wrong.json"));
}

TEST(WorksheetCommand, AFileWithoutAnswersIsSaid) {
    const Scratch scratch;
    for (const char* text : {"question,answer\n", "student,head.queries\n"})
        for (const char* form : {"--json", "--csv"}) {
            const Ran ran = run({"worksheet", "answer", "1-one-head", "--answers", scratch.file("a.csv", text), form});
            EXPECT_EQ(ran.status(), 1);
            EXPECT_EQ(ran.out, "");
            EXPECT_TRUE(has(ran.err, "there are no answers in it")) << ran.err;
        }
}

TEST(WorksheetCommand, AStudentsNameIsNoFormula) {
    const Scratch scratch;
    const std::string file =
        scratch.file("class.csv", "student,head.queries\n=1+1,100 x 128\n@SUM(A1),\n\"Eve \x1B[2J\xE2\x80\xAE\",-5\n");
    const Ran ran = run({"worksheet", "answer", "1-one-head", "--answers", file, "--csv"});
    EXPECT_EQ(ran.status(), 0) << ran.err;
    EXPECT_TRUE(has(ran.out, "\n'=1+1,1,") && has(ran.out, "\n'@SUM(A1),") && has(ran.out, "\nEve ?[2J?,")) << ran.out;
}

TEST(WorksheetCommand, MemoryThatCannotBeHadIsASentence) {
    std::ostringstream out, err;
    const DrawPlace draw = [](const Architecture&, const Input&, const std::string&, PictureNumbers) -> std::string {
        throw std::bad_alloc();
    };
    const std::vector<std::string> words{"worksheet", "export", "1-one-head", "--key"};
    EXPECT_EQ(std::get<int>(parse_command_line(words, out, err, testing_data::views, draw)), 1);
    EXPECT_EQ(err.str(),
              "headcount: there is not enough memory for this: end other programs, or give a smaller model or file\n");
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

TEST(WorksheetCommand, EachPictureStandsThereOnceAndWithNumbersInTheKeyAlone) {
    std::vector<std::string> drawn;
    const auto exported = [&](std::vector<std::string> arguments) {
        drawn.clear();
        std::ostringstream out, err;
        parse_command_line(
            arguments, out, err, testing_data::views,
            [&](const Architecture& model, const Input&, const std::string& place, PictureNumbers numbers) {
                drawn.push_back(model.name + (numbers == PictureNumbers::shown ? ": " : "? ") + place);
                return "<?xml version=\"1.0\"?>\n<svg data-place=\"" + place + "\"></svg>";
            });
        return out.str();
    };
    const std::string sheet = exported({"worksheet", "export", "1-one-head"});
    EXPECT_TRUE(has(sheet, "<figure><svg data-place=\"layer.attention.head.scores\"></svg></figure>")) << sheet;
    for (const std::string& each : drawn) EXPECT_TRUE(has(each, "LLaMA 7B? ")) << each << " is to be found";
    const std::string key = exported({"worksheet", "export", "1-one-head", "--key"});
    EXPECT_TRUE(has(key, "<figure><svg data-place=\"layer\"></svg></figure>")) << key;
    EXPECT_FALSE(has(key, "<?xml"));
    // "<?xml " in base64.
    const std::string picture = "](data:image/svg+xml;base64,PD94bWwg";
    EXPECT_TRUE(has(exported({"worksheet", "export", "1-one-head", "--key", "--format", "md"}), picture));
    // In a question bank a text without numbers is there once, whatever its picture; one of five has a number.
    const std::string bank = exported({"worksheet", "export", "1-one-head", "--format", "moodle", "--variants", "3"});
    const std::regex essays("type=\"essay\"");
    EXPECT_EQ(std::distance(std::sregex_iterator(bank.begin(), bank.end(), essays), {}), 4 + 3);
    EXPECT_TRUE(has(bank, "Where it is in the model"));
    for (const std::string& each : drawn) EXPECT_TRUE(has(each, "? ")) << each;
    exported({"worksheet", "export", "5-kv-cache", "--format", "moodle"});
    for (const char* place : {"layer.attention", "layer.attention.key_cache"})
        EXPECT_NE(std::ranges::find(drawn, std::string("Llama 3 8B? ") + place), drawn.end()) << place;
    exported({"worksheet", "export", "1-one-head", "--key"});
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

TEST(WorksheetCommand, AStrayAnswerIsNotedAndTheOthersAreGraded) {
    const Scratch scratch;
    const std::string file = scratch.file("ada.csv", "question,answer\nhead.queries,100 x 128\nhead.qeries,1 x 1\n");
    const Ran graded = run({"worksheet", "answer", "1-one-head", "--answers", file});
    EXPECT_EQ(graded.status(), 0) << graded.err;
    EXPECT_TRUE(has(graded.out, "1 of 7 right") && has(graded.out, "no question \"head.qeries\"")) << graded.out;
    const Ran json = run({"worksheet", "answer", "1-one-head", "--answers", file, "--json"});
    EXPECT_EQ(json.json()["students"][0]["notes"].size(), 1u);
}

TEST(WorksheetCommand, EveryFileThatFailedIsListed) {
    const Scratch scratch;
    scratch.file("class/ada.csv", "question,answer\nhead.queries,100 x 128\n");
    scratch.file("class/bob.json", "{");
    scratch.file("class/eve.json", R"({"worksheet": "5-kv-cache", "answers": {}})");
    const std::string folder = (scratch.folder() / "class").string();
    EXPECT_TRUE(has(run({"worksheet", "answer", "1-one-head", "--answers", folder}).out, "ada")) << "whose it is";
    const Ran graded = run({"worksheet", "answer", "1-one-head", "--answers", folder, "--csv"});
    EXPECT_FALSE(has(graded.err, "in full")) << graded.err;
    EXPECT_EQ(graded.status(), 1);
    EXPECT_TRUE(has(graded.out, "ada")) << graded.out;
    for (const char* part : {"2 of 3 files were not graded", "bob.json", "eve.json"})
        EXPECT_TRUE(has(graded.err, part)) << part << ": " << graded.err;
}

TEST(WorksheetCommand, OneWrongStudentOfATableLeavesTheOthersTheirGrades) {
    const Scratch scratch;
    const std::string file =
        scratch.file("class.csv", "student,seed,head.queries\nAda,,100 x 128\nBob,7,1 x 1\nEve,,100 x 4096\n");
    const Ran graded = run({"worksheet", "answer", "1-one-head", "--answers", file, "--csv"});
    EXPECT_EQ(graded.status(), 1);
    EXPECT_TRUE(has(graded.out, "Ada") && has(graded.out, "Eve") && !has(graded.out, "Bob")) << graded.out;
    EXPECT_TRUE(has(graded.err, "Bob") && has(graded.err, "--seed 7")) << graded.err;
}

TEST(WorksheetCommand, TheFilesEndingDecidesItsFormat) {
    const Scratch scratch;
    const auto exported = [&](const std::string& name, std::vector<std::string> more = {}) {
        std::vector<std::string> words{"worksheet", "export", "1-one-head", "-o", (scratch.folder() / name).string()};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    };
    const auto begins = [&](const std::string& name, std::string_view with) {
        const Result<std::string> text = read_text(scratch.folder() / name);
        return text && text->starts_with(with);
    };
    for (const auto& [name, with] : {std::pair("a.csv", "question,answer"),
                                     {"a.json", "{"},
                                     {"a.md", "# "},
                                     {"a.html", "<!doctype html>"},
                                     {"bare", "<!doctype html>"}}) {
        EXPECT_EQ(exported(name).status(), 0) << name;
        EXPECT_TRUE(begins(name, with)) << name;
    }
    EXPECT_EQ(exported("b.txt", {"--format", "md"}).status(), 0);
    EXPECT_TRUE(begins("b.txt", "# "));
    const Ran contradicts = exported("c.csv", {"--format", "html"});
    EXPECT_EQ(contradicts.status(), 2);
    EXPECT_TRUE(has(contradicts.err, "the file's name says csv, --format html")) << contradicts.err;
    const Ran unknown = exported("c.pdf");
    EXPECT_EQ(unknown.status(), 2);
    EXPECT_TRUE(has(unknown.err, "c.pdf")) << unknown.err;
    EXPECT_FALSE(std::filesystem::exists(scratch.folder() / "c.csv"));
}

TEST(WorksheetCommand, AChangedModelIsNamedByItsWidthOnce) {
    const std::string shown = run({"worksheet", "show", "7-first-matrix"}).out;
    const std::size_t at = shown.find("A model with d = ");
    ASSERT_NE(at, std::string::npos) << shown;
    const std::string heading = shown.substr(at, shown.find('\n', at) - at);
    EXPECT_EQ(heading.find(" d = ", 15), std::string::npos) << heading;
}

TEST(WorksheetCommand, TheKeyDerivesWhatIsOfAnotherModelThere) {
    const std::string key = run({"worksheet", "show", "3-from-7b-to-8b", "--key"}).out;
    EXPECT_TRUE(has(key, "V·d in Llama 2 7B") && has(key, "32000·4096")) << key;
    EXPECT_FALSE(has(key, "      131072000\n")) << "a number is no derivation of itself";
}

TEST(WorksheetCommand, SaysWhatIsWrong) {
    EXPECT_EQ(run({"worksheet"}).status(), 2);
    EXPECT_EQ(run({"worksheet", "answer", "1-one-head"}).status(), 2);
    const Ran unknown = run({"worksheet", "show", "1-one-hed"});
    EXPECT_EQ(unknown.status(), 1);
    EXPECT_TRUE(has(unknown.err, "did you mean 1-one-head?")) << unknown.err;
    EXPECT_EQ(run({"worksheet", "export", "1-one-head", "--format", "pdf"}).status(), 2);
    EXPECT_EQ(run({"worksheet", "show", "2-why-7b", "--seed", "1"}).status(), 1);
    EXPECT_EQ(run({"worksheet", "show", "1-one-head", "--arch", "gpt2"}).status(), 1);
    const Scratch scratch;
    const Ran broken = run({"worksheet", "show", scratch.file("sheet.json", "{\n\"title\": 1,\n")});
    EXPECT_TRUE(has(broken.err, "line 3")) << broken.err;
}

TEST(TourOption, TakesAnIdItsNumberOrAFile) {
    const Scratch scratch;
    const std::string file =
        scratch.file("mine.json", R"({"title": "Mine", "steps": [{"title": "One", "caption": "{d} wide."}]})");
    const Ran window = run({"--tour", file});
    ASSERT_TRUE(std::holds_alternative<WindowOptions>(window.result)) << window.err;
    EXPECT_EQ(std::get<WindowOptions>(window.result).tour, file);
    const Ran picture = run({"render", "gpt2", "--tour", file, "-o", "out.png"});
    ASSERT_TRUE(std::holds_alternative<RenderOptions>(picture.result)) << picture.err;
    // By its number too, and with the model that it names.
    const Ran numbered = run({"render", "--tour", "7", "--step", "2", "-o", "out.png"});
    ASSERT_TRUE(std::holds_alternative<RenderOptions>(numbered.result)) << numbered.err;
    EXPECT_EQ(std::get<RenderOptions>(numbered.result).tour, "7-a-state-that-does-not-grow");
    const Ran none = run({"--tour", "no-such-tour"});
    EXPECT_EQ(none.status(), 1);
    EXPECT_TRUE(has(none.err, "3-one-attention-head")) << none.err;
    EXPECT_EQ(run({"--tour", scratch.file("bad.json", "{\"steps\": 1}")}).status(), 1);
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
