// Where the matrices of a page lie: products at the corner of their factors, chains from left to right.
#include <algorithm>
#include <cmath>
#include <span>

#include "app/views/run/figures.hpp"

namespace headcount {
namespace {

// Design pixels.
constexpr float title_height = 36, label_height = 24, bias_label = 22, between = 24, apart = 12, line_gap = 20;
constexpr float most_product_cell = 4, most_chain_cell = 8, most_head_cell = 16;
constexpr float least_product_cell = 1.5F, least_chain_cell = 1, wrapped_cell = 2;
constexpr float least_side = 4, least_row = 3, tall = 320;
constexpr std::int64_t few_rows = 32;

// Whole pixels where a cell has two, halves where it has one.
float even(float cell) {
    return cell >= 2 ? std::floor(cell) : cell >= 1 ? std::floor(2 * cell) / 2 : cell;
}

using Spot = RunFigure::Place;
using Column = std::vector<RunFigure*>;  // a weight, its bias, and what is made

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

    float wide(const RunFigure& figure, float cell) const {
        return std::max(std::round(static_cast<float>(figure.across()) * cell), std::round(px(least_side)));
    }
    // In a chain few tokens have rows that can be pointed at, however narrow their columns are.
    float high(const RunFigure& figure, float cell) const {
        const bool few = figure.place == Spot::link && figure.down() <= few_rows && figure.down() > 1;
        const float row = few ? std::max(cell, px(least_row)) : cell;
        return std::max(std::round(static_cast<float>(figure.down()) * row), std::round(px(least_side)));
    }
    // With its name, beside which the next one's must not stand.
    float with_caption(const RunFigure& figure, float cell) const {
        return std::max(wide(figure, cell), room_.caption(figure));
    }

    void put(RunFigure& figure, float x, float y, float cell) const {
        figure.cell = cell;
        figure.min = {std::round(x), std::round(y)};
        figure.max = {figure.min.x + wide(figure, cell), figure.min.y + high(figure, cell)};
        figure.label = {figure.min.x, figure.max.y + px(4)};
        if (figure.place == Spot::weight) figure.label.y = figure.min.y - px(22);
        if (figure.place == Spot::bias) figure.label.y = figure.min.y - px(20);
    }

    // The largest cell with which `total` pixels are no more than there is room for.
    template <class Total>
    float largest_cell(float most, Total&& total) const {
        float cell = even(most);
        while (cell > 1 && total(cell) > room_.width) cell -= cell > 2 ? 1 : 0.5F;
        if (total(cell) <= room_.width) return cell;
        // Less than a pixel: what the gaps leave, shared out.
        for (float part = 0.95F; part > 0.05F; part -= 0.05F)
            if (total(part) <= room_.width) return part;
        return 0.05F;
    }

    float column_width(const Column& column, float cell) const {
        float most = 1;
        for (const RunFigure* each : column) most = std::max(most, with_caption(*each, cell));
        return most;
    }
    // Of what stands above what is made.
    float column_height(const Column& column, float cell) const {
        float all = px(label_height);
        for (const RunFigure* each : column)
            if (each->place != Spot::output)
                all += high(*each, cell) + px(apart) + (each->place == Spot::bias ? px(bias_label) : 0);
        return all;
    }

    // Columns of weights and what they make; on rows of their own where their cells would be too small beside each
    // other.
    void place_product(RunLine& line) {
        RunFigure* const input =
            !line.figures.empty() && line.figures.front().place == Spot::input ? &line.figures.front() : nullptr;
        std::vector<Column> columns;
        for (RunFigure& figure : line.figures) {
            if (figure.place == Spot::input) continue;
            if (figure.place == Spot::weight || columns.empty()) columns.emplace_back();
            columns.back().push_back(&figure);
        }
        const auto fit = [&](std::size_t first, std::size_t end) {
            return largest_cell(px(most_product_cell), [&](float cell) {
                float all = input ? with_caption(*input, cell) + px(between) : 0;
                for (std::size_t i = first; i < end; ++i) all += column_width(columns[i], cell) + px(between);
                return all - px(between);
            });
        };
        if (columns.empty() && input) {
            put(*input, 0, y_, fit(0, 0));
            y_ = input->max.y + px(label_height);
        }
        for (std::size_t first = 0; first < columns.size();) {
            std::size_t end = columns.size();
            while (end > first + 1 && fit(first, end) < px(least_product_cell)) --end;
            // The input stands once, beside the first row of what is made of it.
            place_columns({columns.data() + first, columns.data() + end}, input, first == 0, fit(first, end));
            first = end;
            if (first < columns.size()) y_ += px(apart);
        }
    }

    void place_columns(std::span<Column> columns, RunFigure* input, bool with_input, float cell) {
        float above = 0, x = input ? with_caption(*input, cell) + px(between) : 0, all = x;
        for (const Column& column : columns) {
            above = std::max(above, column_height(column, cell));
            all += column_width(column, cell) + px(between);
        }
        const bool card = pages_.lines.empty() && !pages_.corner && input && with_input && above >= room_.card.y;
        const float shift = std::max(0.0F, room_.card.x + px(between) - x);
        if (card && all + shift <= room_.width + px(between)) {
            x += shift;
            const float top = std::max(y_, y_ + above - room_.card.y - px(apart));
            pages_.corner = {{0, top}, {room_.card.x, top + room_.card.y}};
        }
        const float below = y_ + above;
        float bottom = below;
        if (input && with_input) {
            put(*input, 0, below, cell);
            bottom = input->max.y;
        }
        for (const Column& column : columns) {
            float y = below;
            for (auto each = column.rbegin(); each != column.rend(); ++each) {
                RunFigure& figure = **each;
                if (figure.place == Spot::output) {
                    put(figure, x, below, cell);
                    bottom = std::max(bottom, figure.max.y);
                    continue;
                }
                y -= px(apart) + high(figure, cell);
                put(figure, x, y, cell);
                if (figure.place == Spot::bias) y -= px(bias_label);
            }
            x += column_width(column, cell) + px(between);
        }
        y_ = bottom + px(label_height);
    }

    void place_chain(RunLine& line) {
        std::vector<RunFigure>& all = line.figures;
        const auto total = [&](float cell) {
            float width = 0;
            for (const RunFigure& figure : all) width += before(figure) + with_caption(figure, cell);
            return width;
        };
        float cell = largest_cell(px(line.head ? most_head_cell : most_chain_cell), total);
        if (cell < px(least_chain_cell)) {
            std::int64_t widest = 1;
            for (const RunFigure& figure : all) widest = std::max(widest, figure.across());
            cell = even(std::min(px(wrapped_cell), (room_.width - px(64)) / static_cast<float>(widest)));
        }
        for (std::size_t first = 0; first < all.size();) {
            std::size_t end = first;
            for (float x = 0; end < all.size(); ++end) {
                x += before(all[end]) + with_caption(all[end], cell);
                if (end > first && x > room_.width) break;
            }
            if (first > 0) y_ += px(apart);
            place_row({all.data() + first, all.data() + end}, cell);
            first = end;
        }
    }

    // Middles at one height, and names below all; those of tall matrices above, where they are found.
    void place_row(std::span<RunFigure> row, float cell) {
        float most = 0, x = 0;
        for (const RunFigure& figure : row) most = std::max(most, high(figure, cell));
        const bool above = most > px(tall);
        if (above) y_ += px(label_height);
        for (RunFigure& figure : row) {
            x += before(figure);
            put(figure, x, above ? y_ : y_ + std::floor((most - high(figure, cell)) / 2), cell);
            figure.label.y = above ? y_ - px(22) : y_ + most + px(4);
            x += with_caption(figure, cell);
        }
        y_ += most + (above ? 0 : px(label_height));
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
