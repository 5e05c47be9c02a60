// The program `headcount`: the command line, and the window or the picture that it asks for.
#include <iostream>
#include <string>
#include <variant>
#include <vector>

#include "app/cli/cli.hpp"
#include "app/shell/shell.hpp"

int main(int argc, char** argv) {
    std::vector<std::string> arguments;
    for (int i = 1; i < argc; ++i) arguments.emplace_back(argv[i]);
    headcount::CommandLine asked = headcount::parse_command_line(arguments, std::cout, std::cerr);
    if (const auto* window = std::get_if<headcount::WindowOptions>(&asked)) return headcount::run_window(*window);
    if (const auto* picture = std::get_if<headcount::RenderOptions>(&asked)) return headcount::render_picture(*picture);
    return std::get<int>(asked);
}
