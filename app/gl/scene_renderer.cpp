// What a frame sends to the driver. Boxes and lines lie in one texture of words; the shaders find theirs by the number
// of the vertex, so that a batch needs neither attributes nor uniforms of its own.
#include "app/gl/scene_renderer.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "app/gl/box_runs.hpp"

namespace headcount {
namespace {

// shaders/box.vert and shaders/line.vert read these structs as groups of four words.
constexpr std::size_t group = 4 * sizeof(std::uint32_t);
constexpr std::size_t box_groups = 7, line_groups = 2;
static_assert(sizeof(Box) == box_groups * group && sizeof(Line) == line_groups * group);
static_assert(offsetof(Box, bottom) == group && offsetof(Box, tab) == 2 * group && offsetof(Box, dash) == 3 * group);
static_assert(offsetof(Box, zero) == 4 * group && offsetof(Box, row_fraction) == 5 * group);
static_assert(offsetof(Box, values) == 6 * group && offsetof(Line, width) == group);

constexpr int face_corners = 6, strips_around_a_hole = 4;
constexpr int things_unit = 0, values_unit = 1;
constexpr std::size_t texels_a_row = 1024;  // as in shaders/common.glsl
constexpr std::uint32_t no_number = 0x7fc00000;

// The uniforms of each program, in the order of their lists below.
enum BoxUniform : std::size_t { box_view, box_area, box_eye, box_faces, box_holes, box_things, box_values };
constexpr std::array<Uniform, 7> box_uniforms = {{{"view_projection", UniformType::mat4},
                                                  {"half_area", UniformType::vec2},
                                                  {"eye", UniformType::vec4},
                                                  {"faces", UniformType::integer},
                                                  {"holes", UniformType::integer},
                                                  {"things", UniformType::words},
                                                  {"values", UniformType::words}}};
constexpr std::span<const Uniform> valueless_box_uniforms = std::span(box_uniforms).first(box_values);
enum LineUniform : std::size_t { line_view, line_area, line_first, line_things };
constexpr std::array<Uniform, 4> line_uniforms = {{{"view_projection", UniformType::mat4},
                                                   {"half_area", UniformType::vec2},
                                                   {"first_line", UniformType::integer},
                                                   {"things", UniformType::words}}};

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

}  // namespace

Result<SceneRenderer> SceneRenderer::create() {
    // In the order of BoxNeeds.
    constexpr std::array<std::string_view, 4> settings{"#define HEAT\n", "#define LOOK\n",
                                                       "#define LOOK\n#define CELLS\n",
                                                       "#define LOOK\n#define CELLS\n#define HEAT\n#define MANY\n"};
    std::vector<Program> boxes;
    for (const std::string_view setting : settings) {
        const bool values = setting.find("HEAT") != setting.npos;
        Result<Program> program =
            linked("box.vert", "box.frag", values ? std::span(box_uniforms) : valueless_box_uniforms, setting);
        if (!program) return program.error();
        boxes.push_back(*std::move(program));
    }
    Result<Program> lines = linked("line.vert", "line.frag", line_uniforms);
    if (!lines) return lines.error();
    return SceneRenderer(std::move(boxes), *std::move(lines));
}

SceneRenderer::SceneRenderer(std::vector<Program> boxes, Program lines)
    : boxes_(std::move(boxes)),
      lines_(std::move(lines)),
      no_vertices_(new_vertex_array()),
      things_(new_texture()),
      values_(new_texture()) {
    for (const OwnedTexture* texture : {&things_, &values_}) {
        glBindTexture(GL_TEXTURE_2D, texture->name());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    for (const Program& program : boxes_) {
        glUseProgram(program.name());
        glUniform1i(program.location(box_things), things_unit);
    }
    for (const BoxNeeds needs : {BoxNeeds::heat, BoxNeeds::all}) {
        const Program& program = boxes_[static_cast<std::size_t>(needs)];
        glUseProgram(program.name());
        glUniform1i(program.location(box_values), values_unit);
    }
    glUseProgram(lines_.name());
    glUniform1i(lines_.location(line_things), things_unit);
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    most_texels_ = static_cast<std::size_t>(std::max(most, 0)) * texels_a_row;
}

// How much lies in the texture of things: boxes, then lines, then holes.
struct SceneRenderer::Sizes {
    std::size_t boxes = 0, lines = 0, holes = 0;

    std::size_t texels() const { return boxes * box_groups + lines * line_groups + holes; }
    int first_hole() const { return static_cast<int>(boxes * box_groups + lines * line_groups); }
};

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

// Whole rows, and what is left over in one more.
void SceneRenderer::put_words(const OwnedTexture& texture, const void* words, std::size_t texels, int words_a_texel) {
    const bool four = words_a_texel == 4;
    const GLenum form = four ? GL_RGBA_INTEGER : GL_RED_INTEGER;
    const std::size_t row_words = texels_a_row * static_cast<std::size_t>(words_a_texel);
    const std::size_t rows = texels / texels_a_row, rest = texels % texels_a_row;
    const auto across = static_cast<int>(texels_a_row), down = static_cast<int>(rows);
    call(glBindTexture, GL_TEXTURE_2D, texture.name());
    // Without contents first: the driver need not wait for the frame that still reads the old ones.
    call(glTexImage2D, GL_TEXTURE_2D, 0, four ? GL_RGBA32UI : GL_R32UI, across, down + (rest > 0 ? 1 : 0), 0, form,
         GL_UNSIGNED_INT, static_cast<const void*>(nullptr));
    if (rows > 0) call(glTexSubImage2D, GL_TEXTURE_2D, 0, 0, 0, across, down, form, GL_UNSIGNED_INT, words);
    if (rest == 0) return;
    std::vector<std::uint32_t> last(row_words, no_number);
    std::memcpy(last.data(), static_cast<const std::uint32_t*>(words) + rows * row_words,
                rest * static_cast<std::size_t>(words_a_texel) * sizeof(std::uint32_t));
    call(glTexSubImage2D, GL_TEXTURE_2D, 0, 0, down, across, 1, form, GL_UNSIGNED_INT,
         static_cast<const void*>(last.data()));
}

void SceneRenderer::upload(const Drawing& drawing, const Sizes& sizes, const std::vector<Rect>& holes) {
    static_assert(sizeof(Rect) == group);
    words_.resize(sizes.texels() * 4);
    auto* at = reinterpret_cast<unsigned char*>(words_.data());
    const auto put = [&](const void* from, std::size_t bytes) {
        if (bytes > 0) std::memcpy(at, from, bytes);
        at += bytes;
    };
    put(drawing.boxes.data(), sizes.boxes * sizeof(Box));
    put(drawing.lines.data(), sizes.lines * sizeof(Line));
    put(holes.data(), sizes.holes * sizeof(Rect));
    call(glActiveTexture, GL_TEXTURE0 + values_unit);
    if (drawing.values.empty())
        call(glBindTexture, GL_TEXTURE_2D, values_.name());
    else
        put_words(values_, drawing.values.data(), std::min(drawing.values.size(), most_texels_), 1);
    call(glActiveTexture, GL_TEXTURE0 + things_unit);
    put_words(things_, words_.data(), sizes.texels(), 4);
}

void SceneRenderer::tell_lines(const Drawing& drawing, const Sizes& sizes) {
    call(glUniformMatrix4fv, lines_.location(line_view), 1, GL_FALSE, drawing.view_projection.data());
    call(glUniform2f, lines_.location(line_area), drawing.area.width() / 2, drawing.area.height() / 2);
    call(glUniform1i, lines_.location(line_first), static_cast<int>(sizes.boxes * box_groups));
}

void SceneRenderer::tell_boxes(const Program& program, const Drawing& drawing, int faces) {
    const std::array<float, 4> eye = eye_of(drawing.view_projection);
    call(glUniformMatrix4fv, program.location(box_view), 1, GL_FALSE, drawing.view_projection.data());
    call(glUniform2f, program.location(box_area), drawing.area.width() / 2, drawing.area.height() / 2);
    call(glUniform4f, program.location(box_eye), eye[0], eye[1], eye[2], eye[3]);
    call(glUniform1i, program.location(box_faces), faces);
}

void SceneRenderer::draw(const Drawing& drawing, int framebuffer_height, float density) {
    calls_ = 0;
    Sizes sizes;
    sizes.boxes = std::min(drawing.boxes.size(), most_texels_ / box_groups);
    sizes.lines = std::min(drawing.lines.size(), (most_texels_ - sizes.boxes * box_groups) / line_groups);
    if (sizes.boxes + sizes.lines == 0 || drawing.batches.empty()) return;
    const std::optional<Point> pixel = pixel_seen_flat(drawing, density);
    std::vector<Rect> holes;
    // Boxes that are left out cover nothing.
    if (pixel && sizes.boxes == drawing.boxes.size()) holes = holes_in(drawing, *pixel);
    sizes.holes = sizes.texels() + holes.size() > most_texels_ ? 0 : holes.size();
    holes.resize(sizes.holes);
    prepare(drawing, framebuffer_height, density);
    upload(drawing, sizes, holes);

    const int faces = pixel ? 1 : 5;
    std::array<bool, 4> told{};  // the programs that know the camera
    const Program* used = nullptr;
    const auto use = [&](const Program& program) {
        if (used != &program) call(glUseProgram, program.name());
        used = &program;
    };
    bool lines_told = false;
    for (const Batch& batch : drawing.batches) {
        const bool is_boxes = batch.kind == Batch::Kind::boxes;
        const std::size_t there = is_boxes ? sizes.boxes : sizes.lines;
        if (batch.first >= there) continue;
        const Batch shown{batch.kind, batch.first,
                          static_cast<std::uint32_t>(std::min<std::size_t>(batch.count, there - batch.first))};
        if (!is_boxes) {
            use(lines_);
            if (!std::exchange(lines_told, true)) tell_lines(drawing, sizes);
            call(glDrawArrays, GL_TRIANGLES, static_cast<int>(shown.first) * face_corners,
                 static_cast<int>(shown.count) * face_corners);
            continue;
        }
        for (const BoxRun& run : box_runs(drawing, shown, pixel, holes)) {
            const auto needs = static_cast<std::size_t>(run.needs);
            const Program& program = boxes_[needs];
            use(program);
            if (!std::exchange(told[needs], true)) tell_boxes(program, drawing, faces);
            const int corners = face_corners * (run.holes ? strips_around_a_hole : faces);
            call(glUniform1i, program.location(box_holes), run.holes ? sizes.first_hole() : -1);
            call(glDrawArrays, GL_TRIANGLES, static_cast<int>(run.first) * corners,
                 static_cast<int>(run.count) * corners);
        }
    }
}

}  // namespace headcount
