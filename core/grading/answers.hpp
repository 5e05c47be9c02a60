// Students' answers: kept, written to files and read back, and graded together.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/grading/grade.hpp"

namespace headcount {

struct Answers {
    std::string worksheet;  // its id; may be empty in a file
    std::string student;
    std::optional<std::uint64_t> seed;         // of the numbers that were asked about
    std::map<std::string, std::string> given;  // blank's id -> as typed

    bool operator==(const Answers&) const = default;
};

// Reads answers from JSON, {"worksheet", "student", "seed", "answers": {"queries": "100 x 128"}}, or from CSV: either
// two columns "question,answer", or one row for each student with a column for each blank, as forms give it. `name` is
// the student where the file names none, and `where` the file, which is JSON too where it is called so. Errors name the
// row or the JSON path.
Result<std::vector<Answers>> parse_answers(std::string_view text, std::string_view name, std::string_view where);

nlohmann::ordered_json answers_json(const Answers& answers);
std::string answers_csv(const Sheet& sheet, const Answers& answers);  // "question,answer", in the sheet's order

struct GradedBlank {
    std::string id, label, typed;
    Grade grade;
};
struct GradedSheet {
    std::string student;
    std::vector<GradedBlank> blanks;  // every one of the sheet, in order
    int right = 0, graded = 0;        // of how many that can be graded
    std::vector<std::string> notes;   // a sentence on each answer to a question that the sheet does not have
};

// Grades what can be. Fails where no answer is to a question of the sheet, or they were given to another worksheet.
Result<GradedSheet> grade_all(const Sheet& sheet, const Answers& answers);

// Each mistake of each question, the most frequent first: how many made it, and what one of them was told.
struct MadeMistake {
    std::string question;
    Mistake mistake;
    std::int64_t students = 0;
    std::string hint;
};
std::vector<MadeMistake> mistakes_of(const std::vector<GradedSheet>& all);

// {"student", "right", "of", "answers": [{"question", "typed", "verdict", "understood", "mistake", "hint"}], "notes":
// []}
nlohmann::ordered_json graded_json(const GradedSheet& graded);

}  // namespace headcount
