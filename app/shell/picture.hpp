// A picture of the Explore view or of its diagram, drawn with no window and no display.
#pragma once

#include "app/gl/pixels.hpp"
#include "app/state/options.hpp"
#include "app/state/session.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Draws until nothing moves any more. The same session and size give the same pixels. Errors: no OpenGL 3.3.
Result<Pixels> draw_picture(Session session, PictureSize size);

// The diagram alone as an SVG document, where the view asks to be. It needs no OpenGL. Errors: the view shows none, or
// more than one; the size is too small for it.
Result<std::string> draw_diagram(const Session& session, PictureSize size);

// The same of one block of a model ("" is all of it), in the light theme and at the size that a printed page has room
// for. Empty where the model cannot be shown.
std::string draw_block(const Architecture& model, const Input& input, const std::string& block);

}  // namespace headcount
