// A framebuffer with one buffer of colours.
#include "app/gl/framebuffer.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/gl/opengl.hpp"

namespace headcount {

Result<Framebuffer> Framebuffer::create(int width, int height) {
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    if (width < 1 || height < 1)
        return Error{"a picture of " + size + " pixels is empty", "size", "use a width and a height of at least 1"};
    GLint most = 0;
    GLint most_viewport[2] = {0, 0};
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, most_viewport);
    most = std::min({most, most_viewport[0], most_viewport[1]});
    const std::string limit = "use at most " + std::to_string(most) + "x" + std::to_string(most);
    if (width > most || height > most) return Error{"a picture of " + size + " pixels is too large", "size", limit};

    Framebuffer framebuffer(width, height);
    if (!framebuffer.add())
        return Error{"the driver has no memory for a picture of " + size + " pixels", "size", "use a smaller one"};
    return framebuffer;
}

bool Framebuffer::add() {
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &colour_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glBindRenderbuffer(GL_RENDERBUFFER, colour_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width_, height_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE && glGetError() == GL_NO_ERROR;
}

Framebuffer::Framebuffer(Framebuffer&& other) noexcept
    : width_(other.width_),
      height_(other.height_),
      framebuffer_(std::exchange(other.framebuffer_, 0)),
      colour_(std::exchange(other.colour_, 0)) {}

Framebuffer::~Framebuffer() {
    if (colour_) glDeleteRenderbuffers(1, &colour_);
    if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
}

void Framebuffer::clear(const std::array<float, 4>& rgba) const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    clear_frame(width_, height_, rgba);
}

Pixels Framebuffer::read(Backing backing) const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    return read_frame(width_, height_, backing);
}

}  // namespace headcount
