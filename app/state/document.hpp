// What the user edits: a value. Undo and redo are earlier values of it, and it is what is saved and restored.
#pragma once

#include <string>

#include "core/arch/architecture.hpp"

namespace headcount {

struct Document {
    Architecture architecture;
    Architecture base;   // what resets and effects are measured against: the preset or file it came from, unedited
    std::string preset;  // the preset's id; empty for a file
    Input input;

    bool operator==(const Document&) const = default;
};

}  // namespace headcount
