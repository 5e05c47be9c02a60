// Where a tooltip stands: near the pointer, and not over what it speaks of.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/ui/tooltip.hpp"

namespace headcount {
namespace {

using Box = std::pair<ImVec2, ImVec2>;

// Design pixels.
constexpr float right_of_pointer = 16, under_pointer = 10, beside_box = 8;
constexpr float each_covered = 300, each_word = 20, area_a_pixel = 20;  // what covering costs, in pixels of distance
constexpr std::size_t most_edges = 12;                                  // boxes whose sides are tried

// Places along one axis: from `low` to `high`, else on the display.
float held(float at, float low, float high, float display_end) {
    if (high < low) return std::clamp(high, 0.0F, std::max(0.0F, display_end));
    return std::clamp(at, low, high);
}

class CornerSearch {
  public:
    CornerSearch(const TooltipRoom& room, ImVec2 pointer, ImVec2 size, ImVec2 display, float scale)
        : room_(room), pointer_(pointer), size_(size), display_(display), scale_(scale) {}

    ImVec2 corner() {
        const float gap = beside_box * scale_;
        const float right = pointer_.x + right_of_pointer * scale_, left = pointer_.x - gap - size_.x;
        const float under = pointer_.y + under_pointer * scale_, over = pointer_.y - gap - size_.y;
        for (const ImVec2 at : {ImVec2(right, under), ImVec2(right, over), ImVec2(left, under), ImVec2(left, over)})
            if (covered(kept(at)) <= 0) return kept(at);
        std::vector<float> columns{right, left, pointer_.x - size_.x / 2}, rows{under, over, pointer_.y - size_.y / 2};
        for (const Box& box : nearest()) {
            columns.insert(columns.end(), {box.second.x + gap, box.first.x - gap - size_.x});
            rows.insert(rows.end(), {box.second.y + gap, box.first.y - gap - size_.y});
        }
        for (const float y : rows)
            for (const float x : columns) offer(kept({x, y}));
        return best_;
    }

  private:
    // On whole pixels, as it is drawn.
    ImVec2 kept(ImVec2 at) const {
        return {std::floor(held(at.x, room_.min.x, room_.max.x - size_.x, display_.x - size_.x)),
                std::floor(held(at.y, room_.min.y, room_.max.y - size_.y, display_.y - size_.y))};
    }
    float overlap(ImVec2 at, const Box& box) const {
        const float x = std::min(at.x + size_.x, box.second.x) - std::max(at.x, box.first.x);
        const float y = std::min(at.y + size_.y, box.second.y) - std::max(at.y, box.first.y);
        return x > 0 && y > 0 ? x * y : 0;
    }
    float away(const Box& box) const {
        return std::hypot(std::max({box.first.x - pointer_.x, pointer_.x - box.second.x, 0.0F}),
                          std::max({box.first.y - pointer_.y, pointer_.y - box.second.y, 0.0F}));
    }
    // What it would cost to cover what is to stay clear there, and the pointer.
    float covered(ImVec2 at) const {
        const Box hand{{pointer_.x - 2 * scale_, pointer_.y - 2 * scale_},
                       {pointer_.x + 10 * scale_, pointer_.y + 14 * scale_}};
        float cost = overlap(at, hand) > 0 ? 4 * each_covered : 0;
        for (const Box& box : room_.clear)
            if (const float area = overlap(at, box); area > 0) cost += each_covered + area / area_a_pixel;
        return cost * scale_;
    }
    std::vector<Box> nearest() const {
        std::vector<Box> near(room_.clear);
        std::ranges::sort(near, [&](const Box& a, const Box& b) { return away(a) < away(b); });
        near.resize(std::min(near.size(), most_edges));
        return near;
    }
    void offer(ImVec2 at) {
        float cost = covered(at) + away({at, at + size_});
        for (std::size_t i = 0; i < room_.words.size() && cost < least_; ++i)
            if (overlap(at, room_.words[i]) > 0) cost += each_word * scale_;
        if (cost >= least_) return;
        least_ = cost;
        best_ = at;
    }

    const TooltipRoom& room_;
    ImVec2 pointer_, size_, display_, best_;
    float scale_, least_ = std::numeric_limits<float>::max();
};

}  // namespace

ImVec2 tooltip_corner(const TooltipRoom& room, ImVec2 pointer, ImVec2 size, ImVec2 display, float scale) {
    return CornerSearch(room, pointer, size, display, scale).corner();
}

}  // namespace headcount
