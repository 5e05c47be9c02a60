// The bar at the top: which model, its exact total, undo, theme and help.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "app/panels/file_menu.hpp"
#include "app/panels/panels.hpp"
#include "app/panels/preset_menu.hpp"
#include "app/panels/show.hpp"
#include "app/panels/top_bar_other.hpp"
#include "app/panels/top_bar_total.hpp"
#include "app/panels/words.hpp"
#include "app/state/side_model.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tabs.hpp"
#include "app/ui/tooltip.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Where the bar's parts stand, from its window.
struct BarPlaces {
    float left, right, centre;
    bool narrow;
};

// In the order of Workspace.
constexpr std::array<std::string_view, workspace_keys.size()> views{"Explore", "Compare",   "Costs", "What-if",
                                                                    "Run",     "Worksheet", "Claims"};
constexpr float name_width = 86, menu_left = 45, menu_width = 192, narrow_menu = 152, view_box = 32, badge_height = 22;
// A bar that is narrower has no room for the name and the whole menu.
constexpr float roomy = 1440;
constexpr float box_padding = 16, narrow_box_padding = 12;
constexpr float menu_of_two = 160, narrow_menu_of_two = 128;  // where A and B have one each

BarPlaces bar_of(const Ui& ui) {
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float padding = std::round(ui.px(size::panel_padding));
    return {corner.x + padding, corner.x + extent.x - padding, std::round(corner.y + extent.y / 2),
            extent.x < ui.px(roomy)};
}

float menu_width_of(const BarPlaces& bar, bool both) {
    if (both) return bar.narrow ? narrow_menu_of_two : menu_of_two;
    return bar.narrow ? narrow_menu : menu_width;
}

// Beside the words of a view's tab.
float view_padding(const BarPlaces& bar) {
    return bar.narrow ? narrow_box_padding : box_padding;
}

void draw_name(const Ui& ui, const BarPlaces& bar) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float side = ui.px(20);
    draw_logo(list, ImVec2(bar.left, bar.centre - side / 2), side, ui.theme.strong_line, ui.theme.query, ui.theme.key);
    if (bar.narrow) return;
    const Font& font = ui.fonts.body_bold;
    draw_text(list, font, ImVec2(bar.left + ui.px(30), text_top(font, bar.centre)), ui.theme.text_high, "Headcount");
}

// Returns its right end.
float draw_preset_menu(const Ui& ui, const Session& session, const BarPlaces& bar, Intents& intents) {
    const bool both = shows_both(session);
    // Beside a lesson is another model's diagram.
    const std::string whose = both                                                                         ? "A  "
                              : shows_own_model(session.view.workspace) && &on_screen(session) == &session ? ""
                                                                                                           : "Yours: ";
    const std::string label = whose + title_of(session.document);
    const float width = menu_width_of(bar, both);
    const ImVec2 start(bar.left + std::round(ui.px(menu_left + (bar.narrow ? 0 : name_width))),
                       bar.centre - std::round(ui.px(size::button) / 2));
    ImGui::SetCursorScreenPos(start);
    const PresetMenu menu{.label = label, .preset = session.document.preset, .width = width};
    const ChosenEntry chosen = preset_menu(ui, "topbar.preset", menu, session.presets);
    if (chosen.preset) intents.push_back(OpenPreset{session.presets[*chosen.preset].id});
    return start.x + std::round(ui.px(width));
}

// Beside the name of a model whose family nobody has compared with its source; in a narrow bar the words, which the
// tooltip has too, leave their room to the total. Returns its right end.
float draw_badge(const Ui& ui, const Session& session, const BarPlaces& bar, float left) {
    if (session.document.architecture.family->verified) return left;
    const std::string_view words = bar.narrow ? "" : "not verified";
    const float icon = ui.px(14), padding = ui.px(7), words_left = padding + icon + ui.px(5);
    const float width = std::round(
        padding + (words.empty() ? padding + icon : words_left + text_width(ui.fonts.caption_medium, words)));
    const ImVec2 min(left + std::round(ui.px(8)), bar.centre - std::round(ui.px(badge_height) / 2));
    const ImVec2 max(min.x + width, min.y + std::round(ui.px(badge_height)));
    ui.recorder.record("topbar.unverified", min, max);
    const ImU32 ink = readable(ui.theme, ui.theme.wrong);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, min, max, ui.theme.wrong_fill, ink, ui.px(size::chip_radius));
    draw_icon(list, Icon::warning, ImVec2(min.x + padding + icon / 2, bar.centre), icon, ink);
    draw_text(list, ui.fonts.caption_medium, ImVec2(min.x + words_left, text_top(ui.fonts.caption_medium, bar.centre)),
              ink, words);
    if (press_area(ui, "badge", min, max, -1, false).hovered)
        show_tooltip(ui, {"Not verified",
                          {},
                          {},
                          "This model_type is not known. What is shown is the decoder that its fields look like; the "
                          "real model may have parts that are not counted here."});
    return max.x;
}

// Undo and redo, right of the menu. Returns their right end.
float draw_history(const Ui& ui, const Session& session, const BarPlaces& bar, float left, Intents& intents) {
    const float side = std::round(ui.px(size::icon_button)), top = bar.centre - std::round(side / 2);
    float x = left + ui.px(8);
    ImGui::SetCursorScreenPos(ImVec2(x, top));
    if (icon_button(ui, "topbar.undo", Icon::undo, "Undo (Ctrl+Z)", {.disabled = !session.history.can_undo()}))
        intents.push_back(Undo{});
    x += side + ui.px(2);
    ImGui::SetCursorScreenPos(ImVec2(x, top));
    if (icon_button(ui, "topbar.redo", Icon::redo, "Redo (Ctrl+Shift+Z)", {.disabled = !session.history.can_redo()}))
        intents.push_back(Redo{});
    return x + side;
}

// Where the marks at the right end begin.
float marks_left(const Ui& ui, const BarPlaces& bar) {
    constexpr float marks = 4, overhang = 6, apart = 4;  // the icons themselves end at the padding
    return bar.right + ui.px(overhang) - marks * (std::round(ui.px(size::icon_button)) + ui.px(apart));
}

// Tours, copy, theme and help.
void draw_marks(const Ui& ui, const Session& session, const BarPlaces& bar, const std::string& total,
                Intents& intents) {
    const float side = std::round(ui.px(size::icon_button)), top = bar.centre - std::round(side / 2);
    const bool dark = session.view.theme == ThemeChoice::dark;
    float x = marks_left(ui, bar);
    const auto mark = [&](std::string_view name, Icon icon, std::string_view tooltip, bool active = false) {
        ImGui::SetCursorScreenPos(ImVec2(x, top));
        x += side + ui.px(4);
        return icon_button(ui, name, icon, tooltip, {.active = active});
    };
    draw_tour_menu(ui, session, ImVec2(x, top), intents);
    x += side + ui.px(4);
    if (mark("topbar.copy", Icon::copy, "Copy the exact total")) intents.push_back(Copy{total, total});
    if (mark("topbar.theme", Icon::theme, dark ? "Light theme (T)" : "Dark theme (T)"))
        intents.push_back(SetTheme{dark ? ThemeChoice::light : ThemeChoice::dark});
    if (mark("topbar.help", Icon::help, "Keys and symbols (F1)", session.view.help))
        intents.push_back(ShowHelp{!session.view.help});
}

// In the middle of the window, or as near to it as there is room between both ends.
void draw_views(const Ui& ui, const Session& session, const BarPlaces& bar, float left, float right, Intents& intents) {
    const float width = tab_box_width(ui, views, view_padding(bar)),
                middle = (ImGui::GetWindowPos().x * 2 + ImGui::GetWindowSize().x) / 2;
    const float x = std::round(std::max(std::min(middle - width / 2, right - width), left));
    ImGui::SetCursorScreenPos(ImVec2(x, bar.centre - std::round(ui.px(view_box) / 2)));
    const int current = static_cast<int>(session.view.workspace);
    if (const std::optional<int> chosen = tab_box(ui, "topbar.view", views, current, view_padding(bar)))
        intents.push_back(ShowWorkspace{static_cast<Workspace>(*chosen)});
}

}  // namespace

Intents draw_top_bar(const Ui& ui, const Session& session) {
    Intents intents;
    const BarPlaces bar = bar_of(ui);
    draw_name(ui, bar);
    const bool both = shows_both(session);
    const float menu_right = draw_preset_menu(ui, session, bar, intents);
    const float models_right =
        both ? draw_other_menu(ui, session, ImVec2(menu_right, bar.centre), menu_width_of(bar, both), intents)
             : draw_badge(ui, session, bar, menu_right);
    const float file_right =
        draw_file_menu(ui, session, ImVec2(models_right + std::round(ui.px(8)), bar.centre), intents);
    const float left = draw_history(ui, session, bar, file_right, intents);
    // From left to right, as Tab goes along them.
    const float gap = ui.px(top_bar_gap), views_width = tab_box_width(ui, views, view_padding(bar));
    const TopBarTotal total(ui, session, left + 2 * gap + views_width, marks_left(ui, bar) - gap);
    draw_views(ui, session, bar, left + gap, total.left() - gap, intents);
    total.draw(ui, session, bar.centre, intents);
    draw_marks(ui, session, bar, total.exact(), intents);
    return intents;
}

}  // namespace headcount
