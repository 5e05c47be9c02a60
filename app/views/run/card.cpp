// Presses and draws a card's lines, and the buttons at its foot.
#include "app/views/run/card.hpp"

#include <algorithm>

#include "app/diagram/run_heat.hpp"
#include "app/diagram/view.hpp"
#include "app/parts/part_colours.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"

namespace headcount {
namespace {

struct Buttons {
    RunRect back, change, close;
};
// At the foot of a card, whose upper left corner is `min`.
Buttons buttons_of(const Ui& ui, ImVec2 min, float height) {
    const float side = ui.px(size::small_button), wide = ui.px(64), left = min.x + ui.px(card_padding);
    const float right = min.x + ui.px(run_card_width - card_padding), bottom = min.y + height - ui.px(card_padding - 2);
    const float middle = std::round((left + right - wide) / 2);
    const auto button = [&](float x) { return RunRect{{x, bottom - side}, {x + wide, bottom}}; };
    return {button(left), button(middle), button(right - wide)};
}

void draw_bars(const Ui& ui, ImDrawList& list, const Explanation& said, ImU32 hue, ImVec2 min, ImVec2 max) {
    double largest = 0;
    for (const Term& term : said.terms) largest = std::max(largest, std::abs(term.value));
    if (!(largest > 0)) return;
    const bool signs = std::ranges::any_of(said.terms, [](const Term& t) { return t.value < 0; });
    const float zero = signs ? (min.y + max.y) / 2 : max.y, reach = signs ? (max.y - min.y) / 2 : max.y - min.y;
    const auto count = static_cast<float>(said.terms.size());
    const std::vector<std::size_t>& order = said.largest;
    const std::size_t lit = listed_terms(said);
    list.AddRectFilled({min.x, std::round(zero)}, {max.x, std::round(zero) + 1}, ui.theme.line);
    for (std::size_t i = 0; i < said.terms.size(); ++i) {
        const float from = min.x + (max.x - min.x) * static_cast<float>(i) / count;
        const float to = std::max(from + 1, min.x + (max.x - min.x) * static_cast<float>(i + 1) / count - 1);
        const auto high = static_cast<float>(said.terms[i].value / largest) * reach;
        const bool large = std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(lit), i) !=
                           order.begin() + static_cast<std::ptrdiff_t>(lit);
        const ImU32 colour = large ? ui.theme.selection : heat_of(ui.theme, hue, high < 0 ? -1.0F : 1.0F, 1);
        list.AddRectFilled({from, zero - std::max(high, 0.0F)}, {to, zero - std::min(high, 0.0F)}, colour);
    }
}

void draw_term(const Ui& ui, const RunCard& card, const CardLine& line, ImVec2 from, ImVec2 to) {
    const Theme& theme = ui.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float value = line.value.empty() ? 0 : text_width(ui.fonts.mono, line.value) + ui.px(12);
    const float room = to.x - from.x - value;
    if (!line.text.empty() && to.y - from.y <= ui.px(card_row) + 1)
        draw_text_in(list, ui.fonts.table, from, {from.x + room, to.y}, theme.text_mid, line.text, Align::left, true);
    else if (!line.text.empty())
        draw_wrapped(list, ui.fonts.table, from + ImVec2(0, ui.px(2)), theme.text_mid, line.text, room, true);
    for (const CardPiece& piece : line.pieces) {
        const ImVec2 at(from.x + piece.x, from.y);
        const bool link = card.pinned && piece.cell;
        draw_text_in(list, ui.fonts.mono, at, {at.x + piece.width + 1, to.y}, link ? theme.text_high : theme.text_mid,
                     piece.text, Align::left, true);
        if (link) {
            const float under = std::round(to.y - ui.px(3));
            draw_dashed_line(list, {at.x, under}, {at.x + std::max(piece.width, ui.px(12)), under}, theme.strong_line,
                             ui.px(2), 1);
        }
    }
    if (!line.value.empty())
        draw_text_in(list, ui.fonts.mono, from, {to.x, from.y + ui.px(card_row)}, theme.text_high, "= " + line.value,
                     Align::right);
}

// Which of the bars have a line below.
void draw_key(const Ui& ui, ImVec2 from, ImVec2 to) {
    constexpr std::string_view words = "listed below";
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float swatch = ui.px(8), whole = swatch + ui.px(6) + text_width(ui.fonts.caption, words);
    const ImVec2 at(std::round((from.x + to.x - whole) / 2), std::round((from.y + to.y - swatch) / 2));
    list.AddRectFilled(at, at + ImVec2(swatch, swatch), ui.theme.selection);
    draw_text_in(list, ui.fonts.caption, {at.x + swatch + ui.px(6), from.y}, to, ui.theme.text_low, words);
}

void draw_line(const Ui& ui, const RunCard& card, const CardLine& line, ImVec2 from, ImVec2 to) {
    const Theme& theme = ui.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    switch (line.kind) {
        case CardLine::Kind::rule: {
            const float y = std::round(from.y + ui.px(4)), inside = ui.px(card_padding) - 2;
            list.AddRectFilled({from.x - inside, y}, {to.x + inside, y + 1}, theme.line);
            break;
        }
        case CardLine::Kind::words:
            draw_wrapped(list, ui.fonts.table, from, theme.text_mid, line.text, to.x - from.x, true);
            break;
        case CardLine::Kind::formula:
            draw_wrapped(list, ui.fonts.mono, from, theme.text_high, line.text, to.x - from.x, true);
            break;
        case CardLine::Kind::bars: {
            const Tensor& tensor = card.graph.tensors[card.said.of.tensor];
            draw_bars(ui, list, card.said, part_colour(theme, tensor.part), from + ImVec2(0, ui.px(4)), to);
            break;
        }
        case CardLine::Kind::hands:
            draw_dials(ui, card, part_colour(theme, card.graph.tensors[card.said.of.tensor].part), from, to);
            break;
        case CardLine::Kind::turn: draw_turn(ui, card, from, to); break;
        case CardLine::Kind::scale:
            draw_text_in(list, ui.fonts.mono_caption, from, to, theme.text_low, line.text);
            draw_text_in(list, ui.fonts.mono_caption, from, to, theme.text_low, line.value, Align::right);
            if (listed_terms(card.said) < card.said.terms.size()) draw_key(ui, from, to);
            break;
        case CardLine::Kind::term: draw_term(ui, card, line, from, to); break;
    }
}

}  // namespace

bool run_card_beside(const Ui& ui, const View& view, float shown, float answers) {
    const bool tight = answers > 0 && shown - card_strip(ui) < ui.px(least_canvas_width + 2 * canvas_margin);
    return (view.show.presenting || tight) && !view.run.beside && !view.run.trail.empty();
}

CardAnswer press_run_card(const Ui& ui, const RunCard& card, ImVec2 min) {
    CardAnswer answer;
    if (!card.pinned) return answer;
    const IdScope scope("card");
    const CardLines layout(ui, card);
    int number = 0;
    for (const CardLine& line : layout.lines) {
        const ImVec2 line_min = min + ImVec2(ui.px(card_padding), line.y);
        const ImVec2 line_max = line_min + ImVec2(ui.px(run_card_width - 2 * card_padding), line.height);
        if (line.kind == CardLine::Kind::hands) answer.standing = press_dials(ui, card, line_min, line_max);
        if (line.kind == CardLine::Kind::turn && !answer.standing)
            answer.standing = press_turn(ui, card, line_min, line_max);
        for (const CardPiece& piece : line.pieces) {
            if (!piece.cell || piece.width <= 0) continue;
            const ImVec2 from(min.x + ui.px(card_padding) + piece.x, min.y + line.y),
                to(from.x + piece.width, from.y + line.height);
            const std::string name = "run.card.operand." + std::to_string(number++);
            const Press press = press_area(ui, name.c_str(), from, to, ui.px(size::radius_field));
            if (press.pressed) answer.follow = piece.cell;
            ui.recorder.record(name, from, to);
        }
    }
    const auto pressed = [&](const char* name, const RunRect& where) {
        ui.recorder.record("run.card." + std::string(name), where.first, where.second);
        return press_area(ui, name, where.first, where.second, ui.px(size::radius_button)).pressed;
    };
    const Buttons buttons = buttons_of(ui, min, layout.height());
    answer.back = card.buttons && card.back && pressed("back", buttons.back);
    answer.change = card.buttons && card.changes && pressed("change", buttons.change);
    answer.close = card.buttons && pressed("close", buttons.close);
    // What lies below the card is not for the pointer.
    press_area(ui, "ground", min, min + ImVec2(ui.px(run_card_width), layout.height()), -1, false);
    return answer;
}

void draw_run_card(const Ui& ui, const RunCard& card, ImVec2 min) {
    const CardLines layout(ui, card);
    const Theme& theme = ui.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 max = min + ImVec2(ui.px(run_card_width), layout.height());
    draw_box(list, min, max, theme.raised, card.pinned ? theme.selection : theme.strong_line, ui.px(size::radius_card));
    const float left = min.x + ui.px(card_padding), right = max.x - ui.px(card_padding),
                top = min.y + ui.px(card_padding - 2);
    draw_text_in(list, ui.fonts.mono_result, {left, top}, {right, top + ui.px(24)}, theme.text_high, card.name,
                 Align::left, true);
    draw_text_in(list, ui.fonts.mono_result, {left, top}, {right, top + ui.px(24)}, theme.text_high,
                 card.said.masked ? "masked" : cell_text(card.turned.in_the_run ? card.said.result : card.said.kept),
                 Align::right);
    ui.recorder.record("run.card", min, max);
    for (const CardLine& line : layout.lines)
        draw_line(ui, card, line, {left, min.y + line.y}, {right, min.y + line.y + line.height});
    if (!card.pinned || !card.buttons) return;
    const auto draw_button = [&](const RunRect& where, std::string_view text) {
        draw_box(list, where.first, where.second, theme.field, theme.strong_line, ui.px(size::radius_button));
        draw_text_in(list, ui.fonts.table, where.first, where.second, theme.text_high, text, Align::centre);
    };
    const Buttons buttons = buttons_of(ui, min, layout.height());
    if (card.back) draw_button(buttons.back, "Back");
    if (card.changes) draw_button(buttons.change, "Change...");
    draw_button(buttons.close, "Unpin");
}

}  // namespace headcount
