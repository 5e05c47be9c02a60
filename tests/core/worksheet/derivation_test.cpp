// Claims about derivations: three lines, of another model in that model's own symbols and numbers.
#include "core/worksheet/sheet.hpp"
#include "tests/support/class.hpp"

namespace headcount {
namespace {

using namespace testing_data;

std::vector<std::string> derived(const Sheet& sheet, const std::string& id = "q") {
    for (const SheetQuestion& question : sheet.questions)
        for (const Blank& blank : question.blanks)
            if (blank.id == id) return derivation(question, blank);
    return {};
}

TEST(Derivation, OfAnotherModelIsThatModels) {
    EXPECT_EQ(derived(one("count", "count of embedding.weight in llama-2-7b")),
              (std::vector<std::string>{"V·d in Llama 2 7B", "32000·4096", "131,072,000"}));
}

TEST(Derivation, OfBothModelsHasEachFormulaInItsPlace) {
    const std::vector<std::string> lines =
        derived(one("count", "{count of embedding.weight} - {count of embedding.weight in gpt2}", "llama-3-8b"));
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0], "V·d - (V·d in GPT-2 small)");
    EXPECT_EQ(lines[1], "128256·4096 - (50257·768)");
    EXPECT_EQ(lines[2], "486,739,200");
}

TEST(Derivation, NoSlipOfHeadsIsMadeUpForAnotherModel) {
    const Sheet sheet = one("count", "count of embedding.weight in llama-2-7b");
    for (const LikelyMistake& each : likely_mistakes(sheet.questions[0], sheet.questions[0].blanks[0]))
        EXPECT_NE(each.mistake, Mistake::all_heads) << each.hint;
}

TEST(Derivation, EqualNumbersOfAnotherModelKeepTheirOwnFormulas) {
    const std::vector<std::string> lines = derived(shipped("3-from-7b-to-8b"), "ends.old");
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0], "(V·d in Llama 2 7B) + (d·V in Llama 2 7B)");
    EXPECT_EQ(lines[1], "(32000·4096) + (4096·32000)");
}

TEST(Derivation, NoShippedAnswerIsOnlyRepeated) {
    for (const Worksheet& each : worksheets()) {
        const Result<Sheet> sheet = make_sheet(each, presets());
        ASSERT_TRUE(sheet) << each.id;
        for (const SheetQuestion& question : sheet->questions)
            for (const Blank& blank : question.blanks) {
                const auto* number = std::get_if<NumberAnswer>(&blank.answer);
                if (!number || number->resolved.elsewhere.empty()) continue;
                const std::vector<std::string> lines = derivation(question, blank);
                EXPECT_NE(lines[0], lines[1]) << each.id << " " << blank.id;
                EXPECT_NE(lines[0].find(" in "), std::string::npos) << each.id << " " << blank.id;
            }
    }
}

std::string hint(const Sheet& sheet, const std::string& id) {
    for (const SheetQuestion& question : sheet.questions)
        for (const Blank& blank : question.blanks)
            if (blank.id == id) return hint_of(question, blank);
    return "?";
}

TEST(Hint, OfAPartSaysHowItsMatrixIsMade) {
    const Sheet sheet = shipped("1-one-head");
    EXPECT_NE(hint(sheet, "head.queries").find("W_q"), std::string::npos);
    EXPECT_NE(hint(sheet, "head.keys").find("W_k"), std::string::npos);
    EXPECT_NE(hint(sheet, "head.scores").find("every row"), std::string::npos);
}

TEST(Hint, NeverHasTheAnswerInIt) {
    for (const Worksheet& each : worksheets()) {
        const Result<Sheet> sheet = make_sheet(each, presets());
        ASSERT_TRUE(sheet) << each.id;
        for (const SheetQuestion& question : sheet->questions)
            for (const Blank& blank : question.blanks) {
                const std::string told = hint_of(question, blank), right = right_answer(question, blank);
                const bool tells = std::holds_alternative<NumberAnswer>(blank.answer) && right.size() > 3;
                if (tells) {
                    EXPECT_EQ(told.find(right), std::string::npos) << each.id << " " << blank.id;
                }
            }
    }
}

TEST(Hint, APartsOwnWordsComeFirst) {
    const std::string text = R"({"title": "t", "architecture": "llama-7b", "questions": [{"id": "q", "kind": "count",
        "ask": "?", "hint": "all", "parts": [
            {"id": "a", "label": "A", "answer": "count of embedding", "hint": "{d} columns"},
            {"id": "b", "label": "B", "answer": "d + 1"}]}]})";
    const Result<Worksheet> worksheet = parse_worksheet(text, "one", "one.json");
    ASSERT_TRUE(worksheet) << sentence(worksheet.error());
    const Result<Sheet> sheet = make_sheet(*worksheet, presets());
    ASSERT_TRUE(sheet) << sentence(sheet.error());
    EXPECT_EQ(hint(*sheet, "q.a"), "4096 columns");
    EXPECT_EQ(hint(*sheet, "q.b"), "all");
}

TEST(RightAnswer, OfSomethingToPointAtIsItsName) {
    const Sheet sheet = one("select", "layer.attention.query.weight");
    const SheetQuestion& question = sheet.questions.front();
    EXPECT_EQ(right_answer(question, question.blanks.front()), "Query projection");
    EXPECT_EQ(graded(sheet, "q", "Query projection").verdict, Outcome::right);
}

}  // namespace
}  // namespace headcount
