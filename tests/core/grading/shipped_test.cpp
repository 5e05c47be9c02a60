// The worksheets that ship: their answers against published numbers, and the key against every set of numbers.
#include <algorithm>

#include "tests/support/class.hpp"

namespace headcount {
namespace {

using namespace testing_data;

void right(const Sheet& sheet, std::initializer_list<std::pair<const char*, const char*>> answers) {
    for (const auto& [id, typed] : answers) {
        const Grade grade = graded(sheet, id, typed);
        EXPECT_EQ(grade.verdict, Outcome::right) << sheet.id << " " << id << " " << typed << ": " << grade.hint;
    }
}

TEST(Shipped, OneHeadHasTheAnswersOfItsSource) {
    right(shipped("1-one-head"), {{"head.input", "100x4096"},
                                  {"head.queries", "100 x 128"},
                                  {"head.keys", "100×128"},
                                  {"head.values", "100 by 128"},
                                  {"head.scores", "100, 100"},
                                  {"head.weights", "T x T"},
                                  {"head.output", "100×4,096"}});
    EXPECT_EQ(graded(shipped("1-one-head"), "square", "because").verdict, Outcome::kept);
}

TEST(Shipped, AHeadThatIsGoneIsFoundByRunningTheModel) {
    const Sheet sheet = shipped("10-a-head-gone");
    right(sheet, {{"one-head", "layer.0.attention.head:6"},
                  {"runs", "32"},
                  {"other-story", "layer.1.attention.head:0"},
                  {"share", "2*128*16"}});
    EXPECT_EQ(sheet.model->parameters.total, 656512) << "as the model that ships";
    const Grade other = graded(sheet, "one-head", "layer.3.attention.head:0");
    EXPECT_EQ(other.verdict, Outcome::wrong);
    EXPECT_TRUE(other.hint.starts_with("Without this part the likeliest word is still \"Lily\", with 9")) << other.hint;
    const Grade more = graded(sheet, "one-head", "layer.0.attention.head:6, layer.2.attention");
    EXPECT_EQ(more.verdict, Outcome::wrong) << "one is asked for";
    EXPECT_EQ(graded(sheet, "one-head", "head three").verdict, Outcome::unreadable);
    EXPECT_EQ(graded(sheet, "one-head", "layer.9.attention").verdict, Outcome::unreadable);
}

TEST(Shipped, TheLabIsAboutTheModelOfTheTrainView) {
    const Sheet sheet = shipped("11-it-knows-nothing");
    EXPECT_EQ(sheet.model->parameters.total, 69952) << "micro, with the tokens of its task";
    right(sheet, {{"tokens", "26+2"}, {"said", "17"}, {"first", "ln 28 = 3.33"}, {"drawn", "7"}});
    EXPECT_EQ(graded(sheet, "floor", "0").verdict, Outcome::wrong);
    right(shipped("12-sixteen-bytes"), {{"weights", "279,808"},
                                        {"gradients", "279 808"},
                                        {"moments", "559616"},
                                        {"each", "4+4+4+4"},
                                        {"all", "1,119,232"},
                                        {"sgd", "839,424"},
                                        {"seven", "108 billion"}});
    // What is asked for are bytes: sizes are read as such.
    right(shipped("12-sixteen-bytes"), {{"weights", "279808 B"}, {"seven", "108 GB"}, {"seven", "107814649856 bytes"}});
    EXPECT_EQ(graded(shipped("12-sixteen-bytes"), "weights", "69,952").mistake, Mistake::bytes);
}

TEST(Shipped, ZerosAtTheEndAreDigitsWhereTheyAreRight) {
    const Sheet sheet = shipped("12-sixteen-bytes");  // 107,814,649,856 bytes are 107.8 GB and 100.4 GiB
    EXPECT_EQ(graded(sheet, "seven", "100 GiB").verdict, Outcome::right);
    for (const char* const wrong : {"110 GB", "100 GB", "0.1 TiB", "90 GiB", "1 GiB"})
        EXPECT_EQ(graded(sheet, "seven", wrong).verdict, Outcome::wrong) << wrong;
    EXPECT_EQ(graded(sheet, "seven", "110 GB").mistake, Mistake::rounded) << "to two digits";
}

TEST(Shipped, OneDigitInTheOtherUnitIsNotRightAsFarAsItGoes) {
    const Sheet sheet = shipped("5-kv-cache");
    EXPECT_EQ(graded(sheet, "bytes", "0.5 GiB").verdict, Outcome::right);
    EXPECT_EQ(graded(sheet, "bytes", "0.537 GB").verdict, Outcome::right);
    const Grade half = graded(sheet, "bytes", "0.5 GB");
    EXPECT_EQ(half.mistake, Mistake::gb_for_gib);
    EXPECT_TRUE(half.hint.starts_with("0.5 GB: the number is right for GiB, not for GB.")) << half.hint;
}

TEST(Shipped, WhySevenBillion) {
    right(shipped("2-why-7b"), {{"ffn-rule", "11008"},
                                {"w-o", "4096 x 4096"},
                                {"attention", "67,108,864"},
                                {"feed-forward", "135266304"},
                                {"layers", "6,476,005,376"},
                                {"ends", "d*V*2"},
                                {"v50000", "6885605376"},
                                {"total", "6 738 415 616"},
                                {"context", "None"},
                                {"larger.b13", "13.0 B"},
                                {"larger.b33", "32.5B"},
                                {"larger.b65", "65.3 billion"}});
}

TEST(Shipped, FromSevenToEight) {
    right(shipped("3-from-7b-to-8b"), {{"ends.old", "262144000"},
                                       {"ends.new", "1,050,673,152"},
                                       {"keys", "4096 x 1024"},
                                       {"layer.old", "202,383,360"},
                                       {"layer.new", "218,112,000"},
                                       {"layers.old", "6,476,267,520"},
                                       {"layers.new", "6,979,584,000"},
                                       {"total.old", "6738415616"},
                                       {"total.new", "8,030,261,248"},
                                       {"difference", "1,291,845,632"}});
    EXPECT_EQ(graded(shipped("3-from-7b-to-8b"), "total.new", "8,030,257,152").mistake, Mistake::left_out)
        << "the published total is without the final norm";
}

TEST(Shipped, FourHundredAndFiveBillion) {
    right(shipped("4-hypothetical-405b"), {{"embedding", "655,360,000"},
                                           {"positions", "41,943,040"},
                                           {"attention.all", "134,217,728,000"},
                                           {"feed-forward.all", "268,435,456,000"},
                                           {"total", "403,350,487,040"},
                                           {"real", "405,853,388,800"}});
}

TEST(Shipped, CacheMixtureAndFirstMatrix) {
    right(shipped("5-kv-cache"), {{"shared", "4"},
                                  {"shapes.cache", "1024 x 1024"},
                                  {"shapes.scores", "24 x 1024"},
                                  {"per-token", "2·L·h_kv·d_h"},
                                  {"numbers", "268,435,456"},
                                  {"bytes", "512 MiB"},
                                  {"point", "layer.attention.key.weight"}});
    right(
        shipped("6-mixtures"),
        {{"router", "4096 x 8"}, {"expert", "176,160,768"}, {"total", "46,702,792,704"}, {"active", "12,879,925,248"}});
    right(shipped("7-first-matrix"), {{"table", "3 x 8"}, {"cells", "24"}, {"product", "3 x 12"}, {"weights", "96"}});
}

// In a model whose dimensions are 2 to 20, what else is as large says nothing of what was thought.
TEST(Shipped, ADigitThatSomethingElseHasTooIsNoDiagnosis) {
    const Sheet first = shipped("7-first-matrix");
    EXPECT_EQ(graded(first, "cells", "3").hint, "3 is without d (width).");
    EXPECT_EQ(graded(first, "table", "3 x 3").hint.find("Scores"), std::string::npos);
    EXPECT_NE(graded(first, "product", "3 x 8").hint, "");
    EXPECT_EQ(graded(shipped("5-kv-cache"), "shared", "3").hint, "3 is too small.");
}

TEST(Shipped, WhatIsNoCountIsSaidInWordsOfTheQuestion) {
    const Sheet sheet = shipped("7-first-matrix");
    EXPECT_EQ(graded(sheet, "rows", "-5").hint, "\"-5\" is no count: write a number above 0");
    EXPECT_EQ(graded(sheet, "rows", "99999999999999999999").hint,
              "\"99999999999999999999\" is far too large: write a smaller number");
    EXPECT_EQ(graded(sheet, "table", "-3 x 8").verdict, Outcome::unreadable);
    const std::string banana = graded(sheet, "rows", "banana").hint;
    EXPECT_NE(banana.find("write a number, or a symbol such as d"), std::string::npos) << banana;
}

// What the key says is right, and a number beside it is wrong: with the sheet's own numbers and with drawn ones.
TEST(Shipped, TheKeyIsRightAndOtherNumbersAreWrong) {
    for (const Worksheet& worksheet : worksheets())
        for (std::uint64_t seed = 0; seed <= 12; ++seed) {
            const Result<Sheet> sheet =
                make_sheet(worksheet, presets(), seed == 0 ? std::nullopt : std::optional(seed));
            ASSERT_TRUE(sheet) << worksheet.id << " " << seed << " " << sentence(sheet.error());
            for (const SheetQuestion& question : sheet->questions)
                for (const Blank& blank : question.blanks) {
                    const std::string key = right_answer(question, blank);
                    const std::string place = worksheet.id + " " + std::to_string(seed) + " " + blank.id + " " + key;
                    if (question.kind == QuestionKind::text) continue;
                    std::string typed = key;
                    if (const std::size_t bracket = key.find(" (");
                        question.kind == QuestionKind::count && bracket != std::string::npos)
                        typed.resize(bracket);
                    const Grade grade = headcount::grade(question, blank, typed);
                    EXPECT_EQ(grade.verdict, Outcome::right) << place << ": " << grade.hint;
                    const auto* number = std::get_if<NumberAnswer>(&blank.answer);
                    if (number && !number->formula)
                        for (std::int64_t off : {1, 777}) {
                            const std::int64_t value =
                                *evaluate(number->resolved.value, question.model->bindings) + off;
                            const Grade wrong = headcount::grade(question, blank, std::to_string(value));
                            EXPECT_EQ(wrong.verdict, Outcome::wrong) << place;
                            EXPECT_NE(wrong.hint, "") << place;
                        }
                    if (std::holds_alternative<ShapeAnswer>(blank.answer)) {
                        EXPECT_EQ(headcount::grade(question, blank, "7 x 11").verdict, Outcome::wrong) << place;
                        EXPECT_EQ(derivation(question, blank).size(), 3u) << place;
                    }
                }
        }
}

TEST(Shipped, NewNumbersAreTheSameForTheSameSeed) {
    const Sheet a = shipped("1-one-head", 7), b = shipped("1-one-head", 7), c = shipped("1-one-head", 8);
    EXPECT_EQ(a.model->architecture, b.model->architecture);
    EXPECT_EQ(a.model->input, b.model->input);
    EXPECT_FALSE(a.model->architecture == c.model->architecture && a.model->input == c.model->input);
    EXPECT_NE(a.model->architecture.dim, 4096 * 0);
}

// The letters of the right choices of all worksheets, with this seed.
std::string right_letters(std::optional<std::uint64_t> seed) {
    std::string letters;
    for (const Worksheet& worksheet : worksheets()) {
        const Sheet sheet = *make_sheet(worksheet, presets(), seed);
        for (const SheetQuestion& question : sheet.questions)
            if (question.kind == QuestionKind::choice) letters += right_answer(question, question.blanks.front());
    }
    return letters;
}

TEST(Shipped, TheRightChoiceHasNoPlaceOfItsOwn) {
    std::string all;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) all += right_letters(seed);
    for (const char place : std::string("ab")) {
        const auto there = std::count(all.begin(), all.end(), place);
        EXPECT_GT(there, static_cast<std::ptrdiff_t>(all.size() / 6)) << place << " of " << all;
        EXPECT_LT(there, static_cast<std::ptrdiff_t>(all.size() * 3 / 4)) << place << " of " << all;
    }
    EXPECT_NE(right_letters(std::nullopt).find_first_not_of('a'), std::string::npos);
    EXPECT_EQ(right_letters(std::nullopt), right_letters(std::nullopt));
}

TEST(Shipped, ChoicesAreGradedAsTheyAreShown) {
    for (const Worksheet& worksheet : worksheets()) {
        const Sheet sheet = *make_sheet(worksheet, presets());
        for (const SheetQuestion& question : sheet.questions)
            for (std::size_t i = 0; i < question.choices.size(); ++i) {
                const Blank& blank = question.blanks.front();
                const Grade lettered = grade(question, blank, letter(i));
                EXPECT_EQ(lettered.verdict == Outcome::right, letter(i) == right_answer(question, blank));
                EXPECT_EQ(grade(question, blank, question.choices[i].text).given, lettered.given);
                if (lettered.verdict == Outcome::wrong && !question.choices[i].why.empty()) {
                    EXPECT_EQ(lettered.hint, question.choices[i].why);
                }
            }
    }
}

TEST(Shipped, ChoicesAndNamesAreReadWithoutCapitalsAndSpaces) {
    right(shipped("7-first-matrix"), {{"more-tokens", "As many  as before"}, {"find", "up"}, {"find", "W_UP"}});
    right(shipped("5-kv-cache"), {{"point", "KEY"}});
}

TEST(Shipped, OtherNumbersAreNotCalledByTheNameOfAModel) {
    const std::string name = shipped("1-one-head", 7).model->architecture.name;
    EXPECT_TRUE(name.starts_with("A model with d = ")) << name;
    const Sheet sheet = shipped("1-one-head", 7);
    EXPECT_EQ(sheet.about.find("LLaMA"), std::string::npos) << sheet.about;
    EXPECT_EQ(*filled_text("How large is {name}? {name}.", *sheet.model, presets()),
              "How large is a" + name.substr(1) + "? " + name + ".");
}

TEST(Shipped, KeysHaveNoPartsThatCancel) {
    const Sheet sheet = shipped("2-why-7b");
    for (const SheetQuestion& question : sheet.questions)
        for (const Blank& blank : question.blanks)
            for (const std::string& line : derivation(question, blank))
                EXPECT_EQ(line.find(" - "), std::string::npos) << blank.id << ": " << line;
    EXPECT_FALSE(resolve("shape of layer.attention.output.weight without norms", *sheet.model, presets()));
}

}  // namespace
}  // namespace headcount
