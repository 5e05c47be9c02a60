// The presets that ship, read once. What cannot be read ends the test.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/presets.hpp"
#include "tests/support/effort.hpp"

namespace headcount::testing_data {

inline const std::vector<Preset>& all_presets() {
    static const Result<std::vector<Preset>> presets =
        load_presets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets");
    if (!presets) throw std::runtime_error(sentence(presets.error()));
    return *presets;
}

// For tests that take long with each: all as released, every eighth under the sanitizers.
inline const std::vector<Preset>& tried_presets() {
    static const std::vector<Preset> tried = [] {
        std::vector<Preset> some;
        for (std::size_t i = 0; i < all_presets().size(); i += stride) some.push_back(all_presets()[i]);
        return some;
    }();
    return tried;
}

inline const Architecture& preset(std::string_view id) {
    const Preset* const found = find_preset(all_presets(), id);
    if (!found) throw std::runtime_error("no preset " + std::string(id));
    return found->architecture;
}

}  // namespace headcount::testing_data
