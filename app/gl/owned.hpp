// One owner for each name that OpenGL gave out: a texture, a shader, a program.
#pragma once

#include <utility>

namespace headcount {

// `destroy` gives the name back; the context it came from must still be current. 0 is no name.
template <void (*destroy)(unsigned)>
class Owned {
  public:
    Owned() = default;
    explicit Owned(unsigned name) : name_(name) {}
    Owned(Owned&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(name_, other.name_);
        return *this;
    }
    ~Owned() {
        if (name_) destroy(name_);
    }

    unsigned name() const { return name_; }

  private:
    unsigned name_ = 0;
};

void delete_shader(unsigned name);
void delete_program(unsigned name);
void delete_texture(unsigned name);
void delete_vertex_array(unsigned name);

using OwnedShader = Owned<delete_shader>;
using OwnedProgram = Owned<delete_program>;
using OwnedTexture = Owned<delete_texture>;
using OwnedVertexArray = Owned<delete_vertex_array>;

OwnedTexture new_texture();
OwnedVertexArray new_vertex_array();

}  // namespace headcount
