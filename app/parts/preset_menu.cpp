// The searchable list of presets behind a menu button.
#include "app/parts/preset_menu.hpp"

#include <algorithm>
#include <iterator>

#include "app/ui/recorder.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/base/text.hpp"
#include "core/files/preset_search.hpp"

namespace headcount {
namespace {

constexpr float list_width = 380;

// What the menu says of each preset: its exact total, and the words by which it is found besides.
struct PresetTexts {
    std::vector<Preset> presets;  // that these are of
    std::vector<std::string> totals, words;
};

// And by its size, "6.74 B" and "6.74B" as people type it.
std::string words_of(const Preset& preset, std::int64_t total) {
    const std::string size = short_count(total);
    std::string words = search_words(preset) + " " + size + " ";
    std::copy_if(size.begin(), size.end(), std::back_inserter(words), [](char letter) { return letter != ' '; });
    return words;
}

// They cost a count of every preset, and are made when the menu is opened for the first time.
const PresetTexts& texts_of(const Ui& ui, std::span<const Preset> presets) {
    auto& texts = kept<PresetTexts>(ui, "topbar.presets");
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return texts;
    if (std::equal(texts.presets.begin(), texts.presets.end(), presets.begin(), presets.end())) return texts;
    texts = {{presets.begin(), presets.end()}, {}, {}};
    for (const Preset& preset : presets) {
        const Result<CountedModel> model = count_model(preset.architecture);
        texts.totals.push_back(model ? grouped(model->parameters.total) : "");
        texts.words.push_back(words_of(preset, model ? model->parameters.total : 0));
    }
    return texts;
}

// Tests choose an entry by its preset's name, not by its place.
void record_entries(const Ui& ui, std::string_view name, std::size_t before, std::span<const Preset> presets) {
    const std::string prefix(name);
    if (!ui.recorder.find(prefix + ".search")) return;
    record_keys(ui.recorder, prefix, prefix + ".item", presets, &Preset::id, before);
}

}  // namespace

ChosenEntry preset_menu(const Ui& ui, std::string_view name, const PresetMenu& menu, std::span<const Preset> presets) {
    const PresetTexts& texts = texts_of(ui, presets);
    auto& entries = kept<std::vector<MenuEntry>>(ui, "preset_menu.entries");  // for their room alone
    entries.assign(menu.before.begin(), menu.before.end());
    int current = -1;
    for (std::size_t i = 0; i < presets.size(); ++i) {
        if (presets[i].id == menu.preset) current = static_cast<int>(entries.size());
        MenuEntry entry{.name = presets[i].architecture.name, .group = presets[i].group};
        if (i < texts.totals.size()) {
            entry.detail = entry.about = texts.totals[i];
            entry.words = texts.words[i];
        }
        entries.push_back(entry);
    }
    const MenuButton button{.label = menu.label,
                            .width = menu.width,
                            .list_width = list_width,
                            .current = current,
                            .prompt = "Name, family, year or size"};
    const std::optional<int> chosen = menu_button(ui, name, button, entries);
    record_entries(ui, name, menu.before.size(), presets);
    if (!chosen) return {};
    const auto at = static_cast<std::size_t>(*chosen);
    if (at < menu.before.size()) return {at, std::nullopt};
    return {std::nullopt, at - menu.before.size()};
}

}  // namespace headcount
