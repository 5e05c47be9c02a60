// The bar at the top: which model, its exact total, undo, theme and help.
#include <array>
#include <cmath>
#include <cstdio>

#include "app/panels/panels.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tabs.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 1> views{"Explore"};
constexpr float menu_left = 131, menu_width = 192, between = 12, view_box = 32;

// Where the bar's parts stand, from its window.
struct Bar {
    float left, right, centre;
};

Bar bar_of(const Ui& ui) {
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float padding = std::round(ui.px(size::panel_padding));
    return {corner.x + padding, corner.x + extent.x - padding, std::round(corner.y + extent.y / 2)};
}

void draw_name(const Ui& ui, const Bar& bar) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float side = ui.px(20);
    draw_logo(list, ImVec2(bar.left, bar.centre - side / 2), side, ui.theme.strong_line, ui.theme.query, ui.theme.key);
    const Font& font = ui.fonts.body_bold;
    draw_text(list, font, ImVec2(bar.left + ui.px(30), text_top(font, bar.centre)), ui.theme.text_high, "Headcount");
}

// The exact totals cost a count of every preset, so they are there only while a list is open.
std::vector<std::string> totals_of(std::span<const Preset> presets) {
    std::vector<std::string> totals;
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return totals;
    for (const Preset& preset : presets) {
        const Architecture& arch = preset.architecture;
        const Result<Parameters> parameters = count_parameters(expand(arch), bindings(arch, Input{}));
        totals.push_back(parameters ? grouped(parameters->total) : "");
    }
    return totals;
}

// Tests choose an entry by its preset's name, not by its place.
void record_entries(const Ui& ui, std::span<const Preset> presets) {
    if (!ui.recorder.find("topbar.preset.search")) return;
    for (std::size_t i = 0; i < presets.size(); ++i) {
        const NamedRect* const entry = ui.recorder.find("topbar.preset." + std::to_string(i));
        if (!entry) continue;
        const ImVec2 min = entry->min, max = entry->max;
        ui.recorder.record("topbar.preset.item", presets[i].id, min, max);
    }
}

// Returns its right end.
float draw_preset_menu(const Ui& ui, const Session& session, const Bar& bar, Intents& intents) {
    const Document& document = session.document;
    const std::vector<std::string> totals = totals_of(session.presets);
    std::vector<MenuEntry> entries;
    entries.reserve(session.presets.size());
    int current = -1;
    for (std::size_t i = 0; i < session.presets.size(); ++i) {
        const Preset& preset = session.presets[i];
        if (preset.id == document.preset) current = static_cast<int>(i);
        const std::string_view total = totals.empty() ? std::string_view{} : std::string_view(totals[i]);
        entries.push_back({.name = preset.architecture.name, .detail = total, .group = preset.group});
    }
    const std::string label = title_of(document);
    const ImVec2 start(bar.left + std::round(ui.px(menu_left)), bar.centre - std::round(ui.px(size::button) / 2));
    ImGui::SetCursorScreenPos(start);
    const MenuButton button{
        .label = label, .width = menu_width, .list_width = 340, .current = current, .prompt = "Find a model"};
    const std::optional<int> chosen = menu_button(ui, "topbar.preset", button, entries);
    record_entries(ui, session.presets);
    if (chosen) intents.push_back(OpenPreset{session.presets[static_cast<std::size_t>(*chosen)].id});
    return start.x + std::round(ui.px(menu_width));
}

// Undo and redo, right of the menu. Returns their right end.
float draw_history(const Ui& ui, const Session& session, const Bar& bar, float left, Intents& intents) {
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
float marks_left(const Ui& ui, const Bar& bar) {
    constexpr float marks = 3, overhang = 6, apart = 4;  // the icons themselves end at the padding
    return bar.right + ui.px(overhang) - marks * (std::round(ui.px(size::icon_button)) + ui.px(apart));
}

// Copy, theme and help.
void draw_marks(const Ui& ui, const Session& session, const Bar& bar, const std::string& total, Intents& intents) {
    const float side = std::round(ui.px(size::icon_button)), top = bar.centre - std::round(side / 2);
    const bool dark = session.view.theme == ThemeChoice::dark;
    float x = marks_left(ui, bar);
    const auto mark = [&](std::string_view name, Icon icon, std::string_view tooltip, bool active = false) {
        ImGui::SetCursorScreenPos(ImVec2(x, top));
        x += side + ui.px(4);
        return icon_button(ui, name, icon, tooltip, {.active = active});
    };
    if (mark("topbar.copy", Icon::copy, "Copy the exact total")) intents.push_back(Copy{total, total});
    if (mark("topbar.theme", Icon::theme, dark ? "Light theme (T)" : "Dark theme (T)"))
        intents.push_back(SetTheme{dark ? ThemeChoice::light : ThemeChoice::dark});
    if (mark("topbar.help", Icon::help, "Keys and symbols (F1)", session.view.help))
        intents.push_back(ShowHelp{!session.view.help});
}

struct TotalTexts {
    std::string exact, rounded, change;
};

TotalTexts total_texts(const Session& session) {
    const std::int64_t total = session.derived.shown.parameters.total;
    const std::int64_t change = total - session.derived.base.parameters.total;
    const bool edited = session.document.architecture != session.document.base;
    return {grouped(total), short_count(total), edited && change != 0 ? signed_grouped(change) : ""};
}

void press_total(const Ui& ui, const Session& session, ImVec2 min, ImVec2 max, const std::string& exact,
                 Intents& intents) {
    const IdScope scope("topbar.total");
    ui.recorder.record("topbar.total", min, max);
    const ImVec2 reach(ui.px(8), ui.px(6));
    const Press press = press_area(ui, "total", min - reach, max + reach, size::radius_button);
    const bool selected = std::holds_alternative<TotalSubject>(session.view.selection);
    const bool pointed = press.hovered || std::holds_alternative<TotalSubject>(session.view.hover);
    if (selected || pointed)
        ImGui::GetWindowDrawList()->AddRectFilled(min - reach, max + reach,
                                                  selected ? selected_tint(ui.theme) : hover_tint(ui.theme),
                                                  ui.px(size::radius_button));
    if (press.hovered) intents.push_back(Hover{TotalSubject{}});
    if (press.pressed) intents.push_back(Select{TotalSubject{}});
    if (press.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) intents.push_back(Copy{exact, exact});
}

// "+503,316,480   7,241,732,096 parameters | 7.24 B": where the parts begin.
struct TotalPlaces {
    float change = 0, exact = 0, words = 0, line = 0, rounded = 0;
    bool with_change = false, with_words = false;

    float left() const { return with_change ? change : exact; }
};

constexpr std::string_view unit = "parameters";

// Ending at `right`; what does not fit right of `left` is left out.
TotalPlaces total_places(const Ui& ui, float left, float right, const TotalTexts& texts) {
    const Fonts& fonts = ui.fonts;
    const float gap = ui.px(between);
    const float exact = text_width(fonts.mono_total, texts.exact), rounded = text_width(fonts.mono_body, texts.rounded);
    const float words = text_width(fonts.body, unit) + ui.px(8), change = text_width(fonts.mono, texts.change) + gap;
    const float room = right - left - exact - rounded - 2 * gap;
    TotalPlaces places;
    places.with_change = !texts.change.empty() && room >= change;
    places.with_words = room - (places.with_change ? change : 0) >= words;
    places.rounded = right - rounded;
    places.line = std::round(places.rounded - gap);
    places.words = places.line - gap - (places.with_words ? words : 0);
    places.exact = std::round(places.words - exact);
    places.change = std::round(places.exact - change - ui.px(4));
    return places;
}

void draw_total(const Ui& ui, const Session& session, const Bar& bar, const TotalPlaces& places,
                const TotalTexts& texts, Intents& intents) {
    const Fonts& fonts = ui.fonts;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float gap = ui.px(between), half = fonts.mono_total.size / 2;
    const auto text = [&](const Font& font, float x, ImU32 colour, std::string_view words) {
        draw_text(list, font, ImVec2(x, text_top(font, bar.centre)), colour, words);
    };
    if (places.with_change) {
        text(fonts.mono, places.change, ui.theme.text_mid, texts.change);
        ui.recorder.record("topbar.change", ImVec2(places.change, bar.centre - half),
                           ImVec2(places.exact - gap, bar.centre + half));
    }
    press_total(ui, session, ImVec2(places.exact, bar.centre - half), ImVec2(places.line - gap, bar.centre + half),
                texts.exact, intents);
    text(fonts.mono_total, places.exact, ui.theme.text_high, texts.exact);
    if (places.with_words) text(fonts.body, places.words + ui.px(8), ui.theme.text_mid, unit);
    list.AddRectFilled(ImVec2(places.line, bar.centre - ui.px(10)), ImVec2(places.line + 1, bar.centre + ui.px(10)),
                       ui.theme.strong_line);
    text(fonts.mono_body, places.rounded, ui.theme.text_mid, texts.rounded);
}

void draw_views(const Ui& ui, const Bar& bar, float left, float right) {
    const float width = tab_box_width(ui, views), middle = (ImGui::GetWindowPos().x * 2 + ImGui::GetWindowSize().x) / 2;
    const float x = std::round(middle - width / 2);
    if (x < left + ui.px(between) || x + width > right - ui.px(between)) return;
    ImGui::SetCursorScreenPos(ImVec2(x, bar.centre - std::round(ui.px(view_box) / 2)));
    tab_box(ui, "topbar.view", views, 0);
}

}  // namespace

Intents draw_top_bar(const Ui& ui, const Session& session) {
    Intents intents;
    const Bar bar = bar_of(ui);
    const TotalTexts texts = total_texts(session);
    draw_name(ui, bar);
    const float menu_right = draw_preset_menu(ui, session, bar, intents);
    const float left = draw_history(ui, session, bar, menu_right, intents);
    // From left to right, as Tab goes along them.
    const float gap = ui.px(between);
    const TotalPlaces total = total_places(ui, left + gap, marks_left(ui, bar) - gap, texts);
    draw_views(ui, bar, left, total.left());
    draw_total(ui, session, bar, total, texts, intents);
    draw_marks(ui, session, bar, texts.exact, intents);
    return intents;
}

}  // namespace headcount
