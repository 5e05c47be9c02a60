// The program `headcount`: the command line, and the window or the picture that it asks for.
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "app/cli/cli.hpp"
#include "app/shell/shell.hpp"
#include "app/views/views.hpp"

namespace headcount {
namespace {

int run(int argc, char** argv) {
    std::vector<std::string> arguments;
    for (int i = 1; i < argc; ++i) arguments.emplace_back(argv[i]);
    std::vector<std::string_view> views;
    for (const ViewKind& view : shipped_views().kinds) views.push_back(view.key);
    std::vector<AskCommand> actions;
    for (const Action& action : shipped_views().actions)
        actions.push_back({action.keys.empty() ? std::string_view() : action.keys.front(), action.name, action.id});
    CommandLine asked = parse_command_line(arguments, std::cout, std::cerr, views, draw_place, write_rendered, actions);
    if (const auto* window = std::get_if<WindowOptions>(&asked)) return run_window(*window);
    if (const auto* picture = std::get_if<RenderOptions>(&asked)) return render_picture(*picture);
    return std::get<int>(asked);
}

}  // namespace
}  // namespace headcount

int main(int argc, char** argv) {
    // Our own errors are values; what is thrown comes from below, such as memory that has run out.
    try {
        return headcount::run(argc, argv);
    } catch (const std::bad_alloc&) {
        return headcount::report_no_memory(std::cerr);
    } catch (const std::length_error&) {
        return headcount::report_no_memory(std::cerr);
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "headcount: stopped unexpectedly: %s\n", failure.what());
    } catch (...) {
        std::fputs("headcount: stopped unexpectedly\n", stderr);
    }
    return 1;
}
