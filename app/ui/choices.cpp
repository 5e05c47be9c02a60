// Segments, toggles and a switch.
#include "app/ui/choices.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {
namespace {

constexpr float box_height = 24, inset = 2, segment_padding = 9, tight_padding = 2, mark_room = 26;

// The label of a row and its tint; returns the width that the label takes.
float begin_row(const Ui& ui, std::string_view name, const ChoiceRow& row, ImVec2 start, ImVec2 extent) {
    ui.recorder.record(name, start, start + extent);
    if (row.lit) tint_row(ui, start, start + extent, hover_tint(ui.theme));
    return row_label(ui, start.x, start.y + ui.px(size::choice_row) / 2, row.label, row.symbol) - start.x;
}

// Reset mark and "+1.29 B" to the left of a control; the effect gives way where there is no room. Before the control,
// whose area may be the whole row. Returns whether the mark was pressed.
bool draw_marks(const Ui& ui, std::string_view name, const ChoiceRow& row, float right, float centre, float label_end) {
    const bool fits = right - marks_width(ui, row.changed, row.effect) >= label_end + ui.px(4);
    return row_marks(ui, name, row.changed, fits ? row.effect : std::string_view{}, right - ui.px(2), centre).reset;
}

// Whether the pointer is on the row and left of its control, on the words.
bool on_words(ImVec2 start, ImVec2 extent, float left) {
    return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(start, start + extent) &&
           ImGui::GetIO().MousePos.x < left;
}

float segments_width(const Ui& ui, std::span<const std::string_view> options) {
    float width = 2 * ui.px(inset);
    for (const std::string_view option : options)
        width += std::round(text_width(ui.fonts.table, option) + 2 * ui.px(segment_padding));
    return std::round(width);
}

// Words may stand closer together before they need more room.
float least_width(const Ui& ui, std::span<const std::string_view> options) {
    return segments_width(ui, options) -
           static_cast<float>(options.size()) * 2 * ui.px(segment_padding - tight_padding);
}

// How many segments stand on a line so wide: all, or as many on each line where they need several.
std::size_t segments_on_a_line(const Ui& ui, std::span<const std::string_view> options, float width) {
    for (std::size_t lines = 1; lines < options.size(); ++lines) {
        const std::size_t each = (options.size() + lines - 1) / lines;
        bool fits = true;
        for (std::size_t first = 0; first < options.size(); first += each)
            fits = fits && least_width(ui, options.subspan(first, std::min(each, options.size() - first))) <= width;
        if (fits) return each;
    }
    return 1;
}

// Line below line, each with as many as `on_a_line`.
ChoiceResult draw_segments(const Ui& ui, std::string_view name, ImVec2 start, float width,
                           std::span<const std::string_view> options, int current, std::size_t on_a_line) {
    ChoiceResult result;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = std::round(ui.px(box_height));
    const std::size_t lines = (options.size() + on_a_line - 1) / std::max<std::size_t>(1, on_a_line);
    const ImVec2 end(start.x + width, start.y + line * static_cast<float>(lines));
    draw_box(list, start, end, ui.theme.canvas, ui.theme.line, ui.px(size::radius_button));
    float x = 0, top = start.y, extra = 0;
    for (int i = 0; i < static_cast<int>(options.size()); ++i) {
        const std::size_t index = static_cast<std::size_t>(i), place = index % on_a_line;
        if (place == 0) {
            const auto there = options.subspan(index, std::min(on_a_line, options.size() - index));
            // Room that is left over or missing is shared evenly.
            extra = (width - segments_width(ui, there)) / static_cast<float>(there.size());
            x = start.x + ui.px(inset);
            if (index > 0) top += line;
        }
        const std::string_view option = options[index];
        const float wide = std::round(text_width(ui.fonts.table, option) + 2 * ui.px(segment_padding)) + extra;
        const ImVec2 min(x, top + ui.px(inset)), max(x + wide, top + line - ui.px(inset));
        const std::string part = std::to_string(i);
        ui.recorder.record(name, part, min, max);
        // Tab stops once, at the current segment; the arrow keys go on from there.
        const Press press = press_area(ui, part.c_str(), min, max, size::radius_field, i == current);
        if (i == current || press.hovered)
            list.AddRectFilled(min, max, i == current ? ui.theme.hover : hover_tint(ui.theme),
                               ui.px(size::radius_field));
        draw_text_in(list, ui.fonts.table, min, max,
                     i == current || press.hovered ? ui.theme.text_high : ui.theme.text_mid, option, Align::centre);
        if (press.pressed && i != current) result.chosen = i;
        result.hovered = result.hovered || press.hovered;
        x += wide;
    }
    result.right = x;
    return result;
}

// 28 x 16 px, moving with `part` from 0 (off) to 1 (on).
void draw_switch(const Ui& ui, ImVec2 min, float part) {
    const ImVec2 shape(ui.px(switch_width), ui.px(switch_height)), max = min + shape;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_pill(list, min, max, mix(ui.theme.track, ui.theme.selection, part));
    const ImU32 knob = mix(ui.theme.dark ? ui.theme.norm : ui.theme.text_low, ui.theme.panel, part);
    const float travel = shape.x - shape.y;
    list.AddCircleFilled(ImVec2(min.x + shape.y / 2 + travel * part, (min.y + max.y) / 2), ui.px(6), knob, 20);
}

}  // namespace

ChoiceResult segmented(const Ui& ui, std::string_view name, std::span<const std::string_view> options, int current,
                       bool wide) {
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = wide ? available_width() : std::min(available_width(), segments_width(ui, options));
    const ChoiceResult result =
        draw_segments(ui, name, start, width, options, current, std::max<std::size_t>(1, options.size()));
    place(start, ImVec2(width, std::round(ui.px(box_height))));
    return result;
}

ChoiceResult segmented_row(const Ui& ui, std::string_view name, const ChoiceRow& row,
                           std::span<const std::string_view> options, int current) {
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float line = std::round(ui.px(size::choice_row));
    const float wanted = segments_width(ui, options);
    ImVec2 extent(available_width(), line);
    const float words = text_width(ui.fonts.body, row.label) + ui.px(row.resets ? mark_room : 10);
    const bool beside = words + least_width(ui, options) <= extent.x;
    const float room = beside ? extent.x - words : extent.x;
    const std::size_t on_a_line =
        beside ? std::max<std::size_t>(1, options.size()) : segments_on_a_line(ui, options, extent.x);
    const std::size_t lines = (options.size() + on_a_line - 1) / on_a_line;
    const float box = std::round(ui.px(box_height));
    if (!beside) extent.y += line + box * static_cast<float>(lines - 1);
    const float label = begin_row(ui, name, row, start, extent);
    const float width = std::round(std::min(wanted, room));
    const float top = start.y + (beside ? 0 : line) + std::round((line - ui.px(box_height)) / 2);
    const float left = beside ? std::round(start.x + extent.x - width) : start.x;
    const float words_end = beside ? left : start.x + extent.x;
    const bool reset = draw_marks(ui, name, row, words_end, start.y + line / 2, start.x + label);
    const float taken = beside ? width : extent.x;
    const bool named = on_words(start, ImVec2(extent.x, line), words_end) && !ImGui::IsAnyItemHovered();
    ChoiceResult result = draw_segments(ui, name, ImVec2(left, top), taken, options, current, on_a_line);
    result.reset = reset || (row.changed && named && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left));
    place(start, extent);
    result.hovered = result.hovered || ImGui::IsItemHovered();
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    const bool at_label = beside ? pointer.x < left : pointer.y < start.y + line;
    if (!row.tooltip.empty() && ImGui::IsItemHovered() && at_label) show_tooltip(ui, {row.label, {}, {}, row.tooltip});
    return result;
}

ToggleResult toggle_row(const Ui& ui, std::string_view name, const ChoiceRow& row, bool on) {
    ToggleResult result;
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(size::choice_row)));
    const float label = begin_row(ui, name, row, start, extent);
    const ImVec2 shape(ui.px(switch_width), ui.px(switch_height));
    const ImVec2 min(start.x + extent.x - shape.x, std::round(start.y + (extent.y - shape.y) / 2));
    const ImVec2 max = min + shape;
    ui.recorder.record(name, "toggle", min, max);
    result.reset = draw_marks(ui, name, row, min.x, start.y + extent.y / 2, start.x + label);

    // The whole row can be pressed, but for the mark.
    const Press press = press_area(ui, "toggle", start, start + extent, -1);
    result.hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(start, start + extent);
    if (press.focused) draw_focus_ring(ui, min, max, 8);
    if (!row.tooltip.empty() && press.hovered && ImGui::GetIO().MousePos.x < min.x)
        show_tooltip(ui, {row.label, {}, {}, row.tooltip});
    if (press.pressed) result.value = !on;

    const float part = animated(ui, ImGui::GetID("toggle"), on ? 1.0F : 0.0F);
    draw_switch(ui, min, part);
    place(start, extent);
    return result;
}

bool switch_button(const Ui& ui, std::string_view name, bool on, std::string_view tooltip) {
    const Widget box(ui, name, ImVec2(ui.px(switch_width), ui.px(switch_height)));
    const Press press = press_area(ui, "switch", box.min, box.max, size::radius_card);
    hint(ui, tooltip);
    draw_switch(ui, box.min, animated(ui, ImGui::GetID("switch"), on ? 1.0F : 0.0F));
    return press.pressed;
}

}  // namespace headcount
