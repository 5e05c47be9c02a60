// The first page of a run: the words, what each looks at in one head, and heads that are worth a look.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "app/state/run/vocabulary.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float least_row = least_labelled / 2;
constexpr float side_width = 232, least_map = 190, map_labels = 84, widest_cell = 84, found_row = 42, brief_row = 26,
                chip_line = 26, looked_width = 140, map_numbers = 16;  // unscaled
constexpr std::size_t most_words = 5, few_words = 3;                   // that a word is said to look at; to a class

constexpr std::string_view heads_title = "Heads to look at";

std::span<const HeadFound> heads_of(const RunPanel& panel) {
    return panel.page.heads ? std::span<const HeadFound>(panel.page.heads->heads) : std::span<const HeadFound>();
}

// Those that look so in no place of this text, and in another.
std::span<const HeadFound> heads_elsewhere(const RunPanel& panel) {
    return panel.page.heads ? std::span<const HeadFound>(panel.page.heads->elsewhere) : std::span<const HeadFound>();
}

std::string name_of(const HeadFound& found) { return "run.words.head." + std::to_string(static_cast<int>(found.role)); }

bool is_chosen(const RunPanel& panel, const HeadFound& found) {
    return found.layer == panel.layer() && found.head == panel.head() && !panel.place.at_source;
}

void look_at(RunPanel& panel, const HeadFound& head) {
    panel.set([&](RunPlace& place) { place = at_head(std::move(place), head); });
}

// A model that nobody has looked into opens where there is something to see, in the text that is to be read.
void open_at(RunPanel& panel, std::span<const HeadFound> heads) {
    if (!panel.place.opens || heads.empty() || panel.page.heads->of.lock() != panel.run()->values) return;
    const RunSnapshot& run = *panel.run();
    const bool given = !run.tokenizer || !panel.place.against.empty();
    if (given || run.prompt_text.starts_with(panel.place.prompt)) look_at(panel, heads.front());
}

// Of an example where in this text no head does so much more than evenly.
void say(const Ui& ui, const HeadFound& found, bool elsewhere = false) {
    show_tooltip(ui, {"Looks at " + std::string(info(found.role)),
                      share_text(found.share) + " of its attention",
                      {},
                      "Layer " + std::to_string(found.layer) + ", head " + std::to_string(found.head) +
                          ". The mean over " + std::to_string(found.tokens) + (found.tokens == 1 ? " word" : " words") +
                          (elsewhere ? " of an example" : " of this text") +
                          " that can look there. Spread evenly it would be " + share_text(found.even) + "." +
                          (elsewhere ? " In this text no head does so twice as much as evenly." : "")});
}

// Above a map that has nothing beside it: a chip for each head that is worth a look. Returns their height.
float draw_head_chips(RunPanel& panel, ImVec2 min, float width) {
    const Ui& ui = panel.ui;
    const std::span<const HeadFound> heads = heads_of(panel);
    if (heads.empty()) return 0;
    const float line = std::round(ui.px(chip_line)), apart = ui.px(6);
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.body_bold, min, min + ImVec2(width, ui.px(size::chip)),
                 ui.theme.text_high, heads_title);
    float x = text_width(ui.fonts.body_bold, heads_title) + ui.px(12), y = 0;
    for (const HeadFound& each : heads) {
        const std::string text = std::string(info(each.role)) + "  " + share_text(each.share);
        const float wide = chip_width(ui, text);
        if (x > 0 && x + wide > width) x = 0, y += line;
        const ImVec2 at = min + ImVec2(x, y);
        ImGui::SetCursorScreenPos(at);
        if (chip_button(ui, name_of(each), text, is_chosen(panel, each))) look_at(panel, each);
        if (ImGui::IsItemHovered()) say(ui, each);
        x += wide + apart;
    }
    open_at(panel, heads);
    return y + line + ui.px(4);
}

std::size_t words_looked_at(const RunPanel& panel) { return panel.presents ? few_words : most_words; }
float looked_height(const RunPanel& panel) { return panel.ui.px(18 * static_cast<float>(words_looked_at(panel) + 1)); }

// What a word looks at, where the triangle leaves room, as near to the word's row as it does. Whether there is any.
bool draw_looked_in_corner(const RunPanel& panel, const RunSnapshot& run, ImVec2 map, float side, float labels,
                           float right) {
    const Ui& ui = panel.ui;
    const float left = right - ui.px(looked_width), high = looked_height(panel);
    const float most = left - ui.px(8) - map.x - labels;  // of the triangle's width, beside which there is room
    const float foot = side * static_cast<float>(panel.lit_position() + 1);
    const float bottom = map.y + std::max(high, std::min(most, foot));
    if (bottom > map.y + most) return false;
    return draw_looked(panel, run, {left, bottom - high}, {right, bottom}, words_looked_at(panel)) > 0;
}

// For what a map that scrolls was last scrolled.
struct RowSeen {
    std::int64_t row = -1;
    float side = 0, view = 0;

    bool operator==(const RowSeen&) const = default;
};

// The row of the word that is looked at comes into sight, and then whoever scrolls does.
void bring_row_into_sight(const Ui& ui, std::int64_t row, float top, float side) {
    const RowSeen now{row, side, ImGui::GetWindowHeight()};
    if (std::exchange(kept<RowSeen>(ui, "run.words.row"), now) == now) return;
    const float from = top + side * static_cast<float>(row), to = from + side + ui.px(8), was = ImGui::GetScrollY();
    const float scroll = std::max(0.0F, std::clamp(was, std::min(to - now.view, from), from));
    if (scroll == was) return;
    ImGui::SetScrollY(scroll);
    ui.memory.animating = true;
}

// What the word looks at. Returns how high it is: as high for two words as for five, so that what stands below stays
// where it is.
float draw_all_looked(const RunPanel& panel, const RunSnapshot& run, ImVec2 min, float width) {
    const float height = looked_height(panel);
    const float shown = draw_looked(panel, run, min, min + ImVec2(width, height), words_looked_at(panel));
    return shown > 0 ? height + panel.ui.px(14) : 0;
}

// Of how many pixels a row is: to a class it has its first line alone.
float head_row_height(const RunPanel& panel) { return panel.ui.px(panel.presents ? brief_row : found_row); }

void draw_head_row(RunPanel& panel, const HeadFound& found, bool elsewhere, ImVec2 min, float width) {
    const Ui& ui = panel.ui;
    const ImVec2 max(min.x + width, std::round(min.y + head_row_height(panel) - ui.px(4)));
    const std::string name = name_of(found);
    ui.recorder.record(name, min, max);
    const IdScope scope(name);
    const bool chosen = is_chosen(panel, found);
    const Press press = press_area(ui, "head", min, max, size::radius_field, chosen);
    if (chosen || press.hovered) tint_row(ui, min, max, hover_tint(ui.theme));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = panel.presents ? max.y : std::round((min.y + max.y) / 2);
    draw_text_in(list, ui.fonts.mono, min, {max.x, middle}, elsewhere ? ui.theme.text_mid : ui.theme.text_high,
                 share_text(found.share), Align::right);
    const float room = max.x - text_width(ui.fonts.mono, share_text(found.share)) - ui.px(8);
    draw_text_in(list, ui.fonts.table, min, {room, middle}, ui.theme.text_high, info(found.role));
    if (!panel.presents) {
        draw_text_in(list, ui.fonts.caption, {min.x, middle}, max, chosen ? ui.theme.text_mid : ui.theme.text_low,
                     "layer " + std::to_string(found.layer) + ", head " + std::to_string(found.head));
        draw_text_in(list, ui.fonts.caption, {min.x, middle}, max, ui.theme.text_low,
                     elsewhere ? "in an example" : "evenly " + share_text(found.even), Align::right);
    }
    if (press.hovered) say(ui, found, elsewhere);
    if (press.pressed) look_at(panel, found);
}

// Beside a map: a row for each head that is worth a look. Returns their height.
float draw_head_rows(RunPanel& panel, ImVec2 min, float width) {
    const Ui& ui = panel.ui;
    const std::span<const HeadFound> heads = heads_of(panel);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text(list, ui.fonts.body_bold, min, ui.theme.text_high, heads_title, width);
    float y = min.y + ui.px(24);
    if (panel.page.heads && heads.empty()) {
        constexpr std::string_view none = "In this text no head looks at one kind of place much more than at others.";
        draw_wrapped(list, ui.fonts.table, {min.x, y}, ui.theme.text_low, none, width);
        y += wrapped_extent(ui.fonts.table, none, width).y + ui.px(8);
    }
    const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight() - ui.px(8);
    const auto rows = [&](std::span<const HeadFound> all, bool elsewhere) {
        for (const HeadFound& each : all) {
            if (elsewhere && y + head_row_height(panel) > bottom) return;  // for these nobody is to scroll
            draw_head_row(panel, each, elsewhere, {min.x, std::round(y)}, width);
            y += head_row_height(panel);
        }
    };
    rows(heads, false);
    rows(heads_elsewhere(panel), true);
    open_at(panel, heads);
    return y - min.y;
}

// How many pixels the words at one side of the map take.
float labels_width(const Ui& ui, const RunSnapshot& run) {
    float widest = 0;
    for (std::int64_t i = 0; i < std::ssize(run.tokens); ++i)
        widest = std::max(widest, text_width(ui.fonts.mono_medium, token_text(run, i)));
    return std::min(ui.px(map_labels), std::ceil(widest) + ui.px(14));
}

}  // namespace

void draw_run_words(RunPanel& panel, const RunSnapshot& run) {
    const Ui& ui = panel.ui;
    ImVec2 room = ImGui::GetContentRegionAvail();
    if (room.x < 8 || room.y < 8) return;
    const float padding = ui.px(size::panel_padding), scrollbar = ui.px(8);
    const float width = room.x - 2 * padding - scrollbar, side = ui.px(side_width);
    const float labels = labels_width(ui, run), around = 2 * labels;
    // All rows are in sight as long as every other one has room for its word; then they take the width of what stands
    // beside, and scroll.
    const auto rows = static_cast<float>(run.tokens.size());
    const bool fits = room.y - ui.px(32) >= ui.px(least_row) * rows;
    const float needed = ui.px(fits ? least_row : least_labelled) * rows;
    // To a class the map has all of the room, and the rest stands below the answers.
    const bool alone = panel.presents;
    const bool beside = !alone && fits && width - side - around >= std::max(ui.px(least_map), needed);
    const bool causal = mask_looked_at(panel, *run.values) == AttentionMask::causal;
    if (!beside && !alone && causal) {
        const ImVec2 min = ImGui::GetCursorScreenPos();
        const float above = draw_head_chips(panel, min + ImVec2(padding, 0), width);
        ImGui::SetCursorScreenPos(min + ImVec2(0, above));
        room.y = std::max(8.0F, room.y - above);
    }
    ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, scrollbar);
    if (compat::begin_child("run.words", room, false, true, 0)) {
        const ImVec2 start = ImGui::GetCursorScreenPos() + ImVec2(padding, 0);
        const float free = width - around - (beside ? side : 0);
        const float map = std::max(ui.px(least_map), std::min(free, std::max(room.y - ui.px(32), needed)));
        const ImVec2 drawn =
            draw_attention_map(panel, run, "run.attention", start, width,
                               {.room = map, .labels = labels / ui.scale, .most_side = widest_cell, .large = true});
        float height = drawn.y + ui.px(32);
        if (drawn.y == 0) {
            const std::string_view none = no_attention_words(*run.values, panel.layer());
            draw_wrapped(*ImGui::GetWindowDrawList(), ui.fonts.table, start + ImVec2(0, ui.px(8)), ui.theme.text_low,
                         none, free);
            height = ui.px(8) + wrapped_extent(ui.fonts.table, none, free).y + ui.px(16);
        }
        if (beside) {
            const float from = std::min(width - side, around + map);
            const ImVec2 corner = start + ImVec2(from, ui.px(4));
            float others = draw_all_looked(panel, run, corner, side);
            if (causal) others += draw_head_rows(panel, corner + ImVec2(0, others), side);
            height = std::max(height, others + ui.px(8));
        } else if (alone) {
            bring_row_into_sight(ui, panel.lit_position(), ui.px(map_numbers), drawn.y / std::max(rows, 1.0F));
        } else {
            const float cell = drawn.y / std::max(rows, 1.0F);
            const ImVec2 corner(start.x + labels, start.y + ui.px(map_numbers));
            const bool looked =
                causal && drawn.y > 0 && draw_looked_in_corner(panel, run, corner, cell, labels, start.x + width);
            if (!looked) height += draw_all_looked(panel, run, start + ImVec2(0, height), std::min(side, width));
            height += ui.px(20);
            bring_row_into_sight(ui, panel.lit_position(), ui.px(map_numbers), cell);
        }
        place(start, ImVec2(8, height));
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

void draw_run_looked(RunPanel& panel, const RunSnapshot& run) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    float height = draw_all_looked(panel, run, start, width);
    const float room = ImGui::GetWindowPos().y + ImGui::GetWindowHeight() - start.y - height;
    const bool any = !heads_of(panel).empty() || !heads_elsewhere(panel).empty();
    const bool fits = room > panel.ui.px(32) + head_row_height(panel);
    if (mask_looked_at(panel, *run.values) == AttentionMask::causal && any && fits)
        height += draw_head_rows(panel, start + ImVec2(0, height), width);
    place(start, ImVec2(width, height));
}

}  // namespace headcount
