// What is drawn of the ask bar: the field, the words as understood, the answer, the list.
#include "app/bars/ask_bar_parts.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/text_field.hpp"
#include "core/base/utf8.hpp"

namespace headcount::ask_bar {
namespace {

constexpr float field_height = 40, ask_row_height = 28, kind_column = 92, caption_column = 76, ask_bar_width = 2;

int on_question(ImGuiInputTextCallbackData* data) {
    AskState& bar = *static_cast<AskState*>(data->UserData);
    if (!bar.replace_text) return 0;
    bar.replace_text = false;
    const std::string_view text = bar.text.data();
    compat::replace_text(*data, text, text.size());
    return 0;
}

std::string_view kind_name(AskMatch::Kind kind) {
    switch (kind) {
        case AskMatch::Kind::wording: return "Ask";
        case AskMatch::Kind::tensor: return "In the model";
        case AskMatch::Kind::dimension: return "Dimension";
        case AskMatch::Kind::preset: return "Model";
        case AskMatch::Kind::command: return "Command";
    }
    return "";
}

// "quieries" is not understood: did you mean queries, query?
std::string said_of(const AskUnknown& unknown) {
    std::string text = quote(unknown.words) + " is not understood";
    for (std::size_t i = 0; i < unknown.nearest.size(); ++i)
        text += (i == 0 ? ": did you mean " : ", ") + unknown.nearest[i];
    return text + (unknown.nearest.empty() ? "." : "?");
}

float line_of(const Font& font) { return wrapped_extent(font, "x", FLT_MAX).y; }

// A warning that wraps beside its icon.
void warning(const Ui& ui, std::string_view words, ImU32 icon) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const Font& font = ui.fonts.body;
    const float indent = ui.px(22), width = available_width(), middle = start.y + std::round(line_of(font) / 2);
    const ImVec2 extent = wrapped_extent(font, words, width - indent);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_icon(list, Icon::warning, ImVec2(start.x + ui.px(8), middle), ui.px(14), icon);
    draw_wrapped(list, font, start + ImVec2(indent, 0), ui.theme.text_high, words, width - indent);
    place(start, ImVec2(width, std::round(extent.y)));
}

// "symbols   L·(3·d·d_ff)", wrapped beside its caption.
void derivation_line(const Ui& ui, std::string_view name, const std::string& text, const Font& font, ImU32 ink) {
    if (text.empty()) return;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float column = std::round(ui.px(caption_column)), width = available_width();
    const bool scripts = name == "symbols";
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text_in(list, ui.fonts.caption, start, ImVec2(start.x + column, start.y + line_of(font)), ui.theme.text_low,
                 name);
    const ImVec2 extent = wrapped_extent(font, text, width - column, scripts);
    draw_wrapped(list, font, start + ImVec2(column, 0), ink, text, width - column, scripts);
    place(start, ImVec2(width, std::round(extent.y)));
}

void draw_number(const Ui& ui, const AskAnswer& answer) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(ui.px(32)), width = available_width();
    const Font& font = ui.fonts.mono_total;
    ImGui::SetCursorScreenPos(ImVec2(start.x, std::round(text_top(font, start.y + height / 2))));
    copyable(ui, "ask.number", answer.number, font, ui.theme.text_high, true);
    const float left = start.x + text_width(font, answer.number) + ui.px(34);
    std::string unit = answer.unit;
    if (!answer.in_short.empty()) unit += (unit.empty() ? "" : " · ") + answer.in_short;
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.body, ImVec2(left, start.y),
                 ImVec2(start.x + width, start.y + height), ui.theme.text_mid, unit);
    place(start, ImVec2(width, height));
}

void draw_answer_lines(const Ui& ui, const AskAnswer& answer) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), line = std::round(ui.px(22));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float about = text_width(ui.fonts.body, answer.about);
    const float room = width - about - ui.px(16);
    if (room > ui.px(120)) {
        draw_text(list, ui.fonts.body_bold, ImVec2(start.x, text_top(ui.fonts.body_bold, start.y + line / 2)),
                  ui.theme.text_high, answer.title, room);
        draw_text_in(list, ui.fonts.body, start, ImVec2(start.x + width, start.y + line), ui.theme.text_mid,
                     answer.about, Align::right);
        place(start, ImVec2(width, line));
    } else {
        text_line(ui, ui.fonts.body_bold, ui.theme.text_high, answer.title);
        text_line(ui, ui.fonts.body, ui.theme.text_mid, answer.about);
    }
    if (!answer.says.empty()) {
        paragraph(ui, ui.fonts.body, ui.theme.text_high, answer.says);
        gap(ui, 4);
    }
    const std::array keys{answer.light, answer.number};
    if (!answer.number.empty()) {
        const About number(keys);
        draw_number(ui, answer);
    }
    derivation_line(ui, "symbols", answer.symbols, ui.fonts.mono_body, ui.theme.text_mid);
    const About derivation(keys);
    derivation_line(ui, "numbers", answer.numbers, ui.fonts.mono_body, ui.theme.text_mid);
    derivation_line(ui, "result", answer.result, ui.fonts.mono_body, ui.theme.text_high);
    if (!answer.notes.empty()) gap(ui, 4);
    for (const std::string& note : answer.notes) paragraph(ui, ui.fonts.body, ui.theme.text_mid, note);
}

void mark_chosen(const Ui& ui, ImDrawList& list, ImVec2 min, ImVec2 max, bool chosen, bool hovered) {
    const float radius = ui.px(size::radius_field);
    if (chosen || hovered)
        list.AddRectFilled(min, max, chosen ? selected_tint(ui.theme) : hover_tint(ui.theme), radius);
    if (chosen) list.AddRectFilled(min, ImVec2(min.x + std::round(ui.px(ask_bar_width)), max.y), ui.theme.selection);
}

}  // namespace

void set_text(AskState& bar, std::string_view text) {
    bar.text = {};
    std::memcpy(bar.text.data(), text.data(), std::min(text.size(), bar.text.size() - 1));
    bar.replace_text = true;
}

bool draw_field(const Ui& ui, AskState& bar) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 end(start.x + available_width(), start.y + std::round(ui.px(field_height)));
    ui.recorder.record("ask.field", start, end);
    const auto before = bar.text;
    // Whatever was pressed in between: typing goes on here.
    const bool grabs = !ImGui::IsAnyItemActive();
    if (grabs && !ImGui::IsWindowFocused()) ImGui::SetWindowFocus();
    search_field(ui, {.text = bar.text,
                      .prompt = "Ask for a number, a model, a command",
                      .extent = end - start,
                      .font = &ui.fonts.title,
                      .border = ui.theme.text_mid,
                      .glass = 20,
                      .icon = 16,
                      .from = 38,
                      .spare = 12,
                      .grabs = grabs,
                      .on_edit = on_question,
                      .user = &bar});
    // ImGui takes back what was typed.
    if (compat::key_pressed(ImGuiKey_Escape, false)) bar.text = before;
    return before != bar.text;
}

void draw_readings(const Ui& ui, const AskState& bar) {
    const float width = available_width(), between = std::round(ui.px(6));
    const ImVec2 start = ImGui::GetCursorScreenPos() + ImVec2(0, std::round(ui.px(8)));
    const float line = std::round(ui.px(size::chip)) + between;
    ImVec2 at = start;
    for (const AskReading& reading : bar.asked.readings) {
        const float wide = chip_width(ui, reading.meaning);
        if (at.x > start.x && at.x + wide > start.x + width) at = ImVec2(start.x, at.y + line);
        ImGui::SetCursorScreenPos(at);
        chip(ui, reading.meaning);
        at.x += wide + between;
    }
    if (!bar.asked.readings.empty()) place(start, ImVec2(width, at.y + line - start.y));
    const ImVec2 top = ImGui::GetCursorScreenPos();
    for (const AskUnknown& unknown : bar.asked.unknown) {
        gap(ui, 4);
        warning(ui, said_of(unknown), ui.theme.wrong);
    }
    if (!bar.asked.unknown.empty())
        ui.recorder.record("ask.unknown", top, ImVec2(top.x + width, ImGui::GetCursorScreenPos().y));
    if (bar.asked.problem.empty()) return;
    gap(ui, 4);
    warning(ui, bar.asked.problem, ui.theme.text_mid);
    ui.recorder.record("ask.problem", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

bool draw_answer(const Ui& ui, const AskAnswer& answer, bool chosen) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    {
        const Card card(ui, "ask.answer");
        draw_answer_lines(ui, answer);
    }
    const ImVec2 below = ImGui::GetCursorScreenPos(), end(start.x + width, below.y);
    const Press press = press_area(ui, "ask.answer", start, end, -1, false);
    // A border and no tint, which would lie over the words.
    const ImU32 border = chosen ? ui.theme.text_mid : ui.theme.strong_line;
    if (chosen || press.hovered) ImGui::GetWindowDrawList()->AddRect(start, end, border, ui.px(size::radius_card));
    ui.recorder.record("ask.answer", start, end);
    ImGui::SetCursorScreenPos(below);
    gap(ui, 6);
    return press.pressed;
}

std::optional<int> draw_rows(const Ui& ui, AskState& bar) {
    std::optional<int> pressed;
    const int first = bar.asked.answer ? 1 : 0;
    const float width = available_width(), height = std::round(ui.px(ask_row_height)), inset = ui.px(10);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < bar.rows.size(); ++i) {
        const AskMatch& match = bar.rows[i];
        const int row = static_cast<int>(i) + first;
        const ImVec2 min = ImGui::GetCursorScreenPos(), max(min.x + width, min.y + height);
        const std::string name = "ask.row." + std::to_string(row);
        const Press press = press_area(ui, name.c_str(), min, max, -1, false);
        if (press.pressed) pressed = row;
        mark_chosen(ui, list, min, max, row == bar.row, press.hovered);
        draw_text_in(list, ui.fonts.caption, ImVec2(min.x + inset, min.y), max, ui.theme.text_low,
                     kind_name(match.kind));
        const float left = min.x + inset + ui.px(kind_column);
        const Font& font = match.kind == AskMatch::Kind::tensor ? ui.fonts.mono : ui.fonts.table;
        const float detail = match.detail.empty() ? 0 : text_width(font, match.detail) + ui.px(16);
        draw_text(list, ui.fonts.body, ImVec2(left, text_top(ui.fonts.body, (min.y + max.y) / 2)), ui.theme.text_high,
                  match.title, std::max(ui.px(60), max.x - inset - left - detail));
        const About about(match.id);
        if (max.x - inset - left - detail > ui.px(60))
            draw_text_in(list, font, min, ImVec2(max.x - inset, max.y), ui.theme.text_mid, match.detail, Align::right,
                         match.kind == AskMatch::Kind::dimension);
        ui.recorder.record(name, min, max);
        place(min, max - min);
        if (bar.follow && row == bar.row) ImGui::SetScrollHereY(0.5F);
    }
    if (bar.follow && bar.row < first) ImGui::SetScrollY(0);
    bar.follow = false;
    return pressed;
}

void draw_keys(const Ui& ui, const AskState& bar) {
    const bool answer = bar.asked.answer && bar.row == 0;
    const std::size_t index = static_cast<std::size_t>(std::max(0, bar.row - (bar.asked.answer ? 1 : 0)));
    std::string words = "Esc closes";
    if (answer && bar.asked.answer->compares)
        words = "Enter opens both in Compare · Esc closes";
    else if (answer && bar.asked.answer->costs)
        words = "Enter opens it in Costs · Esc closes";
    else if (answer && !bar.asked.answer->preset.empty())
        words = "Enter opens this model and shows it · Esc closes";
    else if (answer)
        words = "Enter shows it in the diagram · Esc closes";
    else if (index < bar.rows.size())
        words = (bar.rows[index].kind == AskMatch::Kind::wording   ? "Enter asks this"
                 : bar.rows[index].kind == AskMatch::Kind::preset  ? "Enter opens it"
                 : bar.rows[index].kind == AskMatch::Kind::command ? "Enter does it"
                                                                   : "Enter shows it in the diagram") +
                std::string(" · Up and Down choose · Esc closes");
    text_line(ui, ui.fonts.caption, ui.theme.text_low, words);
}

}  // namespace headcount::ask_bar
