// What a shell completes: which words may stand for a value, and the script that each shell reads.
#pragma once

#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command_table.hpp"

namespace headcount {

struct Completion {
    std::vector<std::string> words = {};
    bool files = false;    // any file as well
    bool goes_on = false;  // what is typed next stands directly behind the word
};

// By the name of a value: "ARCH", "dark|light". A value that nothing is known of, such as "N", is not there.
using Completions = std::map<std::string, Completion>;

void write_bash(std::ostream& out, std::span<const CommandRow> table, const Completions& completions);
void write_zsh(std::ostream& out, std::span<const CommandRow> table, const Completions& completions);
void write_fish(std::ostream& out, std::span<const CommandRow> table, const Completions& completions);

}  // namespace headcount
