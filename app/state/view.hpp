// How the user looks at the document: selection, tabs, theme. Never part of undo.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "app/state/subject.hpp"

namespace headcount {

enum class ThemeChoice { dark, light };
enum class BottomTab { activations, head, tensors };
// In the same order: in saved documents and for tests.
inline constexpr std::array<std::string_view, 3> bottom_tab_keys{"activations", "head", "tensors"};

struct View {
    Subject selection;
    Subject hover;  // what the pointer was on in the last frame
    BottomTab bottom_tab = BottomTab::activations;
    ThemeChoice theme = ThemeChoice::dark;
    float scale = 1;  // of the interface, 0.75 to 2
    bool reduced_motion = false;
    bool help = false;
    std::optional<Field> edited;  // the field edited last: an impossible combination is said beside it
    std::string notice;  // one sentence about what just happened ("copied", "could not be saved"); may be empty

    bool operator==(const View&) const = default;
};

}  // namespace headcount
