// The slider row: draws its parts and turns drags, keys and typed text into one result.
#include "app/ui/slider_row.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr int big_step = 8;  // how many steps Shift takes at once

struct Track {
    ImVec2 from, to;  // the middle of the line's ends
    float knob_x = 0;
};

Track track_of(const Ui& ui, ImVec2 start, float width, const SliderRow& row) {
    const float y = std::round(start.y + ui.px(32)) + 0.5F;
    Track track{ImVec2(start.x, y), ImVec2(start.x + width, y), 0};
    track.knob_x = start.x + width * position_of(row.scale, row.value);
    return track;
}

void draw_track(const Ui& ui, const Track& track, const SliderRow& row, const Press& press) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float half = ui.px(size::track) / 2, y = track.from.y;
    const ImU32 colour = row.colour ? row.colour : ui.theme.text_mid;
    draw_pill(list, ImVec2(track.from.x, y - half), ImVec2(track.to.x, y + half), ui.theme.track);
    draw_pill(list, ImVec2(track.from.x, y - half), ImVec2(std::max(track.knob_x, track.from.x + 2 * half), y + half),
              row.disabled ? ui.theme.strong_line : colour);
    if (row.preset && *row.preset != row.value) {
        const float width = track.to.x - track.from.x;
        const float x = std::round(track.from.x + width * position_of(row.scale, *row.preset));
        list.AddRectFilled(ImVec2(x - 0.5F, y - ui.px(3.5F)), ImVec2(x + 1, y + ui.px(3.5F)), ui.theme.text_mid);
    }
    if (row.disabled) return;
    const float radius = ui.px(size::knob) / 2 + (press.held ? ui.px(1) : 0);
    const ImVec2 knob(track.knob_x, y);
    if (press.hovered || press.held || row.lit)
        list.AddCircleFilled(knob, radius + ui.px(4), with_alpha(ui.theme.selection, press.held ? 0.22F : 0.14F));
    draw_plain_circle(list, knob, radius + 1, ui.theme.panel);
    list.AddCircleFilled(knob, radius, ui.theme.knob);
}

// The pointer and the arrow keys on the track.
void move(const Ui& ui, const Track& track, const SliderRow& row, const Press& press, std::string_view name,
          SliderRowResult& result) {
    UiMemory& memory = ui.memory;
    const ImGuiIO& io = ImGui::GetIO();
    const float width = std::max(1.0F, track.to.x - track.from.x);
    if (ImGui::IsItemActivated()) {
        if (!ImGui::IsMouseDoubleClicked(0)) ++memory.run;
        memory.stepping = 0;
        const bool on_knob = std::abs(io.MousePos.x - track.knob_x) <= ui.px(size::knob);
        memory.grab = on_knob ? io.MousePos.x - track.knob_x : 0;
        memory.may_drag = !io.KeyCtrl && io.MouseDown[0];
        memory.dragged = !on_knob && memory.may_drag;
        if (io.KeyCtrl && io.MouseDown[0]) ask_for_typing(ui, name);
    }
    if (press.hovered && ImGui::IsMouseDoubleClicked(0) && !io.KeyCtrl) {
        memory.may_drag = memory.dragged = false;
        result.reset = result.committed = true;  // one edit with what the first press did beside the knob
        result.run = memory.run;
    }
    if (press.held && memory.may_drag && io.MouseDown[0]) {
        memory.dragged = memory.dragged || ImGui::IsMouseDragging(0, 1);
        const std::int64_t value = value_at(row.scale, (io.MousePos.x - memory.grab - track.from.x) / width);
        if (memory.dragged && value != row.value) result.value = value;
        result.active = true;
    }
    if (ImGui::IsItemDeactivated() && memory.dragged) {
        result.committed = true;
        result.run = memory.run;
        memory.dragged = memory.may_drag = false;
    }
    if (!press.focused) return;
    if (compat::enter_pressed()) ask_for_typing(ui, name);
    const int direction =
        (compat::key_pressed(ImGuiKey_RightArrow) ? 1 : 0) - (compat::key_pressed(ImGuiKey_LeftArrow) ? 1 : 0);
    if (direction == 0) return;
    compat::keep_focus();
    const std::int64_t value = stepped(row.scale, row.value, direction, io.KeyShift ? big_step : 1);
    if (value == row.value) return;
    const ImGuiID slider = ImGui::GetItemID();
    if (memory.stepping != slider) ++memory.run;
    memory.stepping = slider;
    result.value = value;
    result.committed = true;
    result.run = memory.run;
}

// The slider below the label: records, moves and draws it.
void slide(const Ui& ui, std::string_view name, const Track& track, const SliderRow& row, SliderRowResult& result) {
    const ImVec2 reach(ui.px(6), ui.px(8));
    ui.recorder.record(name, "track", ImVec2(track.from.x, track.from.y - reach.y),
                       ImVec2(track.to.x, track.to.y + reach.y));
    const float half = ui.px(size::knob) / 2;
    const ImVec2 knob_min(track.knob_x - half, track.from.y - half), knob_max(track.knob_x + half, track.from.y + half);
    ui.recorder.record(name, "knob", knob_min, knob_max);
    Press press;
    if (!row.disabled) {
        press = press_area(ui, "##track", track.from - reach, track.to + reach, -1);
        move(ui, track, row, press, "field", result);
    }
    draw_track(ui, track, row, press);
    if (press.focused) draw_focus_ring(ui, knob_min, knob_max, size::knob / 2);
}

bool may_reset(const SliderRow& row) {
    return !row.disabled && (row.may_reset || (row.preset && *row.preset != row.value));
}

std::string joined(std::string_view name, std::string_view part) {
    return std::string(name).append(1, '.').append(part);
}

// The card below the row, where something is wrong.
void draw_error(const Ui& ui, std::string_view name, const SliderRow& row, std::string_view rejected,
                SliderRowResult& result) {
    if (!rejected.empty()) {
        const std::string sentence = must_be(row.label, "a whole number", rejected).what + ".";
        // The caller may know better what is wrong with the text.
        const std::string_view said = row.error ? row.error->sentence : sentence;
        const bool callers = row.error && !row.error->fix.empty();
        const std::string fix = callers ? std::string(row.error->fix) : "Use " + std::to_string(row.value);
        if (message_card(ui, name, said, fix)) {
            forget_rejected(ui, "field");
            result.fix = callers;
        }
    } else if (row.error) {
        if (message_card(ui, name, row.error->sentence, row.error->fix)) result.fix = true;
    } else {
        return;
    }
    gap(ui, 8);
}

}  // namespace

float row_label(const Ui& ui, float left, float centre, std::string_view label, std::string_view symbol, float room) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& words = ui.fonts.body;
    const Font& letters = ui.fonts.mono;
    float x = left + draw_text(list, words, ImVec2(left, text_top(words, centre)), ui.theme.text_high, label,
                               std::max(1.0F, room));
    if (symbol.empty() || x + ui.px(8) + symbol_width(letters, symbol) > left + room) return x;
    x += ui.px(8);
    return x + draw_symbol(list, letters, ImVec2(x, text_top(letters, centre)), ui.theme.text_low, symbol);
}

float marks_width(const Ui& ui, bool may_reset, std::string_view effect) {
    const float words = effect.empty() ? 0 : text_width(ui.fonts.mono_caption, effect) + ui.px(6);
    return words + (may_reset ? ui.px(22) : 0) + 2;
}

RowMarks row_marks(const Ui& ui, std::string_view name, bool may_reset, std::string_view effect, float right,
                   float centre) {
    RowMarks marks{right, false};
    if (may_reset) {
        const float side = ui.px(18);
        const ImVec2 min(std::round(right - side - ui.px(4)), std::round(centre - side / 2));
        const ImVec2 max(min.x + side, min.y + side);
        ui.recorder.record(name, "reset", min, max);
        const Press press = press_area(ui, "##reset", min, max, size::radius_field);
        hint(ui, "Back to the preset");
        draw_icon(*ImGui::GetWindowDrawList(), Icon::reset, ImVec2((min.x + max.x) / 2, centre), ui.px(13),
                  press.hovered ? ui.theme.text_high : ui.theme.text_mid);
        marks = {min.x, press.pressed};
    }
    if (effect.empty()) return marks;
    marks.left = std::round(marks.left - text_width(ui.fonts.mono_caption, effect) - ui.px(6));
    draw_text(*ImGui::GetWindowDrawList(), ui.fonts.mono_caption,
              ImVec2(marks.left, text_top(ui.fonts.mono_caption, centre)), ui.theme.text_mid, effect);
    return marks;
}

void ask_for_slider(const Ui& ui, std::string_view name) {
    const IdScope scope(name);
    ui.memory.tab_target = ImGui::GetID("##track");
}

SliderRowResult slider_row(const Ui& ui, std::string_view name, const SliderRow& row) {
    SliderRowResult result;
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(size::slider_row)));
    const ImVec2 end = start + extent;
    ui.recorder.record(name, start, end);
    result.hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(start, end);
    if (row.lit) tint_row(ui, start, end, hover_tint(ui.theme));

    const float centre = std::round(start.y + ui.px(12));
    const float beside = text_width(ui.fonts.body, row.label) + marks_width(ui, may_reset(row), row.effect);
    const float width = field_width(ui, row.text.empty() ? std::to_string(row.value) : std::string(row.text),
                                    extent.x - beside - ui.px(6));
    const ImVec2 box(width, ui.px(size::field_height));
    const ImVec2 corner(end.x - box.x, std::round(centre - box.y / 2));
    const RowMarks marks = row_marks(ui, name, may_reset(row), row.effect, corner.x, centre);
    const float left = result.marks = marks.left;
    if (marks.reset) result.reset = result.committed = true;
    row_label(ui, start.x, centre, row.label, row.symbol, left - start.x - ui.px(6));

    const bool changed = may_reset(row);
    const NumberFieldResult field = number_field(ui, "field", corner, box,
                                                 {.value = row.value,
                                                  .wrong = row.error.has_value(),
                                                  .changed = changed,
                                                  .disabled = row.disabled,
                                                  .lit = row.lit,
                                                  .text = row.text,
                                                  .row = name});
    ui.recorder.record(name, "field", corner, corner + box);
    if (field.value) result.committed = true;
    result.value = field.value;
    result.typed = field.typed;
    result.active = field.editing;

    slide(ui, name, track_of(ui, start, extent.x, row), row, result);
    if (result.hovered && !row.tooltip.empty() && !result.active && ImGui::GetIO().MousePos.x < left &&
        ImGui::GetIO().MousePos.y < start.y + ui.px(24))
        show_tooltip(ui, {row.label, {}, {}, row.tooltip});
    place(start, extent);
    draw_error(ui, name, row, row.text.empty() ? field.rejected : std::string_view(), result);
    return result;
}

bool derived_row(const Ui& ui, std::string_view name, std::string_view label, std::string_view symbol,
                 std::string_view value, bool lit) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(size::derived_row)));
    const ImVec2 end = start + extent;
    ui.recorder.record(name, start, end);
    if (lit) tint_row(ui, start, end, hover_tint(ui.theme));
    const float room = extent.x - text_width(ui.fonts.mono, value) - ui.px(8);
    row_label(ui, start.x, start.y + extent.y / 2, label, symbol, room);
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.mono, start, end, ui.theme.text_mid, value, Align::right);
    place(start, extent);
    return ImGui::IsItemHovered();
}

bool message_card(const Ui& ui, std::string_view name, std::string_view said, std::string_view label, bool wrong) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), padding = ui.px(9), icon = ui.px(size::icon);
    const Button fix{.label = label, .small = true};
    const float button_height = std::round(ui.px(size::small_button)), indent = padding + icon + ui.px(8);
    const float room = label.empty() ? 0 : button_width(ui, fix) + padding;
    const Font& font = ui.fonts.body;
    const std::string sentence = plain_in_quotes(begun_as_sentence(said));
    const float whole = std::max(ui.px(60), width - indent - padding);
    float wrap = std::max(ui.px(60), whole - room);
    float words = wrapped_extent(font, sentence, wrap, true).y;
    // A button beside a long sentence would make a column of it; it goes below.
    const bool below = !label.empty() && words > 3.5F * font.size;
    if (below) words = wrapped_extent(font, sentence, wrap = whole, true).y;
    const float beside = label.empty() || below ? 0 : button_height;
    const float inside = below ? words + ui.px(8) + button_height : std::max(words, beside);
    const float height = std::round(inside + 2 * padding);
    const ImVec2 end(start.x + width, start.y + height);
    ui.recorder.record(name, "error", start, end);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(start, end, wrong ? ui.theme.wrong_fill : ui.theme.raised, ui.px(size::radius_button));
    const float text_y = std::round(below ? start.y + padding : start.y + (height - words) / 2);
    draw_icon(list, Icon::warning, ImVec2(start.x + padding + icon / 2, text_y + font.size / 2), ui.px(14),
              wrong ? ui.theme.wrong : ui.theme.text_mid);
    draw_wrapped(list, font, ImVec2(start.x + indent, text_y), ui.theme.text_high, sentence, wrap, true);
    bool pressed = false;
    if (!label.empty()) {
        // A long number in its label moves it to the left, under the icon.
        const float left = std::max(padding, std::min(indent, width - padding - button_width(ui, fix)));
        const ImVec2 under(start.x + left, end.y - padding - button_height);
        const ImVec2 right(end.x - room, std::round(start.y + (height - button_height) / 2));
        ImGui::SetCursorScreenPos(below ? under : right);
        pressed = button(ui, joined(name, "fix"), fix);
    }
    place(start, ImVec2(width, height));
    return pressed;
}

}  // namespace headcount
