// A worksheet as a question bank for Moodle.
#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "core/base/text.hpp"
#include "core/grading/grade.hpp"
#include "core/handout/handout.hpp"
#include "core/worksheet/worksheet.hpp"
#include "tests/support/class.hpp"

namespace headcount {
namespace {

using namespace testing_data;

// Where a tag closes another than the one that is open; empty where all are closed in order.
std::string unbalanced(const std::string& xml) {
    std::vector<std::string> open;
    for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
        const std::size_t end = xml.find('>', at);
        if (end == std::string::npos) return xml.substr(at, 40);
        const std::string tag = xml.substr(at + 1, end - at - 1);
        if (tag[0] == '?') continue;
        if (tag[0] != '/') {
            open.push_back(tag.substr(0, tag.find(' ')));
        } else {
            if (open.empty() || open.back() != tag.substr(1))
                return "</" + tag.substr(1) + "> at " + std::to_string(at);
            open.pop_back();
        }
    }
    return open.empty() ? "" : open.back() + " is never closed";
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

Sheet sheet_of(const Worksheet& worksheet, std::optional<std::uint64_t> seed = std::nullopt) {
    const Result<Sheet> sheet = make_sheet(worksheet, presets(), seed);
    if (!sheet) throw std::runtime_error(sentence(sheet.error()));
    return *sheet;
}

TEST(Moodle, HoldsEveryQuestionOfEveryWorksheet) {
    for (const Worksheet& worksheet : *shipped_worksheets(presets())) {
        const std::vector<Sheet> one{sheet_of(worksheet)};
        const std::string xml = handout_moodle(one);
        EXPECT_EQ(unbalanced(xml), "") << worksheet.id;
        const std::size_t categories = count_of(xml, "<question type=\"category\">");
        EXPECT_EQ(categories, one[0].questions.size()) << worksheet.id;
        EXPECT_EQ(count_of(xml, "<question type=") - categories, one[0].questions.size()) << worksheet.id;
        for (const char c : xml) EXPECT_FALSE(std::iscntrl(static_cast<unsigned char>(c)) && c != '\n') << worksheet.id;
    }
}

// Of each blank with numbers the right ones are marked as right, and none of the wrong ones would be graded so here.
TEST(Moodle, MarksAsTheProgramDoes) {
    std::size_t wrong = 0;
    for (const Worksheet& worksheet : *shipped_worksheets(presets())) {
        const std::vector<Sheet> one{sheet_of(worksheet)};
        const std::string xml = handout_moodle(one);
        for (const SheetQuestion& question : one[0].questions)
            for (const Blank& blank : question.blanks) {
                const Bindings& numbers = question.model->bindings;
                if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer)) {
                    for (const Expr& side : {shape->rows, shape->columns})
                        EXPECT_NE(xml.find("NUMERICAL:=" + std::to_string(*evaluate(side, numbers)) + ":0"), xml.npos)
                            << blank.id;
                }
                const auto* number = std::get_if<NumberAnswer>(&blank.answer);
                if (!number || number->formula) continue;
                const AskedIn of = asked_in(*question.model, number->resolved);
                const std::string right = std::to_string(*evaluate(of.asked.value, of.model.bindings));
                EXPECT_TRUE(xml.find("<answer fraction=\"100\" format=\"moodle_auto_format\"><text>" + right +
                                     "</text>") != xml.npos ||
                            xml.find("NUMERICAL:=" + right + ":") != xml.npos)
                    << worksheet.id << ' ' << blank.id;
                for (const LikelyMistake& mistake : likely_mistakes(question, blank)) {
                    EXPECT_EQ(grade(question, blank, mistake.answer).verdict, Outcome::wrong) << mistake.answer;
                    ++wrong;
                }
            }
    }
    EXPECT_GT(wrong, 20u);
}

TEST(Moodle, DrawsOtherNumbersIntoTheSameCategory) {
    const Worksheet worksheet = *open_worksheet("1-one-head", presets());
    const std::vector<Sheet> variants{sheet_of(worksheet), sheet_of(worksheet, 1), sheet_of(worksheet, 2)};
    const std::string xml = handout_moodle(variants);
    EXPECT_EQ(count_of(xml, "<question type=\"category\">"), variants[0].questions.size());
    EXPECT_EQ(count_of(xml, "<question type=\"cloze\">"), 3u);
    EXPECT_NE(xml.find("numbers 2</text></name>"), xml.npos);
    // What has no numbers in it is there once.
    EXPECT_EQ(count_of(xml, "1-one-head, own-words"), 1u);
}

TEST(Moodle, WritesWhatWouldEndABlankAsText) {
    const std::string text = R"({"title": "a/b & <c>", "architecture": "llama-7b", "questions": [{"id": "q", "kind":
        "choice", "ask": "Which of #these ~ is \"it\"?", "answer": "a & b", "choices": ["a & b", {"text": "<b>", "why":
        "No & no"}]}]})";
    const std::vector<Sheet> one{sheet_of(*parse_worksheet(text, "w", "w.json"))};
    const std::string xml = handout_moodle(one);
    EXPECT_EQ(unbalanced(xml), "");
    EXPECT_NE(xml.find("$course$/top/Headcount/a//b &amp; &lt;c&gt;/q"), xml.npos) << xml;
    EXPECT_NE(xml.find("&amp;lt;b&amp;gt;"), xml.npos) << xml;
}

}  // namespace
}  // namespace headcount
