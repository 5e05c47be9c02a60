// The few OpenGL calls that a program needs whose drawing is done by Dear ImGui: load, clear, read back.
#pragma once

#include <array>
#include <optional>

#include "app/gl/pixels.hpp"
#include "core/base/result.hpp"

namespace headcount {

using OpenGlFunction = void (*)();
using OpenGlLoader = OpenGlFunction (*)(const char* name);  // glfwGetProcAddress, eglGetProcAddress

// The first line of every shader: its language; and the lines behind it that the language asks for.
#ifdef __EMSCRIPTEN__
inline constexpr const char* shader_language = "#version 300 es";
inline constexpr const char* shader_precision =
    "precision highp float;\nprecision highp int;\nprecision highp usampler2D;\n";
#else
inline constexpr const char* shader_language = "#version 330 core";
inline constexpr const char* shader_precision = "";
#endif

// Finds the functions of OpenGL 3.3 for the context that is current. Nothing below works before this did.
std::optional<Error> load_opengl(OpenGlLoader loader);

// Makes the whole of the current framebuffer, width by height pixels, the part that is drawn to, and fills it.
void clear_frame(int width, int height, const std::array<float, 4>& rgba);

// The current framebuffer as it stands, the top row first.
Pixels read_frame(int width, int height, Backing backing = Backing::solid);

}  // namespace headcount
