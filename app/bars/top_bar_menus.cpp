// The menus of files, of the other model and of tours: lists of intents with words.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/bars/panels.hpp"
#include "app/bars/top_bar_parts.hpp"
#include "app/parts/file_tasks.hpp"
#include "app/parts/preset_menu.hpp"
#include "app/state/lessons.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/recorder.hpp"
#include "core/files/assets.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

constexpr float file_list_width = 400, tour_list_width = 360;
constexpr std::size_t longest_folder = 30;

struct Entry {
    std::string key, name, detail;
    std::string_view group;
    Intent intent;
    bool disabled = false;
};

std::vector<MenuEntry> shown_as(const std::vector<Entry>& entries) {
    std::vector<MenuEntry> shown;
    for (const Entry& entry : entries)
        shown.push_back({.name = entry.name, .detail = entry.detail, .group = entry.group, .disabled = entry.disabled});
    return shown;
}

bool menu_is_open() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

// "~/models/llama", cut at its beginning where it is long.
std::string short_folder(const fs::path& path) {
    std::string text = path.parent_path().string();
    const char* const home = std::getenv("HOME");
    if (home && *home && text.starts_with(home)) text = "~" + text.substr(std::string_view(home).size());
    if (text.size() <= longest_folder) return text;
    const std::size_t slash = text.find('/', text.size() - longest_folder);
    return "..." + text.substr(slash == std::string::npos ? text.size() - longest_folder : slash);
}

Entry task_entry(FileTask task, std::string_view group, std::string_view keys = {}) {
    const FileTaskInfo& about = info(task);
    return {std::string(about.key), std::string(about.menu), std::string(keys), group, AskForFile{task}};
}

// Made only while the menu is open: each recent file is looked for on disk.
std::vector<Entry> file_entries(const Session& session) {
    std::vector<Entry> entries{task_entry(FileTask::open, "", action("open").keys.front()),
                               task_entry(FileTask::against, ""),
                               task_entry(FileTask::save, "", action("save").keys.front())};
    entries.push_back({"share", "Share a link", action("share").keys.front(), "", Share{}});
    if (!session.document.file.empty()) entries.push_back({"reload", "Read the file again", "", "", Reload{}});
    if (!all_notes(session).empty()) entries.push_back({"notes", "Notes on this model", "", "", ShowNotes{}});
    for (const FileTask task : {FileTask::config, FileTask::csv, FileTask::json, FileTask::markdown,
                                FileTask::equations_tex, FileTask::equations_markdown, FileTask::svg, FileTask::png})
        entries.push_back(task_entry(task, "Export"));
    const std::vector<std::string>& recent = session.view.recent;
    for (std::size_t i = 0; i < recent.size(); ++i) {
        const fs::path path = recent[i];
        std::error_code ignored;
        const bool there = fs::exists(path, ignored);
        entries.push_back({"recent." + std::to_string(i), path.filename().string(),
                           there ? short_folder(path) : "no longer there", "Open again", OpenFile{recent[i]}, !there});
    }
    return entries;
}

std::vector<Entry> other_entries(const Session& session) {
    constexpr std::string_view group = "Compare with";
    const bool edited = session.document.architecture != session.document.base;
    std::vector<Entry> entries{
        {"usual", edited ? "What A came from, unedited" : "A model like A", "", group, AtCompare{CompareWithUsual{}}},
        {"pin", "A as it is now (pin)", "", group, AtCompare{PinThis{}}},
        {"file", std::string(info(FileTask::open_other).menu), "", group, AskForFile{FileTask::open_other}}};
    const std::vector<std::string>& recent = session.view.recent;
    for (std::size_t i = 0; i < recent.size(); ++i) {
        const fs::path path = recent[i];
        entries.push_back({"recent." + std::to_string(i), path.filename().string(),
                           path.parent_path().filename().string(), group, AtCompare{CompareWithFile{recent[i]}}});
    }
    return entries;
}

const std::vector<std::string>& step_texts(const Ui& ui, const Session& session) {
    auto& kept_texts = kept<StepTexts>(ui, "topbar.tours");
    const Counted& shown = session.derived.shown;
    const bool same_model = kept_texts.of == shown.architecture && kept_texts.input == shown.input;
    if (same_model && kept_texts.tours == session.tours) return kept_texts.texts;
    kept_texts = {shown.architecture, shown.input, session.tours, {}};
    for (const Tour& tour : session.tours) {
        const Result<WorkedTour> worked = make_tour(tour, session.presets, shown.architecture, shown.input);
        kept_texts.texts.push_back(worked ? std::to_string(worked->steps.size()) + " steps" : "not this model");
    }
    return kept_texts.texts;
}

std::vector<Entry> tour_entries(const Ui& ui, const Session& session) {
    std::vector<Entry> entries{{"present", "Present", action("present").keys.front(), "", Present{true}}};
    if (!session.view.one_window)
        entries.push_back({"notes",
                           session.view.show.notes ? "Close the speaker notes" : "Speaker notes on the second screen",
                           action("notes").keys.front(), "", ShowNotesWindow{!session.view.show.notes}});
    entries.push_back(session.recording ? Entry{"record", "Throw the recording away", "", "", Record{false}}
                                        : Entry{"record", "Record what I do", "", "", Record{}});
    if (session.run) entries.push_back({"leave", "Leave the tour", "", "", LeaveTour{}});
    if (!menu_is_open()) return entries;
    const std::vector<std::string>& texts = step_texts(ui, session);
    const Result<fs::path> assets = assets_directory();
    std::vector<Entry> shipped;
    // One's own first: those that ship are more than the list shows at once.
    for (std::size_t i = 0; i < session.tours.size(); ++i) {
        const Tour& tour = session.tours[i];
        std::error_code ignored;
        const bool own = !assets || !fs::exists(*assets / "tours" / (tour.id + ".json"), ignored);
        Entry entry{tour.id, numbered(tour.id, tour.title), texts[i], own ? "Yours" : "Tours", StartTour{tour.id}};
        (own ? entries : shipped).push_back(std::move(entry));
    }
    entries.insert(entries.end(), shipped.begin(), shipped.end());
    return entries;
}

Button tour_button(bool runs_one) {
    return {.label = "Tours",
            .icon = Icon::play,
            .look = runs_one ? ButtonLook::plain : ButtonLook::quiet,
            .tooltip = "Tours, Present (Ctrl+T)"};
}

bool tours_asked_by_key(const View& view) {
    const ImGuiIO& io = ImGui::GetIO();
    // Ctrl+T is the browser's own where the window is a page.
    return !view.manual && !view.task && !view.asking && !view.sharing && !io.KeyShift && !io.KeyAlt &&
           !io.WantTextInput && !compat::popup_is_or_was_open() &&
           compat::named_key_pressed(io.KeyCtrl ? "T" : "F2", false);
}

}  // namespace

float draw_file_menu(const Ui& ui, const Session& session, ImVec2 left_centre, Intents& intents) {
    const ImVec2 start(left_centre.x, left_centre.y - std::round(ui.px(size::button) / 2));
    const bool open = menu_is_open();
    const std::vector<Entry> entries = open ? file_entries(session) : std::vector<Entry>{};
    ImGui::SetCursorScreenPos(start);
    const MenuButton button{
        .label = "File", .width = file_button_width, .list_width = file_list_width, .searchable = false};
    const std::optional<int> chosen = menu_button(ui, "topbar.file", button, shown_as(entries));
    if (open) record_keys(ui.recorder, "topbar.file", "topbar.file.item", entries, &Entry::key);
    if (chosen) intents.push_back(entries[static_cast<std::size_t>(*chosen)].intent);
    return start.x + std::round(ui.px(file_button_width));
}

float draw_other_menu(const Ui& ui, const Session& session, ImVec2 left_centre, float width, Intents& intents) {
    const float side = std::round(ui.px(size::icon_button));
    const ImVec2 swap(left_centre.x + std::round(ui.px(swap_margin)), left_centre.y - std::round(side / 2));
    ImGui::SetCursorScreenPos(swap);
    if (icon_button(ui, "topbar.swap", Icon::swap, "Swap A and B")) intents.push_back(AtCompare{SwapSides{}});
    const ImVec2 start(swap.x + side + std::round(ui.px(swap_margin)),
                       left_centre.y - std::round(ui.px(size::button) / 2));
    ImGui::SetCursorScreenPos(start);
    const std::vector<Entry> entries = other_entries(session);
    const std::vector<MenuEntry> before = shown_as(entries);
    const Document& other = session.comparison.other->document;
    const std::string label = "B  " + title_of(other);
    const PresetMenu menu{.label = label, .preset = other.preset, .width = width, .before = before};
    const ChosenEntry chosen = preset_menu(ui, "topbar.other", menu, session.presets);
    record_keys(ui.recorder, "topbar.other", "topbar.other", entries, &Entry::key);
    if (chosen.before) intents.push_back(entries[*chosen.before].intent);
    if (chosen.preset) intents.push_back(AtCompare{CompareWithPreset{session.presets[*chosen.preset].id}});
    return start.x + std::round(ui.px(width));
}

float tour_button_width(const Ui& ui, bool named) {
    return named ? button_width(ui, tour_button(false)) : std::round(ui.px(size::icon_button));
}

void draw_tour_menu(const Ui& ui, const Session& session, ImVec2 left_centre, bool named, Intents& intents) {
    constexpr std::string_view name = "topbar.tours";
    const bool runs_one = session.run.has_value();
    const float height = std::round(ui.px(named ? size::button : size::icon_button));
    const ImVec2 top_left(left_centre.x, left_centre.y - std::round(height / 2));
    ImGui::SetCursorScreenPos(top_left);
    const bool pressed = named ? button(ui, name, tour_button(runs_one))
                               : icon_button(ui, name, Icon::play, "Tours, Present (Ctrl+T)", {.active = runs_one});
    if (pressed || tours_asked_by_key(session.view)) open_menu(ui, name, 0);
    const std::vector<Entry> entries = tour_entries(ui, session);
    const auto runs = std::ranges::find_if(
        entries, [&](const Entry& entry) { return session.run && entry.key == session.view.show.tour; });
    const int current = runs == entries.end() ? -1 : static_cast<int>(runs - entries.begin());
    const ImVec2 below(top_left.x + tour_button_width(ui, named) - ui.px(tour_list_width + 16),
                       top_left.y + height + ui.px(6));
    const MenuButton list{.list_width = tour_list_width, .current = current, .searchable = false};
    const std::optional<int> chosen = popup_menu(ui, name, list, shown_as(entries), below);
    record_keys(ui.recorder, name, "topbar.tours.item", entries, &Entry::key);
    if (chosen) intents.push_back(entries[static_cast<std::size_t>(*chosen)].intent);
}

}  // namespace headcount
