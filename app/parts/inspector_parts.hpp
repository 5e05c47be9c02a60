// What every inspection is made of: head, formula lines whose factors lead to sliders, columns of facts, rows of
// subjects. The inspections themselves are in app/views/explore.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/parts/words.hpp"
#include "app/ui/formula_line.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// What an inspection draws with, reads from, and adds its intents to.
struct Inspector {
    const Ui& ui;
    const Shown& model;
    Intents intents;

    const Counted& shown() const { return model.derived.shown; }
    const Counted& base() const { return model.derived.base; }
    const ModelGraph& graph() const { return model.derived.shown.graph; }
    const Bindings& bindings() const { return model.derived.shown.bindings; }
    Copies copies() const { return copies_shown(model); }
    std::int64_t head() const { return copies().head.value_or(0); }

    void point_at(const Subject& subject, bool clicked);
    void copy(std::string_view text);
};

using Runs = std::vector<TextRun>;
enum class Written { symbols, numbers, values };  // d × (h · d_h), 4096 × (32 · 128), 4096 × 4096

// Pieces of a line. Factors and operands can be pressed: they lead to their slider or tensor.
void append_text(Runs& runs, std::string_view text);  // plain words: underscores are no subscripts
void append_formula(const Inspector& inspector, Runs& runs, const Expr& formula, Written written, bool spaced = false);
void append_shape(const Inspector& inspector, Runs& runs, const Shape& shape, Written written,
                  int underlined_axis = -1);
void append_tensor(const Inspector& inspector, Runs& runs, TensorIndex tensor, std::string_view after = {});

// Lines at the cursor; long ones go on before a "+" or "=". Each factor records itself as inspector.factor.<symbol
// key>, each operand as inspector.operand.<tensor id>.
void draw_line(Inspector& inspector, std::string_view name, const Runs& runs, const Font& font, ImU32 colour);
void draw_row(Inspector& inspector, std::string_view name, std::string_view caption, const Runs& runs, const Font& font,
              ImU32 colour);

// A formula cut into its pieces in both ways.
struct Printed {
    std::vector<FormulaPiece> symbols, numbers;
};
Printed printed(const Expr& formula, const Bindings& bindings);
void append_pieces(const Inspector& inspector, Runs& runs, std::span<const FormulaPiece> pieces, bool spaced = false);

// Three lines of one formula and its result, which a press copies: "symbols", "numbers", "result".
// `about` is the key of what the result is about; the numbers are about each part.
void draw_formula(Inspector& inspector, const Printed& formula, std::int64_t result, std::string_view about = {});
void draw_formula(Inspector& inspector, const Expr& formula, std::int64_t result, std::string_view about = {});
void draw_shape_formula(Inspector& inspector, const Shape& shape, std::int64_t result);
void draw_result(Inspector& inspector, std::string_view name, std::string_view text);
void draw_words_row(Inspector& inspector, std::string_view caption, std::string_view text);
float words_room(const Inspector& inspector);  // how wide the text of such a row may be

// "d_h   d / h = 4096 / 32 = 128": where a dimension comes from when a rule makes it. Nothing where it is given.
void draw_rules(Inspector& inspector, const Shape& shape);

// Swatch, label, chips.
void draw_head(Inspector& inspector, const Swatch& swatch, std::string_view label,
               std::span<const std::string_view> chips);

struct FactRow {
    std::string label, one, all;  // an empty text leaves its place blank
};

// Two columns of numbers, each copied by a press; one column where `all_heading` is empty. The first row may carry a
// bar of shares (0 to 1) in `colour`.
struct FactTable {
    std::string_view one_heading, all_heading;
    std::span<const FactRow> facts;
    double share_one = -1, share_all = -1;
    ImU32 colour = 0;
};
void draw_facts(Inspector& inspector, std::string_view name, const FactTable& table);

// A row that stands for a subject: swatch, words, number. Pointing and pressing do what they do everywhere.
struct SubjectRow {
    Swatch swatch;
    std::string_view label;
    std::string_view detail;  // mono, low, with scripts, after the label
    std::string_view number;  // mono, at the right
};
void draw_subject_row(Inspector& inspector, const Subject& subject, const SubjectRow& row);

// "preset" or "file": where the unedited architecture came from.
std::string_view origin_of(const Inspector& inspector);

// Preset and change lines, where `now` differs from what it was there; nothing there is said, too.
void draw_change(Inspector& inspector, std::optional<std::int64_t> before, std::int64_t now);

}  // namespace headcount
