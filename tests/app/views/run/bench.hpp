// The panels of the Run view as a workbench draws them: of what a session runs.
#pragma once

#include "app/views/run/parts.hpp"
#include "tests/support/small_run.hpp"
#include "tests/support/workbench.hpp"

namespace headcount::test {

template <Intents (*draw)(RunPanel)>
Intents of_run(const Ui& ui, const Session& session) {
    return draw({ui, session.running, session.view.run});
}

inline Intents draw_run_settings_panel(const Ui& ui, const Session& session) {
    return draw_run_settings({ui, session.running, session.view.run}, session, session.view.recent);
}

inline Intents draw_shown(const Ui& ui, const Session& session) {
    return draw_run_shown({ui, session.running, session.view.run}, session);
}

inline std::string words_of_step(const Session& session) { return step_words(session.running, session.view.run.speed); }

}  // namespace headcount::test
