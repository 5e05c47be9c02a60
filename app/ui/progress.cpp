// Dashes and switches.
#include "app/ui/progress.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {

void draw_dashes(const Ui& ui, std::span<const ImU32> colours, ImVec2 min, float width) {
    if (colours.empty()) return;
    const auto count = static_cast<float>(colours.size());
    const float apart = std::min(ui.px(4), width / count / 3);
    const float each = (width - apart * (count - 1)) / count, height = std::max(3.0F, std::round(ui.px(4)));
    float x = min.x;
    for (const ImU32 colour : colours) {
        draw_pill(*ImGui::GetWindowDrawList(), ImVec2(x, min.y), ImVec2(x + each, min.y + height), colour);
        x += each + apart;
    }
}

void draw_switch(const Ui& ui, ImVec2 min, float part) {
    const ImVec2 shape(ui.px(switch_width), ui.px(switch_height)), max = min + shape;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_pill(list, min, max, mix(ui.theme.track, ui.theme.selection, part));
    const ImU32 knob = mix(ui.theme.dark ? ui.theme.norm : ui.theme.text_low, ui.theme.panel, part);
    const float travel = shape.x - shape.y;
    list.AddCircleFilled(ImVec2(min.x + shape.y / 2 + travel * part, (min.y + max.y) / 2), ui.px(6), knob, 20);
}

bool switch_button(const Ui& ui, std::string_view name, bool on, std::string_view tooltip) {
    const IdScope scope(name);
    const ImVec2 min = ImGui::GetCursorScreenPos(), extent(ui.px(switch_width), ui.px(switch_height));
    ui.recorder.record(name, min, min + extent);
    const Press press = press_area(ui, "switch", min, min + extent, size::radius_card);
    hint(ui, tooltip);
    draw_switch(ui, min, animated(ui, ImGui::GetID("switch"), on ? 1.0F : 0.0F));
    place(min, extent);
    return press.pressed;
}

}  // namespace headcount
