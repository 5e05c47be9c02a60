// Finds the scale at which the matrices fit with their words, and puts them there, in as many rows as they need.
#include "app/canvas/matrix_row.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {
namespace {

constexpr float apart = 12, by_caption = 4, over_caption = 2;  // design pixels
constexpr float tall = 320;  // captions of taller matrices stand above them, where they are found

// A matrix that stands in the row, and before it those that stand above it.
struct Stack {
    std::size_t first, end;
};

class RowPlacer {
  public:
    RowPlacer(std::span<const MatrixSize> sizes, const MatrixRoom& room, std::size_t words)
        : sizes_(sizes), room_(room), words_(words) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const bool begins = stacks_.empty() || !is_above(i - 1);
            const bool other = sizes[i].spot == MatrixSpot::right || sizes[i].spot == MatrixSpot::alone;
            if (begins || other) stacks_.push_back({i, i});
            stacks_.back().end = i + 1;
        }
        row_.matrices.resize(sizes.size());
    }

    // False where these words have too little room.
    bool fits() {
        float cell = room_.largest;
        for (std::size_t first = 0; first < stacks_.size(); first = rows_.back()) {
            std::size_t end = stacks_.size();
            const std::size_t least = is_left(first) ? first + 2 : first + 1;
            while (end > least && largest_cell(first, end) < room_.wrapped) --end;
            rows_.push_back(end);
            cell = std::min(cell, largest_cell(first, end));
        }
        row_.cell = cell;
        return cell > 0;
    }

    MatrixRow place() {
        std::size_t first = 0;
        for (const std::size_t end : rows_) {
            if (first > 0) row_.height += px(apart);
            place_row(first, end);
            first = end;
        }
        return std::move(row_);
    }

  private:
    float px(float design) const { return design * room_.scale; }
    bool is_above(std::size_t i) const {
        return sizes_[i].spot == MatrixSpot::right || sizes_[i].spot == MatrixSpot::bias;
    }
    bool has_above(const Stack& stack) const { return is_above(stack.first); }
    // Whether a stack is the left factor of the next one's product.
    bool is_left(std::size_t stack) const {
        return stack + 1 < stacks_.size() && !has_above(stacks_[stack]) && has_above(stacks_[stack + 1]);
    }

    float wide(std::size_t i, float cell) const {
        return std::max(std::round(static_cast<float>(sizes_[i].columns) * cell), std::round(room_.least_side));
    }
    float high(std::size_t i, float cell) const {
        const float row = std::max(cell, sizes_[i].least_row);
        return std::max(std::round(static_cast<float>(sizes_[i].rows) * row), std::round(room_.least_side));
    }
    Point caption(std::size_t i) const { return words_ < sizes_[i].words.size() ? sizes_[i].words[words_] : Point{}; }
    float caption_height(std::size_t i) const {
        return caption(i).y > 0 ? caption(i).y + px(by_caption + over_caption) : 0;
    }

    // With its captions, beside which the next one's must not stand.
    float width_of(std::size_t stack, float cell) const {
        float widest = is_left(stack) ? room_.corner.x : 0;
        for (std::size_t i = stacks_[stack].first; i < stacks_[stack].end; ++i)
            widest = std::max({widest, wide(i, cell), caption(i).x});
        return widest;
    }
    // A row that goes on with a product begins right of where its left factor is.
    float indent(std::size_t first, float cell) const {
        return first > 0 && has_above(stacks_[first]) && is_left(0) ? width_of(0, cell) : 0;
    }
    float width_of_row(std::size_t first, std::size_t end, float cell) const {
        float all = indent(first, cell);
        for (std::size_t i = first; i < end; ++i) all += sizes_[stacks_[i].first].before + width_of(i, cell);
        return all;
    }

    // What a row has above its lower matrices, of these, and below them.
    struct Heights {
        float above = 0, matrices = 0, below = 0;
    };
    Heights heights_of(std::size_t first, std::size_t end, float cell) const {
        Heights all;
        for (std::size_t at = first; at < end; ++at) {
            float above = is_left(at) && room_.corner.y > 0 ? room_.corner.y + px(apart) : 0, stacked = 0;
            for (std::size_t i = stacks_[at].first; i < stacks_[at].end; ++i) {
                if (is_above(i)) {
                    stacked += caption_height(i) + high(i, cell) + px(apart);
                    continue;
                }
                all.matrices = std::max(all.matrices, high(i, cell));
                all.below = std::max(all.below, caption_height(i));
            }
            all.above = std::max({all.above, above, stacked});
        }
        if (all.above == 0 && all.matrices > px(tall)) std::swap(all.above, all.below);
        return all;
    }

    // The largest with which a row fits; 0 where none does. Whole pixels where a number has two, halves where it has
    // one.
    float largest_cell(std::size_t first, std::size_t end) const {
        const auto fitting = [&](float cell) {
            const Heights heights = heights_of(first, end, cell);
            return width_of_row(first, end, cell) <= room_.width &&
                   heights.above + heights.matrices + heights.below <= room_.height;
        };
        float least = 0, cell = room_.largest;
        if (!fitting(least)) return 0;
        if (fitting(cell)) return even(cell);
        for (int step = 0; step < 24; ++step) {
            const float middle = (least + cell) / 2;
            (fitting(middle) ? least : cell) = middle;
        }
        return even(least);
    }
    static float even(float cell) { return cell >= 2 ? std::floor(cell) : cell >= 1 ? std::floor(2 * cell) / 2 : cell; }

    void put(std::size_t i, Point corner, float caption_top) {
        const float width = wide(i, row_.cell), height = high(i, row_.cell);
        const Point min{std::round(room_.from.x + corner.x), std::round(room_.from.y + corner.y)};
        row_.matrices[i] = {{min, {min.x + width, min.y + height}}, {min.x, room_.from.y + caption_top}};
        const auto shorter = static_cast<float>(std::min(sizes_[i].rows, sizes_[i].columns));
        row_.thickened = row_.thickened || shorter * row_.cell < room_.least_side;
    }

    void place_row(std::size_t first, std::size_t end) {
        const Heights heights = heights_of(first, end, row_.cell);
        const float top = row_.height, middle = top + heights.above;
        float x = indent(first, row_.cell);
        for (std::size_t at = first; at < end; ++at) {
            const float width = width_of(at, row_.cell);
            if (is_left(at) && !row_.corner)
                row_.corner = {{room_.from.x + x, room_.from.y + top},
                               {room_.from.x + x + width, room_.from.y + middle - px(apart)}};
            x += sizes_[stacks_[at].first].before;
            place_stack(stacks_[at], x, middle, heights);
            x += width;
        }
        row_.height = middle + heights.matrices + heights.below;
    }

    // Middles at one height, captions below all.
    void place_stack(const Stack& stack, float x, float middle, const Heights& heights) {
        float y = middle;
        for (std::size_t i = stack.end; i-- > stack.first;) {
            const float height = high(i, row_.cell);
            if (!is_above(i)) {
                const float below = middle + heights.matrices + px(by_caption);
                const bool over = heights.below == 0;
                put(i, {x, middle + std::floor((heights.matrices - height) / 2)},
                    over ? middle - px(by_caption) - caption(i).y : below);
                continue;
            }
            y -= px(apart) + height;
            put(i, {x, y}, std::round(y) - px(by_caption) - caption(i).y);
            y -= caption_height(i);
        }
    }

    const std::span<const MatrixSize> sizes_;
    const MatrixRoom& room_;
    const std::size_t words_;
    std::vector<Stack> stacks_;
    std::vector<std::size_t> rows_;  // where each ends
    MatrixRow row_;
};

}  // namespace

MatrixRow place_matrices(std::span<const MatrixSize> sizes, const MatrixRoom& room) {
    std::size_t last = 0;
    for (const MatrixSize& each : sizes) last = std::max(last, each.words.size());
    for (std::size_t words = 0;; ++words) {
        RowPlacer placer(sizes, room, words);
        if (!placer.fits() && words < last) continue;  // where not even the names have room the matrices still have
        MatrixRow row = placer.place();
        row.words = std::min(words, std::max<std::size_t>(last, 1) - 1);
        return row;
    }
}

}  // namespace headcount
