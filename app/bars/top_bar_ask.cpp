// The field of the top bar that shows what can be asked; the ask bar opens over it.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/bars/top_bar_parts.hpp"
#include "app/parts/actions.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {
namespace {

// From the most that it says to the least.
constexpr std::array<std::string_view, 8> ask_words{"Ask: queries, kv cache 8k, compare ...",
                                                    "Ask: queries, kv cache 8k",
                                                    "Ask: kv cache 8k",
                                                    "Ask: kv cache",
                                                    "Ask: heads",
                                                    "Ask: GQA",
                                                    "Ask ...",
                                                    "Ask"};
constexpr float ask_glass = 16, ask_from = 26, ask_after = 8;  // unscaled: the glass's centre, the words' margins

float width_with(const Ui& ui, std::string_view words) {
    return std::ceil(text_width(ui.fonts.body, words) + ui.px(ask_from + ask_after));
}

}  // namespace

float ask_field_width(const Ui& ui, float room) {
    for (const std::string_view words : ask_words)
        if (const float width = width_with(ui, words); width <= room) return width;
    return width_with(ui, ask_words.back());
}

void draw_ask_field(const Ui& ui, ImVec2 left_centre, float width, Intents& intents) {
    const float height = std::round(ui.px(size::button));
    ImGui::SetCursorScreenPos(ImVec2(left_centre.x, left_centre.y - std::round(height / 2)));
    const Widget box(ui, "topbar.ask", ImVec2(width, height));
    const Press press = press_area(ui, "field", box.min, box.max, size::radius_button);
    hint(ui, tooltip_of("ask"));
    if (press.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, box.min, box.max, press.hovered ? ui.theme.hover : ui.theme.field, ui.theme.strong_line,
             ui.px(size::radius_button));
    const ImU32 ink = press.hovered ? ui.theme.text_high : ui.theme.text_mid;
    draw_icon(list, Icon::search, ImVec2(box.min.x + ui.px(ask_glass), left_centre.y), ui.px(14), ink);
    const auto fits =
        std::ranges::find_if(ask_words, [&](std::string_view words) { return width_with(ui, words) <= width; });
    put_text(list, ui.fonts.body, ImVec2(box.min.x + ui.px(ask_from), text_top(ui.fonts.body, left_centre.y)), ink,
             fits == ask_words.end() ? ask_words.back() : *fits);
    if (press.pressed) intents.push_back(Ask{true});
}

}  // namespace headcount
