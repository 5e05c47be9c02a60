// Which matrices a page of the Run view shows, how they belong together, and where they lie. No drawing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/matrix_row.hpp"
#include "app/state/run/place.hpp"
#include "app/state/run/snapshot.hpp"
#include "app/ui/ui.hpp"
#include "core/runtime/explain.hpp"

namespace headcount {

// Of the model: what is outside of its layers; of a layer, where cross is the attention to what an encoder made.
enum class RunPart { ends, mixer, cross, feed_forward };

// What of a model a page shows.
struct RunSight {
    RunPart part = RunPart::mixer;
    bool encoder = false;  // of the encoder beside the decoder
    std::int64_t layer = 0, head = 0;
    std::int64_t which = 0;     // of a token's experts
    std::int64_t position = 0;  // of the token whose experts' weights are shown

    bool operator==(const RunSight&) const = default;
};

// One matrix, or, of a very large one, the piece around the cell that is asked for.
struct RunFigure {
    TensorIndex tensor = 0;
    std::int64_t layer = 0, copy = 0;
    MatrixSpot place = MatrixSpot::alone;
    std::string before;                  // words between the figure before and this one
    std::string name, sides, note;       // "W_q", "E^T"; "128 × 64"; ", within ± 8"
    std::optional<std::int64_t> expert;  // of an activation of experts: of which one the weights beside it are
    bool transposed = false;
    MatrixView view;
    std::int64_t first_row = 0, first_column = 0, rows = 0, columns = 0;  // that are shown, of the tensor
    ImVec2 min, max, label;  // pixels from the page's corner; the label's is its upper left corner
    float cell = 1;          // pixels of one, along its shorter side

    std::int64_t across() const { return transposed ? rows : columns; }
    std::int64_t down() const { return transposed ? columns : rows; }
    bool whole() const { return rows == view.rows && columns == view.columns; }
    std::optional<CellAt> cell_under(ImVec2 of_page) const;
    bool shows(const CellAt& cell) const;
    // The rectangle of these cells, as far as they are shown.
    std::pair<ImVec2, ImVec2> area_of(std::int64_t row, std::int64_t column, std::int64_t last_row,
                                      std::int64_t last_column) const;
};

struct RunLine {
    bool product = false;       // an input, and weights with what they make of it
    bool head = false;          // what one head computes
    std::string title, remark;  // of a section that begins here
    std::vector<RunFigure> figures;
    float top = 0, bottom = 0;
};

struct RunPages {
    std::vector<RunLine> lines;
    float height = 0;
    std::optional<std::pair<ImVec2, ImVec2>> corner;  // room for the card above the first left factor
};

// All figures, line by line.
std::vector<const RunFigure*> figures_of(const std::vector<RunLine>& lines);

// The matrices in the order of the graph's nodes. `asked` is in sight also where its matrix is too large to be shown.
std::vector<RunLine> run_lines(const RunValues& values, const RunSight& sight, const std::optional<CellAt>& asked);

struct RunRoom {
    float width = 0, scale = 1;
    ImVec2 card;                                                       // its size
    std::function<float(const std::string&)> text;                     // how wide words are
    std::function<float(const RunFigure&, std::string_view)> caption;  // and a name with what stands beside it
};
RunPages place_lines(std::vector<RunLine> lines, const RunRoom& room);

// What is to be seen of a page: what one head computes, or where it is not given, a cell.
struct RunSought {
    bool head = false;
    std::optional<CellAt> cell;
    float margin = 0;  // around the cell where no more than it fits
};
// How far a page has to move up for that, of which `from` to `to` are in sight: the whole row where there is room for
// it, else the matrix, else the cell. 0 where it is there.
float shift_into_sight(const RunPages& pages, const RunSought& sought, float from, float to);

// What was in sight of a page before it was made anew.
struct RunKept {
    float from = 0, to = 0;  // pixels of the page as it was
    float room = 0;          // how much is in sight now
    bool resized = false;    // the interface or the window is of another size; else there are more tokens, or fewer
    std::optional<CellAt> pinned;  // stays where it is seen
    float margin = 0;              // around it where all is of another size
};
// From where on the page as it is now has to be seen: a pinned cell where it was, else the line in the middle, with the
// newest rows at its foot if they were in sight. It may be more than the page has.
float sight_kept(const RunPages& before, const RunPages& now, const RunKept& kept);

// Whose head a cell is, of its own or by its column; of several that share it the one that is looked at now. Nothing of
// what no head has.
std::optional<std::int64_t> head_of(const RunValues& values, const CellAt& cell, std::int64_t now);

// Where a cell can be seen: the page of its tensor, with the token's experts that it belongs to.
RunSight sight_of(const RunValues& values, const CellAt& cell, RunSight now);

// Matrices in which all heads stand side by side: each has `width` columns, of `count` heads (those of keys may be
// fewer than those of queries).
struct HeadColumns {
    TensorIndex tensor = 0;
    std::int64_t width = 0, count = 0;
};
std::vector<HeadColumns> head_columns(const RunValues& values, std::int64_t layer);

// The blocks that the part is.
BlockKind block_of(RunPart part);

// The row of a matrix that is this token's. A window's cache has the last tokens alone: below 0 for those before.
inline std::int64_t row_of_token(const RunValues& values, const MatrixView& view, std::int64_t position) {
    return position - (values.tokens() - view.rows);
}

// Whose row of a run's activation it is; nothing for a parameter.
std::optional<std::int64_t> token_of(const RunValues& values, const CellAt& cell);

// A cell as the view remembers it, and back; nothing where the graph has no such tensor.
std::optional<CellAt> cell_of(const ModelGraph& graph, const RunCell& cell);
RunCell cell_of(const ModelGraph& graph, const CellAt& cell);

RunNumbers numbers_of(const RunValues& values);

inline bool is_weight(const Tensor& tensor) {
    return tensor.role == Role::parameter || tensor.role == Role::buffer;
}

// Whether rows of this tensor look at columns, and at none that comes later: of such a pair there is no number.
bool hides_later(const ModelGraph& graph, TensorIndex tensor);

// What is done between the matrices of a page, in words and signs that read as a line: "SiLU(", ") ⊙", "/ √16 =".
struct LinkWords {
    struct Input {
        std::size_t index = 0;  // of the node's inputs
        std::string before;
    };
    std::vector<Input> inputs;            // in the order in which they are drawn
    std::vector<std::string> parameters;  // before each
    std::string output;                   // before what is made
    std::string title, remark;            // where there is more to say than fits between
};

// Of a node that takes each token by itself and is no product.
LinkWords link_words(const Model& model, const Node& node);

// What is done to the scores besides, which keys of so many columns make in this layer.
std::string score_words(const Node& scores, std::int64_t layer, std::int64_t columns);

// What is done to a product besides: "within ± 8"; empty where nothing is.
std::string product_note(const Node& node);

}  // namespace headcount
