// A worksheet as a question bank for Moodle.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <regex>
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
    for (const Worksheet& worksheet : *shipped_worksheets()) {
        const std::vector<Sheet> one{sheet_of(worksheet)};
        const std::string xml = handout_moodle(one);
        EXPECT_EQ(unbalanced(xml), "") << worksheet.id;
        const std::size_t categories = count_of(xml, "<question type=\"category\">");
        EXPECT_EQ(categories, one[0].questions.size()) << worksheet.id;
        EXPECT_EQ(count_of(xml, "<question type=") - categories, one[0].questions.size()) << worksheet.id;
        for (const char c : xml) EXPECT_FALSE(std::iscntrl(static_cast<unsigned char>(c)) && c != '\n') << worksheet.id;
    }
}

// What stands between two marks, from a place on; fails where they are not there.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
    const std::size_t begin = text.find(from);
    const std::size_t end = begin == text.npos ? begin : text.find(to, begin + from.size());
    if (end == text.npos) throw std::runtime_error("no " + from + " ... " + to + " in " + text.substr(0, 200));
    return text.substr(begin + from.size(), end - begin - from.size());
}
// Whatever stands between two marks, again and again.
std::vector<std::string> all_between(const std::string& text, const std::string& from, const std::string& to) {
    std::vector<std::string> all;
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + 1))
        all.push_back(between(text.substr(at), from, to));
    return all;
}

bool is_number(const std::string& text) { return std::regex_match(text, std::regex("-?[0-9]+")); }

// What the import of a type refuses, or takes for something else: question/format/xml/format.php and the
// save_question_options of question/type/* of Moodle 4. Of the fractions that it has in its list two are written.
std::string refused(const std::string& type, const std::string& body) {
    const std::vector<std::string> answers = all_between(body, "<answer fraction=", "</answer>");
    const auto right = [](const std::string& answer) { return answer.starts_with("\"100\""); };
    for (const std::string& answer : answers)
        if (!right(answer) && !answer.starts_with("\"0\"")) return "a fraction: " + answer;
    const std::string name = between(body, "<name><text>", "</text></name>");
    if (name.empty() || name.size() > 255) return "the name " + name;
    if (between(body, "<questiontext format=\"html\"><text>", "</text>").empty()) return "no text";
    if (type != "cloze" && !is_number(between(body, "<defaultgrade>", "</defaultgrade>"))) return "no grade";
    if (type == "matching")
        return count_of(body, "<subquestion format=\"html\"><text>") < 3 ? "fewer pairs than three" : "";
    if (type == "essay") return between(body, "<responseformat>", "</responseformat>") == "editor" ? "" : "a format";
    if (type == "cloze") {
        std::string text = between(body, "<questiontext format=\"html\"><text>", "</text>");
        // As it stands once XML is read, since what is in it has no other entities that matter here.
        for (std::size_t at = text.find("&amp;"); at != text.npos; at = text.find("&amp;", at + 1))
            text.replace(at, 5, "&");
        const std::size_t begun = count_of(text, "{1:");
        const std::regex blank("\\{1:NUMERICAL:=-?[0-9]+:[0-9]+(~%0%-?[0-9]+:[0-9]+#[^~}\\\\]+)*\\}");
        const auto whole = std::distance(std::sregex_iterator(text.begin(), text.end(), blank), std::sregex_iterator());
        return begun > 0 && begun == static_cast<std::size_t>(whole) ? "" : "a blank that is cut short: " + text;
    }
    if (std::ranges::none_of(answers, right)) return "nothing is right";
    for (const std::string& answer : answers) {
        const std::string text = between(answer, "<text>", "</text>");
        if (text.empty()) return "an empty answer";
        if (type == "numerical" && !(is_number(text) && is_number(between(answer, "<tolerance>", "</tolerance>"))))
            return "no number: " + answer;
        if (type == "shortanswer" && text.find('*') != text.npos) return "a wildcard: " + text;
    }
    if (type == "multichoice") return answers.size() < 2 ? "fewer choices than two" : "";
    return type == "numerical" || type == "shortanswer" ? "" : "the type " + type;
}

TEST(Moodle, ImportsWhateverIsWritten) {
    for (const Worksheet& worksheet : *shipped_worksheets()) {
        const std::vector<Sheet> variants{sheet_of(worksheet), sheet_of(worksheet, 1)};
        for (const std::string& question : all_between(handout_moodle(variants), "<question type=\"", "</question>")) {
            const std::string type = question.substr(0, question.find('"'));
            if (type == "category")
                EXPECT_TRUE(question.find("<category><text>$course$/top/Headcount/") != question.npos) << question;
            else
                EXPECT_EQ(refused(type, question), "") << worksheet.id;
        }
    }
}

// The hint of 1, "1 has the 32 query heads (h) where ...", was shown with a heart.
TEST(Moodle, HasNoSmileys) {
    bool heads = false;
    for (const Worksheet& worksheet : *shipped_worksheets()) {
        const std::vector<Sheet> one{sheet_of(worksheet)};
        for (const std::string& html : all_between(handout_moodle(one), " format=\"html\"><text>", "</text>")) {
            for (const std::string_view smiley : {"(h)", "(n)", "(y)", "( )", ":(", ":-("})
                EXPECT_EQ(html.find(smiley), html.npos) << html;
            heads = heads || html.find("heads &amp;#40;h)") != html.npos;
        }
    }
    EXPECT_TRUE(heads);
}

// Of each blank with numbers the right ones are marked as right, and none of the wrong ones would be graded so here.
TEST(Moodle, MarksAsTheProgramDoes) {
    std::size_t wrong = 0;
    for (const Worksheet& worksheet : *shipped_worksheets()) {
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

// "512 MiB" is 536,870,912 as well; each question stands alone, with the numbers and the picture of its own model.
TEST(Moodle, EachQuestionStandsAlone) {
    const Worksheet worksheet = *open_worksheet("5-kv-cache", presets());
    const std::vector<Sheet> variants{sheet_of(worksheet, 1), sheet_of(worksheet, 2)};
    const std::string xml = handout_moodle(variants, [](const CountedModel& model, const std::string&, PictureNumbers) {
        return "heads " + std::to_string(model.architecture.layer.attention.heads);
    });
    std::set<std::string> drawn, asked;
    for (const std::string& question : all_between(xml, "<question type=\"", "</question>")) {
        if (question.starts_with("category")) continue;
        const std::string name = between(question, "<name>", "</name>");
        if (name.find(", shared,") != name.npos) drawn.insert(between(question, "base64\">", "</file>"));
        if (name.find(", full-heads,") != name.npos)
            asked.insert(between(question, "<questiontext", "</questiontext>"));
        if (name.find(", bytes,") != name.npos) {
            EXPECT_NE(question.find("<multiplier>9.5367431640625e-07</multiplier>\n<unit_name>MiB</unit_name>"),
                      question.npos)
                << question;
        }
    }
    EXPECT_EQ(drawn.size(), 2u);
    ASSERT_EQ(asked.size(), 2u);
    for (const std::string& words : asked) EXPECT_NE(words.find("key/value heads"), words.npos) << words;
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

// A picture is as wide as the place that a question has, not wider; and Moodle in German reads 4,096 as four.
TEST(Moodle, FitsThePageAndSaysHowNumbersAreTyped) {
    const std::vector<Sheet> one{sheet_of(*open_worksheet("5-kv-cache", presets()))};
    const std::string xml =
        handout_moodle(one, [](const CountedModel&, const std::string&, PictureNumbers) { return "<svg/>"; });
    const std::size_t pictures = count_of(xml, "@@PLUGINFILE@@/picture.svg");
    EXPECT_GT(pictures, 3u);
    EXPECT_EQ(count_of(xml, "@@PLUGINFILE@@/picture.svg&quot; class=&quot;img-fluid&quot;"), pictures);
    for (const std::string& question : all_between(xml, "<question type=\"", "</question>")) {
        const bool numbers = question.starts_with("numerical") || question.starts_with("cloze");
        const bool says = question.find("digits alone: 4096") != question.npos;
        EXPECT_EQ(says, numbers && question.find("<units>") == question.npos) << question.substr(0, 200);
    }
}

// The import reads entities in a blank's hint, and then has HTML; a backslash it takes off } and # alone.
TEST(Moodle, AHintInABlankIsReadAsItWasWritten) {
    const Worksheet worksheet = *open_worksheet("5-kv-cache", presets());
    const std::vector<Sheet> one{sheet_of(worksheet)};
    const std::string xml = handout_moodle(one);
    EXPECT_NE(xml.find("128 is one key/value head alone"), xml.npos);
    EXPECT_EQ(xml.find('\\'), xml.npos);
}

}  // namespace
}  // namespace headcount
