// What lies on the desk, as the report for tests has it.
#include <nlohmann/json.hpp>

#include "app/views/worksheet/space.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

// What lies on the desk: how each blank of the question in sight stands, and how many fields of it are right.
Json worksheet_json(const Desk& desk) {
    const SheetQuestion* const question = desk.question();
    if (!question) return desk.problem.empty() ? Json() : Json{{"problem", desk.problem}};
    Json blanks = Json::object();
    for (const Blank& blank : question->blanks) {
        const AnsweredBlank& answered = desk.of(blank);
        Json fields = Json::object();
        for (const SheetField& field : answered.fields)
            fields[field.id] = Json{{"text", field.text}, {"mark", mark_key(field.mark)}};
        blanks[blank.id] = Json{{"fields", fields},
                                {"outcome", outcome_key(answered.grade.verdict)},
                                {"hint", answered.grade.hint},
                                {"shown", answered.shown}};
    }
    const Score score = desk.score(*question);
    return {{"id", desk.sheet->id},
            {"seed", desk.sheet->seed ? Json(*desk.sheet->seed) : Json()},
            {"student", desk.kept.student},
            {"question", desk.progress().question + 1},
            {"of_questions", desk.sheet->questions.size()},
            {"kind", kind_key(question->kind)},
            {"blanks", blanks},
            {"right", score.right},
            {"of", score.of},
            {"key", desk.kept.key}};
}

}  // namespace

void report_worksheet(const Session& session, nlohmann::ordered_json& report) {
    report["worksheet"] = worksheet_json(session.desk);
}

}  // namespace headcount
