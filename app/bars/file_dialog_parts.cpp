// What is drawn of the file dialog: where one is, the field, the list, the buttons.
#include "app/bars/file_dialog_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/table.hpp"
#include "app/ui/tabs.hpp"
#include "app/ui/text_field.hpp"
#include "core/base/text.hpp"

namespace headcount::file_dialog {
namespace {

constexpr std::array file_columns{TableColumn{"Name", 400, 160, Align::left, false, false, true},
                                  TableColumn{"Kind", 160, 120}, TableColumn{"Size", 96, 80, Align::right, true}};

int on_path(ImGuiInputTextCallbackData* data) {
    Dialog& dialog = *static_cast<Dialog*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
        dialog.complete = true;
        return 0;
    }
    if (!dialog.replace_text) return 0;
    dialog.replace_text = false;
    const std::string_view text = dialog.text.data();
    compat::replace_text(*data, text, text.size());
    if (std::exchange(dialog.proposed, false)) data->SelectionStart = 0;
    return 0;
}

// A sentence about what is wrong or asked, else what the keys do.
std::string words_of(const Filling& filling, bool& wrong) {
    const Dialog& dialog = filling.dialog;
    wrong = true;
    if (!dialog.asked.empty()) return fs::path(dialog.asked).filename().string() + " is there already. Replace it?";
    if (!dialog.refusal.empty()) return dialog.refusal;
    if (!filling.session.view.notice.text.empty()) return filling.session.view.notice.text;
    wrong = false;
    if (dialog.list.cut)
        return "Only the first " + grouped(FolderList::most_entries) + " entries are listed: type a path.";
    return "Tab completes. Backspace in an empty field goes up.";
}

}  // namespace

bool draw_title(Filling& filling) {
    const Ui& ui = filling.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(ui.px(size::icon_button)), width = available_width();
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.title, start, ImVec2(start.x + width, start.y + height),
                 ui.theme.text_high, info(*filling.dialog.task).title);
    ImGui::SetCursorScreenPos(ImVec2(start.x + width - height + ui.px(6), start.y));
    const bool close = icon_button(ui, "files.close", Icon::cross, "Close (Esc)");
    place(start, ImVec2(width, height));
    return close;
}

void draw_places(Filling& filling) {
    const Ui& ui = filling.ui;
    std::vector<fs::path> paths;
    for (fs::path path = filling.dialog.list.path;; path = path.parent_path()) {
        paths.insert(paths.begin(), path);
        if (!path.has_relative_path() || path == path.parent_path()) break;
    }
    std::vector<std::string> names;
    for (const fs::path& path : paths) names.push_back(path.has_relative_path() ? path.filename().string() : "/");
    const float between = ui.px(24), room = available_width();
    float used = 0;
    std::size_t first = names.size();
    while (first > 0) {
        const Font& font = first == names.size() ? ui.fonts.body_bold : ui.fonts.body;
        used += text_width(font, names[first - 1]) + between;
        if (used > room && first < names.size()) break;
        --first;
    }
    std::vector<std::string_view> shown(names.begin() + static_cast<std::ptrdiff_t>(first), names.end());
    if (const std::optional<int> chosen = breadcrumb(ui, "files.place", shown))
        go_to(filling.dialog, paths[first + static_cast<std::size_t>(*chosen)]);
}

bool draw_field(Filling& filling) {
    const Ui& ui = filling.ui;
    Dialog& dialog = filling.dialog;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 end(start.x + available_width(), start.y + std::round(ui.px(size::button)));
    ui.recorder.record("files.field", start, end);
    const std::array<char, 1024> before = dialog.text;
    // Whatever was pressed in between: typing goes on here.
    const bool grabs = !ImGui::IsAnyItemActive();
    if (grabs && !ImGui::IsWindowFocused()) ImGui::SetWindowFocus();
    search_field(ui, {.text = dialog.text,
                      .prompt = saves(dialog) ? "Name of the file" : "Type to filter, or a path",
                      .extent = end - start,
                      .fill = ui.theme.canvas,
                      .border = ui.theme.strong_line,
                      .mark = saves(dialog) ? Icon::open : Icon::search,
                      .grabs = grabs,
                      .completes = true,
                      .on_edit = on_path,
                      .user = &dialog});
    // ImGui takes back what was typed.
    if (compat::key_pressed(ImGuiKey_Escape, false)) dialog.text = before;
    return std::strcmp(before.data(), dialog.text.data()) != 0;
}

void draw_entries(Filling& filling, float height) {
    const Ui& ui = filling.ui;
    Dialog& dialog = filling.dialog;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), padding = ui.px(size::panel_padding);
    if (dialog.matching.empty()) {
        const std::string why = !dialog.list.failure.empty()  ? dialog.list.failure
                                : dialog.list.entries.empty() ? "This folder is empty."
                                                              : "Nothing here matches.";
        draw_wrapped(*ImGui::GetWindowDrawList(), ui.fonts.body, start + ImVec2(0, ui.px(12)), ui.theme.text_low, why,
                     width);
        place(start, ImVec2(width, height));
        return;
    }
    // The table reaches to the dialog's edges, as tables do.
    ImGui::SetCursorScreenPos(ImVec2(start.x - padding, start.y));
    compat::begin_child("list", ImVec2(width + 2 * padding, height), false, true, ImGuiWindowFlags_NoScrollbar);
    TableOptions options{.rows = static_cast<int>(dialog.matching.size()), .selected = dialog.row};
    if (std::exchange(dialog.follow, false)) options.scroll_to = dialog.row;
    const TableResult result = table(ui, "files", file_columns, options, [&](int index, TableRow& row) {
        const FolderEntry& entry =
            dialog.list.entries[static_cast<std::size_t>(dialog.matching[static_cast<std::size_t>(index)])];
        const bool folder = entry.kind == EntryKind::folder || entry.kind == EntryKind::model_folder;
        const ImU32 ink = entry.kind == EntryKind::other ? ui.theme.text_low : 0;
        row.name = entry.name;
        row.cells[0] = {row.keep(folder ? entry.name + "/" : entry.name), ink};
        row.cells[1] = {entry.what, ink ? ink : ui.theme.text_mid};
        const bool has_size = entry.kind == EntryKind::file || entry.kind == EntryKind::other;
        if (has_size) row.cells[2] = {row.keep(bytes_text(static_cast<std::int64_t>(entry.bytes))), ink};
        row.selected = index == dialog.row;
        row.strong = entry.kind == EntryKind::this_folder || entry.kind == EntryKind::model_folder;
    });
    ImGui::EndChild();
    place(start, ImVec2(width, height));
    if (result.clicked) {
        dialog.row = *result.clicked;
        dialog.refusal.clear();
        dialog.asked.clear();
    }
    if (result.clicked && saves(dialog) && marked(dialog)->kind == EntryKind::file)
        set_text(dialog, marked(dialog)->name);
    if (result.double_clicked) {
        dialog.row = *result.double_clicked;
        take(filling, *marked(dialog));
    }
}

Footer footer_of(const Filling& filling) {
    const Ui& ui = filling.ui;
    Footer footer;
    const bool asking = !filling.dialog.asked.empty();
    footer.words = words_of(filling, footer.wrong);
    footer.cancel = {.label = asking ? "Keep it" : "Cancel"};
    footer.confirm = {.label = asking                  ? "Replace"
                               : saves(filling.dialog) ? "Save"
                                                       : "Open",
                      .look = ButtonLook::primary};
    footer.width = available_width() - button_width(ui, footer.cancel) - button_width(ui, footer.confirm) - ui.px(32);
    const float indent = footer.wrong ? ui.px(22) : 0;
    const float text = wrapped_extent(ui.fonts.body, footer.words, footer.width - indent).y;
    footer.height = std::max(std::round(ui.px(size::button)), std::round(text));
    return footer;
}

void draw_footer(Filling& filling, const Footer& footer) {
    const Ui& ui = filling.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), line = std::round(ui.px(size::button));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& font = ui.fonts.body;
    const float indent = footer.wrong ? ui.px(22) : 0,
                lines = wrapped_extent(font, footer.words, footer.width - indent).y;
    const float top = lines > line ? start.y : text_top(font, start.y + line / 2);
    if (footer.wrong)
        draw_icon(list, Icon::warning, ImVec2(start.x + ui.px(7), top + font.size / 2), ui.px(14), ui.theme.text_high);
    draw_wrapped(list, font, ImVec2(start.x + indent, top), footer.wrong ? ui.theme.text_high : ui.theme.text_low,
                 footer.words, footer.width - indent);
    ui.recorder.record("files.words", start, ImVec2(start.x + footer.width, start.y + footer.height));
    const float bottom = start.y + footer.height - line;
    const float confirm_left = start.x + width - button_width(ui, footer.confirm);
    ImGui::SetCursorScreenPos(ImVec2(confirm_left - button_width(ui, footer.cancel) - ui.px(8), bottom));
    if (button(ui, "files.cancel", footer.cancel)) step_back(filling);
    ImGui::SetCursorScreenPos(ImVec2(confirm_left, bottom));
    if (button(ui, "files.confirm", footer.confirm)) confirm(filling);
    place(start, ImVec2(width, footer.height));
}

}  // namespace headcount::file_dialog
