// What another stack made, where cross-attention reads it.
#include <algorithm>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {
namespace {

constexpr float memory_branch = 10, memory_foot = 8;  // design pixels: right of the stream's branch, above the edge

// What another stack made, left of the layer: the last norm of that, and what comes out of it.
float lay_out_memory_beside(Sketch& sketch, const Plan& plan, const std::string& memory, float y) {
    const float scale = plan.scales.model, wide = sketch.thick(sketch.sides(memory).columns, scale);
    const float right = plan.layer.min.x - sketch.px(12);
    const Rect slab = sketch.slab(memory, {right - wide, y}, scale, sketch.px(28));
    if (const std::string weight = memory + ".weight"; sketch.has(weight)) {
        const Rect bar = sketch.norm_slab(memory, {slab.min.x - sketch.px(10) - wide, y}, scale);
        sketch.line({{bar.max.x, y}, {slab.min.x, y}}, memory);
    }
    const float below = slab.max.y + sketch.px(3);
    sketch.name({right, below}, "Memory " + std::string(sketch.find(memory)->symbol), memory, Anchor::right);
    sketch.number({right, below + sketch.name_line()}, sketch.shape_text(memory), memory, Anchor::right);
    return slab.max.x;
}

}  // namespace

float memory_y(const Sketch& sketch, const Plan& plan) {
    return plan.mixer.max.y - sketch.px(memory_foot);
}

float memory_room(const Sketch& sketch) {
    return memory_of(sketch).empty() ? 0 : sketch.px(memory_branch);
}

float lay_out_memory(Sketch& sketch, const Plan& plan, float split) {
    const std::string memory(memory_of(sketch));
    const float y = memory_y(sketch, plan), branch = split + memory_room(sketch);
    const float from = plan.beside ? plan.memory_x : lay_out_memory_beside(sketch, plan, memory, y);
    Door& door = sketch.scene.doors.back();
    door.memory = {from, y};
    door.memory_tensor = memory;
    sketch.line({door.memory, {branch, y}}, memory);
    sketch.scene.wires.back().faint = !makes_memory_anew(sketch);
    return branch;
}

}  // namespace headcount
