// The command line: reads it, runs subcommands, and hands what needs a window or a picture back to main.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <variant>

#include "app/state/window_options.hpp"
#include "core/ask/ask.hpp"
#include "core/base/result.hpp"
#include "core/handout/handout.hpp"

namespace headcount {

// An exit status (0 done, 1 an error that is said on `err`, 2 wrong usage), a window to open, or a picture to render.
using CommandLine = std::variant<int, WindowOptions, RenderOptions>;

// An SVG document of a place in a model ("" is all of it), for what is printed; empty where it cannot be drawn.
using DrawPlace = std::function<std::string(const Architecture& model, const Input& input, const std::string& place,
                                            PictureNumbers numbers)>;

// Writes the picture that was asked for; where it stands.
using DrawPicture = std::function<Result<std::filesystem::path>(const RenderOptions& options)>;

// `arguments` are those after the program's name; `views` are the words that `--view` takes. Errors read "headcount:
// what: where: what to do". Without `draw` worksheets are printed without pictures; `serve` alone needs `picture`,
// since what others ask for is drawn by who called. `actions` are what is done in the window: `ask` says by which keys.
CommandLine parse_command_line(std::span<const std::string> arguments, std::ostream& out, std::ostream& err,
                               std::span<const std::string_view> views, const DrawPlace& draw = {},
                               const DrawPicture& picture = {}, std::span<const AskCommand> actions = {});

// Of memory that could not be had, which is thrown; what is returned is the exit status.
int report_no_memory(std::ostream& err);

}  // namespace headcount
