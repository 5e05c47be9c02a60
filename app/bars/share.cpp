// The link to what is on the screen: its QR code, its words, and what is not in it.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/bars/panels.hpp"
#include "app/state/open_link.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/text_field.hpp"
#include "core/base/utf8.hpp"
#include "core/link/qr.hpp"

namespace headcount {
namespace {

constexpr float most_of_width = 0.58F, beside_code = 24, page_height = 30;
constexpr std::size_t most_shown = 500;  // bytes of a link

// Made when the dialog opens, and for another page.
struct ShareState {
    std::optional<std::string> page;
    std::string link, problem;
    std::vector<std::string> lost;
    std::optional<QrCode> code;
};

void make(ShareState& state, const Session& session) {
    const Result<WrittenLink> link = link_of(session);
    state = {.page = session.view.page, .link = {}, .problem = {}, .lost = {}, .code = {}};
    if (!link) {
        state.problem = sentence(link.error());
        return;
    }
    state.link = session.view.page + link->text;
    state.lost = link->lost;
    // Without an address a telephone has nowhere to go.
    if (session.view.page.empty()) return;
    if (const Result<QrCode> code = qr_code(state.link)) state.code = *code;
}

// Black on white whatever the theme is, with its quiet zone, in whole pixels. Returns its width.
float draw_code(const Ui& ui, const QrCode& code, ImVec2 room) {
    const int modules = code.side + 2 * quiet_zone;
    const float module = std::max(1.0F, std::floor(std::min(room.x, room.y) / static_cast<float>(modules)));
    const float side = module * static_cast<float>(modules);
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), start(std::round(cursor.x), std::round(cursor.y));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(start, ImVec2(start.x + side, start.y + side), IM_COL32_WHITE);
    const auto corner = [&](int row, int column) {
        return ImVec2(start.x + module * static_cast<float>(column + quiet_zone),
                      start.y + module * static_cast<float>(row + quiet_zone));
    };
    for (int row = 0; row < code.side; ++row)
        for (int column = 0, end = 0; column < code.side; column = end) {
            for (end = column + 1; end < code.side && code.at(row, end) == code.at(row, column);) ++end;
            if (code.at(row, column)) list.AddRectFilled(corner(row, column), corner(row + 1, end), IM_COL32_BLACK);
        }
    ui.recorder.record("share.qr", start, ImVec2(start.x + side, start.y + side));
    return side;
}

void draw_words(const Ui& ui, const ShareState& state) {
    section_title(ui, "Share");
    if (!state.problem.empty()) {
        paragraph(ui, ui.fonts.body, ui.theme.text_high, begun_as_sentence(state.problem));
        return;
    }
    paragraph(ui, ui.fonts.body, ui.theme.text_mid,
              state.page->empty()
                  ? "Whoever pastes this link into Headcount (Ctrl+V) sees what is on the screen. It is copied. Where "
                    "Headcount lies on the web, write the address of that page below: then browsers and telephones "
                    "open the link too, and its QR code is shown."
                  : "Whoever opens this link sees what is on the screen. It is copied.");
    gap(ui, 12);
    const std::string_view start = whole_letters(state.link, most_shown);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    paragraph(ui, ui.fonts.mono, ui.theme.text_high,
              std::string(start) + (start.size() < state.link.size() ? "\u2026" : ""));
    ui.recorder.record("share.link", min, ImVec2(min.x + available_width(), ImGui::GetCursorScreenPos().y));
    for (const std::string& each : state.lost) {
        gap(ui, 8);
        paragraph(ui, ui.fonts.body, ui.theme.text_mid, each);
    }
}

// The address that stands before it.
void draw_page(const Ui& ui, const Session& session, Intents& intents) {
    gap(ui, 16);
    caption(ui, "Address of the page that the link opens in");
    const TextFieldResult typed = text_field(ui, "share.page",
                                             {.text = session.view.page,
                                              .prompt = "https://...",
                                              .extent = ImVec2(available_width(), std::round(ui.px(page_height)))});
    if (typed.edited) intents.emplace_back(Share{.page = typed.edited->substr(0, typed.edited->find('#'))});
}

}  // namespace

Intents draw_share(const Ui& ui, const Session& session, bool appears) {
    auto& state = kept<ShareState>(ui, "share");
    if (appears || state.page != session.view.page) make(state, session);
    Intents intents;
    ui.memory.tab_stops.clear();  // Tab stays here
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float code = state.code ? draw_code(ui, *state.code, ImVec2(room.x * most_of_width, room.y)) : 0;
    const float indent = state.code ? code + std::round(ui.px(beside_code)) : 0;
    if (indent > 0) ImGui::Indent(indent);
    draw_words(ui, state);
    if (state.problem.empty()) draw_page(ui, session, intents);
    gap(ui, 16);
    if (state.problem.empty() && button(ui, "share.copy", {.label = "Copy", .look = ButtonLook::primary}))
        intents.emplace_back(Copy{state.link, "the link"});
    gap(ui, 8);
    if (button(ui, "share.close", {.label = "Close"})) intents.emplace_back(Share{false});
    if (indent > 0) ImGui::Unindent(indent);
    if (!appears && compat::key_pressed(ImGuiKey_Escape, false)) intents = {Share{false}};
    return intents;
}

}  // namespace headcount
