// What of the total there is room for, and where it stands.
#include <cmath>

#include "app/bars/top_bar_parts.hpp"
#include "app/parts/words.hpp"
#include "app/state/in_view.hpp"
#include "app/ui/rich_text.hpp"
#include "core/base/text.hpp"
#include "core/files/open.hpp"

namespace headcount {
namespace {

constexpr float before_unit = 8;

// What the number counts, and, where the numbers that stand there now make no model, of what it is the total instead.
std::string unit_of(const Shown& model) {
    if (model.derived.current) return model.unit.empty() ? "parameters" : model.unit;
    if (model.document.architecture.vocab > 0) return "before the change";
    // A params.json leaves it open until one has said it.
    return "if V is " + std::to_string(model.derived.shown.architecture.vocab);
}

// What it says. One of `exact` and `rounded` stands for the other where there is no room.
struct TotalTexts {
    std::string exact, rounded, beside, change, unit;
    std::string copied = {};  // `exact` without a sign of doubt
    std::string active = {};  // how many a token uses, where those are not all; in `beside`, too
    bool current = true;      // of the numbers that stand there now
};

TotalTexts texts_of(const Shown& model) {
    const Parameters& parameters = model.derived.shown.parameters;
    const std::int64_t change = parameters.total - model.derived.base.parameters.total;
    const bool edited = model.document.architecture != model.document.base;
    const std::string active = active_text(parameters), rounded = short_count(parameters.total);
    return {.exact = total_text(model.derived),
            .rounded = short_total_text(model.derived),
            .beside = rounded + (active.empty() ? "" : " · " + active),
            .change = edited && change != 0 ? signed_grouped(change) : "",
            .unit = unit_of(model),
            .copied = grouped(parameters.total),
            .active = active,
            .current = model.derived.current};
}

// By how much B differs from A, with the share of A beside it.
TotalTexts texts_of_both(const Shown& a, const Shown& b) {
    const std::int64_t total = a.derived.shown.parameters.total;
    const std::int64_t change = b.derived.shown.parameters.total - total;
    const bool current = a.derived.current && b.derived.current;
    const std::string sign(doubt_sign(a.derived.doubt + b.derived.doubt));
    return {.exact = sign + signed_grouped(change),
            .rounded = sign + signed_short(change),
            .beside = (change > 0 ? "+" : "") + percent(change, total),
            .change = "",
            .unit = current ? "parameters" : "before the change",
            .copied = signed_grouped(change),
            .current = current};
}

TotalTexts texts_in(const Session& session) {
    return shows_both(session) ? texts_of_both(session, *session.comparison.other) : texts_of(model_in_view(session));
}

// In pixels, each with the gap before it; 0 of what is not there.
struct PartWidths {
    float exact = 0, unit = 0, change = 0, beside = 0, active = 0;
};

PartWidths widths_of(const Ui& ui, const TotalTexts& texts) {
    const float gap = ui.px(top_bar_gap);
    return {.exact = text_width(ui.fonts.mono_total, texts.exact),
            .unit = text_width(ui.fonts.body, texts.unit) + ui.px(before_unit),
            .change = texts.change.empty() ? 0 : text_width(ui.fonts.mono, texts.change) + gap + ui.px(4),
            .beside = text_width(ui.fonts.mono_body, texts.beside) + 2 * gap,
            .active = texts.active.empty() ? 0 : text_width(ui.fonts.mono_body, texts.active) + 2 * gap};
}

void press_total(const Ui& ui, const Session& session, const std::string& exact, ImVec2 min, ImVec2 max,
                 Intents& intents) {
    const IdScope scope("topbar.total");
    ui.recorder.record("topbar.total", min, max);
    const ImVec2 reach(ui.px(8), ui.px(6));
    const Press press = press_area(ui, "total", min - reach, max + reach, size::radius_button);
    const bool selected = std::holds_alternative<TotalSubject>(session.look.selection);
    const bool pointed = press.hovered || std::holds_alternative<TotalSubject>(session.look.hover);
    if (selected || pointed)
        ImGui::GetWindowDrawList()->AddRectFilled(min - reach, max + reach,
                                                  selected ? selected_tint(ui.theme) : hover_tint(ui.theme),
                                                  ui.px(size::radius_button));
    if (press.hovered) intents.push_back(Hover{TotalSubject{}});
    // In the other views nothing shows what is selected; what a lesson is about is not the user's to select.
    if (press.pressed && !shows_another(session) && session.view.workspace != explore_view && !shows_both(session))
        intents.push_back(ShowWorkspace{explore_view});
    if (press.pressed && !shows_another(session)) intents.push_back(Select{TotalSubject{}});
    if (press.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) intents.push_back(Copy{exact, exact});
}

}  // namespace

float top_bar_total_width(const Ui& ui, const Session& session, bool alone) {
    const TotalTexts texts = texts_in(session);
    const PartWidths wide = widths_of(ui, texts);
    return std::ceil(wide.exact + (alone ? 0 : (wide.active > 0 ? wide.active : wide.unit) + wide.change)) + 1;
}

std::string draw_top_bar_total(const Ui& ui, const Session& session, float from, float right, float centre,
                               Intents& intents) {
    const Fonts& fonts = ui.fonts;
    const TotalTexts texts = texts_in(session);

    const float gap = ui.px(top_bar_gap);
    const PartWidths wide = widths_of(ui, texts);
    const bool exactly = wide.exact <= right - from;
    const std::string& shown = exactly ? texts.exact : texts.rounded;
    const float width = exactly ? wide.exact : text_width(fonts.mono_total, shown);
    float left = right - from - width;
    if (shown.empty() || left < 0) return texts.copied;
    const auto fits = [&](float part) {
        if (!exactly || part <= 0 || part > left) return false;
        left -= part;
        return true;
    };
    // How many a token uses is said nowhere else; of all others the rounded total is what is least missed.
    const bool whole = wide.active > 0 && fits(wide.beside), active = !whole && fits(wide.active);
    const bool with_unit = fits(wide.unit), with_change = fits(wide.change);
    const bool with_beside = whole || active || (wide.active == 0 && fits(wide.beside));
    const float unit = wide.unit, beside = active ? wide.active : wide.beside, change_width = wide.change;

    const float beside_from = with_beside ? right - beside + 2 * gap : right;
    const float line_x = with_beside ? std::round(beside_from - gap) : right;
    const float unit_from = line_x - (with_beside ? gap : 0) - (with_unit ? unit : 0);
    const float exact_from = std::round(unit_from - width), change_from = std::round(exact_from - change_width);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float half = fonts.mono_total.size / 2;
    const auto text = [&](const Font& font, float x, ImU32 colour, const std::string& words) {
        const About about(&words == &texts.unit ? std::string_view{} : total_key);
        draw_text(list, font, ImVec2(x, text_top(font, centre)), colour, words);
    };
    if (with_change) {
        text(fonts.mono, change_from, ui.theme.text_mid, texts.change);
        ui.recorder.record("topbar.change", ImVec2(change_from, centre - half),
                           ImVec2(exact_from - ui.px(top_bar_gap), centre + half));
    }
    const ImVec2 min(exact_from, centre - half), max(line_x - ui.px(top_bar_gap), centre + half);
    press_total(ui, session, texts.copied, min, with_beside ? max : ImVec2(line_x, max.y), intents);
    text(fonts.mono_total, exact_from, texts.current ? ui.theme.text_high : ui.theme.text_low, shown);
    if (with_unit) text(fonts.body, unit_from + ui.px(before_unit), ui.theme.text_mid, texts.unit);
    if (!texts.current) ui.recorder.record("topbar.provisional", min, max);
    if (!with_beside) return texts.copied;
    list.AddRectFilled(ImVec2(line_x, centre - ui.px(10)), ImVec2(line_x + 1, centre + ui.px(10)),
                       ui.theme.strong_line);
    text(fonts.mono_body, beside_from, ui.theme.text_mid, active ? texts.active : texts.beside);
    return texts.copied;
}

}  // namespace headcount
