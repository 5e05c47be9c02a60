// A command of the command line: its words, its arguments, and what it does with them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/cli.hpp"
#include "core/base/result.hpp"

namespace headcount {

using Failure = std::optional<Error>;

// A sentence each: what of a file was not read, what was assumed, what a preset leaves out.
using Notes = std::vector<std::string>;

// Where a command leaves what it has worked out.
struct Output {
    std::ostream& out;
    std::ostream& err;                          // hears how far long work is
    Notes notes = {};                           // for `err`, once the command has done its work
    bool answered = false;                      // though it fails: what was asked for is written, with its notes
    std::vector<std::string> words = {};        // the command line, without the program's name
    std::vector<std::string> failures = {};     // where several things went wrong: a line each, below the error
    std::optional<RenderOptions> picture = {};  // for main to draw
};

using CommandAction = std::function<Failure(Output&)>;

struct Command {
    std::string name, what;
    // Says which words may stand behind the name. What it returns is to be done once all of them are read.
    std::function<CommandAction(CLI::App*)> describe;
};

// Of `describe(command, arguments)`, which says how words fill the arguments in, and of what is done with them.
template <class Arguments, class Describe>
Command make_command(std::string name, std::string what, Describe describe, Failure (*act)(const Arguments&, Output&)) {
    return {std::move(name), std::move(what), [describe, act](CLI::App* command) -> CommandAction {
                const auto arguments = std::make_shared<Arguments>();
                describe(command, *arguments);
                return [arguments, act](Output& output) { return act(*arguments, output); };
            }};
}

// The list of the commands in the order of the help, which the manual and the shells' completions follow. `views` are
// the words for them, which live as long as the commands; `draw` and `picture` may be empty, `actions` are those of the
// window.
std::vector<Command> all_commands(std::span<const std::string_view> views, const DrawPlace& draw,
                                  const DrawPicture& picture = {}, std::span<const AskCommand> actions = {});

}  // namespace headcount
