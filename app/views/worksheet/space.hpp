// The Worksheet view: a sheet's questions beside the diagram.
#pragma once

#include "app/parts/views.hpp"

namespace headcount {

Area draw_worksheet_space(const PanelFrame& frame);
void report_worksheet(const Session& session, nlohmann::ordered_json& report);

inline constexpr ViewKind worksheet_kind{.key = worksheet_view,
                                         .name = "Worksheet",
                                         .help = "Questions that are answered on the diagram.",
                                         .draw = draw_worksheet_space,
                                         .report = report_worksheet};

}  // namespace headcount
