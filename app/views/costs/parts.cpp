// Heading, link and lines of the Costs view, a figure's row and the card below it.
#include <cmath>

#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/costs/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float brief_width = 92, chevron = 12;

// The numbers from the right, the label in what they leave.
void draw_words(const Ui& ui, const CostsFigure& figure, bool open, bool hovered, ImVec2 start, ImVec2 end) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float centre = (start.y + end.y) / 2;
    draw_icon(list, open ? Icon::chevron_down : Icon::chevron_right, ImVec2(end.x - ui.px(chevron) / 2, centre),
              ui.px(chevron), hovered || open ? ui.theme.text_high : ui.theme.text_low);
    const float right = end.x - ui.px(chevron + 8), exact_to = right - ui.px(brief_width);
    const Font& mono = figure.strong ? ui.fonts.mono_medium : ui.fonts.mono;
    draw_text_in(list, mono, start, ImVec2(right, end.y), ui.theme.text_high, figure.brief, Align::right);
    const float exact = text_width(ui.fonts.mono, figure.exact);
    float left = start.x + ui.px(figure.indent);
    if (figure.swatch.look != SwatchLook::none) {
        draw_swatch(ui, list, ImVec2(left, centre), figure.swatch, size::swatch - 1);
        left += ui.px(19);
    }
    const Font& words = figure.strong ? ui.fonts.body_medium : ui.fonts.body;
    const bool beside = left + text_width(words, figure.label) + ui.px(10) + exact <= exact_to;
    {
        const Aside aside;
        draw_text_in(list, words, ImVec2(left, start.y), ImVec2(beside ? exact_to - exact : exact_to, end.y),
                     figure.indent > 0 && !hovered ? ui.theme.text_mid : ui.theme.text_high, figure.label);
    }
    // The exact number gives way to the words; the card below has it, too.
    if (beside)
        draw_text_in(list, ui.fonts.mono, start, ImVec2(exact_to, end.y), ui.theme.text_mid, figure.exact,
                     Align::right);
}

}  // namespace

void draw_costs_title(const Ui& ui, const CostsPage& page, std::string_view title, const std::string& remark) {
    section_title(ui, title, remark);
    gap(ui, 6);
    if (!page.wrong) return;
    const std::string words = page.shown ? "What is asked for is not possible: still showing what was, of " +
                                               page.shown->of.architecture.name + "."
                                         : sentence_of(*page.wrong);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    paragraph(ui, ui.fonts.table, readable(ui.theme, ui.theme.wrong), words);
    ui.recorder.record("costs.not_possible", start, ImVec2(start.x + available_width(), ImGui::GetCursorScreenPos().y));
    gap(ui, 6);
}

void explore_link(const Ui& ui, const Shown& model, std::string_view name, const std::string& words,
                  std::string_view tensor, Intents& intents) {
    if (chip_button(ui, name, words)) show_in_explore(model, tensor, intents);
}

bool draw_costs_line(const Ui& ui, const CostsLine& line, float column, bool heading) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(size::table_row)));
    const ImVec2 end = start + extent;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool hovered = !heading && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(start, end);
    if (hovered) tint_row(ui, start, end, hover_tint(ui.theme));
    const float width = std::round(ui.px(column));
    float right = end.x;
    for (std::size_t i = line.cells.size(); i-- > 0; right -= width) {
        const bool chosen = line.chosen == static_cast<int>(i);
        const ImU32 ink = chosen ? ui.theme.text_high : heading ? ui.theme.text_low : ui.theme.text_mid;
        const Font& font = heading ? ui.fonts.caption : chosen ? ui.fonts.mono_medium : ui.fonts.mono;
        draw_text_in(list, font, ImVec2(right - width, start.y), ImVec2(right, end.y), ink, line.cells[i],
                     Align::right);
    }
    draw_text_in(list, heading ? ui.fonts.caption : ui.fonts.table, start, ImVec2(right, end.y),
                 heading ? ui.theme.text_low : ui.theme.text_high, line.label);
    place(start, extent);
    return hovered;
}

bool CostsFigures::draw(const CostsFigure& figure) {
    const Ui& ui = to_.ui;
    std::string& opened = kept<std::string>(ui, name_);
    const IdScope scope(figure.key);
    const About about(subject_key(figure.subject));
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(costs_figure_height)));
    const ImVec2 end = start + extent;
    ui.recorder.record("costs.figure", figure.key, start, end);
    const Press press = press_area(ui, "row", start, end, size::radius_field);
    if (press.pressed) opened = opened == figure.key ? std::string() : std::string(figure.key);
    const bool open = opened == figure.key;
    const bool lit = !nothing(figure.subject) && alike(to_.model.look.hover, figure.subject);
    if (press.hovered || lit || open) tint_row(ui, start, end, open ? selected_tint(ui.theme) : hover_tint(ui.theme));
    if (press.hovered) {
        to_.point_at(figure.subject, false);
        // What is open says it all, and is not to be covered.
        if (!open) show_tooltip(ui, {.title = figure.label, .value = figure.exact, .remark = figure.tooltip});
    }
    if (press.pressed && open) to_.point_at(figure.subject, true);
    draw_words(ui, figure, open, press.hovered, start, end);
    place(start, extent);
    return open;
}

void CostsFigures::draw_sum(const FigureFormula& formula) {
    // More than a few lines nobody reads: then the terms are told where they come from.
    constexpr std::size_t most_characters = 480;
    const Printed text = printed(*formula.formula, bindings_);
    std::size_t length = 0;
    for (const FormulaPiece& piece : text.symbols) length += piece.text.size();
    if (length <= most_characters || formula.terms.empty()) return draw_formula(to_, text, formula.result);
    draw_words_row(to_, "sum", formula.terms);
    draw_result(to_, "inspector.result", grouped(formula.result));
}

void CostsFigures::open(std::string_view key, const FigureFormula& formula) {
    const Ui& ui = to_.ui;
    const IdScope scope(key);
    gap(ui, 4);
    {
        const Card card(ui, "costs.formula");
        const ImVec2 start = ImGui::GetCursorScreenPos();
        if (formula.formula) draw_sum(formula);
        for (const auto& [caption, text] : formula.words) draw_words_row(to_, caption, text);
        if (formula.on_device) {
            Runs runs;
            append_formula(to_, runs, *formula.on_device, Written::symbols);
            draw_row(to_, "inspector.symbols", "device", runs, ui.fonts.mono, ui.theme.text_mid);
        }
        if (!formula.on_device_words.empty())
            draw_words_row(to_, formula.on_device ? "" : "device", formula.on_device_words);
        ui.recorder.record("costs.formula", key, start,
                           ImVec2(start.x + available_width(), ImGui::GetCursorScreenPos().y));
    }
    gap(ui, 8);
}

}  // namespace headcount
