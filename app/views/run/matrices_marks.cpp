// Draws with the window's list, over what the heat maps' painter has drawn.
#include "app/views/run/matrices_marks.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/colour.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {
namespace {

constexpr float name_gap = 6, after_caption = 10;

std::string full_name(const RunFigure& figure) {
    return (figure.place == RunFigure::Place::bias ? "+ " : "") + figure.name;
}

}  // namespace

float run_caption_width(const Ui& ui, const RunFigure& figure) {
    return symbol_width(ui.fonts.body_bold, full_name(figure)) + ui.px(name_gap) +
           text_width(ui.fonts.mono_caption, figure.sides) + ui.px(after_caption);
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
    const ImVec2 min = corner_ + figure.min, max = corner_ + figure.max, at = corner_ + figure.label;
    const float wide = draw_symbol(list, ui_.fonts.body_bold, at, ui_.theme.text_high, full_name(figure));
    draw_text(list, ui_.fonts.mono_caption, {at.x + wide + ui_.px(name_gap), at.y + ui_.px(2)}, ui_.theme.text_mid,
              figure.sides);
    if (!figure.before.empty()) {
        const float words = symbol_width(ui_.fonts.mono, figure.before) + ui_.px(16);
        draw_text_in(list, ui_.fonts.mono, {min.x - words, min.y}, {min.x, std::max(max.y, min.y + ui_.px(4))},
                     ui_.theme.text_mid, figure.before, Align::centre);
    }
    ui_.recorder.record("run.matrix", values_.model().graph.tensors[figure.tensor].id, min, max);
}

void RunMarks::head(const std::vector<HeadColumns>& columns, std::int64_t head) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for_each([&](const RunFigure& figure) {
        const auto found = std::find_if(columns.begin(), columns.end(),
                                        [&](const HeadColumns& each) { return each.tensor == figure.tensor; });
        if (found == columns.end() || !figure.whole()) return;
        const std::int64_t first = head * found->count / std::max<std::int64_t>(1, values_.heads()) * found->width;
        const auto [min, max] = figure.area_of(0, first, figure.rows - 1, first + found->width - 1);
        list.AddRect(corner_ + min - ImVec2(1, 1), corner_ + max + ImVec2(1, 1), ui_.theme.text_high, 0, 0,
                     std::max(1.0F, std::floor(ui_.px(1))));
        ui_.recorder.record("run.head", values_.model().graph.tensors[figure.tensor].id, corner_ + min, corner_ + max);
    });
}

void RunMarks::dim_other_experts() const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::int64_t tokens = std::max<std::int64_t>(1, values_.tokens());
    for_each([&](const RunFigure& figure) {
        if (!figure.expert) return;
        const std::span<const std::int32_t> all = values_.experts(figure.layer);
        const std::int64_t each = static_cast<std::int64_t>(all.size()) / tokens;
        for (std::int64_t row = figure.first_row; row < figure.first_row + figure.rows; ++row) {
            const std::int64_t at = row * each + figure.copy;
            if (at >= static_cast<std::int64_t>(all.size()) || all[static_cast<std::size_t>(at)] == *figure.expert)
                continue;
            const auto [min, max] = figure.area_of(row, 0, row, figure.view.columns - 1);
            list.AddRectFilled(corner_ + min, corner_ + max, with_alpha(ui_.theme.canvas, 0.7F));
        }
    });
}

bool RunMarks::has_rows_of_tokens(const RunFigure& figure) const {
    const Role role = values_.model().graph.tensors[figure.tensor].role;
    return role == Role::activation || role == Role::cache;
}

void RunMarks::hide_what_is_to_come(const RunSnapshot& run) const {
    for_each([&](const RunFigure& figure) {
        if (!not_there(run, figure.tensor, figure.layer)) return;
        const std::int64_t row = row_of_token(values_, figure.view, values_.tokens() - 1);
        if (row < figure.first_row || row >= figure.first_row + figure.rows) return;
        const auto [min, max] = figure.area_of(row, figure.first_column, row, figure.first_column + figure.columns - 1);
        ImGui::GetWindowDrawList()->AddRectFilled(corner_ + min, corner_ + max, ui_.theme.canvas);
        ui_.recorder.record("run.to_come", values_.model().graph.tensors[figure.tensor].id, corner_ + min,
                            corner_ + max);
    });
}

void RunMarks::token(std::int64_t position) const {
    const ModelGraph& graph = values_.model().graph;
    for_each([&](const RunFigure& figure) {
        if (!has_rows_of_tokens(figure)) return;
        const std::int64_t first_row = figure.first_row, last_row = first_row + figure.rows - 1;
        const std::int64_t first = figure.first_column, last = first + figure.columns - 1;
        const CellAt cell{figure.tensor, figure.layer, figure.copy};
        const auto area = [&](std::int64_t row, std::int64_t column, std::int64_t to_row, std::int64_t to_column) {
            CellAt least = cell, most = cell;
            least.row = row, least.column = column, most.row = to_row, most.column = to_column;
            outline(figure, least, most, ui_.theme.selection, 1.5F);
        };
        const Node* const made = graph.producer(figure.tensor);
        const bool pairs = made && (made->op == Op::scores || made->op == Op::masked_softmax);
        const std::int64_t row = row_of_token(values_, figure.view, position);
        if (row >= first_row && row <= last_row) area(row, first, row, pairs ? std::min(position, last) : last);
        if (pairs && position >= first && position <= last)
            area(std::max(row, first_row), position, last_row, position);
    });
}

std::vector<RunMarks::Reach> RunMarks::reaches(const Explanation& said) {
    std::vector<Reach> read;
    const auto reach = [&](const CellAt& cell) {
        for (Reach& each : read)
            if (each.least.tensor == cell.tensor && each.least.layer == cell.layer && each.least.copy == cell.copy) {
                each.least.row = std::min(each.least.row, cell.row);
                each.least.column = std::min(each.least.column, cell.column);
                each.most.row = std::max(each.most.row, cell.row);
                each.most.column = std::max(each.most.column, cell.column);
                return;
            }
        read.push_back({cell, cell});
    };
    for (const Term& term : said.terms)
        for (const Operand& factor : term.factors)
            if (factor.cell) reach(*factor.cell);
    for (const AfterSum& step : said.after)
        for (const Operand& operand : step.operands)
            if (operand.cell) reach(*operand.cell);
    return read;
}

void RunMarks::rings(const Explanation& said) const {
    for (const Reach& each : reaches(said))
        for_each([&](const RunFigure& figure) {
            if (figure.shows(each.least)) outline(figure, each.least, each.most, ui_.theme.selection, 1.5F);
        });
    if (!(said.of == said.cell)) ring(said.of, ui_.theme.selection);
    ring(said.cell, ui_.theme.selection);
}

void RunMarks::ring(const CellAt& cell, ImU32 colour) const {
    for_each([&](const RunFigure& figure) {
        if (figure.shows(cell)) outline(figure, cell, cell, colour, 2);
    });
}

void RunMarks::outline(const RunFigure& figure, const CellAt& first, const CellAt& last, ImU32 colour,
                       float width) const {
    const auto [min, max] = figure.area_of(first.row, first.column, last.row, last.column);
    const ImVec2 out(ui_.px(2), ui_.px(2));
    const ImVec2 from = corner_ + min - out, to = corner_ + max + out;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRect(from - ImVec2(1, 1), to + ImVec2(1, 1), ui_.theme.selection_ink, ui_.px(2), 0, 1.0F);
    list.AddRect(from, to, colour, ui_.px(2), 0, ui_.px(width));
    ui_.recorder.record("run.lit", values_.model().graph.tensors[figure.tensor].id, from, to);
}

std::vector<RunRect> RunMarks::lit(const Explanation& said) const {
    std::vector<Reach> all = reaches(said);
    all.push_back({said.cell, said.cell});
    const ImVec2 around(ui_.px(16), ui_.px(16));  // the cell is to be seen where it stands
    std::vector<RunRect> rects;
    for (const Reach& each : all)
        for_each([&](const RunFigure& figure) {
            if (!figure.shows(each.least)) return;
            const auto [min, max] = figure.area_of(each.least.row, each.least.column, each.most.row, each.most.column);
            rects.emplace_back(corner_ + min - around, corner_ + max + around);
        });
    return rects;
}

std::vector<RunRect> RunMarks::places_of(const CellAt& cell) const {
    const ImVec2 around(ui_.px(6), ui_.px(6));
    std::vector<RunRect> rects;
    for_each([&](const RunFigure& figure) {
        if (!figure.shows(cell)) return;
        const auto [min, max] = figure.area_of(cell.row, cell.column, cell.row, cell.column);
        rects.emplace_back(corner_ + min - around, corner_ + max + around);
    });
    return rects;
}

std::vector<RunRect> RunMarks::matrices() const {
    std::vector<RunRect> rects;
    for_each([&](const RunFigure& figure) { rects.emplace_back(corner_ + figure.min, corner_ + figure.max); });
    return rects;
}

}  // namespace headcount
