// Gaps, separators, titles, cards and panels.
#include "app/ui/layout.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"

namespace headcount {

void gap(const Ui& ui, float pixels) {
    ImGui::Dummy(ImVec2(0, std::round(ui.px(pixels))));
}

float available_width() {
    return ImGui::GetContentRegionAvail().x;
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

void caption(const Ui& ui, std::string_view text) {
    text_line(ui, ui.fonts.table, ui.theme.text_low, text);
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
    for (const UiMemory::Height& known : ui.memory.heights) {
        if (known.id != id) continue;
        const ImVec2 end(start.x + width, start.y + known.height);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        draw_box(list, start, end, fill, border, ui.px(size::radius_card));
    }
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
    const ImGuiID id = ImGui::GetID("card");
    auto& heights = ui.memory.heights;
    const auto found = std::find_if(heights.begin(), heights.end(), [id](const auto& known) { return known.id == id; });
    if (found == heights.end() || found->height != height) {
        ui.memory.animating = true;
        if (found == heights.end())
            heights.push_back({id, height});
        else
            found->height = height;
    }
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
