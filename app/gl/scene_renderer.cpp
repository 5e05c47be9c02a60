// What a frame sends to the driver. Boxes and lines lie in one buffer of words; the shaders find theirs by the number
// of the vertex, so that a batch needs neither attributes nor uniforms of its own.
#include "app/gl/scene_renderer.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace headcount {
namespace {

// shaders/box.vert and shaders/line.vert read these structs as groups of four words.
constexpr std::size_t group = 4 * sizeof(std::uint32_t);
constexpr std::size_t box_groups = 7, line_groups = 2;
static_assert(sizeof(Box) == box_groups * group && sizeof(Line) == line_groups * group);
static_assert(offsetof(Box, bottom) == group && offsetof(Box, tab) == 2 * group && offsetof(Box, dash) == 3 * group);
static_assert(offsetof(Box, zero) == 4 * group && offsetof(Box, row_fraction) == 5 * group);
static_assert(offsetof(Box, values) == 6 * group && offsetof(Line, width) == group);

constexpr int face_corners = 6;
constexpr int things_unit = 0, values_unit = 1;

// The uniforms of each program, in the order of their lists below.
enum BoxUniform : std::size_t { box_view, box_area, box_eye, box_faces, box_things, box_values };
constexpr std::array<Uniform, 6> box_uniforms = {{{"view_projection", UniformType::mat4},
                                                  {"half_area", UniformType::vec2},
                                                  {"eye", UniformType::vec4},
                                                  {"faces", UniformType::integer},
                                                  {"things", UniformType::word_buffer},
                                                  {"values", UniformType::word_buffer}}};
constexpr std::span<const Uniform> plain_box_uniforms = std::span(box_uniforms).first(box_values);
enum LineUniform : std::size_t { line_view, line_area, line_first, line_things };
constexpr std::array<Uniform, 4> line_uniforms = {{{"view_projection", UniformType::mat4},
                                                   {"half_area", UniformType::vec2},
                                                   {"first_line", UniformType::integer},
                                                   {"things", UniformType::word_buffer}}};

// `settings` are lines before the fragment shader's.
Result<Program> linked(std::string_view vertex, std::string_view fragment, std::span<const Uniform> uniforms,
                       std::string_view settings = "") {
    const Result<ShaderFile> common = embedded_shader("common.glsl"), first = embedded_shader(vertex),
                             second = embedded_shader(fragment);
    for (const Result<ShaderFile>* file : {&common, &first, &second})
        if (!*file) return file->error();
    return Program::link(std::array{*common, *first}, std::array{*common, ShaderFile{"settings", settings}, *second},
                         uniforms);
}

// The camera's place: the point whose x, y and w the projection makes 0; with w = 0 it is a direction.
std::array<float, 4> eye_of(const std::array<float, 16>& view) {
    const auto at = [&](int row, int column) {
        return static_cast<double>(view[static_cast<std::size_t>(column) * 4 + static_cast<std::size_t>(row)]);
    };
    // Each coordinate is a minor of the rows x, y and w: the cross product of three vectors of four.
    std::array<double, 4> eye{};
    for (int left_out = 0; left_out < 4; ++left_out) {
        std::array<int, 3> c{};
        for (int i = 0, column = 0; column < 4; ++column)
            if (column != left_out) c[static_cast<std::size_t>(i++)] = column;
        const double minor = at(0, c[0]) * (at(1, c[1]) * at(3, c[2]) - at(1, c[2]) * at(3, c[1])) -
                             at(0, c[1]) * (at(1, c[0]) * at(3, c[2]) - at(1, c[2]) * at(3, c[0])) +
                             at(0, c[2]) * (at(1, c[0]) * at(3, c[1]) - at(1, c[1]) * at(3, c[0]));
        eye[static_cast<std::size_t>(left_out)] = left_out % 2 == 0 ? minor : -minor;
    }
    double largest = 0;
    for (double part : eye) largest = std::max(largest, std::abs(part));
    if (largest == 0) return {0, 0, 1, 0};
    for (double& part : eye) part /= largest;
    const bool infinite = std::abs(eye[3]) < 1e-9;
    if (infinite) eye[3] = 0;
    // A point may be written with either sign; the eye is above the plane.
    const double sign = (infinite ? eye[2] : eye[3]) < 0 ? -1 : 1;
    std::array<float, 4> result{};
    for (std::size_t i = 0; i < 4; ++i) result[i] = static_cast<float>(sign * eye[i]);
    return result;
}

// Whether height changes nothing on the screen, so that no side of a box can be seen.
bool looks_straight_down(const std::array<float, 16>& view) {
    return view[8] == 0 && view[9] == 0 && view[11] == 0;
}

bool has_cells(const Drawing& drawing, std::uint32_t first, int count) {
    const auto start = drawing.boxes.begin() + first;
    return std::any_of(start, start + count, [](const Box& box) { return box.pattern != CellPattern::none; });
}

}  // namespace

Result<SceneRenderer> SceneRenderer::create() {
    Result<Program> plain = linked("box.vert", "box.frag", plain_box_uniforms);
    if (!plain) return plain.error();
    Result<Program> cells = linked("box.vert", "box.frag", box_uniforms, "#define CELLS\n");
    if (!cells) return cells.error();
    Result<Program> lines = linked("line.vert", "line.frag", line_uniforms);
    if (!lines) return lines.error();
    return SceneRenderer(*std::move(plain), *std::move(cells), *std::move(lines));
}

SceneRenderer::SceneRenderer(Program plain, Program cells, Program lines)
    : plain_(std::move(plain)),
      cells_(std::move(cells)),
      lines_(std::move(lines)),
      no_vertices_(new_vertex_array()),
      things_(new_buffer()),
      values_(new_buffer()),
      things_seen_(new_texture()),
      values_seen_(new_texture()) {
    const auto see = [](const OwnedTexture& texture, const OwnedBuffer& buffer, GLenum form) {
        glBindBuffer(GL_TEXTURE_BUFFER, buffer.name());
        glBufferData(GL_TEXTURE_BUFFER, group, nullptr, GL_STREAM_DRAW);
        glBindTexture(GL_TEXTURE_BUFFER, texture.name());
        glTexBuffer(GL_TEXTURE_BUFFER, form, buffer.name());
    };
    see(things_seen_, things_, GL_RGBA32UI);
    see(values_seen_, values_, GL_R32UI);
    glUseProgram(plain_.name());
    glUniform1i(plain_.location(box_things), things_unit);
    glUseProgram(cells_.name());
    glUniform1i(cells_.location(box_things), things_unit);
    glUniform1i(cells_.location(box_values), values_unit);
    glUseProgram(lines_.name());
    glUniform1i(lines_.location(line_things), things_unit);
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    most_texels_ = static_cast<std::size_t>(std::max(most, 0));
}

template <class Function, class... Arguments>
void SceneRenderer::call(Function function, Arguments... arguments) {
    ++calls_;
    function(arguments...);
}

void SceneRenderer::prepare(const Drawing& drawing, int framebuffer_height, float density) {
    const auto whole = [&](float pixels) { return static_cast<int>(std::lround(pixels * density)); };
    const int left = whole(drawing.area.min.x), bottom = framebuffer_height - whole(drawing.area.max.y);
    const int width = std::max(whole(drawing.area.max.x) - left, 0);
    const int height = std::max(framebuffer_height - whole(drawing.area.min.y) - bottom, 0);
    call(glViewport, left, bottom, width, height);
    call(glScissor, left, bottom, width, height);
    call(glEnable, GL_SCISSOR_TEST);
    call(glEnable, GL_BLEND);
    call(glBlendEquation, GL_FUNC_ADD);
    call(glBlendFunc, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // the shaders' colours are multiplied by alpha
    call(glDisable, GL_CULL_FACE);
    call(glDisable, GL_DEPTH_TEST);
    call(glBindVertexArray, no_vertices_.name());
}

void SceneRenderer::upload(const Drawing& drawing, std::size_t boxes, std::size_t lines) {
    const auto bytes = [](std::size_t count) { return static_cast<GLsizeiptr>(count); };
    call(glBindBuffer, GL_TEXTURE_BUFFER, things_.name());
    // Without contents first: the driver need not wait for the frame that still reads the old ones.
    call(glBufferData, GL_TEXTURE_BUFFER, bytes(boxes * sizeof(Box) + lines * sizeof(Line)), nullptr, GL_STREAM_DRAW);
    call(glBufferSubData, GL_TEXTURE_BUFFER, GLintptr{0}, bytes(boxes * sizeof(Box)), drawing.boxes.data());
    call(glBufferSubData, GL_TEXTURE_BUFFER, bytes(boxes * sizeof(Box)), bytes(lines * sizeof(Line)),
         drawing.lines.data());
    if (!drawing.values.empty()) {
        const std::size_t values = std::min(drawing.values.size(), most_texels_);
        call(glBindBuffer, GL_TEXTURE_BUFFER, values_.name());
        call(glBufferData, GL_TEXTURE_BUFFER, bytes(values * sizeof(float)), drawing.values.data(), GL_STREAM_DRAW);
    }
    call(glActiveTexture, GL_TEXTURE0 + values_unit);
    call(glBindTexture, GL_TEXTURE_BUFFER, values_seen_.name());
    call(glActiveTexture, GL_TEXTURE0 + things_unit);
    call(glBindTexture, GL_TEXTURE_BUFFER, things_seen_.name());
}

void SceneRenderer::draw(const Drawing& drawing, int framebuffer_height, float density) {
    calls_ = 0;
    const std::size_t boxes = std::min(drawing.boxes.size(), most_texels_ / box_groups);
    const std::size_t lines = std::min(drawing.lines.size(), (most_texels_ - boxes * box_groups) / line_groups);
    if (boxes + lines == 0 || drawing.batches.empty()) return;
    prepare(drawing, framebuffer_height, density);
    upload(drawing, boxes, lines);

    const float half_width = drawing.area.width() / 2, half_height = drawing.area.height() / 2;
    const float* const view = drawing.view_projection.data();
    const std::array<float, 4> eye = eye_of(drawing.view_projection);
    const int faces = looks_straight_down(drawing.view_projection) ? 1 : 5;
    call(glUseProgram, lines_.name());
    call(glUniformMatrix4fv, lines_.location(line_view), 1, GL_FALSE, view);
    call(glUniform2f, lines_.location(line_area), half_width, half_height);
    call(glUniform1i, lines_.location(line_first), static_cast<int>(boxes * box_groups));
    for (const Program* program : {&plain_, &cells_}) {
        call(glUseProgram, program->name());
        call(glUniformMatrix4fv, program->location(box_view), 1, GL_FALSE, view);
        call(glUniform2f, program->location(box_area), half_width, half_height);
        call(glUniform4f, program->location(box_eye), eye[0], eye[1], eye[2], eye[3]);
        call(glUniform1i, program->location(box_faces), faces);
    }

    for (const Batch& batch : drawing.batches) {
        const bool is_boxes = batch.kind == Batch::Kind::boxes;
        const std::size_t there = is_boxes ? boxes : lines;
        if (batch.first >= there) continue;
        const auto count = static_cast<int>(std::min<std::size_t>(batch.count, there - batch.first));
        const int corners = is_boxes ? face_corners * faces : face_corners;
        const Program& program = !is_boxes ? lines_ : has_cells(drawing, batch.first, count) ? cells_ : plain_;
        call(glUseProgram, program.name());
        call(glDrawArrays, GL_TRIANGLES, static_cast<int>(batch.first) * corners, count * corners);
    }
}

}  // namespace headcount
