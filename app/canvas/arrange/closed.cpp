// A sub-block by its name alone: where its matrices have no room for theirs, or while another one is shown to a class.
#include <algorithm>
#include <vector>

#include "app/canvas/arrange/head_plan.hpp"
#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float apart = 16, apart_names = 10, apart_lines = 6;  // design pixels
constexpr double few = 0.25;  // of a block's matrices: so many names stand farther off

// Matrices that a pass of the block multiplies by, each name once.
std::vector<const Tensor*> matrices_in(const Sketch& sketch, std::string_view block) {
    const ModelGraph& graph = sketch.input().model.graph;
    const auto own = static_cast<BlockIndex>(sketch.find_block(block) - graph.blocks.data());
    std::vector<const Tensor*> found;
    for (const Node& node : graph.nodes)
        for (const TensorIndex index : node.parameters) {
            const Tensor& tensor = graph.tensors[index];
            const bool named =
                std::ranges::any_of(found, [&](const Tensor* each) { return each->symbol == tensor.symbol; });
            if (graph.inside(node.block, own) && tensor.shape.rank() > 1 && !named) found.push_back(&tensor);
        }
    return found;
}

}  // namespace

void lay_out_closed(Sketch& sketch, const Plan& plan, std::string_view block) {
    const Rect box = plan.card(block);
    const Component component = component_of(sketch, block);
    const std::string id = component_id(component), name = sketch.name_of_block(block);
    float y = box.min.y + sketch.px(7), left = box.min.x + sketch.px(room::padding + 16);
    const float begin = left;
    sketch.frame(id, box, FrameKind::component, component);
    sketch.door(block, box);
    sketch.title({left, y}, name, id);
    left += sketch.width_of(name, TextRole::title) + sketch.px(apart);
    const std::int64_t all = sketch.parameters_in(block), active = sketch.active_in(block);
    const float right = box.max.x - sketch.px(room::padding);
    const std::string both = active < all ? grouped(all) + ", " + grouped(active) + " active" : grouped(all);
    const std::string count = fitting(sketch, {both, grouped(all)}, TextRole::number, right - left);
    sketch.number({right, y + sketch.px(1)}, count, id, Anchor::right);
    // As many names as have room: beside the block's, and in lines of their own below that.
    float end = right - sketch.width_of(count, TextRole::number) - sketch.px(apart);
    const float line = sketch.name_line() + sketch.px(apart_lines);
    for (const Tensor* const matrix : matrices_in(sketch, block)) {
        const float width = sketch.width_of(matrix->symbol, TextRole::name);
        if (left + width > end) {
            if (y + 2 * line > box.max.y) break;
            y += line;
            left = begin;
            end = right;
        }
        sketch.name({left, y}, matrix->symbol, matrix->id);
        left += width + sketch.px(apart_names);
    }
    sketch.scene.doors.back().closed = true;
    lay_out_way_in(sketch, plan, block, box);
    lay_out_return(sketch, plan, block, {box.max.x - sketch.px(7), box.max.y});
}

namespace {

// Whether matrices of the block, or the signs of its operations, have come to lie over each other.
bool lies_over_itself(const Scene& scene, const Door& door, float unit) {
    constexpr float edge = 0.6F, sign = 7;  // pixels: sides that touch; design pixels: half of a sign
    std::vector<Rect> drawn;
    for (const Slab& slab : scene.slabs)
        if (slab.named_by.empty() && door.rect.contains(slab.rect.centre())) drawn.push_back(slab.rect.grown(-edge));
    for (const FlowMark& mark : scene.marks)
        if (door.rect.contains(mark.centre)) drawn.push_back(around(mark.centre, mark.centre).grown(sign * unit));
    for (std::size_t i = 0; i < drawn.size(); ++i)
        for (std::size_t other = 0; other < i; ++other)
            if (drawn[i].overlaps(drawn[other])) return true;
    return false;
}

}  // namespace

std::optional<std::string> crowded_block(const Scene& scene, const LayoutInput& input) {
    const ModelGraph& graph = input.model.graph;
    struct Tally {
        double bare = 0, all = 0;
    };
    std::optional<std::string> most;
    double share = few;
    for (const Door& door : scene.doors) {
        Tally tally;
        for (const Slab& slab : scene.slabs) {
            const Tensor* const tensor = graph.find(slab.id);
            if (!door.rect.contains(slab.rect.centre()) || slab.look != SlabLook::parameter || !tensor) continue;
            if (tensor->shape.rank() < 2) continue;
            const auto named = [&](const Label& label) { return names(label, slab) && !label.crowded; };
            tally.all += 1;
            tally.bare += std::ranges::any_of(scene.labels, named) ? 0 : 1;
        }
        const bool open = std::ranges::find(input.closed, door.block) == input.closed.end();
        if (open && lies_over_itself(scene, door, input.unit)) return door.block;
        if (!open || tally.bare <= share * tally.all) continue;
        share = tally.bare / tally.all;
        most = door.block;
    }
    return most;
}

}  // namespace headcount
