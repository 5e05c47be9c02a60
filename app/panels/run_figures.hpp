// Which matrices a page of the Run view shows, how they belong together, and where they lie. No drawing. Only
// app/panels/run*.cpp and tests include this.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/state/run_snapshot.hpp"
#include "app/ui/ui.hpp"
#include "core/runtime/explain.hpp"

namespace headcount {

enum class RunPart { ends, attention, feed_forward };  // of the model: what is outside of its layers; of a layer

// What of a model a page shows.
struct RunSight {
    RunPart part = RunPart::attention;
    std::int64_t layer = 0, head = 0;
    std::int64_t which = 0;     // of a token's experts
    std::int64_t position = 0;  // of the token whose experts' weights are shown

    bool operator==(const RunSight&) const = default;
};

// One matrix, or, of a very large one, the piece around the cell that is asked for.
struct RunFigure {
    enum class Place { input, weight, bias, output, link };  // in a product; in a chain

    TensorIndex tensor = 0;
    std::int64_t layer = 0, copy = 0;
    Place place = Place::link;
    std::string before;  // words between the figure before and this one
    bool transposed = false;
    MatrixView view;
    std::int64_t first_row = 0, first_column = 0, rows = 0, columns = 0;  // that are shown, of the tensor
    ImVec2 min, max;                                                      // pixels from the page's corner
    float cell = 1;                                                       // pixels of one

    std::int64_t across() const { return transposed ? rows : columns; }
    std::int64_t down() const { return transposed ? columns : rows; }
    bool whole() const { return rows == view.rows && columns == view.columns; }
    std::optional<CellAt> cell_under(ImVec2 of_page) const;
    bool shows(const CellAt& at) const;
    // The rectangle of these cells, as far as they are shown.
    std::pair<ImVec2, ImVec2> area_of(std::int64_t row, std::int64_t column, std::int64_t last_row,
                                      std::int64_t last_column) const;
};

struct RunLine {
    bool product = false;  // an input, and weights with what they make of it below; else a chain from left to right
    std::string title, remark;  // of a section that begins here
    std::vector<RunFigure> figures;
    float top = 0, bottom = 0;
};

struct RunPages {
    std::vector<RunLine> lines;
    float height = 0;
    std::optional<std::pair<ImVec2, ImVec2>> corner;  // room for the card above the first product's input
};

// The matrices in the order of the graph's nodes. `asked` is in sight also where its matrix is too large to be shown.
std::vector<RunLine> run_lines(const RunValues& values, const RunSight& sight, const std::optional<CellAt>& asked);

struct RunRoom {
    float width = 0, scale = 1;
    ImVec2 card;                                    // its size
    std::function<float(const std::string&)> text;  // how wide words are
};
RunPages place_lines(std::vector<RunLine> lines, const RunRoom& room);

// Where a cell can be seen: the page of its tensor.
RunSight sight_of(const ModelGraph& graph, const CellAt& cell, RunSight now);

RunNumbers numbers_of(const RunValues& values);

}  // namespace headcount
