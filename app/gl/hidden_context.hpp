// An OpenGL 3.3 core context that belongs to no window on the screen. How it is made depends on the system.
#pragma once

#include <functional>
#include <memory>

#include "app/gl/opengl.hpp"
#include "core/base/result.hpp"

namespace headcount {

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

}  // namespace headcount
