// Parts of inspections that are no formulas: head, facts in columns, rows of subjects, changes; see the header.
#include "app/parts/inspector_parts.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

void draw_rule(Inspector& inspector, Symbol symbol, const Expr& rule) {
    if (rule.kind() == Expr::Kind::integer) return;
    Runs runs;
    append_formula(inspector, runs, Expr(symbol), Written::symbols);
    runs.push_back({" = "});
    append_formula(inspector, runs, rule, Written::symbols);
    runs.push_back({" = "});
    append_formula(inspector, runs, rule, Written::numbers);
    draw_row(inspector, "inspector.rule", "where", runs, inspector.ui.fonts.mono, inspector.ui.theme.text_mid);
}

// Where the columns of numbers end, from the left edge.
struct Columns {
    float one, all;
};

Columns columns_of(const Ui& ui, const FactTable& table, float width) {
    if (table.all_heading.empty()) return {width, width};
    float widest = ui.px(96);
    for (const FactRow& fact : table.facts) widest = std::max(widest, text_width(ui.fonts.mono, fact.all) + ui.px(16));
    widest = std::max(widest, text_width(ui.fonts.mono_caption, table.all_heading) + ui.px(16));
    return {width - widest, width};
}

// A number that ends at `right`; a press copies it.
void draw_number(Inspector& inspector, int id, std::string_view text, ImVec2 row, float right, float height) {
    if (text.empty()) return;
    const Ui& ui = inspector.ui;
    const float width = text_width(ui.fonts.mono, text);
    const ImVec2 min(row.x + right - width, row.y), max(row.x + right, row.y + height);
    ImGui::PushID(id);
    const Press press = press_area(ui, "number", min, max, size::radius_field, false);
    ImGui::PopID();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (press.hovered) {
        list.AddRectFilled(ImVec2(min.x - ui.px(4), min.y + 1), ImVec2(max.x + ui.px(4), max.y - 1),
                           hover_tint(ui.theme), ui.px(size::radius_field));
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
    draw_text_in(list, ui.fonts.mono, min, ImVec2(max.x + 1, max.y), ui.theme.text_high, text, Align::right);
    if (press.pressed) inspector.copy(text);
}

// The share of this one inside the share of all of them inside the whole.
void draw_share_bar(const Ui& ui, const FactTable& table) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), top = start.y + ui.px(3), bottom = top + ui.px(size::track);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float radius = ui.px(size::track) / 2;
    const auto part = [&](double share, ImU32 colour) {
        if (share <= 0) return;
        const float length = std::max(2.0F, width * static_cast<float>(std::min(1.0, share)));
        list.AddRectFilled(ImVec2(start.x, top), ImVec2(start.x + length, bottom), colour, radius);
    };
    part(1, ui.theme.track);
    part(table.share_all, with_alpha(table.colour, table.all_heading.empty() ? 1.0F : 0.5F));
    part(table.share_one, table.colour);
    place(start, ImVec2(width, std::round(ui.px(9))));
}

}  // namespace

void Inspector::point_at(const Subject& subject, bool clicked) {
    if (nothing(subject)) return;
    // Of what belongs to a head the same head's.
    const Subject next = carried(subject, model.look.selection, graph());
    if (clicked)
        intents.push_back(Select{next});
    else
        intents.push_back(Hover{next});
}

void Inspector::copy(std::string_view text) { intents.push_back(Copy{std::string(text), std::string(text)}); }

void draw_rules(Inspector& inspector, const Shape& shape) {
    const Architecture& arch = inspector.shown().architecture;
    if (uses(shape, Symbol::head_dim)) draw_rule(inspector, Symbol::head_dim, head_dim_rule(arch));
    if (uses(shape, Symbol::ffn_dim)) draw_rule(inspector, Symbol::ffn_dim, ffn_dim_rule(arch));
}

void draw_head(Inspector& inspector, const Swatch& swatch, std::string_view label,
               std::span<const std::string_view> chips) {
    const Ui& ui = inspector.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), height = std::round(ui.px(24));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float indent = swatch.look == SwatchLook::none ? 0 : ui.px(20);
    draw_swatch(ui, list, ImVec2(start.x, start.y + height / 2), swatch, size::swatch + 1);
    float chips_width = 0;
    for (const std::string_view text : chips) chips_width += chip_width(ui, text) + ui.px(6);
    // Chips that do not fit beside the label go below it.
    const bool beside = indent + text_width(ui.fonts.body_bold, label) + chips_width <= width;
    draw_text_in(list, ui.fonts.body_bold, ImVec2(start.x + indent, start.y), ImVec2(start.x + width, start.y + height),
                 ui.theme.text_high, label);
    const float drop = beside ? ui.px(2) : height + ui.px(2);
    float x = beside ? start.x + width - chips_width + ui.px(6) : start.x;
    for (const std::string_view text : chips) {
        ImGui::SetCursorScreenPos(ImVec2(std::round(x), std::round(start.y + drop)));
        chip(ui, text);
        x += chip_width(ui, text) + ui.px(6);
    }
    place(start, ImVec2(width, beside ? height : 2 * height));
}

void draw_facts(Inspector& inspector, std::string_view name, const FactTable& table) {
    const Ui& ui = inspector.ui;
    const IdScope scope(name);
    const Subject& selection = inspector.model.look.selection;
    const std::string about = subject_key(nothing(selection) ? Subject(TotalSubject{}) : selection);
    const float width = available_width(), height = std::round(ui.px(size::table_row + 1));
    const Columns columns = columns_of(ui, table, width);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 top = ImGui::GetCursorScreenPos();
    draw_text_in(list, ui.fonts.mono_caption, top, ImVec2(top.x + columns.one, top.y + height), ui.theme.text_low,
                 table.one_heading, Align::right);
    if (!table.all_heading.empty())
        draw_text_in(list, ui.fonts.mono_caption, top, ImVec2(top.x + columns.all, top.y + height), ui.theme.text_low,
                     table.all_heading, Align::right);
    place(top, ImVec2(width, height));
    int id = 0;
    for (const FactRow& fact : table.facts) {
        ImVec2 start = ImGui::GetCursorScreenPos();
        const float words = text_width(ui.fonts.table, fact.label);
        draw_text_in(list, ui.fonts.table, start, ImVec2(start.x + width, start.y + height), ui.theme.text_mid,
                     fact.label);
        ui.recorder.record("fact.label", fact.label, start, ImVec2(start.x + words, start.y + height));
        // Numbers that would lie over the words stand below them.
        const float number = fact.one.empty() ? columns.all - text_width(ui.fonts.mono, fact.all)
                                              : columns.one - text_width(ui.fonts.mono, fact.one);
        if (words + ui.px(8) > number) {
            place(start, ImVec2(width, height));
            start = ImGui::GetCursorScreenPos();
        }
        ui.recorder.record("fact.number", fact.label, ImVec2(start.x + number, start.y),
                           ImVec2(start.x + columns.all, start.y + height));
        const About selected(about);
        draw_number(inspector, id++, fact.one, start, columns.one, height);
        if (!table.all_heading.empty()) draw_number(inspector, id++, fact.all, start, columns.all, height);
        place(start, ImVec2(width, height));
        if (&fact == table.facts.data() && table.share_all >= 0) draw_share_bar(ui, table);
    }
}

void draw_subject_row(Inspector& inspector, const Subject& subject, const SubjectRow& row) {
    const Ui& ui = inspector.ui;
    const std::string key = subject_key(subject);
    const IdScope scope(key);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(size::table_row)));
    const ImVec2 end = start + extent;
    ui.recorder.record("inspector.row", key, start, end);
    const Press press = press_area(ui, "row", start, end, size::radius_field);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool lit = press.hovered || alike(inspector.model.look.hover, subject);
    if (lit)
        list.AddRectFilled(ImVec2(start.x - ui.px(6), start.y), ImVec2(end.x + ui.px(6), end.y), hover_tint(ui.theme),
                           ui.px(size::radius_field));
    float x = start.x;
    if (row.swatch.look != SwatchLook::none) {
        draw_swatch(ui, list, ImVec2(x, start.y + extent.y / 2), row.swatch, size::swatch - 1);
        x += ui.px(18);
    }
    draw_text_in(list, ui.fonts.table, ImVec2(x, start.y), end, lit ? ui.theme.text_high : ui.theme.text_mid,
                 row.label);
    const About about(key);
    const float number = text_width(ui.fonts.mono, row.number);
    const float detail = x + text_width(ui.fonts.table, row.label) + ui.px(8);
    if (detail + symbol_width(ui.fonts.mono_caption, row.detail) + ui.px(8) < end.x - number)
        draw_text_in(list, ui.fonts.mono_caption, ImVec2(detail, start.y), end, ui.theme.text_low, row.detail,
                     Align::left, true);
    draw_text_in(list, ui.fonts.mono, start, ImVec2(end.x, end.y), ui.theme.text_high, row.number, Align::right);
    if (press.hovered) inspector.point_at(subject, false);
    if (press.pressed) inspector.point_at(subject, true);
    place(start, extent);
}

std::string_view origin_of(const Inspector& inspector) {
    return inspector.model.document.preset.empty() ? "file" : "preset";
}

void draw_change(Inspector& inspector, std::optional<std::int64_t> before, std::int64_t now) {
    if (before == now) return;
    draw_words_row(inspector, origin_of(inspector), before ? grouped(*before) : "not there");
    draw_words_row(inspector, "change", signed_grouped(now - before.value_or(0)));
}

}  // namespace headcount
