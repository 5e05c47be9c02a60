// The answers of a class: the files of a folder graded together, and a table of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/grading/answers.hpp"

namespace headcount {

// What could be graded, and a sentence on what could not.
struct ClassGrades {
    std::vector<GradedSheet> all;       // in the order of the files' names
    std::vector<std::string> failures;  // each names its file
    std::size_t files = 0, failed = 0;
    bool in_part = false;        // some of a file that failed was graded
    std::optional<Error> first;  // of the failures
};

// Grades a file of answers, or every .json and .csv of a folder. One bad file keeps no other from its grades. Errors:
// the folder cannot be read, or has no such file. A name that is in several files has the
// file's behind it.
Result<ClassGrades> grade_class(const Sheet& sheet, const std::filesystem::path& file_or_folder);

// The worksheet that the answers of a folder say they are to: the one that most of them name, or an empty text where
// none does; nothing where the folder holds no answers, or a model.
std::optional<std::string> worksheet_of_answers(const std::filesystem::path& folder);

// The worksheet that has a blank for each answer in a file or a folder; null where none has, or several have.
const Worksheet* worksheet_that_fits(const std::filesystem::path& file_or_folder,
                                     std::span<const Worksheet> worksheets);

// A row for each student: the name, how many are right, of how many, the verdict of each blank, and notes where any
// student has one.
struct ClassRows {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};
ClassRows class_rows(const Sheet& sheet, const std::vector<GradedSheet>& all);
std::string class_csv(const Sheet& sheet, const std::vector<GradedSheet>& all);

}  // namespace headcount
