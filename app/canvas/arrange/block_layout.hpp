// A sub-block's page: how its operations are laid out in columns and lanes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/canvas/arrange/flow.hpp"
#include "app/canvas/arrange/layer_page.hpp"
#include "app/canvas/scene.hpp"

namespace headcount {

// A step of the flow, with what it takes to draw it.
struct BlockItem : FlowItem {
    Sides weight{0, 0}, made{0, 0};            // of its first parameter and its output, the model's or the base's
    float weight_words = 0, output_words = 0;  // how wide their labels are
};

// One column of items, in pixels: a mark, the parameters, what comes out.
struct BlockColumn {
    float left = 0, mark = 0, weights = 0, outputs = 0;
    float widest = 0;  // of the matrices alone
};

// The pages of alike blocks as a grid of squares, each of which is the door to one: with `left` in the middle of its
// left side, and as large as it has room; returns how high a square is.
struct GridOf {
    const Tensor& shown;  // what is in them
    std::string_view block;
    std::int64_t count;
};
float lay_out_grid(Sketch& sketch, const GridOf& of, Point left, Point room, bool centred);
// From the last of the page back to the stream.
void lead_out(Sketch& sketch, const BlockWays& ways, Point from, std::string_view tensor);
inline constexpr float head_aspect = 1.45F;  // of a head's page, and of its square in the grid

inline bool has_mark(const BlockItem& item) {
    if (!item.node) return false;
    const Op op = item.node->op;
    return op == Op::gate || op == Op::activate || op == Op::combine || op == Op::sum || op == Op::mix_blocks;
}

class BlockLayout : Sketch {
  public:
    BlockLayout(const LayoutInput& input, const BlockWays& ways, std::string_view block)
        : Sketch(input), input_(input), ways_(ways), graph_(input.model.graph), block_(block) {}

    Scene lay_out() {
        for (FlowItem& item : flow_of(graph_, block_, ways_.elsewhere)) items_.push_back({std::move(item)});
        choose_scale();
        block_title();
        scene.model_scale = scene.layer_scale = scale_;
        rects_.resize(items_.size());
        for (std::size_t i = 0; i < items_.size(); ++i) place(i);
        for (std::size_t i = 0; i < items_.size(); ++i) connect(i);
        return finished();
    }

    // However small its matrices are drawn, and with no words but names.
    Point least_size() {
        for (FlowItem& item : flow_of(graph_, block_, ways_.elsewhere)) items_.push_back({std::move(item)});
        words_ = Words::names;
        title_share_ = least_title_share;
        measure();
        const auto [first, last] = lanes();
        return {arrange(1e-12F), (last - first) * px(least_lane)};
    }

  private:
    // Design pixels.
    static constexpr float padding = 18, inner_arrow = 14, mark_room = 30, label_above = 21, beside_name = 4,
                           least_lane = 25;  // a name above a matrix, and between lanes
    // Pages are seldom seen smaller than by this much: for the title there is room then.
    static constexpr float least_title_share = 1.35F;
    // What columns are wide enough for. The cache's outline says it too; a shape that is in the way is left out until
    // one is nearer. In the end the names of matrices in low lanes stand behind them, over the way out.
    enum class Words { all, no_cached, names, behind };
    struct Ends {
        float left = 0, right = 0, y = 0;
    };

    // What stands where.
    std::optional<Component> component() const;
    void block_title();
    void title_of_copy(Component component);
    float title_width() const;
    float beside_title() const;
    float title_end() const;
    void measure();
    std::pair<float, float> lanes() const;  // where the first begins and the last ends
    void choose_scale();
    void choose_largest();
    float longest_side() const;
    void share_height(float lanes);
    void share_title();
    float arrange(float scale);
    float tallest() const { return std::max(lane_height_ - words_px(label_above + label_below()), px(2 * least_side)); }
    // Whether what it multiplies by has its name behind it.
    bool named_behind(const BlockItem& item) const {
        return words_ == Words::behind && !item.alone && item.node && item.node->op != Op::norm && item.weight.rows > 0;
    }
    float room_for(const BlockItem& item) const {
        return item.alone ? alone_height(item) : named_behind(item) ? lane_height_ - px(beside_name) : tallest();
    }
    // Of a shape and a count below a matrix, where there is room for words but names.
    float label_below() const { return words_ >= Words::names ? 4 : 38; }
    float below_all() const { return scene.slabs.back().rect.max.y + px(4); }  // of an operation
    float y_of(const BlockItem& item) const { return first_y_ + (item.lane - first_lane_) * lane_height_; }
    // How tall a matrix may be that has its column for itself, with its words.
    float alone_height(const BlockItem& item) const {
        const float y = y_of(item), above = y - input_.area.min.y, below = input_.area.max.y - y;
        return std::max(2 * std::min(above - words_px(label_above + 3), below - words_px(label_below())),
                        px(least_side));
    }
    // A state is never cut: that it does not grow with the tokens is what it is.
    bool is_whole(const BlockItem& item) const {
        return item.node && !item.output_elsewhere && graph_.tensors[item.output].role == Role::state;
    }
    // With nothing else in its column it has that for itself but for what passes it, above and below.
    float state_height(const BlockItem& item) const {
        constexpr float passing_ways = 24;
        const auto beside = [&](const BlockItem& other) { return &other != &item && other.level == item.level; };
        if (std::ranges::any_of(items_, beside)) return tallest();
        return std::max(alone_height(item) - 2 * px(passing_ways), px(least_side));
    }
    // How tall a grid of squares may be: as its column has room.
    float grid_height(const BlockItem& item) const {
        const float held = item.held.empty() ? 0 : px(36), height = input_.area.height();
        const float y = y_of(item), edge = std::min(y - input_.area.min.y, input_.area.max.y - y);
        const float room = item.alone ? std::min(height * 0.6F, 2 * (edge - words_px(label_above + 3)))
                                      : 2 * half_lanes(item) * lane_height_ - words_px(label_above + grid_below());
        return std::max(room - held, px(24));
    }
    void place_held(const BlockItem& item, const Rect& grid);
    void fill_cells(const Door& door, BlockIndex inside, std::string_view named_by);
    bool repeated() const { return !(graph_.find_block(block_)->repeat == Expr(1)); }
    // Words and what keeps clear of them, where the page is seen smaller than it is laid out.
    float words_px(float design) const { return px(design) * ways_.shrunk; }
    float arrow() const { return px(words_ == Words::all ? 20 : 14) * closeness_; }
    float within() const { return px(inner_arrow) * closeness_; }  // from a weight to what it makes
    // Of the words below a grid: one line or two.
    float grid_below() const { return words_ == Words::all ? 38 : 20; }
    float grid_width() const { return px(words_ == Words::all ? 176 : 96) + grid_slack_; }
    bool says_cached(const Tensor& tensor) const { return words_ == Words::all && tensor.role == Role::cache; }
    float cached_width() const { return px(6) + width_of("cached", TextRole::number); }
    float words_width(const Tensor& tensor) const {
        const float name = width_of(name_text(tensor), TextRole::name);
        if (words_ >= Words::names) return name;
        const bool parameter = tensor.role == Role::parameter;
        return std::max(name + (says_cached(tensor) ? cached_width() : 0), label_width(tensor.id, parameter ? 3 : 2));
    }
    // What a norm's parameters are named after.
    std::string norm_of(const BlockItem& item) const {
        const std::string& made = graph_.tensors[item.output].id;
        if (item.node->parameters.empty()) return made;
        const std::string& id = graph_.tensors[item.node->parameters.front()].id;
        return id.substr(0, id.rfind('.'));
    }
    void place(std::size_t index);
    void place_grid(const BlockItem& item, Ends& ends);
    void name_matrix(const Tensor& tensor, const Rect& slab, Point name_at, float below);
    Point above(const Rect& slab) const { return {slab.min.x, slab.min.y - px(label_above)}; }
    enum class KeptClear { all_words, names, matrices };  // of lines that pass
    Rect reach(const BlockItem& item, const Ends& at, KeptClear what) const;
    float passing(float from_y, float to_y, int after, int before) const;
    void lead(const Ends& from, int from_level, const BlockItem& item, const Ends& ends, const std::string& tensor);
    void connect(std::size_t index);
    void lead_in(const BlockItem& item, float turn, Point end);
    // What is brought, as it is before its own columns are taken.
    static TensorIndex comes_as(const BlockItem& item) { return item.node ? item.node->inputs.front() : item.output; }
    void lead_in_memory(float column, const Ends& ends, float end);
    void lead_onward(const Ends& from, const BlockItem& item);

    const LayoutInput& input_;
    const BlockWays& ways_;
    const ModelGraph& graph_;
    std::string_view block_;
    std::vector<BlockItem> items_;
    std::vector<BlockColumn> columns_;
    std::vector<Ends> rects_;
    Words words_ = Words::all;
    float title_share_ = 1;  // of the title's width that the first column keeps clear of
    float closeness_ = 1;    // of the usual room around arrows and marks, where a page has too many columns for that
    float grid_slack_ = 0;   // what a grid has of the width that is left over
    float scale_ = 0, lane_height_ = 0, first_lane_ = 0, first_y_ = 0, width_ = 0;
};

}  // namespace headcount
