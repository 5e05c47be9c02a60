// Fuzzes the reader of worksheets: what it takes is worked out, answered and printed, and its own key grades as right.
#include <utility>

#include "core/files/presets.hpp"
#include "core/grading/grade.hpp"
#include "core/handout/handout.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace headcount {
namespace {

// Of planted mistakes the first alone: each of its choices is a run, which takes a second with sanitizers.
void leave_one_planted(Worksheet& worksheet) {
    bool kept = false;
    std::erase_if(worksheet.questions, [&](const Question& question) {
        return question.kind == QuestionKind::mistake && std::exchange(kept, true);
    });
}

// What answers are likely to be: the right one, its neighbours in the sheet, and what has no meaning.
void answer(const SheetQuestion& question) {
    for (const Blank& blank : question.blanks) {
        const std::string right = right_answer(question, blank);
        derivation(question, blank);
        likely_mistakes(question, blank);
        if (question.kind == QuestionKind::experiment) continue;  // a run takes seconds with sanitizers
        if (question.kind != QuestionKind::text)
            fuzz::demand(grade(question, blank, right).verdict == Outcome::right, "the key grades as right");
        for (const Blank& other : question.blanks) grade(question, blank, right_answer(question, other));
        for (const std::string& typed : {right + "0", question.title, question.ask}) grade(question, blank, typed);
    }
}

}  // namespace
}  // namespace headcount

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    static const std::vector<Preset> presets = *shipped_presets();
    Result<Worksheet> worksheet = parse_worksheet(fuzz::text_of(data, size), "fuzzed", "FILE");
    if (!fuzz::read_or_refused(worksheet)) return 0;
    leave_one_planted(*worksheet);
    for (const std::optional<std::uint64_t> seed :
         {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(size)}) {
        const Result<Sheet> sheet = make_sheet(*worksheet, presets, seed);
        if (!fuzz::read_or_refused(sheet)) continue;
        for (const SheetQuestion& question : sheet->questions) answer(question);
        for (const bool key : {false, true}) {
            handout_html(*sheet, {key, nullptr});
            handout_markdown(*sheet, {key, nullptr});
        }
    }
    return 0;
}
