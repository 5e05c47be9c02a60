// A row with one figure of memory or arithmetic that opens to its formula.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/parts/inspector_parts.hpp"
#include "app/state/costs/page.hpp"

namespace headcount {

struct CostsFigure {
    std::string_view key;  // recorded as costs.figure.<key>
    std::string_view label;
    std::string_view exact, brief;  // "13,476,831,232" and "12.6 GiB"
    Swatch swatch = {};
    float indent = 0;
    bool strong = false;
    Subject subject = {};  // what it is of, where that can be selected
    std::string_view tooltip = {};
};

// What stands in the card below.
struct FigureFormula {
    std::optional<Expr> formula;  // of the result
    std::int64_t result = 0;
    std::vector<std::pair<std::string, std::string>> words;  // "is", "12.6 GiB"
    std::string terms;              // instead of a formula that is too long to be read: "of 93 operations"
    std::optional<Expr> on_device;  // where one device holds something else
    std::string on_device_words;
};

// A column of such rows, of which one is open.
class CostsFigures {
  public:
    // `name` is a literal: under it the interface remembers which one is open.
    CostsFigures(Inspector& to, std::string_view name, const Bindings& bindings)
        : to_(to), name_(name), bindings_(bindings) {}

    template <class Formula>  // Formula: FigureFormula(), asked for where the row is open
    void row(const CostsFigure& figure, Formula&& formula) {
        if (draw(figure)) open(figure.key, formula());
    }

  private:
    bool draw(const CostsFigure& figure);
    void open(std::string_view key, const FigureFormula& formula);
    void draw_sum(const FigureFormula& formula);

    Inspector& to_;
    std::string_view name_;
    const Bindings& bindings_;
};

}  // namespace headcount
