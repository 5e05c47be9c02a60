// The table of keys, and the steps of the interface's size.
#include "app/state/shortcuts.hpp"

#include <array>

namespace headcount {
namespace {

constexpr std::array table{
    Shortcut{"Ctrl+1", "Explore; Ctrl+2 to 7: other views"},
    Shortcut{"Ctrl+K", "Ask for a number, a model, a command", Command::ask},
    Shortcut{"Ctrl+O", "Open a file", Command::open},
    Shortcut{"Ctrl+S", "Save the model as a file", Command::save},
    Shortcut{"Ctrl+Z", "Undo", Command::undo},
    Shortcut{"Ctrl+Shift+Z", "Redo", Command::redo},
    Shortcut{"Ctrl+Y", "Redo", Command::redo},
    Shortcut{"Ctrl+C", "Copy the selected number, or the table", Command::copy},
    Shortcut{"Tab", "Next control; with Shift the one before"},
    Shortcut{"Space", "Press what has the keyboard; play a run"},
    Shortcut{"Enter", "Type into a slider; in the diagram, go in"},
    Shortcut{"Left", "Step a slider down; Right steps it up"},
    Shortcut{"Esc", "Close; end presenting, a tour; up; let go", Command::leave},
    Shortcut{"Backspace", "Up to the place around"},
    Shortcut{"F", "The whole model", Command::fit},
    Shortcut{"P", "Tilt the diagram, or see it flat", Command::tilt},
    Shortcut{"L", "Sides by their logarithm, or to scale", Command::log_sides},
    Shortcut{"D", "One decoding step, or the whole prompt", Command::decode},
    Shortcut{"H", "Hide a number to be guessed, or show it", Command::hide},
    Shortcut{"Shift+H", "Show all hidden numbers", Command::show_hidden},
    Shortcut{"Ctrl++", "Larger interface; Ctrl+- smaller", Command::larger},
    Shortcut{"Ctrl+-", "Smaller interface", Command::smaller},
    Shortcut{"Ctrl+0", "Usual size", Command::usual_size},
    Shortcut{"T", "Dark or light", Command::theme},
    Shortcut{"M", "Motion reduced or as usual", Command::motion},
    Shortcut{"F5", "Present to a class, or go back", Command::present},
    Shortcut{"Ctrl+T", "Choose a tour"},
    Shortcut{"PageDown", "A tour on; PageUp back; or Space, arrows"},
    Shortcut{"F1", "This sheet", Command::help},
    Shortcut{"?", "This sheet", Command::help},
};

constexpr std::array scales{least_scale, 0.9F, 1.0F, 1.1F, 1.25F, 1.5F, 1.75F, most_scale};

}  // namespace

std::span<const Shortcut> shortcuts() {
    return table;
}

float next_scale(float scale, int direction) {
    constexpr float tolerance = 0.01F;  // a saved scale is rounded to whole per cents
    if (direction > 0) {
        for (float step : scales)
            if (step > scale + tolerance) return step;
        return scales.back();
    }
    for (auto step = scales.rbegin(); step != scales.rend(); ++step)
        if (*step < scale - tolerance) return *step;
    return scales.front();
}

}  // namespace headcount
