// The searchable menu: a button, and a popup whose list follows what is typed.
#include "app/ui/menu.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/text_field.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

bool same_letter(char a, char b) { return lower(a) == lower(b); }

// Whether a word may start here: neither within one nor behind a number's point.
bool starts_word(std::string_view text, std::size_t at) {
    if (at == 0) return true;
    const bool decimals = at > 1 && text[at - 1] == '.' && is_digit(text[at - 2]) && is_digit(text[at]);
    return !is_letter_or_digit(text[at - 1]) && !decimals;
}

// Whether a word of the text starts so: "7b" is in "Llama 2 7B", and neither in "67B" nor in "2.7B".
bool contains(std::string_view text, std::string_view word) {
    auto at = text.begin();
    while ((at = std::search(at, text.end(), word.begin(), word.end(), same_letter)) != text.end()) {
        if (word.empty() || !is_letter_or_digit(word.front())) return true;
        if (starts_word(text, static_cast<std::size_t>(at - text.begin()))) return true;
        ++at;
    }
    return false;
}

// How well a matching entry is meant: its name as a whole, the start of it, the words in a row, or just the words.
int rank(const MenuEntry& entry, std::string_view filter) {
    while (!filter.empty() && filter.back() == ' ') filter.remove_suffix(1);
    const std::string_view name = entry.name;
    const auto same = [&](std::string_view part) {
        return part.size() == filter.size() && std::equal(part.begin(), part.end(), filter.begin(), same_letter);
    };
    if (same(name)) return 3;
    if (same(name.substr(0, filter.size()))) return 2;
    return contains(name, filter) ? 1 : 0;
}

// Which of the matching entries is meant best, counted from the first that matches: Enter takes it.
int best_match(std::span<const MenuEntry> entries, std::string_view filter) {
    int best = 0, best_rank = -1, shown = 0;
    for (const MenuEntry& entry : entries) {
        if (!menu_matches(entry, filter)) continue;
        if (const int own = rank(entry, filter); own > best_rank) {
            best = shown;
            best_rank = own;
        }
        ++shown;
    }
    return best;
}

constexpr float entry_height = 28, heading_height = 26, most_height = 560, least_height = 140;
constexpr float margin_below = 24;  // from the list's end to the window's
constexpr float margin_beside = 8;  // from the popup to the window's right end
constexpr float popup_padding = 8;  // of the popup
constexpr float face_gap = 4;       // between the button and the popup
constexpr float search_gap = 4;     // between the search and the list
constexpr int page = 10;            // entries that Page Up and Page Down pass

bool draw_face(const Ui& ui, std::string_view name, const MenuButton& menu) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(std::round(ui.px(menu.width)), std::round(ui.px(size::button)));
    const ImVec2 end = start + extent;
    ui.recorder.record(name, start, end);
    const Press press = press_area(ui, "button", start, end, size::radius_button);
    const bool open = ImGui::IsPopupOpen("menu");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, start, end, press.hovered || open ? ui.theme.hover : ui.theme.raised, ui.theme.strong_line,
             ui.px(size::radius_button));
    draw_text_in(list, ui.fonts.body_medium, ImVec2(start.x + ui.px(12), start.y), ImVec2(end.x - ui.px(28), end.y),
                 ui.theme.text_high, menu.label);
    draw_icon(list, Icon::chevron_down, ImVec2(end.x - ui.px(15), start.y + extent.y / 2), ui.px(14),
              ui.theme.text_mid);
    place(start, extent);
    return press.pressed;
}

// Returns whether the filter has changed.
bool draw_search(const Ui& ui, std::string_view name, const MenuButton& menu) {
    const ImVec2 start = ImGui::GetCursorScreenPos(), extent(ui.px(menu.list_width), ui.px(size::button));
    ui.recorder.record(name, "search", start, start + extent);
    return search_field(ui, {.text = ui.memory.filter,
                             .prompt = menu.prompt,
                             .extent = extent,
                             .fill = ui.theme.canvas,
                             .border = ui.theme.strong_line,
                             .grabs = ImGui::IsWindowAppearing()});
}

// What stands at the left of an entry's name, and right of it.
float before_name(const Ui& ui, const MenuEntry& entry) { return ui.px(entry.beside ? 8 : 30); }
constexpr float behind_name = 10;

bool draw_entry(const Ui& ui, std::string_view name, int index, const MenuEntry& entry, bool current, bool highlighted,
                bool moved, ImVec2 start, float width) {
    const std::string part = std::to_string(index);
    const ImVec2 extent(width, std::round(ui.px(entry_height)));
    const ImVec2 end = start + extent;
    ImGui::SetCursorScreenPos(start);
    // Only what the list shows can be pressed.
    const bool seen = ImGui::IsRectVisible(start, end);
    if (seen) ui.recorder.record(name, part, start, end);
    const Press press = seen ? press_area(ui, part.c_str(), start, end, -1, false) : Press{};
    // With its neighbour in sight.
    if (highlighted && moved && ImGui::IsWindowAppearing())
        ImGui::SetScrollHereY(0.5F);
    else if (highlighted && moved)
        scroll_into_sight(start.y, end.y, ui.px(entry_height));
    if (!seen) {
        place(start, extent);
        return false;
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (highlighted || (press.hovered && !entry.disabled))
        list.AddRectFilled(start, end, highlighted ? ui.theme.hover : hover_tint(ui.theme), ui.px(size::radius_field));
    const ImVec2 sign(start.x + ui.px(15), (start.y + end.y) / 2);
    if (current)
        draw_icon(list, Icon::check, sign, ui.px(12), ui.theme.text_high);
    else if (entry.icon != Icon::none)
        draw_icon(list, entry.icon, sign, ui.px(14), ui.theme.text_mid);
    const float x = start.x + before_name(ui, entry), right = end.x - ui.px(behind_name);
    const float detail = text_width(ui.fonts.mono, entry.detail);
    draw_text_in(list, ui.fonts.body, ImVec2(x, start.y), ImVec2(right - detail - ui.px(8), end.y),
                 entry.disabled ? ui.theme.text_low : ui.theme.text_high, entry.name);
    const About about(entry.about);
    draw_text_in(list, ui.fonts.mono, start, ImVec2(right, end.y),
                 entry.disabled ? ui.theme.text_low : ui.theme.text_mid, entry.detail, Align::right);
    place(start, extent);
    return press.pressed && !entry.disabled;
}

void draw_heading(const Ui& ui, std::string_view group) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(ImGui::GetContentRegionAvail().x, std::round(ui.px(heading_height)));
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.caption_medium, ImVec2(start.x + ui.px(8), start.y + ui.px(4)),
                 start + extent, ui.theme.text_low, group);
    place(start, extent);
}

// How many entries match, and how high the list wants to be.
struct Matches {
    int count = 0;
    float height = 0;
};

Matches count_matches(const Ui& ui, std::span<const MenuEntry> entries, std::string_view filter) {
    Matches matches;
    std::string_view group;
    bool before = false;  // the entry before is in the list
    for (const MenuEntry& entry : entries) {
        const bool line = !std::exchange(before, menu_matches(entry, filter)) || !entry.beside;
        if (!before) continue;
        if (!entry.group.empty() && entry.group != group) matches.height += std::round(ui.px(heading_height));
        group = entry.group;
        if (line) matches.height += std::round(ui.px(entry_height));
        ++matches.count;
    }
    return matches;
}

// How wide each entry of a line is that begins with the first of these, of which all are in the list: what is left over
// is shared.
std::vector<float> widths_of_line(const Ui& ui, std::span<const MenuEntry> entries, std::string_view filter) {
    std::vector<float> widths;
    float left = ImGui::GetContentRegionAvail().x;
    for (const MenuEntry& entry : entries) {
        if (!widths.empty() && (!entry.beside || !menu_matches(entry, filter))) break;
        widths.push_back(before_name(ui, entry) + text_width(ui.fonts.body, entry.name) + ui.px(behind_name));
        left -= widths.back();
    }
    for (float& width : widths) width = std::floor(width + left / static_cast<float>(widths.size()));
    return widths;
}

// Where the popup begins, and how high its list may be.
struct MenuPlace {
    std::optional<ImVec2> corner;
    float room = 0;
};

// Below the button, or above it where only there the whole list has room. One that is searched stays below while much
// of it is seen: it gets shorter. Without a button, `below` being nothing, it is where the pointer is.
MenuPlace place_menu(const Ui& ui, const MenuButton& menu, std::span<const MenuEntry> entries,
                     const std::optional<ImVec2>& below) {
    const float margin = ui.px(margin_below);
    const float head = ui.px(popup_padding) + (menu.searchable ? ui.px(size::button) + ui.px(search_gap) : 0);
    const float window = ImGui::GetIO().DisplaySize.y;
    if (!below) return {std::nullopt, window - head - 2 * margin};
    const float widest = ImGui::GetIO().DisplaySize.x - ui.px(menu.list_width + 2 * popup_padding + margin_beside);
    const float left = std::floor(std::max(0.0F, std::min(below->x, widest)));
    const float foot =
        below->y - ui.px(size::button + 2 * face_gap) - ui.px(popup_padding);  // of a list above the button
    const float under = window - below->y - head - margin, above = foot - head - margin;
    const float whole = std::min(count_matches(ui, entries, {}).height, ui.px(most_height));
    const float enough = menu.searchable ? std::min(whole, ui.px(most_height / 2)) : whole;
    if (enough <= under || above <= under) return {ImVec2(left, below->y), under};
    return {ImVec2(left, std::floor(foot - std::min(whole, above) - head)), above};
}

// By how many entries the keyboard moves on in this frame.
int keyboard_step() {
    const auto pressed = [](ImGuiKey key) { return compat::key_pressed(key) ? 1 : 0; };
    return pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow) +
           page * (pressed(ImGuiKey_PageDown) - pressed(ImGuiKey_PageUp));
}

std::optional<int> draw_list(const Ui& ui, std::string_view name, const MenuButton& menu,
                             std::span<const MenuEntry> entries, bool filter_changed, float room) {
    std::optional<int> chosen;
    const Matches matches = count_matches(ui, entries, ui.memory.filter.data());
    int& highlighted = ui.memory.highlighted;
    const int step = keyboard_step();
    if (filter_changed) highlighted = best_match(entries, ui.memory.filter.data());
    bool moved = step != 0 || filter_changed || ImGui::IsWindowAppearing();
    if (step != 0) {
        compat::keep_focus();
        highlighted = std::clamp(highlighted + step, 0, std::max(0, matches.count - 1));
    }
    const bool enter = compat::enter_pressed();
    // The popup moves nowhere while its list gets shorter.
    const float most = std::clamp(room, ui.px(least_height), ui.px(most_height));
    const float height = std::clamp(matches.height, ui.px(entry_height), most);
    compat::begin_child("list", ImVec2(ui.px(menu.list_width), height), false, true, 0);
    if (filter_changed) ImGui::SetScrollY(0);
    const std::string_view filter = ui.memory.filter.data();
    std::string_view group;
    int shown = 0;
    for (std::size_t from = 0; from < entries.size();) {
        if (!menu_matches(entries[from], filter)) {
            ++from;
            continue;
        }
        if (!entries[from].group.empty() && entries[from].group != group) draw_heading(ui, entries[from].group);
        group = entries[from].group;
        ImVec2 at = ImGui::GetCursorScreenPos();
        for (const float width : widths_of_line(ui, entries.subspan(from), filter)) {
            const MenuEntry& entry = entries[from];
            const int i = static_cast<int>(from++);
            const bool here = shown++ == highlighted;
            if (draw_entry(ui, name, i, entry, i == menu.current, here, moved, at, width) ||
                (here && enter && !entry.disabled))
                chosen = i;
            at.x += width;
        }
    }
    if (matches.count == 0) text_line(ui, ui.fonts.body, ui.theme.text_low, "Nothing matches");
    ImGui::EndChild();
    return chosen;
}

// What is inside the popup that has just begun.
std::optional<int> fill_menu(const Ui& ui, std::string_view name, const MenuButton& menu,
                             std::span<const MenuEntry> entries, float room) {
    bool filter_changed = false;
    if (menu.searchable) {
        filter_changed = draw_search(ui, name, menu);
        ImGui::Dummy(ImVec2(0, ui.px(search_gap)));
    }
    const std::optional<int> chosen = draw_list(ui, name, menu, entries, filter_changed, room);
    if (chosen || compat::key_pressed(ImGuiKey_Escape, false)) ImGui::CloseCurrentPopup();
    return chosen;
}

std::optional<int> draw_popup(const Ui& ui, std::string_view name, const MenuButton& menu,
                              std::span<const MenuEntry> entries, const std::optional<ImVec2>& below) {
    if (!ImGui::IsPopupOpen("menu")) return std::nullopt;
    std::optional<int> chosen;
    const MenuPlace at = place_menu(ui, menu, entries, below);
    if (at.corner) ImGui::SetNextWindowPos(*at.corner, ImGuiCond_Always);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(popup_padding), ui.px(popup_padding)));
    if (ImGui::BeginPopup("menu", ImGuiWindowFlags_NoMove)) {
        chosen = fill_menu(ui, name, menu, entries, at.room);
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    return chosen;
}

void begin_choosing(const Ui& ui, int highlighted) {
    ui.memory.filter[0] = '\0';
    ui.memory.highlighted = highlighted;
    ui.memory.animating = true;
}

}  // namespace

bool menu_matches(const MenuEntry& entry, std::string_view filter) {
    while (!filter.empty()) {
        const std::size_t end = std::min(filter.find(' '), filter.size());
        const std::string_view word = filter.substr(0, end);
        if (!contains(entry.name, word) && !contains(entry.group, word) && !contains(entry.words, word)) return false;
        filter.remove_prefix(std::min(end + 1, filter.size()));
    }
    return true;
}

std::optional<int> menu_button(const Ui& ui, std::string_view name, const MenuButton& menu,
                               std::span<const MenuEntry> entries) {
    const IdScope scope(name);
    const ImVec2 below(ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + ui.px(size::button + face_gap));
    if (draw_face(ui, name, menu)) {
        ImGui::OpenPopup("menu");
        begin_choosing(ui, std::max(0, menu.current));
        ui.memory.animating = true;  // whoever makes entries for an open menu alone has them in the next frame
    }
    return draw_popup(ui, name, menu, entries, below);
}

void open_menu(const Ui& ui, std::string_view name, int current) {
    const IdScope scope(name);
    ImGui::OpenPopup("menu");
    begin_choosing(ui, current);
}

std::optional<int> popup_menu(const Ui& ui, std::string_view name, const MenuButton& list,
                              std::span<const MenuEntry> entries, std::optional<ImVec2> at) {
    const IdScope scope(name);
    return draw_popup(ui, name, list, entries, at);
}

}  // namespace headcount
