// The sheet of the manual: the list of its pages beside the one that is open, or a menu of them above it.
#include "app/manual/manual.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/text_field.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float list_width = 160, list_gap = 24, list_row = 26, section_indent = 12;
constexpr float least_beside = 700;  // of the sheet, for a list beside the page
constexpr float title_gap = 6, most_page = 0.9F, page_margin = 4;
constexpr std::string_view keys_title = "Keys and symbols";

// How the manual is read: kept from frame to frame.
struct Reading {
    std::array<char, 64> sought{};   // by whoever searches
    std::string shown;               // the place in the frame before
    bool goes = false;               // a link or an entry was pressed, be it that of the place itself
    float scrolled = 0;              // the page, in the frame before
    int frame = 0;                   // in which it was drawn last
    std::vector<std::string> trail;  // the places before this one, which Backspace goes back to
};

// Null stands for the page of the keys.
std::string_view title_of(const ManualPage* page) { return page ? std::string_view(page->heading) : keys_title; }

std::string place_of(const ManualPage* page) { return page ? place_of(*page) : std::string(keys_page); }

// All of them, the keys first.
std::vector<const ManualPage*> every_page() {
    std::vector<const ManualPage*> pages{nullptr};
    for (const ManualPage& page : manual_pages()) pages.push_back(&page);
    return pages;
}

// Every document, the parts of that which is open; or the pages that have all words that are looked for.
bool listed(const ManualPage* page, const Views& views, std::string_view open, std::string_view sought) {
    if (!page) return has_every_word(std::string(keys_title) + "\n" + words_of_keys(views), sought);
    return sought.empty() ? page->first || page->document == open : has_every_word(page->words, sought);
}

// A line of the list, farther to the right where it is a part. Returns whether it was pressed.
bool entry_row(const Ui& ui, const std::string& id, std::string_view words, bool part, bool current) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(list_row)));
    const Press press = press_area(ui, id.c_str(), start, start + extent, -1);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float radius = ui.px(size::radius_field);
    if (current || press.hovered)
        list.AddRectFilled(start, start + extent, current ? selected_tint(ui.theme) : hover_tint(ui.theme), radius);
    if (press.focused) list.AddRect(start, start + extent, ui.theme.selection, radius);
    const float left = start.x + ui.px(8 + (part ? section_indent : 0));
    draw_text_in(list, part ? ui.fonts.body : ui.fonts.body_medium, ImVec2(left, start.y),
                 start + extent - ImVec2(ui.px(4), 0),
                 current || press.hovered || !part ? ui.theme.text_high : ui.theme.text_mid, words);
    place(start, extent);
    return press.pressed;
}

// One that is a part stands below its document.
void draw_entry(const Ui& ui, const ManualPage* page, bool part, bool current, Intents& intents) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const std::string address = place_of(page);
    if (entry_row(ui, address, title_of(page), part, current)) intents.push_back(ShowManual{address});
    ui.recorder.record("help.pages", address, start,
                       ImVec2(start.x + available_width(), ImGui::GetCursorScreenPos().y));
}

// Above the pages: back to the card of the first minute.
void draw_way_to_welcome(const Ui& ui, Intents& intents) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    if (entry_row(ui, "welcome", "Welcome", false, false)) intents.push_back(ShowWelcome{});
    ui.recorder.record("help", "welcome", start, ImVec2(start.x + available_width(), ImGui::GetCursorScreenPos().y));
}

void draw_list(const Ui& ui, const Views& views, Reading& reading, const ManualPage* open, ImVec2 extent,
               Intents& intents) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const bool typing = ImGui::GetIO().WantTextInput;
    search_field(ui, "help.search", reading.sought, extent.x, "Search");
    gap(ui, 8);
    const float top = ImGui::GetCursorScreenPos().y - start.y;
    compat::begin_child("pages", ImVec2(extent.x, extent.y - top), false, true, 0);
    const std::string_view sought = reading.sought.data(), document = open ? std::string_view(open->document) : "";
    std::vector<const ManualPage*> pages = every_page();
    std::erase_if(pages, [&](const ManualPage* page) { return !listed(page, views, document, sought); });
    if (sought.empty()) draw_way_to_welcome(ui, intents);
    for (const ManualPage* page : pages)
        draw_entry(ui, page, page && !page->first && sought.empty(), page == open, intents);
    if (typing && !sought.empty() && !pages.empty() && compat::enter_pressed())
        intents.push_back(ShowManual{place_of(pages.front())});
    if (pages.empty()) text_line(ui, ui.fonts.body, ui.theme.text_low, "Nothing matches");
    ImGui::EndChild();
}

// In place of the list, where there is no room for one.
void draw_menu(const Ui& ui, const ManualPage* open, float width, Intents& intents) {
    const std::vector<const ManualPage*> pages = every_page();
    std::vector<MenuEntry> shown;
    MenuButton button{.label = title_of(open), .width = width / ui.scale, .list_width = width / ui.scale};
    for (const ManualPage* page : pages) {
        if (page == open) button.current = static_cast<int>(shown.size());
        shown.push_back(
            {.name = title_of(page), .group = page ? title_of(page_with(page->document)) : std::string_view()});
    }
    if (const std::optional<int> chosen = menu_button(ui, "help.menu", button, shown))
        intents.push_back(ShowManual{place_of(pages[static_cast<std::size_t>(*chosen)])});
}

// Page keys turn pages, as wherever one reads: from where the page was, since ImGui scrolls some windows, too.
void scroll_by_keys(Reading& reading) {
    const int pages = compat::key_pressed(ImGuiKey_PageDown) - compat::key_pressed(ImGuiKey_PageUp);
    if (pages == 0 || ImGui::GetIO().WantTextInput) {
        reading.scrolled = ImGui::GetScrollY();
        return;
    }
    compat::keep_focus();
    const float whole = reading.scrolled + static_cast<float>(pages) * most_page * ImGui::GetWindowHeight();
    reading.scrolled = std::clamp(whole, 0.0F, ImGui::GetScrollMaxY());
    ImGui::SetScrollY(reading.scrolled);
}

bool goes_back() {
    const ImGuiIO& io = ImGui::GetIO();
    const bool left = io.KeyAlt && compat::key_pressed(ImGuiKey_LeftArrow, false);
    return !io.WantTextInput && (left || compat::key_pressed(ImGuiKey_Backspace, false));
}

void draw_page(const Ui& ui, const ManualPage& page, std::string_view place, bool arrives, Intents& intents) {
    if (arrives) ImGui::SetScrollY(0);
    const std::size_t anchor = std::min(place.find('#'), place.size() - 1) + 1;
    const std::optional<std::string> link = draw_manual_text(ui, page, place.substr(anchor), arrives);
    if (!link) return;
    if (link->starts_with("http"))
        intents.push_back(Copy{*link, *link});
    else
        intents.push_back(ShowManual{*link});
}

}  // namespace

std::string place_of(const ViewKind& view) { return "views#" + anchor_of("The " + std::string(view.name) + " view"); }

Intents draw_manual(const Ui& ui, const View& view, const Counted& shown, const Views& views) {
    Intents intents;
    Reading& reading = kept<Reading>(ui, "help");
    const auto* const address = std::get_if<std::string>(&*view.manual);
    const std::string place = address ? *address : place_of(view_on(views, view));
    const ManualPage* const page = page_with(place);
    // Opened again, it begins anew.
    if (ImGui::GetFrameCount() > reading.frame + 1) reading = {};
    reading.frame = ImGui::GetFrameCount();
    const bool arrives = reading.goes || reading.shown != place;
    reading.shown = place;

    const ImVec2 start = ImGui::GetCursorScreenPos(), all = ImGui::GetContentRegionAvail();
    const bool beside = all.x >= ui.px(least_beside);
    const float left = beside ? std::round(ui.px(list_width + list_gap)) : 0;
    const float height = std::round(ui.px(size::icon_button)), top = height + std::round(ui.px(title_gap));
    const float room = all.x - left - height;
    ImGui::SetCursorScreenPos(start + ImVec2(left, 0));
    if (beside)
        draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.title, start + ImVec2(left, 0),
                     start + ImVec2(left + room, height), ui.theme.text_high, title_of(page));
    else
        draw_menu(ui, page, std::max(1.0F, room - ui.px(8)), intents);
    ImGui::SetCursorScreenPos(start + ImVec2(all.x - height + ui.px(6), 0));
    if (icon_button(ui, "help.close", Icon::cross, "Close (Esc)")) intents.push_back(ShowManual{});

    ImGui::SetCursorScreenPos(start);
    if (beside) draw_list(ui, views, reading, page, ImVec2(std::round(ui.px(list_width)), all.y), intents);
    const ImVec2 min = start + ImVec2(left, top), extent = all - ImVec2(left, top);
    ui.recorder.record("help.page", min, min + extent);
    // The boxes behind words reach out of the lines a little.
    const float margin = std::round(ui.px(page_margin));
    ImGui::SetCursorScreenPos(min - ImVec2(margin, 0));
    compat::begin_child("page", extent + ImVec2(margin, 0), false, true, 0);
    ImGui::Indent(margin);
    scroll_by_keys(reading);
    if (page)
        draw_page(ui, *page, place, arrives, intents);
    else
        draw_keys_page(ui, shown, views);
    ImGui::EndChild();
    reading.goes =
        std::ranges::any_of(intents, [](const Intent& intent) { return std::holds_alternative<ShowManual>(intent); });
    if (reading.goes) reading.trail.push_back(place);
    if (goes_back() && !reading.trail.empty()) {
        intents.push_back(ShowManual{reading.trail.back()});
        reading.trail.pop_back();
    }
    return intents;
}

}  // namespace headcount
