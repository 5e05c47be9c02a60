// The tokens of a run as chips, each with its position below it: the prompt's outlined, those that were made filled,
// and the next one dashed. A long row scrolls.
#include <algorithm>
#include <cmath>

#include "app/panels/run_parts.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {
namespace {

constexpr float chip_height = 26, between = 6, chip_padding = 9, least_chip = 26, most_chip = 160, below = 5;

struct Chip {
    std::string text, number;
    float x = 0, width = 0;
};

float width_of(const Ui& ui, const std::string& text) {
    const float words = text_width(ui.fonts.mono, text) + 2 * ui.px(chip_padding);
    return std::round(std::clamp(words, ui.px(least_chip), ui.px(most_chip)));
}

void draw_chip(const Ui& ui, const Chip& chip, ImVec2 min, ImVec2 max, bool generated, bool chosen) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 border = chosen ? ui.theme.selection : ui.theme.strong_line;
    draw_box(list, min, max, generated ? ui.theme.hover : ui.theme.canvas, generated ? ui.theme.hover : border,
             ui.px(size::radius_field));
    if (chosen) list.AddRect(min, max, ui.theme.selection, ui.px(size::radius_field), 0, ui.px(2));
    const float inset = std::min(ui.px(chip_padding), (max.x - min.x) / 4);
    draw_text_in(list, ui.fonts.mono, ImVec2(min.x + inset, min.y), ImVec2(max.x - inset, max.y), ui.theme.text_high,
                 chip.text, Align::centre);
    draw_text_in(list, ui.fonts.mono_caption, ImVec2(min.x, max.y + ui.px(below)),
                 ImVec2(max.x, max.y + ui.px(below + 12)), chosen ? ui.theme.text_high : ui.theme.text_low, chip.number,
                 Align::centre);
}

// What comes next, as it would be drawn now.
void draw_coming(const Ui& ui, const std::string& text, ImVec2 min, ImVec2 max) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 ink = readable(ui.theme, ui.theme.output_head);
    draw_dashed_rect(list, min, max, ui.theme.output_head, ui.px(4), std::max(1.0F, ui.px(1)));
    draw_text_in(list, ui.fonts.mono, min, max, ink, text, Align::centre);
}

void draw_nothing(const Ui& ui, const Session& session) {
    const RunModel* const model = session.running.model.get();
    if (!can_run(session)) return;
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const std::string words =
        model->light() ? "Tokens come here." : "Press Play: the model is loaded, and reads the prompt.";
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.body, ImVec2(corner.x + ui.px(size::panel_padding), corner.y),
                 corner + extent, ui.theme.text_low, words);
}

}  // namespace

Intents draw_run_tokens(const Ui& ui, const Session& session) {
    Intents intents;
    const RunSnapshot* const run = run_of(session);
    if (!run) {
        draw_nothing(ui, session);
        return intents;
    }
    const RunNext* const next = session.running.next.get();
    // Behind the last one stands what follows it; behind an earlier one there is a token already.
    const bool coming = next && same_numbers(*next->of, *run) && next->pick && run->whole() && !run->over &&
                        next->position + 1 == static_cast<std::int64_t>(run->tokens.size());
    const std::int64_t chosen = lit_position(ui, session);
    const float padding = ui.px(size::panel_padding), top = std::round(ImGui::GetWindowPos().y + ui.px(14));
    const float height = std::round(ui.px(chip_height)), left = ImGui::GetWindowPos().x + padding - ImGui::GetScrollX();
    float x = left;
    float chosen_from = 0, chosen_to = 0;
    for (std::size_t i = 0; i < run->tokens.size(); ++i) {
        const RunToken& token = run->tokens[i];
        Chip chip{chip_text(token), std::to_string(i)};
        const ImVec2 min(std::round(x), top), max(std::round(x) + width_of(ui, chip.text), top + height);
        const bool is_chosen = static_cast<std::int64_t>(i) == chosen;
        if (is_chosen) {
            chosen_from = min.x;
            chosen_to = max.x;
        }
        const std::string name = "run.token." + chip.number;
        ui.recorder.record(name, min, max);
        const IdScope scope(name);
        const Press press =
            press_area(ui, "chip", min, ImVec2(max.x, max.y + ui.px(16)), size::radius_field, is_chosen);
        draw_chip(ui, chip, min, max, token.generated, is_chosen);
        if (press.pressed)
            intents.push_back(with_run(session, [&](RunPlace& place) {
                place.position = static_cast<std::int64_t>(i);
                if (i + 1 == run->tokens.size()) place.position.reset();
            }));
        if (press.hovered)
            show_tooltip(ui, {"Token " + std::to_string(token.id),
                              "\"" + token.text + "\"",
                              {},
                              token.generated ? "Drawn by the model." : "Of the prompt."});
        x = max.x + ui.px(between);
    }
    if (coming) {
        const std::string text = candidate_text(*run, *next->pick);
        const ImVec2 min(std::round(x), top), max(std::round(x) + width_of(ui, text), top + height);
        ui.recorder.record("run.coming", min, max);
        draw_coming(ui, text, min, max);
        x = max.x + ui.px(between);
    }
    // The row is as wide as it is, so that the window scrolls.
    place(ImVec2(left, top), ImVec2(x - left + padding, height));
    // A new choice is brought into sight, and so is a new token.
    struct Seen {
        std::int64_t chosen = -1, tokens = -1, coming = -1;
        float width = 0;

        bool operator==(const Seen&) const = default;
    };
    Seen& seen = kept<Seen>(ui, "run.tokens.seen");
    // The row's width counts, too: how far it scrolls is known only when it has been drawn as wide once.
    const Seen now{chosen, static_cast<std::int64_t>(run->tokens.size()), coming ? *next->pick : -1,
                   ImGui::GetScrollMaxX()};
    if (coming && chosen + 1 == now.tokens) chosen_to = x;
    if (seen != now) {
        const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
        if (chosen_to + ui.px(80) > corner.x + extent.x)
            ImGui::SetScrollX(ImGui::GetScrollX() + chosen_to + ui.px(120) - corner.x - extent.x);
        else if (chosen_from < corner.x + padding)
            ImGui::SetScrollX(std::max(0.0F, ImGui::GetScrollX() - (corner.x + padding - chosen_from)));
        seen = now;
        ui.memory.animating = true;
    }
    return intents;
}

}  // namespace headcount
