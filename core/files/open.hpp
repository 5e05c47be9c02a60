// What the command line and the window call ARCH: a preset's id or a path, opened as an architecture.
#pragma once

#include <span>
#include <string_view>

#include "core/files/presets.hpp"

namespace headcount {

struct Opened {
    Architecture architecture;
    const Preset* preset = nullptr;  // where it came from, if it is one

    bool operator==(const Opened&) const = default;
};

// `text` is a preset's id, or a path: a config.json, a directory that holds one, or a document that Headcount saved.
// For what is neither, the error names the nearest presets. The architecture is valid.
Result<Opened> open_architecture(std::string_view text, std::span<const Preset> presets);

}  // namespace headcount
