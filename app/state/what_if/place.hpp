// What the What-if view asks, and where in it the user is. Small, and none of it touches the document.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/analysis/goal.hpp"
#include "core/analysis/metric.hpp"
#include "core/arch/kind.hpp"

namespace headcount {

enum class WhatIfTab { sweep, sensitivity, solve, front, shelf };
// In the same order: in saved documents, for tests and `render --view what-if:solve`.
inline constexpr std::array<std::string_view, 5> what_if_tab_keys{"sweep", "sensitivity", "solve", "front", "shelf"};

struct SweepPlace {
    std::vector<ValueRange> ranges;  // one to three; none: layers, around as many as the model has
    Metric metric = Metric::total;   // that is drawn
    std::size_t third = 0;           // for which of the third's values the map of the others is drawn

    bool operator==(const SweepPlace&) const = default;
};
inline constexpr std::size_t most_ranges = 3;

// What a search may hold, in the order of SolvePlace::wished.
inline constexpr std::array<Metric, 3> held_metrics{Metric::total, Metric::memory, Metric::flops};

// A condition, with its amount as it was typed; empty: what the model has.
struct WishedGoal {
    Metric metric = Metric::memory;
    bool least = false;
    std::string typed = {};

    bool operator==(const WishedGoal&) const = default;
};
inline constexpr std::size_t most_goals = 6;

struct SolvePlace {
    Metric held = Metric::total;                                // one of held_metrics
    std::array<std::string, held_metrics.size()> wished;        // as typed: "8B", "24 GiB"; empty: what the model has
    std::vector<WishedGoal> goals;                              // what must hold as well
    std::vector<Field> free;                                    // at most most_freed; none: layers
    bool any_shape = false;                                     // also shapes that hardware does not like
    Metric across = Metric::memory, upwards = Metric::seconds;  // what the front is between
    std::string size;    // of the same shape, as typed; empty: what the model has
    std::string budget;  // of training, in FLOPs, as typed: "1e21"; empty: 20 tokens a parameter of the model

    bool operator==(const SolvePlace&) const = default;
};

enum class ShelfAxis {
    year,
    total,
    active,
    width,
    depth,
    attention_share,
    cache_per_token,
    flops_per_token,
    tokens_per_second
};
inline constexpr std::array<std::string_view, 9> shelf_axis_keys{"year",
                                                                 "total",
                                                                 "active",
                                                                 "width",
                                                                 "depth",
                                                                 "attention_share",
                                                                 "kv_cache_per_token",
                                                                 "flops_per_token",
                                                                 "tokens_per_second"};

enum class ShelfForm { chart, table, tree };
inline constexpr std::array<std::string_view, 3> shelf_form_keys{"chart", "table", "tree"};

struct ShelfPlace {
    ShelfAxis x = ShelfAxis::year, y = ShelfAxis::total;
    bool log_x = false, log_y = true;
    std::optional<ModelKind> kind = {};  // that is shown; absent: all
    ShelfForm form = ShelfForm::chart;   // a table has a row for each model, by what is across

    bool operator==(const ShelfPlace&) const = default;
};

struct WhatIfPlace {
    WhatIfTab tab = WhatIfTab::sweep;
    SweepPlace sweep;
    Metric sensitivity = Metric::total;  // that its bars are of
    SolvePlace solve;
    ShelfPlace shelf;

    bool operator==(const WhatIfPlace&) const = default;
};

struct ShowWhatIfTab {
    WhatIfTab tab;
};
struct SetSweep {
    SweepPlace sweep;
};
struct SetSensitivity {
    Metric metric;
};
struct SetWish {
    SolvePlace solve;
};
struct SetShelf {
    ShelfPlace shelf;
};

using WhatIfIntent = std::variant<ShowWhatIfTab, SetSweep, SetSensitivity, SetWish, SetShelf>;

}  // namespace headcount
