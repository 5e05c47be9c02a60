/* Stands before Dear ImGui's OpenGL, which asks in each frame for the state that it puts back after it. In a page nobody else
   draws, and each answer waits until all that was asked for is drawn. */
#pragma once
#include <GLES3/gl3.h>

inline void state_that_nobody_needs(GLenum name, GLint* values) {
    switch (name) {
        case GL_VIEWPORT:
        case GL_SCISSOR_BOX: values[1] = values[2] = values[3] = 0; [[fallthrough]];
        case GL_CURRENT_PROGRAM:
        case GL_TEXTURE_BINDING_2D:
        case GL_SAMPLER_BINDING:
        case GL_ARRAY_BUFFER_BINDING:
        case GL_VERTEX_ARRAY_BINDING:
        case GL_BLEND_SRC_RGB:
        case GL_BLEND_DST_RGB:
        case GL_BLEND_SRC_ALPHA:
        case GL_BLEND_DST_ALPHA: values[0] = 0; return;
        case GL_ACTIVE_TEXTURE: values[0] = GL_TEXTURE0; return;
        case GL_BLEND_EQUATION_RGB:
        case GL_BLEND_EQUATION_ALPHA: values[0] = GL_FUNC_ADD; return;
        default: glGetIntegerv(name, values);
    }
}
#define glGetIntegerv state_that_nobody_needs
