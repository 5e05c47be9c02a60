// Waiting, within a frame, for a run that takes next to no time.
#pragma once

#include <chrono>

#include "app/state/run/page.hpp"

namespace headcount {

// A turn of the window waits no longer than that for what was asked in it: less than a picture takes to draw where it
// is drawn slowly, and than a person sees.
inline constexpr std::chrono::milliseconds longest_wait_for_run{4};

// Whether something comes in until then that is not taken over (see has_news): at once where nothing is under way, and
// where the last pass took so long that the next will not be there in time.
bool news_comes(const RunPage& page, std::chrono::steady_clock::time_point until);

}  // namespace headcount
