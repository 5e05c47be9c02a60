// What of the total there is room for, and where it stands.
#include "app/bars/top_bar_total.hpp"

#include <cmath>

#include "app/bars/top_bar_other.hpp"
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

}  // namespace

TotalTexts TotalTexts::of(const Shown& model) {
    const Parameters& parameters = model.derived.shown.parameters;
    const std::int64_t change = parameters.total - model.derived.base.parameters.total;
    const bool edited = model.document.architecture != model.document.base;
    const std::string active = active_text(parameters);
    return {grouped(parameters.total),
            short_count(parameters.total),
            short_count(parameters.total) + (active.empty() ? "" : " · " + active),
            edited && change != 0 ? signed_grouped(change) : "",
            unit_of(model),
            model.derived.current};
}

TotalTexts TotalTexts::of_both(const Session& session) {
    const Derived& other = session.comparison.other->derived;
    const std::int64_t total = session.derived.shown.parameters.total;
    const std::int64_t change = other.shown.parameters.total - total;
    const bool current = session.derived.current && other.current;
    return {signed_grouped(change),
            signed_short(change),
            (change > 0 ? "+" : "") + percent(change, total),
            "",
            current ? "parameters" : "before the change",
            current};
}

TopBarTotal::TopBarTotal(const Ui& ui, const Session& session, float from, float right) {
    const Fonts& fonts = ui.fonts;
    TotalTexts texts = shows_both(session) ? TotalTexts::of_both(session) : TotalTexts::of(model_in_view(session));
    if (shows_another(session)) texts.unit = "in " + model_in_view(session).document.architecture.name;
    exact_ = std::move(texts.exact);
    rounded_ = std::move(texts.beside);
    change_ = std::move(texts.change);
    unit_ = std::move(texts.unit);
    current_ = texts.current;

    const float gap = ui.px(top_bar_gap), room = right - from;
    const float exact_width = text_width(fonts.mono_total, exact_);
    shown_ = exact_width <= room ? exact_ : texts.rounded;
    if (text_width(fonts.mono_total, shown_) > room) shown_.clear();
    const float shown = text_width(fonts.mono_total, shown_), rounded = text_width(fonts.mono_body, rounded_) + 2 * gap;
    const float unit = text_width(fonts.body, unit_) + ui.px(before_unit);
    const float change_width = text_width(fonts.mono, change_) + gap + ui.px(4);
    // Beside another model's total nothing is worth more than whose it is.
    const bool unit_first = shows_another(session) && room >= shown + unit;
    with_rounded_ = shown_ == exact_ && room >= shown + rounded + (unit_first ? unit : 0);
    with_unit_ = !shown_.empty() && (unit_first || (with_rounded_ && room >= shown + rounded + unit));
    with_change_ = !change_.empty() && with_unit_ && room >= shown + rounded + unit + change_width;

    rounded_at_ = with_rounded_ ? right - rounded + 2 * gap : right;
    line_at_ = with_rounded_ ? std::round(rounded_at_ - gap) : right;
    unit_at_ = line_at_ - (with_rounded_ ? gap : 0) - (with_unit_ ? unit : 0);
    exact_at_ = std::round(unit_at_ - shown);
    change_at_ = std::round(exact_at_ - change_width);
}

void TopBarTotal::press(const Ui& ui, const Session& session, ImVec2 min, ImVec2 max, Intents& intents) const {
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
    if (press.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) intents.push_back(Copy{exact_, exact_});
}

void TopBarTotal::draw(const Ui& ui, const Session& session, float centre, Intents& intents) const {
    if (shown_.empty()) return;
    const Fonts& fonts = ui.fonts;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float half = fonts.mono_total.size / 2;
    const auto text = [&](const Font& font, float x, ImU32 colour, std::string_view words) {
        draw_text(list, font, ImVec2(x, text_top(font, centre)), colour, words);
    };
    if (with_change_) {
        text(fonts.mono, change_at_, ui.theme.text_mid, change_);
        ui.recorder.record("topbar.change", ImVec2(change_at_, centre - half),
                           ImVec2(exact_at_ - ui.px(top_bar_gap), centre + half));
    }
    const ImVec2 min(exact_at_, centre - half), max(line_at_ - ui.px(top_bar_gap), centre + half);
    press(ui, session, min, with_rounded_ ? max : ImVec2(line_at_, max.y), intents);
    text(fonts.mono_total, exact_at_, current_ ? ui.theme.text_high : ui.theme.text_low, shown_);
    if (with_unit_) text(fonts.body, unit_at_ + ui.px(before_unit), ui.theme.text_mid, unit_);
    if (!current_) ui.recorder.record("topbar.provisional", min, max);
    if (!with_rounded_) return;
    list.AddRectFilled(ImVec2(line_at_, centre - ui.px(10)), ImVec2(line_at_ + 1, centre + ui.px(10)),
                       ui.theme.strong_line);
    text(fonts.mono_body, rounded_at_, ui.theme.text_mid, rounded_);
}

}  // namespace headcount
