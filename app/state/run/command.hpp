// An experiment of the Run view as the command line does it.
#pragma once

#include <string>

#include "app/state/run/snapshot.hpp"
#include "core/files/document.hpp"

namespace headcount {

// "headcount run tiny-stories --prompt 'Once upon a time' --off layer.1.attention.head:3", for a shell: of the model
// that `run` is of, which is `own` where that is the user's. Of what is replaced two lines: the first writes what the
// other prompt makes into a file.
std::string run_command(const RunSnapshot& run, const RunPlace& place, const Document& own, const Change& change);

}  // namespace headcount
