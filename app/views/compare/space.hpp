// The Compare view: two models side by side, and where their difference comes from.
#pragma once

#include "app/parts/views.hpp"

namespace headcount {

Area draw_compare_space(const PanelFrame& frame);
void report_compare(const Session& session, nlohmann::ordered_json& report);

inline constexpr ViewKind compare_kind{.key = compare_view,
                                       .name = "Compare",
                                       .help = "Two models side by side, and where their difference comes from.",
                                       .draw = draw_compare_space,
                                       .report = report_compare};

}  // namespace headcount
