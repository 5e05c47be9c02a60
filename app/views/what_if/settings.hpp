// What the settings at the left of the What-if view's tabs share.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ui/layout.hpp"
#include "app/ui/menu.hpp"
#include "app/views/what_if/panels.hpp"

namespace headcount {

struct Settings {
    const Ui& ui;
    const WhatIfSettings& of;
    Intents& intents;

    const WhatIfPlace& place() const { return of.place; }
    void set(WhatIfIntent what) { intents.push_back(AtWhatIf{std::move(what)}); }
};

template <std::size_t count>
std::optional<std::size_t> choose(Settings& settings, std::string_view name, std::string_view label,
                                  const std::array<std::string_view, count>& words, std::size_t current) {
    caption(settings.ui, label);
    gap(settings.ui, 4);
    std::vector<MenuEntry> entries;
    for (const std::string_view word : words) entries.push_back({.name = word});
    const MenuButton menu{.label = words[current],
                          .width = available_width() / settings.ui.scale,
                          .list_width = 268,
                          .current = static_cast<int>(current),
                          .searchable = false};
    const std::optional<int> chosen = menu_button(settings.ui, name, menu, entries);
    gap(settings.ui, 12);
    if (!chosen) return std::nullopt;
    return static_cast<std::size_t>(*chosen);
}

// Of the shelf.
void shelf_settings(Settings& settings);

}  // namespace headcount
