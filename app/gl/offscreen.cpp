// A context, and a framebuffer in it.
#include "app/gl/offscreen.hpp"

namespace headcount {

Result<Offscreen> Offscreen::create(int width, int height) {
    Result<HiddenContext> context = HiddenContext::create();
    if (!context) return context.error();
    if (std::optional<Error> error = load_opengl(context->loader())) return *std::move(error);
    Result<Framebuffer> framebuffer = Framebuffer::create(width, height);
    if (!framebuffer) return framebuffer.error();
    return Offscreen(*std::move(context), *std::move(framebuffer));
}

}  // namespace headcount
