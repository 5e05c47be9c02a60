// The windows over the view.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/bars/panels.hpp"
#include "app/manual/manual.hpp"
#include "app/shell/frame.hpp"
#include "app/state/in_view.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr float manual_width = 1216, manual_height = 800, manual_padding = 24, sheet_margin = 32;
constexpr float ask_inset = 6;  // keeps the scrollbar off the border
constexpr ImGuiID ask_height = 9;
constexpr float ask_width = 720, ask_guess = 300, ask_from_top = 0.12F;
constexpr float files_width = 760, files_height = 560;
constexpr float share_width = 960, share_height = 620;
constexpr float welcome_width = 1200, welcome_height = 250, welcome_margin = 6, welcome_padding = 10;
constexpr float notice_width = 560, notice_margin = 16;

// In the middle, with a margin around it.
Area sheet_area(const Ui& ui, float wanted_width, float wanted_height) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float margin = ui.px(sheet_margin);
    const float width = std::clamp(display.x - 2 * margin, 1.0F, ui.px(wanted_width));
    const float height = std::clamp(display.y - 2 * margin, 1.0F, ui.px(wanted_height));
    const ImVec2 min(std::round((display.x - width) / 2), std::round((display.y - height) / 2));
    return {min, min + ImVec2(std::round(width), std::round(height))};
}

void draw_raised(const Ui& ui, ImDrawList& list, ImVec2 min, ImVec2 max) {
    const float radius = ui.px(size::radius_button);
    const ImVec2 down(0, ui.px(3));
    list.AddRectFilled(min + down, max + down, ui.theme.shadow, radius);
    list.AddRectFilled(min, max, ui.theme.dark ? ui.theme.raised : ui.theme.panel, radius);
    list.AddRect(min, max, ui.theme.strong_line, radius);
}

// A card in a window that dims the view and takes pointer and keyboard away from it.
struct Dialog {
    const char* window;
    std::string_view panel;  // as it is recorded
    Area area;
    float padding;
    ImGuiWindowFlags flags = 0;  // of what is in it
    float inset = 0;             // between its border and that
};
constexpr ImGuiWindowFlags still = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

// `fill` hears whether it appears. Returns whether somebody presses beside it.
bool over_everything(const Ui& ui, const Dialog& dialog, const std::function<void(bool)>& fill) {
    const Area& area = dialog.area;
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, with_alpha(ui.theme.canvas, 0.7F));
    ImGui::Begin(dialog.window, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    const bool appearing = ImGui::IsWindowAppearing();
    if (appearing) ImGui::SetWindowFocus();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float radius = ui.px(size::radius_card);
    list.AddRectFilled(area.min, area.max, ui.theme.panel, radius);
    list.AddRect(area.min, area.max, ui.theme.strong_line, radius);
    ui.recorder.record(dialog.panel, area.min, area.max);
    // A child of its own, so that its parts are cut at its end.
    const ImVec2 in(dialog.inset, dialog.inset);
    ImGui::SetCursorScreenPos(area.min + in);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(dialog.padding, dialog.padding));
    compat::begin_child("sheet", area.max - area.min - in - in, true, true, dialog.flags);
    ImGui::PopStyleVar();
    fill(appearing);
    ImGui::EndChild();
    const bool beside = !appearing && ImGui::IsMouseClicked(ImGuiMouseButton_Left) && ImGui::IsWindowHovered() &&
                        !ImGui::IsMouseHoveringRect(area.min, area.max, false);
    ImGui::End();
    return beside;
}

// What lies over the lower end of the view: words, and buttons at their right.
struct Below {
    const char* name;  // as it and its buttons are recorded
    Icon icon;
    std::string words;
};
struct NamedButton {
    std::string_view name;
    Button button;
};
struct BelowAnswer {
    float height = 0;  // that it takes of the area
    std::optional<std::size_t> pressed;
};
BelowAnswer draw_below(const Ui& ui, const Below& below, std::span<const NamedButton> buttons, const Area& area) {
    const float padding = std::round(ui.px(10)), between = ui.px(8), line = std::round(ui.px(size::small_button));
    float taken = between;
    for (const NamedButton& each : buttons) taken += button_width(ui, each.button) + between;
    const float margin = ui.px(notice_margin), indent = ui.px(24);
    const float most = area.width() - 2 * margin - 2 * padding - taken - indent;
    const float text = std::min(most, text_width(ui.fonts.body, below.words) + 1);
    const ImVec2 extent(std::round(text + indent + taken + 2 * padding), line + 2 * padding);
    const ImVec2 min(std::round((area.min.x + area.max.x - extent.x) / 2), std::round(area.max.y - margin - extent.y));
    const ImVec2 around(std::round(ui.px(6)), std::round(ui.px(6)));  // for the border and the shadow
    ImGui::SetNextWindowPos(min - around);
    ImGui::SetNextWindowSize(extent + around + around);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, 0);
    ImGui::Begin(below.name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleColor();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_raised(ui, list, min, min + extent);
    ui.recorder.record(below.name, min, min + extent);
    const float middle = min.y + extent.y / 2;
    draw_icon(list, below.icon, ImVec2(min.x + padding + ui.px(7), middle), ui.px(14), ui.theme.text_mid);
    draw_text(list, ui.fonts.body, ImVec2(min.x + padding + indent, text_top(ui.fonts.body, middle)),
              ui.theme.text_high, below.words, text);
    BelowAnswer answer{extent.y + ui.px(8), {}};
    float left = min.x + extent.x - padding - taken + 2 * between;
    for (std::size_t i = 0; i < buttons.size(); ++i) {
        ImGui::SetCursorScreenPos(ImVec2(std::round(left), min.y + padding));
        if (button(ui, std::string(below.name) + "." + std::string(buttons[i].name), buttons[i].button))
            answer.pressed = i;
        left += button_width(ui, buttons[i].button) + between;
    }
    ImGui::End();
    return answer;
}

}  // namespace

Intents draw_manual_sheet(const Ui& ui, const Session& session, const Views& views) {
    // What a lesson's model is may be what it asks for.
    const Shown& shown = shows_own_model(session.view) ? model_in_view(session) : session;
    Intents intents;
    const Dialog dialog{"help", "panel.help", sheet_area(ui, manual_width, manual_height),
                        std::round(ui.px(manual_padding)), still};
    const bool beside = over_everything(ui, dialog, [&](bool) {
        ui.memory.tab_stops.clear();  // Tab stays in the sheet
        intents = draw_manual(ui, session.view, shown.derived.shown, views);
    });
    if (beside) intents.push_back(ShowManual{});
    return intents;
}

Intents draw_file_sheet(const Ui& ui, const Session& session) {
    Intents intents;
    const Dialog dialog{"files", "panel.files", sheet_area(ui, files_width, files_height),
                        std::round(ui.px(size::panel_padding)), still};
    over_everything(ui, dialog, [&](bool) { intents = draw_file_dialog(ui, session); });
    return intents;
}

Intents draw_share_sheet(const Ui& ui, const Session& session) {
    Intents intents;
    const Dialog dialog{"share", "panel.share", sheet_area(ui, share_width, share_height),
                        std::round(ui.px(size::panel_padding))};
    if (over_everything(ui, dialog, [&](bool appearing) { intents = draw_share(ui, session, appearing); }))
        intents.emplace_back(Share{false});
    return intents;
}

Intents draw_ask_sheet(const Ui& ui, const Session& session, const Views& views, float most) {
    Intents intents;
    const float inset = std::round(ui.px(ask_inset)), padding = std::round(ui.px(size::panel_padding)) - inset;
    Area area = sheet_area(ui, ask_width, known_height(ui, ask_height, ui.px(ask_guess)) / ui.scale);
    const ImVec2 up(0, std::round(std::max(0.0F, area.min.y - ImGui::GetIO().DisplaySize.y * ask_from_top)));
    area = {area.min - up, area.max - up};
    const bool beside = over_everything(ui, {"ask", "panel.ask", area, padding, 0, inset}, [&](bool) {
        intents = draw_ask_bar(ui, session, views.actions, most);
        remember_height(ui, ask_height, ImGui::GetCursorPosY() + padding + 2 * inset);
    });
    if (beside) intents.emplace_back(Ask{false});
    return intents;
}

Intents draw_welcome_card(const Ui& ui, const Session& session) {
    constexpr ImGuiWindowFlags over_view = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNavFocus |
                                           ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoScrollWithMouse;
    const NamedRect* place = ui.recorder.find("panel.tables");
    if (!place) place = ui.recorder.find("panel.canvas");
    if (!place) return {};
    const Area tables{place->min, place->max};
    ImGui::PushStyleColor(ImGuiCol_WindowBg, 0);
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("welcome_pins", nullptr, over_view | ImGuiWindowFlags_NoInputs);
    draw_welcome_pins(ui, session);
    ImGui::End();
    ImGui::PopStyleColor();

    // What the tables have would show around it in pieces.
    const float margin = std::round(ui.px(welcome_margin)), padding = std::round(ui.px(welcome_padding));
    const float across = std::min(tables.width() - 2 * margin, std::round(ui.px(welcome_width)));
    const float down = std::min(tables.height() - 2 * margin, std::round(ui.px(welcome_height)));
    const ImVec2 min(std::round((tables.min.x + tables.max.x - across) / 2),
                     std::round((tables.min.y + tables.max.y - down) / 2));
    const ImVec2 max = min + ImVec2(across, down);
    ImGui::SetNextWindowPos(tables.min);
    ImGui::SetNextWindowSize(tables.max - tables.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.theme.panel);
    ImGui::Begin("welcome", nullptr, over_view);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    draw_raised(ui, *ImGui::GetWindowDrawList(), min, max);
    ui.recorder.record("panel.welcome", min, max);
    Intents intents = draw_welcome(ui, session, min + ImVec2(padding, padding), max - ImVec2(padding, padding));
    ImGui::End();
    return intents;
}

float draw_file_question(const Ui& ui, const Session& session, const Area& area, Intents& intents) {
    const std::string name = std::filesystem::path(session.document.file).filename().string();
    const std::array buttons{NamedButton{"reload", {.label = "Reload", .look = ButtonLook::primary, .small = true}},
                             NamedButton{"keep", {.label = "Keep", .small = true}}};
    const auto [height, pressed] =
        draw_below(ui, {"file_question", Icon::reset, name + " has changed on disk."}, buttons, area);
    if (pressed) intents.push_back(*pressed == 0 ? Intent(Reload{}) : Intent(KeepAsRead{}));
    return height;
}

float draw_film_progress(const Ui& ui, const FilmProgress& film, const Area& area, Intents& intents) {
    std::string words = "Saving what moves: " + grouped(static_cast<std::int64_t>(film.frames)) +
                        (film.frames == 1 ? " frame" : " frames");
    if (film.scenes > 2)  // else there is but the way to a place
        words +=
            ", part " + std::to_string(std::min(film.scene + 1, film.scenes)) + " of " + std::to_string(film.scenes);
    if (film.to_learn > 0) words += ", learning: step " + grouped(film.learnt) + " of " + grouped(film.to_learn);
    const std::array buttons{NamedButton{"stop", {.label = "Cancel", .small = true}}};
    const auto [height, pressed] = draw_below(ui, {"film", Icon::play, words}, buttons, area);
    if (pressed) intents.push_back(StopFilm{});
    return height;
}

void draw_notice(const Ui& ui, const Notice& whole, const Area& area) {
    constexpr std::size_t longest = 600;  // bytes: it is read at a glance
    const std::string_view start = whole_letters(whole.text, longest);
    const std::string notice = std::string(start) + (start.size() < whole.text.size() ? "\xE2\x80\xA6" : "");
    const Font& font = ui.fonts.body;
    const ImVec2 padding(std::round(ui.px(16)), std::round(ui.px(10)));
    const float margin = ui.px(notice_margin);
    const float most = std::max(ui.px(80), std::min(ui.px(notice_width), area.width() - 2 * (margin + padding.x)));
    const char* const end = notice.data() + notice.size();
    const ImVec2 text = font.face->CalcTextSizeA(font.size, FLT_MAX, most, notice.data(), end);
    const ImVec2 extent = text + padding + padding;
    const ImVec2 min(std::round((area.min.x + area.max.x - extent.x) / 2), std::round(area.max.y - margin - extent.y));
    const ImVec2 max(std::round(min.x + extent.x), std::round(min.y + extent.y));

    ImDrawList& list = *ImGui::GetForegroundDrawList();
    draw_raised(ui, list, min, max);
    // Such as what was copied.
    const std::string_view none;
    const About part(whole.of_model ? anything : none), total(whole.of_model ? total_key : none);
    const std::string words = covered_text(notice);
    list.AddText(font.face, font.size, min + padding, ui.theme.text_high, words.data(), words.data() + words.size(),
                 most);
    ui.recorder.record("notice", min, max);
}

}  // namespace headcount
