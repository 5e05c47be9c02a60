// Students' answers: kept, written to files and read back, and graded together.
#include "core/grading/answers.hpp"

#include <algorithm>

#include "core/base/json_file.hpp"
#include "core/base/markup.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/grading/typed.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_rows = 100'000;
constexpr std::size_t most_columns = 2'000;

using Rows = std::vector<std::vector<std::string>>;

// RFC 4180, with semicolons where the first line has more of them than commas, as spreadsheets of some countries write.
Result<Rows> parse_csv(std::string_view text, std::string_view where) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const std::string_view first = text.substr(0, text.find('\n'));
    const char comma = std::ranges::count(first, ';') > std::ranges::count(first, ',') ? ';' : ',';
    Rows rows{{""}};
    bool quoted = false;
    const auto place = [&] { return std::string(where) + ", row " + std::to_string(rows.size()); };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        std::string& field = rows.back().back();
        if (quoted) {
            if (c != '"')
                field += c;
            else if (i + 1 < text.size() && text[i + 1] == '"')
                field += text[++i];
            else
                quoted = false;
        } else if (c == '"' && field.empty()) {
            quoted = true;
        } else if (c == comma) {
            rows.back().emplace_back();
            if (rows.back().size() > most_columns)
                return Error{"this row has too many columns", place(), "check the file"};
        } else if (c == '\n') {
            rows.push_back({""});
            if (rows.size() > most_rows) return Error{"there are too many rows", std::string(where), "split the file"};
        } else if (c != '\r') {
            field += c;
        }
    }
    if (quoted) return Error{"a quote is never closed", place(), "add \" behind it"};
    for (std::vector<std::string>& row : rows)
        for (std::string& field : row) field = from_csv_field(std::move(field));
    std::erase_if(rows, [](const std::vector<std::string>& row) {
        return std::ranges::all_of(row, [](const std::string& field) { return field.empty(); });
    });
    return rows;
}

std::optional<Error> read_seed(const std::string& text, const std::string& where, Answers& answers) {
    if (text.empty()) return std::nullopt;
    const Result<std::int64_t> seed = parse_whole_number(text, where, 0);
    if (!seed) return seed.error();
    answers.seed = static_cast<std::uint64_t>(*seed);
    return std::nullopt;
}

// Rows "question,answer": student, worksheet and seed may stand there like questions.
Result<std::vector<Answers>> two_columns(const Rows& rows, std::size_t question, std::size_t answer, Answers answers,
                                         std::string_view where) {
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::string place = std::string(where) + ", row " + std::to_string(i + 1);
        const auto field = [&](std::size_t column) {
            return column < rows[i].size() ? rows[i][column] : std::string();
        };
        const std::string id = plain_text(field(question)), text = field(answer);
        if (id == "student") {
            answers.student = text;
        } else if (id == "worksheet") {
            answers.worksheet = text;
        } else if (id == "seed") {
            if (auto wrong = read_seed(text, place, answers)) return *wrong;
        } else if (id.empty()) {
            return Error{"there is no question in this row", place, "put a question's id into it"};
        } else if (!answers.given.emplace(id, text).second) {
            return Error{quote(id) + " is answered twice", place, "remove one"};
        }
    }
    return std::vector<Answers>{std::move(answers)};
}

Result<std::vector<Answers>> from_csv(std::string_view text, std::string_view name, std::string_view where) {
    const Result<Rows> rows = parse_csv(text, where);
    if (!rows) return rows.error();
    if (rows->empty())
        return Error{"there is nothing in it", std::string(where), "put \"question,answer\" on its first line"};
    if (rows->size() == 1)
        return Error{"there are no answers in it", std::string(where), "put them below the first line"};
    std::vector<std::string> headings;
    for (const std::string& field : rows->front()) headings.push_back(lower(plain_text(field)));
    const auto column = [&](std::string_view word) { return std::ranges::find(headings, word); };
    const Answers empty{{}, std::string(name), std::nullopt, {}};
    if (const auto question = column("question"), answer = column("answer");
        question != headings.end() && answer != headings.end())
        return two_columns(*rows, static_cast<std::size_t>(question - headings.begin()),
                           static_cast<std::size_t>(answer - headings.begin()), empty, where);
    const auto student =
        std::ranges::find_if(headings, [](const std::string& word) { return word == "student" || word == "name"; });
    if (student == headings.end())
        return Error{"there are no columns that are understood", std::string(where) + ", row 1",
                     "name them question,answer; or student and one for each question"};
    std::vector<Answers> all;
    for (std::size_t i = 1; i < rows->size(); ++i) {
        Answers answers = empty;
        for (std::size_t k = 0; k < (*rows)[i].size() && k < headings.size(); ++k) {
            const std::string& field = (*rows)[i][k];
            const std::string id = plain_text(rows->front()[k]);
            if (headings.begin() + static_cast<std::ptrdiff_t>(k) == student)
                answers.student = field;
            else if (id == "seed") {
                if (auto wrong = read_seed(field, std::string(where) + ", row " + std::to_string(i + 1), answers))
                    return *wrong;
            } else if (headings[k] != "timestamp" && !id.empty())
                answers.given[id] = field;
        }
        all.push_back(std::move(answers));
    }
    return all;
}

// Numbers and lists are as good as text: 45088768, [100, 128].
std::optional<std::string> as_text(const nlohmann::json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_null()) return std::string();
    if (value.is_number() || value.is_boolean()) return value.dump();
    if (!value.is_array()) return std::nullopt;
    std::string text;
    for (const nlohmann::json& each : value) {
        if (each.is_array() || each.is_object()) return std::nullopt;
        text += (text.empty() ? "" : ", ") + as_text(each).value_or("");
    }
    return text;
}

Result<std::vector<Answers>> from_json(std::string_view text, std::string_view name, std::string_view where) {
    const Result<nlohmann::json> json = parse_json(text, where);
    if (!json) return json.error();
    Answers answers{{}, std::string(name), std::nullopt, {}};
    for (auto [key, into] : {std::pair("worksheet", &answers.worksheet), {"student", &answers.student}})
        if (const auto found = json->find(key); found != json->end()) {
            if (!found->is_string())
                return Error{"this is not text", std::string(where) + ", " + key, "put it in quotes"};
            *into = found->get<std::string>();
        }
    if (const auto seed = json->find("seed"); seed != json->end() && !seed->is_null()) {
        if (!seed->is_number_unsigned())
            return Error{"this is not a seed", std::string(where) + ", seed", "give a whole number from 0 up"};
        answers.seed = seed->get<std::uint64_t>();
    }
    const auto given = json->find("answers");
    if (given == json->end() || !given->is_object())
        return Error{"there are no answers", std::string(where) + ", answers",
                     "write {\"answers\": {\"queries\": \"100 x 128\"}}"};
    for (const auto& [key, value] : given->items()) {
        const std::optional<std::string> typed = as_text(value);
        if (!typed) return Error{"this is no answer", std::string(where) + ", answers." + key, "put it in quotes"};
        answers.given[key] = *typed;
    }
    return std::vector<Answers>{std::move(answers)};
}

Error no_question(const Sheet& sheet, const std::string& id, const std::string& student) {
    std::vector<std::string_view> ids;
    for (const SheetQuestion& question : sheet.questions)
        for (const Blank& blank : question.blanks) ids.push_back(blank.id);
    return {"the worksheet has no question " + quote(id), student,
            did_you_mean(id, ids, "use the ids that the worksheet shows")};
}

}  // namespace

Result<std::vector<Answers>> parse_answers(std::string_view text, std::string_view name, std::string_view where) {
    const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    const bool json = lower(where).ends_with(".json") || (first != std::string_view::npos && text[first] == '{');
    // Another encoding's letters would be lost in whatever is written of it.
    if (!is_utf8(text))
        return Error{"this is not UTF-8", std::string(where), "save it as UTF-8, in a spreadsheet as \"CSV UTF-8\""};
    return json ? from_json(text, name, where) : from_csv(text, name, where);
}

nlohmann::ordered_json answers_json(const Answers& answers) {
    nlohmann::ordered_json json{{"worksheet", answers.worksheet}, {"student", answers.student}, {"seed", nullptr}};
    if (answers.seed) json["seed"] = *answers.seed;
    json["answers"] = nlohmann::ordered_json::object();
    for (const auto& [id, typed] : answers.given) json["answers"][id] = typed;
    return json;
}

std::string answers_csv(const Sheet& sheet, const Answers& answers) {
    std::string text =
        "question,answer\r\nworksheet," + csv_field(sheet.id) + "\r\nstudent," + csv_field(answers.student) + "\r\n";
    if (sheet.seed) text += "seed," + std::to_string(*sheet.seed) + "\r\n";
    for (const SheetQuestion& question : sheet.questions)
        for (const Blank& blank : question.blanks) {
            const auto given = answers.given.find(blank.id);
            text += csv_field(blank.id) + "," + (given == answers.given.end() ? "" : csv_field(given->second)) + "\r\n";
        }
    return text;
}

Result<GradedSheet> grade_all(const Sheet& sheet, const Answers& answers) {
    if (!answers.worksheet.empty() && answers.worksheet != sheet.id)
        return Error{"these are answers to " + quote(answers.worksheet) + ", not to " + quote(sheet.id),
                     answers.student, "grade them as answers to that worksheet"};
    if (answers.seed != sheet.seed && answers.seed)
        return Error{"these answers are about the numbers of seed " + std::to_string(*answers.seed), answers.student,
                     "grade them with --seed " + std::to_string(*answers.seed)};
    GradedSheet graded{answers.student, {}, 0, 0, {}};
    for (const auto& [id, typed] : answers.given)
        if (!sheet.find(id)) graded.notes.push_back(sentence(no_question(sheet, id, answers.student)));
    if (!graded.notes.empty() && graded.notes.size() == answers.given.size())
        return no_question(sheet, answers.given.begin()->first, answers.student);
    for (const SheetQuestion& question : sheet.questions)
        for (const Blank& blank : question.blanks) {
            const auto typed = answers.given.find(blank.id);
            GradedBlank& entry = graded.blanks.emplace_back();
            entry.id = blank.id;
            entry.label = blank.label.empty() ? question.title : blank.label;
            if (typed != answers.given.end()) entry.typed = typed->second;
            entry.grade = grade(question, blank, entry.typed);
            if (question.kind != QuestionKind::text) ++graded.graded;
            if (entry.grade.verdict == Outcome::right) ++graded.right;
        }
    return graded;
}

std::vector<MadeMistake> mistakes_of(const std::vector<GradedSheet>& all) {
    std::vector<MadeMistake> made;
    for (const GradedSheet& graded : all)
        for (const GradedBlank& blank : graded.blanks) {
            if (blank.grade.verdict != Outcome::wrong) continue;
            const auto known = std::ranges::find_if(made, [&](const MadeMistake& each) {
                return each.question == blank.id && each.mistake == blank.grade.mistake;
            });
            MadeMistake& each = known == made.end()
                                    ? made.emplace_back(MadeMistake{blank.id, blank.grade.mistake, 0, blank.grade.hint})
                                    : *known;
            ++each.students;
        }
    std::ranges::stable_sort(made, [](const MadeMistake& a, const MadeMistake& b) { return a.students > b.students; });
    return made;
}

nlohmann::ordered_json graded_json(const GradedSheet& graded) {
    nlohmann::ordered_json json{{"student", graded.student}, {"right", graded.right}, {"of", graded.graded}};
    json["answers"] = nlohmann::ordered_json::array();
    for (const GradedBlank& blank : graded.blanks)
        json["answers"].push_back({{"question", blank.id},
                                   {"typed", blank.typed},
                                   {"verdict", outcome_key(blank.grade.verdict)},
                                   {"understood", blank.grade.given},
                                   {"mistake", mistake_key(blank.grade.mistake)},
                                   {"hint", blank.grade.hint}});
    json["notes"] = graded.notes;
    return json;
}

}  // namespace headcount
