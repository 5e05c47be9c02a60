// What is drawn into in place of the screen, and read back: colours of a size that no window need have.
#pragma once

#include <array>

#include "app/gl/pixels.hpp"
#include "core/base/result.hpp"

namespace headcount {

class Framebuffer {
  public:
    // In the OpenGL context that is current, which must outlive it. Leaves it bound, so that what is drawn next lands
    // in it. Errors: a size below 1 or above what the driver can draw.
    static Result<Framebuffer> create(int width, int height);

    Framebuffer(Framebuffer&& other) noexcept;
    Framebuffer& operator=(Framebuffer&&) = delete;
    ~Framebuffer();  // the screen is bound again

    int width() const { return width_; }
    int height() const { return height_; }

    // Binds it again after something else was bound, and fills it.
    void clear(const std::array<float, 4>& rgba) const;
    Pixels read(Backing backing = Backing::solid) const;

  private:
    Framebuffer(int width, int height) : width_(width), height_(height) {}
    bool add();

    int width_ = 0;
    int height_ = 0;
    unsigned framebuffer_ = 0;
    unsigned colour_ = 0;
};

}  // namespace headcount
