// Questions typed into the ask bar, in one line for tests.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/ask/ask.hpp"
#include "core/files/devices.hpp"
#include "tests/support/class.hpp"

namespace headcount::testing_data {

constexpr std::array commands{AskCommand{"Ctrl+Z", "Undo"}, AskCommand{"T", "Dark or light"},
                              AskCommand{"F", "The whole model"}};

inline const std::vector<Device>& devices() {
    static const std::vector<Device> all = *load_devices(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "hardware.json");
    return all;
}

// What all questions of a test keep, as those typed into one window do.
inline AskMemory& one_memory() {
    static AskMemory memory;
    return memory;
}

// Where this preset is the model at hand.
inline Asked asked(std::string_view text, std::string_view at_hand = "llama-2-7b", const Input& input = {},
                   AskMemory* memory = &one_memory()) {
    const Preset& preset = *find_preset(presets(), at_hand);
    return ask(text, {.architecture = preset.architecture,
                      .input = input,
                      .preset = preset.id,
                      .presets = presets(),
                      .commands = commands,
                      .memory = memory,
                      .devices = devices()});
}

inline AskAnswer answer(std::string_view text, std::string_view at_hand = "llama-2-7b", const Input& input = {}) {
    const Asked all = asked(text, at_hand, input);
    if (all.answer) return *all.answer;
    ADD_FAILURE() << text << ": " << all.problem;
    return {};
}

// Its number; and why there is none.
inline std::string number(std::string_view text, std::string_view at_hand = "llama-2-7b") {
    return answer(text, at_hand).number;
}
inline std::string problem(std::string_view text, std::string_view at_hand = "llama-2-7b") {
    const Asked all = asked(text, at_hand);
    return all.answer ? "answered: " + all.answer->number : all.problem;
}

// Whether one of an answer's notes has these words.
inline bool says(const std::vector<std::string>& notes, std::string_view words) {
    return std::any_of(notes.begin(), notes.end(),
                       [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

}  // namespace headcount::testing_data
