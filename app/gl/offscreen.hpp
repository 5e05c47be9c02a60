// A picture to draw into with no window: a hidden OpenGL 3.3 context, which belongs to no window on the screen, and a
// framebuffer of a given size.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "app/gl/framebuffer.hpp"
#include "app/gl/opengl.hpp"
#include "app/gl/pixels.hpp"
#include "core/base/result.hpp"

namespace headcount {

// An OpenGL 3.3 core context that belongs to no window on the screen. How it is made depends on the system.
class HiddenContext {
  public:
    // Makes the context and makes it current on this thread. With EGL no display is needed.
    static Result<HiddenContext> create();

    OpenGlLoader loader() const { return loader_; }

  private:
    using Handle = std::unique_ptr<void, std::function<void(void*)>>;
    HiddenContext(Handle handle, OpenGlLoader loader) : handle_(std::move(handle)), loader_(loader) {}

    Handle handle_;
    OpenGlLoader loader_;
};

class Offscreen {
  public:
    // Leaves its context current and its framebuffer bound, so that what is drawn next lands in it.
    // Errors: no OpenGL 3.3 to be had; a size below 1 or above what the driver can draw.
    static Result<Offscreen> create(int width, int height);

    int width() const { return framebuffer_.width(); }
    int height() const { return framebuffer_.height(); }

    // Binds the framebuffer again after something else was bound, and fills it.
    void clear(const std::array<float, 4>& rgba) const { framebuffer_.clear(rgba); }
    Pixels read() const { return framebuffer_.read(); }

  private:
    Offscreen(HiddenContext context, Framebuffer framebuffer)
        : context_(std::move(context)), framebuffer_(std::move(framebuffer)) {}

    HiddenContext context_;
    Framebuffer framebuffer_;
};

}  // namespace headcount
