// The figures of memory and arithmetic as texts, made once whenever they change: what the Costs view and the tabs
// Memory and Compute have in common.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/parts/words.hpp"
#include "app/state/costs/page.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// One thing that takes memory.
struct HeldRow {
    std::string_view key;  // "cache"
    std::string label = {}, bytes = {}, gib = {}, share = {}, on_device = {}, formula = {};
    MemoryFigure whole = {}, each = {};  // of the model, of one device
    std::optional<Component> component = {};
    Subject subject = {};
    std::string_view explained = {};           // in a sentence
    std::string_view terms = {};               // in place of a formula that is too long to be read
    SwatchLook swatch = SwatchLook::none;      // none: it has no part of its own in the bar
    ImU32 Theme::*colour = &Theme::text_high;  // of what belongs to no component
    bool inside = false;                       // of the weights, which have a row of their own
    bool besides = false;                      // not in the total: one more token's cache
    bool sum = false;                          // of the others; it has no formula of its own
    bool strong = false;
};

// What is kept of one place in training, with each way to recompute.
struct KeptRow {
    std::string label, layers;
    std::array<std::string, 3> bytes;  // in the order of Recompute; empty: nothing is kept there
    std::string formula;               // of one, as it is done
};

// One operation.
struct RunRow {
    std::string label, place, copies, flops, bytes, intensity, bound, share;
    std::string id;          // of the tensor that it makes, or of the adapter beside it
    TensorIndex tensor = 0;  // ... in Costs::run
    std::string note;        // "11.0 GFLOP, 2.00 GiB moved, no faster than 13.3 ms"
    double of_time = 0;      // its part of the time at the roof, 0 to 1
};

struct CostsRows {
    std::shared_ptr<const Costs> of;  // null: there is nothing to show yet
    std::vector<HeldRow> held;        // the total comes last
    std::vector<KeptRow> kept;        // in training
    std::string where;                // in inference: what is being made when the most activations are there
    std::vector<RunRow> run;
};
const CostsRows& costs_rows(const Ui& ui, const Shown& model, const CostsPage& page);
// Of them what takes memory alone. `shown`: the model that Explore has.
std::vector<HeldRow> held_rows(const Costs& costs, const ModelGraph& shown);

// Component hues for weights, the cache's for the cache, greys for what belongs to no part.
ImU32 held_colour(const Theme& theme, const HeldRow& row);
Swatch held_swatch(const Theme& theme, const HeldRow& row);

// Selecting a tensor of the pass in the model that Explore shows; nothing where that does not have it.
Subject subject_of_run(const Shown& model, const RunRow& row);

// The model's place where that tensor is made, in Explore.
void show_in_explore(const Shown& model, std::string_view tensor, Intents& intents);

// A chosen option as an intent: what the view remembers with one thing changed.
template <class Change>
Intent with_costs(CostsPlace place, Change change) {
    change(place);
    return AtCosts{SetCosts{std::move(place)}};
}

// What an hour of a device costs, as it was typed.
void price_row(const Ui& ui, std::string_view name, const CostsPlace& place, Intents& intents);

// "Prefill", "Decode", "Training"
inline constexpr std::array<std::string_view, 3> phase_names{"Prefill", "Decode", "Training"};

}  // namespace headcount
