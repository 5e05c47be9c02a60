// The numbers of question banks: which wrong ones they know, and that they say of each what the program says.
#include "core/handout/bank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/base/text.hpp"
#include "tests/support/class.hpp"

namespace headcount {
namespace {

using namespace testing_data;

const SheetQuestion& question_of(const Sheet& sheet, const std::string& id) {
    return *std::ranges::find(sheet.questions, id, &SheetQuestion::id);
}

// "16,777,216 is Query projection alone" where the program said "... is the numbers in "Query projection" (d x (h
// d_h))".
TEST(Bank, SaysOfAWrongNumberWhatTheProgramSays) {
    std::size_t known = 0;
    for (const Worksheet& worksheet : worksheets()) {
        const Sheet sheet = shipped(worksheet.id);
        for (const SheetQuestion& question : sheet.questions)
            for (const Blank& blank : question.blanks) {
                if (!std::holds_alternative<NumberAnswer>(blank.answer)) continue;
                for (const BankNumber& asked : bank_numbers(question, blank)) {
                    if (asked.rounded && asked.bytes) continue;  // below
                    for (const BankWrong& wrong : asked.wrong) {
                        const Grade said = grade(question, blank, std::to_string(wrong.number));
                        EXPECT_EQ(said.verdict, Outcome::wrong) << blank.id << ' ' << wrong.number;
                        EXPECT_EQ(wrong.hint, said.hint) << blank.id;
                        ++known;
                    }
                }
            }
    }
    EXPECT_GT(known, 250u);
}

// Of a matrix of weights it was said that each row is a token.
TEST(Bank, SaysOfASideWhatTheProgramSaysOfIt) {
    std::size_t weights = 0, sides = 0;
    for (const Worksheet& worksheet : worksheets()) {
        const Sheet sheet = shipped(worksheet.id);
        for (const SheetQuestion& question : sheet.questions)
            for (const Blank& blank : question.blanks) {
                const auto* shape = std::get_if<ShapeAnswer>(&blank.answer);
                if (!shape) continue;
                const std::vector<BankNumber> asked = bank_numbers(question, blank);
                ASSERT_EQ(asked.size(), 2u);
                const Tensor* tensor = question.model->graph.find(shape->id);
                const bool of_weights = tensor && tensor->role == Role::parameter;
                for (std::size_t side = 0; side < 2; ++side)
                    for (const BankWrong& wrong : asked[side].wrong) {
                        std::array<std::int64_t, 2> typed{asked[0].right, asked[1].right};
                        typed[side] = wrong.number;
                        const std::string text = std::to_string(typed[0]) + " x " + std::to_string(typed[1]);
                        const Grade said = grade(question, blank, text);
                        EXPECT_EQ(said.verdict, Outcome::wrong) << blank.id << ' ' << text;
                        if (!wrong.hint.starts_with("These are the ")) {
                            EXPECT_NE(said.hint.find(wrong.hint), said.hint.npos) << wrong.hint << " | " << said.hint;
                        } else if (of_weights) {
                            EXPECT_EQ(wrong.hint.find("token"), wrong.hint.npos) << blank.id << ' ' << wrong.hint;
                            ++weights;
                        }
                        ++sides;
                    }
            }
    }
    EXPECT_GT(weights, 2u);
    EXPECT_GT(sides, 40u);
}

// 512 MB for 512 MiB had no sentence, and 2.15 GB, of a number that is known to be wrong, none either.
TEST(Bank, KnowsTheRightDigitsInAnotherUnit) {
    const Sheet sheet = shipped("5-kv-cache");
    const SheetQuestion& question = question_of(sheet, "bytes");
    const std::vector<BankNumber> asked = bank_numbers(question, question.blanks.front());
    ASSERT_EQ(asked.size(), 1u);
    // Which wrong number a platform finds for a size in ones.
    const auto said_of = [&](double size) {
        const auto found = std::ranges::find_if(asked[0].wrong, [&](const BankWrong& each) {
            return std::abs(static_cast<double>(each.number) - size) <= each.tolerance;
        });
        return found == asked[0].wrong.end() ? std::string() : found->hint;
    };
    const auto program = [&](const std::string& typed) { return grade(question, question.blanks.front(), typed).hint; };
    EXPECT_EQ(said_of(512e6), program("512 MB"));
    EXPECT_EQ(said_of(537.0 * (1 << 20)), program("537 MiB"));
    EXPECT_EQ(said_of(512), program("512"));
    const std::string four_times = said_of(2.15e9);
    EXPECT_TRUE(four_times.starts_with("2,147,483,648 has the 32 query heads")) << four_times;
    for (const BankWrong& each : asked[0].wrong)
        EXPECT_GT(std::abs(static_cast<double>(each.number - asked[0].right)), asked[0].tolerance);
}

// 100 GiB of 107,814,649,856 bytes, which are 100.4 GiB: with all three digits that are asked for.
TEST(Bank, TakesAndRefusesZerosAtTheEndAsTheProgramDoes) {
    const Sheet sheet = shipped("12-sixteen-bytes");
    const SheetQuestion& question = question_of(sheet, "seven");
    const std::vector<BankNumber> asked = bank_numbers(question, question.blanks.front());
    ASSERT_EQ(asked.size(), 1u);
    for (const auto& [typed, ones] : {std::pair("100 GiB", 100.0 * (1 << 30)),
                                      {"110 GB", 110e9},
                                      {"100 GB", 100e9},
                                      {"110 GiB", 110.0 * (1 << 30)},
                                      {"90 GiB", 90.0 * (1 << 30)}}) {
        const bool taken = std::abs(ones - static_cast<double>(asked[0].right)) <= asked[0].tolerance;
        const Outcome verdict = grade(question, question.blanks.front(), typed).verdict;
        EXPECT_EQ(verdict == Outcome::right, taken) << typed;
    }
}

// "How many bytes are the weights?" alone does not say of how many bytes a number is; nor "And all of them?" of what.
TEST(Bank, EachQuestionSaysWhatItIsAbout) {
    const Sheet sheet = shipped("12-sixteen-bytes"), drawn = shipped("12-sixteen-bytes", 1);
    const std::string given = given_html(question_of(drawn, "weights"), drawn, sheet);
    EXPECT_TRUE(given.starts_with("<p>" + drawn.about + "</p><p>")) << given;
    EXPECT_NE(given.find("(fp32)"), given.npos);
    EXPECT_NE(given.find("<i>d<sub>ff</sub></i> = "), given.npos) << given;
    EXPECT_EQ(given_html(question_of(drawn, "batch"), drawn, sheet), "<p>" + sheet.about + "</p>")
        << "without numbers of its own it is the same in all variants";
    for (const Worksheet& worksheet : worksheets())
        for (const SheetQuestion& question : shipped(worksheet.id).questions)
            EXPECT_FALSE(question.ask.starts_with("And ")) << worksheet.id << ' ' << question.id;
}

}  // namespace
}  // namespace headcount
