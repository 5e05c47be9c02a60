// The Run view: a model that runs, with what it says and every number in it.
#pragma once

#include "app/parts/views.hpp"

namespace headcount {

Area draw_run_space(const PanelFrame& frame);
void report_run(const Session& session, nlohmann::ordered_json& report);
std::vector<Action> run_actions();

inline constexpr ViewKind run_kind{.key = run_view,
                                   .name = "Run",
                                   .help = "A model that runs, with every number in it.",
                                   .draw = draw_run_space,
                                   .report = report_run,
                                   .actions = run_actions};

}  // namespace headcount
