// The list of published claims, file by file, with the verdict on each; filtered by words and by verdict.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/parts/hidden.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/text_field.hpp"
#include "app/views/claims/panels.hpp"

namespace headcount {
namespace {

constexpr std::array verdicts{Verdict::wrong, Verdict::incomplete, Verdict::rounded, Verdict::right};
constexpr std::array<std::string_view, verdicts.size()> verdict_names{"wrong", "incomplete", "rounded", "right"};
constexpr float text_from = 24, row_padding = 7, between_lines = 3, claim_overhang = 8, bar_inset = 6,
                claim_bar_width = 2;
constexpr float verdict_icon = 14, verdict_line = 14, least_claimed = 24, between_words = 12;
constexpr float in_sight = 24;  // kept clear above and below the chosen row
constexpr float close_side = 22, between_claim_chips = 6, chip_line = 6;

// The word of the chips: beside it the number that was said has room.
std::string_view short_word(Verdict verdict) {
    const auto* const found = std::ranges::find(verdicts, verdict);
    return verdict_names[static_cast<std::size_t>(found - verdicts.begin())];
}

// Which claims are listed. Of the interface, and gone with it.
struct ClaimFilter {
    std::array<char, 64> words{};
    std::optional<Verdict> only;
    ClaimPlace seen;      // scrolled to
    int frames_left = 0;  // ... until it is known how long the list is: a file may have come in this frame
};

bool matches(const ClaimFilter& filter, const ClaimsGroup& group, std::size_t index) {
    if (filter.only && group.checked[index].verdict != *filter.only) return false;
    const Claim& claim = group.file.claims[index];
    const std::string words = claim.id + " " + group.checked[index].model + " " + group.checked[index].claimed;
    return menu_matches({.name = claim.says, .group = group.file.title, .words = words}, filter.words.data());
}

std::size_t count_of(const ClaimsPage& page, std::optional<Verdict> verdict) {
    std::size_t count = 0;
    for (const auto& group : page.groups)
        count += static_cast<std::size_t>(std::ranges::count_if(
            group->checked, [&](const CheckedClaim& checked) { return !verdict || checked.verdict == *verdict; }));
    return count;
}

// One for each verdict that there is; pressed again, all are listed.
void draw_chips(const Ui& ui, const ClaimsPage& page, ClaimFilter& filter) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), between = ui.px(between_claim_chips);
    const float line = std::round(ui.px(size::chip + chip_line));
    ImVec2 at = start;
    const auto draw = [&](std::string_view name, std::string_view word, std::optional<Verdict> verdict) {
        const std::size_t count = count_of(page, verdict);
        if (count == 0) return;
        const std::string text = std::string(word) + " " + std::to_string(count);
        const float wide = chip_width(ui, text);
        if (at.x > start.x && at.x + wide > start.x + width) at = ImVec2(start.x, at.y + line);
        ImGui::SetCursorScreenPos(at);
        const bool lit = filter.only == verdict;
        if (chip_button(ui, "claims.only." + std::string(name), text, lit)) filter.only = lit ? std::nullopt : verdict;
        at.x += wide + between;
    };
    draw("all", "all", std::nullopt);
    for (std::size_t i = 0; i < verdicts.size(); ++i) draw(verdict_names[i], verdict_names[i], verdicts[i]);
    place(start, ImVec2(width, at.y - start.y + ui.px(size::chip)));
}

// The text, or its first words that fit on two lines.
std::string on_two_lines(const Font& font, const std::string& text, float width) {
    const float most = wrapped_extent(font, "x\nx", width).y + 1;
    std::string cut = text;
    while (wrapped_extent(font, cut, width).y > most) {
        const std::size_t space = cut.rfind(' ', cut.size() - 2);
        if (space == std::string::npos || space == 0) break;
        cut = cut.substr(0, space) + "…";
    }
    return cut;
}

struct Listing {
    const Ui& ui;
    const ClaimPlace& chosen;
    ClaimFilter& filter;
    Intents intents;
};

void draw_row_text(const Ui& ui, const CheckedClaim& checked, bool changed, const std::string& says, bool selected,
                   ImVec2 min, ImVec2 max) {
    const VerdictLook look = look_of(ui.theme, checked.verdict);
    const Font& font = selected ? ui.fonts.table_medium : ui.fonts.table;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float left = min.x + ui.px(text_from), top = std::round(min.y + ui.px(row_padding));
    const float half = ui.px(claim_overhang);  // the icon is as wide as the rows reach out
    draw_icon(list, look.icon, ImVec2(min.x + half, top + half), ui.px(verdict_icon), look.ink);
    draw_wrapped(list, font, ImVec2(left, top), ui.theme.text_high, says, max.x - left);
    const ImVec2 low(left, max.y - ui.px(row_padding + verdict_line)), end(max.x, max.y - ui.px(row_padding));
    const std::string word = std::string(short_word(checked.verdict)) + (changed ? ", and was not" : "");
    draw_text_in(list, ui.fonts.caption_medium, low, end, look.ink, word);
    const float after = left + text_width(ui.fonts.caption_medium, word) + ui.px(between_words);
    const float room = max.x - after, wide = std::min(text_width(ui.fonts.mono_caption, checked.claimed), room);
    const Font& mono = ui.fonts.mono_caption;
    if (room > ui.px(least_claimed))
        draw_text(list, mono, ImVec2(max.x - wide, text_top(mono, (low.y + end.y) / 2)), ui.theme.text_low,
                  checked.claimed, room);
}

void scroll_to_chosen(const Ui& ui, ClaimFilter& filter, const ClaimPlace& chosen, ImVec2 min, ImVec2 max) {
    constexpr int settling_frames = 3;
    if (filter.seen.file != chosen.file || filter.seen.claim != chosen.claim) filter.frames_left = settling_frames;
    filter.seen = chosen;
    if (filter.frames_left == 0) return;
    --filter.frames_left;
    scroll_into_sight(min.y, max.y, ui.px(in_sight));
    ui.memory.animating = true;
}

void draw_row(Listing& listing, const ClaimsGroup& group, std::size_t index) {
    const Ui& ui = listing.ui;
    const Claim& claim = group.file.claims[index];
    const ClaimPlace& chosen = listing.chosen;
    const bool selected = chosen.file == group.key && chosen.claim == claim.id;
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const float width = available_width();
    const Font& font = selected ? ui.fonts.table_medium : ui.fonts.table;
    const std::string says = on_two_lines(font, claim.says, width - ui.px(text_from));
    const float lines = wrapped_extent(font, says, width - ui.px(text_from)).y;
    const ImVec2 max(min.x + width, min.y + std::round(lines + ui.px(2 * row_padding + between_lines + verdict_line)));
    const bool visible = ImGui::IsRectVisible(min, max);
    if (visible) ui.recorder.record("claims.row", claim.id, min, max);
    const IdScope scope(claim.id);
    const ImGuiID id = ImGui::GetID("row");
    const ImVec2 reach(ui.px(claim_overhang), 0);
    const Press press = press_area(ui, "row", min - reach, max + reach, size::radius_button, selected);
    bool asked = press.pressed;
    if (press.focused && ui.memory.table_row != id) {
        // The focus has come here by the keyboard: the choice follows it.
        ui.memory.table_row = id;
        asked = asked || !selected;
    }
    if (asked) listing.intents.push_back(AtClaims{ChooseClaim{group.key, claim.id}});
    if (selected) scroll_to_chosen(ui, listing.filter, chosen, min, max);
    if (selected || press.hovered) tint_row(ui, min, max, selected ? selected_tint(ui.theme) : hover_tint(ui.theme));
    if (selected)
        ImGui::GetWindowDrawList()->AddRectFilled(
            ImVec2(min.x - reach.x, min.y + ui.px(bar_inset)),
            ImVec2(min.x - reach.x + ui.px(claim_bar_width), max.y - ui.px(bar_inset)), ui.theme.selection);
    const About about(keys_in({claim.computed.answer}));
    if (visible)
        draw_row_text(ui, group.checked[index], claim.recorded != group.checked[index].verdict, says, selected, min,
                      max);
    place(min, max - min);
}

void draw_group(Listing& listing, const ClaimsGroup& group, bool first) {
    std::vector<std::size_t> listed;
    for (std::size_t i = 0; i < group.checked.size(); ++i)
        if (matches(listing.filter, group, i)) listed.push_back(i);
    if (listed.empty()) return;
    const Ui& ui = listing.ui;
    const IdScope scope(group.key);
    gap(ui, first ? 0 : 14);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), side = std::round(ui.px(close_side));
    const float room = width - (group.opened ? side + ui.px(8) : 0);
    const ImVec2 extent = wrapped_extent(ui.fonts.body_bold, group.file.title, room);
    draw_wrapped(*ImGui::GetWindowDrawList(), ui.fonts.body_bold, start, ui.theme.text_high, group.file.title, room);
    if (group.opened) {
        ImGui::SetCursorScreenPos(ImVec2(start.x + width - side, start.y - ui.px(2)));
        const std::string closes = "Close " + group.file.path.filename().string();
        if (icon_button(ui, "claims.close", Icon::cross, closes, {.side = close_side}))
            listing.intents.push_back(AtClaims{CloseClaims{group.key}});
    }
    place(start, ImVec2(width, extent.y));
    ui.recorder.record("claims.group", group.file.id, start, start + ImVec2(width, extent.y));
    paragraph(ui, ui.fonts.caption, ui.theme.text_low, group.file.source);
    gap(ui, 4);
    for (const std::size_t index : listed) draw_row(listing, group, index);
}

}  // namespace

Intents draw_claims_list(const Ui& ui, const ClaimsPage& page, const ClaimPlace& chosen) {
    auto& filter = kept<ClaimFilter>(ui, "claims.filter");
    Listing to{ui, chosen, filter, {}};
    section_title(ui, "Published claims", "recomputed");
    gap(ui, 6);
    search_field(ui, "claims.search", filter.words, available_width(), "Words, a number, a model");
    gap(ui, 8);
    draw_chips(ui, page, filter);
    separator(ui, 12, 0);
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float top = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos(ImVec2(corner.x, top));
    {
        const Panel rows(ui, "claims.rows", ImVec2(extent.x, std::max(1.0F, corner.y + extent.y - top)));
        if (!rows.visible) return std::move(to.intents);
        const float before = ImGui::GetCursorPosY();
        for (const auto& group : page.groups) draw_group(to, *group, ImGui::GetCursorPosY() == before);
        if (ImGui::GetCursorPosY() == before && !page.groups.empty())
            paragraph(ui, ui.fonts.table, ui.theme.text_mid, "No claim has these words.");
    }
    return std::move(to.intents);
}

}  // namespace headcount
