// A student's desk: the worksheet on it, what was answered, and what follows from that. No part of the document, so
// that undo takes back no answer.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/state/shown.hpp"
#include "app/state/worksheet/desk_intent.hpp"
#include "core/grading/class.hpp"
#include "core/grading/grade.hpp"
#include "core/handout/handout.hpp"
#include "core/worksheet/worksheet.hpp"

namespace headcount {

struct SheetChoice {
    std::string worksheet;              // the id of one that ships, or a file's absolute path
    std::optional<std::uint64_t> seed;  // of other numbers

    auto operator<=>(const SheetChoice&) const = default;
};

// What was done with one sheet and one set of numbers.
struct Progress {
    std::size_t question = 0;                  // that is looked at
    std::map<std::string, std::string> given;  // blank's id -> as typed; of a shape as shape_text writes it
    std::set<std::string> checked;             // fields whose text was checked as it stands
    std::set<std::string> shown;               // blanks whose answer was asked for
    std::set<std::string> hinted;              // questions and blanks whose hint was asked for

    bool operator==(const Progress&) const = default;
};

// What is kept over a restart, a crash too.
struct DeskState {
    SheetChoice sheet;
    std::string student;
    bool at_end = false;   // answers are checked when all are given, not one by one
    bool key = false;      // the teacher's key is shown; a restart hides it
    std::string key_word;  // that opens the key of sheets whose file has none; empty: they open without
    std::map<SheetChoice, Progress> progress;
    std::map<std::string, std::uint64_t> seeds;  // that sheets were left with; those left as written are not there

    SheetChoice as_left(const std::string& worksheet) const;  // with the numbers that it had last

    bool operator==(const DeskState&) const = default;
};

enum class Mark {
    empty,
    typed,  // not checked yet
    right,
    wrong,
    unreadable,
    kept,  // free text
};
std::string_view mark_key(Mark mark);

// Something to be typed or chosen. A shape has two of them.
struct SheetField {
    std::string id;    // "queries.rows", "queries.columns", or the blank's own
    std::string text;  // as typed
    Mark mark = Mark::empty;

    bool operator==(const SheetField&) const = default;
};

// One blank as it stands.
struct AnsweredBlank {
    std::vector<SheetField> fields;  // two of a shape: rows, columns
    Grade grade;                     // of what was checked; of a shape's single side with the other one as if right
    bool shown = false;              // the student has asked for the answer

    bool right() const;  // every field; free text once it is kept
    bool operator==(const AnsweredBlank&) const = default;
};

// How much of a question (or of a sheet) is done.
struct Score {
    int right = 0, of = 0;      // fields that can be graded
    int wrong = 0, filled = 0;  // of all fields, free text too
    int fields = 0;

    bool complete() const { return right == of && filled == fields; }
    bool operator==(const Score&) const = default;
};

// The answers of a class, graded.
struct ClassAnswers {
    std::string path;  // of the folder, or the file
    ClassGrades grades;
    std::vector<MadeMistake> mistakes;
};

// One student in a line of the class's table.
struct ClassRow {
    std::size_t student = 0;  // index into ClassGrades::all
    std::string name;         // or "Student 3" where names are hidden
};

struct OpenedClass {
    std::shared_ptr<const ClassAnswers> answers;  // null: none is open
    ClassLook look;

    std::vector<ClassRow> rows() const;  // in the order that is chosen
    std::string opened_name() const;     // of the folder or the file; empty where that would tell a name
    // Answers that could not be graded, at most so many lines: files, and what is to no question of the sheet. Files
    // are often called after students: where names are hidden it is said how many there are.
    std::vector<std::string> failures_shown(std::size_t lines) const;
    bool operator==(const OpenedClass&) const = default;
};

struct Desk {
    DeskState kept;

    // What follows from it.
    std::shared_ptr<const std::vector<Worksheet>> shipped;  // null: nobody has looked yet
    std::shared_ptr<const Worksheet> worksheet;             // null: its file cannot be read
    std::shared_ptr<const Sheet> sheet;                     // null: it cannot be opened, and `problem` says why
    std::string problem;                                    // a sentence
    std::optional<SheetChoice> opened;                      // what `sheet` or `problem` is of
    std::shared_ptr<const Architecture> own;        // that it was read for; null for sheets that bring their models
    std::vector<Flow> flows;                        // of each question of the sheet
    std::map<std::string, AnsweredBlank> answered;  // by blank

    OpenedClass pupils;  // whose table lies over the questions

    std::optional<Shown> model;        // the question's own, beside it
    std::string lighted, lighted_for;  // where its diagram was sent last, and for which question

    const Progress& progress() const;       // of the sheet that is open
    const std::string& key_word() const;    // that opens the key of the sheet; empty: it opens without
    const SheetQuestion* question() const;  // that is looked at; null without a sheet
    const Flow& flow() const;               // of that question
    const AnsweredBlank& of(const Blank& blank) const;
    Score score(const SheetQuestion& question) const;
    Score score() const;  // of the sheet; nothing without one
    // Whether nothing of the question is left to find: all is right, or was shown, or the key is open.
    bool solved(const SheetQuestion& question) const;
    // The tensor or block that the question in sight is about; what is to be pointed at not before it is solved.
    std::string lit() const;
};

// Whether the question's own model is shown beside it: in place of what was found so far, where that is drawn.
bool shows_diagram(const Desk& desk);

// Both sides of a shape as one text, and back. A cross within a side loses the spaces around it: only the one between
// the sides has them.
std::string shape_text(std::string_view rows, std::string_view columns);
std::pair<std::string, std::string> shape_sides(std::string_view text);

AnsweredBlank answered_blank(const SheetQuestion& question, const Blank& blank, const Progress& progress);

// Opens what is chosen (the first that ships, where nothing is), unless it is open already. `own` is the document's
// architecture: a sheet about the reader's own model follows it.
void open_desk(Desk& desk, std::span<const Preset> presets, const Architecture& own);

// Does what was asked for. Returns a sentence where it cannot be done: then nothing has changed.
std::string change_desk(Desk& desk, const DeskIntent& intent, std::span<const Preset> presets, const Architecture& own);

// Takes over what another window has merged into ours. Which sheet and question is looked at stays as it is here.
void take_answers(Desk& desk, DeskState merged);

// The answers of the sheet that is open, as they are exported and graded.
Answers answers_of(const Desk& desk);

}  // namespace headcount
