// What works by itself, done at once: for pictures, before which nobody waits.
#pragma once

#include "app/state/session.hpp"

namespace headcount {

// What runs or trains in the view on the screen: a few tokens behind the prompt, a few steps, so that there is
// something to see.
void work_for_picture(Session& session);

// What a tour's step may look at. In two parts for who cannot wait: the first returns how many steps of a training are
// still to be made, of what has none yet all, the other makes so many.
void work_for_step(Session& session);
int begin_work_for_step(Session& session);
void learn(Session& session, int steps);

}  // namespace headcount
