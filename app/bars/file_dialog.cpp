// The file dialog: a folder's list, and one field that filters it, names a file, or takes a whole path.
//
// Our own, and not the system's: GTK's and Qt's dialogs bring a toolkit and its main loop along, the portal needs D-Bus
// and a desktop that answers, and the small libraries that start zenity or kdialog are in no Debian release that we
// support (nor are those programs always there). This one is the same everywhere, works over a network, and is tested.
#include <algorithm>
#include <cmath>

#include "app/bars/file_dialog_parts.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"

namespace headcount {

using namespace file_dialog;

namespace {

void obey_keys(Filling& filling, bool field_was_empty) {
    Dialog& dialog = filling.dialog;
    const int rows = static_cast<int>(dialog.matching.size());
    const int step =
        (compat::key_pressed(ImGuiKey_DownArrow) ? 1 : 0) - (compat::key_pressed(ImGuiKey_UpArrow) ? 1 : 0);
    if (step != 0) {
        compat::keep_focus();
        dialog.row = std::clamp(dialog.row + step, 0, std::max(0, rows - 1));
        dialog.refusal.clear();
        dialog.follow = true;
        dialog.asked.clear();
        const FolderEntry* const entry = marked(dialog);
        if (saves(dialog) && entry && entry->kind == EntryKind::file) set_text(dialog, entry->name);
    }
    if (compat::key_pressed(ImGuiKey_Escape, false)) {
        step_back(filling);
    } else if (compat::enter_pressed()) {
        confirm(filling);
    } else if (field_was_empty && compat::key_pressed(ImGuiKey_Backspace)) {
        go_up(dialog);
    }
}

}  // namespace

Intents draw_file_dialog(const Ui& ui, const Session& session) {
    Dialog& dialog = kept<Dialog>(ui, "files");
    if (!session.view.task) return {};
    const bool appears = dialog.task != session.view.task || ImGui::IsWindowAppearing();
    if (appears) open_dialog(dialog, session);
    Filling to{ui, session, dialog, {}};
    if (draw_title(to)) to.intents.push_back(AskForFile{});
    gap(ui, 4);
    draw_places(to);
    gap(ui, 4);
    const bool was_empty = dialog.text[0] == '\0';
    if (draw_field(to)) {
        mark_first(dialog);
        dialog.asked.clear();
        dialog.refusal.clear();
        if (!session.view.notice.text.empty()) to.intents.push_back(Tell{});  // it was about what was typed before
    }
    // The key that opened it is none of its own.
    if (appears)
        ui.memory.animating = true;
    else
        obey_keys(to, was_empty);
    if (dialog.complete) complete_typing(dialog);
    refresh(dialog);
    gap(ui, 4);
    const Footer footer = footer_of(to);
    const float below = footer.height + std::round(ui.px(12));
    draw_entries(to, std::max(ui.px(80), ImGui::GetContentRegionAvail().y - below));
    gap(ui, 12);
    draw_footer(to, footer);
    ui.memory.tab_stops.clear();  // Tab completes
    if (dialog.replace_text) ui.memory.animating = true;
    return std::move(to.intents);
}

}  // namespace headcount
