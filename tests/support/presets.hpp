// The presets that ship, read once. What cannot be read ends the test.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/presets.hpp"

namespace headcount::testing_data {

inline const std::vector<Preset>& all_presets() {
    static const Result<std::vector<Preset>> presets =
        load_presets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets");
    if (!presets) throw std::runtime_error(sentence(presets.error()));
    return *presets;
}

inline const Architecture& preset(std::string_view id) {
    const Preset* const found = find_preset(all_presets(), id);
    if (!found) throw std::runtime_error("no preset " + std::string(id));
    return found->architecture;
}

}  // namespace headcount::testing_data
