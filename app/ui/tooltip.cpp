// Tooltips: raised, bordered, the value first.
#include "app/ui/tooltip.hpp"

#include <algorithm>
#include <functional>

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

// Whether the pointer has been on this for long enough, or comes from something that was just explained.
bool waited(const Ui& ui, std::string_view what) {
    UiMemory::Wait& wait = ui.memory.tooltip;
    constexpr int way = 2;              // frames from one thing to the next, after a rest in which none was drawn
    constexpr int settling_frames = 2;  // ImGui shows a new tooltip a frame late, when it knows its size
    const double now = ImGui::GetTime();
    const int frame = ImGui::GetFrameCount();
    const std::size_t asked = std::hash<std::string_view>{}(what);
    const bool stays = wait.what == asked && frame <= wait.asked_frame + 1;
    const bool explaining =
        wait.shown_frame >= 0 && (frame <= wait.shown_frame + way || now - wait.shown < tooltip_wait);
    if (!stays) wait.since = now;
    wait.what = asked;
    wait.asked_frame = frame;
    const bool shows = explaining || now - wait.since >= tooltip_wait;
    if (!stays || !shows) wait.settled_frame = frame + 1 + settling_frames;
    if (frame < wait.settled_frame) ui.memory.animating = true;
    if (!shows) return false;
    wait.shown = now;
    wait.shown_frame = frame;
    return true;
}

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

// Formulas go on at the next sum where they are too long for a line.
void formula_lines(const Ui& ui, std::string_view text) {
    const float most = ui.px(560);
    const auto draw = [&](std::string_view part) { line(ui.fonts.mono, ui.theme.text_mid, part); };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view rest = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (symbol_width(ui.fonts.mono, rest) > most) {
            std::size_t cut = 0;
            for (std::size_t at = rest.find(" + "); at != std::string_view::npos; at = rest.find(" + ", at + 1)) {
                if (cut > 0 && symbol_width(ui.fonts.mono, rest.substr(0, at)) > most) break;
                cut = at;
            }
            if (cut == 0) break;
            draw(rest.substr(0, cut));
            rest.remove_prefix(cut + 1);
        }
        draw(rest);
    }
}

}  // namespace

void show_tooltip(const Ui& ui, const Tooltip& tooltip) {
    if (!waited(ui, tooltip.title.empty() ? tooltip.value : tooltip.title)) return;
    if (tooltip.end) ImGui::SetNextWindowPos(*tooltip.end, ImGuiCond_Always, ImVec2(1, 0.5F));
    const TooltipWindow window(ui);
    if (!tooltip.value.empty()) line(ui.fonts.mono_result, ui.theme.text_high, tooltip.value);
    if (!tooltip.title.empty())
        line(ui.fonts.body_medium, tooltip.value.empty() ? ui.theme.text_high : ui.theme.text_mid, tooltip.title);
    if (!tooltip.derivation.empty()) formula_lines(ui, tooltip.derivation);
    if (!tooltip.remark.empty()) wrapped(ui, ui.fonts.table, ui.theme.text_mid, tooltip.remark);
}

void hint(const Ui& ui, std::string_view text) {
    if (text.empty() || !ImGui::IsItemHovered() || !waited(ui, text)) return;
    const TooltipWindow window(ui);
    wrapped(ui, ui.fonts.table, ui.theme.text_high, text);
}

}  // namespace headcount
