// A picture of the window, or of one thing in it, drawn anew as fine as is asked for.
#pragma once

#include <optional>

#include "app/gl/pixels.hpp"
#include "app/gl/scene_renderer.hpp"
#include "app/shell/interface.hpp"
#include "app/shell/opengl_backend.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Builds one frame more, whose intents nobody hears of, and draws it with `density` times so many dots a pixel along a
// side; `extent` as in Interface::draw_slide. Afterwards the screen is drawn to again, and the next frame is to be
// built before it is. Errors: what is to be seen is not there; the picture is larger than the driver can draw.
Result<Pixels> draw_slide(Interface& interface, const OpenGlBackend& backend, SceneRenderer& scenes,
                          const Session& session, const Slide& slide, std::optional<ImVec2> extent = {},
                          float density = 1);

}  // namespace headcount
