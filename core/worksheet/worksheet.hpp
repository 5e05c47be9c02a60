// A worksheet as its file says it: what is asked, about which model, and what answers are. Not yet worked out.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/experiment.hpp"
#include "core/lesson/planted.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {

enum class QuestionKind {
    shape,       // rows and columns
    count,       // a number
    choice,      // one of several
    order,       // steps to be put in order
    select,      // something to be pointed at in the diagram
    formula,     // in symbols
    text,        // in the student's own words; kept, not graded
    experiment,  // which parts of the model that ships were switched off to bring something about; any that do
    mistake,     // which mistake makes these numbers, one of several; any that makes the same
};
std::string_view kind_key(QuestionKind kind);

struct Choice {
    std::string text;  // of a mistake in a file its name, as core/diagnose has it
    std::string why;   // said when it is chosen; may be empty

    bool operator==(const Choice&) const = default;
};

// One blank. A question with a single one has it unlabelled.
struct QuestionPart {
    std::string id, label;
    std::string answer;  // see core/lesson/reference.hpp; of a choice its text; of free text the teacher's own words
    std::vector<std::string> also;  // of a select: other ids that are right
    std::string hint;               // of this part alone; may be empty

    bool operator==(const QuestionPart&) const = default;
};

struct Question {
    std::string id, title, ask;
    QuestionKind kind = QuestionKind::count;
    std::optional<ModelChoice> model;       // absent: the worksheet's
    std::optional<Input> input;             // absent: the worksheet's
    std::string at;                         // the tensor or block of the model that is lit beside it; may be empty
    std::vector<QuestionPart> parts;        // at least one
    std::vector<Choice> choices;            // of a choice or a mistake
    std::vector<std::string> steps;         // of an order, in the right order
    std::string hint;                       // before the first try
    std::string why;                        // after it is answered, and in the key
    int round = 0;                          // of a count: this many leading digits are enough; 0 asks for all
    int lines = 4;                          // of free text: how many to write on
    std::optional<Experiment> experiment;   // of that kind
    std::optional<PlantedMistake> planted;  // of a mistake

    bool operator==(const Question&) const = default;
};

struct Worksheet {
    std::string id, title, about;
    int minutes = 0;
    std::string key_word;  // that opens the teacher's key; empty: it opens without
    ModelChoice model;
    Input input;
    // The fields that "new numbers" draws; absent: every dimension. Empty: this sheet has one set of numbers.
    std::optional<std::vector<std::string>> new_numbers;
    std::vector<Question> questions;

    bool operator==(const Worksheet&) const = default;
};

// Reads a worksheet from text. Errors name the line and character, or the JSON path ("questions[2].answer").
Result<Worksheet> parse_worksheet(std::string_view text, std::string id, std::string_view where);

// Reads and checks a worksheet: it is worked out once, so that an unknown id or symbol is found now.
Result<Worksheet> read_worksheet(const std::filesystem::path& path, std::span<const Preset> presets);

// Every *.json of a folder, in the order of their names ("1-one-head"). None is worked out: whoever opens one hears
// what is wrong with it.
Result<std::vector<Worksheet>> load_worksheets(const std::filesystem::path& directory);
Result<std::vector<Worksheet>> shipped_worksheets();

// `text` is the id of one that ships, or a path.
Result<std::filesystem::path> find_worksheet(std::string_view text);
Result<Worksheet> open_worksheet(std::string_view text, std::span<const Preset> presets);

}  // namespace headcount
