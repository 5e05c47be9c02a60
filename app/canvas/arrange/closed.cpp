// A sub-block that is no diagram, where that has no room, or while another one is shown to a class: its name, and its
// matrices in lines, each beside its own name.
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "app/canvas/arrange/head_plan.hpp"
#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Design pixels: behind the block's name, between matrices, from one to its name, above and below one in its line, and
// from the lines to the card's edge.
constexpr float apart = 16, apart_matrices = 12, to_name = 4, around_listed = 5, lines_to_edge = 3;
constexpr float around_words = 6, usual_side = 18;  // of a line; of the tallest matrix, by which lines are counted
constexpr double few = 0.25;                        // of a block's matrices: so many names stand farther off

// One that a pass of the block multiplies by, how often it is there, and before the first of such: "256 ×".
struct Listed {
    const Tensor* matrix;
    std::int64_t copies = 1;
    std::string times = {};
};

// Each name once.
std::vector<Listed> matrices_in(const Sketch& sketch, std::string_view block) {
    const ModelGraph& graph = sketch.input().model.graph;
    const auto own = static_cast<BlockIndex>(sketch.find_block(block) - graph.blocks.data());
    std::vector<Listed> found;
    if (has_band(sketch.input())) return found;  // to a class one thing is shown
    for (const Node& node : graph.nodes)
        for (const TensorIndex index : node.parameters) {
            const Tensor& tensor = graph.tensors[index];
            const bool named =
                std::ranges::any_of(found, [&](const Listed& each) { return each.matrix->symbol == tensor.symbol; });
            // What another sub-block of the layer has is not drawn twice.
            const bool own_matrix = tensor.shape.rank() > 1 && (tensor.shared_in || graph.inside(tensor.block, own));
            if (!graph.inside(node.block, own) || !own_matrix || named) continue;
            found.push_back({&tensor, sketch.value(graph.copies_in_layer(used_in(graph, tensor)), 1)});
        }
    return found;
}

class ClosedCard {
  public:
    ClosedCard(const Sketch& sketch, std::string_view block)
        : sketch_(sketch), block_(block), all_(matrices_in(sketch, block)), name_(sketch.name_of_block(block)) {
        const std::int64_t all = sketch_.parameters_in(block_), active = sketch_.active_in(block_);
        if (active < all) counts_.push_back(grouped(all) + ", " + grouped(active) + " active");
        counts_.insert(counts_.end(), {grouped(all), ""});
        show(all_.size());
    }

    // In as many lines as there are where matrices are as large as they usually are.
    float wished_height(float width) const { return height(scale_of(usual_side, 1e9F), width, counts_.front()); }
    // Where there is no room for all at this scale, each in a line that is as low as any, those that have the most
    // parameters.
    void show_in(float scale, const Rect& box) {
        const float line = std::min(least_line(), box.height()), edge = sketch_.px(lines_to_edge);
        const float room = std::max(box.height(), first_middle(line, {}) + line / 2 + edge);
        const Rect wide{{0, 0}, {box.width(), 0}};
        while (!shown_.empty() && flow(scale, line, wide, "", [](const Listed&, Point) {}).height > room)
            show(shown_.size() - 1);
    }
    void show_in(const Rect& box) { show_in(scale_of(box.height() / sketch_.px(1), 1e9F) * tiny, box); }
    // The largest scale at which those have room, without the block's count if need be; where there is none, that at
    // which most names have.
    float scale(const Rect& box) const {
        const auto fits = [&](float scale) { return height(scale, box.width(), "") <= box.height(); };
        const float most = scale_of(box.height() / sketch_.px(1), 1e9F), least = most * tiny;
        return fits(least) ? largest_fitting(least, most, fits) : scale_of(usual_side, usual_side);
    }
    void lay_out(Sketch& sketch, float scale, const Rect& box) const {
        const float beside =
            2 * sketch.px(room::padding) + sketch.px(16 + apart) + sketch.width_of(name_, TextRole::title);
        const auto said = std::ranges::find_if(counts_, [&](const std::string& each) {
            const float wide = each.empty() ? 0 : sketch.width_of(each, TextRole::number);
            return height(scale, box.width(), each) <= box.height() && beside + wide <= box.width();
        });
        const bool whole = said != counts_.end();
        const float line = whole ? line_at(scale) : std::min(least_line(), box.height()),
                    middle = first_middle(line, box);
        const std::string id = component_id(component_of(sketch, block_)), count = whole ? *said : "";
        const float top = middle - sketch.name_line() / 2;
        sketch.scene.frames.back().title_raised = box.min.y + sketch.px(room::title) - top;
        sketch.title({box.min.x + sketch.px(room::padding + 16), top}, name_, id);
        sketch.number({box.max.x - sketch.px(room::padding), top + sketch.px(1)}, count, id, Anchor::right);
        const Flow end = flow(scale, line, box, count, [&](const Listed& each, Point left) {
            const float y = left.y - sketch.name_line() / 2;
            sketch.number({left.x, y + sketch.px(1)}, each.times, id);
            left.x += times_width(each);
            const Rect slab = sketch.slab(each.matrix->id, left, scale, line - sketch.px(around_listed));
            sketch.name({slab.max.x + sketch.px(to_name), y}, each.matrix->symbol, each.matrix->id);
        });
        if (shown_.size() < all_.size())
            sketch.number({end.next.x, end.next.y - sketch.name_line() / 2}, std::string(more), id);
    }

  private:
    static constexpr std::string_view more = "…";
    static constexpr float tiny = 1e-8F;  // of a scale: all sides are as short as any is drawn

    // So many of all, in the order in which they are used.
    void show(std::size_t many) {
        std::vector<std::size_t> by_size(all_.size());
        std::iota(by_size.begin(), by_size.end(), 0);
        std::ranges::stable_sort(by_size, std::greater<>(), [&](std::size_t i) {
            return static_cast<double>(sketch_.count(*all_[i].matrix)) * static_cast<double>(all_[i].copies);
        });
        by_size.resize(many);
        std::ranges::sort(by_size);
        shown_.clear();
        most_ = {1, 1};
        std::int64_t copies = 1;  // of the last one
        for (const std::size_t index : by_size) {
            Listed& each = shown_.emplace_back(all_[index]);
            if (each.copies > 1 && each.copies != copies) each.times = grouped(each.copies) + " ×";
            copies = each.copies;
            const Sides own = sketch_.sides(each.matrix->id, true);
            most_ = {std::max(most_.rows, own.rows), std::max(most_.columns, own.columns)};
        }
    }
    // At which no matrix is higher or wider than so many design pixels.
    float scale_of(float high, float wide) const {
        return largest_scale({one_row(sketch_), {most_.rows, sketch_.px(high)}, {most_.columns, sketch_.px(wide)}});
    }
    float least_line() const { return sketch_.name_line() + sketch_.px(around_words); }
    float line_at(float scale) const {
        return std::max(least_line(), sketch_.thick(most_.rows, scale) + sketch_.px(around_listed));
    }
    // Of the first line, in which the title stands.
    float first_middle(float line, const Rect& box) const {
        const float middle =
            std::max(sketch_.px(room::title) + sketch_.name_line() / 2, line / 2 + sketch_.px(lines_to_edge));
        return box.min.y + (box.height() > 0 ? std::min(middle, box.height() / 2) : middle);
    }
    float times_width(const Listed& each) const {
        return each.times.empty() ? 0 : sketch_.width_of(each.times, TextRole::number) + sketch_.px(to_name);
    }
    float width_of(const Listed& each, float scale) const {
        return times_width(each) + sketch_.thick(sketch_.sides(each.matrix->id, true).columns, scale) +
               sketch_.px(to_name) + sketch_.width_of(each.matrix->symbol, TextRole::name);
    }
    // With all that is shown whole.
    float height(float scale, float width, std::string_view count) const {
        return flow(scale, line_at(scale), {{0, 0}, {width, 0}}, count, [](const Listed&, Point) {}).height;
    }
    struct Flow {
        float height = 0;  // with what is below the last line
        Point next;        // the middle of the left side of what follows
    };
    // Beside the title and its count, and in lines below them: to `place` each with the middle of its left side.
    template <class Place>
    Flow flow(float scale, float line, const Rect& box, std::string_view count, Place place) const {
        const float begin = box.min.x + sketch_.px(room::padding + 16), right = box.max.x - sketch_.px(room::padding);
        const float for_more =
            shown_.size() < all_.size() ? sketch_.px(apart_matrices) + sketch_.width_of(more, TextRole::number) : 0;
        float left = begin + sketch_.width_of(name_, TextRole::title) + sketch_.px(apart);
        float end = count.empty() ? right : right - sketch_.width_of(count, TextRole::number) - sketch_.px(apart);
        float y = first_middle(line, box);
        for (const Listed& each : shown_) {
            const float width = width_of(each, scale);
            if (left + width + (&each == &shown_.back() ? for_more : 0) > end && left > begin) {
                y += line;
                left = begin;
                end = right;
            }
            place(each, Point{left, y});
            left += width + sketch_.px(apart_matrices);
        }
        return {y + line / 2 + sketch_.px(lines_to_edge) - box.min.y, {left, y}};
    }

    const Sketch& sketch_;
    std::string_view block_;
    std::vector<Listed> all_, shown_;
    std::string name_;
    std::vector<std::string> counts_;  // from the fullest wording to none
    Sides most_{1, 1};                 // of any that is shown
};

}  // namespace

float closed_height(const Sketch& sketch, std::string_view block, float width) {
    return ClosedCard(sketch, block).wished_height(width);
}

float closed_scale(const Sketch& sketch, const Plan& plan, std::string_view block) {
    ClosedCard card(sketch, block);
    card.show_in(plan.card(block));
    return card.scale(plan.card(block));
}

void lay_out_closed(Sketch& sketch, const Plan& plan, std::string_view block) {
    const Rect box = plan.card(block);
    const Component component = component_of(sketch, block);
    sketch.frame(component_id(component), box, FrameKind::component, component);
    sketch.door(block, box);
    ClosedCard card(sketch, block);
    card.show_in(plan.scales.layer, box);
    card.lay_out(sketch, plan.scales.layer, box);
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

// Whether data comes back to the left within the block, whose ways lead to the right.
bool runs_backwards(const Scene& scene, const Door& door, float unit) {
    return std::ranges::any_of(scene.wires, [&](const Wire& wire) {
        const Point from = wire.points.front(), to = wire.points.back();
        return door.rect.contains(from) && door.rect.contains(to) && to.x < from.x - unit;
    });
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
        const bool open = !contains(input.closed, door.block);
        if (open && (lies_over_itself(scene, door, input.unit) || runs_backwards(scene, door, input.unit)))
            return door.block;
        if (!open || tally.bare <= share * tally.all) continue;
        share = tally.bare / tally.all;
        most = door.block;
    }
    return most;
}

std::optional<std::string> tight_block(const Scene& scene, const LayoutInput& input) {
    // Design pixels: of a line the part that has ink, with a subscript, and half of what is left free between two.
    constexpr float from = 1.5F, to = 13.5F, lowered = 15, half_gap = 0.75F;
    struct Name {
        const Label& label;
        Rect ink;
    };
    for (const Door& door : scene.doors) {
        if (door.closed || door.grid) continue;
        std::vector<Name> names;
        for (const Label& label : scene.labels) {
            if (label.role != TextRole::name || !door.rect.contains(label.at)) continue;
            if (label.crowded) return door.block;
            const float left = label.at.x - left_of_anchor(label.anchor, label.width);
            const float foot = label.text.find('_') == std::string::npos ? to : lowered;
            names.push_back({label,
                             {{left, label.at.y + (from - half_gap) * input.unit},
                              {left + label.width, label.at.y + (foot + half_gap) * input.unit}}});
        }
        for (const Name& name : names)
            for (const Name& other : names)
                if (name.label.id != other.label.id && name.ink.overlaps(other.ink)) return door.block;
    }
    return std::nullopt;
}

}  // namespace headcount
