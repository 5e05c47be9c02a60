// The bar over a model that is shown to a class, and what is said of it where no tour speaks.
#include <cmath>

#include "app/panels/show.hpp"
#include "app/panels/words.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float between = 14;

Saying said_of(const Counted& shown, const Tensor& tensor) {
    const std::string shape = shape_in_numbers(tensor.shape, shown.bindings);
    const std::string name(tensor.label);
    if (tensor.role != Role::parameter) return {name + ": " + shape, as_sentence(tensor.meaning, shown.bindings)};
    const std::int64_t one = elements_of(tensor.shape, shown.bindings);
    const std::int64_t copies = value_of(shown.graph.copies(tensor.block), shown.bindings);
    std::string sentence =
        shape + (copies == 1 ? " numbers." : " numbers, " + grouped(copies) + " times in the model: ");
    if (copies > 1) sentence += count_text(checked_multiply(one, copies)) + " in all.";
    return {name + ": " + grouped(one), sentence};
}

Saying said_of(const Counted& shown, Component component) {
    const std::int64_t count = shown.parameters.of(component);
    return {std::string(component_name(component)) + ": " + grouped(count),
            percent(count, shown.parameters.total) + " of all parameters."};
}

}  // namespace

Saying said_of_selection(const Session& session) {
    const Counted& shown = session.derived.shown;
    const Subject& selection = session.view.selection;
    if (const Tensor* const tensor = tensor_of(shown.graph, selection)) return said_of(shown, *tensor);
    if (const auto* component = std::get_if<Component>(&selection)) return said_of(shown, *component);
    if (const auto* field = std::get_if<Field>(&selection)) {
        const std::string value = field_text(shown.architecture, *field).value_or("");
        const auto number = field_number(shown.architecture, *field);
        return {std::string(info(*field).label) + ": " + (number ? grouped(*number) : value),
                "What is lit has this size along one of its sides."};
    }
    const std::string layers = grouped(shown.bindings[Symbol::layers].value_or(0));
    const std::string width = std::to_string(shown.bindings[Symbol::dim].value_or(0));
    return {title_of(session.document) + ": " + grouped(shown.parameters.total) + " parameters",
            layers + " layers of width " + width + ", " + tokens_text(shown.input) + "."};
}

Intents draw_presenter_bar(const Ui& ui, const Session& session) {
    Intents intents;
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float padding = std::round(ui.px(size::panel_padding)), centre = std::round(corner.y + extent.y / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto put = [&](const Font& font, float x, ImU32 colour, std::string_view words, float width = 0) {
        draw_text(list, font, ImVec2(std::round(x), text_top(font, centre)), colour, words, width);
    };
    const Button back{.label = "Esc", .icon = Icon::shrink, .tooltip = "Back to the sliders and tables (Esc or F5)"};
    float right = corner.x + extent.x - padding - button_width(ui, back);
    ImGui::SetCursorScreenPos(ImVec2(right, centre - std::round(ui.px(size::button) / 2)));
    if (button(ui, "presenter.back", back)) intents.push_back(Present{false});

    // Where there is no room for all, the program's name goes first, then the unit; and the exact total is rounded.
    const Counted& shown = session.derived.shown;
    const std::string active = active_text(shown.parameters);
    const std::string unit = active.empty() ? "parameters" : "parameters, " + active;
    const float side = ui.px(18), name_width = text_width(ui.fonts.body_bold, "Headcount");
    const float named = side + ui.px(9) + name_width + ui.px(2 * between), least_title = ui.px(120);
    float left = corner.x + padding;
    std::string total = grouped(shown.parameters.total);
    const auto room_beside = [&](float more) {
        return right - left - text_width(ui.fonts.mono_total, total) - ui.px(2 * between) - least_title >= more;
    };
    const float unit_width = ui.px(8) + text_width(ui.fonts.body, unit);
    const bool with_unit = room_beside(unit_width), with_name = room_beside(unit_width + named);
    if (!room_beside(0)) total = short_count(shown.parameters.total);
    right -= ui.px(between);
    if (with_unit) {
        right -= text_width(ui.fonts.body, unit);
        put(ui.fonts.body, right, ui.theme.text_mid, unit);
        right -= ui.px(8);
    }
    right -= text_width(ui.fonts.mono_total, total);
    put(ui.fonts.mono_total, right, ui.theme.text_high, total);
    ui.recorder.record("presenter", "total", ImVec2(right, corner.y),
                       ImVec2(right + text_width(ui.fonts.mono_total, total), corner.y + extent.y));

    if (with_name) {
        draw_logo(list, ImVec2(left, centre - side / 2), side, ui.theme.strong_line, ui.theme.query, ui.theme.key);
        const float name = left + side + ui.px(9);
        put(ui.fonts.body_bold, name, ui.theme.text_high, "Headcount");
        left += named;
        const float line = std::round(left - ui.px(between));
        list.AddRectFilled(ImVec2(line, centre - ui.px(10)), ImVec2(line + 1, centre + ui.px(10)),
                           ui.theme.strong_line);
    }
    const bool verified = session.document.architecture.family->verified;
    const float room = right - left - ui.px(between);
    if (room > 1)
        put(ui.fonts.body, left, ui.theme.text_high, title_of(session.document) + (verified ? "" : " (not verified)"),
            room);
    return intents;
}

}  // namespace headcount
