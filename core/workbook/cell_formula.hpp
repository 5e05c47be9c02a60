// A number of a run as a formula of a spreadsheet: rendered from the equation that is shown and computed everywhere.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/runtime/evaluator.hpp"

namespace headcount {

// Where a matrix stands: "'layer.0'" and its upper left cell, from 0; nothing of one that has no place.
struct SheetPlace {
    std::string sheet;
    std::int64_t row = 0, column = 0;
};
using SheetPlaces = std::function<std::optional<SheetPlace>(TensorIndex tensor, std::int64_t layer, std::int64_t copy)>;

inline constexpr std::size_t longest_formula = 8000;  // letters that spreadsheets read, and a little less

class CellFormula {
  public:
    // Of this cell of what the node makes; `right` is its equation's.
    CellFormula(const RunNumbers& numbers, const SheetPlaces& places, const CellAt& cell, const Node& node)
        : numbers_(numbers), places_(places), cells_(numbers, cell, node) {}

    // "MMULT('layer.0'!A3:DX3,'layer.0'!B9:B136)", without what makes it a formula. Nothing where no spreadsheet has
    // what it takes (how a router chooses, a state), or it is too long for one.
    std::optional<std::string> of(const Formula& right);

  private:
    std::string text(const Formula& formula, std::int64_t row, std::int64_t column);
    std::string product(const Formula& formula, std::int64_t row, std::int64_t column);
    std::string over_row(const Formula& formula, const char* function, std::int64_t row, std::int64_t column);
    std::string softmax(const Formula& formula, std::int64_t row, std::int64_t column);
    std::string turned(const Formula& formula, std::int64_t row, std::int64_t column);
    std::string over_experts(const Formula& formula, std::int64_t row, std::int64_t column);
    std::string over_heads(const Formula& formula, std::int64_t row, std::int64_t column);
    std::string best(const Formula& formula, std::int64_t row, std::int64_t column);
    std::string applied(const Formula& formula, const std::string& x);

    // The cell, or the one that it shows, where one of them has a place.
    std::optional<CellAt> placed(CellAt cell);
    std::string reference(const CellAt& first, const CellAt& last);
    std::optional<CellAt> cell_of(const Formula& formula, std::int64_t row, std::int64_t column);
    // The cells that a formula shows of a row (`along` a row) or a column from `first` to before `end`: the two at the
    // ends, where they lie side by side or below each other.
    struct Range {
        CellAt from, to;
        bool across = false;  // along a row
    };
    std::optional<Range> range(const Formula& formula, bool along, std::int64_t fixed, std::int64_t first,
                               std::int64_t end);
    std::string fail();

    const RunNumbers& numbers_;
    const SheetPlaces& places_;
    Evaluator cells_;
    bool failed_ = false;
};

// "B12", from 0.
std::string cell_reference(std::int64_t row, std::int64_t column);

}  // namespace headcount
