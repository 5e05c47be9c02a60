// Lays the card's lines out once for all that is done with them: measured, pressed, drawn.
#include "app/panels/run_card.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/run_parts.hpp"
#include "app/panels/words.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"

namespace headcount {
namespace {

constexpr float padding = 12, row = 20, bars_height = 72, least_bars = 4;
constexpr std::size_t most_terms = 3;

// A piece of a line that can be pressed.
struct Piece {
    std::string text;
    std::optional<CellAt> cell;
    float x = 0, width = 0;
};

struct Line {
    enum class Kind { words, formula, bars, scale, term, rule } kind = Kind::words;
    std::string text, value;
    std::vector<Piece> pieces;
    float y = 0, height = row;
};

class Layout {
  public:
    Layout(const Ui& ui, const RunCard& card) : ui_(ui), card_(card), width_(ui.px(run_card_width - 2 * padding)) {
        const Explanation& said = card.said;
        add({.kind = Line::Kind::words, .text = subtitle(), .height = ui.px(row)});
        add({.kind = Line::Kind::rule, .height = ui.px(9)});
        if (!(said.of == said.cell))
            wrapped("the same number as " + cell_name(model(), said.of) + ":", Line::Kind::words);
        wrapped(said.terms.empty() ? said.what : "= " + said.what, Line::Kind::words);
        if (!said.formula.empty()) wrapped(said.formula, Line::Kind::formula);
        if (static_cast<float>(said.terms.size()) >= least_bars) {
            add({.kind = Line::Kind::bars, .height = ui.px(bars_height)});
            add({.kind = Line::Kind::scale,
                 .text = said.index + " = " + std::to_string(said.terms.front().index),
                 .value = std::to_string(said.terms.back().index),
                 .height = ui.px(18)});
        }
        add_terms();
        for (const AfterSum& step : said.after) add_step(step);
    }

    std::vector<Line> lines;
    float height() const { return y_ + ui_.px(padding); }

  private:
    const Model& model() const { return card_.run.values->model(); }

    void add(Line line) {
        line.y = y_;
        y_ += line.height;
        lines.push_back(std::move(line));
    }
    void wrapped(std::string text, Line::Kind kind) {
        const Font& font = kind == Line::Kind::formula ? ui_.fonts.mono : ui_.fonts.table;
        const float high = wrapped_extent(font, text, width_, true).y;
        add({.kind = kind, .text = std::move(text), .height = std::round(high + ui_.px(2))});
    }

    // "Queries, token 5 “there”", "Query projection, a weight"
    std::string subtitle() const {
        const CellAt& cell = card_.said.cell;
        const Tensor& tensor = model().graph.tensors[cell.tensor];
        std::string text(tensor.label);
        const bool activation = tensor.role == Role::activation || tensor.role == Role::cache;
        if (in_head(model().graph, tensor.block)) text = "head " + std::to_string(cell.copy) + ": " + text;
        if (!activation || cell.row >= static_cast<std::int64_t>(card_.run.tokens.size())) return text;
        return text + ", token " + std::to_string(cell.row) + " \xE2\x80\x9C" +
               chip_text(card_.run.tokens[static_cast<std::size_t>(cell.row)]) + "\xE2\x80\x9D";
    }

    // Pieces from left to right, which end before the value at the right.
    void put(Line& line, std::string text, std::optional<CellAt> cell = {}) {
        const float from = line.pieces.empty() ? 0 : line.pieces.back().x + line.pieces.back().width;
        const float wide = text_width(ui_.fonts.mono, text);
        line.pieces.push_back({std::move(text), cell, from, wide});
    }

    void add_terms() {
        const Explanation& said = card_.said;
        if (said.terms.empty()) return;
        const std::vector<std::size_t> order = largest_terms(said);
        const std::size_t shown = order.size() <= most_terms + 1 ? order.size() : most_terms;
        double rest = said.sum;
        for (std::size_t i = 0; i < shown; ++i) {
            const Term& term = said.terms[order[i]];
            rest -= term.value;
            Line line{.kind = Line::Kind::term, .value = cell_text(term.value), .height = ui_.px(row)};
            if (!said.index.empty()) put(line, said.index.substr(0, 1) + " = " + std::to_string(term.index) + "  ");
            for (std::size_t f = 0; f < term.factors.size(); ++f) {
                const Operand& factor = term.factors[f];
                if (f > 0) put(line, " × ");
                const bool named = said.index.empty() && term.factors.size() == 1;
                put(line, named ? factor.name : cell_text(factor.value), factor.cell);
            }
            add(std::move(line));
        }
        if (shown < order.size())
            add({.kind = Line::Kind::term,
                 .text = std::to_string(order.size() - shown) + (said.products ? " smaller products" : " smaller"),
                 .value = cell_text(rest),
                 .height = ui_.px(row)});
        if (!said.after.empty())
            add({.kind = Line::Kind::term, .text = "sum", .value = cell_text(said.sum), .height = ui_.px(row)});
    }

    void add_step(const AfterSum& step) {
        Line line{.kind = Line::Kind::term, .value = cell_text(step.value)};
        std::optional<CellAt> cell;
        if (!step.operands.empty()) cell = step.operands.front().cell;
        const float room = width_ - text_width(ui_.fonts.mono, line.value) - ui_.px(12);
        const float high = wrapped_extent(ui_.fonts.table, step.text, room, true).y;
        line.text = step.text;
        line.height = std::max(ui_.px(row), std::round(high + ui_.px(2)));
        line.pieces.push_back({"", cell, 0, cell ? room : 0});
        add(std::move(line));
    }

    const Ui& ui_;
    const RunCard& card_;
    const float width_;
    float y_ = ui_.px(padding + 26);
};

std::string title_of(const RunCard& card) {
    return cell_name(card.run.values->model(), card.said.cell);
}

struct Buttons {
    ImVec2 back_min, back_max, close_min, close_max;
};
Buttons buttons_of(const Ui& ui, const RunCard& card, ImVec2 min, float height) {
    const float side = ui.px(size::small_button), right = min.x + ui.px(run_card_width) - ui.px(4);
    const float top = min.y + height + ui.px(4);
    Buttons made;
    made.close_min = {right - ui.px(64), top};
    made.close_max = {right, top + side};
    made.back_min = {min.x, top};
    made.back_max = {min.x + (card.back ? ui.px(64) : 0), top + side};
    return made;
}

void draw_bars(const Ui& ui, ImDrawList& list, const Explanation& said, ImVec2 min, ImVec2 max) {
    double largest = 0;
    for (const Term& term : said.terms) largest = std::max(largest, std::abs(term.value));
    if (!(largest > 0)) return;
    const bool signs = std::any_of(said.terms.begin(), said.terms.end(), [](const Term& t) { return t.value < 0; });
    const float zero = signs ? (min.y + max.y) / 2 : max.y, reach = signs ? (max.y - min.y) / 2 : max.y - min.y;
    const auto count = static_cast<float>(said.terms.size());
    const std::vector<std::size_t> order = largest_terms(said);
    const std::size_t lit = std::min(most_terms, order.size());
    list.AddRectFilled({min.x, std::round(zero)}, {max.x, std::round(zero) + 1}, ui.theme.line);
    for (std::size_t i = 0; i < said.terms.size(); ++i) {
        const float from = min.x + (max.x - min.x) * static_cast<float>(i) / count;
        const float to = std::max(from + 1, min.x + (max.x - min.x) * static_cast<float>(i + 1) / count - 1);
        const auto high = static_cast<float>(said.terms[i].value / largest) * reach;
        const bool large = std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(lit), i) !=
                           order.begin() + static_cast<std::ptrdiff_t>(lit);
        const ImU32 colour = large ? ui.theme.selection : high < 0 ? ui.theme.embedding : ui.theme.query;
        list.AddRectFilled({from, zero - std::max(high, 0.0F)}, {to, zero - std::min(high, 0.0F)}, colour);
    }
}

}  // namespace

float run_card_height(const Ui& ui, const RunCard& card) {
    return Layout(ui, card).height();
}

CardAnswer press_run_card(const Ui& ui, const RunCard& card, ImVec2 min) {
    CardAnswer answer;
    if (!card.pinned) return answer;
    const IdScope scope("card");
    const Layout layout(ui, card);
    int number = 0;
    for (const Line& line : layout.lines)
        for (const Piece& piece : line.pieces) {
            if (!piece.cell || piece.width <= 0) continue;
            const ImVec2 from(min.x + ui.px(padding) + piece.x, min.y + line.y),
                to(from.x + piece.width, from.y + line.height);
            const std::string name = "run.card.operand." + std::to_string(number++);
            const Press press = press_area(ui, name.c_str(), from, to, ui.px(size::radius_field));
            if (press.pressed) answer.follow = piece.cell;
            ui.recorder.record(name, from, to);
        }
    const Buttons buttons = buttons_of(ui, card, min, layout.height());
    if (card.back) {
        answer.back = press_area(ui, "back", buttons.back_min, buttons.back_max, ui.px(size::radius_button)).pressed;
        ui.recorder.record("run.card.back", buttons.back_min, buttons.back_max);
    }
    answer.close = press_area(ui, "close", buttons.close_min, buttons.close_max, ui.px(size::radius_button)).pressed;
    ui.recorder.record("run.card.close", buttons.close_min, buttons.close_max);
    // What lies below the card is not for the pointer.
    press_area(ui, "ground", min, min + ImVec2(ui.px(run_card_width), layout.height()), -1, false);
    return answer;
}

void draw_run_card(const Ui& ui, const RunCard& card, ImVec2 min) {
    const Layout layout(ui, card);
    const Theme& theme = ui.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 max = min + ImVec2(ui.px(run_card_width), layout.height());
    draw_box(list, min, max, theme.raised, card.pinned ? theme.selection : theme.strong_line, ui.px(size::radius_card));
    const float left = min.x + ui.px(padding), right = max.x - ui.px(padding), top = min.y + ui.px(padding - 2);
    draw_text_in(list, ui.fonts.mono_result, {left, top}, {right, top + ui.px(24)}, theme.text_high, title_of(card),
                 Align::left, true);
    draw_text_in(list, ui.fonts.mono_result, {left, top}, {right, top + ui.px(24)}, theme.text_high,
                 cell_text(card.said.kept), Align::right);
    ui.recorder.record("run.card", min, max);
    for (const Line& line : layout.lines) {
        const ImVec2 from(left, min.y + line.y), to(right, from.y + line.height);
        switch (line.kind) {
            case Line::Kind::rule:
                list.AddRectFilled({min.x, std::round(from.y + ui.px(4))}, {max.x, std::round(from.y + ui.px(4)) + 1},
                                   theme.line);
                break;
            case Line::Kind::words:
                draw_wrapped(list, ui.fonts.table, from, theme.text_mid, line.text, right - left, true);
                break;
            case Line::Kind::formula:
                draw_wrapped(list, ui.fonts.mono, from, theme.text_high, line.text, right - left, true);
                break;
            case Line::Kind::bars:
                draw_bars(ui, list, card.said, from + ImVec2(0, ui.px(4)), to);
                break;
            case Line::Kind::scale:
                draw_text_in(list, ui.fonts.mono_caption, from, to, theme.text_low, line.text);
                draw_text_in(list, ui.fonts.mono_caption, from, to, theme.text_low, line.value, Align::right);
                break;
            case Line::Kind::term: {
                const float room = right - left - text_width(ui.fonts.mono, line.value) - ui.px(12);
                if (!line.text.empty())
                    draw_wrapped(list, ui.fonts.table, from + ImVec2(0, ui.px(2)), theme.text_mid, line.text, room,
                                 true);
                for (const Piece& piece : line.pieces) {
                    const ImVec2 at(from.x + piece.x, from.y);
                    const bool link = card.pinned && piece.cell;
                    draw_text_in(list, ui.fonts.mono, at, {at.x + piece.width + 1, to.y},
                                 link ? theme.text_high : theme.text_mid, piece.text, Align::left, true);
                    if (link) {
                        const float under = std::round(to.y - ui.px(3));
                        draw_dashed_line(list, {at.x, under}, {at.x + std::max(piece.width, ui.px(12)), under},
                                         theme.strong_line, ui.px(2), 1);
                    }
                }
                draw_text_in(list, ui.fonts.mono, from, {right, from.y + ui.px(row)}, theme.text_high,
                             "= " + line.value, Align::right);
                break;
            }
        }
    }
    if (!card.pinned) return;
    const Buttons buttons = buttons_of(ui, card, min, layout.height());
    const auto draw_button = [&](ImVec2 from, ImVec2 to, std::string_view text) {
        draw_box(list, from, to, theme.field, theme.strong_line, ui.px(size::radius_button));
        draw_text_in(list, ui.fonts.table, from, to, theme.text_high, text, Align::centre);
    };
    if (card.back) draw_button(buttons.back_min, buttons.back_max, "Back");
    draw_button(buttons.close_min, buttons.close_max, "Unpin");
}

}  // namespace headcount
