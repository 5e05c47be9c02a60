// The bar at the top: which model, the views, what can be asked, the exact total, tours, theme and help.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/bars/panels.hpp"
#include "app/bars/top_bar_parts.hpp"
#include "app/parts/actions.hpp"
#include "app/parts/preset_menu.hpp"
#include "app/parts/words.hpp"
#include "app/state/in_view.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tabs.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {
namespace {

// Where the bar's parts stand, from its window: the views at one place, whatever is shown. What has no room is left
// out; there are keys for it, and for the views a menu.
struct BarPlaces {
    float left, right, centre;
    bool narrow;
    bool tight;
    std::vector<std::string_view> tabs;  // the views' names
    bool named_tours = false;            // by a word beside the icon
    bool has_marks = true, has_views = true, has_ask = true, has_file = true, has_history = true;
    bool folds = false;  // the views into a menu that names the one on the screen, and leaves the total its room
    bool has_views_menu = false;
    float views = 0, views_right = 0;
    float view_padding = 0;  // unscaled, beside the words of a tab
};

// What stands left of the views: the name, where there is room for it, and one or two menus.
struct BarModels {
    enum class Name { none, mark, whole } name;
    float width;  // of each menu, unscaled
};

constexpr float name_width = 86, menu_left = 45, menu_width = 220, view_box = 32, badge_height = 22;
// A bar that is narrower has no room for the name and the whole menu, and below the second not for the mark.
constexpr float roomy = 1440, roomy_for_mark = 1100;
constexpr float menu_of_two = 160, narrow_menu_of_two = 110, least_menu_of_two = 88;  // where A and B have one each
constexpr float views_menu = 104;
constexpr float most_padding = 16, asking_padding = 8, brief_padding = 6, least_padding = 3;
// Of the total and the ask field, which get what the tabs leave: the total with its change, its unit and a long
// question; the same beside a short one; exact, in billions, beside a short question; the same beside "Ask ...", for
// which the menus of Compare give way; the same beside the word Ask; rounded beside that.
constexpr float whole_total = 700, changed_total = 470, asking_total = 308, brief_total = 239, least_total = 218,
                rounded_total = 168;

// Where the marks at the right end begin. A narrow bar has no mark to copy the total, which a right click does.
float marks_left(const Ui& ui, const BarPlaces& bar) {
    constexpr float overhang = 6, apart = 4;  // the icons themselves end at the padding
    const float marks = bar.narrow ? 2 : 3;
    if (!bar.has_marks) return bar.right;
    return bar.right + ui.px(overhang) - marks * (std::round(ui.px(size::icon_button)) + ui.px(apart)) -
           tour_button_width(ui, bar.named_tours) - ui.px(apart);
}

// From the menus' right end to the views: the File menu, undo and redo.
float after_menus(const Ui& ui, const BarPlaces& bar) {
    return (bar.has_file ? std::round(ui.px(8)) + std::round(ui.px(file_button_width)) : 0) +
           (bar.has_history ? ui.px(10) + 2 * std::round(ui.px(size::icon_button)) : 0) + ui.px(top_bar_gap);
}

using Name = BarModels::Name;

Name least_name(const BarPlaces& bar) { return bar.tight ? Name::none : Name::mark; }

float menus_left(const Ui& ui, const BarPlaces& bar, Name name) {
    const float width = name == Name::none ? 0 : menu_left + (name == Name::whole ? name_width : 0);
    return bar.left + std::round(ui.px(width));
}

// Of what stands beside so many menus as much as has room, from the first to the last. The views leave room for two.
void choose_parts(const Ui& ui, BarPlaces& bar, int menus) {
    const float views_width = tab_box_width(ui, bar.tabs, least_padding) + ui.px(top_bar_gap);
    const float ask_width = ask_field_width(ui, 0) + ui.px(top_bar_gap), menu = std::round(ui.px(size::icon_button));
    bar.has_marks = bar.has_views = bar.has_ask = bar.has_file = bar.has_history = false;
    for (bool BarPlaces::*const part : {&BarPlaces::has_views, &BarPlaces::has_ask, &BarPlaces::has_marks,
                                        &BarPlaces::has_file, &BarPlaces::has_history}) {
        if (bar.folds && part == &BarPlaces::has_views) continue;
        bar.*part = true;
        const auto beside = static_cast<float>(bar.has_views ? 2 : menus);
        const float models = ui.px(beside * least_menu_of_two + (beside - 1) * between_menus);
        const float taken = menus_left(ui, bar, least_name(bar)) + models + after_menus(ui, bar) +
                            (bar.has_views ? views_width
                             : bar.folds   ? ui.px(views_menu + top_bar_gap)
                                           : menu) +
                            (bar.has_ask ? ask_width : 0) + (bar.has_marks ? ui.px(top_bar_gap) : 0);
        bar.*part = taken <= marks_left(ui, bar);
    }
    const float models =
        ui.px(static_cast<float>(menus) * least_menu_of_two + static_cast<float>(menus - 1) * between_menus);
    bar.has_views_menu =
        !bar.has_views &&
        menus_left(ui, bar, least_name(bar)) + models + after_menus(ui, bar) + menu <= marks_left(ui, bar);
}

// What the views, both menus of Compare beside them and the least total leave beside each tab's words, unscaled.
struct ViewRoom {
    const Ui& ui;
    const BarPlaces& bar;

    float left(float menu) const {
        return std::ceil(menus_left(ui, bar, least_name(bar)) + 2 * std::round(ui.px(menu)) + ui.px(between_menus) +
                         after_menus(ui, bar));
    }
    float right() const { return marks_left(ui, bar) - 2 * ui.px(top_bar_gap); }
    float padding(float total, float from) const {
        const auto sides = 2 * static_cast<float>(bar.tabs.size());
        return (right() - from - tab_box_width(ui, bar.tabs, 0) - ui.px(total)) / (sides * ui.scale);
    }
};

// The tours have their word where nothing else gives way to it.
void name_tours(const Ui& ui, BarPlaces& bar, int menus) {
    bar.named_tours = true;
    choose_parts(ui, bar, menus);
    const ViewRoom room{ui, bar};
    const bool fits = bar.has_history && room.padding(least_total, room.left(least_menu_of_two)) >= least_padding;
    if (!bar.narrow || fits) return;
    bar.named_tours = false;
    choose_parts(ui, bar, menus);
}

// Whether the total has its least room beside the tabs and the menu of one model, and some beside the tabs where they
// stand, which is behind both menus of Compare. Undo and redo give way to it.
bool leaves_total(const Ui& ui, const BarPlaces& bar) {
    if (!bar.has_views) return true;
    BarPlaces least = bar;
    least.has_history = false;
    const float from = menus_left(ui, least, least_name(least)) + ui.px(least_menu_of_two) + after_menus(ui, least);
    const ViewRoom room{ui, least};
    return bar.has_ask && bar.has_marks && bar.has_file && room.padding(least_total, from) >= least_padding &&
           room.padding(rounded_total, room.left(least_menu_of_two)) >= least_padding;
}

// In the middle of the window, or as near to it as both menus of Compare and the total leave room.
void place_views(const Ui& ui, BarPlaces& bar) {
    if (bar.folds) {
        const ViewRoom room{ui, bar};
        const float most = room.right() - ui.px(least_total + views_menu);
        bar.views = std::round(std::max(std::min(most, room.left(menu_of_two)), room.left(least_menu_of_two)));
        bar.views_right = bar.views + std::round(ui.px(views_menu));
        return;
    }
    if (!bar.has_views) {
        bar.views_right = marks_left(ui, bar) - ui.px(bar.has_marks ? 4 : 0);
        bar.views = bar.views_right - std::round(ui.px(size::icon_button));
        return;
    }
    const ViewRoom room{ui, bar};
    const auto tabs = static_cast<float>(bar.tabs.size());
    const bool roomy_menus = room.padding(changed_total, room.left(menu_of_two)) >= asking_padding;
    float left = room.left(roomy_menus ? menu_of_two : narrow_menu_of_two);
    const float lacking = 2 * tabs * (least_padding - room.padding(brief_total, left));
    if (lacking > 0) left = room.left(std::max(least_menu_of_two, narrow_menu_of_two - lacking / 2));
    bar.view_padding = least_padding;
    for (const auto& [total, most] :
         {std::pair(brief_total, brief_padding), {asking_total, asking_padding}, {whole_total, most_padding}})
        bar.view_padding = std::max(bar.view_padding, std::min(room.padding(total, left), most));
    const float width = tab_box_width(ui, bar.tabs, bar.view_padding),
                middle = ImGui::GetWindowPos().x * 2 + ImGui::GetWindowSize().x;
    bar.views = std::round(std::max(std::min(middle / 2 - width / 2, room.right() - ui.px(whole_total) - width), left));
    bar.views_right = bar.views + width;
}

// What each menu of Compare may have between the name and the views, unscaled.
float room_of_two(const Ui& ui, const BarPlaces& bar, Name name) {
    const float room = bar.views - after_menus(ui, bar) - menus_left(ui, bar, name);
    return std::floor((room / ui.scale - between_menus) / 2);
}

BarPlaces bar_of(const Ui& ui, const Session& session, const Views& views) {
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float padding = std::round(ui.px(size::panel_padding));
    BarPlaces bar{corner.x + padding,      corner.x + extent.x - padding,    std::round(corner.y + extent.y / 2),
                  extent.x < ui.px(roomy), extent.x < ui.px(roomy_for_mark), {}};
    for (const ViewKind& view : views.kinds) bar.tabs.push_back(view.name);
    const int menus = shows_both(session) ? 2 : 1;
    name_tours(ui, bar, menus);
    bar.folds = !leaves_total(ui, bar);
    if (bar.folds) {
        bar.named_tours = false;
        choose_parts(ui, bar, 2);
        place_views(ui, bar);
        bar.has_history = bar.has_history && menus == 1;
        return bar;
    }
    bar.has_ask = bar.has_ask && bar.has_views;  // beside which it stands
    // In a narrow bar undo and redo stand where Compare has its second menu, and there the names come before them.
    const bool history = bar.has_history;
    bar.has_history = history && !bar.narrow;
    place_views(ui, bar);
    const bool named = !bar.narrow && room_of_two(ui, bar, Name::mark) >= menu_of_two;
    bar.has_history = history && (named || !shows_both(session));
    // There the exact difference has a sign besides.
    if (bar.narrow && shows_both(session)) bar.named_tours = false;
    return bar;
}

// Whether the numbers of the model that is named are those of its source.
bool verified(const Session& session) { return model_in_view(session).derived.doubt.empty(); }

// From the menu's right end to the badge's.
float badge_room(const Ui& ui, std::string_view words) {
    constexpr float before = 8, icon = 14, padding = 7, between = 5;
    return std::round(ui.px(before)) +
           std::round(ui.px(2 * padding + icon) +
                      (words.empty() ? 0 : ui.px(between) + text_width(ui.fonts.caption_medium, words)));
}

BarModels models_of(const Ui& ui, const Session& session, const BarPlaces& bar) {
    Name name = bar.narrow ? least_name(bar) : Name::whole;
    // A model's name says more than the program's own, and two say more than its mark.
    if (shows_both(session)) {
        if (room_of_two(ui, bar, name) < menu_of_two) name = bar.narrow ? Name::none : Name::mark;
        return {name, std::clamp(room_of_two(ui, bar, name), least_menu_of_two, menu_of_two)};
    }
    const float badge = verified(session) ? 0 : badge_room(ui, "");
    const auto menu = [&] {
        return std::floor((bar.views - after_menus(ui, bar) - menus_left(ui, bar, name) - badge) / ui.scale);
    };
    if (menu() < menu_width) name = least_name(bar);
    return {name, std::clamp(menu(), least_menu_of_two, menu_width)};
}

void draw_name(const Ui& ui, const BarPlaces& bar, Name name) {
    if (name == Name::none) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float side = ui.px(20);
    draw_logo(list, ImVec2(bar.left, bar.centre - side / 2), side, ui.theme.strong_line, ui.theme.query, ui.theme.key);
    if (name != Name::whole) return;
    const Font& font = ui.fonts.body_bold;
    draw_text(list, font, ImVec2(bar.left + ui.px(30), text_top(font, bar.centre)), ui.theme.text_high, "Headcount");
}

// Returns its right end.
float draw_preset_menu(const Ui& ui, const Session& session, const BarPlaces& bar, const BarModels& models,
                       Intents& intents) {
    // That which the view shows: beside a lesson another than the user's own, to which the menu leads back.
    const Document& document = model_in_view(session).document;
    const bool another = shows_another(session);
    const std::string label = (shows_both(session) ? "A  " : "") + title_of(document);
    const std::string own = "Yours: " + title_of(session.document);
    const std::array before{MenuEntry{.name = own, .detail = "in Explore"}};
    const ImVec2 start(menus_left(ui, bar, models.name), bar.centre - std::round(ui.px(size::button) / 2));
    ImGui::SetCursorScreenPos(start);
    const PresetMenu menu{.label = label,
                          .preset = document.preset,
                          .width = models.width,
                          .before = another ? std::span<const MenuEntry>(before) : std::span<const MenuEntry>()};
    const ChosenEntry chosen = preset_menu(ui, "topbar.preset", menu, session.presets);
    if (another) record_keys(ui.recorder, "topbar.preset", "topbar.preset.item", std::array{std::string_view("own")});
    if (chosen.preset) intents.push_back(OpenPreset{session.presets[*chosen.preset].id});
    // What was chosen is what the bar then names.
    if (chosen.before || (chosen.preset && another)) intents.push_back(ShowWorkspace{explore_view});
    return start.x + std::round(ui.px(models.width));
}

// The mark of a model that is not verified; the words, which the tooltip has too, where there is room. Returns its
// right end.
float draw_badge(const Ui& ui, const Session& session, const BarPlaces& bar, float left) {
    if (verified(session)) return left;
    constexpr std::string_view all = "not verified";
    const std::string_view words = left + badge_room(ui, all) + after_menus(ui, bar) <= bar.views ? all : "";
    const float icon = ui.px(14), padding = ui.px(7), words_left = padding + icon + ui.px(5);
    const float width = badge_room(ui, words) - std::round(ui.px(8));
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
        show_tooltip(ui, {"Not verified", {}, {}, model_in_view(session).derived.doubt});
    return max.x;
}

// Undo and redo, right of the menu.
void draw_history(const Ui& ui, const Session& session, const BarPlaces& bar, float left, Intents& intents) {
    const float side = std::round(ui.px(size::icon_button)), top = bar.centre - std::round(side / 2);
    float x = left + ui.px(8);
    ImGui::SetCursorScreenPos(ImVec2(x, top));
    if (icon_button(ui, "topbar.undo", Icon::undo, tooltip_of("undo"), {.disabled = !session.history.can_undo()}))
        intents.push_back(Undo{});
    x += side + ui.px(2);
    ImGui::SetCursorScreenPos(ImVec2(x, top));
    if (icon_button(ui, "topbar.redo", Icon::redo, tooltip_of("redo"), {.disabled = !session.history.can_redo()}))
        intents.push_back(Redo{});
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
    draw_tour_menu(ui, session, ImVec2(x, bar.centre), bar.named_tours, intents);
    x += tour_button_width(ui, bar.named_tours) + ui.px(4);
    if (!bar.narrow && mark("topbar.copy", Icon::copy, "Copy the exact total")) intents.push_back(Copy{total, total});
    if (mark("topbar.theme", Icon::theme, tooltip_of("theme", dark ? "Light theme" : "Dark theme")))
        intents.push_back(SetTheme{dark ? ThemeChoice::light : ThemeChoice::dark});
    if (mark("topbar.help", Icon::help, tooltip_of("manual"), session.view.manual.has_value()))
        intents.push_back(session.view.manual ? ShowManual{} : ShowManual{PageOfView{}});
}

// In place of the tabs, where they have no room.
void draw_views_menu(const Ui& ui, const Session& session, const Views& views, const BarPlaces& bar, Intents& intents) {
    constexpr std::string_view name = "topbar.views";
    constexpr float list_width = 180;
    const int current = static_cast<int>(&view_on(views, session.view) - views.kinds.data());
    std::vector<MenuEntry> entries;
    for (const ViewKind& view : views.kinds) entries.push_back({.name = view.name});
    MenuButton list{.list_width = list_width, .current = current, .searchable = false};
    std::optional<int> chosen;
    if (bar.folds) {
        list.label = view_on(views, session.view).name;
        list.width = views_menu;
        ImGui::SetCursorScreenPos(ImVec2(bar.views, bar.centre - std::round(ui.px(size::button) / 2)));
        chosen = menu_button(ui, name, list, entries);
    } else {
        const float side = std::round(ui.px(size::icon_button)), top = bar.centre - std::round(side / 2);
        ImGui::SetCursorScreenPos(ImVec2(bar.views, top));
        if (icon_button(ui, name, Icon::menu, "Views")) open_menu(ui, name, current);
        chosen =
            popup_menu(ui, name, list, entries, ImVec2(bar.views_right - ui.px(list_width), top + side + ui.px(6)));
    }
    if (chosen) intents.push_back(ShowWorkspace{views.kinds[static_cast<std::size_t>(*chosen)].key});
}

void draw_views(const Ui& ui, const Session& session, const Views& views, const BarPlaces& bar, Intents& intents) {
    ImGui::SetCursorScreenPos(ImVec2(bar.views, bar.centre - std::round(ui.px(view_box) / 2)));
    const auto current = static_cast<int>(&view_on(views, session.view) - views.kinds.data());
    const TabBoxResult tab = tab_box(ui, "topbar.view", bar.tabs, current, bar.view_padding);
    if (tab.chosen) intents.push_back(ShowWorkspace{views.kinds[static_cast<std::size_t>(*tab.chosen)].key});
    if (!tab.hovered) return;
    const ImVec2 bar_start = ImGui::GetWindowPos();
    const TooltipRoom below{ImVec2(bar_start.x, bar_start.y + ImGui::GetWindowHeight()), ImGui::GetIO().DisplaySize};
    const ViewKind& kind = views.kinds[static_cast<std::size_t>(*tab.hovered)];
    show_tooltip(ui, {.title = kind.name, .remark = kind.help, .room = &below});
}

}  // namespace

Intents draw_top_bar(const Ui& ui, const Session& session, const Views& views) {
    Intents intents;
    const BarPlaces bar = bar_of(ui, session, views);
    const BarModels models = models_of(ui, session, bar);
    draw_name(ui, bar, models.name);
    const float menu_right = draw_preset_menu(ui, session, bar, models, intents);
    const float models_right = shows_both(session)
                                   ? draw_other_menu(ui, session, ImVec2(menu_right, bar.centre), models.width, intents)
                                   : draw_badge(ui, session, bar, menu_right);
    float right = models_right;
    if (bar.has_file) right = draw_file_menu(ui, session, ImVec2(right + std::round(ui.px(8)), bar.centre), intents);
    if (bar.has_history) draw_history(ui, session, bar, right, intents);
    // From left to right, as Tab goes along them.
    if (bar.has_views) draw_views(ui, session, views, bar, intents);
    if (bar.has_views_menu || bar.folds) draw_views_menu(ui, session, views, bar, intents);
    const float gap = ui.px(top_bar_gap), total_right = marks_left(ui, bar) - gap;
    float total_from = bar.views_right + gap;
    if (bar.has_ask) {
        const float total = top_bar_total_width(ui, session, bar.narrow);
        const float width = ask_field_width(ui, total_right - total_from - gap - total);
        draw_ask_field(ui, ImVec2(total_from, bar.centre), width, intents);
        total_from += width + gap;
    }
    const std::string total = draw_top_bar_total(ui, session, total_from, total_right, bar.centre, intents);
    if (bar.has_marks) draw_marks(ui, session, bar, total, intents);
    return intents;
}

}  // namespace headcount
