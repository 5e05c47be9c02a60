// The file dialog: a folder's list, and one field that filters it, names a file, or takes a whole path.
//
// Our own, and not the system's: GTK's and Qt's dialogs bring a toolkit and its main loop along, the portal needs D-Bus
// and a desktop that answers, and the small libraries that start zenity or kdialog are in no Debian release that we
// support (nor are those programs always there). This one is the same everywhere, works over a network, and is tested.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "app/panels/file_texts.hpp"
#include "app/panels/folder_list.hpp"
#include "app/panels/panels.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/table.hpp"
#include "app/ui/tabs.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

constexpr std::array columns{TableColumn{"Name", 400, 160, Align::left, false, false, true},
                             TableColumn{"Kind", 160, 120}, TableColumn{"Size", 96, 80, Align::right, true}};

// What the dialog remembers from frame to frame while it is open.
struct Dialog {
    std::optional<FileTask> task;
    fs::path folder;   // that is listed, as the field stands
    fs::path current;  // that the field's words are read in
    FolderList list;
    std::vector<int> matching;      // rows: indices of the list's entries
    int row = 0;                    // the marked one; below 0 where none is
    bool follow = false;            // the list scrolls to it
    std::array<char, 1024> text{};  // of the field
    bool replace_text = false;      // `text` was changed by the program: the field must take it over
    bool complete = false;          // Tab was pressed
    std::string asked;              // a file that is there already: whether to replace it
    std::string refusal;            // a sentence
};

bool saves(const Dialog& dialog) {
    return *dialog.task != FileTask::open;
}

void set_text(Dialog& dialog, std::string_view text) {
    const std::size_t length = std::min(text.size(), dialog.text.size() - 1);
    std::memcpy(dialog.text.data(), text.data(), length);
    dialog.text[length] = '\0';
    dialog.replace_text = true;
}

// The name as it is typed, in whichever folder.
TypedPath typed(const Dialog& dialog) {
    return typed_path(dialog.current, dialog.text.data());
}

void refresh(Dialog& dialog) {
    const TypedPath at = typed(dialog);
    if (at.folder != dialog.folder || dialog.list.path != at.folder) {
        dialog.folder = at.folder;
        dialog.list = read_folder(at.folder, info(*dialog.task).ending);
    }
    // A name to be saved under is no filter: one looks what is there already.
    dialog.matching = matching_entries(dialog.list, saves(dialog) ? "" : at.rest);
    dialog.row = std::min(dialog.row, static_cast<int>(dialog.matching.size()) - 1);
}

// Where typing goes on: to be opened is the first that matches; to be saved under is the name alone.
void mark_first(Dialog& dialog) {
    dialog.row = saves(dialog) ? -1 : 0;
    dialog.follow = true;
}

void go_to(Dialog& dialog, const fs::path& folder) {
    dialog.current = folder;
    if (saves(dialog))
        set_text(dialog, typed(dialog).rest);
    else
        set_text(dialog, "");
    mark_first(dialog);
    dialog.refusal.clear();
    refresh(dialog);
}

fs::path first_folder(const Session& session) {
    std::error_code failure;
    if (!session.view.folder.empty() && fs::is_directory(session.view.folder, failure)) return session.view.folder;
    const fs::path here = fs::current_path(failure);
    const char* const home = std::getenv("HOME");
    // A desktop starts programs in the root.
    if (home && *home && (failure || here == here.root_path())) return home;
    return failure ? fs::path("/") : here;
}

void open_dialog(Dialog& dialog, const Session& session) {
    dialog = Dialog{};
    dialog.task = session.view.task;
    dialog.current = first_folder(session);
    if (saves(dialog)) set_text(dialog, proposed_name(session, *dialog.task));
    mark_first(dialog);
    refresh(dialog);
}

const FolderEntry* marked(const Dialog& dialog) {
    if (dialog.row < 0) return nullptr;
    const auto row = static_cast<std::size_t>(dialog.row);
    return row < dialog.matching.size() ? &dialog.list.entries[static_cast<std::size_t>(dialog.matching[row])]
                                        : nullptr;
}

struct Filling {
    const Ui& ui;
    const Session& session;
    Dialog& dialog;
    Intents intents;
};

// Where the words would be saved, with the ending that belongs to them.
fs::path target(const Dialog& dialog) {
    const TypedPath at = typed(dialog);
    std::string name = at.rest;
    const std::string_view ending = info(*dialog.task).ending;
    if (!name.empty() && !name.ends_with(ending)) name += ending;
    return name.empty() ? fs::path() : at.folder / name;
}

void save_as(Filling& to, const fs::path& path) {
    const FileTask task = *to.dialog.task;
    if (task == FileTask::png) {
        to.intents.push_back(WritePicture{path.string()});
        return;
    }
    Result<std::string> text = file_text(to.ui, to.session, task);
    if (text)
        to.intents.push_back(WriteFile{path.string(), std::move(*text), std::string(info(task).what)});
    else
        to.dialog.refusal = sentence(text.error());
}

void save(Filling& to) {
    Dialog& dialog = to.dialog;
    std::error_code ignored;
    const fs::path path = target(dialog);
    if (path.empty()) {
        dialog.refusal = "Type a name for the file.";
    } else if (fs::is_directory(typed(dialog).folder / typed(dialog).rest, ignored)) {
        go_to(dialog, typed(dialog).folder / typed(dialog).rest);
        set_text(dialog, proposed_name(to.session, *dialog.task));
    } else if (!fs::is_directory(path.parent_path(), ignored)) {
        dialog.refusal = "There is no folder " + path.parent_path().string() + ".";
    } else if (fs::exists(path, ignored)) {
        dialog.asked = path.string();
    } else {
        save_as(to, path);
    }
}

// A folder is gone into; a file, or the folder that stands for itself, is taken.
void take(Filling& to, const FolderEntry& entry) {
    Dialog& dialog = to.dialog;
    const fs::path path = dialog.list.path / entry.name;
    switch (entry.kind) {
        case EntryKind::this_folder:
            to.intents.push_back(OpenFile{dialog.list.path.string()});
            break;
        case EntryKind::folder:
        case EntryKind::model_folder:
            go_to(dialog, path);
            break;
        case EntryKind::file:
            if (saves(dialog)) {
                dialog.current = dialog.list.path;
                set_text(dialog, entry.name);
                dialog.asked = path.string();
            } else {
                to.intents.push_back(OpenFile{path.string()});
            }
            break;
        case EntryKind::other:
            dialog.refusal = saves(dialog)
                                 ? "The file's name has to end in " + std::string(info(*dialog.task).ending) + "."
                                 : entry.name + " is no file that Headcount can open.";
            break;
    }
}

void open(Filling& to) {
    Dialog& dialog = to.dialog;
    const TypedPath at = typed(dialog);
    std::error_code ignored;
    // What is typed in full comes before what it would match.
    const fs::path exact = at.folder / at.rest;
    if (!at.rest.empty() && fs::is_directory(exact, ignored))
        go_to(dialog, exact);
    else if (!at.rest.empty() && fs::exists(exact, ignored))
        to.intents.push_back(OpenFile{exact.string()});
    else if (const FolderEntry* entry = marked(dialog))
        take(to, *entry);
    else
        dialog.refusal =
            at.rest.empty() ? "There is nothing here to open." : "There is no file " + exact.string() + ".";
}

void confirm(Filling& to) {
    Dialog& dialog = to.dialog;
    dialog.refusal.clear();
    if (!dialog.asked.empty())
        save_as(to, std::exchange(dialog.asked, {}));
    else if (!saves(dialog))
        open(to);
    else if (const FolderEntry* entry = marked(dialog); entry && entry->kind == EntryKind::folder)
        take(to, *entry);
    else
        save(to);
}

void step_back(Filling& to) {
    if (!to.dialog.asked.empty())
        to.dialog.asked.clear();
    else
        to.intents.push_back(AskForFile{});
}

void go_up(Dialog& dialog) {
    const fs::path was = dialog.list.path;
    const std::string name = was.filename().string();
    go_to(dialog, was.parent_path());
    for (std::size_t i = 0; i < dialog.matching.size(); ++i)
        if (dialog.list.entries[static_cast<std::size_t>(dialog.matching[i])].name == name)
            dialog.row = static_cast<int>(i);
}

bool draw_title(Filling& to) {
    const Ui& ui = to.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(ui.px(size::icon_button)), width = available_width();
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.title, start, ImVec2(start.x + width, start.y + height),
                 ui.theme.text_high, info(*to.dialog.task).title);
    ImGui::SetCursorScreenPos(ImVec2(start.x + width - height + ui.px(6), start.y));
    const bool close = icon_button(ui, "files.close", Icon::cross, "Close (Esc)");
    place(start, ImVec2(width, height));
    return close;
}

// The folder's own name last, and as many of those around it as there is room for.
void draw_places(Filling& to) {
    const Ui& ui = to.ui;
    std::vector<fs::path> paths;
    for (fs::path path = to.dialog.list.path;; path = path.parent_path()) {
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
        go_to(to.dialog, paths[first + static_cast<std::size_t>(*chosen)]);
}

int on_edit(ImGuiInputTextCallbackData* data) {
    Dialog& dialog = *static_cast<Dialog*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
        dialog.complete = true;
        return 0;
    }
    if (!dialog.replace_text) return 0;
    dialog.replace_text = false;
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, dialog.text.data());
    data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    return 0;
}

// The only thing that takes the keyboard. Returns whether its text was changed by typing.
bool draw_field(Filling& to) {
    const Ui& ui = to.ui;
    Dialog& dialog = to.dialog;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 end(start.x + available_width(), start.y + std::round(ui.px(size::button)));
    ui.recorder.record("files.field", start, end);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, start, end, ui.theme.canvas, ui.theme.strong_line, ui.px(size::radius_field));
    draw_icon(list, saves(dialog) ? Icon::open : Icon::search, ImVec2(start.x + ui.px(16), (start.y + end.y) / 2),
              ui.px(14), ui.theme.text_low);
    const Font& font = ui.fonts.body;
    const std::array<char, 1024> before = dialog.text;
    {
        const FontScope scope(font);
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, (end.y - start.y - font.size) / 2));
        for (const ImGuiCol which : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
            ImGui::PushStyleColor(which, with_alpha(ui.theme.canvas, 0));
        ImGui::SetCursorScreenPos(ImVec2(start.x + ui.px(30), start.y));
        ImGui::SetNextItemWidth(end.x - start.x - ui.px(38));
        // Whatever was pressed in between: typing goes on here.
        if (!ImGui::IsAnyItemActive()) {
            if (!ImGui::IsWindowFocused()) ImGui::SetWindowFocus();
            ImGui::SetKeyboardFocusHere();
        }
        ImGui::InputText("##field", dialog.text.data(), dialog.text.size(),
                         ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCompletion, on_edit, &dialog);
        ImGui::PopStyleColor(3);
        ImGui::PopStyleVar();
    }
    if (dialog.text[0] == '\0')
        draw_text_in(list, font, ImVec2(start.x + ui.px(30), start.y), ImVec2(end.x - ui.px(8), end.y),
                     ui.theme.text_low, saves(dialog) ? "Name of the file" : "Type to filter, or a path");
    place(start, end - start);
    // ImGui takes back what was typed.
    if (compat::key_pressed(ImGuiKey_Escape, false)) dialog.text = before;
    return std::strcmp(before.data(), dialog.text.data()) != 0;
}

void complete_typing(Dialog& dialog) {
    dialog.complete = false;
    const std::string text = dialog.text.data();
    const std::size_t kept = text.rfind('/') == std::string::npos ? 0 : text.rfind('/') + 1;
    const std::string rest = text.substr(kept);
    const std::string whole = completed(dialog.list, rest);
    if (whole != rest) set_text(dialog, text.substr(0, kept) + whole);
    refresh(dialog);
}

void draw_entries(Filling& to, float height) {
    const Ui& ui = to.ui;
    Dialog& dialog = to.dialog;
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
    const TableResult result = table(ui, "files", columns, options, [&](int index, TableRow& row) {
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
        take(to, *marked(dialog));
    }
}

// A sentence about what is wrong or asked, else what the keys do.
std::string words_of(const Filling& to, bool& wrong) {
    const Dialog& dialog = to.dialog;
    wrong = true;
    if (!dialog.asked.empty()) return fs::path(dialog.asked).filename().string() + " is there already. Replace it?";
    if (!dialog.refusal.empty()) return dialog.refusal;
    if (!to.session.view.notice.empty()) return to.session.view.notice;
    wrong = false;
    if (dialog.list.cut)
        return "Only the first " + grouped(FolderList::most_entries) + " entries are listed: type a path.";
    return "Tab completes. Backspace in an empty field goes up.";
}

// What the buttons need, and the height of the sentence beside them.
struct Footer {
    std::string words;
    bool wrong = false;
    float width = 0, height = 0;  // of the words
    Button cancel, confirm;
};

Footer footer_of(const Filling& to) {
    const Ui& ui = to.ui;
    Footer footer;
    const bool asking = !to.dialog.asked.empty();
    footer.words = words_of(to, footer.wrong);
    footer.cancel = {.label = asking ? "Keep it" : "Cancel"};
    footer.confirm = {.label = asking ? "Replace" : saves(to.dialog) ? "Save" : "Open", .look = ButtonLook::primary};
    footer.width = available_width() - button_width(ui, footer.cancel) - button_width(ui, footer.confirm) - ui.px(32);
    const float indent = footer.wrong ? ui.px(22) : 0;
    const float text = wrapped_extent(ui.fonts.body, footer.words, footer.width - indent).y;
    footer.height = std::max(std::round(ui.px(size::button)), std::round(text));
    return footer;
}

void draw_footer(Filling& to, const Footer& footer) {
    const Ui& ui = to.ui;
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
    if (button(ui, "files.cancel", footer.cancel)) step_back(to);
    ImGui::SetCursorScreenPos(ImVec2(confirm_left, bottom));
    if (button(ui, "files.confirm", footer.confirm)) confirm(to);
    place(start, ImVec2(width, footer.height));
}

void obey_keys(Filling& to, bool field_was_empty) {
    Dialog& dialog = to.dialog;
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
        step_back(to);
    } else if (compat::enter_pressed()) {
        confirm(to);
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
        if (!session.view.notice.empty()) to.intents.push_back(Tell{});  // it was about what was typed before
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
