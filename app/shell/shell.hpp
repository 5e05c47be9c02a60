// What main calls: the window, and a picture of what it would show, drawn with no window and no display.
#pragma once

#include "app/gl/pixels.hpp"
#include "app/state/session.hpp"
#include "app/state/window_options.hpp"
#include "core/base/result.hpp"
#include "core/handout/handout.hpp"

namespace headcount {

// Opens the window and returns when it is closed, or makes the screenshot that was asked for. The result is the
// process's exit status; what went wrong is said on standard error.
int run_window(const WindowOptions& options);

// Writes the view as a PNG file, its diagram alone as an SVG file, or what moves as frames; needs no display. What of a
// link is not there is said on standard error.
Result<std::filesystem::path> write_rendered(const RenderOptions& options);
// The same, and says so; an exit status.
int render_picture(const RenderOptions& options);

// Draws until nothing moves any more: the window, or of the diagram one of this size. The same session and size give
// the same pixels. Errors: no OpenGL 3.3; for a diagram those of draw_diagram.
Result<Pixels> draw_picture(Session session, PictureSize size, const Slide& slide = {});

// The diagram alone as an SVG document, where the view asks to be. It needs no OpenGL. Errors: the view shows none, or
// more than one; the size is too small for it.
Result<std::string> draw_diagram(const Session& session, PictureSize size, const Slide& slide = {});

// The same of a tensor or block of a model ("" is all of it), which is lit, in the light theme and at the size that a
// printed page has room for. Empty where the model cannot be shown.
std::string draw_place(const Architecture& model, const Input& input, const std::string& place, PictureNumbers numbers);

}  // namespace headcount
