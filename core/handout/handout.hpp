// A worksheet on paper: the student's sheet and the teacher's key, as HTML and as Markdown; and as a question bank.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/zip.hpp"
#include "core/worksheet/sheet.hpp"

namespace headcount {

// Whether a picture of the diagram has its numbers: those that the student is to find are among them.
enum class PictureNumbers { shown, covered };

// An SVG document of a place in a model's diagram, or an empty text.
using PlacePicture =
    std::function<std::string(const CountedModel& model, const std::string& place, PictureNumbers numbers)>;

struct HandoutOptions {
    bool key = false;      // with answers, derivations and likely mistakes
    PlacePicture picture;  // called once for each place: for the key the blocks that it asks about, for the sheet what
                           // is lit beside its questions, and what one is to be pointed out in; may be empty
};

// The pictures of one handout: each stands beside the first question that it belongs to.
class HandoutPictures {
  public:
    explicit HandoutPictures(const HandoutOptions& options) : options_(options) {}

    // An SVG document, or an empty text.
    std::string next(const SheetQuestion& question);

  private:
    const HandoutOptions& options_;
    std::set<std::pair<const CountedModel*, std::string>> drawn_;
};

std::string handout_html(const Sheet& sheet, const HandoutOptions& options);
std::string handout_markdown(const Sheet& sheet, const HandoutOptions& options);

// A question bank that Moodle imports: a category for each question of the worksheet, in it the question once for each
// set of numbers (`variants`: the same worksheet), known wrong numbers with their sentences. Shapes and counts are
// marked by Moodle, choices, orders and names too; formulas and free text by the teacher, who finds the right answer
// beside. Both have pictures of what is lit beside a question, without numbers.
std::string handout_moodle(std::span<const Sheet> variants, const PlacePicture& picture = {});

// The same for other platforms: a package of IMS QTI 2.1 with an item for each question and set of numbers, and a test
// of all of them. Numbers have their tolerance, and known wrong ones a sentence; formulas and free text are marked by
// the teacher, by the rubric. `qti_files`: what is in the archive.
std::vector<ZipEntry> qti_files(std::span<const Sheet> variants, const PlacePicture& picture = {});
std::string handout_qti(std::span<const Sheet> variants, const PlacePicture& picture = {});

// A package that learning platforms import (SCORM 1.2): a ZIP archive with a page that has `address`, the sheet on the
// page in a browser, within it, and tells the platform the score, how far one is and what was answered.
std::string handout_scorm(const Sheet& sheet, std::string_view address);

// "h_kv" with its letters lowered.
std::string symbol_html(std::string_view text);

// The dimensions that the answers of a question are made of, and their values: what the student is given.
std::vector<Symbol> given_symbols(const Sheet& sheet);
// Without the width where the model's name says it: "A model with d = 8".
std::vector<Symbol> symbols_behind_name(const Sheet& sheet);

// The matrices that a question asks for, in the order in which the model computes them: boxes on a grid, and what joins
// them. Places only; the printed sheet and the window draw it each in their own way.
struct FlowBox {
    const Tensor* tensor;  // of the question's model
    std::size_t blank;     // index into SheetQuestion::blanks
    std::string label;
    int column = 0;
    float row = 0;  // halves where a column has fewer boxes than the fullest
};

struct Flow {
    std::vector<FlowBox> boxes;
    std::vector<std::pair<std::size_t, std::size_t>> links;  // from which box to which
    int columns = 0, rows = 0;
};

// Without boxes for questions that name fewer than three tensors.
Flow flow_of(const SheetQuestion& question);

// A question's tensors as boxes in the order in which they are computed, joined by the operations between them; with
// their shapes where `solved`, else with blanks. Empty for questions that name fewer than three tensors.
std::string flow_svg(const SheetQuestion& question, bool solved);

// A question's numbers to look at, each table below its title.
std::string numbers_html(const SheetQuestion& question);

}  // namespace headcount
