// The Costs view: the memory and the arithmetic of the model on a device.
#pragma once

#include "app/parts/views.hpp"

namespace headcount {

Area draw_costs_space(const PanelFrame& frame);
void report_costs(const Session& session, nlohmann::ordered_json& report);

inline constexpr ViewKind costs_kind{.key = costs_view,
                                     .name = "Costs",
                                     .help = "Memory and arithmetic of the model on a device.",
                                     .draw = draw_costs_space,
                                     .report = report_costs};

}  // namespace headcount
