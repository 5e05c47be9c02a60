// A worksheet worked out for one architecture and one seed: every text filled in, every answer known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/find.hpp"
#include "core/lesson/experiment.hpp"
#include "core/lesson/reference.hpp"
#include "core/worksheet/worksheet.hpp"

namespace headcount {

struct ShapeAnswer {
    Expr rows, columns;
    std::string id;  // of the tensor that has this shape; may be empty
};
struct NumberAnswer {
    Resolved resolved;
    bool formula = false;  // it is asked in symbols
    int round = 0;
};
struct ChoiceAnswer {
    std::size_t right;                   // index into SheetQuestion::choices
    std::vector<std::size_t> also = {};  // others that are right

    bool takes(std::size_t choice) const { return choice == right || contains(also, choice); }
};
struct OrderAnswer {
    std::vector<std::size_t> right;  // places in SheetQuestion::steps, first step first
};
struct SelectAnswer {
    std::vector<std::string> ids;  // any of them
};
struct TextAnswer {
    std::string model;  // the teacher's words; may be empty
};
struct ExperimentAnswer {
    Experiment experiment;
    std::string parts;  // that do it, as parts_off reads them; others may do it, too
};
using KnownAnswer =
    std::variant<ShapeAnswer, NumberAnswer, ChoiceAnswer, OrderAnswer, SelectAnswer, TextAnswer, ExperimentAnswer>;

// One blank to fill in.
struct Blank {
    std::string id;     // "head.queries"; the question's own where it has a single one
    std::string label;  // "Queries"; empty where the question has a single one
    KnownAnswer answer;
    std::string hint;  // of this blank alone; may be empty
};

// Numbers to look at: the first row has the headings, and the first column too.
struct SheetTable {
    std::string title;
    std::vector<std::vector<std::string>> rows;
};

struct SheetQuestion {
    std::string id, title, ask, hint, why;
    QuestionKind kind;
    CountedModelPtr model;
    std::vector<Blank> blanks;
    std::vector<Choice> choices;     // as shown
    std::vector<std::string> steps;  // as shown: not in order
    int lines = 4;
    std::vector<SheetTable> tables = {};  // to be looked at, below what is asked
    std::vector<std::string> names = {};  // of a mistake: what its choices are called besides
    std::string at = {};                  // where it says it is in the model, see place_of; may be empty
};

struct Sheet {
    std::string id, title, about;
    int minutes = 0;
    std::string key_word;               // that opens the teacher's key; empty: it opens without
    std::optional<std::uint64_t> seed;  // of other numbers; absent: the file's own
    CountedModelPtr model;
    std::vector<SheetQuestion> questions;
    std::vector<std::string> notes;  // which questions were left out, and why

    const Blank* find(std::string_view id) const;
};

// `own` is the reader's architecture, for worksheets that are about it; without one they are about Llama 2 7B. Of such
// a worksheet, questions that the architecture has no answer to are left out, with a note. In others whatever is wrong
// is an error with its JSON path: an unknown preset, an impossible architecture, an id or a symbol that it does not
// have.
Result<Sheet> make_sheet(const Worksheet& worksheet, std::span<const Preset> presets,
                         std::optional<std::uint64_t> seed = std::nullopt, const Architecture* own = nullptr);

// What is right, as people write it: "100 × 128", "45,088,768", "d·d_ff", "b", "b, a, c", "Query projection".
std::string right_answer(const SheetQuestion& question, const Blank& blank);

// The three lines behind it: in symbols, with numbers, the result; nothing where there is nothing to calculate.
std::vector<std::string> derivation(const SheetQuestion& question, const Blank& blank);

// "a" of the first choice or step.
std::string letter(std::size_t place);
// "b, a, c"
std::string order_text(const std::vector<std::size_t>& order);
std::vector<std::size_t> order_as_shown(std::size_t steps);

// Of the blank: its own words, else what the graph tells of how the matrix is made or the number is counted, else the
// question's. Empty where there is nothing to say.
std::string hint_of(const SheetQuestion& question, const Blank& blank);

// The id of the smallest block that is drawn as a picture and has every tensor and block of its answers in it, or what
// is lit beside it: a head ("layer.attention.head"), an expert, a layer; empty for the whole model. Nothing of a
// question that names none, and of one that compares two models.
std::optional<std::string> block_of(const SheetQuestion& question);

// The tensor or block that is lit beside it from the start: what it says, else what its answers name, or the block
// around all of that; empty for the whole model. Nothing where one is to find it in the diagram.
std::optional<std::string> place_of(const SheetQuestion& question);

}  // namespace headcount
