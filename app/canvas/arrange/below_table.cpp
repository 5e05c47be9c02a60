// What hangs below the embedding: what else makes the residual stream, and what reads pictures or sound beside the
// text.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "app/canvas/arrange/layer_page.hpp"
#include "core/analysis/parameters.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Design pixels: right of what is alike; left of a stack's own table; of what comes in from another stack, and its
// words; how high the matrices of a tower are where there is no room for more.
constexpr float row_to_layer = 20, beside_way = 8, memory_above = 18, memory_below = 54, cut_sense = 8;

// What each stack has of this name: "positions.weight".
std::vector<std::string> of_stacks(const Sketch& sketch, std::string_view name) {
    std::vector<std::string> ids;
    for (const Block& block : sketch.input().model.graph.blocks)
        if (block.kind == BlockKind::stack) ids.push_back(block.id + "." + std::string(name));
    std::erase_if(ids, [&](const std::string& id) { return !sketch.has(id); });
    if (ids.empty() && sketch.has(name)) ids.emplace_back(name);
    return ids;
}

// Of the weights outside of layers those that `belong`, as the graph has them.
template <class Belongs>
std::vector<std::string> weights_where(const Sketch& sketch, Belongs belongs) {
    const ModelGraph& graph = sketch.input().model.graph;
    std::vector<std::string> ids;
    for (const Tensor& tensor : graph.tensors)
        if (tensor.role == Role::parameter && !tensor.bias && !graph.layer_of(tensor.block) && belongs(tensor) &&
            tensor.id != sketch.shown("embedding.weight"))
            ids.push_back(tensor.id);
    return ids;
}

// Filters of sound.
std::vector<std::string> of_part(const Sketch& sketch, Part part) {
    return weights_where(sketch, [&](const Tensor& tensor) { return tensor.part == part; });
}

std::string parameters_of(const Sketch& sketch, Component component) {
    const auto& [graph, bindings] = sketch.input().model;
    std::int64_t all = 0;
    for (const Tensor& tensor : graph.tensors)
        if (tensor.role == Role::parameter && tensor.component == component)
            all += count_of(graph, tensor, bindings).all;
    return grouped(all);
}

// "encoder.convolution_1.bias" of its weight.
std::string bias_of(const std::string& weight) {
    return weight.substr(0, weight.size() - std::string_view("weight").size()) + "bias";
}

// How much room it takes: each step less than the one before.
enum class Hanging { with_sizes, named, senses_cut, senses_named };
constexpr std::array hangings{Hanging::with_sizes, Hanging::named, Hanging::senses_cut, Hanging::senses_named};

// Each below the one before, that of several stacks side by side.
class BelowTable {
  public:
    BelowTable(Sketch& sketch, const Plan& plan, Point corner, Hanging hanging)
        : sketch_(sketch),
          plan_(plan),
          graph_(sketch.input().model.graph),
          scale_(plan.scales.model),
          hanging_(hanging),
          corner_(corner) {
        if (const auto cross = cross_block(sketch); !plan.beside && cross) memory_ = memory_y(sketch, plan, *cross);
    }

    // Returns where it ends.
    float lay_out() {
        const std::string_view convolutions = "Convolutions";
        const bool roomy = corner_.x + sketch_.width_of(convolutions, TextRole::name) <= end();
        hang_alike(roomy ? convolutions : "Filters", Part::convolution);
        hang_alike("Their norms", Part::convolution_norm);
        hang("Class token", "class_token");
        hang("Distillation", "distillation_token");
        const bool after_norm = sketch_.has("embedding_projection.bias");
        if (!after_norm) hang("Projection", "embedding_projection");
        hang("Types", "token_types");
        hang("Positions", "positions");
        hang("Registers", "registers");
        hang("Mask row", "mask_row");
        hang_distances();
        hang_alike("Distances", Part::relative_rows);
        hang_norm("distance_norm");
        hang_norm("embedding_norm");
        if (after_norm) hang("Projection", "embedding_projection");
        hang_beside("For layers", "layer_embedding.weight");
        hang("Projection", "layer_projection");
        hang_norm("layer_norm");
        hang_alike("Copies", Part::copy_projection);
        hang_alike("Around each", Part::position_convolution);
        hang_alike("Strength", Part::position_strength);
        hang_norm("entry_norm");
        for (const std::string& id : other_tables(sketch_)) {
            const Rect rect = sketch_.hung(id, {corner_.x + px(beside_way), corner_.y}, scale_);
            say(rect, "Of tokens", id, sketch_.shape_text(id));
        }
        for (const Component component : components)
            if (is_sense(component)) hang_sense(component);
        return corner_.y;
    }

  private:
    float px(float design) const { return sketch_.px(design); }
    bool sizes() const { return hanging_ == Hanging::with_sizes; }
    float end() const { return plan_.layer.min.x - px(row_to_layer); }
    float width_of(const std::string& weight) const {
        return sketch_.thick(std::max(sketch_.sides(weight).columns, sketch_.sides(bias_of(weight)).columns), scale_);
    }

    // Above or below what comes in from another stack, with the words of that.
    void pass_memory(std::span<const std::string> ids) {
        if (!memory_ || ids.empty()) return;
        double rows = 0;
        for (const std::string& id : ids) rows = std::max(rows, sketch_.sides(id).rows);
        const float foot = corner_.y + std::max(sketch_.thick(rows, scale_), px(26));
        const float from = *memory_ - px(memory_above), until = *memory_ + px(memory_below);
        if (corner_.y < until && foot > from) corner_.y = until;
    }

    // Right of what was hung last.
    void say(const Rect& rect, std::string_view name, std::string_view id, const std::string& size) {
        const float x = rect.max.x + px(6);
        sketch_.name({x, rect.min.y - px(2)}, name, id);
        if (sizes()) sketch_.number({x, rect.min.y + sketch_.number_line()}, size, id);
        corner_.y = std::max(rect.max.y, rect.min.y + px(sizes() ? 26 : 12)) + px(sizes() ? 12 : 6);
    }

    void hang(std::string_view name, std::string_view of) {
        const std::vector<std::string> ids = of_stacks(sketch_, std::string(of) + ".weight");
        if (ids.empty()) return;
        pass_memory(ids);
        Point at = corner_;
        Rect rect{};
        const std::size_t first = sketch_.scene.slabs.size();
        for (const std::string& id : ids) {
            rect = sketch_.hung(id, at, scale_);
            sketch_.bias_below(bias_of(id), rect, scale_);
            at.x = rect.max.x + px(3);
        }
        sketch_.named_together(first, ids.back());
        say(rect, name, ids.back(), sketch_.shape_text(ids.back()));
    }

    // As tall as the table: what comes next hangs right of it, below its words.
    void hang_beside(std::string_view name, std::string_view id) {
        if (!sketch_.has(id)) return;
        const Rect rect = sketch_.hung(id, corner_, scale_);
        say(rect, name, id, sketch_.shape_text(id));
        corner_ = {rect.max.x + px(6), rect.min.y + px(sizes() ? 38 : 18)};
    }

    void hang_norm(std::string_view name) {
        const std::vector<std::string> ids = of_stacks(sketch_, name);
        Point at{corner_.x, corner_.y + sketch_.thick(sketch_.drawn(1), scale_) / 2};
        Rect bar{};
        for (const std::string& id : ids) {
            bar = sketch_.norm_slab(id, at, scale_);
            at.x = bar.max.x + px(3);
        }
        if (ids.empty()) return;
        const std::string weight = ids.back() + ".weight";  // what it makes may be drawn elsewhere, too
        say(bar, "Norm", sketch_.has(weight) ? weight : ids.back(), norm_size(sketch_, ids.back()));
    }

    // What the layers of a stack add to scores for the distance between tokens.
    void hang_distances() {
        for (const Tensor& tensor : graph_.tensors) {
            if (tensor.part != Part::relative_bias || graph_.layer_of(tensor.block)) continue;
            const Rect rect = sketch_.hung(tensor.id, corner_, scale_);
            say(rect, "Distances", tensor.id, sketch_.shape_text(tensor));
            if (!graph_.has_encoder()) continue;
            const float line = rect.min.y + sketch_.name_line() + sketch_.number_line();
            sketch_.caption({rect.max.x + px(6), line}, graph_.blocks[graph_.stack_of(tensor.block)].name, tensor.id);
            corner_.y = std::max(corner_.y, line + px(22));
        }
    }

    // What it is called, and how much it is where there is room for that.
    void head(std::string_view name, std::string_view id, const std::string& size, bool sized) {
        sketch_.name(corner_, name, id);
        corner_.y += sketch_.name_line();
        if (!sized) return;
        sketch_.number(corner_, size, id);
        corner_.y += sketch_.number_line();
    }

    // Below these words side by side in as many rows as it takes, cut where taller than `tallest` (0: never).
    void hang_rows(std::string_view name, const std::vector<std::string>& ids, const std::string& size,
                   float tallest = 0) {
        pass_memory(ids);
        head(name, ids.back(), size, sizes());
        corner_.y += px(2);
        Point at = corner_;
        float foot = corner_.y;
        const std::size_t first = sketch_.scene.slabs.size();
        for (const std::string& id : ids) {
            if (at.x > corner_.x && at.x + width_of(id) > end()) at = {corner_.x, foot + px(3)};
            const Rect rect = sketch_.hung(id, at, scale_, tallest);
            const Rect bias = sketch_.bias_below(bias_of(id), rect, scale_);
            foot = std::max({foot, rect.max.y, bias.max.y});
            at.x = std::max(rect.max.x, bias.max.x) + px(3);
        }
        sketch_.named_together(first, ids.back());
        corner_.y = foot + px(sizes() ? 10 : 5);
    }

    void hang_alike(std::string_view name, Part part) {
        const std::vector<std::string> ids = of_part(sketch_, part);
        if (ids.empty()) return;
        const std::string shape = sketch_.shape_text(ids.back()), count = std::to_string(ids.size());
        const bool alike =
            std::ranges::all_of(ids, [&](const std::string& id) { return sketch_.shape_text(id) == shape; });
        hang_rows(name, ids, ids.size() == 1 ? shape : alike ? count + " × " + shape : count + " of other sizes");
    }

    // Its matrices, or where these have no room a name and a count.
    void hang_sense(Component component) {
        const std::vector<std::string> ids =
            weights_where(sketch_, [&](const Tensor& tensor) { return tensor.component == component; });
        if (ids.empty()) return;
        const std::string_view name = component_name(component);
        const std::string size = parameters_of(sketch_, component);
        const bool narrow =
            std::ranges::all_of(ids, [&](const std::string& id) { return corner_.x + width_of(id) <= end(); });
        if (narrow && hanging_ != Hanging::senses_named)
            return hang_rows(name, ids, size, hanging_ == Hanging::senses_cut ? px(cut_sense) : 0);
        head(name, ids.front(), size, true);
        corner_.y += px(4);
    }

    Sketch& sketch_;
    const Plan& plan_;
    const ModelGraph& graph_;
    float scale_;
    Hanging hanging_;
    Point corner_;
    std::optional<float> memory_;  // the height of what comes in from another stack
};

}  // namespace

std::vector<std::string> other_tables(const Sketch& sketch) {
    std::vector<std::string> ids = of_stacks(sketch, "embedding.weight");
    std::erase_if(ids, [&](const std::string& id) {
        return id == sketch.shown("embedding.weight") || sketch.find(id)->part == Part::convolution;
    });
    return ids;
}

HungRows hung_rows(const Sketch& sketch) {
    HungRows all;
    const auto add = [&](const std::vector<std::string>& ids) {
        double tallest = 0;
        for (const std::string& id : ids) tallest = std::max(tallest, sketch.sides(id, true).rows);
        constexpr std::size_t in_one_row = 2;
        all.rows += ids.size() > in_one_row ? 2 * tallest : tallest;
        all.groups += ids.empty() ? 0 : 1;
    };
    for (const Part part : {Part::convolution, Part::convolution_norm, Part::position_convolution,
                            Part::position_strength, Part::relative_rows})
        add(of_part(sketch, part));
    add(other_tables(sketch));
    return all;
}

void lay_out_below_table(Sketch& sketch, const Plan& plan, Point corner) {
    const std::size_t slabs = sketch.scene.slabs.size(), labels = sketch.scene.labels.size();
    for (const Hanging hanging : hangings) {
        sketch.scene.slabs.resize(slabs);
        sketch.scene.labels.resize(labels);
        if (BelowTable(sketch, plan, corner, hanging).lay_out() <= plan.embedding.max.y) return;
    }
}

}  // namespace headcount
