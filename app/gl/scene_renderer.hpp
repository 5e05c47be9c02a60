// A Drawing on the screen with OpenGL: its boxes and lines, not its words. Everything goes to the driver at once, and
// each batch is one call to draw, or a few where that spares many pixels (box_runs.hpp), so that the number of calls
// does not grow with what is drawn.
#pragma once

#include <cstddef>
#include <vector>

#include "app/canvas/drawing.hpp"
#include "app/gl/program.hpp"
#include "core/base/result.hpp"

namespace headcount {

class SceneRenderer {
  public:
    // Needs a current context in which load_opengl worked; the renderer must be gone before that context is.
    // Errors: a shader that this driver does not compile.
    static Result<SceneRenderer> create();

    // Over what is in the framebuffer that is bound, inside the drawing's area alone. The scissor, the blending, the
    // viewport, the program and the vertex array are left as this needs them; texture unit 0 is active.
    // What is more than the driver's textures hold is left out.
    // `density` is the framebuffer's pixels a pixel of the drawing.
    void draw(const Drawing& drawing, int framebuffer_height, float density = 1);

    // Calls to OpenGL that the last draw made: 38 at most, and 3 for each call to draw.
    std::size_t calls() const { return calls_; }

  private:
    struct Sizes;

    SceneRenderer(std::vector<Program> boxes, Program lines);
    template <class Function, class... Arguments>
    void call(Function function, Arguments... arguments);
    void prepare(const Drawing& drawing, int framebuffer_height, float density);
    void put_words(const OwnedTexture& texture, const void* words, std::size_t texels, int words_a_texel);
    void upload(const Drawing& drawing, const Sizes& sizes, const std::vector<Rect>& holes);
    void tell_lines(const Drawing& drawing, const Sizes& sizes);
    void tell_boxes(const Program& program, const Drawing& drawing, int faces);

    std::vector<Program> boxes_;  // by BoxNeeds
    Program lines_;
    OwnedVertexArray no_vertices_;      // everything is read from textures, but OpenGL wants one
    OwnedTexture things_, values_;      // boxes, lines and holes in groups of four words; the values of cells
    std::vector<std::uint32_t> words_;  // the former as they are sent, kept for its memory
    std::size_t most_texels_ = 0;       // that a texture has
    std::size_t calls_ = 0;
};

}  // namespace headcount
