// How OpenGL gives out names and takes them back.
#include "app/gl/owned.hpp"

#include <glad/gl.h>

namespace headcount {

void delete_shader(unsigned name) { glDeleteShader(name); }

void delete_program(unsigned name) { glDeleteProgram(name); }

void delete_texture(unsigned name) { glDeleteTextures(1, &name); }

void delete_vertex_array(unsigned name) { glDeleteVertexArrays(1, &name); }

OwnedTexture new_texture() {
    GLuint name = 0;
    glGenTextures(1, &name);
    return OwnedTexture(name);
}

OwnedVertexArray new_vertex_array() {
    GLuint name = 0;
    glGenVertexArrays(1, &name);
    return OwnedVertexArray(name);
}

}  // namespace headcount
