// The way to what is shown in the middle of the Run view: model, layer, part, head, each to be chosen.
#pragma once

#include <optional>

#include "app/state/session.hpp"
#include "app/views/run/figures.hpp"

namespace headcount {

inline constexpr float run_way_height = 40;  // unscaled

// At the top of the window. Returns what was chosen instead.
std::optional<RunSight> draw_run_way(const Ui& ui, const Session& session, const RunSight& sight);

}  // namespace headcount
