// The tokens of a run as chips, each with its position below it: the prompt's outlined, those that were made filled,
// and the next one dashed. A long row scrolls.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/icons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/changes.hpp"
#include "core/base/scripts.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {
namespace {

constexpr float chip_height = 26, between_chips = 6, chip_padding = 9, least_chip = 26, most_chip = 160, below = 5;

float width_of(const Ui& ui, const std::string& text) {
    const float words = text_width(ui.fonts.mono, text) + 2 * ui.px(chip_padding);
    return std::round(std::clamp(words, ui.px(least_chip), ui.px(most_chip)));
}

// `seldom`: a training has hardly read it.
void draw_chip(const Ui& ui, const RunToken& token, const std::string& number, ImVec2 min, ImVec2 max, bool chosen,
               bool seldom) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 border = chosen ? ui.theme.selection : ui.theme.strong_line;
    draw_box(list, min, max, token.generated ? ui.theme.hover : ui.theme.canvas,
             token.generated ? ui.theme.hover : border, ui.px(size::radius_field));
    if (chosen) list.AddRect(min, max, ui.theme.selection, ui.px(size::radius_field), 0, ui.px(2));
    if (seldom) draw_dashed_rect(list, min, max, ui.theme.wrong, ui.px(4), std::max(1.0F, ui.px(1.5F)));
    const float inset = std::min(ui.px(chip_padding), (max.x - min.x) / 4);
    draw_text_in(list, ui.fonts.mono, ImVec2(min.x + inset, min.y), ImVec2(max.x - inset, max.y), ui.theme.text_high,
                 chip_text(token.text), Align::centre);
    // Bands of attention run behind it.
    const float half = text_width(ui.fonts.mono_caption, number) / 2 + ui.px(2), middle = (min.x + max.x) / 2;
    list.AddRectFilled(ImVec2(middle - half, max.y + ui.px(below)), ImVec2(middle + half, max.y + ui.px(below + 12)),
                       ui.theme.panel, ui.px(3));
    draw_text_in(list, ui.fonts.mono_caption, ImVec2(min.x, max.y + ui.px(below)),
                 ImVec2(max.x, max.y + ui.px(below + 12)), chosen ? ui.theme.text_high : ui.theme.text_low, number,
                 Align::centre);
}

bool seldom(const RunSnapshot& run, const RunToken& token) {
    return run.tokenizer && run.tokenizer->hardly_read(token.id);
}

std::string with_note(std::string words, const RunSnapshot& run, const RunToken& token) {
    const std::string note = note_on(run, token.id);
    return note.empty() ? words : words + " " + note;
}

// What comes next, as it is drawn from what the model says; and where a changed run says another token, that.
struct Coming {
    std::vector<std::string> tokens;
    bool operator==(const Coming&) const = default;
};

Coming coming_of(const RunPanel& panel, const RunSnapshot& run) {
    Coming coming;
    const std::optional<std::int32_t> own = coming_token(run, panel.page.next.get());
    if (!own || !has_answered(panel.page)) return coming;
    coming.tokens.push_back(candidate_text(run, *own));
    const RunTrial* const trial = panel.place.beside ? trial_of(panel) : nullptr;
    if (trial && trial->pick && trial->pick != own) coming.tokens.push_back(candidate_text(run, *trial->pick));
    return coming;
}

void draw_coming(const Ui& ui, const std::string& text, ImVec2 min, ImVec2 max) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 ink = readable(ui.theme, ui.theme.output_head);
    draw_dashed_rect(list, min, max, ui.theme.output_head, ui.px(4), std::max(1.0F, ui.px(1)));
    draw_text_in(list, ui.fonts.mono, min, max, ink, text, Align::centre);
}

void draw_nothing(const Ui& ui, const RunPage& page) {
    if (!can_run(page)) return;
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const std::string words =
        page.model->light() ? "Tokens come here." : "Press Play: the model is loaded, and reads the prompt.";
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.body, ImVec2(corner.x + ui.px(size::panel_padding), corner.y),
                 corner + extent, ui.theme.text_low, words);
}

// The row while it is drawn from left to right.
struct Row {
    const Ui& ui;
    float top, height, x;

    std::pair<ImVec2, ImVec2> next(const std::string& text) {
        const ImVec2 min(std::round(x), top), max(std::round(x) + width_of(ui, text), top + height);
        x = max.x + ui.px(between_chips);
        return {min, max};
    }
};

constexpr std::string_view or_word = "or";
float or_width(const Ui& ui) { return text_width(ui.fonts.caption, or_word) + ui.px(between_chips); }
void draw_or(Row& row) {
    const Ui& ui = row.ui;
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.caption, {row.x, row.top},
                 {row.x + or_width(ui), row.top + row.height}, ui.theme.text_mid, or_word);
    row.x += or_width(ui);
}

constexpr float arrow_width = 20;  // between the text that an encoder reads and the decoder's

void draw_source(Row& row, const RunSnapshot& run) {
    const Ui& ui = row.ui;
    for (std::size_t i = 0; i < run.source.size(); ++i) {
        const RunToken& token = run.source[i];
        const std::string number = std::to_string(i);
        const auto [min, max] = row.next(chip_text(token.text));
        ui.recorder.record("run.source." + number, min, max);
        draw_chip(ui, token, number, min, max, false, seldom(run, token));
        const IdScope scope("run.source." + number);
        if (press_area(ui, "chip", min, max, size::radius_field, false).hovered)
            show_tooltip(ui, {"Token " + std::to_string(token.id),
                              "\"" + without_scripts(token.text) + "\"",
                              {},
                              with_note("Of the source, which the encoder reads.", run, token)});
    }
    if (run.source.empty()) return;
    draw_icon(*ImGui::GetWindowDrawList(), Icon::chevron_right,
              ImVec2(row.x + ui.px(arrow_width - between_chips) / 2, row.top + row.height / 2), ui.px(12),
              ui.theme.text_mid);
    row.x += ui.px(arrow_width);
}

// One that is there.
Press token_chip(Row& row, const RunSnapshot& run, std::size_t position, bool chosen) {
    const Ui& ui = row.ui;
    const RunToken& token = run.tokens[position];
    const std::string number = std::to_string(position), name = "run.token." + number;
    const auto [min, max] = row.next(chip_text(token.text));
    ui.recorder.record(name, min, max);
    const IdScope scope(name);
    const Press press = press_area(ui, "chip", min, ImVec2(max.x, max.y + ui.px(16)), size::radius_field, chosen);
    draw_chip(ui, token, number, min, max, chosen || press.hovered, seldom(run, token));
    if (press.hovered)
        show_tooltip(ui, {"Token " + std::to_string(token.id),
                          "\"" + without_scripts(token.text) + "\"",
                          {},
                          with_note(token.generated ? "Drawn by the model." : "Of the prompt.", run, token)});
    return press;
}

// The other panels light what is this token's.
void tell_others(const Ui& ui, const std::optional<std::int64_t>& chip) {
    if (pointed_in_run(ui).chip == chip) return;
    pointed_in_run(ui).chip = chip;
    ui.memory.animating = true;  // they have been drawn, or not yet
}

// What the row was last scrolled for.
struct Seen {
    std::int64_t chosen = -1, tokens = -1;
    Coming coming;
    float most = 0;  // how far it scrolls

    bool operator==(const Seen&) const = default;
};

// How wide the row is, where in it is what is chosen, and the middle of each chip.
struct RowSpan {
    float whole = 0, from = 0, to = 0;
    ChipFeet feet;
};

// Before the row is drawn: the window knows how wide it has become a frame later.
RowSpan measure_row(const Ui& ui, const RunSnapshot& run, const Coming& coming, std::int64_t chosen) {
    RowSpan span;
    Row row{ui, 0, 0, 0};
    const auto foot_of = [&row](const RunToken& token) {
        const auto [min, max] = row.next(chip_text(token.text));
        return ImVec2(std::round((min.x + max.x) / 2), 0);
    };
    for (const RunToken& token : run.source) span.feet.source.push_back(foot_of(token));
    if (!run.source.empty()) row.x += ui.px(arrow_width);
    for (std::size_t i = 0; i < run.tokens.size(); ++i) {
        const bool here = static_cast<std::int64_t>(i) == chosen;
        if (here) span.from = row.x;
        span.feet.tokens.push_back(foot_of(run.tokens[i]));
        if (here) span.to = row.x;
    }
    for (std::size_t i = 0; i < coming.tokens.size(); ++i) {
        if (i > 0) row.x += or_width(ui);
        row.next(coming.tokens[i]);
        if (chosen + 1 == static_cast<std::int64_t>(run.tokens.size())) span.to = row.x;
    }
    span.whole = row.x;
    return span;
}

// A new choice is brought into sight, and so is a new token. Returns how far the row is scrolled in this frame, which
// has been laid out as it was before.
float bring_into_sight(const Ui& ui, Seen now, const RowSpan& span) {
    Seen& seen = kept<Seen>(ui, "run.tokens.seen");
    const float padding = ui.px(size::panel_padding), width = ImGui::GetWindowSize().x, was = ImGui::GetScrollX();
    now.most = std::floor(std::max(0.0F, span.whole + 2 * padding - width));
    if (seen == now) return was;
    const float from = padding + span.from, to = padding + span.to;
    float scroll = was;
    if (to + ui.px(80) > was + width)
        scroll = to + ui.px(120) - width;
    else if (from < was + padding)
        scroll = from - padding;
    scroll = std::clamp(std::round(scroll), 0.0F, now.most);
    if (scroll != was) ImGui::SetScrollX(scroll);
    seen = now;
    ui.memory.animating = true;
    return scroll;
}

}  // namespace

Intents draw_run_tokens(RunPanel panel) {
    const Ui& ui = panel.ui;
    const RunSnapshot* const run = panel.run();
    if (!run) {
        tell_others(ui, std::nullopt);
        draw_nothing(ui, panel.page);
        return {};
    }
    const auto tokens = static_cast<std::int64_t>(run->tokens.size());
    // Behind the last one stands what follows it; behind an earlier one there is a token already.
    const Seen now{panel.lit_position(), tokens, coming_of(panel, *run)};
    const float padding = ui.px(size::panel_padding);
    RowSpan span = measure_row(ui, *run, now.coming, now.chosen);
    const float left = ImGui::GetWindowPos().x + padding, before = ImGui::GetScrollX();
    const float scroll = bring_into_sight(ui, now, span);
    Row row{ui, std::round(ImGui::GetWindowPos().y + ui.px(14)), std::round(ui.px(chip_height)), left - scroll};
    for (std::vector<ImVec2>* const feet : {&span.feet.source, &span.feet.tokens})
        for (ImVec2& foot : *feet) foot = foot + ImVec2(row.x, row.top + row.height);
    draw_attention_bands(ui, attention_bands(panel, *run), span.feet);
    draw_source(row, *run);
    std::optional<std::int64_t> pointed;
    for (std::int64_t i = 0; i < tokens; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Press press = token_chip(row, *run, at, i == now.chosen);
        if (press.hovered) pointed = i;
        if (press.pressed)
            panel.set([&](RunPlace& place) { place.position = i + 1 == tokens ? std::nullopt : std::optional(i); });
    }
    for (std::size_t i = 0; i < now.coming.tokens.size(); ++i) {
        if (i > 0) draw_or(row);
        const auto [min, max] = row.next(now.coming.tokens[i]);
        ui.recorder.record(i > 0 ? "run.coming.changed" : "run.coming", min, max);
        draw_coming(ui, now.coming.tokens[i], min, max);
    }
    tell_others(ui, pointed);
    // The row is as wide as it is, so that the window scrolls.
    place(ImVec2(left - before, row.top), ImVec2(span.whole + padding, row.height));
    return std::move(panel.intents);
}

}  // namespace headcount
