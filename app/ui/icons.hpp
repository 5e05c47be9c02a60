// Icons drawn with lines, so that no font needs them; each fits a square of 16 px.
#pragma once

#include <imgui.h>

namespace headcount {

enum class Icon {
    none,
    warning,
    reset,  // an arrow that turns back
    check,
    nearly,  // two waves: about equal
    cross,
    copy,
    monitor,
    theme,  // a half-filled circle
    share,
    help,
    chevron_down,
    chevron_right,
    plus_circle,  // addition in the residual stream
    dot_circle,   // multiplication, cell by cell
    search,
    undo,
    redo,
    plus,
    minus,
    menu,  // three lines
    open,
    chevron_left,
    chevron_up,
    play,
    pause,
    next,    // one step on
    first,   // back to the beginning
    shrink,  // corners that point inwards: back from the full screen
    bulb,    // a hint
    eye,     // show it
    key,     // of the teacher
    printer,
    sliders,  // fields to be set
    dice,     // other numbers
    swap,     // two sides
    pin       // keep this to compare with
};

// Draws the icon centred at `centre` in a square of `side` pixels.
void draw_icon(ImDrawList& list, Icon icon, ImVec2 centre, float side, ImU32 colour);

// The program's mark: four bars, two of them in the colours of queries and keys.
void draw_logo(ImDrawList& list, ImVec2 top_left, float side, ImU32 bar, ImU32 lit, ImU32 warm);

}  // namespace headcount
