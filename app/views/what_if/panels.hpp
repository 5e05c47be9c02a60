// The What-if view's panels, and what they share: amounts as words, models with other numbers. Its windows leave
// 16 px around.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/charts/axis.hpp"
#include "app/state/costs/page.hpp"
#include "app/state/intent.hpp"
#include "app/state/shown.hpp"
#include "app/state/what_if/page.hpp"
#include "app/state/what_if/place.hpp"
#include "app/ui/ui.hpp"
#include "core/analysis/sweep.hpp"
#include "core/files/presets.hpp"

namespace headcount {

struct Session;

// Why there is nothing to draw. Where it is the input that is impossible, with what mends it.
void draw_what_if_problem(const Ui& ui, const Shown& model, std::string_view name, const std::string& problem,
                          Intents& intents);

// A chart's title, how many or what it has at its right, and below what its figures were made for.
void chart_title(const Ui& ui, std::string_view title, const std::string& right);

// How many models a sweep has: "12 models. 1 more is not possible, and left out."
std::string sweep_sentence(const Sweep& sweep);
// The values of a range of numbers.
std::vector<std::int64_t> values_of(const ValueRange& range);
// Of what varies, in whole numbers, also where there is one alone.
Axis sweep_axis(const std::vector<double>& values, std::string title);

// Above: which question is asked.
Intents draw_what_if_tabs(const Ui& ui, WhatIfTab current);

// Left, of each tab. The device is the one of the Costs view.
struct WhatIfSettings {
    const Shown& model;
    const WhatIfPlace& place;
    const WhatIfPage& page;
    const CostsPage& costs;
    const CostsPlace& held;
};
Intents draw_what_if_settings(const Ui& ui, const WhatIfSettings& of);

// `show`: what of them is pointed out to a class, by its key.
Intents draw_sweep(const Ui& ui, const Shown& model, const WhatIfPage& page, const CostsPlace& costs,
                   const Show& show = {});
Intents draw_sensitivity(const Ui& ui, const Shown& model, const WhatIfPage& page, const Show& show = {});

// The keys of what can be pointed out, in order: the points of a sweep by their values, the bars of a sensitivity, of
// the shelf the document's preset and the others of its group.
std::vector<std::string> sweep_keys(const FoundSweep& found);
std::vector<std::string> sensitivity_keys(const FoundSensitivity& found);
std::vector<std::string> shelf_keys(const Document& document, std::span<const Preset> presets);
// Of a sweep's keys the one that the model is at; 0 where it is at none.
std::size_t own_key(const Shown& model, const FoundSweep& found, const std::vector<std::string>& keys);

// A line above the chart, to a class: what is pointed out, in words; empty while nothing is.
void draw_pointed_out(const Ui& ui, const Show& show, const std::string& words);

// The device is that of Costs.
Intents draw_shelf(const Ui& ui, const Shown& model, const ShelfPlace& place, std::span<const Preset> presets,
                   const Show& show = {}, const std::optional<Device>& device = {});
// The shelf as the tree that `headcount poster` prints, of one kind of models or of all: a picture to zoom.
Intents draw_family_tree(const Ui& ui, const Shown& model, std::optional<ModelKind> kind,
                         std::span<const Preset> presets);
Intents draw_solve(const Ui& ui, const Shown& model, const SolvePlace& place, const WhatIfPage& page);
// Of many answers those that no other beats.
Intents draw_front(const Ui& ui, const Shown& model, const SolvePlace& place, const WhatIfPage& page);

// Its panels, given what each reads: the one of the tab that is chosen, and the settings at its left.
Intents draw_what_if_panel(const Ui& ui, const Session& session);
Intents draw_what_if_settings_panel(const Ui& ui, const Session& session);

AxisUnit axis_unit(Unit unit);

// "8,030,261,248", "24.0 GiB", "13.3 ms": to the last digit where it is a count. Nothing where there is no number.
std::string value_text(const SweepPoint& point, Metric metric);
// The same of this model as it is shown, with a sign before it where it is only about known.
std::string value_text(const Shown& model, const SweepPoint& point, Metric metric);

// "+1,291,845,632", "-2.00 GiB"
std::string change_text(double change, std::optional<std::int64_t> whole, Metric metric);

// "Layers" as "layers" inside of a title; "KV heads" and "FFN hidden" as they are.
std::string inside_title(std::string_view label);

// The numbers that the model has and that can be varied.
std::vector<Field> varied_fields(const Architecture& arch);

// The document with these numbers, as one edit; nothing where they are its own or cannot be.
struct NumberOf {
    ValueRange of;
    std::int64_t value = 0;  // one of its values: of devices none is the document's
};
std::optional<Intent> adopt(const Shown& model, std::span<const NumberOf> numbers);

}  // namespace headcount
