// Claims about questions whose numbers come of a mistake that is planted: who names it is right, and whoever names
// another hears what that would have made of them.
#include <gtest/gtest.h>

#include "core/grading/grade.hpp"
#include "core/worksheet/worksheet.hpp"
#include "tests/support/class.hpp"

namespace headcount {
namespace {

Sheet sheet() {
    const Result<Worksheet> worksheet = open_worksheet("13-what-is-wrong", testing_data::all_presets());
    if (!worksheet) throw std::runtime_error(sentence(worksheet.error()));
    Result<Sheet> made = make_sheet(*worksheet, testing_data::all_presets());
    if (!made) throw std::runtime_error(sentence(made.error()));
    return *std::move(made);
}

double number(const SheetTable& table, std::size_t row, std::size_t column) {
    return std::stod(table.rows[row][column]);
}

TEST(PlantedMistake, IsRightByItsNameItsSentenceAndItsLetterAndNoOtherIs) {
    for (const SheetQuestion& question : sheet().questions) {
        const Blank& blank = question.blanks.front();
        const auto& right = std::get<ChoiceAnswer>(blank.answer);
        EXPECT_TRUE(right.also.empty()) << question.id << ": no other makes its numbers";
        for (std::size_t i = 0; i < question.choices.size(); ++i) {
            const Outcome outcome = i == right.right ? Outcome::right : Outcome::wrong;
            for (const std::string& typed : {question.names[i], question.choices[i].text, letter(i)})
                EXPECT_EQ(grade(question, blank, typed).verdict, outcome) << question.id << ": " << typed;
            if (i == right.right) continue;
            EXPECT_NE(grade(question, blank, letter(i)).hint.find("With it the row of"), std::string::npos)
                << question.id << ": " << question.names[i] << ": " << grade(question, blank, letter(i)).hint;
        }
    }
}

TEST(PlantedMistake, ShowsTheNumbersThatItMakes) {
    const Sheet made = sheet();
    const SheetTable& later = made.questions[0].tables.front();
    const std::size_t size = later.rows.size();
    ASSERT_EQ(later.rows.front().size(), size) << "a row and a column for each token, and headings";
    EXPECT_NE(number(later, 1, 2), 0) << "the first token looks at the next";
    EXPECT_EQ(number(later, 1, 3), 0) << "and at none behind it";
    const auto row_sum = [&](const SheetTable& table, std::size_t row) {
        double sum = 0;
        for (std::size_t i = 1; i < size; ++i) sum += number(table, row, i);
        return sum;
    };
    const SheetTable &after = made.questions[1].tables.front(), &axis = made.questions[2].tables.front();
    EXPECT_LT(row_sum(after, 1), 0.95);
    EXPECT_NEAR(row_sum(after, size - 1), 1, 0.04);
    double column = 0;
    for (std::size_t row = 1; row < size; ++row) column += number(axis, row, 1);
    EXPECT_NEAR(column, 1, 0.04);
    EXPECT_EQ(made.questions[3].tables.size(), 2U) << "the right ones beside them";
}

TEST(PlantedMistake, WhatCannotBePlantedIsSaidWithItsPlace) {
    const auto error = [](const std::string& planted, const std::string& choices) {
        const std::string text = R"({"title": "t", "architecture": "llama-2-7b", "questions": [{"id": "q", "kind": )"
                                 R"("mistake", "ask": "?", "answer": "mask-none", "planted": )" +
                                 planted + R"(, "choices": )" + choices + "}]}";
        const Result<Worksheet> worksheet = parse_worksheet(text, "own", "own.json");
        if (!worksheet) return sentence(worksheet.error());
        const Result<Sheet> made = make_sheet(*worksheet, testing_data::all_presets());
        return made ? std::string() : sentence(made.error());
    };
    const std::string shown = R"({"prompt": "Once", "shows": "layer.0.attention.head.weights"})";
    EXPECT_EQ(error(shown, R"(["mask-none", "mask-one-later"])"), "");
    EXPECT_NE(error(shown, R"(["mask-none", "no-such"])").find("cannot have the mistake \"no-such\""),
              std::string::npos);
    EXPECT_NE(error(R"({"prompt": "Once", "shows": "layer.9.attention.head.weights"})", R"(["mask-none", "rope-none"])")
                  .find("planted.shows"),
              std::string::npos);
    EXPECT_NE(error(R"({"prompt": "Once"})", R"(["mask-none", "rope-none"])").find("shows"), std::string::npos);
}

}  // namespace
}  // namespace headcount
