// A worksheet in one line, for tests: made from text, graded by its blanks' ids.
#pragma once

#include <gtest/gtest.h>

#include "core/grading/answers.hpp"
#include "core/worksheet/worksheet.hpp"
#include "tests/support/presets.hpp"

namespace headcount::testing_data {

inline const std::vector<Preset>& presets() { return all_presets(); }

inline std::vector<Worksheet> worksheets() {
    Result<std::vector<Worksheet>> all = load_worksheets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "worksheets");
    if (!all) throw std::runtime_error(sentence(all.error()));
    return *all;
}

inline Sheet shipped(const std::string& id, std::optional<std::uint64_t> seed = std::nullopt) {
    for (const Worksheet& each : worksheets())
        if (each.id == id) return *make_sheet(each, presets(), seed);
    throw std::runtime_error("there is no " + id);
}

inline Grade graded(const Sheet& sheet, const std::string& id, const std::string& typed) {
    for (const SheetQuestion& question : sheet.questions)
        for (const Blank& blank : question.blanks)
            if (blank.id == id) return grade(question, blank, typed);
    throw std::runtime_error("there is no " + id);
}

// A sheet of one question, "q".
inline Sheet one(const std::string& kind, const std::string& answer, const std::string& arch = "llama-7b",
                 const std::string& input = "{\"tokens\": 100}", const std::string& more = "") {
    const std::string text = R"({"title": "t", "architecture": ")" + arch + R"(", "input": )" + input +
                             R"(, "questions": [{"id": "q", "kind": ")" + kind + R"(", "ask": "?", "answer": ")" +
                             answer + "\"" + more + "}]}";
    const Result<Worksheet> worksheet = parse_worksheet(text, "one", "one.json");
    if (!worksheet) throw std::runtime_error(sentence(worksheet.error()));
    const Result<Sheet> sheet = make_sheet(*worksheet, presets());
    if (!sheet) throw std::runtime_error(sentence(sheet.error()));
    return *sheet;
}

inline Mistake mistake_of(const Sheet& sheet, const std::string& typed) { return graded(sheet, "q", typed).mistake; }

}  // namespace headcount::testing_data
