// The steps of a claim as a table: what was said beside what the model has. Pressing one lights its place.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/claims/panels.hpp"

namespace headcount {
namespace {

constexpr float mark_room = 22, cell_gap = 12, step_padding = 7, header_height = 24, step_overhang = 8,
                step_bar_width = 2;
constexpr float mark_centre = 7, step_mark = 13, step_in_sight = 24;

struct SeenStep {
    std::optional<std::size_t> step;
};
constexpr float what_part = 0.36F, said_part = 0.3F;  // of the room; the rest is the model's
constexpr std::string_view turn = "here it goes wrong";

// The left edges of what, said and in the model, and the right end.
using Edges = std::array<float, 4>;

Edges edges_of(const Ui& ui, float left, float width) {
    const float from = left + ui.px(mark_room), room = width - ui.px(mark_room);
    return {from, from + std::round(room * what_part), from + std::round(room * (what_part + said_part)), left + width};
}

float cell_width(const Ui& ui, const Edges& edges, std::size_t cell) {
    const float end = cell + 2 < edges.size() ? edges[cell + 1] - ui.px(cell_gap) : edges[cell + 1];
    return std::max(end - edges[cell], 1.0F);
}

struct Row {
    const CheckedStep& step;
    bool first_wrong = false, chosen = false;

    bool compared() const { return step.graph.has_value(); }
};

// Measures a value with what stands below it, or draws it.
float value_cell(const Ui& ui, const ClaimValue& value, ImVec2 at, float width, ImU32 colour, bool draw) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float top = at.y;
    const auto line = [&](const Font& font, ImU32 ink, std::string_view text, bool scripts) {
        if (draw) draw_wrapped(list, font, at, ink, text, width, scripts);
        at.y += wrapped_extent(font, text, width, scripts).y;
    };
    line(ui.fonts.mono, colour, value.text, false);
    const ImU32 quiet = ui.theme.text_low;
    for_each_detail(ui, value, [&](const Font& font, ImU32, const std::string& text, bool scripts) {
        if (text != value.text) line(font, quiet, text, scripts);
    });
    return at.y - top;
}

float what_cell(const Ui& ui, const Row& row, ImVec2 at, float width, bool draw) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& font = row.chosen ? ui.fonts.table_medium : ui.fonts.table;
    const float top = at.y;
    const std::string what = with_symbols(row.step.what);
    if (draw) draw_wrapped(list, font, at, ui.theme.text_high, what, width, true);
    at.y += wrapped_extent(font, what, width, true).y;
    if (!row.first_wrong) return at.y - top;
    const Font& small = ui.fonts.caption_medium;
    if (draw) draw_wrapped(list, small, at, readable(ui.theme, ui.theme.wrong), turn, width);
    return at.y + wrapped_extent(small, turn, width).y - top;
}

float row_height(const Ui& ui, const Row& row, const Edges& edges) {
    float height = what_cell(ui, row, {}, cell_width(ui, edges, 0), false);
    height = std::max(height, value_cell(ui, row.step.said, {}, cell_width(ui, edges, 1), 0, false));
    if (row.compared())
        height = std::max(height, value_cell(ui, *row.step.graph, {}, cell_width(ui, edges, 2), 0, false));
    return std::ceil(height + 2 * ui.px(step_padding));
}

void draw_row(const Ui& ui, const Row& row, const Edges& edges, ImVec2 min, float bottom) {
    const float top = std::round(min.y + ui.px(step_padding));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float right = edges.back();
    if (row.chosen) {
        const ImVec2 from(min.x - ui.px(step_overhang), min.y);
        list.AddRectFilled(from, ImVec2(right + ui.px(step_overhang), bottom), selected_tint(ui.theme));
        list.AddRectFilled(from, ImVec2(from.x + ui.px(step_bar_width), bottom), ui.theme.selection);
    }
    const bool wrong = row.compared() && !row.step.right;
    const VerdictLook look = look_of(ui.theme, wrong ? Verdict::wrong : Verdict::right);
    if (row.compared())
        draw_icon(list, look.icon, ImVec2(min.x + ui.px(mark_centre), top + ui.fonts.table.size / 2), ui.px(step_mark),
                  look.ink);
    what_cell(ui, row, ImVec2(edges[0], top), cell_width(ui, edges, 0), true);
    value_cell(ui, row.step.said, ImVec2(edges[1], top), cell_width(ui, edges, 1),
               wrong ? look.ink : ui.theme.text_high, true);
    if (row.compared())
        value_cell(ui, *row.step.graph, ImVec2(edges[2], top), cell_width(ui, edges, 2), ui.theme.text_high, true);
    list.AddRectFilled(ImVec2(min.x, bottom - 1), ImVec2(right, bottom), ui.theme.line);
}

void draw_header(const Ui& ui, const Edges& edges, ImVec2 start, float width) {
    constexpr std::array<std::string_view, 3> titles{"Step", "Said", "In the model"};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float bottom = start.y + std::round(ui.px(header_height));
    for (std::size_t i = 0; i < titles.size(); ++i)
        draw_text_in(list, ui.fonts.caption, ImVec2(edges[i], start.y), ImVec2(edges[i + 1], bottom), ui.theme.text_low,
                     titles[i]);
    list.AddRectFilled(ImVec2(start.x, bottom - 1), ImVec2(start.x + width, bottom), ui.theme.line);
    place(start, ImVec2(width, bottom - start.y));
}

std::string summary(const CheckedClaim& checked) {
    const auto wrong = std::ranges::count_if(checked.steps, [](const CheckedStep& step) { return !step.right; });
    if (wrong == 0) return "";
    return std::to_string(wrong) + " of " + std::to_string(checked.steps.size()) + " wrong";
}

}  // namespace

void draw_claim_steps(const Ui& ui, const CheckedClaim& checked, std::optional<std::size_t> chosen, Intents& intents) {
    if (checked.steps.empty()) return;
    section_title(ui, "Step by step", summary(checked));
    const float width = available_width();
    const Edges edges = edges_of(ui, ImGui::GetCursorScreenPos().x, width);
    draw_header(ui, edges, ImGui::GetCursorScreenPos(), width);
    const std::optional<std::size_t> wrong = wrong_step(checked);
    // A clicker that steps takes the table with it.
    const bool moved = std::exchange(kept<SeenStep>(ui, "claims.step").step, chosen) != chosen;
    for (std::size_t i = 0; i < checked.steps.size(); ++i) {
        const Row row{checked.steps[i], wrong == i, chosen == i};
        const ImVec2 min = ImGui::GetCursorScreenPos();
        const ImVec2 max(min.x + width, min.y + row_height(ui, row, edges));
        const std::string name = "claim.step." + std::to_string(i);
        ui.recorder.record(name, min, max);
        const IdScope scope(name);
        const ImGuiID id = ImGui::GetID("row");
        const Press press = press_area(ui, "row", min, max, size::radius_field, chosen ? row.chosen : i == 0);
        bool asked = press.pressed;
        if (press.focused && ui.memory.table_row != id) {
            // The focus has come here by the keyboard: the light follows it.
            ui.memory.table_row = id;
            asked = asked || !row.chosen;
        }
        if (asked) intents.push_back(AtClaims{ChooseStep{i}});
        if (press.hovered && !row.chosen) tint_row(ui, min, max, hover_tint(ui.theme));
        if (press.hovered && !row.step.at.empty()) intents.push_back(Hover{TensorSubject{row.step.at}});
        draw_row(ui, row, edges, min, max.y);
        if (moved && row.chosen) scroll_into_sight(min.y, max.y, ui.px(step_in_sight));
        place(min, max - min);
    }
}

}  // namespace headcount
