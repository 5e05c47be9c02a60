// What the window says of what just happened.
#pragma once

#include <string>
#include <utility>

namespace headcount {

struct Notice {
    std::string text = {};  // a sentence ("copied", "could not be saved"); empty where there is nothing to say
    // Its numbers may be of a model, and are covered as long as those are hidden. Not so those of files or of the
    // program.
    bool of_model = true;

    bool operator==(const Notice&) const = default;
};

inline Notice notice_of_program(std::string text) { return {std::move(text), false}; }

}  // namespace headcount
