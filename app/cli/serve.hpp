// The commands as tools that a program can call: the Model Context Protocol, JSON-RPC 2.0 with a message a line.
#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command_table.hpp"

namespace headcount {

// What a command printed, and its exit status; of one that draws, the PNG file's bytes.
struct Answered {
    int status = 0;
    std::string out, err;
    std::string picture = {};
};
using RunCommand = std::function<Answered(std::span<const std::string> words)>;

// Answers each line of `in` by one of `out`, until there are no more; what wants no answer gets none. The tools are the
// commands of the table that print what they find, and the one that draws: their arguments are its options.
// https://modelcontextprotocol.io/specification/2025-06-18
void serve(std::istream& in, std::ostream& out, const std::vector<CommandRow>& table, const RunCommand& run);

}  // namespace headcount
