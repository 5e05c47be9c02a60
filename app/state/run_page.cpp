// Keeps the worker at what the view asks for.
#include "app/state/run_page.hpp"

#include "app/state/session.hpp"

namespace headcount {

void look_at_run(Session&) {}

void change_run(Session& session, const RunIntent& intent) {
    if (const auto* set = std::get_if<SetRun>(&intent)) session.view.run = set->place;
}

void finish_run(Session&) {}

}  // namespace headcount
