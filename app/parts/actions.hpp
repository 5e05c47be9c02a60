// What can be asked for wherever one is: one list, which the keys, the manual and the ask bar read, and menus and
// tooltips for their keys.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/session.hpp"

namespace headcount {

struct Action {
    std::string id;                 // "redo"
    std::string name;               // what it does, to be read: "Redo"
    std::vector<std::string> keys;  // "Ctrl+Shift+Z", each of which does; the first is the one to show
    // What it does now, where it does anything. `most` is the scale that the window has room for.
    std::function<std::optional<Intent>(const Session&, float most)> does;
    bool of_diagram = false;  // it changes the diagram and nothing else
    bool always = false;      // its keys work while text is typed, too
    bool repeats = false;     // while the key is held
    bool in_manual = true;    // has a line of its own there
    bool in_ask_bar = true;
};

// Those that every view has, in the order in which the manual shows them.
const std::vector<Action>& common_actions();

// The common one with this id, which there is.
const Action& action(std::string_view id);

// Of a button that does it: "Redo (Ctrl+Shift+Z)", or other words with the same key.
std::string tooltip_of(std::string_view id, std::string_view words = {});

// The sizes that Ctrl + and Ctrl - step through: the next one above or below `scale`, or the last one there is.
float next_scale(float scale, int direction);

}  // namespace headcount
