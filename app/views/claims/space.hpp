// The Claims view: published statements beside the diagram.
#pragma once

#include "app/parts/views.hpp"

namespace headcount {

Area draw_claims_space(const PanelFrame& frame);
void report_claims(const Session& session, nlohmann::ordered_json& report);

inline constexpr ViewKind claims_kind{.key = claims_view,
                                      .name = "Claims",
                                      .help = "Published statements, checked.",
                                      .draw = draw_claims_space,
                                      .report = report_claims};

}  // namespace headcount
