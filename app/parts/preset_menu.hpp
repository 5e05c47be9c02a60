// The searchable list of presets behind a menu button: of the model, and of the one that it is compared with.
#pragma once

#include <optional>
#include <span>

#include "app/ui/menu.hpp"
#include "core/files/presets.hpp"

namespace headcount {

struct PresetMenu {
    std::string_view label = {};   // on the button
    std::string_view preset = {};  // the id of the one that is chosen; empty: none
    float width = 0;               // unscaled
    std::span<const MenuEntry> before = {};
};

// At the cursor. What was chosen: an index into `before`, or behind them one of a preset. Records `name`, and while it
// is open name.search, name.<index> and name.item.<preset id>.
struct ChosenEntry {
    std::optional<std::size_t> before, preset;
};
ChosenEntry preset_menu(const Ui& ui, std::string_view name, const PresetMenu& menu, std::span<const Preset> presets);

}  // namespace headcount
