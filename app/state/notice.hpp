// What the window says of what just happened.
#pragma once

#include <string>
#include <utility>

namespace headcount {

// One sentence ("copied", "could not be saved"); may be empty. Its numbers may be of a model, and are covered as long
// as those are hidden, unless it is of files or of the program.
struct Notice : std::string {
    Notice() = default;
    Notice(std::string text) : std::string(std::move(text)) {}
    Notice(const char* text) : std::string(text) {}

    bool of_model = true;
};

inline Notice notice_of_program(std::string text) {
    Notice notice(std::move(text));
    notice.of_model = false;
    return notice;
}

}  // namespace headcount
