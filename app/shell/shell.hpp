// What main calls: the window, and a picture of what it would show.
#pragma once

#include "app/state/options.hpp"

namespace headcount {

// Opens the window and returns when it is closed, or makes the screenshot that was asked for. The result is the
// process's exit status; what went wrong is said on standard error.
int run_window(const WindowOptions& options);

// Writes the view as a PNG file, or its diagram alone as an SVG file; needs no display.
int render_picture(const RenderOptions& options);

}  // namespace headcount
