// The File menu; what it opens is the file dialog.
#include "app/bars/file_menu.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/bars/file_texts.hpp"
#include "app/parts/actions.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/recorder.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

constexpr float file_list_width = 400;
constexpr std::size_t longest_folder = 30;

struct FileEntry {
    std::string key, name, detail;
    std::string_view group;
    Intent intent;
    bool disabled = false;
};

// "~/models/llama", cut at its beginning where it is long.
std::string short_folder(const fs::path& path) {
    std::string text = path.parent_path().string();
    const char* const home = std::getenv("HOME");
    if (home && *home && text.starts_with(home)) text = "~" + text.substr(std::string_view(home).size());
    if (text.size() <= longest_folder) return text;
    const std::size_t slash = text.find('/', text.size() - longest_folder);
    return "..." + text.substr(slash == std::string::npos ? text.size() - longest_folder : slash);
}

void add_task(std::vector<FileEntry>& entries, FileTask task, std::string_view group, std::string_view keys = {}) {
    const FileTaskInfo& about = info(task);
    entries.push_back({std::string(about.key), std::string(about.menu), std::string(keys), group, AskForFile{task}});
}

void add_recent(std::vector<FileEntry>& entries, const View& view) {
    for (std::size_t i = 0; i < view.recent.size(); ++i) {
        const fs::path path = view.recent[i];
        std::error_code ignored;
        const bool there = fs::exists(path, ignored);
        entries.push_back({"recent." + std::to_string(i), path.filename().string(),
                           there ? short_folder(path) : "no longer there", "Open again", OpenFile{view.recent[i]},
                           !there});
    }
}

// Made only while the menu is open: each recent file is looked for on disk.
std::vector<FileEntry> entries_to_open(const Session& session) {
    std::vector<FileEntry> entries;
    add_task(entries, FileTask::open, "", action("open").keys.front());
    add_task(entries, FileTask::save, "", action("save").keys.front());
    if (!session.document.file.empty()) entries.push_back({"reload", "Read the file again", "", "", Reload{}});
    if (!all_notes(session).empty()) entries.push_back({"notes", "Notes on this model", "", "", ShowNotes{}});
    for (const FileTask task :
         {FileTask::config, FileTask::csv, FileTask::json, FileTask::markdown, FileTask::svg, FileTask::png})
        add_task(entries, task, "Export");
    add_recent(entries, session.view);
    return entries;
}

}  // namespace

float draw_file_menu(const Ui& ui, const Session& session, ImVec2 left_centre, Intents& intents) {
    const ImVec2 start(left_centre.x, left_centre.y - std::round(ui.px(size::button) / 2));
    const bool open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    const std::vector<FileEntry> entries = open ? entries_to_open(session) : std::vector<FileEntry>{};
    std::vector<MenuEntry> shown;
    shown.reserve(entries.size());
    for (const FileEntry& entry : entries)
        shown.push_back({.name = entry.name, .detail = entry.detail, .group = entry.group, .disabled = entry.disabled});
    ImGui::SetCursorScreenPos(start);
    const MenuButton button{
        .label = "File", .width = file_button_width, .list_width = file_list_width, .searchable = false};
    const std::optional<int> chosen = menu_button(ui, "topbar.file", button, shown);
    if (open) record_keys(ui.recorder, "topbar.file", "topbar.file.item", entries, &FileEntry::key);
    if (chosen) intents.push_back(entries[static_cast<std::size_t>(*chosen)].intent);
    return start.x + std::round(ui.px(file_button_width));
}

}  // namespace headcount
