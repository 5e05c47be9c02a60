// Where the matrices of a page lie: products at the corner of their factors, chains from left to right.
#include "app/canvas/matrix_row.hpp"
#include "app/views/run/figures.hpp"

namespace headcount {
namespace {

// Design pixels.
constexpr float title_height = 36, words_height = 18, between = 24, line_gap = 20;
constexpr float most_product_cell = 4, most_chain_cell = 8, most_head_cell = 12;
constexpr float least_product_cell = 1.5F, least_chain_cell = 1, least_side = 4, least_row = 3;
constexpr std::int64_t few_rows = 32;

ImVec2 pixels(Point point) {
    return {point.x, point.y};
}

MatrixSize size_of(const RunLine& line, const RunFigure& figure, const RunRoom& room) {
    const auto caption = [&](std::string_view rest) {
        return Point{room.caption(figure, rest), words_height * room.scale};
    };
    MatrixSize size{.spot = figure.place,
                    .rows = static_cast<double>(figure.down()),
                    .columns = static_cast<double>(figure.across()),
                    .words = {caption(figure.sides + figure.note), caption(figure.sides), caption("")}};
    if (!figure.before.empty()) size.before = room.text(figure.before) + 16 * room.scale;
    if (figure.place == MatrixSpot::right) size.before = between * room.scale;
    // Beside a weight rows are as high as its columns are wide; else few have some that can be pointed at.
    const bool few = figure.down() <= few_rows && figure.down() > 1;
    if (!line.product && few && figure.place != MatrixSpot::right) size.least_row = least_row * room.scale;
    return size;
}

MatrixRow placed(const RunLine& line, const RunRoom& room, float top, Point card) {
    std::vector<MatrixSize> sizes;
    for (const RunFigure& figure : line.figures) sizes.push_back(size_of(line, figure, room));
    const float most = line.product ? most_product_cell : line.head ? most_head_cell : most_chain_cell;
    return place_matrices(sizes, {.from = {0, top},
                                  .width = room.width,
                                  .scale = room.scale,
                                  .largest = most * room.scale,
                                  .wrapped = (line.product ? least_product_cell : least_chain_cell) * room.scale,
                                  .least_side = least_side * room.scale,
                                  .corner = card});
}

}  // namespace

RunPages place_lines(std::vector<RunLine> lines, const RunRoom& room) {
    RunPages pages;
    for (RunLine& line : lines) {
        line.top = pages.height;
        const float top = line.top + (line.title.empty() ? 0 : title_height * room.scale);
        MatrixRow row = placed(line, room, top, {});
        if (row.corner && !pages.corner) {
            // The card stands there where no matrix has to give way.
            MatrixRow with_card = placed(line, room, top, {room.card.x, room.card.y});
            if (with_card.cell == row.cell && with_card.height == row.height) {
                row = std::move(with_card);
                const ImVec2 end(room.card.x, row.corner->max.y);
                pages.corner = {{0, end.y - room.card.y}, end};
            }
        }
        for (std::size_t i = 0; i < line.figures.size(); ++i) {
            RunFigure& figure = line.figures[i];
            figure.min = pixels(row.matrices[i].area.min);
            figure.max = pixels(row.matrices[i].area.max);
            figure.label = pixels(row.matrices[i].words);
            figure.cell = row.cell;
            if (row.words > 0) figure.note.clear();
            if (row.words > 1) figure.sides.clear();
        }
        line.bottom = top + row.height;
        pages.height = line.bottom + line_gap * room.scale;
    }
    pages.lines = std::move(lines);
    return pages;
}

}  // namespace headcount
