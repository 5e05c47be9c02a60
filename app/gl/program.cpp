// Compiling, linking, and the check that C++ and GLSL mean the same uniforms.
#include "app/gl/program.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "app/gl/opengl.hpp"
#include "core/base/find.hpp"
#include "embedded_shaders.hpp"

namespace headcount {
namespace {

struct TypeName {
    UniformType type;
    GLenum gl;
    std::string_view glsl;
};
constexpr std::array<TypeName, 5> type_names = {{
    {UniformType::integer, GL_INT, "int"},
    {UniformType::vec2, GL_FLOAT_VEC2, "vec2"},
    {UniformType::vec4, GL_FLOAT_VEC4, "vec4"},
    {UniformType::mat4, GL_FLOAT_MAT4, "mat4"},
    {UniformType::words, GL_UNSIGNED_INT_SAMPLER_2D, "usampler2D"},
}};

std::string path_of(std::string_view shader) { return "shaders/" + std::string(shader); }

int lines_in(std::string_view text) { return static_cast<int>(std::ranges::count(text, '\n')); }

Error complaint_of(std::string_view log, std::span<const ShaderFile> files) {
    const std::optional<ShaderComplaint> complaint = first_complaint(log);
    if (!complaint) return Error{"the driver says: " + std::string(log), path_of(files.back().name), ""};
    int line = complaint->line;
    std::size_t file = 0;
    for (; file + 1 < files.size() && line > lines_in(files[file].text); ++file) line -= lines_in(files[file].text);
    return Error{complaint->sentence, path_of(files[file].name) + ":" + std::to_string(line), ""};
}

template <class Ask, class Read>
std::string log_of(unsigned name, Ask ask, Read read) {
    GLint length = 0;
    ask(name, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
    read(name, length, &length, log.data());
    log.resize(static_cast<std::size_t>(std::max(length, 0)));
    return log;
}

Result<OwnedShader> compiled(GLenum stage, std::span<const ShaderFile> files) {
    // As one text whose lines are counted through: drivers do not agree on how to name one of several, and Mesa forgets
    // which it was.
    std::string text = std::string(shader_language) + "\n" + shader_precision + "#line 1\n";
    for (const ShaderFile& file : files) text += file.text;
    OwnedShader shader(glCreateShader(stage));
    const char* const start = text.c_str();
    const auto size = static_cast<GLint>(text.size());
    glShaderSource(shader.name(), 1, &start, &size);
    glCompileShader(shader.name());
    GLint fine = 0;
    glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &fine);
    if (fine) return shader;
    return complaint_of(log_of(shader.name(), glGetShaderiv, glGetShaderInfoLog), files);
}

std::string log_of_link(unsigned program) {
    const std::string log = log_of(program, glGetProgramiv, glGetProgramInfoLog);
    return log.substr(0, log.find_last_not_of(" \n\r\t") + 1);
}

// What is wrong with the uniforms that the program uses, or nothing.
std::optional<std::string> mismatch(unsigned program, std::span<const Uniform> declared) {
    std::vector<std::string> used;
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count; ++i) {
        std::array<char, 128> text{};
        GLint size = 0;
        GLenum type = 0;
        glGetActiveUniform(program, static_cast<GLuint>(i), static_cast<GLsizei>(text.size()), nullptr, &size, &type,
                           text.data());
        const std::string_view name = used.emplace_back(text.data());
        const auto same = std::ranges::find(declared, name, &Uniform::name);
        if (same == declared.end()) return "the shader uses a uniform that is not declared: " + used.back();
        const auto wanted = std::ranges::find(type_names, same->type, &TypeName::type);
        if (wanted->gl != type) return "the uniform " + used.back() + " is no " + std::string(wanted->glsl);
    }
    for (const Uniform& uniform : declared)
        if (!contains(used, uniform.name))
            return "the shader does not use the declared uniform " + std::string(uniform.name);
    return std::nullopt;
}

}  // namespace

Result<ShaderFile> embedded_shader(std::string_view name) {
    for (const EmbeddedShader& file : embedded_shaders())
        if (file.name == name)
            return ShaderFile{file.name, {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()}};
    return Error{"no such shader was embedded", path_of(name), "build the program again"};
}

Result<Program> Program::link(std::span<const ShaderFile> vertex, std::span<const ShaderFile> fragment,
                              std::span<const Uniform> uniforms) {
    const Result<OwnedShader> first = compiled(GL_VERTEX_SHADER, vertex);
    if (!first) return first.error();
    const Result<OwnedShader> second = compiled(GL_FRAGMENT_SHADER, fragment);
    if (!second) return second.error();

    const std::string both = path_of(vertex.back().name) + ", " + path_of(fragment.back().name);
    Program program;
    program.program_ = OwnedProgram(glCreateProgram());
    const unsigned name = program.name();
    glAttachShader(name, first->name());
    glAttachShader(name, second->name());
    glLinkProgram(name);
    GLint fine = 0;
    glGetProgramiv(name, GL_LINK_STATUS, &fine);
    if (!fine) return Error{log_of_link(name), both, ""};
    glDetachShader(name, first->name());
    glDetachShader(name, second->name());
    if (std::optional<std::string> wrong = mismatch(name, uniforms)) return Error{*std::move(wrong), both, ""};
    for (const Uniform& uniform : uniforms)
        program.locations_.push_back(glGetUniformLocation(name, std::string(uniform.name).c_str()));
    return program;
}

std::optional<ShaderComplaint> first_complaint(std::string_view log) {
    while (!log.empty()) {
        std::string_view line = log.substr(0, log.find('\n'));
        log.remove_prefix(std::min(log.size(), line.size() + 1));
        if (line.starts_with("ERROR: ")) line.remove_prefix(7);
        ShaderComplaint complaint;
        int text_number = 0;
        const char* const end = line.data() + line.size();
        const auto [after_number, no_number] = std::from_chars(line.data(), end, text_number);
        if (no_number != std::errc() || after_number == end || (*after_number != ':' && *after_number != '(')) continue;
        const auto [after_line, no_line] = std::from_chars(after_number + 1, end, complaint.line);
        if (no_line != std::errc()) continue;
        std::string_view rest(after_line, static_cast<std::size_t>(end - after_line));
        if (rest.starts_with('(')) rest.remove_prefix(std::min(rest.size(), rest.find(')') + 1));  // the column
        rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(") :")));
        if (rest.starts_with("warning")) continue;
        complaint.sentence = rest.substr(0, rest.find_last_not_of(" \r") + 1);
        return complaint;
    }
    return std::nullopt;
}

}  // namespace headcount
