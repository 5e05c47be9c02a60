// The small editor below a field's chip.
#include <algorithm>
#include <cfloat>

#include "app/parts/field_rows.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/compare/panels.hpp"

namespace headcount {
namespace {

constexpr float editor_width = 312, editor_height = 200;  // the height is roughly that of the highest

// Which field it is open for.
struct EditedField {
    CompareSide side = CompareSide::a;
    Field field = Field::dim;
    ImVec2 at;
};

void draw_copies(const Ui& ui, const BothSides& both, CompareSide side, Field field, Intents& intents) {
    const CompareSide across = other_than(side);
    const std::string here = field_words(both.of(side).document.architecture, field);
    const std::string there = field_words(both.of(across).document.architecture, field);
    const char* const letter = across == CompareSide::a ? "A" : "B";
    if (here == there) {
        text_line(ui, ui.fonts.caption, ui.theme.text_low, std::string("As in ") + letter);
        return;
    }
    const std::string take = "Take " + there + " from " + letter, give = "Give " + here + " to " + letter;
    const Button taking{.label = take, .small = true}, giving{.label = give, .small = true};
    const std::string name = std::string("compare.") + side_key(side);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = button_width(ui, taking);
    if (button(ui, name + ".take", taking)) intents.push_back(AtCompare{CopyField{field, side}});
    const bool beside = width + ui.px(8) + button_width(ui, giving) <= available_width();
    ImGui::SetCursorScreenPos(beside ? ImVec2(start.x + width + ui.px(8), start.y)
                                     : ImVec2(start.x, start.y + ui.px(size::small_button + 6)));
    if (button(ui, name + ".give", giving)) intents.push_back(AtCompare{CopyField{field, across}});
}

}  // namespace

Intents asked_of_other(Intents intents) {
    for (Intent& intent : intents)
        if (const auto* replace = std::get_if<Replace>(&intent)) {
            ReplaceOther other{replace->document.architecture, replace->edited, replace->settled, replace->run};
            intent = AtCompare{std::move(other)};
        }
    return intents;
}

void open_compare_editor(const Ui& ui, CompareSide side, Field field, ImVec2 at) {
    // Not past the window's edge, wherever it was asked for.
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const ImVec2 most(size.x - ui.px(editor_width + 12), size.y - ui.px(editor_height));
    const ImVec2 inside(std::max(1.0F, std::min(at.x, most.x)), std::max(1.0F, std::min(at.y, most.y)));
    kept<EditedField>(ui, "compare.editor") = {side, field, inside};
    ui.memory.animating = true;
}

Intents draw_compare_editor(const Ui& ui, const BothSides& both, CompareSide side) {
    Intents asked, copied;
    EditedField& edited = kept<EditedField>(ui, "compare.editor");
    if (edited.side != side) return {};
    const IdScope scope("compare.editor");
    if (edited.at.x != 0 || edited.at.y != 0) {
        ImGui::OpenPopup("field");
        ImGui::SetNextWindowPos(edited.at, ImGuiCond_Always);
        edited.at = {};
    }
    const float width = ui.px(editor_width);
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, FLT_MAX));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(size::card_padding), ui.px(size::card_padding)));
    if (ImGui::BeginPopup("field", ImGuiWindowFlags_NoMove)) {
        const ImVec2 min = ImGui::GetWindowPos();
        ui.recorder.record("compare.editor", min, min + ImGui::GetWindowSize());
        FieldForm form = field_form(ui, both.of(side), asked);
        if (info(edited.field).kind == FieldKind::layers)
            text_row(form, edited.field);  // without the layers one by one, for which it has no room
        else
            field_row(form, edited.field);
        gap(ui, 8);
        draw_copies(ui, both, side, edited.field, copied);
        if (!ImGui::IsAnyItemActive() && compat::key_pressed(ImGuiKey_Escape, false)) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    if (side == CompareSide::b) asked = asked_of_other(std::move(asked));
    asked.insert(asked.end(), copied.begin(), copied.end());
    return asked;
}

}  // namespace headcount
