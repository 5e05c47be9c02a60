// Draws with the window's list, over what the heat maps' painter has drawn.
#include "app/views/run/matrices_marks.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/colour.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {

MatrixCaption run_caption(const RunFigure& figure, std::string_view beside) {
    return {(figure.place == MatrixSpot::bias ? "+ " : "") + figure.name, std::string(beside)};
}

void RunMarks::words() const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const RunLine& line : pages_.lines) {
        if (!line.title.empty()) {
            const ImVec2 at = corner_ + ImVec2(0, line.top);
            const float wide = draw_text(list, ui_.fonts.body_bold, at, ui_.theme.text_high, line.title);
            draw_text(list, ui_.fonts.table, at + ImVec2(wide + ui_.px(12), ui_.px(1)), ui_.theme.text_mid,
                      line.remark);
        }
        for (const RunFigure& figure : line.figures) label(figure);
    }
}

// "W_q 128 × 128"; and what is done before.
void RunMarks::label(const RunFigure& figure) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 min = corner_ + figure.min, max = corner_ + figure.max;
    draw_matrix_caption(ui_, corner_ + figure.label, run_caption(figure, figure.sides + figure.note));
    if (!figure.before.empty()) {
        const float words = symbol_width(ui_.fonts.mono, figure.before) + ui_.px(16);
        draw_text_in(list, ui_.fonts.mono, {min.x - words, min.y}, {min.x, std::max(max.y, min.y + ui_.px(4))},
                     ui_.theme.text_mid, figure.before, Align::centre);
    }
    record("run.matrix", figure, {min, max});
}

void RunMarks::record(const char* what, const RunFigure& figure, const RunRect& rect) const {
    ui_.recorder.record(what, values_.model().graph.tensors[figure.tensor].id, rect.first, rect.second);
}

void RunMarks::head(const std::vector<HeadColumns>& columns, std::int64_t head) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const RunFigure* const figure : figures_) {
        const auto found = std::find_if(columns.begin(), columns.end(),
                                        [&](const HeadColumns& each) { return each.tensor == figure->tensor; });
        if (found == columns.end() || !figure->whole()) continue;
        const std::int64_t heads = std::max<std::int64_t>(1, values_.heads_of(figure->layer));
        const std::int64_t first = head * found->count / heads * found->width;
        const RunRect own = on_screen(figure->area_of(0, first, figure->rows - 1, first + found->width - 1));
        list.AddRect(own.first - ImVec2(1, 1), own.second + ImVec2(1, 1), ui_.theme.text_high, 0, 0,
                     std::max(1.0F, std::floor(ui_.px(1))));
        record("run.head", *figure, own);
    }
}

void RunMarks::dim_other_experts() const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const RunFigure* const figure : figures_) {
        if (!figure->expert) continue;
        for (std::int64_t row = figure->first_row; row < figure->first_row + figure->rows; ++row) {
            const std::optional<std::int32_t> taken = values_.expert(figure->layer, row, figure->copy);
            if (!taken || *taken == *figure->expert) continue;
            const auto [min, max] = on_screen(figure->area_of(row, 0, row, figure->view.columns - 1));
            list.AddRectFilled(min, max, with_alpha(ui_.theme.canvas, 0.7F));
        }
    }
}

void RunMarks::hide_what_is_to_come(const RunSnapshot& run) const {
    for (const RunFigure* const figure : figures_) {
        if (!not_there(run, figure->tensor, figure->layer)) continue;
        const std::int64_t row = row_of_token(values_, figure->view, values_.tokens() - 1);
        if (row < figure->first_row || row >= figure->first_row + figure->rows) continue;
        const RunRect hidden =
            on_screen(figure->area_of(row, figure->first_column, row, figure->first_column + figure->columns - 1));
        ImGui::GetWindowDrawList()->AddRectFilled(hidden.first, hidden.second, ui_.theme.canvas);
        record("run.to_come", *figure, hidden);
    }
}

void RunMarks::token(std::int64_t position) const {
    const ModelGraph& graph = values_.model().graph;
    for (const RunFigure* const figure : figures_) {
        if (!has_row_for_each_token(graph.tensors[figure->tensor])) continue;
        const std::int64_t first_row = figure->first_row, last_row = first_row + figure->rows - 1;
        const std::int64_t first = figure->first_column, last = first + figure->columns - 1;
        const auto light = [&](std::int64_t row, std::int64_t column, std::int64_t end_row, std::int64_t end_column) {
            outline(*figure, figure->area_of(row, column, end_row, end_column), ui_.theme.selection, 1.5F);
        };
        const bool pairs = hides_later(graph, figure->tensor);
        const std::int64_t row = row_of_token(values_, figure->view, position);
        if (row >= first_row && row <= last_row) light(row, first, row, pairs ? std::min(position, last) : last);
        if (pairs && position >= first && position <= last)
            light(std::max(row, first_row), position, last_row, position);
    }
}

std::vector<RunMarks::Reach> RunMarks::reaches(const Explanation& said) {
    std::vector<Reach> read;
    const auto reach = [&](const Operand& operand) {
        if (!operand.cell) return;
        const CellAt& cell = *operand.cell;
        for (auto& [least, most] : read)
            if (least.tensor == cell.tensor && least.layer == cell.layer && least.copy == cell.copy) {
                least.row = std::min(least.row, cell.row);
                least.column = std::min(least.column, cell.column);
                most.row = std::max(most.row, cell.row);
                most.column = std::max(most.column, cell.column);
                return;
            }
        read.push_back({cell, cell});
    };
    for (const Term& term : said.terms)
        for (const Operand& factor : term.factors) reach(factor);
    for (const AfterSum& step : said.after)
        for (const Operand& operand : step.operands) reach(operand);
    return read;
}

void RunMarks::rings(const Explanation& said) const {
    for (const Reach& each : reaches(said)) ring(each, ui_.theme.selection, 1.5F);
    if (!(said.of == said.cell)) ring(said.of, ui_.theme.selection);
    ring(said.cell, ui_.theme.selection);
}

void RunMarks::ring(const Reach& cells, ImU32 colour, float width) const {
    for (const RunFigure* const figure : figures_)
        if (figure->shows(cells.least)) outline(*figure, area_of(*figure, cells), colour, width);
}

RunRect RunMarks::area_of(const RunFigure& figure, const Reach& cells) {
    return figure.area_of(cells.least.row, cells.least.column, cells.most.row, cells.most.column);
}

void RunMarks::outline(const RunFigure& figure, const RunRect& of_page, ImU32 colour, float width) const {
    const auto [from, to] = on_screen(of_page, ui_.px(2));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRect(from - ImVec2(1, 1), to + ImVec2(1, 1), ui_.theme.selection_ink, ui_.px(2), 0, 1.0F);
    list.AddRect(from, to, colour, ui_.px(2), 0, ui_.px(width));
    record("run.lit", figure, {from, to});
}

std::vector<RunRect> RunMarks::rects_of(const std::vector<Reach>& all, float around) const {
    std::vector<RunRect> rects;
    for (const Reach& each : all)
        for (const RunFigure* const figure : figures_)
            if (figure->shows(each.least)) rects.push_back(on_screen(area_of(*figure, each), ui_.px(around)));
    return rects;
}

std::vector<RunRect> RunMarks::lit(const Explanation& said) const {
    std::vector<Reach> all = reaches(said);
    all.push_back({said.cell, said.cell});
    return rects_of(all, 16);  // the cell is to be seen where it stands
}

std::vector<RunRect> RunMarks::places_of(const CellAt& cell) const {
    return rects_of({{cell, cell}}, 6);
}

std::vector<RunRect> RunMarks::matrices() const {
    std::vector<RunRect> rects;
    for (const RunFigure* const figure : figures_) rects.push_back(on_screen({figure->min, figure->max}));
    return rects;
}

}  // namespace headcount
