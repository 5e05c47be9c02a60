// What this build can do of it.
#include "app/state/window_options.hpp"

namespace headcount {

bool writes_gif() {
#if HEADCOUNT_GIF
    return true;
#else
    return false;
#endif
}

}  // namespace headcount
