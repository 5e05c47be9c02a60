// Several models side by side, a row each: tables and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/sweep.hpp"
#include "core/report/table.hpp"

namespace headcount {

struct ModelBeside {
    const CountedModel& model;
    const SweepPoint& point;
    std::string_view sign;  // before its figures, where they are in doubt
};

// Total, what is active for each token, and each component that one of them has.
Table models_table(std::span<const ModelBeside> models);

// The figures of sweep that all of them have.
Table model_figures_table(std::span<const ModelBeside> models);

// {"name", "family", "total", "active", "by_component"}
nlohmann::ordered_json model_json(const CountedModel& model);

// {"total": 6738415616, ...}: each figure by its name.
nlohmann::ordered_json figures_json(const SweepPoint& point);

}  // namespace headcount
