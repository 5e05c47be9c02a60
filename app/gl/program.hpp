// Shaders compiled and linked: what the driver complains of is an error that names the file and the line.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gl/owned.hpp"
#include "core/base/result.hpp"

namespace headcount {

// A file of shaders/: its name ("box.vert") and what is in it.
struct ShaderFile {
    std::string_view name;
    std::string_view text;
};

// What the build embedded. Errors: no such file.
Result<ShaderFile> embedded_shader(std::string_view name);

enum class UniformType { integer, vec2, vec4, mat4, words };

// A uniform as the C++ code means to set it.
struct Uniform {
    std::string_view name;
    UniformType type;
};

class Program {
  public:
    // Each stage is its files one after the other, each ending with its line; the language is put before them.
    // Errors: what the driver says, with the file and the line; a uniform that is declared here and that the program
    // does not use or that has another type there; one that the program uses and that is not declared here.
    static Result<Program> link(std::span<const ShaderFile> vertex, std::span<const ShaderFile> fragment,
                                std::span<const Uniform> uniforms);

    unsigned name() const { return program_.name(); }
    // Of the uniform with this index in the list that the program was linked with.
    int location(std::size_t uniform) const { return locations_[uniform]; }

  private:
    OwnedProgram program_;
    std::vector<int> locations_;
};

// Where a driver's log points first, and what it says there. Drivers write "0:12(5): error: ...", "0(12) : error ..."
// or "ERROR: 0:12: ..."; the line is the second number.
struct ShaderComplaint {
    int line = 0;
    std::string sentence;
};
std::optional<ShaderComplaint> first_complaint(std::string_view log);

}  // namespace headcount
