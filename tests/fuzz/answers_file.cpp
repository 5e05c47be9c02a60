// Fuzzes the reader of students' answers, JSON and CSV: what it takes is graded, and kept as it was typed.
#include "core/files/presets.hpp"
#include "core/grading/answers.hpp"
#include "core/worksheet/worksheet.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace headcount {
namespace {

const std::vector<Sheet>& sheets() {
    static const std::vector<Sheet> all = [] {
        const std::vector<Preset> presets = *shipped_presets();
        std::vector<Sheet> made;
        for (const Worksheet& each : *shipped_worksheets()) made.push_back(*make_sheet(each, presets));
        return made;
    }();
    return all;
}

}  // namespace
}  // namespace headcount

// Makes them before the first input, whose time they would take: some need runs of a model.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
    headcount::sheets();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    const Result<std::vector<Answers>> students = parse_answers(fuzz::text_of(data, size), "student", "FILE");
    if (!fuzz::read_or_refused(students)) return 0;
    for (const Answers& answers : *students) {
        const Result<std::vector<Answers>> again = parse_answers(answers_json(answers).dump(), "student", "FILE");
        fuzz::demand(again && again->size() == 1, "what is written can be read");
        fuzz::demand(again->front().given == answers.given, "answers are kept as they were typed");
        for (const Sheet& sheet : sheets()) {
            const Result<GradedSheet> graded = grade_all(sheet, answers);
            if (!fuzz::read_or_refused(graded)) continue;
            fuzz::demand(graded->right <= graded->graded, "no more are right than can be");
            graded_json(*graded).dump();
        }
    }
    return 0;
}
