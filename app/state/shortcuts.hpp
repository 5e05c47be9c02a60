// The keys of the program: one table, which the help sheet lists and the shell obeys.
#pragma once

#include <span>
#include <string_view>

namespace headcount {

enum class Command {
    none,  // done by the component that has the keyboard or the pointer; listed, so that it can be found
    undo,
    redo,
    copy,
    larger,
    smaller,
    usual_size,
    theme,
    motion,
    help,
    ask,   // the ask bar
    open,  // the file dialog
    save,
    fit,        // the whole model fills the canvas
    tilt,       // the canvas in perspective, or flat
    log_sides,  // sides to scale, or by their logarithm
    hide,       // a number, for a class to guess
    show_hidden,
    decode,   // one new token after those of the prompt, or the prompt itself
    present,  // to a class, or no longer
    leave,    // closes what is open, else lets go of the selection
};

struct Shortcut {
    std::string_view keys;     // "Ctrl+Shift+Z"; the first that does something is the one to show first
    std::string_view meaning;  // "Redo"
    Command command = Command::none;
};

// In the order in which the help sheet shows them. Shortcuts with the same meaning follow one another.
std::span<const Shortcut> shortcuts();

inline constexpr float least_scale = 0.75F, most_scale = 2;  // of the interface

// The sizes that Ctrl + and Ctrl - step through: the next one above or below `scale`, or the last one there is.
float next_scale(float scale, int direction);

}  // namespace headcount
