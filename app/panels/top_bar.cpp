// The bar at the top: which model, its exact total, undo, theme and help.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "app/panels/file_menu.hpp"
#include "app/panels/panels.hpp"
#include "app/panels/show.hpp"
#include "app/panels/words.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tabs.hpp"
#include "app/ui/tooltip.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// In the order of Workspace.
constexpr std::array<std::string_view, workspace_keys.size()> views{"Explore", "Compare",   "Costs",
                                                                    "What-if", "Worksheet", "Claims"};
constexpr float menu_left = 131, menu_width = 192, between = 12, view_box = 32, badge_height = 22;

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

// What the menu says of each preset: its exact total, and the words by which it is found besides.
struct PresetTexts {
    std::vector<Preset> presets;  // that these are of
    std::vector<std::string> totals, words;
};

// "6.74 B" and "6.74B", as people type sizes; the id, the year, the family.
std::string words_of(const Preset& preset, std::int64_t total) {
    const std::string size = short_count(total);
    std::string words = preset.id + " " + size + " ";
    std::copy_if(size.begin(), size.end(), std::back_inserter(words), [](char letter) { return letter != ' '; });
    words += " " + std::string(preset.architecture.family->name);
    if (preset.year) words += " " + std::to_string(*preset.year);
    return words;
}

// They cost a count of every preset, and are made when the menu is opened for the first time.
const PresetTexts& texts_of(const Ui& ui, const std::vector<Preset>& presets) {
    auto& texts = kept<PresetTexts>(ui, "topbar.presets");
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return texts;
    if (texts.presets == presets) return texts;
    texts = {presets, {}, {}};
    for (const Preset& preset : presets) {
        const Architecture& arch = preset.architecture;
        const Result<Parameters> parameters = count_parameters(expand(arch), bindings(arch, Input{}));
        texts.totals.push_back(parameters ? grouped(parameters->total) : "");
        texts.words.push_back(words_of(preset, parameters ? parameters->total : 0));
    }
    return texts;
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
    const PresetTexts& texts = texts_of(ui, session.presets);
    std::vector<MenuEntry> entries;
    entries.reserve(session.presets.size());
    int current = -1;
    for (std::size_t i = 0; i < session.presets.size(); ++i) {
        const Preset& preset = session.presets[i];
        if (preset.id == document.preset) current = static_cast<int>(i);
        MenuEntry entry{.name = preset.architecture.name, .group = preset.group};
        if (i < texts.totals.size()) {
            entry.detail = texts.totals[i];
            entry.words = texts.words[i];
        }
        entries.push_back(entry);
    }
    const std::string label = title_of(document);
    const ImVec2 start(bar.left + std::round(ui.px(menu_left)), bar.centre - std::round(ui.px(size::button) / 2));
    ImGui::SetCursorScreenPos(start);
    const MenuButton button{.label = label,
                            .width = menu_width,
                            .list_width = 380,
                            .current = current,
                            .prompt = "Name, family, year or size"};
    const std::optional<int> chosen = menu_button(ui, "topbar.preset", button, entries);
    record_entries(ui, session.presets);
    if (chosen) intents.push_back(OpenPreset{session.presets[static_cast<std::size_t>(*chosen)].id});
    return start.x + std::round(ui.px(menu_width));
}

// Beside the name of a model whose family nobody has compared with its source. Returns its right end.
float draw_badge(const Ui& ui, const Session& session, const Bar& bar, float left) {
    if (session.document.architecture.family->verified) return left;
    constexpr std::string_view words = "not verified";
    const float icon = ui.px(14), padding = ui.px(7);
    const float width = std::round(2 * padding + icon + ui.px(5) + text_width(ui.fonts.caption_medium, words));
    const ImVec2 min(left + std::round(ui.px(8)), bar.centre - std::round(ui.px(badge_height) / 2));
    const ImVec2 max(min.x + width, min.y + std::round(ui.px(badge_height)));
    ui.recorder.record("topbar.unverified", min, max);
    const ImU32 ink = readable(ui.theme, ui.theme.wrong);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, min, max, ui.theme.wrong_fill, ink, ui.px(size::chip_radius));
    draw_icon(list, Icon::warning, ImVec2(min.x + padding + icon / 2, bar.centre), icon, ink);
    draw_text(list, ui.fonts.caption_medium,
              ImVec2(min.x + padding + icon + ui.px(5), text_top(ui.fonts.caption_medium, bar.centre)), ink, words);
    if (press_area(ui, "badge", min, max, -1, false).hovered)
        show_tooltip(ui, {"Not verified",
                          {},
                          {},
                          "This model_type is not known. What is shown is the decoder that its fields look like; the "
                          "real model may have parts that are not counted here."});
    return max.x;
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
    constexpr float marks = 4, overhang = 6, apart = 4;  // the icons themselves end at the padding
    return bar.right + ui.px(overhang) - marks * (std::round(ui.px(size::icon_button)) + ui.px(apart));
}

// Tours, copy, theme and help.
void draw_marks(const Ui& ui, const Session& session, const Bar& bar, const std::string& total, Intents& intents) {
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

struct TotalTexts {
    std::string exact, rounded, change, unit;
};

// What the number counts, and, where the numbers that stand there now make no model, of what it is the total instead.
std::string unit_of(const Session& session) {
    if (session.derived.current) return "parameters";
    if (session.document.architecture.vocab > 0) return "before the change";
    // A params.json leaves it open until one has said it.
    return "if V is " + std::to_string(session.derived.shown.architecture.vocab);
}

TotalTexts total_texts(const Session& session) {
    const std::int64_t total = session.derived.shown.parameters.total;
    const std::int64_t change = total - session.derived.base.parameters.total;
    const bool edited = session.document.architecture != session.document.base;
    const std::string active = active_text(session.derived.shown.parameters);
    return {grouped(total), short_count(total) + (active.empty() ? "" : " · " + active),
            edited && change != 0 ? signed_grouped(change) : "", unit_of(session)};
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
    // Beside a lesson is another model's diagram, in which this total is nothing.
    if (press.pressed && session.view.workspace != Workspace::explore)
        intents.push_back(ShowWorkspace{Workspace::explore});
    if (press.pressed) intents.push_back(Select{TotalSubject{}});
    if (press.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) intents.push_back(Copy{exact, exact});
}

// "+503,316,480   7,241,732,096 parameters | 7.24 B": where the parts begin.
struct TotalPlaces {
    float change = 0, exact = 0, words = 0, line = 0, rounded = 0;
    bool with_change = false, with_words = false;

    float left() const { return with_change ? change : exact; }
};

// Ending at `right`; what does not fit right of `left` is left out.
TotalPlaces total_places(const Ui& ui, float left, float right, const TotalTexts& texts) {
    const Fonts& fonts = ui.fonts;
    const float gap = ui.px(between);
    const float exact = text_width(fonts.mono_total, texts.exact), rounded = text_width(fonts.mono_body, texts.rounded);
    const float words = text_width(fonts.body, texts.unit) + ui.px(8),
                change = text_width(fonts.mono, texts.change) + gap;
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
    const bool current = session.derived.current;
    text(fonts.mono_total, places.exact, current ? ui.theme.text_high : ui.theme.text_low, texts.exact);
    if (places.with_words) text(fonts.body, places.words + ui.px(8), ui.theme.text_mid, texts.unit);
    if (!current)
        ui.recorder.record("topbar.provisional", ImVec2(places.exact, bar.centre - half),
                           ImVec2(places.line - gap, bar.centre + half));
    list.AddRectFilled(ImVec2(places.line, bar.centre - ui.px(10)), ImVec2(places.line + 1, bar.centre + ui.px(10)),
                       ui.theme.strong_line);
    text(fonts.mono_body, places.rounded, ui.theme.text_mid, texts.rounded);
}

void draw_views(const Ui& ui, const Session& session, const Bar& bar, float left, float right, Intents& intents) {
    const float width = tab_box_width(ui, views), middle = (ImGui::GetWindowPos().x * 2 + ImGui::GetWindowSize().x) / 2;
    const float x = std::round(middle - width / 2);
    if (x < left + ui.px(between) || x + width > right - ui.px(between)) return;
    ImGui::SetCursorScreenPos(ImVec2(x, bar.centre - std::round(ui.px(view_box) / 2)));
    const int current = static_cast<int>(session.view.workspace);
    if (const std::optional<int> chosen = tab_box(ui, "topbar.view", views, current))
        intents.push_back(ShowWorkspace{static_cast<Workspace>(*chosen)});
}

}  // namespace

Intents draw_top_bar(const Ui& ui, const Session& session) {
    Intents intents;
    const Bar bar = bar_of(ui);
    const TotalTexts texts = total_texts(session);
    draw_name(ui, bar);
    const float menu_right = draw_preset_menu(ui, session, bar, intents);
    const float badge_right = draw_badge(ui, session, bar, menu_right);
    const float file_right =
        draw_file_menu(ui, session, ImVec2(badge_right + std::round(ui.px(8)), bar.centre), intents);
    const float left = draw_history(ui, session, bar, file_right, intents);
    // From left to right, as Tab goes along them.
    const float gap = ui.px(between);
    const TotalPlaces total = total_places(ui, left + gap, marks_left(ui, bar) - gap, texts);
    draw_views(ui, session, bar, left, total.left(), intents);
    draw_total(ui, session, bar, total, texts, intents);
    draw_marks(ui, session, bar, texts.exact, intents);
    return intents;
}

}  // namespace headcount
