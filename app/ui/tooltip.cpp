// Tooltips: raised, bordered, the value first.
#include "app/ui/tooltip.hpp"

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {
namespace {

class TooltipWindow {
  public:
    explicit TooltipWindow(const Ui& ui) {
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(12), ui.px(8)));
        ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(size::radius_button));
        ImGui::BeginTooltip();
    }
    ~TooltipWindow() {
        ImGui::EndTooltip();
        ImGui::PopStyleVar(3);
    }
    TooltipWindow(const TooltipWindow&) = delete;
    TooltipWindow& operator=(const TooltipWindow&) = delete;
};

void wrapped(const Ui& ui, const Font& font, ImU32 colour, std::string_view text) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ui.px(300);
    draw_wrapped(*ImGui::GetWindowDrawList(), font, start, colour, text, width);
    place(start, wrapped_extent(font, text, width));
}

// A line as wide as its text; a tooltip grows with its content and knows no available width.
void line(const Font& font, ImU32 colour, std::string_view text) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = draw_symbol(*ImGui::GetWindowDrawList(), font, start, colour, text);
    place(start, ImVec2(width, font.size * 1.1F));
}

}  // namespace

void show_tooltip(const Ui& ui, const Tooltip& tooltip) {
    const TooltipWindow window(ui);
    if (!tooltip.value.empty()) line(ui.fonts.mono_result, ui.theme.text_high, tooltip.value);
    if (!tooltip.title.empty())
        line(ui.fonts.body_medium, tooltip.value.empty() ? ui.theme.text_high : ui.theme.text_mid, tooltip.title);
    if (!tooltip.derivation.empty()) line(ui.fonts.mono, ui.theme.text_mid, tooltip.derivation);
    if (!tooltip.remark.empty()) wrapped(ui, ui.fonts.table, ui.theme.text_mid, tooltip.remark);
}

void hint(const Ui& ui, std::string_view text) {
    if (text.empty() || !ImGui::IsItemHovered()) return;
    const TooltipWindow window(ui);
    wrapped(ui, ui.fonts.table, ui.theme.text_high, text);
}

}  // namespace headcount
