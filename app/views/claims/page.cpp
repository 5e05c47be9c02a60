// One claim: the statement as it was said, what was said beside what the model has, the verdict and why, step by step.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "app/parts/hidden.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/claims/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float least_box = 180, between_boxes = 12, box_padding = 14;

// A paragraph of a box, with its distance from the one before.
struct BoxLine {
    const Font* font = nullptr;
    ImU32 colour = 0;
    std::string text;
    bool scripts = false;
    float above = 0;
};

struct SentenceBox {
    std::string_view name, title;
    ImU32 border = 0;
    std::string copied;
    std::vector<BoxLine> lines;
};

void add_value(const Ui& ui, SentenceBox& box, const std::string& text, ImU32 colour) {
    box.lines.push_back({&ui.fonts.table, ui.theme.text_low, std::string(box.title), false, 0});
    box.lines.push_back({&ui.fonts.mono_total, colour, text, false, 4});
    box.copied = text;
}

void add_details(const Ui& ui, SentenceBox& box, const ClaimValue& value) {
    float above = 6;
    for_each_detail(ui, value, [&](const Font& font, ImU32 colour, const std::string& text, bool scripts) {
        box.lines.push_back({&font, colour, text, scripts, above});
        above = 2;
    });
}

SentenceBox said_box(const Ui& ui, const CheckedClaim& checked) {
    const bool wrong = checked.verdict == Verdict::wrong;
    const ImU32 ink = wrong ? readable(ui.theme, ui.theme.wrong) : ui.theme.text_high;
    SentenceBox box{"claim.said", "Said", wrong ? ui.theme.wrong : ui.theme.strong_line, {}, {}};
    add_value(ui, box, checked.claimed, ink);
    if (!checked.reached) return box;
    // Where only a formula was given, its value is what was said.
    const ClaimValue& reached = *checked.reached;
    if (reached.text == checked.claimed) {
        add_details(ui, box, reached);
        return box;
    }
    box.lines.push_back({&ui.fonts.table, ui.theme.text_low, "reached as", false, 8});
    add_details(ui, box, reached);
    const std::string result = "= " + reached.text + (checked.reaches ? "" : ", which is not " + checked.claimed);
    box.lines.push_back({&ui.fonts.mono, checked.reaches ? ui.theme.text_high : ink, result, false, 2});
    return box;
}

SentenceBox computed_box(const Ui& ui, const CheckedClaim& checked) {
    SentenceBox box{"claim.computed", "In the model", ui.theme.strong_line, {}, {}};
    add_value(ui, box, checked.computed.text, ui.theme.text_high);
    add_details(ui, box, checked.computed);
    if (checked.without.empty()) return box;
    box.lines.push_back({&ui.fonts.table, ui.theme.text_low, "left out", false, 8});
    for (const CheckedPart& part : checked.without) {
        box.lines.push_back({&ui.fonts.table, ui.theme.text_mid, part.what, false, 2});
        box.lines.push_back({&ui.fonts.mono, ui.theme.text_mid, "− " + part.value.text, false, 0});
    }
    box.lines.push_back({&ui.fonts.mono, ui.theme.text_high, "= " + checked.rest, false, 2});
    return box;
}

float height_of(const Ui& ui, const SentenceBox& box, float width) {
    float height = 2 * ui.px(box_padding);
    for (const BoxLine& line : box.lines)
        height += ui.px(line.above) + wrapped_extent(*line.font, line.text, width, line.scripts).y;
    return std::ceil(height);
}

void draw_box_of(const Ui& ui, const SentenceBox& box, ImVec2 min, ImVec2 max, Intents& intents) {
    const IdScope scope(box.name);
    ui.recorder.record(box.name, min, max);
    const Press press = press_area(ui, "copy", min, max, size::radius_card);
    hint(ui, "Copy");
    if (press.pressed) intents.push_back(Copy{box.copied, box.copied});
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, min, max, press.hovered ? ui.theme.hover : ui.theme.raised, box.border, ui.px(size::radius_card));
    const float padding = ui.px(box_padding), width = max.x - min.x - 2 * padding;
    ImVec2 at(min.x + padding, min.y + padding);
    for (const BoxLine& line : box.lines) {
        at.y += ui.px(line.above);
        draw_wrapped(list, *line.font, ImVec2(at.x, std::round(at.y)), line.colour, line.text, width, line.scripts);
        at.y += wrapped_extent(*line.font, line.text, width, line.scripts).y;
    }
}

// What was said and what the model has, side by side where there is room.
void draw_claim_numbers(const Ui& ui, const CheckedClaim& checked, Intents& intents) {
    const SentenceBox said = said_box(ui, checked), computed = computed_box(ui, checked);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float whole = available_width(), apart = std::round(ui.px(between_boxes)), padding = 2 * ui.px(box_padding);
    const bool beside = whole >= 2 * ui.px(least_box) + apart;
    const float width = beside ? std::floor((whole - apart) / 2) : whole;
    float first = height_of(ui, said, width - padding), second = height_of(ui, computed, width - padding);
    if (beside) first = second = std::max(first, second);
    const ImVec2 other = beside ? ImVec2(start.x + whole - width, start.y) : ImVec2(start.x, start.y + first + apart);
    draw_box_of(ui, said, start, start + ImVec2(width, first), intents);
    draw_box_of(ui, computed, other, other + ImVec2(width, second), intents);
    place(start, ImVec2(whole, beside ? first : first + apart + second));
}

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
    draw_marked(ui, look.icon, look.ink, capitalized(verdict_key(verdict)), found.checked->why);
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

// What it is about, and each of its steps.
std::vector<std::string> keys_of(const Claim& claim) {
    std::vector<std::string> keys = keys_in({claim.computed.answer, claim.why});
    for (const ClaimStep& step : claim.steps)
        for (std::string& key : keys_in({step.graph.answer})) keys.push_back(std::move(key));
    return keys;
}

void draw_found(const Ui& ui, const FoundClaim& found, const ClaimPlace& chosen, bool presents, Intents& intents) {
    text_line(ui, ui.fonts.table, ui.theme.text_low, found.group->file.title);
    gap(ui, 8);
    const About about(keys_of(*found.claim));
    const ImVec2 top = ImGui::GetCursorScreenPos();
    paragraph(ui, ui.fonts.question, ui.theme.text_high, "“" + found.claim->says + "”");
    ui.recorder.record("claim.says", top, ImGui::GetItemRectMax());
    gap(ui, 6);
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, found.group->file.source);
    gap(ui, 14);
    // A class goes through the steps, which have both numbers, and all of which are to be in sight.
    const bool steps = presents && !found.checked->steps.empty();
    if (!presents) {
        draw_chips(ui, found, intents);
        gap(ui, 16);
    }
    if (steps) {
        draw_claim_steps(ui, *found.checked, chosen.step, intents);
        gap(ui, 14);
        draw_verdict(ui, found);
        return gap(ui, 8);
    }
    draw_changed(ui, found);
    draw_claim_numbers(ui, *found.checked, intents);
    gap(ui, 12);
    draw_verdict(ui, found);
    gap(ui, 20);
    draw_claim_steps(ui, *found.checked, chosen.step, intents);
    gap(ui, 8);
}

}  // namespace

VerdictLook look_of(const Theme& theme, Verdict verdict) {
    switch (verdict) {
        case Verdict::right: return {Icon::check, readable(theme, theme.right)};
        case Verdict::incomplete: return {Icon::theme, theme.text_mid};  // half of a disc is filled
        case Verdict::rounded: return {Icon::nearly, readable(theme, theme.right)};
        case Verdict::wrong: break;
    }
    return {Icon::cross, readable(theme, theme.wrong)};
}

std::string with_symbols(std::string_view words) {
    const auto letter = [&](std::size_t at) {
        return at < words.size() && (std::isalnum(static_cast<unsigned char>(words[at])) || words[at] == '_');
    };
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool symbol = i > 0 && letter(i - 1) && words[i - 1] != '_' && (i == 1 || !letter(i - 2));
        if (words[i] == '\\' || (words[i] == '_' && !symbol)) text += '\\';
        text += words[i];
    }
    return text;
}

Intents draw_claim(const Ui& ui, const ClaimsPage& page, const ClaimPlace& chosen, bool presents) {
    Intents intents;
    const FoundClaim found = find_claim(page, chosen);
    // Another claim begins at its beginning.
    std::string& seen = kept<std::string>(ui, "claim.seen");
    const std::string now = chosen.file + "\n" + chosen.claim;
    if (seen != now) ImGui::SetScrollY(0);
    seen = now;
    if (found) {
        draw_found(ui, found, chosen, presents, intents);
    } else if (!page.problem.empty()) {
        paragraph(ui, ui.fonts.body, ui.theme.text_high, page.problem);
    }
    return intents;
}

}  // namespace headcount
