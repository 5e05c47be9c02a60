// The panels of the Costs view: what is asked for; memory; arithmetic. Their windows leave 16 px around. To a class
// the latter two have their charts and what is stepped through alone. And what they share: rows with a figure that open
// to its formula, the heading, tables. The tabs Memory and Compute of Explore's bottom panel, too, which the Costs view
// itself does not show.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/parts/inspector_parts.hpp"
#include "app/state/costs/page.hpp"
#include "app/state/intent.hpp"
#include "app/state/shown.hpp"
#include "app/state/view.hpp"
#include "app/ui/ui.hpp"
#include "app/views/costs/rows.hpp"

namespace headcount {

Intents draw_costs_settings(const Ui& ui, const Shown& model, const CostsPage& page, const CostsPlace& place);
Intents draw_costs_memory(const Ui& ui, const Shown& model, const CostsPage& page, const CostsPlace& place,
                          const Show& show = {});
Intents draw_costs_arithmetic(const Ui& ui, const Shown& model, const CostsPage& page, const Show& show = {});

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

inline constexpr float costs_figure_height = 26;  // design pixels: of one that is closed

// A column of such rows, of which one is open.
class CostsFigures {
  public:
    // `name` is a literal: under it the interface remembers which one is open.
    CostsFigures(Inspector& inspector, std::string_view name, const Bindings& bindings)
        : to_(inspector), name_(name), bindings_(bindings) {}

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

// The operations of the pass in the order in which they run, to the window's end. In the Costs view with a title, a
// link to what is selected, and at least some rows high; in Explore's tab the table alone.
void draw_costs_operations(Inspector& inspector, const CostsRows& rows, bool in_view);

// The roofline of the chosen device with every operation of the pass as a point: at the available width; the device's
// speed must be published.
void draw_costs_roofline(Inspector& inspector, const CostsRows& rows, float height);

// The title, what the figures are of, and where they are not of what is asked for now, that they are not.
void draw_costs_title(const Ui& ui, const CostsPage& page, std::string_view title, const std::string& remark);

// A chip that goes to the tensor in Explore. Records `name`.
void explore_link(const Ui& ui, const Shown& model, std::string_view name, const std::string& words,
                  std::string_view tensor, Intents& intents);

// A line of several columns of a small table that is not scrolled.
struct CostsLine {
    std::string_view label;
    std::span<const std::string> cells;
    int chosen = -1;  // the cell that is written in the high colour
};
// Right-aligned cells of `column` pixels each (unscaled). Returns whether it is pointed at.
bool draw_costs_line(const Ui& ui, const CostsLine& line, float column, bool heading = false);

// Below the tabs, to the window's end.
Intents draw_memory_tab(const Ui& ui, const Shown& model, const CostsPage& page);
Intents draw_compute_tab(const Ui& ui, const Shown& model, const CostsPage& page);

// "13.7 GiB in all · rtx-4090: 24.0 GiB": what the figures of the tab are of.
std::string costs_context(const CostsPage& page, BottomTab tab);

// The tab's table for the clipboard; empty where there is nothing yet.
std::string costs_as_csv(const CostsPage& page, BottomTab tab, std::string_view made_for);

}  // namespace headcount
