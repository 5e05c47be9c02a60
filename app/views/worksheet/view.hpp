// The panels of the Worksheet view, and what they share. Each fills the window that was opened for it, as
// those of the Explore view do.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/canvas/drawing.hpp"
#include "app/state/intent.hpp"
#include "app/state/view.hpp"
#include "app/state/worksheet/desk.hpp"
#include "app/ui/text_field.hpp"
#include "app/ui/ui.hpp"
#include "core/handout/handout.hpp"

namespace headcount {

Intents draw_worksheet_header(const Ui& ui, const Desk& desk);    // progress, new numbers, print, export, key
Intents draw_worksheet_progress(const Ui& ui, const Desk& desk);  // of it how far one is, for a class
Intents draw_worksheet_list(const Ui& ui, const Desk& desk);      // left: which sheet, its questions, the student
Intents draw_worksheet_question(const Ui& ui, const Desk& desk);  // middle: the question and its blanks
Intents draw_worksheet_card(const Ui& ui, const Desk& desk,
                            const Shown& model);              // right: what is known, what was answered
Intents draw_worksheet_flow(const Ui& ui, const Desk& desk);  // right, below: what is found already

// Over the questions: a class's answers, a row for each student, and below them which mistake was made how often.
Intents draw_worksheet_class(const Ui& ui, const Desk& desk);

// Right: the question's own model. Where something is to be pointed at, a press is the answer.
Intents draw_worksheet_diagram(const Ui& ui, const Desk& desk, const View& view, const ScenePainter& painter);

// What the view remembers between frames and nobody needs to keep.
struct SheetMemory {
    std::string blank;     // that had the keyboard last
    std::string confirms;  // which question about starting over is open: a question's id, "sheet" or "class"
    std::optional<std::string> key_word;  // that is typed to open the key
    std::optional<int> dragged;           // a step that the pointer holds
    bool ask_next = false;                // the keyboard goes to the first field of the question
    std::string entered;                  // the field that Enter has ended, until it is known whether it is right
    struct Pointed {
        std::string blank, tensor;
        double since;
    };
    std::optional<Pointed> pointed;  // in the diagram, and not yet an answer: it may become a double click
};

// The open question, and what a panel asks for about it.
struct SheetView {
    const Ui& ui;
    const Desk& desk;
    const SheetQuestion& question;
    SheetMemory& memory;
    Intents intents;
    std::vector<ImGuiID> stops_behind = {};  // of Tab, which goes from answer to answer first

    void ask(DeskIntent what) { intents.push_back(AtDesk{std::move(what)}); }
    const AnsweredBlank& of(const Blank& blank) const { return desk.of(blank); }
    // Whether the window is too low for all: then it is closer together, so that Check is in sight with what is asked.
    bool low() const;
    // Whether it is too low for that, as to a class: then rows stand closer still, and what the sheet is about below
    // them.
    bool lowest() const;
    // Checks what was typed there, where answers are checked one by one.
    void leave(const SheetField& field);
};

SheetMemory& sheet_memory(const Ui& ui);

// What the student is given for this question.
std::vector<Symbol> given_symbols(const SheetView& view);

// The blank that the keyboard is in, or was; else the first that is not right.
const Blank& blank_in_sight(const SheetView& view);

// "Output", of "Output (after projection)".
std::string label_of(const SheetQuestion& question, const Blank& blank);

// Words without the marks of code.
std::string plain_words(std::string_view text);
// A paragraph of a sheet's words at the cursor: "W_o" has its script.
void draw_words(const Ui& ui, const Font& font, ImU32 colour, std::string_view text);

// The three lines of an answer: symbols, numbers, result. Returns whether there is anything to calculate.
bool draw_derivation(const SheetView& view, const Blank& blank);

// The blanks of a question, by its kind; in blanks.cpp and choices.cpp.
void draw_shape_blanks(SheetView& view);
void draw_typed_blanks(SheetView& view);
void draw_choice_blanks(SheetView& view);
void draw_order_blanks(SheetView& view);

// Below a blank: what is wrong with it, or its answer where that was asked for. Nothing where there is nothing to say.
void draw_hint(SheetView& view, const Blank& blank);
// The same card for a sentence alone.
void draw_hint_card(SheetView& view, std::string_view name, std::string_view title, std::string_view words, bool wrong,
                    const Blank* show_me);

// The tensor that a blank asks for the shape of; null for other questions.
const Tensor* asked_tensor(const SheetView& view, const Blank& blank);

// Symbols and values, one a line, `width` wide. Returns the height.
inline constexpr float known_line = 26;
float draw_known(SheetView& view, const Blank& blank, ImVec2 at, float width);

// "100 × ?": the sides of a tensor that were found, or are no part of the question.
std::string known_shape(const SheetView& view, const Tensor& tensor);

// What was given as numbers, where it could be read.
struct GivenShape {
    std::int64_t rows = 0, columns = 0;
};
std::optional<GivenShape> given_shape(const SheetView& view, const Blank& blank);

// One head's own columns of a weight matrix, what is known, and the answer as columns of the product. False, having
// drawn nothing, where the blank is no such product.
bool draw_head_answer(SheetView& view, const Blank& blank);
// "Q_i = X_n · W_q, of which this head uses its own columns"; empty for what is no such product.
std::string head_equation(const SheetView& view, const Blank& blank);

}  // namespace headcount
