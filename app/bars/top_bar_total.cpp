// What of the total there is room for, and where it stands.
#include <cmath>

#include "app/bars/top_bar_parts.hpp"
#include "app/parts/words.hpp"
#include "app/state/in_view.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float before_unit = 8;

// What the number counts, and, where the numbers that stand there now make no model, of what it is the total instead.
std::string unit_of(const Shown& model) {
    if (model.derived.current) return "parameters";
    if (model.document.architecture.vocab > 0) return "before the change";
    // A params.json leaves it open until one has said it.
    return "if V is " + std::to_string(model.derived.shown.architecture.vocab);
}

// What it says. One of `exact` and `rounded` stands for the other where there is no room.
struct TotalTexts {
    std::string exact, rounded, beside, change, unit;
    bool current = true;  // of the numbers that stand there now
};

TotalTexts texts_of(const Shown& model) {
    const Parameters& parameters = model.derived.shown.parameters;
    const std::int64_t change = parameters.total - model.derived.base.parameters.total;
    const bool edited = model.document.architecture != model.document.base;
    const std::string active = active_text(parameters), rounded = short_count(parameters.total);
    return {.exact = grouped(parameters.total),
            .rounded = rounded,
            .beside = rounded + (active.empty() ? "" : " · " + active),
            .change = edited && change != 0 ? signed_grouped(change) : "",
            .unit = unit_of(model),
            .current = model.derived.current};
}

// By how much B differs from A, with the share of A beside it.
TotalTexts texts_of_both(const Shown& a, const Shown& b) {
    const std::int64_t total = a.derived.shown.parameters.total;
    const std::int64_t change = b.derived.shown.parameters.total - total;
    const bool current = a.derived.current && b.derived.current;
    return {.exact = signed_grouped(change),
            .rounded = signed_short(change),
            .beside = (change > 0 ? "+" : "") + percent(change, total),
            .change = "",
            .unit = current ? "parameters" : "before the change",
            .current = current};
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

std::string draw_top_bar_total(const Ui& ui, const Session& session, float from, float right, float centre,
                               Intents& intents) {
    const Fonts& fonts = ui.fonts;
    TotalTexts texts =
        shows_both(session) ? texts_of_both(session, *session.comparison.other) : texts_of(model_in_view(session));
    if (shows_another(session)) texts.unit = "in " + model_in_view(session).document.architecture.name;

    const float gap = ui.px(top_bar_gap), room = right - from;
    const bool exactly = text_width(fonts.mono_total, texts.exact) <= room;
    const std::string& shown = exactly ? texts.exact : texts.rounded;
    const float width = text_width(fonts.mono_total, shown),
                beside = text_width(fonts.mono_body, texts.beside) + 2 * gap;
    if (shown.empty() || width > room) return texts.exact;
    const float unit = text_width(fonts.body, texts.unit) + ui.px(before_unit);
    const float change_width = text_width(fonts.mono, texts.change) + gap + ui.px(4);
    // Beside another model's total nothing is worth more than whose it is.
    const bool unit_first = shows_another(session) && room >= width + unit;
    const bool with_beside = shown == texts.exact && room >= width + beside + (unit_first ? unit : 0);
    const bool with_unit = unit_first || (with_beside && room >= width + beside + unit);
    const bool with_change = !texts.change.empty() && with_unit && room >= width + beside + unit + change_width;

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
    press_total(ui, session, texts.exact, min, with_beside ? max : ImVec2(line_x, max.y), intents);
    text(fonts.mono_total, exact_from, texts.current ? ui.theme.text_high : ui.theme.text_low, shown);
    if (with_unit) text(fonts.body, unit_from + ui.px(before_unit), ui.theme.text_mid, texts.unit);
    if (!texts.current) ui.recorder.record("topbar.provisional", min, max);
    if (!with_beside) return texts.exact;
    list.AddRectFilled(ImVec2(line_x, centre - ui.px(10)), ImVec2(line_x + 1, centre + ui.px(10)),
                       ui.theme.strong_line);
    text(fonts.mono_body, beside_from, ui.theme.text_mid, texts.beside);
    return texts.exact;
}

}  // namespace headcount
