// The command line: reads it, runs subcommands, and hands what needs a window or a picture back to main.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <variant>

#include "app/state/options.hpp"

namespace headcount {

// An exit status (0 done, 1 an error that is said on `err`, 2 wrong usage), a window to open, or a picture to render.
using CommandLine = std::variant<int, WindowOptions, RenderOptions>;

// `arguments` are those after the program's name. Errors read "headcount: what: where: what to do".
CommandLine parse_command_line(std::span<const std::string> arguments, std::ostream& out, std::ostream& err);

}  // namespace headcount
