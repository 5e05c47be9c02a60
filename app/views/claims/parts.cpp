// The marks of verdicts, and the two numbers of a claim side by side.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

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

}  // namespace

VerdictLook look_of(const Theme& theme, Verdict verdict) {
    switch (verdict) {
        case Verdict::right:
            return {Icon::check, readable(theme, theme.right)};
        case Verdict::incomplete:
            return {Icon::theme, theme.text_mid};  // half of a disc is filled
        case Verdict::rounded:
            return {Icon::nearly, readable(theme, theme.right)};
        case Verdict::wrong:
            break;
    }
    return {Icon::cross, readable(theme, theme.wrong)};
}

std::string verdict_title(Verdict verdict) {
    return capitalized(verdict_key(verdict));
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

Intents draw_claim_numbers(const Ui& ui, const CheckedClaim& checked) {
    Intents intents;
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
    return intents;
}

}  // namespace headcount
