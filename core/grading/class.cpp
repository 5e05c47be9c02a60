// Reads the files of a class, grades them, and writes the table.
#include "core/grading/class.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/json_file.hpp"
#include "core/base/markup.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

void fail(ClassGrades& grades, Error error) {
    grades.failures.push_back(sentence(error));
    if (!grades.first) grades.first = std::move(error);
}

Result<std::vector<fs::path>> answer_files(const fs::path& path) {
    std::error_code failure;
    if (!fs::is_directory(path, failure)) return std::vector<fs::path>{path};
    std::vector<fs::path> files;
    for (fs::directory_iterator at(path, failure), end; !failure && at != end; at.increment(failure))
        if (at->path().extension() == ".json" || at->path().extension() == ".csv") files.push_back(at->path());
    if (failure) return Error{failure.message(), path.string(), "check the path"};
    if (files.empty())
        return Error{"there are no .json and no .csv files", path.string(), "put the students' answers there"};
    std::ranges::sort(files);
    return files;
}

void grade_file(const Sheet& sheet, const fs::path& path, ClassGrades& into) {
    const std::size_t before = into.failures.size(), graded_before = into.all.size();
    const Result<std::string> text = read_text(path);
    const Result<std::vector<Answers>> answers =
        text ? parse_answers(*text, path.stem().string(), path.string()) : Result<std::vector<Answers>>(text.error());
    if (!answers) fail(into, answers.error());
    for (const Answers& each : answers ? *answers : std::vector<Answers>{}) {
        Result<GradedSheet> graded = grade_all(sheet, each);
        if (graded)
            into.all.push_back(std::move(*graded));
        else
            fail(into, within(path.string(), graded.error()));
    }
    ++into.files;
    if (into.failures.size() == before) return;
    ++into.failed;
    into.in_part = into.in_part || into.all.size() > graded_before;
}

}  // namespace

Result<ClassGrades> grade_class(const Sheet& sheet, const fs::path& file_or_folder) {
    const Result<std::vector<fs::path>> files = answer_files(file_or_folder);
    if (!files) return files.error();
    ClassGrades grades;
    std::vector<std::string> from;  // of each sheet, the file's name
    for (const fs::path& file : *files) {
        grade_file(sheet, file, grades);
        from.resize(grades.all.size(), file.filename().string());
    }
    std::map<std::string, std::set<std::string>> files_of;
    for (std::size_t i = 0; i < from.size(); ++i) files_of[grades.all[i].student].insert(from[i]);
    for (std::size_t i = 0; i < from.size(); ++i)
        if (files_of[grades.all[i].student].size() > 1) grades.all[i].student += " (" + from[i] + ")";
    return grades;
}

std::optional<std::string> worksheet_of_answers(const fs::path& folder) {
    std::error_code failure;
    // A model's folder may hold many a large file of JSON.
    if (!fs::is_directory(folder, failure) || fs::exists(folder / "config.json", failure)) return std::nullopt;
    const Result<std::vector<fs::path>> files = answer_files(folder);
    if (!files) return std::nullopt;
    bool any = false;
    std::map<std::string, int> named;
    for (const fs::path& file : *files) {
        const Result<std::string> text = read_text(file);
        if (!text) continue;
        const Result<std::vector<Answers>> answers = parse_answers(*text, file.stem().string(), file.string());
        if (!answers) continue;
        for (const Answers& each : *answers) {
            any = true;
            if (!each.worksheet.empty()) ++named[each.worksheet];
        }
    }
    if (!any) return std::nullopt;
    const auto most = std::ranges::max_element(named, {}, [](const auto& each) { return each.second; });
    return most == named.end() ? std::string() : most->first;
}

const Worksheet* worksheet_that_fits(const fs::path& file_or_folder, std::span<const Worksheet> worksheets) {
    const Result<std::vector<fs::path>> files = answer_files(file_or_folder);
    if (!files) return nullptr;
    std::set<std::string> asked;
    for (const fs::path& file : *files) {
        const Result<std::string> text = read_text(file);
        const auto answers =
            text ? parse_answers(*text, "", file.string()) : Result<std::vector<Answers>>(text.error());
        for (const Answers& each : answers ? *answers : std::vector<Answers>{})
            for (const auto& [id, typed] : each.given) asked.insert(id);
    }
    const auto has = [](const Worksheet& sheet, const std::string& id) {
        return std::ranges::any_of(sheet.questions, [&](const Question& question) {
            return std::ranges::any_of(question.parts, [&](const QuestionPart& part) {
                return id == (part.id.empty() ? question.id : question.id + "." + part.id);
            });
        });
    };
    const Worksheet* fitting = nullptr;
    for (const Worksheet& sheet : worksheets) {
        if (asked.empty() || !std::ranges::all_of(asked, [&](const std::string& id) { return has(sheet, id); }))
            continue;
        if (fitting) return nullptr;
        fitting = &sheet;
    }
    return fitting;
}

ClassRows class_rows(const Sheet& sheet, const std::vector<GradedSheet>& all) {
    ClassRows made{{"student", "right", "of"}, {}};
    for (const SheetQuestion& question : sheet.questions)
        for (const Blank& blank : question.blanks) made.columns.push_back(blank.id);
    const bool notes = std::ranges::any_of(all, [](const GradedSheet& graded) { return !graded.notes.empty(); });
    if (notes) made.columns.emplace_back("notes");
    for (const GradedSheet& graded : all) {
        std::vector<std::string> row{graded.student, std::to_string(graded.right), std::to_string(graded.graded)};
        for (const GradedBlank& blank : graded.blanks) row.emplace_back(outcome_key(blank.grade.verdict));
        if (notes) row.push_back(listed(graded.notes, std::identity(), "; "));
        made.rows.push_back(std::move(row));
    }
    return made;
}

std::string class_csv(const Sheet& sheet, const std::vector<GradedSheet>& all) {
    const ClassRows made = class_rows(sheet, all);
    std::string text;
    const auto line = [&](const std::vector<std::string>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + csv_field(cells[i]);
        text += "\r\n";
    };
    line(made.columns);
    for (const std::vector<std::string>& row : made.rows) line(row);
    return text;
}

}  // namespace headcount
