// Tooltips: raised, bordered, the value first.
#include "app/ui/tooltip.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/ui/rich_text.hpp"

namespace headcount {
namespace {

constexpr float padding_x = 12, padding_y = 8, widest_words = 300, line_spacing = 1.1F;

class TooltipWindow {
  public:
    explicit TooltipWindow(const Ui& ui) {
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(padding_x), ui.px(padding_y)));
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
    const float width = ui.px(widest_words);
    draw_wrapped(*ImGui::GetWindowDrawList(), font, start, colour, text, width);
    place(start, wrapped_extent(font, text, width));
}

// A line as wide as its text; a tooltip grows with its content and knows no available width.
void line(const Font& font, ImU32 colour, std::string_view text) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = draw_symbol(*ImGui::GetWindowDrawList(), font, start, colour, text);
    place(start, ImVec2(width, font.size * line_spacing));
}

// Calls each(line). Formulas go on at the next sum where they are too long for a line.
template <class Each>
void formula_lines(const Ui& ui, std::string_view text, Each&& each) {
    const float most = ui.px(560);
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
            each(rest.substr(0, cut));
            rest.remove_prefix(cut + 1);
        }
        each(rest);
    }
}

// How large it will be, before it is drawn.
ImVec2 extent_of(const Ui& ui, const Tooltip& tooltip) {
    ImVec2 all;
    const auto add = [&](float width, float height) {
        all.x = std::max(all.x, width);
        all.y += height;
    };
    const auto add_line = [&](const Font& font, std::string_view text) {
        if (!text.empty()) add(symbol_width(font, text), font.size * line_spacing);
    };
    add_line(ui.fonts.mono_result, tooltip.value);
    add_line(ui.fonts.body_medium, tooltip.title);
    if (!tooltip.derivation.empty())
        formula_lines(ui, tooltip.derivation, [&](std::string_view part) { add_line(ui.fonts.mono, part); });
    if (!tooltip.remark.empty()) {
        const ImVec2 words = wrapped_extent(ui.fonts.table, tooltip.remark, ui.px(widest_words));
        add(words.x, words.y);
    }
    return {std::ceil(all.x + 2 * ui.px(padding_x)), std::ceil(all.y + 2 * ui.px(padding_y))};
}

}  // namespace

void show_tooltip(const Ui& ui, const Tooltip& tooltip) {
    if (!waited(ui, tooltip.title.empty() ? tooltip.value : tooltip.title)) return;
    if (tooltip.end) ImGui::SetNextWindowPos(*tooltip.end, ImGuiCond_Always, ImVec2(1, 0.5F));
    if (tooltip.room && !tooltip.end) {
        const ImVec2 size = extent_of(ui, tooltip);
        const ImGuiIO& io = ImGui::GetIO();
        const ImVec2 at = tooltip_corner(*tooltip.room, io.MousePos, size, io.DisplaySize, ui.scale);
        ImGui::SetNextWindowPos(at, ImGuiCond_Always);
        ui.recorder.record("tooltip", at, at + size);
    }
    const TooltipWindow window(ui);
    if (!tooltip.value.empty()) {
        const About about(tooltip.about);
        line(ui.fonts.mono_result, ui.theme.text_high, tooltip.value);
    }
    if (!tooltip.title.empty())
        line(ui.fonts.body_medium, tooltip.value.empty() ? ui.theme.text_high : ui.theme.text_mid, tooltip.title);
    if (!tooltip.derivation.empty())
        formula_lines(ui, tooltip.derivation,
                      [&](std::string_view part) { line(ui.fonts.mono, ui.theme.text_mid, part); });
    if (!tooltip.remark.empty()) wrapped(ui, ui.fonts.table, ui.theme.text_mid, tooltip.remark);
}

void hint(const Ui& ui, std::string_view text) {
    if (text.empty() || !ImGui::IsItemHovered() || !waited(ui, text)) return;
    const TooltipWindow window(ui);
    wrapped(ui, ui.fonts.table, ui.theme.text_high, text);
}

}  // namespace headcount
