// Where the matrices of a page lie: products at the corner of their factors, chains from left to right.
#include <algorithm>
#include <cmath>

#include "app/panels/run_figures.hpp"

namespace headcount {
namespace {

// Design pixels.
constexpr float title_height = 36, label_height = 24, between = 24, apart = 12, line_gap = 20;
constexpr float largest_product_cell = 4, largest_chain_cell = 8, least_cell = 2, least_side = 4;

class Placer {
  public:
    explicit Placer(const RunRoom& room) : room_(room) {}

    RunPages place(std::vector<RunLine> lines) {
        for (RunLine& line : lines) {
            line.top = y_;
            if (!line.title.empty()) y_ += px(title_height);
            if (line.product)
                place_product(line);
            else
                place_chain(line);
            line.bottom = y_;
            y_ += px(line_gap);
        }
        pages_.lines = std::move(lines);
        pages_.height = y_;
        return std::move(pages_);
    }

  private:
    float px(float design) const { return design * room_.scale; }

    // Whole pixels where a cell has any.
    static float whole(float cell) { return cell >= 1 ? std::floor(cell) : cell; }

    void put(RunFigure& figure, float x, float y, float cell) const {
        figure.cell = cell;
        figure.min = {std::round(x), std::round(y)};
        const float wide = std::max(static_cast<float>(figure.across()) * cell, px(least_side));
        const float high = std::max(static_cast<float>(figure.down()) * cell, px(least_side));
        figure.max = {figure.min.x + std::round(wide), figure.min.y + std::round(high)};
    }

    // Columns of weights and what they make; on rows of their own where their cells would be too small beside each
    // other.
    void place_product(RunLine& line) {
        const bool has_input = !line.figures.empty() && line.figures.front().place == RunFigure::Place::input;
        std::vector<std::vector<RunFigure*>> columns;
        for (RunFigure& figure : line.figures) {
            if (figure.place == RunFigure::Place::input) continue;
            if (figure.place == RunFigure::Place::weight || columns.empty()) columns.emplace_back();
            columns.back().push_back(&figure);
        }
        const float input = has_input ? static_cast<float>(line.figures.front().across()) : 0;
        const auto wide = [](const std::vector<RunFigure*>& column) {
            std::int64_t cells = 1;
            for (const RunFigure* each : column) cells = std::max(cells, each->across());
            return static_cast<float>(cells);
        };
        const auto fit = [&](std::size_t first, std::size_t end) {
            float cells = input, gaps = 0;
            for (std::size_t i = first; i < end; ++i, gaps += px(between)) cells += wide(columns[i]);
            return whole(std::min(px(largest_product_cell), (room_.width - gaps) / std::max(cells, 1.0F)));
        };
        std::size_t first = 0;
        while (first < columns.size()) {
            std::size_t end = columns.size();
            while (end > first + 1 && fit(first, end) < px(least_cell)) --end;
            const float cell = fit(first, end);
            float x = has_input ? input * cell + px(between) : 0, above = 0;
            for (std::size_t i = first; i < end; ++i) {
                float high = px(label_height);
                for (const RunFigure* each : columns[i])
                    if (each->place != RunFigure::Place::output)
                        high += std::max(static_cast<float>(each->down()) * cell, px(least_side)) + px(apart);
                above = std::max(above, high);
            }
            const bool card = pages_.lines.empty() && !pages_.corner && has_input && above >= room_.card.y;
            float all = input * cell;
            for (std::size_t i = first; i < end; ++i) all += wide(columns[i]) * cell + px(between);
            if (card && all + std::max(0.0F, room_.card.x - input * cell) <= room_.width) {
                x = std::max(x, room_.card.x + px(between));
                const float top = y_ + above - room_.card.y - px(apart);
                pages_.corner = {{0, std::max(y_, top)}, {room_.card.x, std::max(y_, top) + room_.card.y}};
            }
            const float below = y_ + above;
            float bottom = below;
            // The input stands once, beside the first row of what is made of it.
            if (has_input && first == 0) put(line.figures.front(), 0, below, cell);
            if (has_input && first == 0) bottom = line.figures.front().max.y;
            for (std::size_t i = first; i < end; ++i) {
                float y = below;
                for (auto each = columns[i].rbegin(); each != columns[i].rend(); ++each) {
                    RunFigure& figure = **each;
                    if (figure.place == RunFigure::Place::output) {
                        put(figure, x, below, cell);
                        bottom = std::max(bottom, figure.max.y);
                        continue;
                    }
                    const float high = std::max(static_cast<float>(figure.down()) * cell, px(least_side));
                    y -= px(apart) + std::round(high);
                    put(figure, x, y, cell);
                }
                x += wide(columns[i]) * cell + px(between);
            }
            y_ = bottom + px(label_height);
            first = end;
            if (first < columns.size()) y_ += px(apart);
        }
        if (columns.empty() && has_input) {
            put(line.figures.front(), 0, y_, whole(std::min(px(4), room_.width / std::max(input, 1.0F))));
            y_ = line.figures.front().max.y + px(label_height);
        }
    }

    void place_chain(RunLine& line) {
        float cells = 0, words = 0, widest = 1;
        for (const RunFigure& figure : line.figures) {
            cells += static_cast<float>(figure.across());
            widest = std::max(widest, static_cast<float>(figure.across()));
            words += before(figure);
        }
        float cell = whole(std::min(px(largest_chain_cell), (room_.width - words) / std::max(cells, 1.0F)));
        if (cell < px(least_cell)) cell = whole(std::min(px(least_cell), (room_.width - px(64)) / widest));
        float x = 0, bottom = y_;
        for (RunFigure& figure : line.figures) {
            const float gap = before(figure);
            const float wide = static_cast<float>(figure.across()) * cell;
            if (x > 0 && x + gap + wide > room_.width) {
                y_ = bottom + px(label_height) + px(apart);
                x = 0;
                bottom = y_;
            }
            put(figure, x + gap, y_, cell);
            x = figure.max.x;
            bottom = std::max(bottom, figure.max.y);
        }
        y_ = bottom + px(label_height);
    }

    float before(const RunFigure& figure) const {
        return figure.before.empty() ? 0 : room_.text(figure.before) + px(16);
    }

    const RunRoom& room_;
    RunPages pages_;
    float y_ = 0;
};

}  // namespace

RunPages place_lines(std::vector<RunLine> lines, const RunRoom& room) {
    return Placer(room).place(std::move(lines));
}

}  // namespace headcount
