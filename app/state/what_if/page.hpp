// What the What-if view shows of the document, worked out when somebody looks: answers, each with what it is the answer
// to. No part of the document.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/state/what_if/place.hpp"
#include "core/analysis/pass.hpp"
#include "core/analysis/rates.hpp"
#include "core/analysis/same_shape.hpp"
#include "core/analysis/scaling_laws.hpp"
#include "core/analysis/sensitivity.hpp"
#include "core/analysis/solve.hpp"
#include "core/analysis/sweep.hpp"
#include "core/files/document.hpp"
#include "core/files/presets.hpp"

namespace headcount {

inline constexpr std::int64_t most_drawn = 20'000;  // points of a sweep: more are no picture, and would be waited for

// Why there is no such figure of this input; empty where there is.
std::string no_figure(Metric metric, const PassOptions& pass, const Input& input);

// What all answers depend on.
struct WhatIfQuestion {
    Architecture architecture;
    Input input;
    PassOptions pass;                             // as the Costs view counts
    std::shared_ptr<const Reached> reached = {};  // for likely times

    bool operator==(const WhatIfQuestion&) const = default;
};

// What was found along a range of one number, of two or three.
struct FoundSweep {
    WhatIfQuestion of;
    SweepPlace place;
    std::vector<ValueRange> ranges;  // as asked, or as suggested where nothing was
    std::optional<Sweep> sweep;
    std::optional<SweepPoint> now;  // what the document is, to mark it in a chart; nothing where it cannot be counted
    std::string problem;            // a sentence: why there is no sweep

    // Whichever of the third number's values is drawn.
    bool is_of(const SweepPlace& asked) const { return place.ranges == asked.ranges && place.metric == asked.metric; }
};

struct FoundSensitivity {
    WhatIfQuestion of;
    Metric metric = Metric::total;
    std::optional<Sensitivity> sensitivity;
    std::string problem;
};

// A search, with what is held and free worked out of what was typed.
struct FoundAnswers {
    Wish wish;
    std::vector<Answer> answers;        // the best first
    bool unread = false;                // what was typed is no amount: said at its field
    std::vector<std::string> own;       // of each condition what the model has
    std::vector<std::string> problems;  // of each condition what is wrong with what was typed; empty: nothing
    std::string problem;
};
struct FoundSizes {
    std::int64_t total = 0;         // that was asked for
    std::vector<SizedModel> sizes;  // the nearest first
    std::size_t siblings = 0;       // published sizes of the family that the proportions are of; 1: its own alone
    std::string problem;
};
struct FoundTraining {
    TrainingPlan best;  // for the budget
    TrainingPlan here;  // the budget spent on the model as it is
    TrainingPlan rule;  // what the rule asks for the model as it is
    std::vector<LawSays> laws;
    std::string problem;
};

// What a wish came to: of the Solve tab, and of the front.
struct FoundWish {
    WhatIfQuestion of;
    SolvePlace place;
    std::optional<SweepPoint> now;  // with its memory
    FoundAnswers answers;
};
struct FoundSolve : FoundWish {
    FoundSizes sizes;
    FoundTraining training;
};
// Of many answers those that no other beats in two figures.
struct FoundFront : FoundWish {
    std::vector<std::size_t> front;                // places among the answers
    std::optional<std::array<double, 2>> figures;  // of the model as it is
};

struct WhatIfPage {
    // Of the document as it is, each where its tab was looked at; null before.
    std::shared_ptr<const FoundSweep> sweep;
    std::shared_ptr<const FoundSensitivity> sensitivity;
    std::shared_ptr<const FoundSolve> solve;
    std::shared_ptr<const FoundFront> front;
};

// In the What-if view: works out what the tab that is open shows, with a pass counted as in Costs. `preset` is the id
// of the document's. Does nothing where it is there already.
void look_at_what_if(WhatIfPage& page, const WhatIfPlace& place, const WhatIfQuestion& question,
                     std::string_view preset, std::span<const Preset> presets);

// The published sizes of the preset's family, itself among them; none for a file.
std::vector<Architecture> siblings_of(std::span<const Preset> presets, std::string_view id);

void change_what_if(WhatIfPlace& place, const WhatIfIntent& intent);

}  // namespace headcount
