// One claim: the statement as it was said, what was said beside what the model has, the verdict and why, step by step.
#include <cmath>
#include <vector>

#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/claims/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

struct Chip {
    std::string text;
    bool mono = false;
};

std::vector<Chip> chips_of(const FoundClaim& found) {
    const Input& input = found.claim->input;
    std::vector<Chip> chips{{found.checked->model, false}, {"T = " + std::to_string(input.tokens), true}};
    if (input.batch != 1) chips.push_back({"B = " + std::to_string(input.batch), true});
    if (input.cached != 0) chips.push_back({"P = " + std::to_string(input.cached), true});
    return chips;
}

// From left to right, on as many lines as they need; the button at the right end of the first, or on the next.
void draw_chips(const Ui& ui, const FoundClaim& found, Intents& intents) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const Button open{
        .label = "Explore this model", .small = true, .tooltip = "Makes it the document. Undo brings yours back."};
    const float width = available_width(), between = ui.px(6), line = std::round(ui.px(size::small_button + 4));
    const float right = start.x + width, button_from = right - button_width(ui, open);
    const float lower = std::round(ui.px(size::small_button - size::chip) / 2);
    ImVec2 at = start;
    for (const Chip& each : chips_of(found)) {
        const float wide = chip_width(ui, each.text, each.mono);
        const float end = at.y == start.y ? button_from - between : right;
        if (at.x + wide > end && at.x > start.x) at = ImVec2(start.x, at.y + line);
        ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + lower));
        chip(ui, each.text, each.mono);
        at.x += wide + between;
    }
    const bool beside = at.y > start.y || at.x <= button_from;
    if (!beside) at.y += line;
    ImGui::SetCursorScreenPos(ImVec2(std::round(beside ? button_from : start.x), beside ? start.y : at.y));
    if (button(ui, "claim.open", open)) intents.push_back(AtClaims{OpenClaimModel{}});
    place(start, ImVec2(width, at.y - start.y + ui.px(size::small_button)));
}

// An icon and words, and a paragraph below that is set in under the words.
void draw_marked(const Ui& ui, Icon icon, ImU32 ink, std::string_view title, std::string_view text) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float indent = std::round(ui.px(26)), line = std::round(ui.px(22)), width = available_width() - indent;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_icon(list, icon, ImVec2(start.x + ui.px(8), start.y + line / 2), ui.px(size::icon), ink);
    draw_text_in(list, ui.fonts.body_bold, ImVec2(start.x + indent, start.y),
                 ImVec2(start.x + indent + width, start.y + line), ink, title);
    const std::string words = with_symbols(text);
    const ImVec2 extent = wrapped_extent(ui.fonts.body, words, width, true);
    draw_wrapped(list, ui.fonts.body, ImVec2(start.x + indent, start.y + line), ui.theme.text_high, words, width, true);
    place(start, ImVec2(indent + width, line + extent.y));
}

void draw_verdict(const Ui& ui, const FoundClaim& found) {
    const Verdict verdict = found.checked->verdict;
    const VerdictLook look = look_of(ui.theme, verdict);
    const bool wrong = verdict == Verdict::wrong;
    const Card card(ui, "claim.verdict", wrong ? ui.theme.wrong_fill : 0, wrong ? ui.theme.wrong_fill : 0);
    draw_marked(ui, look.icon, look.ink, verdict_title(verdict), found.checked->why);
}

// The engine, a model or the claim's file is wrong: nobody may overlook that.
void draw_changed(const Ui& ui, const FoundClaim& found) {
    if (found.claim->recorded == found.checked->verdict) return;
    const ImU32 ink = readable(ui.theme, ui.theme.wrong);
    {
        const Card card(ui, "claim.changed", ui.theme.wrong_fill, ui.theme.wrong);
        draw_marked(ui, Icon::warning, ink, "The verdict has changed",
                    "It is recorded as \"" + std::string(verdict_key(found.claim->recorded)) +
                        "\", and the model says \"" + std::string(verdict_key(found.checked->verdict)) +
                        "\". Mend the claim's file, or record the new verdict there.");
    }
    gap(ui, 12);
}

void draw_found(const Ui& ui, const FoundClaim& found, std::optional<std::size_t> step, Intents& intents) {
    text_line(ui, ui.fonts.table, ui.theme.text_low, found.group->file.title);
    gap(ui, 8);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    paragraph(ui, ui.fonts.question, ui.theme.text_high, "“" + found.claim->says + "”");
    ui.recorder.record("claim.says", top, ImGui::GetItemRectMax());
    gap(ui, 6);
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, found.group->file.source);
    gap(ui, 14);
    draw_chips(ui, found, intents);
    gap(ui, 16);
    draw_changed(ui, found);
    const auto add = [&](Intents more) {
        for (Intent& intent : more) intents.push_back(std::move(intent));
    };
    add(draw_claim_numbers(ui, *found.checked));
    gap(ui, 12);
    draw_verdict(ui, found);
    gap(ui, 20);
    add(draw_claim_steps(ui, *found.checked, step));
    gap(ui, 8);
}

}  // namespace

Intents draw_claim(const Ui& ui, const ClaimsPage& page, const ClaimPlace& chosen) {
    Intents intents;
    const FoundClaim found = find_claim(page, chosen);
    // Another claim begins at its beginning.
    std::string& seen = kept<std::string>(ui, "claim.seen");
    const std::string now = chosen.file + "\n" + chosen.claim;
    if (seen != now) ImGui::SetScrollY(0);
    seen = now;
    if (found) {
        draw_found(ui, found, chosen.step, intents);
    } else if (!page.problem.empty()) {
        paragraph(ui, ui.fonts.body, ui.theme.text_high, page.problem);
    }
    return intents;
}

}  // namespace headcount
