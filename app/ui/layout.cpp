// Gaps, separators, titles, cards and panels.
#include "app/ui/layout.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/icons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {

void gap(const Ui& ui, float pixels) { ImGui::Dummy(ImVec2(0, std::round(ui.px(pixels)))); }

float available_width() { return ImGui::GetContentRegionAvail().x; }

std::pair<ImVec2, ImVec2> take_line(const Ui& ui, float height) {
    const ImVec2 min = ImGui::GetCursorScreenPos(), extent(available_width(), std::round(ui.px(height)));
    place(min, extent);
    return {min, min + extent};
}

void separator(const Ui& ui, float above, float below, bool edge_to_edge) {
    gap(ui, above);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    float from = start.x, to = start.x + available_width();
    if (edge_to_edge) {
        from = ImGui::GetWindowPos().x;
        to = from + ImGui::GetWindowSize().x;
    }
    // The window's own clipping keeps clear of its padding; the line does not.
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 window = ImGui::GetWindowPos();
    if (edge_to_edge) list.PushClipRect(window, window + ImGui::GetWindowSize());
    list.AddRectFilled(ImVec2(from, start.y), ImVec2(to, start.y + 1), ui.theme.line);
    if (edge_to_edge) list.PopClipRect();
    ImGui::Dummy(ImVec2(0, 1));
    gap(ui, below);
}

void section_title(const Ui& ui, std::string_view title, std::string_view remark) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), ui.px(24));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text_in(list, ui.fonts.body_bold, start, start + extent, ui.theme.text_high, title);
    if (!remark.empty()) {
        // At the right end; cut where it would reach the title.
        const Font& font = ui.fonts.table;
        const float room = extent.x - text_width(ui.fonts.body_bold, title) - ui.px(16);
        const float width = std::min(text_width(font, remark), room);
        const ImVec2 at(start.x + extent.x - width, text_top(font, start.y + extent.y / 2));
        draw_text(list, font, at, ui.theme.text_low, remark, std::max(room, 1.0F));
    }
    place(start, extent);
}

void tint_row(const Ui& ui, ImVec2 min, ImVec2 max, ImU32 tint) {
    const float reach = ui.px(8);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(min.x - reach, min.y), ImVec2(max.x + reach, max.y), tint,
                                              ui.px(size::radius_button));
}

void caption(const Ui& ui, std::string_view text) { text_line(ui, ui.fonts.table, ui.theme.text_low, text); }

void scroll_into_sight(float top, float bottom, float margin) {
    const float above = ImGui::GetWindowPos().y, below = above + ImGui::GetWindowSize().y;
    if (top - margin < above)
        ImGui::SetScrollY(std::max(0.0F, ImGui::GetScrollY() - (above - top + margin)));
    else if (bottom + margin > below)
        ImGui::SetScrollY(ImGui::GetScrollY() + bottom + margin - below);
}

bool notice_card(const Ui& ui, std::string_view name, std::string_view text) {
    const float width = available_width(), padding = ui.px(9), side = std::round(ui.px(20));
    const Font& font = ui.fonts.table;
    const float wrap = std::max(ui.px(60), width - 2 * padding - side);
    const float height = std::round(std::max(wrapped_extent(font, text, wrap).y, side) + 2 * padding);
    const Widget card(ui, name, ImVec2(width, height));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, card.min, card.max, ui.theme.raised, ui.theme.line, ui.px(size::radius_button));
    draw_wrapped(list, font, card.min + ImVec2(padding, padding), ui.theme.text_mid, text, wrap);
    const ImVec2 min(card.max.x - side - ui.px(5), card.min.y + ui.px(5)), max = min + ImVec2(side, side);
    ui.recorder.record(name, "dismiss", min, max);
    const Press press = press_area(ui, "dismiss", min, max, size::radius_field);
    hint(ui, "Dismiss");
    if (press.hovered) list.AddRectFilled(min, max, ui.theme.hover, ui.px(size::radius_field));
    draw_icon(list, Icon::cross, ImVec2((min.x + max.x) / 2, (min.y + max.y) / 2), ui.px(12),
              press.hovered ? ui.theme.text_high : ui.theme.text_low);
    return press.pressed;
}

float known_height(const Ui& ui, ImGuiID id, float guess) {
    const auto known = ui.memory.heights.find(id);
    return known == ui.memory.heights.end() ? guess : known->second;
}

void remember_height(const Ui& ui, ImGuiID id, float height) {
    const auto known = ui.memory.heights.find(id);
    if (known != ui.memory.heights.end() && known->second == height) return;
    ui.memory.heights.insert_or_assign(id, height);
    ui.memory.animating = true;
}

Card::Card(const Ui& ui_, std::string_view name_, ImU32 fill_, ImU32 border_, float padding_)
    : ui(ui_),
      name(name_),
      start(ImGui::GetCursorScreenPos()),
      padding(std::round(ui_.px(padding_))),
      width(available_width()),
      fill(fill_ ? fill_ : ui_.theme.raised),
      border(border_ ? border_ : ui_.theme.line) {
    ImGui::PushID(name.data(), name.data() + name.size());
    const ImGuiID id = ImGui::GetID("card");
    if (const float height = known_height(ui, id, 0); height > 0)
        draw_box(*ImGui::GetWindowDrawList(), start, ImVec2(start.x + width, start.y + height), fill, border,
                 ui.px(size::radius_card));
    ImGui::SetCursorScreenPos(start + ImVec2(padding, padding));
    ImGui::BeginGroup();
    ImGui::PushClipRect(start, ImVec2(start.x + width, FLT_MAX), true);
    compat::narrow_content(padding);
}

Card::~Card() {
    compat::narrow_content(-padding);
    ImGui::PopClipRect();
    ImGui::EndGroup();
    const float height = std::round(ImGui::GetItemRectMax().y - start.y + padding);
    remember_height(ui, ImGui::GetID("card"), height);
    ui.recorder.record(name, start, ImVec2(start.x + width, start.y + height));
    ImGui::PopID();
    place(start, ImVec2(width, height));
}

Panel::Panel(const Ui& ui, std::string_view name, ImVec2 extent, ImU32 fill, float padding, bool scrolls) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::PushID(name.data(), name.data() + name.size());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                        ImVec2(std::round(ui.px(padding)), std::round(ui.px(padding / 2))));
    ImGui::PushStyleColor(ImGuiCol_ChildBg, fill ? fill : ui.theme.panel);
    const ImGuiWindowFlags flags = scrolls ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    visible = compat::begin_child("panel", extent, true, true, flags);
    // At once, so that popups inside do not inherit them.
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    const ImVec2 taken = ImGui::GetWindowSize();
    ui.recorder.record(name, start, start + taken);
    // The scrollbar stands in the padding, so that rows are as wide with it as without.
    const float bar = compat::scrollbar_width();
    const float left = ImGui::GetWindowPos().x, top = ImGui::GetWindowPos().y;
    compat::narrow_content(-bar);
    ImGui::PushClipRect(ImVec2(left, top), ImVec2(left + taken.x - bar, top + taken.y), bar == 0);
}

Panel::~Panel() {
    ImGui::PopClipRect();
    ImGui::EndChild();
    ImGui::PopID();
}

}  // namespace headcount
