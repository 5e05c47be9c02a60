// In Compare: the swap of both sides, and the menu of the other model.
#include "app/bars/top_bar_other.hpp"

#include <cmath>
#include <filesystem>

#include "app/bars/file_texts.hpp"
#include "app/parts/preset_menu.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/recorder.hpp"

namespace headcount {
namespace {

struct PresetEntry {
    std::string key, name, detail;
    Intent intent;
};

std::vector<PresetEntry> other_entries(const Session& session) {
    const bool edited = session.document.architecture != session.document.base;
    std::vector<PresetEntry> entries{
        {"usual", edited ? "What A came from, unedited" : "A model like A", "", AtCompare{CompareWithUsual{}}},
        {"pin", "A as it is now (pin)", "", AtCompare{PinThis{}}},
        {"file", std::string(info(FileTask::open_other).menu), "", AskForFile{FileTask::open_other}}};
    const std::vector<std::string>& recent = session.view.recent;
    for (std::size_t i = 0; i < recent.size(); ++i) {
        const std::filesystem::path path = recent[i];
        entries.push_back({"recent." + std::to_string(i), path.filename().string(),
                           path.parent_path().filename().string(), AtCompare{CompareWithFile{recent[i]}}});
    }
    return entries;
}

}  // namespace

float draw_other_menu(const Ui& ui, const Session& session, ImVec2 left_centre, float width, Intents& intents) {
    const float side = std::round(ui.px(size::icon_button));
    const ImVec2 swap(left_centre.x + std::round(ui.px(swap_margin)), left_centre.y - std::round(side / 2));
    ImGui::SetCursorScreenPos(swap);
    if (icon_button(ui, "topbar.swap", Icon::swap, "Swap A and B")) intents.push_back(AtCompare{SwapSides{}});
    const ImVec2 start(swap.x + side + std::round(ui.px(swap_margin)),
                       left_centre.y - std::round(ui.px(size::button) / 2));
    ImGui::SetCursorScreenPos(start);
    const std::vector<PresetEntry> entries = other_entries(session);
    std::vector<MenuEntry> before;
    before.reserve(entries.size());
    for (const PresetEntry& entry : entries)
        before.push_back({.name = entry.name, .detail = entry.detail, .group = "Compare with"});
    const Document& other = session.comparison.other->document;
    const std::string label = "B  " + title_of(other);
    const PresetMenu menu{.label = label, .preset = other.preset, .width = width, .before = before};
    const ChosenEntry chosen = preset_menu(ui, "topbar.other", menu, session.presets);
    record_keys(ui.recorder, "topbar.other", "topbar.other", entries, &PresetEntry::key);
    if (chosen.before) intents.push_back(entries[*chosen.before].intent);
    if (chosen.preset) intents.push_back(AtCompare{CompareWithPreset{session.presets[*chosen.preset].id}});
    return start.x + std::round(ui.px(width));
}

}  // namespace headcount
