// The bar over a model that is shown to a class.
#include <cmath>

#include "app/parts/words.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/show/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float between = 14;

}  // namespace

Intents draw_presenter_bar(const Ui& ui, const Session& session) {
    Intents intents;
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float padding = std::round(ui.px(size::panel_padding)), centre = std::round(corner.y + extent.y / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto put = [&](const Font& font, float x, ImU32 colour, std::string_view words, float width = 0) {
        draw_text(list, font, ImVec2(std::round(x), text_top(font, centre)), colour, words, width);
    };
    const Button back{.label = "Esc", .icon = Icon::shrink, .tooltip = "Back to the sliders and tables (Esc or F5)"};
    float right = corner.x + extent.x - padding - button_width(ui, back);
    ImGui::SetCursorScreenPos(ImVec2(right, centre - std::round(ui.px(size::button) / 2)));
    if (button(ui, "presenter.back", back)) intents.push_back(Present{false});

    // Where there is no room for all, the program's name goes first, then the unit; and the exact total is rounded.
    const Counted& shown = session.derived.shown;
    const std::string active = active_text(shown.parameters);
    const std::string unit = active.empty() ? "parameters" : "parameters, " + active;
    const float side = ui.px(18), name_width = text_width(ui.fonts.body_bold, "Headcount");
    const float named = side + ui.px(9) + name_width + ui.px(2 * between), least_title = ui.px(120);
    float left = corner.x + padding;
    std::string total = grouped(shown.parameters.total);
    const auto room_beside = [&](float more) {
        return right - left - text_width(ui.fonts.mono_total, total) - ui.px(2 * between) - least_title >= more;
    };
    const float unit_width = ui.px(8) + text_width(ui.fonts.body, unit);
    const bool with_unit = room_beside(unit_width), with_name = room_beside(unit_width + named);
    if (!room_beside(0)) total = short_count(shown.parameters.total);
    right -= ui.px(between);
    if (with_unit) {
        right -= text_width(ui.fonts.body, unit);
        put(ui.fonts.body, right, ui.theme.text_mid, unit);
        right -= ui.px(8);
    }
    right -= text_width(ui.fonts.mono_total, total);
    put(ui.fonts.mono_total, right, ui.theme.text_high, total);
    ui.recorder.record("presenter", "total", ImVec2(right, corner.y),
                       ImVec2(right + text_width(ui.fonts.mono_total, total), corner.y + extent.y));

    if (with_name) {
        draw_logo(list, ImVec2(left, centre - side / 2), side, ui.theme.strong_line, ui.theme.query, ui.theme.key);
        const float name = left + side + ui.px(9);
        put(ui.fonts.body_bold, name, ui.theme.text_high, "Headcount");
        left += named;
        const float line = std::round(left - ui.px(between));
        list.AddRectFilled(ImVec2(line, centre - ui.px(10)), ImVec2(line + 1, centre + ui.px(10)),
                           ui.theme.strong_line);
    }
    const bool verified = session.document.architecture.family->verified;
    const float room = right - left - ui.px(between);
    if (room > 1)
        put(ui.fonts.body, left, ui.theme.text_high, title_of(session.document) + (verified ? "" : " (not verified)"),
            room);
    return intents;
}

}  // namespace headcount
