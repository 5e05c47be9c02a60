// Where the window was on the screen, as the system counts: in pixels or in lengths.
#pragma once

#include <array>
#include <optional>

namespace headcount {

struct WindowPlace {
    std::optional<std::array<int, 2>> corner = {};  // of what is drawn, without the frame; some systems do not tell
    std::optional<std::array<int, 2>> size = {};    // while it is not maximised
    bool maximised = false;

    bool operator==(const WindowPlace&) const = default;
};

}  // namespace headcount
