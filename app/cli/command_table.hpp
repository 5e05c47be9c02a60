// The commands as a value, read off the command line itself: what the manual
// and the shells' completions are written from, so that neither can leave one
// out.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace headcount {

struct OptionRow {
    std::vector<std::string> names;  // "-o", "--output"; of a place the one that
                                     // it has in the help: "ARCH"
    std::string value;               // what stands for it: "FILE", "dark|light"; empty: a flag
    std::string what;
    bool required = false, repeated = false;
};

struct InnerCommand {
    std::string name, what;
};

struct CommandRow {
    std::string path;  // "headcount worksheet list"
    std::string what, footer;
    std::vector<OptionRow> options, places;  // places are in their order
    std::vector<InnerCommand> commands;      // those inside it
    OptionRow help;                          // which every command has
};

// The program first, and each command before those inside it.
std::vector<CommandRow> command_table(const CLI::App& program);

}  // namespace headcount
